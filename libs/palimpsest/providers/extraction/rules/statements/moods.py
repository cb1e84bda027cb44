"""Clauses that state nothing: questions, requests, suppositions, hearsay, dreams, and small talk."""

import re

from palimpsest.domain.writing import has_chinese
from palimpsest.providers.extraction.rules.sentences import split
from palimpsest.providers.extraction.rules.statements.sign import any_of

_ENGLISH_QUESTION = any_of(
    r"^(?!(?:when|where)\b.*, )(?!what (?:I|we)\b.* (?:is|was) )(?:what|why|how|who|whose|where|when|which)\b(?! (?:fixed|solved|helped|worked|I (?:need|want|like|love|learn)|a (?:relief|day)))",
    r"^(?:do|does|did|is|are|was|were|can|could|would|will|should|shall|have|has|am) (?:you|I|we|he|she|they|it|this|that|there|the|my|your|one|anyone)\b",
    r"^(?:any (?:idea|thoughts|chance)|thoughts on|so remember|remember (?:how|when|that|the)|tell me|guess what|let me ask)\b",
    r"^remind me (?:not|never) to\b",
    r"^(?:so |ok )?(?:we|I) need to (?:decide|agree|settle|discuss|figure out|talk about)\b",
)
_ENGLISH_REQUEST = any_of(
    r"^(?:please |pls |just |now |then |and |ok |maybe )*(?:(?:can|could|would|will) (?:you|someone|anyone)|help me|I need (?:you|help)|I'd like (?:you|an?|some|to (?:see|know|hear|ask)))\b",
    r"^(?!.*\b(?:every|each|daily|weekly|mostly|usually|a lot of|twice|once a|on \w+days)\b)(?:please |pls |just |now |then |and |quick )*(?:make|run|write|show|tell|give|translate|check|explain|find|trim|scaffold|summari[sz]e|look|list|create|draft|generate|compare|open|read|rewrite|fix|try"
    r"|suggest|recommend|search|convert|update|send|put|add|do(?! you\b)|go(?! stays?\b)|wait|hold|see|let's (?:see|try|start|begin|talk|look|say)|imagine|think|thinking|talk|sort|format|shorten|redo|answer|delete|remove|calculate|describe|to-do sweep)\b",
)
_CHINESE_QUESTION = any_of(
    r"[吗么嘛]$|呢$|(?<!没)什么(?!都|也|的$)|(?<![不没])怎么(?!都|也|样都)|为啥|(?<![没有])啥(?!都|也|的$)|[\u4e00-\u9fff]{2}不$|咋|(?<![任无不])谁(?!都|也)|哪(?!怕|都|里都)|多少(?!都)|(?<![这那前后好十过没近头有隔每再等两])几(?:[点个天时号颗家条本次岁层张月年度米斤克瓶台块]|分钟|公里)|多(?:远|大|长|久|高|重|贵|快)$|(?P<again>[\u4e00-\u9fff])不(?P=again)|算.{1,8}还是|是不是|要不要|能不能|有没有|可不可以|行不行|好不好|靠谱吗",
    r"(?:今天|现在|一起|大家).{0,4}(?:定|讨论|商量|聊)(?:一下|下来|聊)吧?$",
)
_INDIRECT_QUESTION = re.compile(
    r"(?:还没|没有?|不确定|不知道)(?:想好|决定好?|定好?|考虑好)?[^，。,；]{0,6}?(?P<open>[\u4e00-\u9fff])不(?P=open)$|"
    r"(?<![你您帮不])(?:先|得|必须|一定|应该|记得|最好|再|要|就|去|都)+(?:看|确认|检查|弄清|搞清|问|想|考虑|试|测|核对|验证|了解|判断|评估|查)"
    r"(?:看|清楚|清|一下|好|明白|过)?[^，。,；]{0,10}?"
    r"(?:(?P<again>[\u4e00-\u9fff])不(?P=again)|是不是|能不能|有没有|可不可以|会不会|要不要)(?!.*[吗呢么]$)"
)
"""先看…够不够: what has to be found out is asked of nobody here."""
_WANTS_TO_LEARN = re.compile(r"^我?(?:一直|还|也|很)?想(?:学|试|练)(?!.*[吗么呢]$)")
"""想学怎么做: what is asked there is what somebody wants to know one day."""
_COMPLAINS = re.compile(
    r"^你(?:怎么|咋)(?:又|还|老是?|总是?|一直)|^你?(?:能不能|可不可以|可以|能)(?:别|不要)(?:再|老|总|动不动)"
    r"|^你?(?:别|不要).{3,}(?:行不行|行吗|好不好|好吗|可以吗)$"
)
"""你怎么又用感叹号: no answer is wanted."""
_REMIND_ME = re.compile(
    r"^(?:remind|ping|nudge|wake|poke) me\b(?! (?:not|never) to)", re.IGNORECASE
)
_TO_BE_REMINDED = re.compile(r"提醒我(?!.*[吗么呢]$)")
"""提醒我查查是谁改的: what is to be found out then is asked of nobody now."""
_CHINESE_REQUEST = any_of(
    r"^(?:顺便|那|就|再|先|然后|哦|嗯|好|你|麻烦你?|请你?|能)*(?:帮(?:我|忙)|给我(?!妈|爸)|看[下看一]|查[下查一]|推荐|翻译|写[一二两三四五六七八九十几0-9]*[个首段篇封份句条行]|讲[讲个一]|[说谈聊]{2}|说一下?|算[下一]|规划|整理[下一]|总结[下一]|解释|列[个一出]|画[个一]|生成|跟你说|跟你讲|问[下一]|聊|大家|想(?:整理|问|请|让你|聊|了解|知道)|记[一下]|等[下一]|听说你)",
    r"帮我.{1,10}吧?$",
    r"^(?:(?![他她]|[妈爸哥姐弟妹]|老[公婆板]|同事|朋友|室友|媳妇|上[次回]|每)[^，,]){0,10}(?<!不用)(?<![别要])帮(?:我们?|忙)(?!.*[了过](?:$|[，,]))(?!.*的$)",
    r"^[^，,]{0,10}(?<![我他她])[说谈聊](?P<twice>[说谈聊])[^，,]{0,8}(?:看法|想法|意见|建议|思路|进展|情况)",
    r"^(?!加[班入盟]|发[烧现布版呆福育]|来自|等[于级]|讲[师座究]|说[法服粤]|写[代作]|画[画展家]|改名|给(?:公司|客户|甲方|别人|人)|.*(?:每[天周月年晚次]|平时|一般|经常))(?:等|换|说|写|给|改(?=[短长简得正口一])|删|加|来|发|画|列|讲|随便|继续|重新|再|去掉)(?!了|过|完|成)[^了过都别]{0,12}(?:去掉)?$",
)

