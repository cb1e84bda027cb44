"""Questions for all that is still to be done: "is there anything I still have to do?", 我还有哪些事没办. Pure.

No todo shares a word with them, and what was done is as near to them as what was not: so what is
open is their answer, whatever is near. With a matter beside it ("what is left to do for the
wedding") it is a question like any other.
"""

import re
import unicodedata

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.question_intents.attribute_questions import restore_apostrophes
from palimpsest_language.question_intents.chinese_attribute_questions import (
    CHINESE_END,
    CHINESE_OPENING,
)
from palimpsest_language.question_intents.english_attribute_questions import ENGLISH_OPENING

_LONGEST = 120
"""Characters of a question that asks for nothing else."""

_I = r"(?:I|we)"
_MUST = r"(?:have|'ve got|have got|need|ought|am supposed|'m supposed)"
_DO = r"(?:do|get done|be doing|take care of|finish|complete|deal with|sort out|handle|remember to do)"
_OPEN = r"(?:open|outstanding|pending|unfinished|uncompleted|unresolved|remaining|undone|left|overdue|upcoming|current)"
_TODOS = (
    r"(?:to-?dos?|to do(?: list| items?|s)|to-?do (?:list|items?)|todo lists?|tasks?|task list|action items?"
    r"|chores|errands|open items|things to do|reminders)"
)
_STILL = r"(?:still|yet|now|currently|else|also|left) "
_ENGLISH = (
    # is there anything I still have to do, is anything left to do, anything else to get done
    rf"(?:(?:is|are) there )?(?:any|some)(?:thing|things)(?: else| left)*(?: that)? {_I} (?:{_STILL})*{_MUST} (?:{_STILL})*to {_DO}",
    rf"(?:(?:is|are)(?: there)? )?(?:any|some)(?:thing|things)(?: still| else)*(?: left| outstanding| open| pending| remaining)*(?: for (?:me|us))? to {_DO}",
    rf"(?:(?:is|are)(?: there)? )?(?:any|some)(?:thing|things)(?: still| else)* {_OPEN}(?: on my list)?",
    rf"(?:(?:is|are)(?: there)? )?(?:any|some)(?:thing|things)(?: that)? {_I} (?:haven't|have not|didn't|forgot to|still haven't) (?:done|do|finish(?:ed)?|get done|gotten done|take care of|taken care of)(?: yet)?",
    # what do I still have to do, what have I got to do, what must I still do
    rf"what(?: else| all)?(?: (?:things|tasks))? (?:do|should|must) {_I} (?:{_STILL})*(?:have|need|got|ought) (?:{_STILL})*to {_DO}",
    rf"what(?: else)? have {_I} (?:{_STILL})*got(?: left)? to {_DO}",
    rf"what (?:else )?(?:must|should) {_I} (?:still )?{_DO}(?: still| yet)(?: today)?|what (?:else )?(?:must|should) {_I} still {_DO}",
    rf"what (?:else )?am I (?:still )?supposed to {_DO}",
    # (tell me) what I still have to do
    rf"what(?: else| all)? {_I} (?:{_STILL})*{_MUST} (?:{_STILL})*to {_DO}",
    # what is left, what is on my list
    rf"what(?:'s| is| are|'re)(?: there)?(?: still| all)? {_OPEN}(?: still)?(?: for (?:me|us))? to {_DO}|what(?:'s| is) (?:still )?(?:outstanding|pending|undone|open on my list)|what else is there (?:left )?(?:for me )?to {_DO}",
    rf"what(?:'s| is)(?: still| left| next| currently)*(?: on| left on| still on) (?:my|our) (?:plate|agenda|list|{_TODOS})",
    # what are my todos, show me my tasks, my to-do list
    rf"(?:what(?:'s| is| are|'re) |which are )?(?:all )?(?:of )?(?:my|our) (?:{_OPEN} )?{_TODOS}(?: look like| still {_OPEN}| {_OPEN})?",
    rf"what (?:does|do) (?:my|our) (?:{_OPEN} )?{_TODOS} look like",
    rf"(?:show|list|give|read|tell|send|pull up|go through|bring up)(?: me| us)?(?: out| up)?(?: all)?(?: of)? (?:my|our|the|every|all|any) (?:{_OPEN} )?{_TODOS}(?: {_OPEN})?",
    rf"(?:what|which|how many)(?: of (?:my|our))?(?: {_OPEN})? (?:{_TODOS}|things) (?:do {_I} (?:still )?have(?: {_OPEN}| to {_DO})?|are (?:still )?(?:there|{_OPEN}|not done)|have {_I} (?:not|still not) (?:done|finished)|haven't {_I} (?:done|finished))(?: yet)?",
    rf"do {_I} (?:still )?have (?:any |something |anything )?(?:{_OPEN} )?(?:{_TODOS}|(?:things? )?(?:{_STILL})?to {_DO})(?: {_OPEN})?",
    # what haven't I done yet
    rf"what (?:have {_I} (?:still )?not|haven't {_I}|have {_I} yet to) (?:done|do|finished|finish|taken care of|gotten (?:done|to|around to))(?: yet)?",
    rf"(?:any|are there any|got any) (?:{_OPEN} )?{_TODOS}(?: {_OPEN}| to {_DO})?(?: for me)?",
)
_ENGLISH_END = r"(?: (?:now|right now|today|at the moment|again|please|then|yet|still|exactly|currently|at all|these days|for now|so far))*"

