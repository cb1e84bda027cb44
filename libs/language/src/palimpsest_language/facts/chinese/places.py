"""Places the rules know by their Chinese names: "我在北京上班" names no employer."""

import re

_NAMES = """
    北京 上海 广州 深圳 天津 重庆 成都 杭州 南京 武汉 西安 苏州 长沙 郑州 青岛 大连 厦门 宁波 无锡
    合肥 福州 济南 昆明 沈阳 哈尔滨 长春 石家庄 太原 南昌 贵阳 南宁 海口 兰州 西宁 银川 乌鲁木齐
    拉萨 呼和浩特 珠海 东莞 佛山 温州 常州 烟台 三亚 桂林 洛阳 香港 澳门 台北 高雄 新竹 台湾 河北
    山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 广西 海南 四川 贵州
    云南 陕西 甘肃 青海 西藏 宁夏 新疆 内蒙古 东北 中国 美国 英国 法国 德国 日本 韩国 加拿大
    澳大利亚 新西兰 新加坡 马来西亚 泰国 越南 印度 俄罗斯 意大利 西班牙 荷兰 瑞士 瑞典 挪威 丹麦
    纽约 旧金山 洛杉矶 西雅图 波士顿 芝加哥 硅谷 伦敦 巴黎 柏林 慕尼黑 阿姆斯特丹 东京 大阪 京都
    首尔 曼谷 多伦多 温哥华 悉尼 墨尔本 迪拜 莫斯科 罗马 马德里 巴塞罗那 苏黎世 唐山 秦皇岛 邯郸
    邢台 保定 张家口 承德 沧州 廊坊 衡水 大同 阳泉 长治 晋城 晋中 运城 忻州 临汾 吕梁 包头 赤峰
    通辽 鄂尔多斯 呼伦贝尔 鞍山 抚顺 本溪 丹东 锦州 营口 阜新 辽阳 盘锦 铁岭 葫芦岛 四平 辽源 通化
    白山 松原 白城 延边 齐齐哈尔 鸡西 鹤岗 双鸭山 大庆 伊春 佳木斯 七台河 牡丹江 黑河 绥化 徐州
    南通 连云港 淮安 盐城 扬州 镇江 泰州 宿迁 嘉兴 湖州 绍兴 金华 衢州 舟山 台州 丽水 义乌 昆山
    芜湖 蚌埠 淮南 马鞍山 淮北 铜陵 安庆 黄山 滁州 阜阳 宿州 六安 亳州 池州 宣城 莆田 三明 泉州
    漳州 南平 龙岩 宁德 晋江 景德镇 萍乡 九江 新余 鹰潭 赣州 吉安 宜春 抚州 上饶 淄博 枣庄 东营
    潍坊 济宁 泰安 威海 日照 临沂 德州 聊城 滨州 菏泽 开封 平顶山 安阳 鹤壁 新乡 焦作 濮阳 许昌
    漯河 三门峡 南阳 商丘 信阳 周口 驻马店 黄石 十堰 宜昌 襄阳 鄂州 荆门 孝感 荆州 黄冈 咸宁 随州
    恩施 株洲 湘潭 衡阳 邵阳 岳阳 常德 张家界 益阳 郴州 永州 怀化 娄底 湘西 韶关 汕头 江门 湛江
    茂名 肇庆 惠州 梅州 汕尾 河源 阳江 清远 中山 潮州 揭阳 云浮 柳州 梧州 北海 防城港 钦州 贵港
    玉林 百色 贺州 河池 来宾 崇左 自贡 攀枝花 泸州 德阳 绵阳 广元 遂宁 内江 乐山 南充 眉山 宜宾
    广安 达州 雅安 巴中 资阳 六盘水 遵义 安顺 毕节 铜仁 曲靖 玉溪 保山 昭通 丽江 普洱 临沧 大理
    西双版纳 铜川 宝鸡 咸阳 渭南 延安 汉中 榆林 安康 商洛 嘉峪关 金昌 白银 天水 武威 张掖 平凉 酒泉
    敦煌 庆阳 定西 陇南 银川 石嘴山 吴忠 固原 中卫 克拉玛依 吐鲁番 哈密 伊犁 喀什 日喀则 林芝 浦东
    闵行 徐汇 静安 杨浦 虹口 普陀 宝山 嘉定 松江 青浦 奉贤 海淀 朝阳 通州 昌平 大兴 丰台 顺义 望京
    南山 福田 罗湖 龙岗 宝安 天河 越秀 番禺 余杭 萧山 武侯 锦江 江北 渝北
"""

KNOWN_PLACES = frozenset(_NAMES.split())


def is_known_place(name: str) -> bool:
    return name in KNOWN_PLACES or name.removesuffix("市").removesuffix("省") in KNOWN_PLACES


_LONGEST = max(map(len, KNOWN_PLACES))
_AT = re.compile(r"[在去到回]")


def find_place_at(text: str, start: int) -> str | None:
    """The longest known place that begins here."""
    for length in range(_LONGEST, 1, -1):
        if text[start : start + length] in KNOWN_PLACES:
            return text[start : start + length]
    return None


def names_place(text: str) -> bool:
    """Tell whether something is said to be in, or to go to, a place that is known."""
    return any(find_place_at(text, match.end()) for match in _AT.finditer(text))
