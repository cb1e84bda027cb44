"""Attributes of a subject: their names in both languages, and which have one value at a time."""

import re
from functools import lru_cache

from palimpsest_language.wording.normalization import normalize_wording

_PEOPLE_OF_SERVICE = {
    "doctor": "gp family_doctor general_practitioner physician 家庭医生 主治医生 医生",
    "dentist": "牙医 牙科医生",
    "therapist": "counsellor counselor psychologist 心理咨询师 咨询师 心理医生",
    "hairdresser": "barber hair_stylist stylist 理发师 发型师 美发师",
    "plumber": "水管工 水电工 水电师傅",
    "electrician": "电工 电工师傅",
    "builder": "contractor decorator 装修师傅 装修队 装修公司",
    "mechanic": "garage car_mechanic 修车师傅 修车行 修理厂",
    "cleaner": "cleaning_lady house_cleaner 保洁 保洁阿姨 钟点工",
    "gardener": "园丁",
    "babysitter": "nanny childminder au_pair 保姆 阿姨 月嫂 育儿嫂",
    "vet": "veterinarian veterinary 兽医 宠物医生",
    "landlord": "landlady 房东",
    "lawyer": "solicitor attorney 律师",
    "accountant": "会计师 会计",
    "trainer": "personal_trainer fitness_coach 健身教练 私教 教练",
}
"""People who serve a household, one of each at a time."""

_FIRMS_OF_SERVICE = {
    "bank": "银行 开户行",
    "phone_provider": "mobile_network mobile_provider carrier 运营商 手机运营商 手机套餐",
    "internet_provider": "broadband_provider broadband isp 宽带 宽带运营商",
    "energy_provider": "energy_supplier electricity_supplier gas_supplier 供电公司 燃气公司",
}

_ONE_VALUE = {
    **_PEOPLE_OF_SERVICE,
    **_FIRMS_OF_SERVICE,
    "name": "full_name 名字 姓名 名称",
    "boss": "manager supervisor line_manager 领导 上司 直属领导",
    "business_name": "shop_name company_name store_name 店名 店铺名 公司名",
    "age": "年龄 岁数",
    "birthday": "birth_date date_of_birth birthdate 生日 出生日期",
    "birth_year": "year_of_birth born_in 出生年份 出生年月",
    "gender": "sex 性别",
    "employer": """
        company workplace employed_by works_at works_for current_employer current_company
        公司 雇主 单位 工作单位 就职公司 所在公司 任职公司 就业单位 东家
    """,
    "job": """
        job_title occupation profession position role current_job title
        职业 工作 职位 岗位 职务 职称 工种
    """,
    "city": """
        home_city current_city residence place_of_residence lives_in living_in location
        current_location city_of_residence home_location
        城市 居住地 居住城市 所在城市 所在地 常住地 现居地 现居城市 住处 居住地点 住在
    """,
    "work_city": "work_location city_of_work 工作城市 工作地点 上班地点",
    "country": "country_of_residence 国家 居住国 所在国家",
    "address": "home_address 地址 住址 家庭住址 家庭地址",
    "hometown": "place_of_birth birthplace 家乡 老家 籍贯 出生地 故乡",
    "time_zone": "timezone 时区",
    "marital_status": "relationship_status 婚姻状况 婚姻状态 感情状况",
    "spouse": "配偶",
    "partner": "significant_other girlfriend boyfriend 伴侣 对象 另一半 男朋友 女朋友",
    "car": "vehicle 车 汽车 座驾",
    "phone": "phone_model mobile_phone smartphone 手机 手机型号",
    "phone_number": "mobile_number telephone telephone_number 手机号 手机号码 电话 电话号码",
    "email": "email_address e_mail mail 邮箱 电子邮箱 邮箱地址",
    "work_email": "office_email business_email 工作邮箱 公司邮箱",
    "wechat": "wechat_id 微信 微信号",
    "gym": "健身房",
    "shift": "work_shift shift_pattern 班次 轮班",
    "commute": "commuting way_to_work travel_to_work 通勤 通勤方式 上班方式 上下班方式",
    "smoking": "smokes smoker 抽烟 吸烟",
    "alcohol": "drinks_alcohol drinking 喝酒 饮酒",
    "diet": "eating_habits way_of_eating 饮食 饮食习惯 饮食方式",
    "favorite_cuisine": "favourite_cuisine 最喜欢的菜系 最爱的菜系 喜欢的菜系 favorite_菜系",
    "household_size": "family_size people_in_household 家庭人数 家里人数 家庭人口",
    "salary": "income 工资 薪水 收入 月薪 年薪",
    "handedness": "dominant_hand 惯用手 利手",
    "height": "身高",
    "blood_type": "blood_group 血型",
    "nationality": "citizenship passport 国籍",
    "weight": "体重",
    "response_language": "answer_language reply_language 回答语言 回复语言 交流语言",
    "preferred_framework": """
        framework preferred_frontend_framework frontend_framework favorite_framework favorite_框架
        框架 前端框架 首选框架 偏好框架 常用框架 偏好的框架 喜欢的框架
    """,
    "preferred_backend_framework": "backend_framework 后端框架 首选后端框架",
    "preferred_language": """
        programming_language preferred_programming_language main_programming_language
        favorite_programming_language favorite_编程语言
        编程语言 首选编程语言 偏好编程语言 常用编程语言 开发语言 偏好的编程语言
    """,
    "preferred_database": "数据库 首选数据库 偏好数据库 常用数据库",
    "preferred_editor": (
        "editor ide preferred_ide code_editor 编辑器 首选编辑器 常用编辑器 开发工具"
    ),
    "preferred_operating_system": "operating_system os preferred_os 操作系统 首选操作系统 常用系统",
}
"""Attributes with one value: a new value replaces the old one. All other attributes keep several
values. To keep two values is a nuisance; to lose one is a loss.
"""

