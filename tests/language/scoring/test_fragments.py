"""Where a message is cut into pieces."""

import pytest

from palimpsest_language.local_extraction.local_extractor import apply_rules
from tests.support.language.statements.saying import asked


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("我用 Vue 写前端页面", ["我用 Vue 写前端页面"]),
        ("订单放在 PostgreSQL 里，图片放 S3", ["订单放在 PostgreSQL 里", "图片放 S3"]),
        ("下班了 去打球了", ["下班了", "去打球了"]),
        ("48岁，重庆人，在汽配厂当主管", ["48岁", "重庆人", "在汽配厂当主管"]),
        ("豆包（我家的狗，三岁）咬断了线", ["豆包（我家的狗，三岁）咬断了线"]),
    ],
)
async def test_a_gap_beside_a_latin_word_is_for_the_eye(text: str, pieces: list[str]) -> None:
    (said,) = (await apply_rules(asked(text))).said
    assert [piece.text for piece in said.pieces] == pieces
