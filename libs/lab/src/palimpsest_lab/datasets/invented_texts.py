"""Invented things to say and to ask: no two alike, as long as messages of people are."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

_PEOPLE = (
    "Amara", "Bruno", "Chidi", "Dilys", "Emeka", "Farah", "Goran", "Hanne", "Ilse", "Jorge",
    "Kenji", "Leila", "Marta", "Nadia", "Oskar", "Priya", "Quinn", "Rasmus", "Sofia", "Tomas",
)  # fmt: skip
_DEEDS = (
    "repaired the old", "finally sold the", "borrowed a", "painted a picture of the",
    "wrote a long letter about the", "lost the key to the", "took the children to see the",
    "dreamt about the", "built a shelf for the", "found a buyer for the", "photographed the",
    "planned a whole weekend around the", "cleaned and oiled the", "told everybody about the",
)  # fmt: skip
_THINGS = (
    "bicycle", "greenhouse", "sailing boat", "telescope", "sewing machine", "piano", "wood stove",
    "orchard", "beehive", "camper van", "pottery wheel", "cello", "chess set", "darkroom",
    "vegetable garden", "rowing machine", "harmonica", "kite", "terrarium", "typewriter",
    "accordion", "fishing rod", "sourdough starter", "model railway", "hammock", "record player",
)  # fmt: skip
_PLACES = (
    "Bergen", "Porto", "Lyon", "Kraków", "Galway", "Tartu", "Ghent", "Split", "Malmö", "Sibiu",
    "Turku", "Graz", "Bilbao", "Leipzig", "Trieste", "Ioannina", "Utrecht", "Aarhus",
)  # fmt: skip
_AFTERTHOUGHTS = (
    "and the neighbours came over to help", "although the weather was dreadful all week",
    "which took three evenings longer than expected", "because the landlord wants the room back",
    "and now there is sawdust in every corner of the house", "just in time for the school holidays",
    "but the spare parts are still somewhere in the post", "and it cost half of what we had feared",
)  # fmt: skip

_NAMES = ("阿明", "小雨", "建国", "思思", "大伟", "晓燕", "子轩", "佳宁", "文博", "若曦")
_DID = (
    "修好了",
    "终于卖掉了",
    "借来了",
    "画了一幅",
    "写了一封长信讲",
    "拍了很多照片记录",
    "周末带孩子去看了",
    "跟大家说起了",
)
_OBJECTS = (
    "旧自行车", "阳台温室", "望远镜", "缝纫机", "钢琴", "果园", "蜂箱", "露营车", "陶轮", "大提琴",
    "围棋盘", "暗房", "菜园", "口琴", "风筝", "打字机", "手风琴", "鱼竿", "模型火车", "唱片机",
)  # fmt: skip
_CITIES = (
    "昆明",
    "青岛",
    "桂林",
    "泉州",
    "大理",
    "扬州",
    "敦煌",
    "厦门",
    "绍兴",
    "洛阳",
    "威海",
    "丽江",
)
_BESIDES = (
    "邻居们都过来帮忙了", "虽然整个星期都在下雨", "比原先打算的多花了三个晚上", "因为房东要把房间收回去",
    "现在家里到处都是木屑", "正好赶上孩子放假", "不过零件还在路上没有寄到", "花的钱只有原来担心的一半",
)  # fmt: skip

CHINESE_SHARE = 0.3


@dataclass(frozen=True)
class InventedStatement:
    """A statement, and a question that it answers; both contain the same mark."""

    text: str
    question: str
    mark: str


def generate_statements(seed: int) -> Iterator[InventedStatement]:
    """Generate statements without end: the same for the same seed, and each with another number."""
    random = Random(seed)  # noqa: S311 - to be repeated, not to be kept secret
    for number in range(10**9):
        mark = _mark(seed, number)
        yield _chinese(random, mark) if random.random() < CHINESE_SHARE else _english(random, mark)


def _english(random: Random, mark: str) -> InventedStatement:
    person, thing, place = (random.choice(each) for each in (_PEOPLE, _THINGS, _PLACES))
    text = (
        f"{person} {random.choice(_DEEDS)} {thing} in {place} {random.choice(_AFTERTHOUGHTS)}; "
        f"the receipt says {mark}"
    )
    return InventedStatement(text, f"What did {person} do with the {thing} of {mark}?", mark)


def _chinese(random: Random, mark: str) -> InventedStatement:
    person, thing, city = (random.choice(each) for each in (_NAMES, _OBJECTS, _CITIES))
    text = (
        f"{person}在{city}{random.choice(_DID)}{thing}，{random.choice(_BESIDES)}，收据上写着{mark}"
    )
    return InventedStatement(text, f"{person}的{thing}（{mark}）后来怎么样了？", mark)


def _mark(seed: int, number: int) -> str:
    """A word that occurs nowhere else, such as `kobavu-dise`."""
    return f"{_syllables(number + 1)}-{_syllables(seed + 1)}"


def _syllables(number: int) -> str:
    consonants, vowels = "bdfgklmnprstvz", "aeiou"
    word = ""
    while number or len(word) < 4:
        number, rest = divmod(number, len(consonants) * len(vowels))
        word += consonants[rest // len(vowels)] + vowels[rest % len(vowels)]
    return word