_MANY_VALUES = {
    "likes": "like interests interested_in loves 喜欢 喜好 爱好的事物 喜爱 偏爱 兴趣",
    "dislikes": "dislike hates 不喜欢 讨厌 厌恶 反感",
    "avoids": "avoid does_not_eat does_not_drink 不吃 不喝",
    "hobbies": "hobby pastimes 爱好 业余爱好 兴趣爱好",
    "tools": (
        "tool uses software tech_stack technologies stack 工具 软件 技术栈 使用的工具 常用工具"
    ),
    "pets": "pet 宠物",
    "languages": "language speaks spoken_languages 语言 会说的语言 掌握的语言 外语",
    "allergies": "allergy allergic_to 过敏 过敏原 过敏源",
    "skills": "skill instruments instrument 技能 特长 擅长 乐器",
    "health_conditions": (
        "health_condition conditions illnesses illness diseases disease chronic_conditions 疾病 "
        "病史 慢性病 基础病"
    ),
    "career": (
        "former_job previous_job past_job former_occupation former_profession 以前的职业 "
        "从前的职业 以前的工作 退休前的职业 前职业"
    ),
    "medication": (
        "medications medicine medicines drugs takes_medication prescription 药物 用药 药品 "
        "服用药物 正在服用的药"
    ),
    "school": "university college alma_mater 学校 大学 毕业院校 母校",
    "dietary_restrictions": "dietary_restriction food_restrictions 饮食限制 饮食禁忌 忌口",
    "children": "child kids 孩子 子女",
    "major": "field_of_study subject_of_study 专业",
    "response_style": "answer_style reply_style 回答风格 回复风格",
}
"""Names of attributes with many values. Attributes that are not in this table have many values as
well.
"""

NAME_ATTRIBUTES = ("pets", "son", "daughter", "sister", "brother")
"""Attributes whose values are names of those that somebody has, any of whom may be renamed."""

_TAKING_TURNS = frozenset({"medication", *NAME_ATTRIBUTES})
"""Attributes with several values, one of which a new value may replace without naming it."""

_BEST_OF_ITS_SORT = ("preferred_", "favorite_", "main_", "primary_")
REGULAR_VALUES = ("day_of_", "time_of_", "grade_of_")
"""Prefixes of attributes that hold a regular day, hour or school year."""

_SINGLE_PREFIXES = (*_BEST_OF_ITS_SORT, "host_of_", *REGULAR_VALUES)
"""Prefixes of attributes that have one value for each thing."""

