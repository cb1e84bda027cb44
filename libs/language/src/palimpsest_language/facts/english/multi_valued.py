"""What one has several of: likes, hobbies, tools, pets, allergies, languages; and that one goes."""

from functools import partial

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.shared_patterns import compile_english, refine_plain
from palimpsest_language.facts.english.value_checks import (
    refine_abstained,
    refine_animal,
    refine_hobby,
    refine_product_name,
    refine_thing,
)
from palimpsest_language.facts.rule_factory import build_rules

_I = r"(?:I|we)"
_HAVE = (
    rf"{_I}(?:'ve| have)?(?: (?:just|recently|finally|now|since|also|already|lately|even|really))*"
)
_AM = r"(?:I'm|I am|we're|we are)(?: (?:now|also|really|quite|very|rather|just|finally|totally))*"
_NO_MORE = r"(?: any ?more| any longer| these days| nowadays| now)"
_NOTHING_ELSE = r"(?!.*\b(?:use|using|prefer|switched|work with|going with)\b)"
_THING = r"(?P<value>[^,.;:!?()]{2,48}?)"
_NAMED = (
    r"(?P<value>(?-i:[A-Z0-9])[\w.+#&’-]*(?: (?-i:[A-Z0-9])[\w.+#&’-]*){0,3}|[a-z]+[.][a-z]{2,4})"
)
_PET = (
    r"(?P<value>(?-i:[A-Z])[\w’-]+(?: (?-i:[A-Z])[\w’-]+)? the (?-i:[a-z]+)(?: (?-i:(?:retriever|terrier|spaniel|shepherd|dog|cat|pig|rabbit|hamster|collie|hound|dane|bulldog|parrot|mouse|rat|snake|fish|bird)))?"
    r"|(?:an?|our|my|two|three) (?:[a-z-]+ ){0,2}?<ANIMAL>(?: (?:named|called) (?-i:[A-Z])\w+)?)"
)
_PET_BY_NAME = r"(?P<value>(?-i:[A-Z])[\w’-]+(?: (?-i:[A-Z])[\w’-]+)? the (?-i:[a-z]+))"
_LANGUAGES = """
    Afrikaans Albanian Amharic Arabic Armenian Azerbaijani Basque Belarusian Bengali Bosnian Breton Bulgarian Burmese
    Cantonese Catalan Chinese Cornish Corsican Croatian Czech Danish Dari Dutch English Esperanto Estonian Faroese Farsi
    Filipino Finnish Flemish French Frisian Galician Georgian German Greek Gujarati Hausa Hebrew Hindi Hokkien Hungarian
    Icelandic Igbo Indonesian Irish Italian Japanese Kannada Kazakh Khmer Korean Kurdish Kyrgyz Lao Latin Latvian
    Lithuanian Luxembourgish Macedonian Malay Malayalam Maltese Mandarin Maori Marathi Mongolian Nepali Norwegian Occitan
    Pashto Persian Polish Portuguese Punjabi Quechua Romanian Romansh Russian Sami Sanskrit Scots Serbian Shanghainese
    Sinhala Slovak Slovene Slovenian Somali Spanish Sundanese Swahili Swedish Tagalog Taiwanese Tajik Tamil Tatar Telugu
    Thai Tibetan Turkish Turkmen Ukrainian Urdu Uyghur Uzbek Vietnamese Welsh Wolof Xhosa Yiddish Yoruba Zulu
"""
_LANGUAGE = (
    rf"(?P<value>(?:(?:Brazilian|Swiss|Canadian|Old|Ancient|Modern) )?(?:{'|'.join(_LANGUAGES.split())})"
    r"(?: sign language)?|(?:American |British )?sign language)\b"
)
_AT_LEISURE = (
    r"(?:in (?:my|our) (?:free|spare|leisure) time|for fun|as a hobby|to relax|to unwind|"
    r"(?:at|on|over) (?:the )?weekends?|after work|outside (?:of )?work|in the evenings?)"
)

_holds = partial(build_rules, compile_english)

