"""Where somebody lives, for whom they work and as what: how English speaks of it."""

from palimpsest.model.kinds import Kind
from palimpsest_language.attribution import english_names as names
from palimpsest_language.attribution.attribute_topic import join_alternatives
from palimpsest_language.attribution.english_patterns import (
    BE,
    CALLING,
    END,
    FRESH,
    NAME,
    NOW,
    build_topic,
    compile_phrase,
)

PLACES_AND_WORK = (
    build_topic(
        "city",
        Kind.FACT,
        r"live|lives|living|home|hometown|based|moved|relocated|settled|resident|apartment|flat|place|address|city|local|"
        r"rooted|roots|neighbou?rhood|postcode|zip code|rent|roof over my head|call",
        compile_phrase(
            rf"(?:live|living|based|settled|settled down|relocated|moved|residing|reside|resident|rooted|put down roots)"
            rf"(?: (?:here|back|over|out|up|down))*{NOW} (?:in|to|of) (?:downtown |central |sunny |rainy )?(?P<value>(?-i:{join_alternatives(names.CITIES)})){END}"
        ),
        compile_phrase(
            rf"(?:home|my city|my home city|city I live in|hometown now|my address|my place|my (?:flat|apartment))(?: base)?{BE}{NOW}"
            rf"(?: (?:in|at))? (?P<value>(?-i:{join_alternatives(names.CITIES)})){END}"
        ),
        compile_phrase(
            rf"call(?:ing)? (?P<value>(?-i:{join_alternatives(names.CITIES)})) (?:my )?home"
        ),
        compile_phrase(
            rf"(?:my |our )(?:new |current )?(?:flat|apartment|place|home|address)(?: here)? in (?P<value>(?-i:{join_alternatives(names.CITIES)})){END}"
        ),
        compile_phrase(
            rf"(?P<value>(?-i:{join_alternatives(names.CITIES)}))(?:{BE}{NOW} (?:my |our )?(?:home|where I live|where we live|the city I live in)| (?:has become|became) (?:my )?home)"
        ),
    ),
    build_topic(
        "employer",
        Kind.FACT,
        r"employer|employed|work|works|working|job|join|joined|left|quit|payroll|paychecks?|pays|salary|badge|company|firm|colleagues|team|"
        r"staff|hired|signed|office|boss|onboard(?:ed|ing)|offer|day job|desk|career|gig|at",
        compile_phrase(
            rf"(?:(?:I|we|I['’]m|I am|I['’]ve|I have)(?: been)?{NOW} )(?:work(?:ing)?|employed|on the payroll|on staff|on the team|a full-timer|earning my (?:living|keep))"
            rf"(?: (?:full[- ]time|part[- ]time|remotely|here|over))?(?: as (?:an? )?[\w -]{{3,30}}?)? (?:at|for|by|of) {NAME}"
        ),
        compile_phrase(
            rf"(?:my|our){FRESH} (?:employer|company|workplace|firm|day job|job|work badge|badge|boss|paycheck|salary|office|gig|team)"
            rf"(?:{BE}| says| reads| comes from| now says){NOW}(?: (?:with|at|from|called|named))? {NAME}"
        ),
        compile_phrase(
            rf"(?:I['’]ve |I |we )?(?:just |recently |finally )?(?:joined|signed (?:on )?with|started (?:working )?(?:at|for)|got hired (?:by|at)|was hired by|"
            rf"moved (?:over )?to a (?:job|role|position) at|took a (?:job|role|position) (?:at|with)|(?:a |the |my )?(?:new )?(?:job|role|position) (?:at|with)|"
            rf"(?:left|quit|leaving) [^,.;]{{2,30}}? (?:for|to join|and (?:joined|went to))|clock(?:ing)? in at|(?:I['’]m|I am|I['’]ve been){NOW} (?:over )?at|now (?:over )?at|colleagues at|team at|desk at|my (?:\w+ )?(?:day|week|month|year)s? at) {NAME}"
        ),
        compile_phrase(
            rf"(?:my|our) (?:\w+ )?(?:shifts?|hours|desk|office|colleagues|coworkers|team|career|job|role|gig|boss|manager|commute|payroll|onboarding|probation|start|first (?:day|week|month))"
            rf"(?: \w+)? (?:at|with|to) {NAME}"
        ),
        compile_phrase(
            rf"{NAME}(?:{BE}{NOW} (?:my |our )?(?:{FRESH.strip()} ?)?(?:employer|workplace|where I work|who I work for|the company I work (?:for|at))"
            rf"| (?:pays my (?:salary|bills|rent|wages)|signs my paychecks?|hired me|employs me|recruited me|poached me|took me on|brought me on(?: board)?|snapped me up|gave me a job|has me on (?:the|its) payroll))"
        ),
    ),
    build_topic(
        "job",
        Kind.FACT,
        join_alternatives(names.CALLINGS) + r"|head of",
        compile_phrase(
            rf"(?:I['’]m|I am|I['’]ve been|I have been|I became|I['’]ve become){NOW} (?:working as )?(?:an? |the |our |their )?{CALLING}{END}(?! (?:at heart|for (?:halloween|a day)))"
        ),
        compile_phrase(
            rf"(?:work|works|working|worked my way up|employed|hired|job|role|position|career|gig|living|time|spend my days|days)(?: (?:here|there|at [\w ]{{2,20}}?))?{NOW} as (?:an? |the |their )?{CALLING}{END}"
        ),
        compile_phrase(
            rf"(?:my|the|our){FRESH} (?:job title|job|title|role|position|occupation|profession|day job|business card|calling|contract|badge|email signature|nameplate)"
            rf"(?: at [\w ]{{2,20}}?)?(?:{BE}| says| reads){NOW}(?: (?:as|to be|that of))? (?:an? |the )?[\"“]?{CALLING}{END}"
        ),
        compile_phrase(
            rf"(?:promoted|switched|retrained|changed (?:careers?|jobs?|roles?)|moved (?:up|over|into)?|made me|got|title (?:went|changed)[^,.;]{{0,25}}?)(?: from [^,.;]{{3,30}}?)? (?:to|into|as) (?:an? |the )?{CALLING}{END}"
        ),
        compile_phrase(rf"(?:title|role|position|job)(?: is)?:? (?:an? )?{CALLING}$"),
        compile_phrase(
            rf"{CALLING} (?:by trade|by profession|for a living|is (?:now )?(?:my|the) (?:job|title|role|job title|position))"
        ),
    ),
)
