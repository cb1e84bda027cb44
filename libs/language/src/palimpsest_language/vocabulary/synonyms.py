"""Everyday words that are one to whoever uses them: who told of a mum is asked about a mother.

They are equals of a question only. What is stored keeps the very words that were said, so that this
table may grow without anything being written again: no version of a collection depends on it.
"""

from collections.abc import Callable, Mapping

_ENGLISH = """
    mum mom mam mummy mommy momma mother
    dad dada daddy da papa pa father
    grandma gran granny nan nana nanna grandmother
    grandad granddad grandpa gramps grandfather
    sis sister
    bro brother
    hubby husband
    wifey missus wife
    gf girlfriend
    bf boyfriend
    auntie aunty aunt
    kid kids child children
    mate pal buddy friend
    bike bicycle
    telly tv television
    fridge refrigerator
    flat apartment
    sofa couch settee
    movie film
    photo photograph picture pic
    holiday vacation
    bday birthday
    brekkie breakfast
    veggies veg vegetables
    meds medication medicine
    doctor gp
    vet veterinarian
    appt appointment
    uni university
    maths math mathematics
    footie footy football
    hoover vacuum
    nappy diaper
    pram stroller buggy
    jumper sweater
    lorry truck
    rubbish trash garbage
    cellphone phone
    xmas christmas
    fave fav favourite favorite
    colour color
    grey gray
    theatre theater
    neighbour neighbor
    jewellery jewelry
    pyjamas pajamas pjs
    yoghurt yogurt
    doughnut donut
    moustache mustache
"""
_CHINESE = """
    妈妈 妈 母亲 老妈
    爸爸 爸 父亲 老爸
    老婆 妻子 太太 媳妇
    老公 丈夫
    外婆 姥姥
    外公 姥爷
    爷爷 祖父
    奶奶 祖母
    女儿 闺女
    薪水 工资 月薪
    电动车 电瓶车
    自行车 单车 脚踏车
    土豆 马铃薯
    西红柿 番茄
    医生 大夫
    空调 冷气
    出租车 的士
"""
"""A line for each set of equal words; no word is in two lines."""


def build_synonyms(stem: Callable[[str], str]) -> Mapping[str, tuple[str, ...]]:
    """Return the other equal words by each word."""
    lines = [line.split() for line in f"{_ENGLISH}{_CHINESE}".splitlines() if line.split()]
    terms = [tuple(dict.fromkeys(map(stem, line))) for line in lines]
    return {
        term: tuple(other for other in line if other != term) for line in terms for term in line
    }
