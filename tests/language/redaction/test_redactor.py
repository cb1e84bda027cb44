import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.redaction.policy import EVERYTHING
from palimpsest_language.redaction.redactor import redact
from tests.support.growth import grows_in_proportion

A_PRIVATE_KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----"
A_KEY_CUT_SHORT = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB"
A_JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"

SECRETS = [
    # Keys and tokens by their shape.
    ("use sk-proj-abcDEF1234567890abcd now", "use [redacted:api_key] now"),
    ("sk-ant-api03-abcDEF1234567890abcDEF", "[redacted:api_key]"),
    ("我的 key 是 sk-abcDEF1234567890abcdEF，别外传", "我的 key 是 [redacted:api_key]，别外传"),
    ("sk_live_4eC39HqLyjWDarjtT1zdp7dc", "[redacted:api_key]"),
    ("acme_live_9Qw2Er7Ty1Ui", "[redacted:api_key]"),
    ("AKIAIOSFODNN7EXAMPLE", "[redacted:api_key]"),
    ("LTAI5tFakeFakeFake1234", "[redacted:api_key]"),
    ("AIzaSyA1234567890abcdefghijklmnopqrstuv", "[redacted:api_key]"),
    ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[redacted:token]"),
    ("github_pat_11ABCDEFG0abcdefghijkl_mnop", "[redacted:token]"),
    ("glpat-a1b2c3d4e5f6g7h8i9j0", "[redacted:token]"),
    ("xoxb-123456789012-abcdefGHIJKL", "[redacted:token]"),
    ("https://hooks.slack.com/services/T0/B0/abcdefghijkl1234", "https://[redacted:token]"),
    ("hf_abcdefghijklmnopqrstuvwxyz012345", "[redacted:token]"),
    (A_JWT, "[redacted:token]"),
    ("Authorization: Bearer abc.def-123456789xyz", "Authorization: Bearer [redacted:token]"),
    ("authorization: Basic dXNlcjpwYXNz", "authorization: Basic [redacted:token]"),
    (f"here: {A_PRIVATE_KEY}\nok", "here: [redacted:private_key]\nok"),
    (A_KEY_CUT_SHORT, "[redacted:private_key]"),
    # Secrets by what is said of them.
    ("password: hunter2", "password: [redacted:password]"),
    ("Password:hunter2, user: bob", "Password:[redacted:password], user: bob"),
    ("my password is hunter2.", "my password is [redacted:password]."),
    ("my password is swordfish", "my password is [redacted:password]"),
    ("the password for the wifi is blue42", "the password for the wifi is [redacted:password]"),
    ("password was changed to Tiger!9", "password was changed to [redacted:password]"),
    ('{"password": "a b c"}', '{"password": "[redacted:password]"}'),
    ("DB_PASSWORD=s3cr3t!x", "DB_PASSWORD=[redacted:password]"),
    ("Server=db;Pwd=abc123;Port=1", "Server=db;Pwd=[redacted:password];Port=1"),
    ("https://x.test/?password=abc1&user=bob", "https://x.test/?password=[redacted:password]&user=bob"),
    ("密码是abc123", "密码是[redacted:password]"),
    ("密码：abc123，谢谢", "密码：[redacted:password]，谢谢"),
    ("密码是2024年糕", "密码是[redacted:password]年糕"),
    ("密码是2024，年前改的", "密码是[redacted:password]，年前改的"),
    ("wifi密码改成了 Summer2024", "wifi密码改成了 [redacted:password]"),
    ("我的密码就是 hello-5", "我的密码就是 [redacted:password]"),
    ("口令是“芝麻开门”", "口令是“[redacted:password]”"),
    ("password 是 qwerty99", "password 是 [redacted:password]"),
    ("postgres://bob:pa55@db:5432/x", "postgres://bob:[redacted:password]@db:5432/x"),
    ("redis://:s3cret@cache", "redis://:[redacted:password]@cache"),
    ("mongodb+srv://a:b%40c@h/d", "mongodb+srv://a:[redacted:password]@h/d"),
    ("password for wifi: sunshine1", "password for wifi: [redacted:password]"),
    ("password is: hunter2", "password is: [redacted:password]"),
    ("password -> hunter2", "password -> [redacted:password]"),
    ("login: bob / pass: Tr0ub4dor", "login: bob / pass: [redacted:password]"),
    ("curl -s -u admin:Passw0rd https://x.test", "curl -s -u admin:[redacted:password] https://x.test"),
    ("银行卡密码 482193", "银行卡密码 [redacted:password]"),
    ("用户名是bob，密码Bob2024", "用户名是bob，密码[redacted:password]"),
    ("https://x.test/y?v=1&sig=Zm9vYmFyYmF6cXV4Zm9v%3D", "https://x.test/y?v=1&sig=[redacted:token]"),
    ("Cookie: sid=a1b2c3d4e5f6a7b8c9; x=1", "Cookie: sid=[redacted:token]; x=1"),
    ("bot 123456789:AA7P8ChKs9Q5jiDYfN7dbxNoGeFIb7vuv3w", "bot [redacted:token]"),
    ("api_key=9f8e7d6c5b4a3210", "api_key=[redacted:secret]"),
    ("the api key is 9f8e7d6c5b4a3210", "the api key is [redacted:secret]"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MD", "aws_secret_access_key = [redacted:secret]"),
    ("密钥：A1b2C3d4E5f6", "密钥：[redacted:secret]"),
    ("开机密码就是糖糖生日1016", "开机密码就是[redacted:password]"),
    ("my password is Tangtang's birthday 1016", "my password is [redacted:password]"),
    # Ids by what they are called, whatever their check digits say.
    ("my passport number is 533401872", "my passport number is [redacted:national_id]"),
    ("My passport: C01X00T47", "My passport: [redacted:national_id]"),
    ("driver's licence number: D123-4567-8901", "driver's licence number: [redacted:national_id]"),
    ("my drivers license number is MORGA657054SM9IJ", "my drivers license number is [redacted:national_id]"),
    ("my SSN is 900-70-1234", "my SSN is [redacted:national_id]"),
    ("national insurance number: QQ 12 34 56 C", "national insurance number: [redacted:national_id]"),
    ("533401872 is my passport number", "[redacted:national_id] is my passport number"),
    ("我身份证号是510104199903152346", "我身份证号是[redacted:national_id]"),
    ("身分證字號 A123456789", "身分證字號 [redacted:national_id]"),
    ("护照号 E12345678", "护照号 [redacted:national_id]"),
    ("护照号：Ｅ１２３４５６７８，谢谢", "护照号：[redacted:national_id]，谢谢"),
    ("E12345678是我的护照号", "[redacted:national_id]是我的护照号"),
    ("驾照号：440300123456", "驾照号：[redacted:national_id]"),
    ("社保号 123456789", "社保号 [redacted:national_id]"),
    ("港澳通行证号C12345678", "港澳通行证号[redacted:national_id]"),
    # Cards.
    ("4111111111111111", "[redacted:card]"),
    ("pay with 4111 1111 1111 1111 exp 12/27", "pay with [redacted:card] exp 12/27"),
    ("5500-0000-0000-0004", "[redacted:card]"),
    ("3782 822463 10005", "[redacted:card]"),
    ("卡号6222021234567890128。", "卡号[redacted:card]。"),
    ("4111 1111 1111 1111 5500 0000 0000 0004", "[redacted:card] [redacted:card]"),
]  # fmt: skip

INNOCENT = [
    # Hashes, versions, ids, numbers.
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "550e8400-e29b-41d4-a716-446655440000",
    "4444444-4444-4111-1111-111111111111",
    "order number 4111111111111111",
    "Order #4111 1111 1111 1111",
    "订单号：4111111111111111",
    "运单编号 4111111111111111",
    "4111 1111 1111 1112",
    "1700000000000 1699999999999",
    "3.14159265358979323846",
    "2026-03-02 09:30:00.123456",
    "v1.2.3-rc.4+build.5678",
    "+86 138 0013 8000",
    "room 4111, floor 12, seat 1111",
    # Numbers beside documents, and of something else.
    "order number 533401872",
    "passport order number 533401872",
    "the phone model is E12345678",
    "my passport expires 2027-03-01",
    "passport office 020 7946 0000",
    "visa fee 185000 won",
    "my driver's license expires on 2027-03-01",
    "ID 12345678 in the game",
    "订单号 533401872",
    "护照 20270301 到期",
    "驾照 2019 年拿的",
    "社保交了12345元",
    "身份证后四位2346",
    "证件照 20 张",
    "工号12345678",
    # Talk about secrets that gives none away.
    "密码是什么1016",
    "the password is our old one from 2019",
    "the password is required",
    "password is wrong again",
    "I forgot my password.",
    "The password is stored as a hash",
    "passwords: 3",
    "密码是多少",
    "密码至少8位",
    "密码: 8-16位",
    "密码学是一门课",
    "密码错了，请重试",
    "bearer of bad news from the north",
    "pass rate: 95%",
    "pass: too tired",
    "I will pass: 2026-03-02 is full",
    "boarding pass: gate B12",
    "密码8-16位",
    "密码 2026-03-02 改过",
    "忘记密码 400-820-8820",
    "The password for step 3: open the door",
    "密码 2 次都输错了",
    "密码箱2024款",
    "密码是2024年设的",
    "密码是2019年12月改的，老是记不住",
    "银行卡密码还是2021年办卡时设的",
    "password for wifi: required",
    "curl -u admin https://x.test:8080/",
    "https://x.test/?signature=yes",
    "token: 128",
    "the secret is patience",
    "a PEM file starts with -----BEGIN PRIVATE KEY----- and then goes on",
    "sk-learn-is-a-fine-library-to-use",
    # Code.
    "password: str = None",
    "def login(user: str, password: str) -> None:",
    "password=get_password()",
    "user.password = other.password",
    "api_key=<your key>",
    "password=${DB_PASSWORD}",
    "password: ********",
    "pwd: /home/user",
    "https://example.test:8080/path@x",
    "token = next(tokens)",
    "git@github.com:owner/project.git",
    "今天天气很好，我们去公园吧。",
]

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
        "13812345678", "+1 415-555-2671", "ana@example.org", "１２３", "验证码", "482913", "cvv ", "123",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=14).map("".join), st.text())


@pytest.mark.parametrize(("text", "redacted"), SECRETS)
def test_a_secret_is_taken_out_and_nothing_else(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text).text == text


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
        if not any(each.start <= position < each.end for each in redacted.findings):
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
        "passport number is ", "passport number for a b ", "身份证号是身份证", "533401872 is my my ", "密码是糖糖", "密码是糖糖1016x",
        "password is my dog ", "E12345678 12345 ", "AB12345", "driver's licence ", "证件号12 ",
    ],
)  # fmt: skip
def test_hostile_input_takes_time_in_proportion_to_its_length(piece: str) -> None:
    assert grows_in_proportion(lambda text: redact(text, EVERYTHING), piece, 64 * 1024)


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