_TEXT_TASK = any_of(
    r"\b(?:translate|proofread|polish|rewrite|rephrase|reword|paraphrase|summari[sz]e|shorten|correct|edit|continue|finish|role-?play|pretend|act as|make (?:this|it|the following) (?:sound|more|less|shorter|friendlier|nicer|clearer)|fix (?:the|my) (?:grammar|spelling)|check (?:the|my|this) (?:grammar|spelling|text)|improve this|write (?:me )?an? (?:story|poem|song|letter|tweet|caption|speech|joke|dialogue|scene|script|essay|cover letter))\b(?!.*\b(?:always|never|from now on)\b)",
    r"改(?:得|成).{0,6}(?:礼貌|正式|委婉|口语|简洁|通顺|短|长)|翻译|翻成|译成|润色|改写|校对|续写|仿写|扩写|缩写|造句|写[一二两三四五六七八九十几0-9]*[个首段篇封份句条行](?!了)|编(?:一?[个段])|读后感|作文|扮演|假装|角色扮演|玩(?:个|一个)?游戏|接龙|这段话|这句话|下面(?:这|的)|以下(?:这|的|内容)|原文",
)
"""Work on a text: what follows is the text."""
_QUOTED = re.compile(r"[:：]\s*[\"“「『](?P<passage>[^\"”」』]{24,}|[\u4e00-\u9fff][^\"”」』]{8,})")
_ASKS_FOR_HELP = re.compile(r"帮我|帮忙|麻烦你?|请你?")
_ASKS_FOR_TEXT = any_of(
    r"\b(?:paste|send|share|show) (?:it|me|the|your|that)\b|\bgo ahead\b|发(?:过来|给?我|来)|贴(?:过来|上来|一下|出来)|请(?:发|贴|提供)|把.{0,8}(?:发|贴)"
)