_WHAT = r"(?:哪些|什么|啥|哪几[件个项]|多少|几[件个项]|些什么|些啥)"
_THINGS = r"(?:事情|事儿|事项|事|任务|活儿|活|东西|工作|待办事项|待办)"
_SHOULD = r"(?:要|得|该|需要|应该|必须|等着|等我)"
_NOT = r"(?:还)?(?:没有|没|未|尚未|待)"
_DONE = r"(?:办|做|干|处理|完成|弄|搞定|解决|落实|忙)"
_DO_ZH = rf"{_DONE}(?:完成|完|好|掉)?"
_LIST = (
    r"(?:待办事项|待办清单|待办列表|待办|任务清单|任务列表|任务|日程待办|todo ?list|todos?|to-do)"
)
_ME = r"(?:我们?|咱们?)"
_NOW = r"(?:现在|目前|手头上?|眼下|手上|这边)?"
_CHINESE = (
    # 我还有哪些事没办, 还有什么事要做, 我还有什么没做完的
    rf"{_ME}?{_NOW}(?:是不是|都)?还?有(?:没有)?{_WHAT}?{_THINGS}?{_ME}?(?:是)?(?:{_NOT}|还?{_SHOULD}){_ME}?(?:去)?{_DO_ZH}(?:的{_THINGS}?)?",
    rf"(?:{_ME})?还?有(?:没有)?{_WHAT}?(?:{_NOT}|{_SHOULD}){_DO_ZH}的{_THINGS}?",
    rf"{_WHAT}{_THINGS}{_ME}?(?:{_NOT}|还{_SHOULD}){_DO_ZH}的?",
    # 我还要做什么, 接下来我得办哪些事
    rf"(?:接下来|下面|然后)?{_ME}{_NOW}(?:还{_SHOULD}|还有{_SHOULD}?)(?:去)?{_DONE}(?:些)?{_WHAT}{_THINGS}?",
    rf"(?:接下来|下面){_ME}?还?{_SHOULD}{_DONE}(?:些)?{_WHAT}{_THINGS}?",
    # 我的待办有哪些, 看看我的待办, 我有什么待办
    rf"(?:看看|看一?下|看|列一?下|列出来?|列|查一?下|查查|给我(?:看看?|列一?下|列出)?|告诉我|打开|念一下|过一遍|把|请|帮我)*+{_ME}?的?(?:所有|全部)?的?{_LIST}(?:里|上)?(?:都|还|现在|目前)*(?:有|是|剩)?(?:下)?(?:{_WHAT})?(?:{_THINGS})?(?:{_NOT}{_DO_ZH})?(?:列出来|列一?下|给我看看?)?",
    rf"{_ME}?{_NOW}(?:都|还)*(?:有|剩)(?:下)?(?:没有)?{_WHAT}(?:{_NOT}{_DO_ZH}的)?{_LIST}(?:{_NOT}{_DO_ZH})?",
    rf"{_ME}?有没有(?:什么)?(?:{_NOT}{_DO_ZH}的)?{_LIST}",
    # 我没做完的事有哪些, 未完成的任务
    rf"(?:看看|看一?下|看|列一?下|列出|查一?下|给我看看?|告诉我)*+{_ME}?(?:所有|全部)?(?:{_NOT}|{_SHOULD}){_DO_ZH}的{_THINGS}(?:都|还)?(?:有|是)?{_WHAT}?",
    # 我还剩什么没做, 我还欠着什么事, 我还差哪些没办
    rf"{_ME}?{_NOW}还(?:剩|欠|差|缺)(?:下|着)?{_WHAT}{_THINGS}?(?:{_NOT}{_DO_ZH}|{_SHOULD}{_DO_ZH})?",
    rf"{_ME}?(?:还)?有{_THINGS}{_NOT}{_DO_ZH}",
)


def asks_for_todos(question: str) -> bool:
    """Return whether a question asks for all that is still to be done, and for nothing else."""
    if len(question) > _LONGEST or not _HINT.search(question):
        return False
    text = restore_apostrophes(unicodedata.normalize("NFKC", question))
    text = _AROUND.sub("", " ".join(text.split()))
    if has_chinese(text):
        return _IN_CHINESE.fullmatch(re.sub(r"[\s,、]", "", text)) is not None
    return _IN_ENGLISH.fullmatch(text.replace(",", "")) is not None


_AROUND = re.compile(r"^[\s?!.,。~…]+|[\s?!.,。~…]+$")
_HINT = re.compile(
    r"\b(?:do|done|doing|to-?dos?|tasks?|list|chores|errands|reminders|plate|agenda|left|open|items?|finish\w*|complete"
    r"|outstanding|pending|undone|remaining|unfinished)\b|\btake|\bdeal|\bsort|\bhandle|[办做干理成弄定决实忙务]",
    re.IGNORECASE,
)
"""Pattern of words without which no other pattern fits; most questions have none."""
_IN_ENGLISH = re.compile(rf"{ENGLISH_OPENING}(?:{'|'.join(_ENGLISH)}){_ENGLISH_END}", re.IGNORECASE)
_IN_CHINESE = re.compile(rf"{CHINESE_OPENING}(?:{'|'.join(_CHINESE)}){CHINESE_END}", re.IGNORECASE)
