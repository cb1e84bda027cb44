"""That something was told wrong, in ordinary words: 不对，我记错了，是; 说错了，是; 更正一下; 不是周三是周四."""

_BESIDE = r"(?:啊|哦|噢|呃|嗯|哎呀|哎|唉|嗐|晕|等等|等一?下|抱歉|不好意思|sorry|oops|对了|那个|我|用户|刚才|刚|前面|上面|之前|上次|昨天|好像|日子|日期|时间|名字|全|都)"
_WRONG = r"(?:不对|不是(?=[，,。 ])|不不|(?:说|记|写|打|看|搞|弄|讲|算|想|发)(?:错|岔|混|反|串)(?:字|人)?了?|错了|更正(?:一下)?|纠正(?:一下)?|改正(?:一下)?|口误|笔误|手误)"
# Each word can be read in one way only: else a line of nothing but these would be read for ever.
SAYS_WRONG = rf"(?:(?:{_BESIDE}[，, ]*)*{_WRONG}[呀哈]*[，,。：:!！ ]*)+"
"""That it was wrong, before what is right."""

RATHER = r"(?:正确的?|准确(?:来)?说|应该|其实|实际上?|我说的|我是说|说的|得)*"