_ENGLISH_SUPPOSITION = any_of(
    r"^(?:\W|so |and |but |or |well |ok )*(?:if|suppose|supposing|imagine|pretend|say|what if|assuming|unless|maybe|perhaps|hypothetically|in theory)\b",
    r"\b(?:would(?:'ve| have)|could(?:'ve| have)|might|would love it if|wish|dream(?:ed|t)|in my dream|hypothetically|just (?:wondering|kidding|joking|curious)|was wondering)\b|\bsometimes (?:I|we) (?:think|wonder|feel like)\b",
    r"\b(?:I'd|we'd|I would|we would)\b(?! (?:like|love|rather|prefer|say|always|never|been))",
)
_CHINESE_SUPPOSITION = any_of(
    r"如果|(?<!一定)(?<!必须)(?<!都)要是|假如|假设|万一|倘若|梦见|做梦|梦到|幻想|瞎想|开(?:个)?玩笑|逗你|说着玩|骗你|也许|或许|说不定|犹豫|考虑要不要|想象|搞不好|没准|可能会|大概会|会不会",
)
_TURNS_BACK = any_of(
    r"^(?:but|however|in reality|actually|seriously|still)\b", r"^(?:但是?|不过|可是|其实|现实)"
)
"""Behind a supposition: what is said now is meant."""

_ENGLISH_HEARSAY = any_of(
    r"\b(?<!you )(?<!I )(?:say|says|said|saying|think|thinks|thought|claims?|claimed|reckons?|believes?|mentioned|told (?:me|us|everyone)|telling (?:me|us|everyone)|goes(?= like\b|\s*[:,“\"])|went like|keeps? saying|heard|read(?= (?:that|about|somewhere|online|in an?)\b)|apparently|rumou?r|according to)\b(?! goodbye| no\b| yes\b)",
)
_DOCTORS = re.compile(
    r"^(?:(?:my|the|our|his|her) )?(?:doc|doctor|GP|dentist|vet|nurse|therapist|physio|midwife|cardiologist|dermatologist|(?:blood |allergy |hearing |eye |MRI )?(?:tests?|results?|scan|x-ray))\b.*\b(?:said|says?|told me|wants me|thinks)\b.*\b(?:I|my|to|he|she|his|her)\b|^(?:医生|大夫|牙医|兽医)(?:说|让|建议)",
    re.IGNORECASE,
)
"""What they say of somebody's health is known to be so."""
_CHINESE_HEARSAY = any_of(
    r"(?:他|她|人家|同事|朋友|老板|领导|妈|爸|老伴|老婆|老公|媳妇|[哥姐弟妹爷奶公婆舅姑姨]|儿子|女儿|室友|邻居|别人|网上|有人|大家|人人|据|听)(?:们)?(?:老|总|一直|还|都|也|到处|跟人|跟别人|逢人|就|在背后|非)*(?:说|讲|觉得|认为|以为|劝|传)(?!好|定|过要|下来|出去)|听说|据说|传闻|传言|别听[他她人谁]|没有的事|没这回事|瞎传|瞎说|乱说",
)
_BY_SPEAKER = any_of(
    r"^(?:I|we)\b(?!.*\b(?:heard|read)\b)",
    r"^(?:我|我们)(?!听说|的?(?:[妈爸哥姐弟妹爷奶]|老[婆公板]|同事|室友|朋友|领导|女|男|儿子|闺女|媳妇|对象))",
)

