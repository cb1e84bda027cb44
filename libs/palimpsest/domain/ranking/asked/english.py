"""How attributes are asked for in English. `name` is whose it is; without one it is the user's."""

from collections.abc import Mapping

_NAME = r"(?P<name>(?-i:[A-Z][\w-]+))"
_WHO = rf"(?:I|we|she|he|they|the user|{_NAME})"
_WHOM = rf"(?:me|us|her|him|them|the user|{_NAME})"
_WHOSE = rf"(?:my|our|her|his|their|the user's|{_NAME}'s)"
_BE = r"(?:am|is|are|'s|'re|'m)"
_DO = r"(?:do|does)"
_NOW = r"(?: now| nowadays| currently| these days| at the moment| today| actually)?"
_IS = r"(?: is|'s| are)?"

ENGLISH_OPENING = (
    r"(?:(?:so|and|hey|hi|ok|okay|please|well|btw|by the way|actually|remind me|tell me|say|quick question"
    r"|(?:do|can|could|would) you (?:know|remember|recall|tell me|remind me|please tell me)|any idea|I forgot|you know)[,:]? )*"
)
ENGLISH_END = rf"{_NOW}(?: again| please| anyway| then| by the way| exactly)*"

ENGLISH: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("city",): (
        rf"where(?: {_DO}| {_BE}|'s)? {_WHO}(?: {_BE})?{_NOW} (?:lives?|living|based|located|settled|residing)",
        rf"(?:which|what) (?:city|town|place)(?: {_DO}| {_BE})? {_WHO}{_NOW} (?:lives?|living|based)(?: in)?",
        rf"(?:what|which){_IS} {_WHOSE}(?: current)?(?: home)? (?:city|town|place of residence)",
        rf"where{_IS} {_WHOSE}(?: current)? (?:home|house|flat|apartment)",
    ),
    ("hometown",): (
        rf"where (?:{_BE}|{_DO}) {_WHO}(?: originally)?(?: come)? from",
        rf"(?:what|where){_IS} {_WHOSE} (?:home ?town|birth ?place)",
        rf"where (?:was|were) {_WHO} (?:born|raised)",
        rf"where did {_WHO} grow up",
    ),
    ("employer",): (
        rf"where (?:{_DO}|{_BE}) {_WHO}{_NOW} (?:work|working|employed)",
        rf"(?:who|what company|which company|what firm) (?:{_DO}|{_BE}) {_WHO}{_NOW} (?:work|working|employed) (?:for|at|by)",
        rf"(?:what|who){_IS} {_WHOSE}(?: current)? (?:employer|company|workplace)(?: called)?",
    ),
    ("job",): (
        rf"what {_DO} {_WHO} do(?: for (?:a living|work)| as a job)?",
        rf"(?:what|which){_IS} {_WHOSE}(?: current)? (?:job|profession|occupation|role|position|job title)",
    ),
    ("name", "preferred_name"): (
        rf"(?:what|know|you know){_IS} {_WHOSE} (?:full |first |last )?name(?: is)?",
        r"who am I",
        rf"what (?:should|do|can|shall|may) (?:you|we|I|people) call {_WHOM}",
        rf"how (?:should|do|can|shall) (?:you|we|I) (?:address|call) {_WHOM}",
    ),
    ("birthday", "age"): (
        rf"when{_IS} {_WHOSE} (?:birth ?day|date of birth)",
        rf"when (?:was|were) {_WHO} born",
        rf"how old {_BE} {_WHO}",
        rf"what{_IS} {_WHOSE} (?:birth ?day|date of birth|age)",
    ),
    ("allergies", "dietary_restrictions", "diet"): (
        rf"what {_BE} {_WHO} (?:allergic|intolerant) to",
        rf"(?:what|which){_IS} {_WHOSE} (?:food )?(?:allergy|allergies|diet|dietary (?:restrictions?|needs|requirements?))",
        rf"(?:what|which|any) (?:food )?allergies (?:{_DO} )?{_WHO} have",
        rf"(?:what|which foods?) (?:can't|can not|cannot|shouldn't|mustn't|don't|doesn't) {_WHO} eat",
        rf"(?:what|which foods?) (?:can|should|{_DO}) {_WHO} (?:not|never) eat",
        rf"{_BE} {_WHO} (?:a )?(?:vegetarian|vegan|gluten[- ]free|gluten intolerant|lactose intolerant|allergic to (?:anything|something|any food))",
        rf"{_DO} {_WHO} have (?:any |some )?(?:food )?(?:allergy|allergies|dietary (?:restrictions?|needs|requirements?))",
    ),
    ("languages",): (
        rf"(?:what|which|how many) (?:foreign )?languages? (?:{_DO}|can) {_WHO} (?:speak|know)",
    ),
    ("preferred_language",): (
        rf"(?:what|which) (?:programming|coding) languages? {_DO} {_WHO} (?:use|prefer|like|write(?: in)?|code in)",
        rf"(?:what|which){_IS} {_WHOSE} (?:favou?rite|preferred|main) programming language",
    ),
    ("preferred_editor",): (
        rf"(?:what|which) (?:code )?(?:editor|IDE) {_DO} {_WHO} (?:use|prefer|like)",
    ),
    ("preferred_database",): (rf"(?:what|which) database {_DO} {_WHO} (?:use|prefer|like)",),
    ("pets",): (
        rf"{_DO} {_WHO} (?:have|own|keep) (?:any |a )?(?:pets?|animals?)(?: at home)?",
        rf"(?:what|which) (?:kind of )?(?:pets?|animals?) {_DO} {_WHO} (?:have|own|keep)",
        rf"(?:who|what){_IS} {_WHOSE} pets?(?: called)?",
    ),
    ("hobbies",): (
        rf"what{_IS} {_WHOSE} (?:hobby|hobbies)",
        rf"what {_DO} {_WHO} (?:like to |enjoy )?do(?:ing)? (?:in (?:my|our|her|his|their) (?:free|spare) time|for fun)",
        rf"(?:what|which) (?:hobby|hobbies) {_DO} {_WHO} have",
    ),
    ("school",): (
        rf"where (?:did|{_DO}) {_WHO} (?:study|go to (?:school|college|university|uni)|graduate)",
        rf"(?:which|what) (?:school|college|university|uni) (?:did|{_DO}) {_WHO} (?:go to|attend|study at|graduate from)",
        rf"(?:what|which){_IS} {_WHOSE} (?:school|college|university|alma mater)",
    ),
    ("car",): (
        rf"(?:what|which) (?:kind of )?car {_DO} {_WHO} (?:drive|have|own)",
        rf"what{_IS} {_WHOSE} car",
    ),
    ("marital_status", "partner", "spouse"): (
        rf"{_BE} {_WHO} (?:married|single|engaged|seeing anyone)",
    ),
}
