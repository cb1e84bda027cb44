"""Changes of mind: what took the place of what. Before all others, for they look like them."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.shared_patterns import (
    compile_chinese,
    refine_replaced_technology,
    refine_setting,
)
from palimpsest_language.facts.rule import FactRule

_REPLACED = "{subject}不再用{replaced}，改用{value}"
_BECOMES = r"(?:换|改|切换|迁移|迁|转|替换|切)(?:成用?|到|为|用|向|去)?了?"

CHANGES = (
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            r"<I_ALONE> (?:改用|换成|换到|换用|换回|转用|转到|切换到|切换成|切换回|切到|切回|改成用?|改回|调成|设成)了? <SETTING>"
        ),
        content="{subject}改用{value}",
        refine=refine_setting,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            r"(?:不再|不|别|没有?再)(?:想|打算)?用 <REPLACED> 了?[，,、 ]*(?:我们?|现在|都|就|而是|直接|已经|全部|全面|以后)*"
            r"(?:改用|改成|换成|换到|换用|转用|切换到|使用|用)了? <VALUE>"
        ),
        content=_REPLACED,
        refine=refine_replaced_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            rf"(?:从|由|把|将) <REPLACED> (?:全部|全面|都|已经|整体)?{_BECOMES} <VALUE>"
        ),
        content=_REPLACED,
        refine=refine_replaced_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            r"用 (?P<value>[A-Za-z][\w.+#]*) (?:代替|替代|替换|取代)了? (?P<replaced>[A-Za-z][\w.+#]*)"
        ),
        content=_REPLACED,
        refine=refine_replaced_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            r"(?<![没不])(?:改用|换成|换到|换用|转用|转到|切换到|切换成|迁移到|改成用?)了? <VALUE>"
        ),
        content="{subject}改用{value}",
        refine=refine_replaced_technology,
        names_entity=True,
    ),
)