_WEATHER = (
    r"^(?:(?:what|such|it's|it is|an?|the|really|very|so|quite|another) )*(?:(?:nice|lovely|beautiful|great|gorgeous|sunny|fine|awful|horrible|terrible|miserable|grim|rainy) (?:weather|day|morning|evening|afternoon)|weather)"
    r"(?:(?:'s| is| was| has been)(?: (?:so|really|very|quite|pretty|too|just))* (?!warning|app|station)\w+)?(?:,? (?:today|out|outside|here|there|again|now|at last|this morning|isn't it|innit|huh|eh))*$"
)
_SOON_OVER = (
    r"^(?:(?:my|the|our|next) )?(?:shift|class|meeting|call|lesson|bus|train|break|lunch|movie|film|game|show|lecture|it|match) "
    r"(?:starts?|begins?|is|leaves|ends?|finishes) in (?:an?|half an|a few|five|ten|fifteen|twenty|two|three|\d+) ?(?:hours?|minutes?|mins?)$"
)
_NEARLY = r"^(?:I|we)(?: (?:just|literally|totally|actually|also))* (?:nearly|almost) (?!every|always|never|all\b)\w+(?!.*(?:\d|(?-i: [A-Z])))"
_COMES_TO = r"^(?:that|it|this)(?:'ll| will| would|'d) be (?:like |about |around |roughly )?[£$€]?\d[\w., ]{0,20}$"

