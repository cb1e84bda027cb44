"""What somebody takes as a medicine, and takes no longer: told by the names that medicines have."""

import re
from functools import partial

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.shared_patterns import compile_english, refine_plain
from palimpsest_language.facts.rule import MatchGroups
from palimpsest_language.facts.rule_factory import build_rules
from palimpsest_language.wording.statement_text import to_third_person

_ENDINGS = """
    dipine pril olol sartan statin azole cillin mycin formin oxetine traline pram zepam zolam codone profen tidine
    thyroxine floxacin cycline gliptin glutide gliflozin triptan setron lukast solone sone parin xaban dronate
    azepine barbital terol furosemide thiazide lactone zosin tadine etirizine pidem clovir afil trigine giline
    apine azine antoin amide abalin pentin bamate tinib limumab nercept zumab ximab grel trexate xicam
"""
"""Of the names that substances are given by what they do."""
_NAMES = """
    warfarin|insulin|aspirin|paracetamol|acetaminophen|tylenol|advil|lithium|ozempic|wegovy|mounjaro|prozac|zoloft|
    lexapro|xanax|valium|adderall|ritalin|concerta|vyvanse|lipitor|crestor|humira|enbrel|eliquis|xarelto|ventolin|
    synthroid|euthyrox|digoxin|propranolol|allopurinol|colchicine|melatonin|accutane|wellbutrin|bupropion|lyrica|
    trazodone|mirtazapine|venlafaxine|duloxetine|nexium|plavix|januvia|jardiance|truvada|prednisone|cortisone|
    tramadol|codeine|morphine|methadone|hydroxyzine|minoxidil|finasteride|dexamethasone
"""
_SORTS = (
    r"(?:blood pressure|heart|thyroid|allergy|asthma|migraine|cholesterol|ADHD|anxiety|depression|diabetes|pain|sleeping|iron|water)"
    r" (?:pills?|tablets?|meds?|medication|medicines?)|beta[- ]blockers?|ace inhibitors?|statins?|antidepressants?|antihistamines?"
    r"|blood thinners?|antipsychotics?|SSRIs?|HRT"
)
_NAMED = rf"(?:{'|'.join(name.strip() for name in _NAMES.split('|'))})"
_SUBSTANCE = rf"[a-z]{{2,}}(?:{'|'.join(_ENDINGS.split())})"
_MEDICINE = rf"(?:{_NAMED}|{_SUBSTANCE}|{_SORTS})"
_DOSE = r"(?P<dose>\d+(?:\.\d+)? ?(?:mg|mcg|ml|units?|milligrams)(?: of)? |(?:a )?(?:low|high|small|daily)(?:er)? doses? of )?"
_WHY = r"(?P<why> for (?:my |an? |the )?(?:[\w-]+ ){0,2}[\w-]+(?=[,.;!]|$))?"
_TAKEN = rf"{_DOSE}(?P<value>{_MEDICINE})(?![\w-]){_WHY}"
_REPLACED = rf"(?:the |my )?(?P<replaced>{_MEDICINE})(?![\w-])"
_THE = r"(?:the |my |all |that )*"
_I = r"(?:I|we)"
_JUST = r"(?: (?:just|now|also|still|currently|already|finally|recently|always|usually|only))*"

_ALSO_ENDS_SO = re.compile(
    r"(?:determine|feature|venezone|limousine|valentine|submarine|routine|evening|magazine|trampoline|outsell|"
    r"person|monsoon|comparison|poison|prison|reason|season|lesson|unison|bison|arson|mason|treason|venison|liaison|"
    r"pyramid\w*|chipotle|april|program|instagram|telegram|landscape|escapade|scapine|alpine|supine|porcupine|canyon)",
    re.IGNORECASE,
)

_holds = partial(build_rules, compile_english)


def refine_medicine(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    if tidied is None or _ALSO_ENDS_SO.fullmatch(tidied["value"]):
        return None
    return {**tidied, "why": to_third_person(tidied.get("why", ""))}


MEDICINES_ENDED = _holds(
    "medication",
    Kind.FACT,
    "{subject} no longer takes {value}",
    refine_medicine,
    rf"{_I}(?:'ve| have)?{_JUST} (?:stopped|quit|discontinued|dropped|come off|came off|gone off|went off|got off|weaned off)"
    rf"(?: taking| using)? {_THE}{_TAKEN}",
    rf"(?:I'm|I am){_JUST} (?:off|done with|finished with|no longer (?:on|taking)) {_THE}{_TAKEN}",
    rf"{_I} (?:no longer|don't|do not) (?:take|use|need|have to take|need to take) {_THE}{_TAKEN}(?<!n't take any)(?=.{{0,20}}\bany ?more\b)",
    rf"{_I} no longer (?:take|use|need|have to take|need to take) {_THE}{_TAKEN}",
    rf"(?:took|taken|taking) me off {_THE}{_TAKEN}",
    rf"(?:stopped|cancelled|canceled) my {_TAKEN}",
    rf"{_THE}{_TAKEN} (?:was|has been|got) (?:stopped|discontinued)",
    ended=True,
)

MEDICINES = (
    *_holds(
        "medication",
        Kind.FACT,
        "{subject} takes {dose} {value} instead of {replaced} {why}",
        refine_medicine,
        rf"(?:changed|switched|moved|swapped) me(?: over)? from {_REPLACED} to {_TAKEN}",
        rf"{_I}(?:'ve| have)?{_JUST} (?:changed|switched|moved|swapped)(?: over)? from {_REPLACED} to {_TAKEN}",
        rf"(?:swapped|replaced|changed) {_THE}{_REPLACED} (?:for|with|to) {_TAKEN}",
    ),
    *_holds(
        "medication",
        Kind.FACT,
        "{subject} takes {dose} {value} {why}",
        refine_medicine,
        rf"{_I}(?:'ve| have)?{_JUST} (?:take|took up|need|have to take|need to take|been taking|been on|started(?: on| taking)?|begun taking|been (?:put|started) on|been prescribed|got prescribed|was (?:put|started) on|was prescribed|live on) {_TAKEN}(?!(?: \w+)? (?:allergy|shots? at))",
        rf"(?:I'm|I am){_JUST} (?:on|taking|being treated with) {_TAKEN}",
        rf"(?:put|started|has|got|keeps?|have) me (?:back )?on {_TAKEN}",
        rf"(?:changed|switched|moved|swapped) me(?: over)? to {_TAKEN}",
        rf"(?:prescribed|gave) me {_TAKEN}",
    ),
)
"""In the words of whoever takes them: what others take is no value of theirs."""

MAY_NOT_TAKE = _holds(
    "allergies",
    Kind.FACT,
    "{subject} can't have {value}",
    refine_medicine,
    rf"I (?:can't|cannot|can not|mustn't|must not|can never|shouldn't|am not allowed to) (?:have|take|be given|be prescribed|tolerate|use) (?:any )?{_TAKEN}",
    rf"(?:don't|do not|never|no one should) (?:give|prescribe) me (?:any )?{_TAKEN}",
)
"""Who is never to be given a medicine is asked for it like for an allergy."""
