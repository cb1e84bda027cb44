"""Finds documents in long messages: many sentences about nobody in the conversation."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from palimpsest.model.bilingual_text import display_width
from palimpsest_language.message_spans.span import MASK, MessageSpan, SpanKind
from palimpsest_language.message_spans.span_rules import EDGE

MINIMUM_CHARACTERS = 600
"""The least width of a message with a document, in display columns: Chinese counts twice."""
_LEAST_OF_A_RUN = 280
"""The least columns of consecutive sentences about nobody."""
_LEAST_SENTENCES = 3
_LEAST_ANNOUNCED = 160
_MEAN_WIDTH, _MEAN_WIDTH_OF_MANY = 32, 20
"""The least mean columns of a sentence; people's notes on themselves without "I" have shorter ones.
"""
_MANY_SENTENCES = 10
_LONGEST_CLOSING = 240

_SENTENCE = re.compile(r"(?:[^。！？!?\n.]+|\.(?!\s|\Z))+[。！？!?.\n]*\s*|[。！？!?.\n]+\s*")
_PERSONAL = re.compile(
    r"(?:\bI\b(?!\s*[.)]|/)|\b(?:I['’](?:m|ve|ll|d)|my|me|mine|myself|he|she|his|her|hers|him)\b"
    r"|\b(?:please|btw|by the way|sorry|thanks|thank you|hey|hi|hello|lol)\b"
    r"|(?<![自敌小])我(?!国|司|市|省|校|院|方|部|们|党|军|区|县|局|厂|行|社|店)|咱|俺|[他她](?!国|处|项)"
    r"|对了|顺便|麻烦|谢谢|不好意思|抱歉|[你您](?!们))",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"(?:^|[.!?\n][ \t]*)(?:here(?:['’]s| is| are)|below (?:is|are)|this is|see|read)\b"
    r"(?!(?:[^\n.!?:]{0,20})\bmy\b)[^\n.!?:]{0,60}\b(?:articles?|documents?|report|minutes"
    r"|contract|papers?|chapter|posts?|blog|story|transcript|essay|manual|policy|readme|page"
    r"|notice|newsletter|press release|excerpt|passage|novel|lyrics|poem|spec(?:ification)?|log"
    r"|abstract|speech|letter|review|listing|advert(?:isement)?|memo|agenda|terms)\b"
    r"[^\n.!?:]{0,60}[:：\n]"
    r"|(?:下面|以下|这是|附上|贴|转发|分享|看)(?![^\n。：:]{0,6}我)[^\n。！？：:]{0,20}"
    r"(?:文章|文档|报告|合同|论文|纪要|章节|帖子|小说|故事|公告|通知|全文|原文|资料|材料|新闻"
    r"|说明书|制度|规定|条款|协议|稿子?|歌词|诗|演讲|简介|推文|博客)[^\n。！？：:]{0,20}[:：\n]",
    re.IGNORECASE,
)


class _Sentence(NamedTuple):
    start: int
    end: int
    words: str

    @property
    def is_personal(self) -> bool:
        return MASK in self.words or _PERSONAL.search(self.words) is not None


def find_documents(text: str) -> Iterator[MessageSpan]:
    """Find announced documents, and runs of sentences that can be nothing else.

    Text between such runs that says "I" or speaks of somebody is the sender's.
    """
    if announced := _find_announced(text):
        yield announced
        text = text[: announced.start]
    if 2 * len(text) < MINIMUM_CHARACTERS or display_width(text[:MINIMUM_CHARACTERS]) < (
        MINIMUM_CHARACTERS
    ):
        return
    sentences = [
        _Sentence(match.start(), match.end(), match.group()) for match in _SENTENCE.finditer(text)
    ]
    for is_personal, found in groupby(sentences, key=lambda sentence: sentence.is_personal):
        run = list(found)
        if not is_personal and _is_document(run):
            yield MessageSpan(start=run[0].start, end=run[-1].end, kind=SpanKind.PASTED)


def _is_document(run: list[_Sentence]) -> bool:
    said = [sentence for sentence in run if len(sentence.words.strip()) > 1]
    width = sum(display_width(sentence.words) for sentence in said)
    mean = _MEAN_WIDTH if len(said) < _MANY_SENTENCES else _MEAN_WIDTH_OF_MANY
    return len(said) >= _LEAST_SENTENCES and width >= max(_LEAST_OF_A_RUN, mean * len(said))


def _find_announced(text: str) -> MessageSpan | None:
    """Find the text behind an announcement, without a short last paragraph of the sender's."""
    match = _ANNOUNCED.search(text, 0, EDGE) if len(text) > _LEAST_ANNOUNCED // 2 else None
    if match is None or display_width(text[match.end() :][:_LEAST_ANNOUNCED]) < _LEAST_ANNOUNCED:
        return None
    end = len(text.rstrip())
    closing = text.rfind("\n\n", match.end(), end)
    if closing > match.end() and display_width(text[closing:end]) < _LONGEST_CLOSING:
        end = closing
    return MessageSpan(start=match.end(), end=end, kind=SpanKind.PASTED)
