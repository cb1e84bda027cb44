"""Display settings: each has one value at a time."""

_NAMES = {
    "preferred_theme": """
        dark mode|dark theme|night mode|light mode|light theme|day mode|high contrast mode|
        深色模式|深色主题|暗色模式|暗色主题|暗黑模式|黑暗模式|夜间模式|浅色模式|浅色主题|亮色模式|亮色主题|
        明亮模式|日间模式|白天模式|高对比度模式
    """,
    "preferred_units": """
        metric units|the metric system|metric|imperial units|the imperial system|imperial|
        公制单位|公制|英制单位|英制
    """,
    "preferred_temperature_unit": "Celsius|Fahrenheit|摄氏度|摄氏|华氏度|华氏",
    "preferred_time_format": """
        24-hour clock|24-hour time|24-hour format|12-hour clock|12-hour time|12-hour format|
        24小时制|12小时制|二十四小时制|十二小时制
    """,
}

_ATTRIBUTES = {
    " ".join(name.split()).casefold(): attribute
    for attribute, names in _NAMES.items()
    for name in names.split("|")
}

SETTINGS = "|".join(sorted(_ATTRIBUTES, key=len, reverse=True))
"""Alternatives of a pattern, longest first."""


def find_setting_attribute(name: str) -> str | None:
    """Return the attribute of a setting's value; None for an unknown setting."""
    return _ATTRIBUTES.get(" ".join(name.split()).casefold())
