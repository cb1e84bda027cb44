"""Laws of redaction that hold for every text; single sentences are in `rows/redaction.jsonl`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.redaction.policy import EVERYTHING
from palimpsest_language.redaction.redactor import redact
from tests.support.growth import grows_in_proportion

PIECES = st.sampled_from(
    [
        "password", "密码", "口令", "api key", "token", "secret", " is ", "是", ": ", "=", "：", '"',
        "“", "”", "'", " ", ",", "，", ".", "\n", "&", "@", "://", "user:", "sk-", "[redacted:", "]",
        "sk-abcdefghij1234567890", "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJI.eyJzdWIiOiIx.abc",
        "4111111111111111", "4111 1111 1111 1111", "5500-0000-0000-0004", " 4", "order ", "订单号",
        "hunter2", "swordfish", "required", "[redacted:card]", "Bearer ", "authorization: basic ",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "A" * 30, "位", "设置", "成",
        "(", "<", "\\", "postgres://bob:pw@db", "a", "1", "_", "-", "/", "ghp_" + "a1" * 18,
        "110105197809289473", "536-22-8741", "ssn ", "DE44 5001 0517 5407 3249 31", "银行账号", "PIN ",
        "passport number ", "护照号", "身份证号是", "533401872", "E12345678", "糖糖生日1016", "my dog's birthday 1016",
        "1. any dash master dismiss crowd myth oppose wasp bind betray public film", "wallet ", "助记词",
        "recovery codes:", "1a2b-3c4d", "fw_a1B2c3D4e5F6g7H8i9J0k1", "the key\n", "a1b2c3d4e5f6a7b8", "提取码", "app password",
        "abcd efgh ijkl mnop", "at the cabin", "卡号是", "6222021234567890123", " is my key", "locker combination", "12-34-56",
        "13812345678", "+1 415-555-2671", "ana@example.org", "１２３", "验证码", "482913", "cvv ", "123",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=14).map("".join), st.text())


@given(TEXTS)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text, EVERYTHING)
    assert redact(once.text, EVERYTHING).text == once.text
    assert redact(once.text, EVERYTHING).findings == ()


@given(TEXTS)
def test_findings_are_in_order_and_account_for_every_change(text: str) -> None:
    redacted = redact(text, EVERYTHING)
    rebuilt, position = "", 0
    for finding in redacted.findings:
        assert position <= finding.start < finding.end <= len(text)
        rebuilt += text[position : finding.start] + f"[redacted:{finding.kind}]"
        position = finding.end
    assert rebuilt + text[position:] == redacted.text


@given(TEXTS)
def test_positions_outside_of_secrets_still_point_at_the_same_character(text: str) -> None:
    redacted = redact(text)
    for position, character in enumerate(text):
        if not any(finding.start <= position < finding.end for finding in redacted.findings):
            assert redacted.text[redacted.moved(position)] == character
    assert redacted.moved(len(text)) == len(redacted.text)


def test_a_position_within_a_secret_moves_behind_its_mark() -> None:
    redacted = redact("password: hunter2 ok")
    assert redacted.text[: redacted.moved(12)] == "password: [redacted:password]"
    assert redacted.text[: redacted.moved(10)] == "password: "


@pytest.mark.parametrize("length", [100, 127, 128, 129, 300, 5_000])
def test_a_long_secret_leaves_no_remainder(length: int) -> None:
    assert redact(f"password: {'x1' * length} ok").text == "password: [redacted:password] ok"
    assert redact(f'password: "{"x 1" * length}" ok').text == 'password: "[redacted:password]" ok'
    assert redact(f"sk-{'x1' * length} ok").text == "[redacted:api_key] ok"


@pytest.mark.parametrize(
    "piece",
    [
        "password:", "password is ", "-----BEGIN PRIVATE KEY-----", "eyJ", "eyJaaaaaaaaa.", "4", "4 ",
        "4111 ", "://a:b", "://", "sk-", "secret:", "api key is ", "密码是", "密码我已经改成",
        "bearer aaaaaaaaaaaaaaaaaaaa ", "authorization: basic ", "password for a b c d e f g h ",
        "-----BEGIN PRIVATE KEY-----\n" + "A" * 32 + "- ", "key-token-secret ", "token token: ",
        "order 4111 1111 1111 1112 ", "今天天气很好", "口令：天王", "把a1设为", "use x1 as the a b password",
        "536-22-8741 ", "110105197809289473 ", "DE44 ", "DE44 5001 0517 5407 3249 31 ", "de44 abcd ",
        "account number is 1 2 3 4 5 6 7 8 ", "账号是账号是", "pin for a b c d ", "otp code is ", "验证码是",
        "abandon ", "army van ", "wallet 1. any ", "诺 德 ", "13812345678 ", "+1 415-555-2671 ", "+1(",
        "a@", "a@b.", "a.a.", "://a@b.com ", "://a:" + "b" * 300 + "@@", "M" * 30 + ".", "１３８",
        "any dash master dismiss crowd myth oppose wasp bind betray public film x ",
        "recovery codes: 1a2b-3c4d ", "1a2b-3c4d, ", "fw_a1B2c3D4e5F6g7H8i9J0k1 ", "a1b2c3d4e5f6-", "key ", "密钥\n",
        "password we use at ", "password is correct horse battery ", "app password abcd ", "lock code at the ", "user a pass b ",
        "wifi at home key ", "password a is my ", "提取码 a1b2 ", "combo for the big old lock ", "setup key abcd ",
        "passport number is ", "passport number for a b ", "身份证号是身份证", "533401872 is my my ", "密码是糖糖", "密码是糖糖1016x",
        "password is my dog ", "E12345678 12345 ", "AB12345", "driver's licence ", "证件号12 ",
    ],
)  # fmt: skip
def test_hostile_input_takes_time_in_proportion_to_its_length(piece: str) -> None:
    assert grows_in_proportion(lambda text: redact(text, EVERYTHING), piece, 32 * 1024)


@pytest.mark.parametrize(
    "text",
    [
        "110105197809289474",  # the check digit is wrong
        "110105197813289473",  # no such month
        "990105197809289473",  # no such province
        "666-22-8741",  # never issued
        "301 55 0921",  # nobody says what it is
        "DE44 5001 0517 5407 3249 32",  # the check digits are wrong
        "any dash master dismiss crowd myth oppose wasp bind betray public panel",  # so is the sum
        "any dash master dismiss crowd myth oppose wasp bind betray public",  # eleven words
        "the account number is 883920174",  # of no bank
        "PIN 4 is the fourth, pin 1234567890 does not exist",
        "order 13812345678",
        "+1 115-555-2671",  # no such area
    ],
)
def test_what_does_not_hold_up_stays(text: str) -> None:
    assert redact(text, EVERYTHING).text == text


def test_wide_characters_are_read_and_what_is_around_them_stays_as_it_was() -> None:
    text = "Ｎｏ．１ 身份证１１０１０５１９７８０９２８９４７３，Ｏｋ"
    assert redact(text).text == "Ｎｏ．１ 身份证[redacted:national_id]，Ｏｋ"


def test_words_behind_an_account_do_not_belong_to_it() -> None:
    assert (
        redact("DE44 5001 0517 5407 3249 31 from Anna").text == "[redacted:bank_account] from Anna"
    )


def test_a_phrase_is_found_among_words_of_its_list() -> None:
    phrase = "any dash master dismiss crowd myth oppose wasp bind betray public film"
    assert redact(f"note {phrase} note").text == "note [redacted:seed_phrase] note"