_ENGLISH_SMALL_TALK = any_of(
    _WEATHER,
    _SOON_OVER,
    _NEARLY,
    _COMES_TO,
    r"^(?:I|we) (?:dunno|(?:kind of |sort of |just )?feel like (?:something|it|this|everything))\b|^(?:he|she|they) (?:always |often )?(?:says?|said) (?:that|this|it|so)\b",
    r"^(?:I|we)(?:'m| am)?(?: just| really| also| keep)* (?:forgetting|know|guess|think|mean|see(?! (?:an?|the|my|our|him|her|them|\w+ (?:on|every|once|twice))\b)|wonder|suppose|agree|understand|get it|was (?:just )?wondering|forgot|hear you|sorry|glad|sure|(?:back|here|done|good)(?! (?:at|in|with (?!it|that|this)|on|from|for|to) ?\w)|fine|ok|okay|kidding|joking)\b",
    r"^(?:looks|sounds|seems|feels|leave (?:it|that)|(?:either|both|whatever|anything) (?:is|are|works?)|here we go|as you (?:like|wish)|your call|up to you)\b",
    r"^(?:that|this|it|those|these)(?!.*(?:\d|(?-i: [A-Z])))(?:'s|'re| is| was| are| were| sounds?| looks?| works?| makes?| would| will)? (?!me\b)\S*(?: \S+){0,4}$",
    r"^(?:I|we) (?:said|told you)\b",
    r"^(?:(?:two|three|a few|a couple of|couple of|some) (?:things?|notes?|questions?|changes?)|brain dump|not gonna lie|happy new year|no idea|no worries|no problem|way too|(?:not bad[ ,]*)+$|go on|go ahead|got it|will do|all (?:noted|good|set)|good (?:morning|night|evening|luck)|have a|see you|talk soon|I'?m off(?! on| sick| work| until| from| to))\b",
    r"^(?:(?:I|we)(?:'ve)? )?(?:just |finally )?(?:found|got|solved|fixed|saw|see|tried|did) (?:it|that|this)(?:,? (?:thanks|thank you|now|already|thx))?$",
    r"^(?:I|we) (?:don't|do not|didn't|did not|can't|cannot) (?:buy|believe|care|mind|remember|recall)(?: (?:it|that|this|so|about it))?$|^(?:just |only |so |pretty |a bit )*(?:tired|sleepy|bored|hungry|exhausted|busy|stressed)$",
    r"^(?:no|nah|nope),? (?:thank|need|worries|rush)\b|^(?:no|nah|nope),? (?:that|it|this)(?:'s| is| was)\b|^(?:I(?:'ve)? )?changed my mind\b|^(?:and |so )?there (?:we|you|I|it) (?:go|goes)\b|^(?:I|we)(?:'m| am|'re| are| was| were| had been|'d been|'ve been)? (?:halfway|fall(?:ing)? asleep|fell asleep|thinking|wondering|dreading|out there|still waiting|over the moon|on it|in bits|done for)\b|^(?:I|we)(?:'ve| have| had)? (?:got )?no (?:proof|time|energy|words|choice|patience|regrets|complaints)\b|^you(?:'ve| have) (?:got )?(?:the|a|an|it|me|us)\b|^(?P<again>\w+)(?: (?P=again))+$|^(?:I|we) (?:write|wrote|am writing) (?:this|that|it)\b|\bgot back to (?:me|us)$|^(?:first|second|third|fourth|last) time (?:now|today|this)\b|\bbe to god\b|^[\w ]{3,40} attached$",
    r"\bthis (?:morning|week|today) (?:was|is) (?:\w+ ){0,2}(?:rubbish|awful|great|good|bad|long|tough)\b|^today was\b|\bnot even\b",
)
_OF_NOTHING = any_of(
    _WEATHER,
    r"^(?:I|we) (?:really |just |kind of |totally |absolutely )*(?:(?:don't|do not|didn't|can't|cannot|won't) )?(?:buy|believe|care|mind|like|love|hate|want|prefer|enjoy)(?:d|s)?(?: (?:it|that|this|so|them|one|those|both))?$",
    r"^(?:not bad[ ,]*)+$|^(?:no|not) (?:really|thanks|at all)$|^(?:love|like|hate|loved|liked) (?:it|that|this)$",
    r"^(?:听起来|看起来|好像|感觉)(?:还|挺|很|也)?(?:不错|可以|好吃|有意思|好)(?:的|啊|呢)?$",
    r"^(?:反正)?我?(?:也|都|挺|还是|反正)*不?(?:太|怎么|是很)?(?:信|喜欢|爱|想要|在意)(?:它|这个|那个|这些)?[的了啊]?$",
)
_CHINESE_SMALL_TALK = any_of(
    r"^(?=.)[哦哈]*(?:(?:好|嗯|噢|行|对|是|可以|收到|明白|了解|没事|没问题|谢|辛苦|困|累|饿|早|晚安|再见|拜|完了|天哪|救命|笑死|气死|吓死|无语|算了|搞定|说一下|那个|记一下|忘了|没办法|长知识|没有没有|在吗|不急|慢慢来|还好|先这样|就这样|知道了|懂了|没错|真的|厉害|牛|等下|呃等下|先不用|怪不得|难怪|我靠|卧槽|天啊|妈呀|好家伙|绝了)[的了啊呀吧呢哈嘿滴哦~～\s]*)*$",
    r"^(?:哈哈|嘿嘿|呵呵|嗯嗯|哎|唉|呜)+.{0,3}$|^你(?:说|觉得|知道|看)|^我(?:说的|看(?:挺|还|不)|懂了|知道|明白|试试|看看|想想|再想)|^是(?:我|他|她).{1,5}的$|^(?:也|就)?是(?:这么|这样|那么|那样)(?:打算|想|计划|安排|说|觉得)的?$|^(?:那|还是|就)*算了|^(?:今天|明天|本周|这周|这次)?要(?:干|做|办|买|带|准备)的(?:事|事情|东西)?$|(?:今天|这次|本次)?要有(?:结论|结果)$|得(?:想哭|要命|不行了)$|^(?:没什么|没啥|没事)(?:了|大事|事)?(?: ?就是.{0,6})?$|就是?想?(?:来)?(?:吐槽|聊聊|说说|发泄)(?:一下|两句)?$|^(?:这|那|他|她|它|房东|老板|领导|公司|客户|同事|天气|生活|自己|今天)?(?:们)?(?:也|又)?(?:真|太|好|超|可|挺|够|有点)(?:的|是)?[\u4e00-\u9fff]{1,3}[了啊的呀吧]?$|真的会谢|^(?:我|又|突然|还是|已经|现在)*改变?(?:主意|想法|决定)(?:了|啦|咯)?$|^.{0,4}(?:栓Q|绷不住了?|裂开了?|破防了?|麻了|emo了?)$|^(?:今天)?(?:这)?天气?.{0,6}(?:太|真|好|够).{1,5}$|^(?:今[天儿早晚]|外[面头]|这几天|这两天|最近|这边|这里|的)*(?:天气?|太阳|阳光|空气)(?:真|很|挺|还|也|太|好|够|可|蛮|有点|是|非常)*(?:不错|不好|好|热|冷|晴|闷|凉快?|舒服|暖和|差|糟).{0,2}$|^你?(?:就)?(?:给我|帮我|替我)?(?:记|列|加|建|设)(?:一?个|一下)?(?:待办|提醒|日程|清单)$|^[^我]{0,6}(?:脸|人|整个人)都(?:绿|麻|傻|懵|黑|呆)了$|^.{0,8}(?:笑死|气死|笑醒|累死|困死|烦死).{0,10}$|(?:都|也|总是?|老是?)这么(?:说|讲|想)|^(?:听起来|看起来|(?:今[天晚]|今儿)?(?:就|先)到这|(?:好|我|真)?(?:累|困|饿)了.{0,6}先|不好意思|这个不好)",
)


