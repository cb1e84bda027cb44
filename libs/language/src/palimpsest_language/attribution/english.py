"""What English statements are about, by their topics."""

import re

from palimpsest.model.kinds import Kind
from palimpsest_language.attribution import english_names as names
from palimpsest_language.attribution.attribute_topic import TopicLanguage, join_alternatives
from palimpsest_language.attribution.english_home_and_work import PLACES_AND_WORK
from palimpsest_language.attribution.english_patterns import (
    BE,
    FRESH,
    MODEL,
    NAME,
    NO_NAME,
    NOW,
    PERSON,
    PHONE_MODEL,
    build_own_topic,
    build_topic,
    compile_names,
    compile_phrase,
    list_technology_names,
)
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

TOPICS = (
    *PLACES_AND_WORK,
    build_topic(
        "car",
        Kind.FACT,
        r"car|cars|drive|drives|driving|wheel|wheels|garage|parked|driveway|commute|mileage|fuel|suv|hatchback|sedan|"
        r"estate|lease|leasing|traded|vehicle|ride|trunk|boot|engine|tank|miles|my|bought|own|got|behind|keys|picked up|ev|hybrid|electric|petrol|diesel|gas|highway|motorway|seats|switched|upgraded|new|automobile|four wheels|road",
        compile_names(names.CAR_MAKES, MODEL),
    ),
    build_topic(
        "phone",
        Kind.FACT,
        r"phone|mobile|handset|cell|call|calls|text|texting|texts|camera|photos?|upgraded|switched|got|bought|use|using|carry|"
        r"carrying|pocket|sim|typing|sent|my|rocking|screen|daily driver|battery|on",
        compile_names(names.PHONES, PHONE_MODEL),
    ),
    build_topic(
        "bank",
        Kind.FACT,
        r"bank|banks|banked|banking|account|accounts|salary|paycheck|wages|savings|money|deposit|deposits|debit card|"
        r"direct debits?|finances|current account|checking|branch|switched|moved|opened|changed",
        compile_names(names.BANKS),
        compile_phrase(
            rf"(?:my|our){FRESH} (?:bank|account|main account|checking account|current account|savings|money|salary|paycheck)"
            rf"(?:{BE}| (?:goes|lives|sits|lands|arrives|go|live|sit|went|moved)){NOW}(?: (?:with|at|in|into|to|over to|held (?:at|with)))? {NAME}"
        ),
        compile_phrase(
            rf"(?:account|accounts|money|banking|finances|savings)(?: (?:over|across|everything))? (?:with|at|to) {NAME}"
        ),
        compile_phrase(
            rf"{NAME}(?:{BE}{NOW} (?:my|our|the){FRESH} bank| (?:holds|has|keeps|handles|looks after) (?:my|our|all my) (?:money|savings|account|accounts|finances))"
        ),
    ),
    build_topic(
        "gym",
        Kind.FACT,
        r"gym|gyms|work out|working out|workouts?|train|training|trains|lift|lifting|membership|exercise|weights|squats?|"
        r"deadlifts?|fitness|sweat|treadmill|cardio|reps|spin|classes",
        compile_names(names.GYMS),
        LazyPattern(
            rf"(?<![\w’'-])(?P<value>{NO_NAME}[A-Z][\w&’'-]*(?: {NO_NAME}[A-Z0-9][\w&’'-]*){{0,2}} (?:Gym|Fitness|Athletics|Barbell|Strength|Health Club|Leisure Centre|Leisure Center|Sports Club|Wellness|CrossFit|Boxing|Climbing))(?![\w-])"
        ),
        compile_phrase(
            rf"(?:work(?:ing)? out|workouts?|train(?:ing)?|lift(?:ing)?(?: weights)?|exercis(?:e|ing)|sweat(?:ing)?|squats?|deadlifts?|(?:gym |fitness )?membership|member|member of|signed up|gym is|gym['’]s|gym)"
            rf"{NOW}(?: (?:\w+ times a week|every (?:day|morning|evening)|after work|before work|over|mostly|out))*(?: (?:at|with|to|in|of|over at)){NOW} (?:the )?{NAME}"
        ),
        compile_phrase(
            rf"{NAME}(?:{BE}{NOW})? (?:is )?where I{NOW} (?:work out|train|lift|exercise|sweat|go to lift|squat)"
        ),
        compile_phrase(rf"my{FRESH} {NAME} (?:gym )?membership"),
        compile_phrase(rf"(?:my|our){FRESH} gym{BE}{NOW}(?: called)? {NAME}"),
        compile_phrase(rf"{NAME}{BE}{NOW} (?:my|our|the){FRESH} gym"),
    ),
    build_topic(
        "partner",
        Kind.PERSON,
        r"partner|girlfriend|boyfriend|other half|better half|significant other|dating|seeing|relationship|couple|"
        r"together with|engaged|fianc[eé]e?|in love|love of my life|going out|sweetheart|romantic(?:ally)?|single no more|taken|date|anniversary|soulmate|my girl|my guy|my man|proposed|official|moved in|and I|& I|in my life|love life",
        compile_phrase(
            rf"(?:dating|seeing|going out with|in a relationship with|together with|engaged to|a couple with|in love with|involved with|living with my (?:partner|girlfriend|boyfriend),?){NOW}(?: (?:a \w+ (?:called|named)|someone (?:called|named)|someone new,?|somebody (?:called|named)))? {PERSON}"
        ),
        compile_phrase(
            rf"(?:my|our){FRESH} (?:partner|girlfriend|boyfriend|other half|better half|significant other|fianc[eé]e?|sweetheart|soulmate|girl|guy|man|love)(?:{BE}{NOW}(?: (?:called|named))?|['’]s name is|,)? {PERSON}"
        ),
        compile_phrase(
            rf"{PERSON}(?:,)?(?: (?:and|&) I (?:are|went|made it|moved in|got|have been|['’]ve been){NOW} (?:a couple|together|dating|going out|engaged|in a relationship|an item|official|engaged|seeing each other)"
            rf"|(?:{BE}{NOW} |, )(?:my|the){FRESH} (?:partner|girlfriend|boyfriend|other half|better half|significant other|fianc[eé]e?|love of my life|one I['’]m (?:dating|seeing)|person I['’]m (?:dating|seeing)))"
        ),
    ),
    *(
        build_topic(
            attribute,
            Kind.PREFERENCE,
            rf"main|mainly|primary|primarily|mostly|most of|almost everything|nearly everything|everything|day[- ]to[- ]day|daily|go-to|default|by default|first choice|"
            rf"preferred|prefer|favou?rite|of choice|number one|weapon|bread and butter|my days|all my|{nouns}",
            compile_phrase(
                rf"(?:main|mainly|primary|primarily|mostly|most of|everything|day[- ]to[- ]day|daily|go-to|default|first choice|preferred|prefer|favou?rite|of choice|"
                rf"number one|weapon|bread and butter|my days|all my (?:\w+ )?(?:code|work|projects?))\b[^.;!]{{0,40}}?(?<![\w.+#-])(?P<value>{join_alternatives(technologies)})(?![\w+#-]|\.\w)"
            ),
            compile_phrase(
                rf"(?P<value>{join_alternatives(technologies)})(?![\w+#-]|\.\w)[^.;!]{{0,40}}?(?<![\w-])(?:main|mainly|primary|primarily|mostly|everything|day[- ]to[- ]day|daily|go-to|default|"
                rf"first choice|preferred|favou?rite|of choice|number one|bread and butter|my days)\b"
            ),
        )
        for attribute, nouns, technologies in (
            ("preferred_language", "language|languages", list_technology_names("language")),
            (
                "preferred_framework",
                "framework|frontend|front end|front-end|ui",
                list_technology_names("framework"),
            ),
        )
    ),
    build_own_topic(
        "favorite_cuisine",
        Kind.PREFERENCE,
        r"favou?rites?|go-to|number one|no\. ?1|#1|top|nothing beats|beats|above all|best|most|first choice|every time|"
        r"over anything|hands down|obsessed|can['’]t (?:get enough|beat)|all-time|any day|comfort food",
        compile_names(names.KITCHENS),
    ),
    build_topic(
        "diet",
        Kind.FACT,
        join_alternatives(names.DIETS),
        LazyPattern(
            rf"(?<![\w’'-])(?P<value>{join_alternatives(names.DIETS)})(?=\s?(?:$|[,.;:!()–—-](?!\w)|(?:diet|lifestyle|eating|eater|way|life|thing|now|these|for|since|again|at|and|but|because|this|after|before|"
            r"household|all|except|only|today|from|until|as|so|with|on|again|approach|regime|plan|phase)\b))(?! (?:diet|lifestyle) (?:groups?|books?|class|coach|blog|club))",
            re.IGNORECASE,
        ),
        compile_phrase(
            rf"(?:I['’]m|I am|I['’]ve been|I have been|I['’]ve|I have|I|we|we['’]re)(?:{NOW}| (?:gone|went|go|turned|became|become|being|been|fully|strictly|eat|eating|follow|following|stick to|sticking to|"
            rf"switched to|moved to|do|doing|started|trying|try|back to|back on|on|living|cook|adopted|keep to|committed to|a|an|the|some|all|mostly))+ (?P<value>{join_alternatives(names.DIETS)})"
            rf"(?! (?:restaurants?|places?|caf[eé]s?|recipes?|cheeses?|foods?|options?|leather|cakes?|friends?|burgers?|cookbooks?|bakery|shop|dish|meal kit))(?=$|[^\w-])"
        ),
        compile_phrase(
            rf"(?:my|our){FRESH} (?:diet|way of eating|eating style|eating habits?|meals|eating|plate|food)(?:{BE}| went| turned| became){NOW}(?: (?:strictly|fully|all|based on|a|an|the))* (?P<value>{join_alternatives(names.DIETS)})(?=$|[^\w-])"
        ),
        compile_phrase(
            rf"(?:^|[,;.] ?)(?:(?:gone|went|going|turned|back (?:to|on)|on|eating|strictly|fully|switched to|now|still)(?: (?:on|a|an|the|fully|eating|strictly))* )(?P<value>{join_alternatives(names.DIETS)})(?=$|[^\w-])"
        ),
        compile_phrase(
            rf"(?P<value>{join_alternatives(names.DIETS)})(?: (?:diet|lifestyle|eating|way of eating))?(?:{BE}{NOW} (?:how I eat|what I eat|my diet|the way I eat|my thing|my way of eating)| (?:has|have) (?:been|become) my)"
        ),
    ),
)