ENDED = (
    *_holds(
        "allergies",
        Kind.FACT,
        "{subject} is no longer allergic to {value}",
        refine_thing,
        rf"(?:my|the) allergy to {_THING} (?:is|has|seems)(?: now| finally| completely| all)* (?:gone|disappeared|vanished|over|cured|cleared)",
        rf"my {_THING} allergy (?:is|has|seems)(?: now| finally| completely| all)* (?:gone|disappeared|vanished|over|cured|cleared)",
        rf"{_AM} (?:no longer|not) allergic to {_THING}(?:{_NO_MORE}|(?=[,.;!]|$))",
        rf"I (?:no longer have|don't have|do not have|haven't got) (?:an|my|any) allergy to {_THING}(?:{_NO_MORE}|(?=[,.;!]|$))",
        rf"{_HAVE} (?:outgrown|grown out of|got rid of|lost) (?:my|the) (?:allergy to {_THING}(?=[,.;!]|$))",
        rf"{_HAVE} (?:outgrown|grown out of|got rid of|lost) my {_THING} allergy(?! to\b)",
        rf"turns out I'm not allergic to {_THING}(?= after all|[,.;!]|$)",
        rf"I can (?:eat|have|touch|drink|be near|wear) {_THING} (?:again|now)[,;:]? .*allerg",
        rf"{_THING} (?:no longer|doesn't|don't) (?:bother|bothers|give|gives|trigger|triggers|make|makes|cause|causes|set off|sets off)(?: me| my)? (?:.*allerg|hives|a rash|sneeze|itch|a reaction)",
        ended=True,
    ),
    *_holds(
        "languages",
        Kind.FACT,
        "{subject} no longer speaks {value}",
        refine_plain,
        rf"{_HAVE} (?:lost|forgotten|unlearned)(?: all)?(?: (?:my|all of my))? {_LANGUAGE}",
        rf"my {_LANGUAGE} (?:is|has)(?: all| completely| now| pretty much)* (?:gone|vanished|disappeared|faded|evaporated)",
        rf"(?:take|strike|cross|remove|delete|drop) {_LANGUAGE} (?:off|from) (?:the|my) (?:list|languages)",
        rf"{_I} (?:no longer|can no longer|can't|cannot|don't)(?: really)? (?:speak|understand|read|know|follow) {_LANGUAGE}{_NO_MORE}",
        rf"{_I} (?:no longer|can no longer) (?:speak|understand|read|know) {_LANGUAGE}",
        rf"(?:don't|do not|stop|please stop) (?:write|writing|talk|talking|answer|answering|reply|replying|speak|speaking)(?: to me)? in {_LANGUAGE}(?: any more)?[,;.]? (?:as )?I (?:don't|no longer|can't|can no longer) (?:understand|speak|read|follow)",
        rf"{_I} (?:can't|cannot|can no longer) (?:hold|follow|have|keep up) a conversation in {_LANGUAGE}",
        rf"my {_LANGUAGE} (?:is|has become|has got|has gotten|got) (?:too rusty|useless|hopeless|dead|non-existent)",
        ended=True,
    ),
    *_holds(
        "pets",
        Kind.FACT,
        "{subject} no longer has {value}",
        refine_animal,
        rf"{_I} (?:no longer|don't|do not)(?: even)? (?:have|own|keep) {_PET}",
        rf"{_I}(?:'ve| have)?(?: had to| finally| sadly| just)* (?:give|gave|given|giving) {_PET} (?:away|up|to )",
        rf"{_I}(?:'ve| have)?(?: had to| finally| sadly| just)* (?:rehome|rehomed|put down|lost|buried|gave away|give away|said goodbye to|say goodbye to|bury) {_PET}",
        rf"{_PET} (?:has |have |sadly |just )*(?:died|passed away|ran away|run away|found a new home|went to live with|moved in with|crossed the rainbow)",
        rf"{_PET} (?:is|are) (?:no longer (?:with us|ours|here|our pet|my pet)|gone|dead|not (?:with us|ours) any ?more)",
        rf"{_PET} (?:lives?|stays?) with [^,.;]{{2,40}} now\b",
        ended=True,
    ),
    *_holds(
        "tools",
        Kind.FACT,
        "{subject} no longer uses {value}",
        refine_product_name,
        rf"{_HAVE} (?:uninstalled|deleted|removed|ditched|dropped|abandoned|dumped|retired|quit|got rid of|moved away from|moved off|stopped using|given up on|gave up on|given up|gave up) {_NAMED}",
        rf"(?:no longer|never again|not)(?: going to| gonna)? (?:use|using|work with|working with|work in|rely on|relying on) {_NAMED}{_NOTHING_ELSE}",
        rf"{_I} (?:don't|do not|won't)(?: really)? (?:use|work with|work in|rely on|touch|open) {_NAMED}{_NO_MORE}{_NOTHING_ELSE}",
        rf"(?:{_HAVE} )?(?:cancelled|canceled|ended|terminated) (?:my|our|the) {_NAMED} (?:licen[cs]e|subscription|membership|plan|account|seat)",
        rf"{_AM} (?:done|finished|through) with {_NAMED}",
        rf"{_NAMED} (?:is|has been|was|got)(?: now| finally)* (?:uninstalled|no longer (?:one of my tools|installed|in use|something I use|on my)|not (?:one of my tools|installed|in use) any ?more|off my (?:machine|laptop|computer|phone))",
        ended=True,
    ),
    *_holds(
        "hobbies",
        Kind.PREFERENCE,
        "{subject} has given up {value}",
        refine_hobby,
        rf"{_I} (?:don't|do not) (?:do|play|practi[sc]e|go) {_THING}{_NO_MORE}",
        rf"{_I} no longer (?:do|play|practi[sc]e|go) {_THING}(?=[,.;!]|$| because| since)",
        rf"{_THING} (?:is|are) (?:no longer|not) (?:a hobby of mine|my hobby|one of my hobbies|something I do|a hobby)",
        r"no more (?P<value>[a-z]+(?: [a-z]+)?) for me",
        rf"I(?:'m| am) (?:no longer|not) (?:doing|playing|practi[sc]ing) {_THING}(?:{_NO_MORE}|(?=[,.;!]|$))",
        rf"sold (?:all )?(?:my|the) (?:\w+ )?(?:gear|equipment|kit|stuff|things|tools) for {_THING}(?=[,.;!]|$)",
        rf"{_HAVE} (?:stopped|quit|given up|gave up|packed in|retired from) (?:doing |playing |practi[sc]ing )?{_THING}(?= (?:because|since|after|due|last|this|for good|altogether|completely)\b|[,.;!]|$)",
        ended=True,
    ),
    *_holds(
        "likes",
        Kind.PREFERENCE,
        "{subject} no longer likes {value}",
        refine_thing,
        rf"(?:stop|don't|do not|no need to) (?:suggest|recommend|mention|offer|propose|bring up)(?:ing)?(?: me)? {_THING}(?: to me)?(?: any more)?[,;.]? (?:as |because |since )?I(?:'m| am)? (?:no longer|don't|not)",
        rf"{_I} no longer (?:really )?(?:like|love|enjoy|care for|care about|fancy|want|appreciate) {_THING}(?=[,.;!]|$)",
        rf"{_I} (?:don't|do not)(?: really)? (?:like|love|enjoy|care for|care about|fancy) {_THING}{_NO_MORE}",
        rf"{_AM} (?:over|fed up with|tired of|sick of|bored (?:with|of|by)|no longer (?:into|fond of|keen on|a fan of)|not (?:into|fond of|keen on) (?=.*any ?more)) ?{_THING}(?:{_NO_MORE}|(?=[,.;!]|$))",
        rf"{_HAVE} (?:gone off|went off|grown out of|outgrown|lost (?:my |all )?(?:interest in|taste for|love (?:of|for)|appetite for)|stopped (?:liking|loving|enjoying)|had enough of|fallen out of love with) {_THING}(?=[,.;!]|$)",
        rf"{_I} used to (?:really )?(?:like|love|enjoy|adore|be into|be fond of) {_THING},? (?:but )?(?:not|no longer|now I don't|that's over|it's over)",
        rf"{_THING} (?:doesn't|don't|does not|do not) (?:do it|do anything|work) for me{_NO_MORE}",
        rf"{_THING} (?:is|are) (?:no longer|not) (?:my thing|for me|something I (?:like|enjoy)|a favou?rite(?: of mine)?)",
        ended=True,
    ),
    *_holds(
        "likes",
        Kind.PREFERENCE,
        "{subject} {ended} {value}",
        refine_abstained,
        rf"{_I} (?:don't|do not)(?: really| even)? (?P<ended>drink|eat) {_THING}{_NO_MORE}",
        rf"{_I} no longer (?P<ended>drink|eat) {_THING}(?=[,.;!]|$| because| since)",
        rf"{_HAVE} (?P<ended>(?:stopped|quit|gave up) (?:drinking|eating)) {_THING}(?= (?:because|since|after|due|last|this|for good|altogether|completely)\b|[,.;!]|$)",
        ended=True,
    ),
)