_SECRET_NAMED = any_of(
    r"\b(?:wi-?fi|network) (?:pass|key|code)\b|\bpass\b(?= is\b|:)|\b(?:pass(?:word|code|phrase|port)s?|pwd|pw|log-?ins?|credentials?|(?:api|secret|private|access|licen[cs]e|recovery|master|ssh) keys?|tokens?|secrets?|pin|cvv|cvc|iban|ssn"
    r"|social security|(?:door|gate|alarm|entry|access|security|garage|lock|safe|house|building|backup|recovery|verification|log-?in|key) (?:code|combination|combo)s?|combination|(?:card|account|id|routing|licen[cs]e|insurance) (?:number|no\.?)|credit card|debit card)\b",
    r"密码|口令|身份证|银行卡|信用卡|卡号|护照|密钥|秘钥|私钥|验证码|门禁码|开门码|账号|帐号|助记词|安全码|社保号|驾照号|保险箱|锁的?码|解锁码|暗号",
)
_SECRET_ITSELF = re.compile(
    r"\d{4,}|(?<!\S)(?:(?=\S*\d)(?=\S*[A-Za-z])\S{6,}|(?=\S*[A-Za-z\d])\S*[!@#$%^&*?_+=~]\S{2,})|[\u4e00-\u9fff][A-Za-z\d]{4,}"
)
_SECRET_TOLD = re.compile(
    rf"(?:{_SECRET_NAMED.pattern})\s*(?:is|are|was|[:：=]|是|为)\s*(?!(?:on|in|at|under|behind|expired|wrong|too|not|for)\b)\S*[\dA-Za-z]",
    re.IGNORECASE,
)
_LOOKS_SECRET = re.compile(
    r"(?<!\S)(?=\S*\d)(?=\S*[A-Za-z])(?=\S*[!@#$%^&*?~])[^\s/:=]{8,}(?!\S)"
    r"|(?<![A-Za-z0-9])(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|npm|hf)[-_](?=[\w-]*\d)[\w-]{8,}"
)
"""The second part: keys, by how those who hand them out begin them."""


