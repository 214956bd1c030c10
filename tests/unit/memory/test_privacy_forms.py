"""Secrets that their form gives away, and what only looks like it."""

import pytest

from memory.privacy.redaction import masked
from memory.privacy.talk import MASK


@pytest.mark.parametrize(
    ("text", "left"),
    [
        # The check digit is wrong, the card is one all the same.
        ("订酒店用 5417 8802 6614 0937，11/29，608", f"订酒店用 {MASK}，{MASK}，{MASK}"),
        (
            "卡4417 1234 5678 9112，后面那三个数317，明年5月到期",
            f"卡{MASK}，后面那三个数{MASK}，明年5月到期",
        ),
        (
            "card is 4659 1203 7784 0016 exp 03/30 n 271 on the back",
            f"card is {MASK} exp {MASK} n {MASK} on the back",
        ),
        ("门口先按 0629 再按井号", f"门口先按 {MASK} 再按井号"),
        (
            "front gate eight three five five two and then the star",
            f"front gate {MASK} and then the star",
        ),
        ("保险柜往右转两圈到41 往左到08 再往右到66", f"保险柜{MASK}"),
        ("收到短信 730 114 是啥", f"收到短信 {MASK} 是啥"),
        ("电脑又要登录系统，这回改成 Hushi.2026Q4 了", f"电脑又要登录系统，这回改成 {MASK} 了"),
        (
            "netflix is broken again its Halibut!Waltz88 if she rings",
            f"netflix is broken again its {MASK} if she rings",
        ),
        ("密码念给你 八八么六二", f"密码念给你 {MASK}"),
        ("Medicare says 4TK8-WM2-RY61", f"Medicare says {MASK}"),
        ("Alarm at the shop: 6 6 1 9", f"Alarm at the shop: {MASK}"),
        ("行李箱还是 4 0 9 那个", f"行李箱还是 {MASK} 那个"),
        ("the garage panel wants 0#7315", f"the garage panel wants {MASK}"),
        ("app password for mail: qhzt-wmlp-rkob-xuvn", f"app password for mail: {MASK}"),
        ("密保答案是橘子汽水", f"密保答案是{MASK}"),
        ("my security answer is Bramble", f"my security answer is {MASK}"),
    ],
)
def test_what_is_written_like_a_secret_is_cut(text: str, left: str) -> None:
    assert masked(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "运单号 5417 8802 6614 0937，11/29 到",
        "3847*29=111563，对不对你帮我算算",
        "今天走了 8352 步，累",
        "打开网易邮箱看看，我的邮箱叫 annsmith1990",
        "I put the RTX4090 into the tablet's box",
        "my email is annsmith1990, use that one",
        "we drove left at 41 and right at 8",
        "the flight is at 0629 and then the bus",
        "室 1402 门口见",
        "a long-term-care-plan for her mother",
        "the answer is on page 42",
        "拉了 3 个行李箱，等 12 号出发",
    ],
)
def test_what_is_ordinary_stays(text: str) -> None:
    assert masked(text) == text
