"""Relations of people to the user, as attributes."""

RELATION_IN_ENGLISH = {
    "老婆": "wife", "妻子": "wife", "太太": "wife", "老公": "husband", "丈夫": "husband",
    "先生": "husband", "对象": "partner", "女朋友": "girlfriend", "男朋友": "boyfriend",
    "女儿": "daughter", "儿子": "son", "爸爸": "father", "父亲": "father", "妈妈": "mother",
    "母亲": "mother", "姐姐": "sister", "妹妹": "sister", "哥哥": "brother", "弟弟": "brother",
    "老板": "boss", "领导": "boss", "上司": "boss", "导师": "mentor", "同事": "colleague",
    "女友": "girlfriend", "男友": "boyfriend", "室友": "roommate", "朋友": "friend",
    "闺蜜": "friend", "邻居": "neighbor", "爸": "father", "老爸": "father", "妈": "mother",
    "老妈": "mother", "姐": "sister", "妹": "sister", "哥": "brother", "弟": "brother",
    "媳妇": "wife", "闺女": "daughter",
}  # fmt: skip
"""One attribute for a relation, whichever language it was told in."""

_ONE_WORD = {
    "mum": "mother", "mom": "mother", "mam": "mother", "dad": "father", "neighbour": "neighbor",
    "manager": "boss", "flatmate": "roommate", "housemate": "roommate",
}  # fmt: skip


def name_relation(said: str) -> str:
    """Return the attribute of a relation as somebody says it: 老公, "Mum", "sister"."""
    word = said.strip().lower()
    return RELATION_IN_ENGLISH.get(word) or _ONE_WORD.get(word, word)


def work_attribute(said: str) -> str:
    """Return the attribute of the work of a relative: `job_of_husband`."""
    return f"job_of_{name_relation(said)}"
