"""What a question asks about, and what a request needs to know."""

import pytest

from memory.recall.matters_asked import Asked, answers, matters_asked, needs_of
from memory.text.slot_cues import Slot
from memory.text.slots import slot_claims


@pytest.mark.parametrize(
    ("question", "matter"),
    [
        ("我抽不抽烟", Asked(Slot.HABIT, "smoke")),
        ("我用什麼手機", Asked(Slot.POSSESSION, "phone")),
        ("我老公在哪", Asked(Slot.AWAY, whose="老公")),
        ("what car do I have?", Asked(Slot.POSSESSION, "car")),
        ("where am I living these days", Asked(Slot.HOME)),
        ("am i veggie?", Asked(Slot.HABIT, "diet")),
        ("where's my husband", Asked(Slot.AWAY, whose="my husband")),
        ("when's my bday", Asked(Slot.BIRTHDAY)),
        ("我人常住哪", Asked(Slot.HOME)),
        ("which hotel employs me?", Asked(Slot.WORK)),
        ("Which county town are we in these days?", Asked(Slot.HOME)),
        ("我靠啥吃饭", Asked(Slot.WORK)),
    ],
)
def test_a_question_is_read_for_the_matter_it_is_about(question: str, matter: Asked) -> None:
    assert matter in matters_asked(question)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("我用什么手机", "我换了辆比亚迪"),
        ("我老公在哪", "我回来了"),
        ("我喜欢吃什么", "烟戒了，整整三个月没碰"),
        ("what do i like", "I hate olives"),
        ("what phone do I use", "I drive a Corsa"),
        ("where does my sister live", "I moved to Leeds"),
    ],
)
def test_what_is_of_another_thing_or_person_answers_nothing(question: str, told: str) -> None:
    asked = matters_asked(question)

    assert not any(answers(claim, each) for claim in slot_claims(told) for each in asked)


def test_who_asks_what_one_does_for_a_living_does_not_ask_where_one_lives() -> None:
    asked = {each.slot for each in matters_asked("what do I do for a living?")}

    assert asked == {Slot.WORK}
    assert Slot.HOME in {each.slot for each in matters_asked("where am I living now?")}


@pytest.mark.parametrize(
    ("line", "slot"),
    [
        ("点外卖送去哪个区？", Slot.HOME),
        ("给我来首我爱听的", Slot.TASTE),
        ("叫我一声", Slot.NICKNAME),
        ("我该不该还吃叶酸", Slot.HEALTH),
        ("要是有人给我介绍对象 你说我该咋回", Slot.PARTNER),
        ("who should i get a valentine for?", Slot.PARTNER),
        ("film tonight? what should we avoid", Slot.TASTE),
        ("get me my usual drink please", Slot.TASTE),
        ("should i go for a run tomorrow?", Slot.HEALTH),
        ("go on, say hello to me by name", Slot.NICKNAME),
    ],
)
def test_a_request_needs_what_is_known_of_a_slot_without_asking_for_it(
    line: str, slot: Slot
) -> None:
    assert any(slot in need.slots for need in needs_of(line))


@pytest.mark.parametrize(
    "line",
    [
        "昨晚吃了顿火锅，爽",
        "外卖又送错了，气死",
        "你喜欢看电影吗",
        "我们上次去的那家馆子叫什么",
        "I had dinner with mum, it was lovely",
        "what a lovely song",
        "did you watch the film?",
        "what did I have for lunch yesterday?",
        "We went to the gym and then home.",
    ],
)
def test_what_is_told_or_asked_of_her_or_of_former_times_needs_nothing(line: str) -> None:
    assert needs_of(line) == ()


def test_a_fact_of_another_sort_or_of_somebody_else_meets_no_need() -> None:
    (need,) = needs_of("给我来首我爱听的")

    def meets(told: str) -> bool:
        return any(need.is_met_by(claim, told) for claim in slot_claims(told))

    assert meets("最近迷上听陈粒的歌")
    assert not meets("我最爱吃螺蛳粉")
    assert not meets("我妹妹最爱听周杰伦的歌")
