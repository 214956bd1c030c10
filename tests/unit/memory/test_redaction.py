"""What is private by itself, whatever a model says."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model import Language, Message, Sensitivity
from memory.privacy.redaction import (
    REDACTED,
    lines_not_kept,
    masked,
    secret_label,
    sensitivity_of,
    without_unkept,
)
from tests.builders import a_message
from tests.fakes.clock import NOON


@pytest.mark.parametrize(
    "text",
    [
        "我的银行卡密码是888888",
        "支付密码：hunter2",
        "身份证 11010519491231002X",
        "卡号 6222 0200 0000 0000 000 的卡号",
        "4111-1111-1111-1111",
        "my password is hunter",
        "PIN code: 4321",
        "api key = sk-abcdefghijklmnop1234",
    ],
)
def test_keys_and_numbers_of_money_and_identity_are_secret(text: str) -> None:
    assert sensitivity_of(text) == Sensitivity.SECRET


@pytest.mark.parametrize(
    "text",
    [
        "我手机号是13800138000",
        "家庭住址在朝阳区",
        "我确诊了抑郁症",
        "我对青霉素过敏",
        "I am allergic to penicillin",
        "my salary is low",
    ],
)
def test_addresses_health_and_income_are_sensitive(text: str) -> None:
    assert sensitivity_of(text) == Sensitivity.SENSITIVE


@pytest.mark.parametrize(
    "text", ["我喜欢猫", "我忘了密码", "订单 1234567890123", "I like cats", ""]
)
def test_the_rest_is_not(text: str) -> None:
    assert sensitivity_of(text) == Sensitivity.PUBLIC


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("我的密码是abc123，别告诉别人", "我的密码是***，别告诉别人"),
        ("卡 4111 1111 1111 1111 给你", "卡 *** 给你"),
        ("my password is hunter and I like cats", "my password is *** and I like cats"),
        ("我喜欢猫123", "我喜欢猫123"),
    ],
)
def test_only_the_secret_value_is_masked(text: str, left: str) -> None:
    assert masked(text) == left


@given(st.text(max_size=200))
def test_any_text_has_a_sensitivity(text: str) -> None:
    assert sensitivity_of(text) in set(Sensitivity)
    assert isinstance(masked(text), str)


@pytest.mark.parametrize(
    ("text", "language", "label"),
    [
        ("我家Wi-Fi密码是xiaobai2024", "zh", "Wi-Fi密码"),
        ("我的银行卡密码是888888", "zh", "银行密码"),
        ("支付宝的支付密码：hunter22", "zh", "支付宝密码"),
        ("身份证 11010519491231002X", "zh", "身份证号"),
        ("my bank PIN is 4471", "en", "bank PIN"),
        ("my e-mail password is hunter22", "en", "e-mail password"),
        ("api key = sk-abcdefghijklmnop1234", "en", "key"),
        ("密码是 alipay2024", "zh", "密码"),
        ("my password is bankphone77", "en", "password"),
        ("我偷看了她的手机密码", "zh", ""),
        ("我和小王分手了", "zh", ""),
        ("4111-1111-1111-1111", "en", ""),
    ],
)
def test_a_label_says_what_kind_of_secret_it_is_and_nothing_of_it(
    text: str, language: Language, label: str
) -> None:
    assert secret_label(text, language) == label


@given(st.text(alphabet="abwifibankpin支付宝微信密码0123456789", min_size=6, max_size=16))
def test_a_label_is_the_same_whatever_the_secret_is(value: str) -> None:
    text = f"我的密码是{value}"
    if masked(text) == "我的密码是***":
        assert secret_label(text, "zh") == "密码"


def talk(*lines: str, apart: timedelta = timedelta(seconds=20)) -> list[Message]:
    """Return lines of a talk; what begins with < is hers."""
    return [
        a_message(
            str(number),
            line.removeprefix("<"),
            at=NOON + number * apart,
            role="assistant" if line.startswith("<") else "user",
            speaker="小祥" if line.startswith("<") else "安",
        )
        for number, line in enumerate(lines)
    ]


ILL = ("你好", "<在的", "我妈住院了", "心脏不好", "刚做了支架")
ILL_EN = ("hi", "<hello", "mum is in hospital", "it's her heart", "she got a stent")


@pytest.mark.parametrize(
    ("lines", "wish", "gone"),
    [
        ((*ILL, "<愿早点好起来"), "刚才那个别记", ILL[2:]),
        ((*ILL, "<愿早点好起来"), "这事别记", ILL[2:]),
        ((*ILL, "<愿早点好起来"), "刚才那几句别记", ILL[2:]),
        ((*ILL, "<愿早点好起来"), "刚才那句别记", ILL[4:]),
        ((*ILL, "<愿早点好起来"), "最后那条别记", ILL[4:]),
        (ILL, "刚才那个别记", ILL[2:]),
        ((*ILL_EN, "<get well"), "don't write that down", ILL_EN[2:]),
        ((*ILL_EN, "<get well"), "that's off the record", ILL_EN[2:]),
        ((*ILL_EN, "<get well"), "don't save that last bit", ILL_EN[4:]),
        ((*ILL_EN, "<get well"), "don't keep that last one", ILL_EN[4:]),
    ],
)
def test_who_said_it_in_several_lines_means_them_all(
    lines: tuple[str, ...], wish: str, gone: tuple[str, ...]
) -> None:
    *before, asked = talk(*lines, wish)

    assert tuple(each.text for each in lines_not_kept([asked], before)) == gone
    left = [each.text for each in without_unkept([*before, asked]) if each.role == "user"]
    told = [each for each in lines if not each.startswith("<")]
    assert left == [*(REDACTED if each in gone else each for each in told), wish]


def test_what_was_said_long_before_is_another_turn() -> None:
    *before, asked = talk(*ILL, "刚才那个别记", apart=timedelta(hours=1))

    assert [each.text for each in lines_not_kept([asked], before)] == ["刚做了支架"]
