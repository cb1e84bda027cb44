"""What tells the kind of an English statement, of people and of agents; the first that fits does."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.rule import AGENT_SAYS, ANYONE_SAYS
from palimpsest_language.statements.kind_cue import CueCondition, KindCue, compile_any

RELATIVES = (
    r"(?:(?:mother|father|sister|brother|son|daughter)-in-law|wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|sons?|daughters?|kids?|child|children|baby|brothers?"
    r"|sisters?|mom|mum|mother|dad|father|parents|grand(?:ma|mother|pa|father|parents|son|daughter)|nan|nana|gran"
    r"|cousins?|aunt|auntie|uncle|niece|nephew|boss|manager|mentor|teacher|tutor|colleagues?|co-?workers?"
    r"|teammates?|best friend|friends?|roommate|flatmate|housemate|neighbou?rs?|landlord|landlady|doctor|dentist"
    r"|vet|therapist|in-laws|twin|ex|PI|supervisor|professor)"
)
PETS = (
    r"(?:dog|cat|puppy|kitten|parrot|hamster|rabbit|bunny|bird|budgie|fish|turtle|tortoise|horse|pony|snake|gecko"
    r"|guinea pig|hedgehog|ferret)s?"
)
_DEED = (
    r"(?:add|apply for|arrange|back up|book(?! club| fair| shop)|bring|buy|call|cancel|change|check|clean|collect|deliver|do|draft|drop off|email|fax"
    r"|file|finish|fix|get|hand in|invite|mail|make|message|order|pack|pay|phone|pick up|post|prepare|print|push"
    r"|register|renew|reply|return|review|ring|rotate|schedule|see|send|ship|sign|sort|submit|take|talk|tell|text|top up|transfer"
    r"|update|upload|visit|wash|water|write)"
)
_PRAISE = r"(?:helpful|useful|useless|wrong|perfect|great|spot on|confusing|outdated|too \w+|not what|exactly what)"
_THEIRS = r"(?:answers?|repl(?:y|ies)|responses?|explanations?|suggestions?|summar(?:y|ies)|code|advice|notes|drafts?|tone|edits?|version|intro(?:duction)?|paragraphs?|posts?|endings?|titles?|headlines?|lists?|plans?|images?|pictures?|charts?|diagrams?|translations?|articles?|slides?|messages|emails?|comments?|outline|recap)"
_CHOSEN = r"(?:decided|agreed|settled|chosen|chose|opted|picked(?! up| him| her| them))"
_HAPPENED = (
    r"(?:adopted|applied|arrived|attended|became|booked|bought|broke|came|celebrated|closed on|crashed|decided|died|fell"
    r"|finished|flew|gave|got|graduated|had|handed in|happened|hiked|hired|hurt|joined|landed|launched|left|lost|made"
    r"|married|met|moved|opened|passed|picked up|planted|played|promoted|published|quit|ran|released|resigned|returned"
    r"|saw|shipped|signed|sold|started|stopped|switched|took|travell?ed|turned|visited|watched|went|won|wrecked)"
)

TROUBLE = compile_any(
    r"\b(?:fail(?:s|ed|ing|ure)?|errors?|crash\w*|time[sd]? out|timeout|broken?|breaks|stuck|hangs?|hung|dies|died|exception|doesn't work|won't (?:start|build|run|load)|can't (?:connect|reach|build)|went wrong|keeps? \w+ing|blew up|out of memory)\b"
)
"""What somebody says when something went wrong."""
NEEDED = compile_any(
    r"\b(?:your|the|this|these|docker|environment|network|machine|project|commands?|builds?|runs?)\b.*\b(?:needs?|must|has to|have to|requires?|only works?)\b",
    r"\b(?:unless|without) .{3,}\b(?:fails?|breaks?|times? out|won't|can't)\b",
)
"""What an agent then says is needed."""

SIGNS = (
    KindCue(
        kind=Kind.CONTEXT,
        pattern=compile_any(
            r"\b(?:ran|running|run) into .*\b(?:problems?|issues?|errors?|trouble)\b|\b(?:thinking about|thinking of|considering) (?:changing|leaving|quitting|moving|switching|buying|going|getting|applying)\b"
        ),
    ),
    KindCue(
        kind=Kind.LESSON,
        pattern=compile_any(
            r"\bworth (?:keeping in mind|remembering|noting|writing down)\b|\bwould have (?:caught|prevented|avoided|saved)\b|\blessons? (?:for|to) (?:me|us|next time|everyone|all)\b|^(?:something|what|one thing|the thing) (?:I|we)(?:'ve| have)? learn(?:ed|t)\b|\b(?:every|each) \w+ (?:needs|must have|has to have)\b|\bnote to self\b(?!\W+(?:I )?(?:need|have|got|must|should|gotta)(?: to)? )|^(?:(?:the )?root cause|takeaway|take-away|moral|finding)s?:|\blessons? (?:learned|learnt|is|was|here|from)\b|\blessons?:|^lessons?\b(?! (?:at|with|on|every|plan))|\b(?:the|my|our|big|hard|valuable|main) lesson\b(?! (?:at|with|on|every|plan|in))|\blearn(?:ed|t) (?:that|the hard way|my lesson|to (?:always|never))",
            r"\bwhat (?:fixed|solved|helped|worked)\b|\bfixed it\b|\bthe (?:fix|trick|culprit|root cause|cause|workaround) (?:is|was)\b",
            r"\bfirst\b.*\bthen\b.*\b(?:works? best|best)\b|\bturn(?:s|ed) out\b|\bthe hard way\b|\brule of thumb\b",
            r"\b(?:needs?|must|always|never|first)\b.*\b(?:or|otherwise|or else|because otherwise)\b.*\b(?:breaks?|fails?|dies?|die|hangs?|crash(?:es)?|goes|is off|are off|won't|doesn't)\b",
        ),
        said_by=ANYONE_SAYS,
    ),
    KindCue(
        kind=Kind.ACTION_ITEM,
        pattern=compile_any(
            r"\b(?:remind|nudge|ping|poke|wake) me\b(?! (?:not|never) to)|\bdon't let me forget\b|\bset (?:me )?a reminder\b|\bput\b.*\bon (?:my|the) (?:list|to-?do)",
            r"\b(?:I|we)(?:'ve got| have| got| need| ought)? ?(?:to|gotta|must|should) (?:remember to )?(?!be\b|explain\b|live\b|deal\b|cope\b|wait\b|know\b|have\b|say\b|admit\b|think\b|go into\b)\w+",
            r"^(?:note to self\W+)?(?:I )?(?:still )?(?:need|have got|have|got|gotta|must|should)(?: to)? (?:remember to )?(?:buy|call|collect|pick|get|book|pay|send|finish|write|email|renew|order|return|clean|pack|print|register|sign|submit|fix|bring|make|prepare|check|ask|talk|text)\b",
            r"^(?:still |also |and |just )*(?:have|got|need|gotta)(?: got)? to (?!be\b|say\b|admit\b|think\b|wait\b|know\b|deal\b|cope\b|live\b|have\b|go into\b|explain\b|an?\b|the\b|my\b|some\b|no\b|it\b|that\b|this\b|\w+ed\b|\d)\w+|^(?:still |also |and |just )*gotta \w+",
            rf"^to-?dos?\b|^add .{{3,}} to (?:the|my|our) (?:\w+ )?list\b|\bstill (?:have|need) to\b|\bI (?:must|should|gotta) {_DEED}\b|^don't forget\b|\btick (?:that|it|this)(?: one)? off\b|\bcross (?:that|it)(?: one)? off\b",
        ),
    ),
    KindCue(
        kind=Kind.EVENT,
        pattern=compile_any(
            r"\b(?:my|our|an?|the) (?:[\w-]+ ){0,3}?(?:exam|test|flight|train|trip|wedding|concert|interview|recital|surgery|operation|birthday|marathon|race|presentation|talk|viva|graduation|holiday|vacation|anniversary)\b",
            r"\b(?:wedding|birthday|anniversary|funeral|concert|graduation|flight|christening)\b",
            r"\b(?:booked|reserved) (?:the|a|an|our|my|us)\b",
            r"\b(?:change|code|hiring|spending) freeze\b|\b(?:maintenance|downtime|closure|shutdown|outage) (?:on|from|till|until|is)\b",
        ),
        needs=CueCondition.COMING,
    ),
    KindCue(
        kind=Kind.ACTION_ITEM,
        pattern=compile_any(
            rf"^(?:please |pls |and |also |add: ?|then )*(?:can|could|would|will) you\b|^(?:please |pls |add: ?|then )*(?:(?:just|quickly|also|kindly|maybe|first|next|finally|now|still|gotta|must|should|to|\w+ly|(?-i:[A-Z])\w+,) )?{_DEED}\b(?! (?:is|was|are|were)\b)",
            r"^(?:it |this |that |which )?needs? to be \w+ed\b|^[\w' -]{3,30} to be (?:booked|paid|done|sent|filed|renewed|ordered|collected|submitted|fixed|picked up)\b|^(?:it |that |which )?has (?:got )?to (?:come|go|be|get)\b|\bneeds? (?:the|an?|my|our|your|their) .*\bby\b|\bI want .+ (?:done|running|ready|live|up|fixed|finished|shipped|merged|deployed|in place)\b|^(?!I'|we').{3,40} (?:on|in) (?:staging|production|prod|main|the store) by\b",
            r"^(?!.*\b(?:not sure|don't know|no idea|unsure)\b).*\b(?:I'll|I will|we'll|we will|let me|I'm going to (?-i:[a-z])|I've got to|I need (?!to|you|help|a break)\w+)\b",
            r"^(?!.*\b(?:is|was|are|were|will|they|he|she|it|we|I)\b)(?:\w[\w.'-]* ){1,8}by (?:the |this |next )?(?:end of|mon|tues|wednes|thurs|fri|satur|sun|tomorrow|tonight|\d)",
            r"\b(?:appointment|deadline|due|dentist|check-?up|jabs?|vaccination|delivery|pick-?up)\b",
        ),
        needs=CueCondition.COMING,
    ),
    KindCue(
        kind=Kind.ACTION_ITEM,
        pattern=compile_any(
            r"\b(?:I'll|I will|we'll|I can (?!not)\w+)\b|\bwill (?:be|have|send|come|arrive|go out|deliver|land)\b",
            rf"^(?:to [^,]{{3,30}}, )?(?:please )?{_DEED}\b|\bis due\b|^(?:\w+ ){{1,3}}(?:up|out|in|ready|done|live|merged|fixed|on staging) by\b",
        ),
        needs=CueCondition.COMING,
        said_by=AGENT_SAYS,
    ),
    KindCue(
        kind=Kind.FEEDBACK,
        pattern=compile_any(
            rf"\byour (?:\w+ ){{0,3}}?{_THEIRS}\b|\b(?:the|this|that|last|that last) {_THEIRS} (?:missed|left out|forgot|ignored|got|was|were|is|are|reads?|sounds?|feels?)\b|^(?:that|this|it)(?: last (?:one|answer))?(?:'s| was| is) (?:really |exactly |so |not )*{_PRAISE}",
            r"^you(?:'re| are)? (?:keep|always|never|forgot|missed|got (?:it|that)|didn't|ignored|made|misread|misunderstood)\b",
            r"^(?:please |pls )?(?:stop|quit) (?:\w+ing|it|that|the|with)\b|\b(?:just|please|pls) let me (?!know|see|check|think|ask|have)\w+|\b(?:pls|please) no \w+|\bwrite (?:how|like|as if|as though)\b|\bnext time\b(?! I\b| we\b)",
            r"^(?:good|great|nice|lovely|excellent|brilliant|amazing) (?:job|work|answer|summary)\b",
        ),
    ),
    KindCue(
        kind=Kind.DECISION,
        pattern=compile_any(
            r"\b(?:we|we've|we have|team|everyone)(?: have| all| just| finally)? (?:decided|agreed|settled|chose)\b(?! (?:on|at|when|how)? ?(?:yet|nothing))"
        ),
    ),
    KindCue(
        kind=Kind.PREFERENCE,
        pattern=compile_any(
            r"(?<!'d )(?<!would )(?<!looks )(?<!look )(?<!feels )(?<!feel )(?<!sounds )(?<!sound )(?<!seems )(?<!tastes )(?<!things )(?<!people )(?<!something )(?<!anything )\b(?<!be )(?<!is )(?<!was )(?<!'s )(?:like(?! (?:(?:it|he|she|they|there)(?:'s| is| was|'d| had)\b|an? (?:idiot|fool|maniac|baby|king|log|charm|dream|champ|boss|kid)|crazy|mad|hell|always|usual|everyone))|love|hate|prefer|enjoy|adore|detest|dislike|loathe)(?:s|d)?\b(?! to know| an? (?:answer|reply))|\b(?:'d|would) (?:prefer|rather)\b|\bcan(?:'t|not) stand\b",
            r"\bfavou?rite\b|\b(?:fan|fond|tired|sick) of\b|\binto\b(?= \w+ing| [a-z]+$)|\bnot for me\b|\bnot my thing\b|\bmy (?:usual|go-to)\b",
            r"^(?:please |pls )?not (?:via|with|by|through|from|before|after|on) \w+",
            r"^(?!(?-i:[A-Z])[a-z]+ is (?:fine|ok(?:ay)?)$).*\b(?:is|are) (?:still )?(?:fine|ok(?:ay)?|allowed|off limits|a must)\b|\bput(?:s)? me to sleep\b|\b(?:rather|ideally|at most|no more than|preferably|as long as)\b|\b(?:learn|work|sleep|think|focus)s? best\b|\bI want the\b",
            r"^(?:please |pls |and |for [^,:]+[,:]? )*(?:always|never|don't|do not|avoid|no(?! (?:thanks?|idea|problem|worries|need|way|one|rush|clue|proof|luck|doubt|wonder|chance|kids|pets|then|no|it|that|not|I|we|she|he|\w+ (?:last|yet|today|tonight|tomorrow|so far|this|since|left))\b))\b(?! mind| worry| know| think| forget| (?:\w+ )?(?:it|that|this|them)\b(?! (?:as|in|with|to|by)\b)| count me| you dare)",
            r"^(?:please )?(?:write|use|put|spell|format|give|show|name|call|keep) .{3,40},? (?:not|never|instead of|rather than) \w+(?: \w+)?$",
            r"\bkeep (?:it|them|(?:your|the|all) \w+) \w+|\bmake (?:it|them) (?:short|brief|concise|simple)|^[\w .+#'-]{2,40} (?:please|pls)\b|^\w+(?:[ -]\w+)?,? not \w+|\bfrom now on\b|^for (?:both|all|each) of you\b",
            r"\b(?:I|we|she|he|they)(?:'m| am)? (?:only|never|always|usually|mostly|hardly|rarely|no longer|don't|do not|stopped|quit|gave up|'ve stopped) (?:ever |really )?(?:eat|drink|buy|wear|watch|smok|cook)\w*",
            r"\b(?:I|we)(?:'ve| have)? (?:cut out|cut (?:down|back) on|sworn? off|went off|gone off|(?:gave|given) up|dropped the (?:coffee|sugar|meat|dairy|alcohol|beer|wine|gluten|caffeine|soda|cigarettes)|quit (?:coffee|sugar|meat|dairy|alcohol|gluten|caffeine|soda|smoking|drinking))\b|^(?!just\b|if\b|not\b|I\b|it|he\b|she\b|we\b|they\b|the\b|there\b|is\b)[\w -]{2,25} only(?: (?:now|these days|for me))?$",
            r"^(?:and |so |please |pls |ok |yes |just )*(?:only|use|answer(?: me)?|reply(?: to me)?|write(?: to me)?|talk to me|speak|text me|ring me|call me|keep (?:it|them|everything)) (?!it$|that$|this$)(?:in |with |by |to )?\w.{2,40}$(?<!\?)|^(?:[\w-]+ )?(?:charts?|tables?|bullets?|prose|metric|imperial|pounds|feet|celsius|fahrenheit|inches|kilos)\b(?:,)? (?:not|no|and not|rather than|instead of) \w+|^\d+ (?:lines?|words?|bullets?|sentences?|pages?|points?) (?:max|tops|at most)|^(?:one|two|three|half a|a single) (?:page|line|paragraph|screen|sentence)s?(?: max| tops| only)?(?:$|,)|\b(?:big|large|small|plain) (?:type|print|letters|text|english)(?:$|,)|^(?!(?:agreed|settled|decided)\b).*\b(?:spelling|units?|casing|title case|dates?|commas|quotes|grammar) (?:throughout|only|always|everywhere)\b|\bfrom (?:here|now) on(?:wards?)?\b",
            r"\b(?:stopped|quit|gave up|given up) (?:eating|drinking|using|smoking|buying|watching|reading|taking)\b|\bkeep using\b|\bI'm not (?:big|keen)\b|^I (?:never|hardly ever|rarely|seldom) (?!thought|knew|saw|heard|went|had|got|said|did|been|meant)\w+(?<!ed)\b|\bI don't (?:need|want|mind)\b",
        ),
    ),
    KindCue(
        kind=Kind.DECISION,
        pattern=compile_any(
            rf"\b(?:we|I|team|everyone|we've|I've|we're|I'm)\b.*\b{_CHOSEN}\b|\b(?:going|sticking|staying|went|go) with\b(?! (?:me|us|him|her|them|my|our|his|a friend|friends|family|the kids|you)\b)|^(?!what|how|as\b|so\b|that['’]s)[\w.+#'-]+(?: [\w.+#'-]+){{0,3}} (?:it is|it'll be)$|^(?:agreed|I agree|settled(?: then)?|decided)\b[ ,:;—-]+(?!with|but|that|then$)\w.{{5,}}",
            r"^(?:let's|let us) (?:go|use|keep|stick|drop|do|make|switch|move|skip|ship|stay|leave|turn|disable|enable|remove|add|merge|deploy|split|rename|upgrade|pin|set|put|store|replace|revert|roll|cap|limit|target)\b|^(?:scrap|drop|kill|skip|cut|postpone|cancel) (?:the|it|that)\b|^(?:scrap|ditch) \w+",
            r"(?<!there )\bwe(?:'ll| will|'re| are)? (?:ship|go|use|keep|stick|stay|switch|dropp?|postpone|cancell?|renew)(?:ing)?\b(?! to the| there| every| on | by )|^we (?:add|build|do|fix|start with|begin with|focus on|leave|ignore) .{2,40}\b(?:first|next|later|last|for now|instead)$|^keep (?:the|our|that|those) [\w-]+(?: [\w-]+)?$|\bI(?:'ll| will|'m| am) (?:keep|stick|stay|switch|drop|cancel|renew)(?:ing)?\b|\bnot (?:moving|dropping|doing|changing|switching|going)\b(?! (?:that|it|this)\b)",
            r"^(?:ok |so |good |right |fine |yes |then )*(?!\b(?:what|how|why|who|where|see|till|until|by|since|back|I|and)\b)(?:\w[\w.'-]* ){1,8}then$|^then (?!I\b|we\b|he\b|she\b|they\b|it\b|you\b|there\b|again\b|the\b|what\b)(?:\w+ ){1,5}(?:it is|tops|max|only|at most)$|\b(?:is|are|'s|'re) (?:out|dropped|scrapped|gone for good|off the (?:table|list|menu))$|\bwe (?:won't|will not|aren't going to|are not going to) (?!know|see|be able|need|have|get|say)\w+|^(?:ok |so |and |please |then |just )*(?:drop|skip|ignore|exclude|leave out|delete|remove|scrap|keep|check|charge) (?:only )?(?:those|these|all|every|the|on)\b (?!\w+$(?<!s))\w+|\bit (?:stays|remains)\b|^instead,? (?:we|I)(?:'ll)? (?!was|were|had|got)\w+",
            r"^(?:new |my |our |the |house )+(?:rule|policy)(?: is)?:? \w+ \w+|(?<!to )\bstays?\b(?! with| at| in\b| over| here| there| home| up| for)|\bthe plan is\b|\bfinal (?:answer|decision)[:,] \w|\bis off$|\bcalled (?:it )?off\b",
        ),
    ),
    KindCue(
        kind=Kind.DECISION,
        pattern=compile_any(
            r"\b(?:milestone|deadline|launch|release|go-live|cut-off) (?:is|will be)\b.*\d|\bI(?:'ve| have)? (?:now |just |also )?(?:raised|lowered|set|bumped|increased|reduced|cut|extended|changed)\b.*\bto\b"
        ),
        needs=CueCondition.NUMBER,
        said_by=AGENT_SAYS,
    ),
    KindCue(
        kind=Kind.DECISION,
        pattern=compile_any(
            r"^(?:then |so |ok,? )?(?:it's |that's |it is )?(?:agreed|decided|settled)[:,]|^(?:then |so )?(?:the|our|a|new) (?:new )?rule(?: for [\w ]+)?(?: is)?:|^(?:agreed|decision|decided|settled|final|resolved|updated|so the plan)\b.{8,}|\bthe question is closed\b|\bstays?\b|\bgo(?:es)? to a\b|\bmoves? to the\b",
            r"\bwe(?:'ll| will) (?:go|use|keep|ship|stick)\b|^so (?:the|we)\b",
        ),
        said_by=AGENT_SAYS,
    ),
    KindCue(
        kind=Kind.GOAL,
        pattern=compile_any(
            r"\b(?:goal|target|dream|resolution|ambition)s?\b(?= is|'s| for| this)|\b(?:want|wanna|hope|hoping|plan|plans|planning|aim|aiming|intend|aspire)(?: to| for| on)\b",
            r"\b(?:I'd|I would|we'd) (?:like|love) to\b|\b(?:saving(?: up)?|training|studying|preparing) for\b|\bgoing (?:freelance|vegan|back to)\b",
            r"\b(?:I'm|we're|I am|we are) (?:going to (?-i:[a-z])|planning|looking to)\b|\bneed a new\b|\blooking for\b|\bdreaming of\b|\bdead set on\b",
        ),
    ),
    KindCue(
        kind=Kind.EVENT,
        pattern=compile_any(
            rf"\b(?:I|we|I've|we've|he|she|they|she's|he's|they've|it)\b(?: \w+){{0,2}} {_HAPPENED}\b|^{_HAPPENED}\b|\b[A-Z]\w+ {_HAPPENED}\b",
        ),
        needs=CueCondition.PAST,
    ),
    KindCue(
        kind=Kind.EVENT,
        pattern=compile_any(
            r"\b(?:got|getting) (?:married|engaged|divorced|promoted|laid off|hired|a job|the job)\b|\bgraduated\b|\bhanded in\b|\bgave (?:my )?notice\b"
            r"|\bhad a baby\b|\bbroke (?:my|his|her|up)\b|\bpassed (?:my|the|away)\b|\bpassed\b.*\b(?:exam|test)\b|\bin hospital\b|\bgave birth\b|\bshipped\b|\blaunched\b|\bmov(?:ed|ing) (?:in|out)\b",
        ),
    ),
    KindCue(
        kind=Kind.EVENT,
        pattern=compile_any(
            r"\b(?:I'm|we're|he's|she's|they're|is|are) (?:\w+ )?(?!having|being|feeling|doing|staying|living|working|using|learning|reading|studying)[a-z]{3,}ing\b|\b(?:is|are|'s|'re) (?:on|at|in|the)\b|\boff to\b|\b(?:start|starts|begin|begins|travel|fly|flies|leave|leaves|move|moves|arrive|arrives|comes|visits|open|opens|have|has|go|goes|head|get|gets|turn|turns|wants?)\b"
            r"|\b(?:starting|travelling|traveling|flying|leaving|moving|arriving|going|visiting|coming|meeting|seeing|having|getting|hosting)\b|\b(?:trip|flight|wedding|concert|exam|conference|meeting|party|birthday|surgery|holiday|marathon|recital|launch)\b",
        ),
        needs=CueCondition.COMING,
    ),
    KindCue(
        kind=Kind.PERSON,
        pattern=compile_any(
            rf"\b(?:my|our|his|her) (?:\w+ ){{0,2}}?(?:{RELATIVES}|{PETS})\b|\b(?:is|was|are) (?:my|our) {RELATIVES}\b"
        ),
    ),
    KindCue(
        kind=Kind.CONCLUSION,
        pattern=compile_any(
            r"\bconclu(?:sion|ded)\b|\bmeasured\b|\bthe cause\b|\b(?:breaks?|fails?|crash(?:es)?|hangs?|stutters?|leaks?|times out|flickers?|slows down) (?:on|with|when|if|for|under|after|in|at)\b|\b(?:main|biggest|real|only) (?:reason|cause|problem|complaint|blocker|risk|bottleneck)\b|\b(?:\d+|two|three|four|five|six|seven|eight|nine|half|most|none|all) (?:out )?of (?:the )?(?:\d+|five|six|eight|ten|twelve|twenty|them|users|people|participants|customers|respondents)\b|\b(?:root )?cause (?:is|was)\b|\bbecause\b|\bdue to\b|\bin the (?:data|last round|survey|logs|tests?)\b|\bI(?:'ve| have)?(?: just| also)? (?:reproduced|measured|profiled|benchmarked|tested|traced|verified|confirmed|counted)\b|\bI saw (?:it|that|this) (?:on|in|with)\b",
        ),
        said_by=AGENT_SAYS,
    ),
    KindCue(
        kind=Kind.CONCLUSION,
        pattern=compile_any(
            r"^(?!I'll|I will|I'd|I can|I could|we could|you\b|your\b|please|let\b|let's|should|could|would|if\b|want|shall|do\b|set\b|use\b|try\b|maybe|perhaps|first\b|next\b|then\b|also\b|add\b|keep\b|say\b|good\b|great|nice|happy|congrat|well done|here\b|a few\b|a little\b|as you know|yes\b|no\b|in \w+ \w+$|about \d+ (?:min|hour|day)|one way|for example).*(?:\b(?:is|are|was|were|has|have|had|went|came|leaves?|left|gone?|stays?|stayed|jump(?:s|ed)|slipped|lost|gained|found|shows?|says?|gives?|gave|counts?|covers?|covered|runs?|ran|pass(?:es|ed)|ended|starts?|started|only|down|up|times|share|ratio|rate|median|total)\b|: )",
        ),
        needs=CueCondition.NUMBER,
        said_by=AGENT_SAYS,
    ),
    KindCue(
        kind=Kind.CONCLUSION,
        pattern=compile_any(
            r"^my (?:reading|read|take|guess|hunch|best guess)(?: is)?\b|^(?:I )?found (?:it|the|that|\d)|\bI (?:found|checked|looked|split|compared|went through|dug|matched|cross-checked)\b|\bwhat (?:they|these|those) (?:share|have in common)\b|\bthat fits\b|\bit turns out\b|\b(?:shows?|had|has|have|finds?|found|is|was) no (?:measurable |clear |real |visible |significant )?(?:effect|link|difference|correlation|sign|change|pattern)\b|\bpoints? (?:at|to) the\b|\b(?:expired|counted twice|booked as|filtered out|overwritten|out of sync|double-counted|mislabell?ed|miscounted|truncated|duplicated)\b|\b(?:almost all|nearly all|most|the (?:whole|entire) (?:drop|rise|gap|difference)) (?:is|are|of it|comes?|in)\b",
        ),
        said_by=AGENT_SAYS,
    ),
    KindCue(
        kind=Kind.CONCLUSION,
        pattern=compile_any(
            r"\b(?:rose|fell|dropped|grew|increased|decreased|climbed|halved|doubled|takes?|took|costs?|holds?|adds?|saves?|recorded|moved|rejected|mention(?:ed)?|average|per cent|of the|out of|\d+ of \d+)\b|%",
        ),
        needs=CueCondition.NUMBER,
        said_by=AGENT_SAYS,
    ),
)
