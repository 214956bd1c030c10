"""The rule-based reviewer: what lasts stays, what is over goes, and why."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.offline.reviews import (
    OFTEN_TOLD,
    REASONS,
    ReviewReason,
    RuleVerdict,
    reason_text,
    review_verdict,
    rule_verdict,
)
from prompts import PromptMemory, Review, ReviewSigns

EVENING = datetime(2026, 3, 4, 20, tzinfo=ZoneInfo("Asia/Shanghai"))


def shown(text: str, days: int = 10, *, past: bool = False) -> PromptMemory:
    return PromptMemory("m1", text, EVENING - timedelta(days=days), past=past)


def a_review(
    memory: PromptMemory,
    task: str = "decay",
    relatives: tuple[PromptMemory, ...] = (),
    signs: ReviewSigns | None = None,
    language: str = "zh",
) -> Review:
    return Review(
        language=language,
        partner="主人",
        now=EVENING,
        task="promotion" if task == "promotion" else "decay",
        memory=memory,
        relatives=relatives,
        signs=signs or ReviewSigns(),
    )


def decided(text: str, task: str = "decay", **known: object) -> RuleVerdict:
    return rule_verdict(a_review(shown(text), task, signs=ReviewSigns(**known)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("主人叫李明", ReviewReason.SELF),
        ("主人的生日是5月4日", ReviewReason.SELF),
        ("主人在医院做护士", ReviewReason.SELF),
        ("The partner works as a nurse", ReviewReason.SELF),
        ("主人对虾过敏", ReviewReason.HEALTH),
        ("The partner is allergic to shrimp", ReviewReason.HEALTH),
        ("主人的女儿叫小满", ReviewReason.CLOSE),
        ("The partner's sister lives in Oslo", ReviewReason.CLOSE),
        ("主人喜欢拉面", ReviewReason.TASTE),
        ("The partner loves jazz", ReviewReason.TASTE),
        ("现在喜欢游泳", ReviewReason.TASTE),
        ("now the partner likes swimming", ReviewReason.TASTE),
    ],
)
def test_what_lasts_stays_and_is_promoted(text: str, reason: ReviewReason) -> None:
    assert decided(text) == ("keep", reason)
    assert decided(text, "promotion") == ("promote", reason)


@pytest.mark.parametrize(
    ("partner", "text", "reason"),
    [
        ("my friend", "my friend's name is Lena Hart", ReviewReason.SELF),
        ("my friend", "my friend is a nurse in Leeds", ReviewReason.SELF),
        ("my friend", "my friend loves hiking and ramen", ReviewReason.TASTE),
        ("Lena", "Lena works as a nurse", ReviewReason.SELF),
        ("Lena", "Lena loves jazz", ReviewReason.TASTE),
        ("小雨", "小雨叫林小雨", ReviewReason.SELF),
        ("小雨", "小雨爱吃拉面", ReviewReason.TASTE),
        # Learnt before they gave a name.
        ("Lena", "my friend is a nurse in Leeds", ReviewReason.SELF),
        ("小雨", "主人在医院做护士", ReviewReason.SELF),
    ],
)
def test_what_lasts_stays_whatever_the_partner_is_called(
    partner: str, text: str, reason: ReviewReason
) -> None:
    asked = replace(a_review(shown(text)), partner=partner)

    assert rule_verdict(asked) == ("keep", reason)


@pytest.mark.parametrize(
    ("day", "verdict"),
    [("10", ("keep", ReviewReason.PROMISED)), ("02", ("delete", ReviewReason.PASSING))],
)
def test_a_plan_stays_until_its_day_whatever_the_partner_is_called(
    day: str, verdict: tuple[str, ReviewReason]
) -> None:
    plan = f"my friend has a wedding to attend on 2026-03-{day}"
    asked = replace(a_review(shown(plan)), partner="my friend")

    assert rule_verdict(asked) == verdict


@pytest.mark.parametrize(
    "text",
    [
        "主人今天很累",
        "主人明天要去面试",
        "主人最近在整理书架",
        "主人现在有事在忙",
        "主人最近喜欢喝汽水",
        "主人心情不好",
        "The partner is tired today",
    ],
)
def test_what_passes_goes_and_is_not_promoted(text: str) -> None:
    assert decided(text, "promotion").decision == "keep"
    assert decided(text).decision == "delete"


def test_a_sentence_about_the_partner_stays_if_nothing_speaks_against_it() -> None:
    assert decided("主人在中学教地理") == ("keep", ReviewReason.SELF)
    assert decided("The partner collects old maps") == ("keep", ReviewReason.SALIENT)


@pytest.mark.parametrize(
    "text",
    ["主人最近在学吉他", "主人最近在学习绘画", "The partner is learning Spanish lately"],
)
def test_what_is_being_learnt_stays_for_half_a_year_and_is_not_promoted(text: str) -> None:
    assert decided(text) == ("keep", ReviewReason.STUDY)
    assert decided(text, "promotion").decision == "keep"
    assert rule_verdict(a_review(shown(text, 200))).decision == "delete"


@pytest.mark.parametrize(
    "text", ["主人最近在学校门口等人", "主人最近学得很累", "主人最近在做数学作业"]
)
def test_not_every_word_of_school_is_study(text: str) -> None:
    assert decided(text).decision == "delete"


def test_chatter_goes_as_hardly_needed() -> None:
    assert decided("桥头的修车铺亮着灯") == ("delete", ReviewReason.UNNEEDED)


@pytest.mark.parametrize(
    ("text", "days", "expected"),
    [
        ("主人约好2026-03-10体检", 10, ("keep", ReviewReason.PROMISED)),
        ("主人约好2026-03-01体检", 10, ("delete", ReviewReason.OVER)),
        ("The partner has an appointment on 2026-03-09", 9, ("keep", ReviewReason.PROMISED)),
        ("The partner has an appointment on 2026-03-02", 9, ("delete", ReviewReason.OVER)),
    ],
)
def test_a_promise_stays_until_its_day_is_over(
    text: str, days: int, expected: tuple[str, ReviewReason]
) -> None:
    assert rule_verdict(a_review(shown(text, days))) == expected


def test_a_date_of_birth_is_never_over() -> None:
    assert decided("主人的生日是1990-05-04") == ("keep", ReviewReason.SELF)


def test_what_was_confirmed_stays_whatever_it_says() -> None:
    assert decided("桥头的修车铺亮着灯", confirmed=True) == ("keep", ReviewReason.CONFIRMED)
    assert decided("主人今天很累", confirmed=True) == ("keep", ReviewReason.CONFIRMED)


def test_told_again_stays_if_it_is_about_somebody_and_else_only_told_often() -> None:
    assert decided("我捡到一片叶子", told=2) == ("keep", ReviewReason.TOLD_AGAIN)
    assert decided("桥头的修车铺亮着灯", told=2).decision == "delete"
    assert decided("桥头的修车铺亮着灯", told=OFTEN_TOLD) == ("keep", ReviewReason.TOLD_AGAIN)


def test_what_was_filed_as_temporary_goes_and_a_taste_filed_as_passing_stays() -> None:
    assert decided("主人养了一盆花", kind="temporary").decision == "delete"
    assert decided("主人喜欢拉面", kind="passing_preference").decision == "keep"


def test_what_something_newer_replaced_goes() -> None:
    newer = PromptMemory("m2", "主人喜欢吃拉面", EVENING)
    moved = PromptMemory("m2", "主人搬到上海了", EVENING)

    assert rule_verdict(a_review(shown("主人喜欢拉面"), relatives=(newer,))).reason == "replaced"
    assert rule_verdict(a_review(shown("主人住在北京"), relatives=(moved,))).reason == "replaced"
    assert rule_verdict(a_review(shown("主人喜欢咖啡", past=True))).decision == "delete"


def test_an_older_or_a_past_relative_replaces_nothing() -> None:
    older = PromptMemory("m2", "主人喜欢吃拉面", EVENING - timedelta(days=50))
    past = PromptMemory("m2", "主人喜欢吃拉面", EVENING, past=True)

    for other in (older, past):
        assert rule_verdict(a_review(shown("主人喜欢拉面"), relatives=(other,)))[0] == "keep"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_answer_gives_its_reason_before_the_verdict(language: str) -> None:
    prompt = a_review(shown("主人叫李明"), language=language)

    assert review_verdict(prompt) == f"{reason_text(ReviewReason.SELF, language)}\n[KEEP]"


def test_every_reason_is_worded_in_both_languages() -> None:
    assert set(REASONS) == set(ReviewReason)
    assert all(chinese and english for chinese, english in REASONS.values())
    assert reason_text("of a later program", "en") == "of a later program"
