"""What is used, decided, concluded, learnt and to be done."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.shared_patterns import (
    compile_chinese,
    refine_deed,
    refine_plain,
    refine_technology,
)
from palimpsest_language.facts.rule import ANYONE_SAYS, FactRule

WORK = (
    FactRule(
        kind=Kind.DECISION,
        pattern=compile_chinese(
            r"(?<![没未不由能待个的])决定(?:了|就是|是)?(?!权|性|于|不了|吧|因素)[：:，, ]*<VALUE>"
        ),
        content="决定{value}",
        subject="decision",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.DECISION,
        pattern=compile_chinese(
            r"(?:^|[，,。 ]|那|我们?)(?:就|那就|还是)(?:用|选|选择|采用|定) ?(?P<value>[^，。；！]{2,30}?)(?:吧|了|好了)(?=[，,。；;！! ]|$)"
        ),
        content="决定用{value}",
        subject="decision",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.DECISION,
        pattern=compile_chinese(
            r"(?:我们?|团队|大家)(?:最终|最后|已经|一致|都)*(?:选择|选定|采用|敲定|确定用|商定|约定)了? ?<VALUE>"
        ),
        content="决定采用{value}",
        subject="decision",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.CONCLUSION,
        pattern=compile_chinese(
            r"(?:结论(?:就?是|为|[：:])|总的来说|总结一下|综上所述|综上|得出(?:的)?结论(?:是)?)[：:，, ]*<VALUE>"
        ),
        content="结论：{value}",
        subject="conclusion",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.ACTION_ITEM,
        pattern=compile_chinese(
            r"(?:待办(?:事项)?|todo|行动项|下一步(?:计划)?)(?:是)?[：:] ?(?P<value>[^。；！\n]+)"
        ),
        content="待办：{value}",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.ACTION_ITEM,
        pattern=compile_chinese(
            r"(?:提醒我|别让我忘[了记]|(?:^|[，,。 ])(?:记得|别忘了|不要忘记)(?:提醒我)?) ?<VALUE>"
        ),
        content="{subject}要{value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.ACTION_ITEM,
        pattern=compile_chinese(
            r"我们?(?:还|也|就)?(?:需要|得|必须|要|应该) ?(?P<value>(?:在|赶在)?<DUE> ?[^，。；！]{2,40}?)(?=[，,。；;！!]|$)"
        ),
        content="{subject}要{value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.ACTION_ITEM,
        pattern=compile_chinese(
            r"我们?(?P<value>(?:在|赶在)?<DUE> ?(?:之?前)?(?:需要|得|必须|要|应该) ?[^，。；！]{2,40}?)(?=[，,。；;！!]|$)"
        ),
        content="{subject}{value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.ACTION_ITEM,
        pattern=compile_chinese(
            r"我会(?P<value>(?:在|赶在)?<DUE> ?[^，。；！]{2,40}?)(?=[，,。；;！!]|$)"
        ),
        content="{subject}会{value}",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_chinese(
            r"(?:经验教训|教训|经验|踩坑总结|踩坑|心得)(?:就?是|总结|[：:])[：:，, ]*(?P<value>[^。；！\n]+)"
        ),
        content="教训：{value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_chinese(
            r"我们?(?:这次|终于|也|从中)*学到(?:了|的是)?(?:一点|一个教训)?[：:，, ]*<VALUE>"
        ),
        content="教训：{value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_chinese(
            r"(?P<value>(?:下次|以后)(?:一定|千万|我|我们)*(?:要|得|应该|记得|不要|别|必须|不能)(?!再?(?:跟|给|对|和|叫|喊|发|推)我?)(?!用(?:中文|英文|英语))[^，。；！]{3,50}(?:，(?:要|先|不要|别|再|否则)[^，。；！]{2,40})?)"
        ),
        content="教训：{value}",
        subject="lesson",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_chinese(
            r"(?:根本原因|根因|问题(?:的)?原因|问题(?:出)?在于|罪魁祸首)(?:就?是|[：:])? ?<VALUE>"
        ),
        content="问题原因：{value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_chinese(r"(?:解决(?:办法|方法|方案)|修复方法)(?:就?是|[：:]) ?<VALUE>"),
        content="解决办法：{value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_chinese(
            r"原来(?:是|这是)? ?(?P<value>[^，。；！]{2,40}?(?:导致|引起|造成))的?"
        ),
        content="原因是{value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"(?:我们(?:的)?(?:项目|团队|公司|后端|前端|系统)?|项目|后端|前端)(?:里|中|现在|目前|都|一直|在|主要)*(?:用|使用|采用)(?:的是|了)? ?<TECHNOLOGY>"
        ),
        content="团队使用{value}",
        subject="team",
        attribute="tools",
        refine=refine_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"(?<![让给帮教])我(?:现在|如今)?(?:(?:不再|已经不|早就不)(?:用|使用|写)|停用了?|弃用了?|不用(?= ?[A-Za-z飞钉企].*?了(?:[，,。；;！!、 ]|$))) ?(?!.*[改换转])<TECHNOLOGY>"
        ),
        content="{subject}不再使用{value}",
        attribute="tools",
        refine=refine_technology,
        ended=True,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"(?<![让给帮教])我(?:现在|平时|一直|也|都|在|每天|经常)* ?(?:用|使用|写)(?:的是)? ?<TECHNOLOGY>"
        ),
        content="{subject}使用{value}",
        attribute="tools",
        refine=refine_technology,
        names_entity=True,
    ),
)
