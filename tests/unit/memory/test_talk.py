"""Where secrets stand in what people say, by itself and for what was said before."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model import Message
from memory.privacy.plain_form import plain_form
from memory.privacy.talk import places_in, places_in_talk
from tests.builders import a_message

HERS = "小祥："


def talk_of(*lines: str) -> list[Message]:
    return [
        a_message(
            str(number),
            line.removeprefix(HERS),
            speaker="小祥" if line.startswith(HERS) else "安",
            role="assistant" if line.startswith(HERS) else "user",
        )
        for number, line in enumerate(lines)
    ]


def cut(*lines: str) -> str:
    """Return what is left of a talk."""
    left = []
    for message, places in zip(talk_of(*lines), places_in_talk(talk_of(*lines)), strict=True):
        text = message.text
        for start, end in reversed(places):
            text = text[:start] + "***" + text[end:]
        left.append(text)
    return "\n".join(left)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("我邮箱的密码改成 Tulip#2093 了", "我邮箱的密码改成 *** 了"),
        ("路由器密碼係 fishball88", "路由器密碼係 ***"),
        ("パスワードはsakura2024です", "パスワードは***です"),
        ("我的password是kettle_99", "我的password是***"),
        ("密 码 是 q-i-n-g-5-5", "密 码 是 ***"),
        ("the shed code is double four niner one", "the shed code is ***"),
        ("店里wifi密码六个三", "店里wifi密码***"),
        ("dial 14 left, 9 right, 22 left", "dial ***"),
        ("大门按 5521 进", "大门按 *** 进"),
        ("快递 8-3-2047 的取件码", "快递 8-3-2047 的取件码"),
        ("12306的密码又忘了", "12306的密码又忘了"),
        ("kettle99x is what I use as password", "*** is what I use as password"),
        ("my master password is purple monkey dishwasher", "my master password is ***"),
        ("密码：阳光灿烂的日子", "密码：***"),
        ("取款密码 七七四九零一", "取款密码 ***"),
        ("the gate code is 4471", "the gate code is ***"),
        ("CVV是838", "CVV是***"),
        ("护照 E12345678 别丢了", "护照 *** 别丢了"),
        ("卡 ４１１１ １１１１ １１１１ １１１１ 给你", "卡 *** 给你"),
        ("4\u200d111111111111\u200b111", "***"),
        ("send it to GB82 WEST 1234 5698 7654 32 please", "send it to *** please"),
        ("amqp://rabbit:carrot77@mq:5672/", "amqp://rabbit:***@mq:5672/"),
        ("stripe rk_live_51H8abcDEF12345678 here", "stripe *** here"),
    ],
)
def test_exactly_the_value_is_cut(said: str, left: str) -> None:
    assert cut(said) == left


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (("小祥：你家门禁密码是多少？", "3380#"), "***"),
        (("小祥：what's your netflix password?", "its kettle99"), "its ***"),
        (("小祥：门口对的口令是什么呀", "春江花月夜"), "***"),
        (("我的微博密码", "小祥：嗯？", "weibo_9921"), "***"),
        (("Xk99-lotus", "小祥：这是什么？", "^ 我steam的密码"), "***\n这是什么？"),
        (("我的卡号前半 4111 1111", "小祥：嗯", "后半 1111 1111"), "后半 ***"),
        (("wifi换成", "laohu88"), "***"),
        (("laohu88", "刚才那个是wifi的"), "***"),
        (("tiger88", "刚换成上面那个了"), "***"),
        (("把微信的改成", "小狗1234"), "***"),
        (("改成新的了", "老虎1234哈"), "***"),
        (("门锁改成指纹了", "备用的是 1234"), "***"),
        (("密码改成新的了", "tiger88"), "***"),
        (("changed it to", "it's now tiger88"), "***"),
        (("I changed it to something else", "tiger88"), "***"),
        (("the garage door", "4471"), "***"),
    ],
)
def test_what_was_said_before_tells_a_secret(lines: tuple[str, ...], left: str) -> None:
    assert left in cut(*lines)


@pytest.mark.parametrize(
    "lines",
    [
        ("密码锁坏了，修了3天",),
        ("pass me the salt, 2024 was rough",),
        ("The password expires in 90 days",),
        ("order no 4111111111111111",),
        ("银行 9:00-17:00 开门",),
        ("证件办理 2026年11月30日 截止",),
        ("公积金贷款利率3.1%，贷了860000",),
        ("the code review took 45 minutes on PR 10482",),
        ("小祥：你的密码记好了吗", "记好了 放心吧"),
        ("小祥：what's your password?", "haha nope"),
        ("我的密码", "我忘了啊啊啊"),
        # What something was changed to is told, and leaves nothing open.
        ("摄影师换成苗苗了", "桌数减到12桌"),
        ("摄影师换成苗苗了", "小祥：嗯，我听着呢。", "桌数减到15桌"),
        ("伴娘换成表妹林可了", "减到12桌"),
        ("花改成绣球了", "预算加到26000"),
        ("主持人换成老马", "一共5200"),
        ("供货商换成老刘了", "箱数减到30箱"),
        ("I switched to decaf", "down to 1200 a day"),
        ("we changed to the new gym", "paid 4500"),
        ("I switched it to oat milk", "room 4512b"),
        ("房租一个月4200，每个月5号交", "老李那个改了，要8条不要5条了"),
        ("房租4200", "老李那个改了，要8条"),
        ("the order is 1200 boxes", "that's changed to 900"),
        # A door, a network or a till is a word of every day.
        ("今天把大门修了", "花了4500"),
        ("宽带换成电信了", "99一个月"),
        ("今天去取钱了", "取了5000"),
        ("开门大吉", "今天卖了2140"),
        ("the gym opens at six", "paid 4500"),
        ("we got a new garage door", "4500 quid"),
    ],
)
def test_talk_about_secrets_and_other_numbers_stay(lines: tuple[str, ...]) -> None:
    assert not any(places_in_talk(talk_of(*lines)))


@given(st.text(max_size=120))
def test_places_lie_apart_inside_the_text(text: str) -> None:
    places = places_in(text)

    edges = [edge for place in places for edge in place]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(text) for start, end in places)
    form = plain_form(text)
    assert len(form.text) == len(form.starts) == len(form.ends)


@pytest.mark.parametrize(
    "piece", ["密码是", "password ", "1 ", "abandon ", "a-b", "今天真好，", "-"]
)
def test_ten_times_the_text_takes_about_ten_times_as_long(piece: str) -> None:
    def spent(length: int) -> float:
        text = (piece * length)[:length]
        began = time.process_time()
        places_in(text)
        return time.process_time() - began

    assert spent(20_000) < 40 * spent(2_000) + 0.2


NAMES = (
    "IMG_2034.HEIC", "contract v2.pdf", "photo1.png", "CV_2026.pdf", "invoice 88231047.pdf",
    "scan 20261128.pdf", "boarding pass 2026-12-04.pdf", "2026-12 rent.pdf", "13800138000.vcf",
    "简历2026.pdf", "微信图片_20261128091500.jpg", "VID_20261128_193344.mp4", "notes.txt",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "sent", ["（发来一个文件：{}，我还打不开）", "(sent a file I cannot open yet: {})"]
)
def test_the_name_of_a_file_that_came_is_no_secret(name: str, sent: str) -> None:
    line = sent.format(name)

    assert places_in(line) == ()
    assert cut(f"看看\n{line}") == f"看看\n{line}"
    # Nor if she asked for a password before, or one was announced.
    assert cut(f"{HERS}你的密码是多少？", line).endswith(line)
    assert cut("my wifi password is", line).endswith(line)


@pytest.mark.parametrize(
    "sent",
    [
        "(sent a task: pick up keys, due 2026-12-04T10:32:00)",
        "（发来一个任务：取钥匙，截止 2026-12-04 10:32）",
        "(sent an appointment: open the gate, 1970-01-01 00:00 to 1970-01-01 01:00)",
        "(shared a contact: Ines, +351 912 345 678)",
        "(sent a file I cannot open yet: birthday.mp4 (31 s))",
    ],
)
def test_what_else_came_without_words_is_no_secret(sent: str) -> None:
    assert places_in(sent) == ()


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (
            "my password is hunter2024\n(sent a file I cannot open yet: photo1.png)",
            "my password is ***\n(sent a file I cannot open yet: photo1.png)",
        ),
        (
            "我的密码是hunter2024\n（发来一个文件：简历2026.pdf，我还打不开）",
            "我的密码是***\n（发来一个文件：简历2026.pdf，我还打不开）",
        ),
        (
            "(sent a file I cannot open yet: my password is hunter2024)",
            "(sent a file I cannot open yet: my password is ***)",
        ),
        (
            "（发来一个文件：我的密码是hunter2024，我还打不开）",
            "（发来一个文件：我的密码是***，我还打不开）",
        ),
        ("(sent a task: the gate code is 4471)", "(sent a task: the gate code is ***)"),
    ],
)
def test_a_password_beside_a_file_or_in_its_name_is_one(said: str, left: str) -> None:
    assert cut(said) == left