_FOOD = (
    r"(?P<value>gluten|dairy|lactose|milk|cheese|eggs?|(?:pea|wal|tree )?nuts?|almonds|hazelnuts|soya?|shellfish|prawns|shrimp|seafood|fish|wheat|bread|"
    r"pork|beef|meat|sugar|alcohol|caffeine|coffee|spicy food|onions?|garlic|mushrooms|tomatoes|strawberries|grapefruit|sesame|kiwi|salt)(?![\w-])"
)

BEFORE_OTHERS = (
    *_holds(
        "allergies",
        Kind.FACT,
        "{subject} is allergic to {value}",
        refine_thing,
        rf"{_HAVE} (?:have |got |developed |had )?(?:an?|this|some sort of)(?: \w+)? allergy to {_THING}(?=[,.;!]|$| and (?:I|it)\b| since| so)",
        rf"(?:confirmed|told me|found out|turns out|discovered|learned|says|said|means|shows?|seems)(?: that)? I(?:'m| am) (?:\w+ )?allergic to {_THING}(?=[,.;!]|$| and\b| since| so)",
        rf"I (?:react|am reacting) (?:badly|allergically|strongly) to {_THING}(?=[,.;!]|$| and\b| since| so)",
        rf"{_THING} (?:gives?|makes?|brings?|causes?) me (?:hives|a rash|come out in|break out in|sneeze|itch|itchy|swell|an allergic)",
        rf"{_THING} makes? my (?:throat|lips|tongue|face|eyes|mouth|skin) (?:swell|close|itch|puff|tingle|water)",
        rf"I(?:'ve)? (?:get|got|had|have had|have) (?:hives|a rash|an allergic reaction|a bad reaction|an anaphylactic reaction|anaphylaxis) (?:from|to|after|on) {_THING}(?=[,.;!]|$| (?:once|before|last|when|as)\b)",
        rf"I(?:'ve)?(?: always)? (?:have|had|got|been diagnosed with|was diagnosed with) (?:an? )?(?:(?:severe|bad|serious|mild|nasty|slight) )?(?!(?:severe|bad|serious|mild|nasty|slight) ){_THING} allergy(?! to\b)",
        rf"(?:always been|deathly|seriously|badly|terribly|pretty|also) allergic to {_THING}(?=[,.;!]|$| (?:and|so|since|btw)\b)",
        rf"{_THING} (?:sets? off|triggers?) my allerg",
        rf"(?:no|keep|without|avoid|hold the|leave out(?: the)?) {_THING}(?: away from me| for me| please|,)*[,;:]? (?:because |since |as )?(?:I'm|I am) allergic",
        rf"I (?:break|come) out in (?:hives|a rash|spots) (?:from|when I eat|if I eat|after) {_THING}(?=[,.;!]|$)",
        rf"my allerg(?:y|ies)(?: is| are|:| include) {_THING}(?=[,.;!]|$)",
        rf"I (?:can't|cannot|mustn't|must not) (?:eat|have|touch|drink|be near|go near) {_THING}[,;:]? (?:because )?(?:of (?:an|my) allerg|I'm allergic|I am allergic|it's an allergy|allerg)",
    ),
    *_holds(
        "dietary_restrictions",
        Kind.FACT,
        "{subject} can't have {value}",
        refine_thing,
        rf"I (?:can't|cannot|can not|mustn't|must not|can never|am not allowed to) (?:have|eat|drink|tolerate|digest|do|touch) (?:any )?{_FOOD}(?=[,.;!]|$| (?:because|since|at all|any ?more|and|or|so|either)\b)",
    ),
    *_holds(
        "hobbies",
        Kind.PREFERENCE,
        "{possessive} hobby is {value}",
        refine_hobby,
        rf"{_AT_LEISURE},? (?:I|we)(?: usually| mostly| often| like to| love to| always)* do {_THING}(?=[,.;!]|$)",
    ),
    *_holds(
        "pets",
        Kind.FACT,
        "{subject} has {value}",
        refine_animal,
        rf"{_I}(?:'ve| have)?(?: just| recently| also| now)* (?:adopted|took in|taken in|rescued|got|gotten|bought) {_PET_BY_NAME}",
    ),
)
"""What somebody is allergic to is often an animal, and who does something has a name for it."""

