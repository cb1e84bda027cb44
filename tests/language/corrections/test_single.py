"""What one has one of, said by its name, in both languages.

The sentences are none of those that the simulated users say.
"""

import pytest

from palimpsest_language.attributes.attribute_names import canonical_attribute
from tests.language.corrections.test_several import found

HOLDS = [
    ("My new employer is Corvid Labs", "employer", "Corvid Labs"),
    ("Our bank is Larkspur Bank these days", "bank", "Larkspur Bank"),
    ("I bank with Larkspur", "bank", "Larkspur"),
    ("Larkspur has replaced Teal as my bank", "bank", "Larkspur"),
    ("my phone is a Fairphone 5", "phone", "Fairphone 5"),
    ("We drive a Honda Jazz now", "car", "Honda Jazz"),
    ("I train at Ironbridge Gym", "gym", "Ironbridge Gym"),
    ("New gym: Ironbridge", "gym", "Ironbridge"),
    ("my main language is Kotlin", "preferred_language", "Kotlin"),
    ("Phoenix is my default framework now", "preferred_framework", "Phoenix"),
    ("I'm engaged to Marta", "partner", "Marta"),
    ("I follow a keto diet", "diet", "keto"),
    ("I follow a gluten-free diet", "dietary restrictions", "gluten-free"),
    ("my diet is halal", "dietary restrictions", "halal"),
    ("I'm lactose intolerant", "dietary restrictions", "lactose intolerant"),
    ("我的饮食方式是地中海饮食", "diet", "地中海饮食"),
    ("我的饮食方式是低嘌呤饮食", "dietary restrictions", "低嘌呤饮食"),
    ("我有糖尿病", "dietary restrictions", "糖尿病"),
    ("my job title is site engineer", "job", "site engineer"),
    ("我的开户行是招商银行", "bank", "招商银行"),
    ("我的座驾换成比亚迪海豚了", "car", "比亚迪海豚"),
    ("新手机是红米K70", "phone", "红米K70"),
    ("我换健身房了，现在去的是铁馆", "gym", "铁馆"),
    ("我的另一半是周明", "partner", "周明"),
    ("Kotlin是我的主力语言", "preferred_language", "Kotlin"),
    ("我最喜欢的菜系是湘菜", "favorite_cuisine", "湘菜"),
    ("我的岗位是质检员", "job", "质检员"),
    ("本人坐标南京", "city", "南京"),
]

NEITHER = [
    "my phone is broken",
    "My car is in the garage",
    "our gym is closed on Sundays",
    "my job is boring",
    "The bank is around the corner",
    "我的手机坏了",
    "我的车在楼下",
    "我们公司很忙",
]


@pytest.mark.parametrize(("text", "attribute", "value"), HOLDS)
def test_it_holds(text: str, attribute: str, value: str) -> None:
    read = [(canonical_attribute(one or ""), told, ended) for one, told, ended in found(text)]
    assert read == [(canonical_attribute(attribute), value, False)]


@pytest.mark.parametrize("text", NEITHER)
def test_nothing_of_the_kind_is_said(text: str) -> None:
    assert [one for one in found(text) if one[0] is not None] == []