_RELATIVES = (
    r"wife|husband|son|daughter|brother|sister|mom|mum|mother|dad|father|parents|grand\w+|cousin|aunt|uncle|boss|"
    r"manager|colleague|coworker|friend|friends|roommate|flatmate|neighbou?r|teacher|kids?|children|in-laws"
)

ENGLISH = TopicLanguage(
    topics=TOPICS,
    vetoes=re.compile(
        r"\?|\b(?:if|would|could|might|may(?= \w)|maybe|perhaps|probably|want|wants|wanted|wanna|wish|wishes|hope|hoping|considering|"
        r"consider|thinking (?:of|about)|tempted|plan(?:s|ning)? (?:to|on)|going to|gonna|will|won['’]t|about to|should|suppose|imagine|"
        r"dream\w*|almost|nearly|applied|applying|interview\w*|test[- ]dr\w+|rent(?:ed|al|s|ing) (?:a|an|car)|borrow\w*|years ago|back then|"
        r"back when|as a (?:kid|child|student|teenager)|grew up|growing up|in (?:college|school)|on (?:vacation|holiday)|trip|visit\w*|weekend in|"
        r"tourist|he|she|his|hers|their|your|someone else|stocks?|shares|movie|novel|ad|advert|commercial|advertis\w+|game)\b"
        rf"|['’](?:ll|d)\b|\b(?:my|our) (?:{_RELATIVES})\b",
        re.IGNORECASE,
    ),
    left_before=re.compile(
        r"(?:\b(?:not(?! only)|never|no longer|no more|nor|neither|cannot|without|stopped)|n['’]t)\b.*$"
        r"|\b(?:from|instead of|rather than|than|old|former|formerly|ex|previous|previously|used to|gave up|quit|left|"
        r"leaving|ditched|dropped|sold|traded(?: in)?|replac(?:ed|es|ing)|(?<!nothing )(?:beats?|beaten)|overt(?:ook|aken|akes)|dethron\w+|ahead of|better than|outranks?|trumps|tops|swapped|goodbye to|bye|done with|parted (?:ways )?with|broke up with|"
        r"split (?:up )?with|after(?: \w+)? years|closed|cancell?ed|out with|enough of|over|another|like|unlike|besides|once|was|were|had|until)"
        r"\b(?: (?!to\b|for\b|with\b|into\b|now\b|and\b|but\b)[\w’'-]+){0,3} ?$",
        re.IGNORECASE,
    ),
    left_behind=re.compile(
        r"^(?:['’]s)?(?: \w+)? (?:is|was|got|has been|had been) (?:gone|sold|history|dead|replaced|over|stolen|closed|totall?ed|broken|my (?:old|former|ex|previous)|the past)"
        r"|^ (?:is|are)? ?(?:out|gone|history|behind me)\b|^ (?:has|had) (?:been|had)|^ (?:used to|no more|is no more|is no longer|was my|was our|went to the|before\b|until\b|years\b|and I (?:broke|split))|^ ?(?:->|→)|^ (?:restaurant|place|dealer\w*|friend|neighbou?r|team|match|concert|conference)\b",
        re.IGNORECASE,
    ),
    holds_now=re.compile(
        r"\b(?:now|these days|nowadays|currently|lately|at the moment|since|from now on|today|has (?:taken|become|won|stolen))\b",
        re.IGNORECASE,
    ),
    about_speaker=re.compile(
        r"(?<![\w'’])(?:I|my|me|mine|myself|we|our|us)(?![\w-])|\b(?:new|now|these days|nowadays|currently|switched|moved|back|finally|changed|joined|upgraded|home)\b"
        r"|^(?:left|quit|got|just|went|sold|bought|started|signed|picked|traded|opened|gone|turned|proud|happily|working|driving|living)\b",
        re.IGNORECASE,
    ),
)
