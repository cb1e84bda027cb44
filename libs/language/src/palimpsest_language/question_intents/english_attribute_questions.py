"""Patterns that ask for attributes in English. `name` is whose it is; without one it is the user's."""

from collections.abc import Mapping

_NOBODY = (
    r"(?:it|this|that|these|those|there|here|every(?:one|body|thing)|some(?:one|body|thing)|any(?:one|body|thing)|no(?:one|body|thing)|people|you|your|my|our|the|an?"
    r"|his|her|him|hers|their|them|he|she|they|we|us|me|i|who|what|which|one|ones|all|both|most|mine|\w+ing)"
)
_NAME = rf"(?P<name>(?!{_NOBODY}\b)[^\W\d_][\w-]+)"
"""Pattern of a name, with a capital or, as many write, without."""
_WHO = rf"(?:I|we|she|he|they|the user|{_NAME})"
_WHOM = rf"(?:me|us|her|him|them|the user|{_NAME})"
_WHOSE = rf"(?:my|our|her|his|their|the user's|{_NAME}'s)"
_BE = r"(?:am|is|are|'s|'re|'m)"
_DO = r"(?:do|does)"
_NOW = r"(?: now| nowadays| currently| these days| at the moment| today| actually)?"
_IS = r"(?: is|'s| are)?"

_SORT = r"(?: (?:(?:kinds?|sorts?|types?) of )?(?:foods?|things?|stuff|music|drinks?|veg(?:etables?)?|fruits?|sweets|candy|dish(?:es)?|meals?|toppings?|flavou?rs?|films?|movies?|sports?|smells?))?"

_FOR = r"(?: [\w-]+){0,2}?"
"""Pattern of the purpose of a medicine: "blood pressure"."""

ENGLISH_OPENING = (
    r"(?:(?:so|and|hey|hi|ok|okay|please|well|btw|by the way|actually|remind me|tell me|say|quick question"
    r"|(?:do|can|could|would) you (?:know|remember|recall|tell me|remind me|please tell me)|any idea|I forgot|you know)[,:]? )*"
)
ENGLISH_END = rf"{_NOW}(?: again| please| anyway| then| by the way| exactly)*"

ENGLISH: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("relation",): (rf"who(?: is|'s|s| was) {_NAME}",),
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
    ("career", "job", "employer"): (
        rf"what did {_WHO}(?: use to)? do (?:for (?:a living|work)|as a job|before(?: (?:I|she|he|they) retired| that| this)?|for work before)",
        rf"what (?:was|were) {_WHOSE} (?:old |former |previous |last )?(?:job|profession|occupation|work|career|trade)s?(?: before)?",
        rf"what (?:job|work|jobs) did {_WHO} (?:do|have|use to do)(?: before)?",
        rf"what did {_WHO} use to do",
    ),
    ("dislikes", "avoids", "dietary_restrictions"): (
        rf"(?:what|which){_SORT} {_DO} {_WHO} (?:hate|dislike|not like|not eat|avoid|can't stand|detest)(?: most| the most| eating)?",
        rf"(?:what|which){_SORT} (?:don't|doesn't|do not|does not|can't|cannot) {_WHO} (?:like|stand|enjoy|bear)(?: eating)?",
        rf"(?:what|which){_SORT} (?:can't|cannot) {_WHO} stand",
        rf"(?:what|which){_SORT} {_WHO} (?:hate|hates|dislike|dislikes|can't stand|don't like|doesn't like)",
        rf"(?:what{_IS} )?{_WHOSE} (?:dislikes|least favou?rite (?:foods?|things?))",
    ),
    ("medication",): (
        rf"(?:what|which)(?: kind of)?{_FOR} (?:medicines?|medications?|meds|drugs?|pills?|tablets?) (?:{_BE}|{_DO}|was|were) {_WHO}{_NOW}(?: supposed to)? (?:on|take|taking|prescribed|having to take|need|use)",
        rf"(?:what|which){_IS} {_WHOSE}(?: current)?{_FOR} (?:medicines?|medications?|meds|prescriptions?|pills?|tablets?)(?: called)?",
        rf"{_BE} {_WHO}{_NOW} (?:on|taking) any(?:thing| medicines?| medications?| meds| drugs?| pills?| tablets?)",
        rf"{_DO} {_WHO} take any(?:thing| medicines?| medications?| meds| drugs?| pills?| tablets?)",
        rf"what did (?:the|my|her|his|their) doctor (?:put|start) {_WHOM} on",
    ),
    ("shift",): (
        rf"(?:what|which) shifts? (?:{_DO}|{_BE}) {_WHO}{_NOW} (?:on|work|working|do|doing)",
        rf"(?:{_DO}|{_BE}) {_WHO} (?:work|working|on) (?:days or nights|nights or days|nights?|days?|day shifts?|night shifts?)",
    ),
    ("name", "preferred_name"): (
        rf"(?:do you (?:know|remember|recall) )?{_WHOSE} name",
        rf"(?:what|know|you know){_IS} {_WHOSE} (?:full |first |last )?name(?: is)?",
        r"who am I",
        rf"what (?:should|do|can|shall|may) (?:you|we|I|people) call {_WHOM}",
        rf"how (?:should|do|can|shall) (?:you|we|I) (?:address|call) {_WHOM}",
    ),
    ("birthday", "age", "birth_year"): (
        rf"(?:when|(?:in )?(?:what|which) year) (?:was|were) {_WHO} born(?: in)?",
    ),
    ("birthday", "age"): (
        rf"when{_IS} {_WHOSE} (?:birth ?day|date of birth)",
        rf"how old {_BE} {_WHO}",
        rf"what{_IS} {_WHOSE} (?:birth ?day|date of birth|age)",
    ),
    ("allergies", "dietary_restrictions", "diet"): (
        rf"(?:what|which)(?: foods?| medicines?| medications?| drugs?| things?)? {_BE} {_WHO} (?:allergic|intolerant) to",
        rf"(?:what|which)(?: foods?| medicines?| medications?| drugs?| things?)? (?:can't|cannot|can not|shouldn't|mustn't) {_WHO} (?:have|take|drink)",
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
        rf"{_BE} {_WHO}(?: still)? (?:married|single|engaged|divorced|taken|dating(?: anyone| anybody| someone)?|seeing (?:anyone|anybody|someone)|in a relationship|with (?:anyone|anybody|someone))",
        rf"{_DO} {_WHO} (?:still )?have an? (?:partner|girlfriend|boyfriend|husband|wife|spouse|significant other|fianc[eé]e?)",
        rf"(?:who|what)(?:{_IS}|'s the name of) {_WHOSE}(?: current)? (?:partner|girlfriend|boyfriend|other half|significant other|fianc[eé]e?)(?:'s name|s name| called)?",
        rf"who {_BE} {_WHO}{_NOW} (?:dating|seeing|married to|engaged to|in a relationship with|together with|going out with)",
        rf"what{_IS} {_WHOSE} (?:relationship|marital) status",
    ),
}
