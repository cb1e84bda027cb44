"""Attributes with one value at a time, said by name: a gym, a bank, a car, a main language."""

import re

from palimpsest_language.attributes.diets import DIET_ATTRIBUTE, choose_diet_attribute
from palimpsest_language.facts.chinese.places import is_known_place
from palimpsest_language.facts.chinese.shared_patterns import refine_plain
from palimpsest_language.facts.rule import MatchGroups

_ATTRIBUTES = (
    (r"公司|单位|东家|雇主", "employer"),
    (r"职位|岗位|头衔|职务|职称", "job"),
    (r"伴侣|另一半|对象|女朋友|男朋友|女友|男友", "partner"),
    (r"座驾|车子|车", "car"),
    (r"手机型号|手机", "phone"),
    (r"健身房", "gym"),
    (r"银行卡|工资卡|开户行|主账户|银行", "bank"),
    (r"家庭医生|主治医生|主治大夫", "doctor"),
    (r"牙医|牙科医生", "dentist"),
    (r"心理咨询师|咨询师|心理医生", "therapist"),
    (r"理发师|发型师|托尼老师", "hairdresser"),
    (r"水电工|水电师傅|水管工", "plumber"),
    (r"装修师傅|装修队|装修公司", "builder"),
    (r"修车师傅|修车店|修理厂", "mechanic"),
    (r"保洁阿姨|保洁|钟点工", "cleaner"),
    (r"保姆|月嫂|育儿嫂", "babysitter"),
    (r"宠物医生|兽医", "vet"),
    (r"房东", "landlord"),
    (r"律师", "lawyer"),
    (r"会计师|会计", "accountant"),
    (r"健身教练|私教|教练", "trainer"),
    (r"手机套餐|手机卡|手机号运营商", "phone_provider"),
    (r"宽带", "internet_provider"),
    (r"饮食方式|饮食习惯|饮食", "diet"),
    (r"(?:主力|主要|首选|常用)(?:的|用的)?(?:编程)?语言", "preferred_language"),
    (r"(?:首选|默认|主力|常用|最喜欢的|最爱的|最爱)(?:的)?框架", "preferred_framework"),
    (r"最?(?:喜欢|爱|馋)的?菜系", "favorite_cuisine"),
)
NOUN = f"(?P<noun>{'|'.join(pattern for pattern, _ in _ATTRIBUTES)})"

_NO_VALUE = re.compile(
    r"^(?:谁|什么|哪|怎么|这|那|不|没|很|太|非常|特别|挺|坏|新|旧|好|最|在|要|会|被|一个|家|公司"
    r"|我|他|她)|吗$|呢$|坏了|丢了|没电"
)
_NAME = re.compile(r"[A-Za-z\u4e00-\u9fff]")


def refine_single_value(groups: MatchGroups) -> MatchGroups | None:
    """A value, under the attribute of the word that it was called by."""
    tidied = refine_plain(groups)
    if tidied is None or _NO_VALUE.search(tidied["value"]) or not _NAME.search(tidied["value"]):
        return None
    noun = tidied["noun"]
    attribute = next(name for pattern, name in _ATTRIBUTES if re.fullmatch(pattern, noun))
    if attribute == DIET_ATTRIBUTE:
        attribute = choose_diet_attribute(tidied["value"])
    return {**tidied, "attribute": attribute}


def refine_known_home(groups: MatchGroups) -> MatchGroups | None:
    """A place that is known as one."""
    tidied = refine_plain(groups)
    return tidied if tidied is not None and is_known_place(tidied["value"]) else None