_ACKNOWLEDGEMENT = any_of(
    r"^\W*(?:ok(?:ay)?|got it|noted|understood|sure|done|will do|of course|great|thanks|all noted|it's (?:down|in|set|saved|noted|booked)\b(?= |$|:)|down:|absolutely|certainly|happy to|i(?:'ll| will) (?:remember|keep|note|remind|ping|nudge|poke)|i've noted|fair|(?:trimmed|moved|changed|cancelled|canceled|added|saved|set|updated(?!:)|removed|deleted|exported|rescheduled|booked|sent|replaced|rewritten|renamed|switched|ticked|scheduled|logged|dropped it))\b",
    r"^\W*(?:mon|tues|wednes|thurs|fri|satur|sun)day\b[^.:]{0,24}(?:\d ?[ap]\.?m\b|\d:\d\d|noon|\bat \d{1,2}\b)[.,:]* ",
    r"^\W*(?:(?:the |your )?(?:reminder|alarm|event|appointment|task|surgery|meeting|dentist|call)s? (?:is |are |has been )?(?:set|added|saved|moved|booked|cancelled|updated)|updated: .*(?:\bday\b|day\b|\d ?[ap]m\b))",
    r"^\W*(?:好(?:的|呀|啊|滴)?|明白|收到|没问题|记住了|记下了|知道了|了解|可以|当然|嗯|行|已经?(?:更新|记|改|按|删|加|设)|记[好住下]|抱歉|对不起|是的|不客气|搬家辛苦)",
)
_OFFERS = any_of(
    r"^(?:I|we) (?:can|could|would|may|might|will|'ll)(?: also| certainly| gladly)? (?:offer|help|assist|arrange|apply|refund|issue|waive|send you|give you|set you|look into|show you|walk you)\b",
    r"^(?:我|我们|这边)?(?:可以|能|会|将|来)(?:先|再|马上|立即)?(?:为|帮|给|替)(?:您|你)|^(?:您|你)可以|^(?:如果|若)?需要(?:的话)?(?:我|您|你)",
)
"""What an agent could do, if one liked."""
_EXPLAINS = any_of(
    r"^because\b|\b(?:chance of (?:rain|snow)|forecast|degrees outside)\b|^因为|降水|气温|天气预报|多云|晴转"
)
_ADVISES = any_of(
    r"\b(?:would|might|may|should) (?:help|be better|do (?:you|him|her|them) good)\b",
    r"(?:会|能)(?:更|比较)?(?:好些|好一?点|好很多|舒服|轻松|有帮助)|比较(?:好|稳妥)$|(?:更|最)好$",
)
_WISHES_WELL = any_of(
    r"^(?:真是|真(?:不容易|好|棒|厉害|有|会|的(?:很|太|是))|太|多么|好(?:有|厉害|棒|贴心|温馨)|不愧|难怪|怪不得|哇|听起来|恭喜|祝)(?!.*\d)",
    r"^(?:也|平时|一定|千万|还是)*(?:要|得)?(?:记得|别忘了?|注意(?!到)|多|少|按时|定期)(?!.*\d).*(?:吃药|服药|休息|喝水|血压|血糖|身体|保暖|睡|吃饭|运动|锻炼|复查|熬夜|饮食|添衣|穿|安全|健康|放松|拉伸|体检)",
)
_FOUND_OUT = any_of(
    r"\b(?:lesson|conclusion|cause|caused by|reason|note|found|measured|ran|tested|checked|logs?|data|rows?|runs?|results?|reproduced|won|in total|compared|turns out|root|culprit)\b|\d ?(?:%|ms|MB|GB)",
    r"教训|结论|经验|原因|注意|坑|查[到了出]|[看跑测试]了|发现|实测|日志|数据|结果|多半|复现|压测|对比|\d ?(?:%|ms|MB|GB|毫秒)",
)
_KEPT_OF_ACKNOWLEDGEMENT = any_of(
    r"\b(?:lesson|decision|conclusion|agreed)\b|\bI'll\b.*\bby\b",
    r"教训|结论|决定|里程碑|定[为在]|(?:那就|就)(?:这么)?定了|敲定|拍板|前(?:给|提|交|准备|完成)|由.{1,12}(?:准备|负责)",
    r"^(?!.*(?:已|提醒|帮你|为你|给你))(?:.{0,8}，)?(?:今晚|明[天早晚]|后天|下?周[一二三四五六日天末]|\d+ ?[号日]|月底).{0,10}(?:给|交|提|出|修|上线|搞定|发|完成|弄好|压测|合并|验证|部署|测完|改完|写完|补完)",
)


class Standing:
    """Follows the clauses of one message: what was supposed is followed by what would follow."""

    def __init__(self) -> None:
        self._sentence = ""
        self._supposing = False
        self.material = False
        """What follows in the message is a text to work on."""
        self.secret_named = False
        """From then on, what looks like one in the message is."""

    def is_supposed(self, text: str, sentence: str, *, chinese: bool) -> bool:
        """Whether the clause is part of a supposition that its sentence has begun."""
        if sentence != self._sentence:
            self._sentence, self._supposing = sentence, False
        pattern = _CHINESE_SUPPOSITION if chinese else _ENGLISH_SUPPOSITION
        if _TURNS_BACK.search(text):
            self._supposing = False
        if pattern.search(text):
            self._supposing = True
        return self._supposing


def names_secret(text: str) -> bool:
    return _SECRET_NAMED.search(text) is not None


