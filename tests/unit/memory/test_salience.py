"""How likely something is to be needed later: what speaks for it, and the day a plan is over."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.text import line_salience
from memory.text.salience import (
    BIAS,
    WEIGHTS,
    Salience,
    Sign,
    Telling,
    due_at,
    most_salient,
    of_signs,
    salience,
    signs_of,
)

ZONE = ZoneInfo("Asia/Shanghai")
TOLD = datetime(2026, 3, 1, 20, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("我叫李明", Sign.SELF),
        ("主人在医院做护士", Sign.SELF),
        ("My blood type is O", Sign.SELF),
        ("我对虾过敏", Sign.HEALTH),
        ("The partner is allergic to shrimp", Sign.HEALTH),
        ("我妹妹考上了大学", Sign.CLOSE),
        ("my daughter started school", Sign.CLOSE),
        ("我特别喜欢下雨天", Sign.TASTE),
        ("I really enjoy chess", Sign.TASTE),
        ("约好周五去看牙", Sign.PROMISE),
        ("I promised to call", Sign.PROMISE),
        ("第一次坐飞机", Sign.FIRST_TIME),
        ("今天心情不好", Sign.FEELING),
        ("你在吗？", Sign.QUESTION),
        ("其实是周六", Sign.CORRECTION),
    ],
)
def test_a_sign_is_seen(text: str, sign: Sign) -> None:
    assert sign in signs_of(text)


@pytest.mark.parametrize(
    "text",
    ["桥头的修车铺亮着灯", "湖边的公园开了荷花", "The lamp at the bridge is on", "", "。。。"],
)
def test_chatter_is_hardly_salient(text: str) -> None:
    assert salience(text).value < 0.2


@pytest.mark.parametrize("text", ["主人对虾过敏", "主人叫李明", "The partner loves jazz"])
def test_what_tells_of_a_person_is_salient(text: str) -> None:
    assert salience(text).value > 0.8


def test_it_is_a_logistic_sum_with_its_reasons_the_largest_first() -> None:
    found = of_signs({Sign.HEALTH: 1.0, Sign.LENGTH: 0.5})

    assert found.signs == (
        (Sign.HEALTH, WEIGHTS[Sign.HEALTH]),
        (Sign.LENGTH, WEIGHTS[Sign.LENGTH] / 2),
    )
    total = BIAS + sum(added for _, added in found.signs)
    assert found.value == pytest.approx(1 / (1 + 2.718281828**-total))


def test_every_sign_has_a_weight() -> None:
    assert set(WEIGHTS) | set(line_salience.WEIGHTS) == set(Sign)


@pytest.mark.parametrize("text", ["交房租约在2026-03-09", "约在2026-03-09看房东的猫"])
def test_what_only_speaks_of_a_home_is_over_with_its_day(text: str) -> None:
    assert Sign.SELF not in signs_of(text)
    assert due_at(text, TOLD, ZONE) == datetime(2026, 3, 10, tzinfo=ZONE)


def test_a_plan_of_a_partner_with_a_name_has_its_day() -> None:
    plan = "my friend has a wedding to attend next Friday (2026-03-13)"
    told = Telling(names=("my friend",))

    assert due_at(plan, TOLD, ZONE) is None  # a friend's wedding is no plan of theirs
    assert due_at(plan, TOLD, ZONE, told) == datetime(2026, 3, 14, tzinfo=ZONE)


def test_how_it_was_told_counts() -> None:
    plain = salience("在柜子里").value

    for told in (Telling(explicit=True), Telling(answer=True), Telling(new=1.0)):
        assert salience("在柜子里", told).value > plain
    assert salience("在柜子里", Telling(new=0.0)).value < plain


def test_of_many_texts_the_most_salient_counts_and_of_none_it_is_nothing() -> None:
    assert most_salient(["今天好累", "我对虾过敏"]) == salience("我对虾过敏")
    assert most_salient([]) == Salience(0.0)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("约好2026-03-10体检", 10),
        ("The partner has an appointment on 2026-03-10", 10),
        ("约好2026-02-10体检", None),
        # Without a year it is the next one, whether or not that day was this year already.
        ("约好3月10号体检", 10),
        ("约好2月10号体检", 347),
        ("The partner has an appointment on 10 February", 347),
        ("约好上个月体检", None),
        ("The partner had an appointment in February 2026", None),
        ("主人的生日是1990-05-04", None),
        ("桥头的修车铺亮着灯", None),
    ],
)
def test_a_promise_is_over_after_the_last_day_it_names(text: str, days: int | None) -> None:
    midnight = TOLD.replace(hour=0)
    expected = None if days is None else midnight + timedelta(days=days)

    assert due_at(text, TOLD, ZONE) == expected
