"""Places the rules know by their Chinese names: "我在北京上班" names no employer."""

_NAMES = """
    北京 上海 广州 深圳 天津 重庆 成都 杭州 南京 武汉 西安 苏州 长沙 郑州 青岛 大连 厦门 宁波 无锡
    合肥 福州 济南 昆明 沈阳 哈尔滨 长春 石家庄 太原 南昌 贵阳 南宁 海口 兰州 西宁 银川 乌鲁木齐
    拉萨 呼和浩特 珠海 东莞 佛山 温州 常州 烟台 三亚 桂林 洛阳 香港 澳门 台北 高雄 新竹 台湾
    河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 广西 海南 四川
    贵州 云南 陕西 甘肃 青海 西藏 宁夏 新疆 内蒙古 东北 中国 美国 英国 法国 德国 日本 韩国 加拿大
    澳大利亚 新西兰 新加坡 马来西亚 泰国 越南 印度 俄罗斯 意大利 西班牙 荷兰 瑞士 瑞典 挪威 丹麦
    纽约 旧金山 洛杉矶 西雅图 波士顿 芝加哥 硅谷 伦敦 巴黎 柏林 慕尼黑 阿姆斯特丹 东京 大阪 京都
    首尔 曼谷 多伦多 温哥华 悉尼 墨尔本 迪拜 莫斯科 罗马 马德里 巴塞罗那 苏黎世
"""

KNOWN_PLACES = frozenset(_NAMES.split())


def is_known_place(name: str) -> bool:
    return name in KNOWN_PLACES or name.removesuffix("市").removesuffix("省") in KNOWN_PLACES