def is_secret(text: str, *, named: bool) -> bool:
    """What may be a secret, though no rule of privacy has told it, by its looks.

    `named`: the name of one stands beside it, and much looks like one then.
    """
    if _LOOKS_SECRET.search(text) or _SECRET_TOLD.search(text):
        return True
    return named and _SECRET_ITSELF.search(text) is not None


def is_acknowledgement(sentence: str, text: str) -> bool:
    """An agent says again what it was told."""
    if _KEPT_OF_ACKNOWLEDGEMENT.search(text):
        return False
    return _ACKNOWLEDGEMENT.search(sentence) is not None


def is_question(text: str, *, chinese: bool) -> bool:
    if not chinese:
        return bool(_ENGLISH_QUESTION.search(text))
    if _WANTS_TO_LEARN.search(text) or _COMPLAINS.search(text) or _TO_BE_REMINDED.search(text):
        return False
    return bool(_CHINESE_QUESTION.search(_INDIRECT_QUESTION.sub("", text)))


def ends_by_asking(text: str) -> bool:
    """Whether the last thing a message says is a question or a request, with a mark or without."""
    last = next(reversed(split(text)), "").rstrip("?？!！。. ")
    chinese = has_chinese(last)
    marked = text.rstrip().endswith(("?", "？"))
    return marked or is_question(last, chinese=chinese) or is_request(last, chinese=chinese)


def is_request(text: str, *, chinese: bool) -> bool:
    """Something for the agent to do now; with a time to come it may be a todo all the same."""
    return bool((_CHINESE_REQUEST if chinese else _ENGLISH_REQUEST).search(text))


def is_to_be_reminded(text: str) -> bool:
    """Asked for politely or not: "remind me at 7 for her first dose?"."""
    return _REMIND_ME.search(text) is not None


def explains(text: str) -> bool:
    """What an agent knows of the world, told because somebody asked."""
    return _EXPLAINS.search(text) is not None


def advises(text: str) -> bool:
    """前一晚早点睡会好些: what would do somebody good."""
    return _ADVISES.search(text) is not None


def is_wellwishing(text: str) -> bool:
    """记得按时吃药, 真是分工明确的一家人: what an agent says to be kind, with no figure in it."""
    return _WISHES_WELL.search(text) is not None


def found_out(text: str) -> bool:
    """By looking, counting or measuring, or marked as what matters of an answer."""
    return _FOUND_OUT.search(text) is not None


def offers(text: str) -> bool:
    """An agent says what it could do."""
    return _OFFERS.search(text) is not None


def asks_for_help(text: str, *, chinese: bool) -> bool:
    """Wherever in the words the agent is asked: 下面这段帮我改一下."""
    return is_request(text, chinese=chinese) or _ASKS_FOR_HELP.search(text) is not None


def is_text_task(text: str) -> bool:
    """Work on a text is asked for."""
    return _TEXT_TASK.search(text) is not None


def passage_quoted_in(text: str) -> str:
    """A mail, a notice, an advertisement in quotation marks: others' words, whatever they say."""
    match = _QUOTED.search(text)
    return match["passage"] if match else ""


def asks_for_text(text: str) -> bool:
    return _ASKS_FOR_TEXT.search(text) is not None


def is_hearsay(text: str, *, chinese: bool) -> bool:
    """What others say or think, not what the speaker does."""
    if _BY_SPEAKER.search(text) or _DOCTORS.search(text):
        return False
    return bool((_CHINESE_HEARSAY if chinese else _ENGLISH_HEARSAY).search(text))


_AGENDA = re.compile(
    r"要有?(?:个)?(?:结论|结果|说法)$|^(?:今天|明天|本周|这周|这次)?要(?:干|做|办|买|带|准备)的(?:事情?|东西)?$"
)


def is_agenda(text: str) -> bool:
    """What is to be talked about, and not yet what was said of it: 今天要有结论."""
    return _AGENDA.search(text) is not None


def is_of_nothing(text: str) -> bool:
    """A taste for what only the talk itself could name: "I don't buy it"."""
    return _OF_NOTHING.search(text) is not None


def is_small_talk(text: str, *, chinese: bool) -> bool:
    return bool((_CHINESE_SMALL_TALK if chinese else _ENGLISH_SMALL_TALK).search(text))
