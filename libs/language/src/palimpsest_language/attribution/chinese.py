"""Topics of Chinese statements, and what Chinese says of others, of the past, or of nobody."""

import re

from palimpsest_language.attribution.attribute_topic import (
    TopicLanguage,
    name_technologies,
    read_topics,
)
from palimpsest_language.facts.chinese.places import KNOWN_PLACES
from palimpsest_language.rule_tables import join_words

CHINESE = TopicLanguage(
    topics=read_topics(
        "attribution/chinese",
        {
            "PLACES": join_words(sorted(KNOWN_PLACES)),
            "PROGRAMMING_LANGUAGES": name_technologies("language", shortest=2),
            "FRAMEWORKS": name_technologies("framework", shortest=2),
        },
        cue_form="any_case",
        value_form="any_case",
    ),
    vetoes=re.compile(
        r"[?？]|吗(?=$|[，,。！!])|如果|要是|假如|假设|万一|可能|也许|或许|大概率|想"
        r"(?!不到|起|通|念)|打算|计划|准备(?=[去要换买搬跳改转入开])|考虑|希望|梦|纠结|犹豫"
        r"|本来要|差点|恨不得|"
        r"应聘|面试|试驾|租车|租了?[辆台]|借[了来]?|小时候|以后要|将来|下次|等我|要不要|会不会"
        r"|该不该|推荐|听说|据说|网上说|小说|电影|电视剧|广告|股票|基金|"
        r"他|她|你|您|别人|人家|我[爸妈哥姐弟妹爷奶姥婶叔舅姑姨]|我(?:的)?"
        r"(?:同事|朋友|室友|邻居|领导|老板|儿子|女儿|孩子|老公|老婆|父母|爸妈|闺蜜|同学|师傅|表"
        r"|堂)|朋友的|"
        r"出差|旅游|旅行|度假|(?:去|到)[\u4e00-\u9fff]{2,4}玩|客户(?!经理)|甲方"
    ),
    left_before=re.compile(
        r"(?:不(?!过|仅|但|光|只|久|错|得不)|没(?!想到)|别的?(?!人)|未"
        r"(?!婚)|无|并非|以前|之前|原来|原本|本来|曾经?|过去|当年"
        r"|那时)[\u4e00-\u9fffA-Za-z]{0,5}$"
        r"|(?:从|由|离开|离职|告别|老(?!公|婆|板)|旧|卖了?|卖掉|退了|退掉|辞[了掉去]?|代替|替换"
        r"|取代|别了|比|跟(?=.*不)|除了|腻了|抛弃|扔掉?|"
        r"把|将|前(?!台|端)|上一?[个家份辆台]|分手|分了|注销了?|停了|戒了?|放弃了?)(?:"
        r"(?![到成换改为用开去])[\u4e00-\u9fffA-Za-z]){0,5}$"
    ),
    left_behind=re.compile(
        r"^[^，,。；;！!、]{0,5}(?:换成|换到|改成|跳到|跳槽到|搬到|转到|转成|转去|升成|升到|变成"
        r"|卖了|卖掉|退了|退掉|不用了|不去了|不开了|注销|坏了|辞|丢了|没了|报废|关门|倒闭|分手"
        r"|掰了|分了|拜拜|腻了|戒了|停了)"
        r"|^(?:馆子?|店|专卖店|车展|发布会)"
    ),
    holds_now=re.compile(r"现在|如今|目前|眼下|最近|改成|换成|变成|换到|改为|成了|才是|开始"),
    about_speaker=re.compile(
        r"我|咱|本人|俺|现在|如今|目前|换|改|新|搬|跳槽|入职|升|转|开始|最近|定居|坐标|终于"
    ),
)