_OF_A_MOMENT = re.compile(
    r"(?:^|_)(?:date|day|time|deadline|due|price|cost|fee|budget|rent|amount|number|count"
    r"|headcount|version|capacity|duration"
    r"|venue)$|(?:日期|时间|[^生]日|截止|期限|价格|费用|预算|租金|金额|数量|人数|版本|地点|时长)$"
)
"""Attributes that by their names hold a date or an amount."""

_PREFIXES = {"favourite_": "favorite_", "fav_": "favorite_"}
_CHINESE_PREFIX = re.compile(r"(?P<favorite>最喜欢的?|最爱的?)|(?P<preferred>首选的?|偏好的?)")


def _names() -> dict[str, str]:
    tables = (*_ONE_VALUE.items(), *_MANY_VALUES.items())
    return {
        normalize_wording(name).replace(" ", "_"): canonical
        for canonical, others in tables
        for name in (canonical, *others.split())
    }


_CANONICAL = _names()

USAGE_ATTRIBUTES = ("tools", *(name for name in _ONE_VALUE if name.startswith("preferred_")))
"""Tools and preferred tools: who no longer uses something no longer prefers it, and the reverse."""

CONTACT_ATTRIBUTES = ("phone_number", "email", "work_email", "wechat", "address")
"""Attributes by which somebody is reached: their values are kept verbatim."""

TASTE_ATTRIBUTES = ("likes", "dislikes", "avoids")
"""Attributes of taste: a thing that is disliked now was liked until now."""

PARTNER_ATTRIBUTES = ("partner", "spouse", "wife", "husband")
"""Attributes that have no value for somebody who is divorced or single."""

MARITAL_STATUS = "marital_status"

SERVICE_PEOPLE = tuple(_PEOPLE_OF_SERVICE)
SERVICE_ATTRIBUTES = (*SERVICE_PEOPLE, *_FIRMS_OF_SERVICE)
"""Attributes of people and firms that serve a household."""

_PERSONAL = frozenset(
    [
        *SERVICE_ATTRIBUTES,
        "name",
        "age",
        "birthday",
        "birth_year",
        "gender",
        "employer",
        "job",
        "city",
        "work_city",
        "country",
        "address",
        "hometown",
        "time_zone",
        "marital_status",
        "spouse",
        "partner",
        "wife",
        "husband",
        "girlfriend",
        "boyfriend",
        "children",
        "daughter",
        "son",
        "father",
        "mother",
        "parents",
        "sister",
        "brother",
        "car",
        "phone",
        "phone_number",
        "email",
        "work_email",
        "wechat",
        "gym",
        "shift",
        "commute",
        "smoking",
        "alcohol",
        "diet",
        "favorite_cuisine",
        "household_size",
        "salary",
        "handedness",
        "height",
        "blood_type",
        "nationality",
        "weight",
        "response_language",
        "response_style",
        "likes",
        "dislikes",
        "avoids",
        "hobbies",
        "pets",
        "languages",
        "allergies",
        "skills",
        "health_conditions",
        "career",
        "medication",
        "school",
        "dietary_restrictions",
    ]
)
"""Attributes of a person, whatever they work on. Tools, for example, may be a project's."""

_FAMILIES = (USAGE_ATTRIBUTES, TASTE_ATTRIBUTES, (*PARTNER_ATTRIBUTES, MARITAL_STATUS))

_ALONE = frozenset(
    [
        "single",
        "divorced",
        "separated",
        "widowed",
        "unmarried",
        "单身",
        "离异",
        "离婚",
        "分手",
        "未婚",
        "丧偶",
    ]
)

_ENDED_BY = {"likes": ("dislikes", "avoids"), "dislikes": ("likes",)}
"""Attributes whose same value ends: who likes a thing no longer avoids it, but who avoids a thing
may still like it.
"""

_AGAINST = {"likes": ("dislikes", "avoids"), "dislikes": ("likes",), "avoids": ("likes",)}

_BY_THE_LAST_WORD = frozenset({"job"})
"""Attributes whose values are known by the last word: no longer a nurse means no staff nurse
either.
"""

