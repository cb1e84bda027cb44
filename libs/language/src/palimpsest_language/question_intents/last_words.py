"""Recognize questions about what was said a moment ago.

"What did I just say?" has no word in it that what was said could have: only
its place in the conversation answers it. With a matter beside it ("what did I
just say about the flight") it is a question like any other.
"""

import re
import unicodedata

from palimpsest.model.turn import Role

_BEFORE_IT = (
    r"(?:(?:hey|ok|okay|sorry|wait|so|um|uh|hm+|well|please|and|but|can you|could you|would you|will you|do you (?:still )?(?:remember|recall|know)"
    r"|tell me|remind me(?: of)?|repeat|show me|read(?: me)?|quote|say|go back to|i forgot|i forget|hold on|again|back)[,: ]+)*+"
)
_SAYING = r"(?:sa(?:y|id|ying)|t(?:ell|old|elling)(?: you| me)?|writ(?:e|ing|ten)|wrote|typ(?:e|ed|ing)|ask(?:ed|ing)?(?: you| me)?|mention(?:ed|ing)?|sen[dt](?: you| me)?|messaged?(?: you| me)?|talk(?:ing|ed) about)"
_MESSAGES = (
    r"(?:messages?|words?|sentences?|questions?|lines?|texts?|remarks?|statements?|prompts?|repl(?:y|ies)|answers?|things?"
    r"|inputs?|comments?)"
)
_LAST = r"(?:(?:very )?(?:last|previous|latest|most recent|preceding)(?: few| two| three| couple(?: of)?| \d+)?)"
_AFTER_IT = r"(?:[, ]+(?:to you|to me|again|just now|right now|please|exactly|there|before this(?: one)?|before that|a (?:moment|second|minute|sec) ago|here|was|were|is))*"

_ENGLISH = re.compile(
    rf"{_BEFORE_IT}(?:"
    rf"what(?: was it| is it)?(?: that)? (?:did |was |have |had |were )?(?P<a>i|you)(?:'ve| have|'d| had| was| were)? (?:been |literally |only )?just {_SAYING}"
    rf"|what(?: was it that)? (?:did |was |were |have )?(?P<b>i|you)(?: was| were)?(?: been)? {_SAYING}(?: to you| to me)? (?:just now|a (?:moment|second|minute|sec) ago|last|right before this)"
    r"|what was (?P<g>i|you) (?:saying|talking about|telling (?:you|me)|getting at)"
    rf"|(?:what(?:'s| was| is| were| are) )?(?P<c>my|your) {_LAST} {_MESSAGES}"
    rf"|(?:what(?:'s| was| is| were| are) )?the {_LAST} {_MESSAGES} (?:that )?(?P<d>i|you)(?:'ve| have| had)? (?:just )?{_SAYING}"
    rf"|(?:what(?:'s| was| is) )?(?:the {_MESSAGES}|what) (?:that )?(?P<e>i|you)(?:'ve| have| had)? just {_SAYING}"
    rf"){_AFTER_IT}"
)
_WHAT = r"(?:什么|啥|些什么|哪些|甚么|些啥|哪句话?|什么话|的?什么来着)"
_JUST = r"(?:刚才|刚刚|刚|方才|才刚|上一句|上一条|上句|前一句|最后一句|最后|前面一句)"
_LINE = r"(?:(?:上|前)(?:一|两|几|三)?(?:句|条|个(?=问题|消息|信息))|最(?:后|近)(?:的)?(?:一|两|几)?(?:句|条)|刚才那?句)(?:话|消息|信息|问题|发言|内容)?"
_SPEAK = r"(?:说|讲|问|发|写|打|提|聊|告诉|回|回答|回复)"
_CHINESE = re.compile(
    r"(?:请|麻烦|你?能(?:不能)?|帮我|可以|再|回忆一下|回想一下|重复(?:一下|一遍)?|复述(?:一下|一遍)?|提醒(?:我)?(?:一下)?|告诉我|你?(?:还)?记得|还记得|那|诶|等等|等下|呃|嗯|哎|看看|我忘了|念一下)*+"
    rf"(?:(?P<a>我|你|您){_JUST}(?:跟[你我]|和[你我]|对[你我]|给[你我]|问[你我]|向[你我])?(?:都|又|还|是|到底)*{_SPEAK}(?:[你我])?(?:了|的|过)?(?:[你我])?(?:话)?(?:是)?{_WHAT}"
    rf"|{_JUST}(?P<b>我|你|您)(?:跟[你我]|和[你我]|对[你我]|给[你我])?(?:都|又|还|是|到底)*{_SPEAK}(?:[你我])?(?:了|的|过)?(?:[你我])?(?:话)?(?:是)?{_WHAT}"
    rf"|{_LINE}(?P<c>我|你|您)(?:是)?{_SPEAK}(?:了|的)?(?:是)?{_WHAT}"
    rf"|(?P<d>我|你|您)的?{_LINE}(?:是)?(?:{_SPEAK}(?:了|的)?)?(?:是)?{_WHAT}?"
    rf"|(?P<e>我|你|您){_JUST}(?:跟[你我]|和[你我])?{_SPEAK}(?:的|过的)(?:那?句?话|内容|消息)?(?:再?(?:说|念|重复|复述)一[遍下]|是?{_WHAT})?"
    rf"|(?P<f>我|你|您)(?:{_JUST})?(?:说|讲|聊)到(?:哪|哪儿|哪里|什么地方)"
    r")(?:了|来着|的|呀|啊|呢|吗|吧|来的|一下|再说一遍)*"
)
_LONGEST = 120
"""Characters of a question that asks for nothing else."""
_ENDS = re.compile(r"[\s?!.,;:。！？，、~…]+$")


def find_last_words_speaker(question: str) -> Role | None:
    """Return the speaker whose last words are asked for, where the question asks nothing else."""
    if len(question) > _LONGEST:
        return None
    text = unicodedata.normalize("NFKC", question).replace("’", "'").casefold()
    text = _ENDS.sub("", " ".join(text.split()))
    found = _ENGLISH.fullmatch(text) or _CHINESE.fullmatch(re.sub(r"[\s,，、]", "", text))
    if found is None:
        return None
    who = next(group for group in found.groups() if group)
    return Role.USER if who in {"i", "my", "我"} else Role.AGENT
