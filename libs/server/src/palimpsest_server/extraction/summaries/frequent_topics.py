"""The topics of a conversation in three to five words: the most frequent ones."""

from collections import Counter
from collections.abc import Sequence

from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder

MOST = 5

_SAYS_NO_TOPIC = frozenset(
    """
    think know want like need get got make made going go really thing things time way lot maybe
    good great okay yes yeah well still even much many one two day days today tomorrow yesterday
    week year people someone something anything help please thanks thank let lets tell told said
    say see look try sure right actually probably feel bit back new
    觉得 知道 感觉 时候 现在 今天 明天 昨天 最近 一下 一点 有点 可能 应该 已经 自己 问题 事情 东西 需要 喜欢
    比较 非常 真的 还是 或者 然后 不过 谢谢 你好 好的 帮我 告诉 看看 一些 这样 那样 主要 不是 就是 打算 准备
    考虑 开始 用户 提醒 记得 没有 还没 大概 其实 起来 出来 这么 那么 多少 几个 一直 之前 以后 太大 没法 再说
    """.split()  # noqa: SIM905 - a list of words reads better as words
)


def find_frequent_topics(texts: Sequence[str], *, entities: Sequence[str] = ()) -> tuple[str, ...]:
    """Return at most five topics: first names that rules found twice, then words by frequency.

    Topics of equal frequency keep the order in which they were first said.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        # Once for each message, because a repetition within a message adds no weight.
        counts.update(dict.fromkeys(_words(text), 1))
    names = dict.fromkeys(name for name in entities if len(name) <= 30)
    ranked = sorted(counts, key=lambda word: (-counts[word], -_weight(word)))
    found = [*names, *(word for word in ranked if not any(_in(word, name) for name in names))]
    return tuple(found[:MOST])


def _words(text: str) -> list[str]:
    words = get_sparse_encoder().words(text)
    return [
        word
        for word in words
        if word not in _SAYS_NO_TOPIC
        and not word.isdigit()
        and (len(word) >= 4 if word.isascii() else len(word) >= 2)
    ]


def _weight(word: str) -> int:
    """Return the weight of a word; long words say more."""
    return min(len(word) * (3 if not word.isascii() else 1), 9)


def _in(word: str, name: str) -> bool:
    return word in name.casefold()