HELD = (
    *_holds(
        "languages",
        Kind.FACT,
        "{subject} speaks {value}",
        refine_plain,
        rf"{_I}(?: also| even| both| still)* (?:can |could )?(?:also )?(?:speak|understand|read and write)(?: some| fluent| a bit of| a little| good| decent| basic)? {_LANGUAGE}",
        rf"(?:I'm|I am)(?: \w+)? (?:fluent|proficient|conversational|at home) in {_LANGUAGE}",
        rf"(?:besides|apart from|in addition to|next to) \w+,? I(?: also)? (?:know|speak|understand|have) {_LANGUAGE}",
        rf"I(?: also)? (?:know|picked up|learned|learnt|grew up (?:speaking|with)|was raised (?:in|speaking)) {_LANGUAGE}(?=[,.;!]|$| too| as well| well| at| from| and)",
        rf"{_LANGUAGE} is (?:one of my languages|a language I (?:speak|know)|one of the languages I|my (?:mother tongue|native language|first language|second language))",
        rf"you can (?:also )?(?:write|talk|speak|answer|reply)(?: to me)? in {_LANGUAGE}",
        rf"(?:at home|at work|with my \w+|in my family),? (?:we|I)(?: also| mostly| only| usually)* (?:speak|talk) {_LANGUAGE}",
        rf"my {_LANGUAGE} is (?:\w+ )?(?:good|fluent|decent|fine|solid|excellent|okay|ok|passable|not bad)",
        rf"I(?: can)? get by in {_LANGUAGE}",
        rf"(?:native|fluent) (?:speaker of )?{_LANGUAGE}(?: speaker)?",
    ),
    *_holds(
        "pets",
        Kind.FACT,
        "{subject} has {value}",
        refine_animal,
        rf"(?:my|our) (?:new )?pets? (?:is|are|include|includes)(?: called| named)? {_PET}",
        rf"{_PET} (?:lives?|is living) (?:with (?:us|me)|at our place|at home)",
        rf"{_I}(?:'ve| have)?(?: just| recently| also| now)* (?:adopted|took in|taken in|rescued|got|gotten|bought|own|keep|have|look after|welcomed) {_PET}",
        rf"(?:my|our) (?:household|family|home)(?: also| now)* (?:includes|has|counts) {_PET}",
        rf"(?:owner|human|parent) of {_PET}",
        rf"there(?:'s| is|'s also) {_PET} (?:at home|in (?:my|our)|who|waiting|that)",
        rf"{_PET}(?:,| is) (?:my|our) (?:new )?pet",
    ),
    *_holds(
        "tools",
        Kind.FACT,
        "{subject} uses {value}",
        refine_product_name,
        rf"{_NAMED} is (?:one of (?:my|our) (?:\w+ )?tools|in my (?:toolbox|toolkit)|part of my (?:toolbox|toolkit|setup|workflow)|a tool I use|what I use)",
        rf"{_I}(?: also| now| mostly| mainly| usually| always| still| do)* (?:use|rely on|depend on|swear by) {_NAMED}(?=[,.;!]|$| (?:for|every|at|all|daily|to|a lot|now|as|on|in|and)\b)",
        rf"{_I} do (?:a lot|most (?:things|of it|of my \w+)|everything|all (?:of )?my \w+|much|my \w+) (?:in|with|on) {_NAMED}",
        rf"{_HAVE} (?:started using|begun using|began using|set up|adopted|installed|signed up for) {_NAMED}(?=[,.;!]|$| (?:and|for|at|last|this|on|to|now)\b)",
        rf"(?:for|when) [^,.;]{{3,40}},? I(?: always| usually| mostly)? use {_NAMED}(?=[,.;!]|$)",
        rf"{_HAVE} been using {_NAMED}(?=[,.;!]|$| (?:for|since|a lot|daily|every)\b)",
        rf"{_I} keep (?:\w+ ){{0,3}}in {_NAMED}(?=[,.;!]|$)",
        rf"{_I} work in {_NAMED} (?:every day|all day|daily|a lot|most)",
        rf"{_NAMED} is (?:my (?:go-to|daily|main|favou?rite) (?:tool|app)?|what I work with|always open|open (?:all day|on my))",
        rf"(?:my|our) (?:\w+ )?(?:notes?|tasks?|files?|work|calendar|projects?|passwords?|designs?)(?: all)? (?:is|are|lives?|sits?) (?:all )?in {_NAMED}",
    ),
    *_holds(
        "hobbies",
        Kind.PREFERENCE,
        "{possessive} hobby is {value}",
        refine_hobby,
        rf"{_AT_LEISURE},? (?:I|we)(?: usually| mostly| often| like to| love to| always)* (?:do|play|practi[sc]e|go) {_THING}(?=[,.;!]|$)",
        rf"{_I}(?: usually| mostly| often)* (?:do|play|practi[sc]e|go) {_THING} {_AT_LEISURE}",
        rf"{_I}(?: usually| mostly| often)* spend (?:most|many|all|a lot|lots|much|half)?(?: of)?(?: (?:my|our|the|of))*(?: free| spare)? ?(?:weekends?|evenings?|sundays?|saturdays?|time) (?:on|with|doing|at) {_THING}(?=[,.;!]|$)",
        rf"{_THING} (?:is|are|has become|became)(?: now| also)* (?:one of (?:my|our) hobbies|a hobby of mine|(?:my|our) (?:new |main |favou?rite )?(?:hobby|pastime))",
        rf"{_HAVE} picked up {_THING}(?= as (?:a|my) (?:new )?hobby)",
        rf"{_HAVE} (?:taken|took) up {_THING}(?= as a hobby|[,.;!]|$| again| last| this| recently)",
        rf"outside (?:of )?(?:work|the office),? (?:it's|it is|I'm all about|I do|I'm into) {_THING}(?= for me|[,.;!]|$)",
        rf"{_HAVE} (?:got|gotten) (?:really )?into {_THING}(?=[,.;!]|$| lately| recently)",
        rf"(?:my|a) (?:new |main |other |latest )?hobby(?: of mine)?(?: is|:) {_THING}(?=[,.;!]|$)",
        rf"{_THING} keeps me busy",
        rf"I(?:'ve| have) been doing {_THING} (?:for|since) ",
    ),
    *_holds(
        "likes",
        Kind.PREFERENCE,
        "{subject} likes {value}",
        refine_thing,
        rf"{_HAVE} (?:discovered|found|noticed|realised|realized|found out|come to see)(?: that)? I(?: really| actually)? (?:like|love|enjoy|adore) {_THING}(?=[,.;!]|$)",
        rf"(?:one )?(?:thing|thing that) I(?: really| particularly| always)? (?:like|love|enjoy|adore)(?: a lot| very much| most| best)?(?:: ?| is | are |, ?){_THING}(?=[,.;!]|$)",
        rf"(?:make|making) me (?:very |really )?happy with {_THING}(?=[,.;!]|$)",
        rf"{_THING} (?:always |really )?(?:makes?|cheers?) (?:me (?:very |really )?happy|my day|me up)",
        rf"if [^,.;]{{3,60}}, (?:I'm|I am) (?:\w+ )?(?:fond of|into|keen on|a fan of|partial to) {_THING}(?=[,.;!]|$)",
        rf"{_AM} (?:a )?(?:keen on|partial to|crazy about|mad about|nuts about|a sucker for|hooked on|(?:great |huge |big )?lover of) {_THING}(?=[,.;!]|$)",
        rf"I (?:have|'ve got|have got) a (?:soft spot|weakness|thing|passion|love) for {_THING}(?=[,.;!]|$)",
        rf"I (?:can't|cannot|can never|could never) get enough of {_THING}(?=[,.;!]|$)",
        rf"{_THING} (?:is|are) (?:really |totally )?(?:my (?:thing|jam|cup of tea)|right up my (?:street|alley)|one of my favou?rite things|something I (?:really )?(?:like|love|enjoy))",
        rf"give me {_THING} any (?:day|time)",
        rf"(?:nothing beats|you can't go wrong with|I'm always up for|I am always up for) {_THING}(?= any (?:day|time)|[,.;!]|$)",
    ),
)
"""In the words of whoever has them: the more particular attribute first."""