_TAKEN = re.compile(r"^(?:(?:to )?(?:drink|eat)|drinking|eating) (?=\w)|^[喝吃] ?(?=\w)")
"""The verb before a kind of food or drink."""

_THE_USER = frozenset({"", "user", "the user", "i", "me", "my", "myself", "我", "用户", "本人"})


@lru_cache(maxsize=4096)
def canonical_attribute(attribute: str) -> str:
    """Return the canonical name of an attribute: 编程语言 and `programming-language` are equal."""
    name = normalize_wording(attribute).replace(" ", "_")
    if name in _CANONICAL:
        return _CANONICAL[name]
    for written, prefix in _PREFIXES.items():
        if name.startswith(written):
            return prefix + name.removeprefix(written)
    chinese = _CHINESE_PREFIX.match(name)
    if chinese is not None and chinese.end() < len(name):
        return f"{chinese.lastgroup}_{name[chinese.end() :]}"
    return name


def is_attribute_name(words: str) -> bool:
    """Tell whether words are a name of an attribute in the tables: “date of birth”, 身高."""
    return normalize_wording(words).replace(" ", "_") in _CANONICAL


def canonical_subject(subject: str | None) -> str:
    """Return the canonical name of a subject; no subject is the user."""
    name = normalize_wording(subject or "")
    return "user" if name in _THE_USER else name


def is_single_valued(attribute: str) -> bool:
    name = canonical_attribute(attribute)
    return name in _ONE_VALUE or name.startswith(_SINGLE_PREFIXES)


@lru_cache(maxsize=4096)
def has_exclusive_values(attribute: str) -> bool:
    """Tell whether two values exclude each other, even if neither replaces the other by itself."""
    name = canonical_attribute(attribute)
    return is_single_valued(name) or _OF_A_MOMENT.search(name) is not None


def attribute_family(attribute: str) -> tuple[str, ...]:
    """Return the attributes whose values a statement of this one may end, this one included."""
    name = canonical_attribute(attribute)
    return next((family for family in _FAMILIES if name in family), (name,))


def has_many_values(attribute: str) -> bool:
    """Tell whether the attribute and its family have many values.

    If so, only memories with a common value concern each other.
    """
    return not any(
        is_single_valued(name) or has_alternating_values(name)
        for name in attribute_family(attribute)
    )


def has_alternating_values(attribute: str) -> bool:
    """Tell whether a new value may replace one of several without naming it."""
    return canonical_attribute(attribute) in _TAKING_TURNS


def is_personal_attribute(attribute: str) -> bool:
    """Tell whether the attribute is a person's own, whatever they work on."""
    return canonical_attribute(attribute) in _PERSONAL


def is_without_partner(attribute: str, value: str) -> bool:
    """Tell whether the value says that somebody has no partner."""
    return canonical_attribute(attribute) == MARITAL_STATUS and value in _ALONE


def attributes_ended_by(attribute: str) -> tuple[str, ...]:
    """Return the attributes whose values end when this one has a value."""
    return _ENDED_BY.get(canonical_attribute(attribute), ())


def opposed_attributes(attribute: str) -> tuple[str, ...]:
    """Return the attributes that contradict this one if they have the same value."""
    return _AGAINST.get(canonical_attribute(attribute), ())


@lru_cache(maxsize=8192)
def canonical_value(value: str | None) -> str:
    """Return the canonical form of a value: who likes drinking coffee likes coffee."""
    name = normalize_wording(value or "")
    return _TAKEN.sub("", name) or name


def is_narrower_value(attribute: str, value: str, others: str) -> bool:
    """Tell whether a value is a special case of another one: a staff nurse is a nurse."""
    return canonical_attribute(attribute) in _BY_THE_LAST_WORD and value.endswith(f" {others}")


def wider_values(attribute: str, value: str) -> set[str]:
    """Return the more general values that a value implies: a staff nurse is a nurse."""
    if canonical_attribute(attribute) not in _BY_THE_LAST_WORD:
        return set()
    words = value.split()
    return {" ".join(words[place:]) for place in range(1, len(words))}


def is_same_value(one: str | None, other: str | None) -> bool:
    return canonical_value(one) == canonical_value(other)
