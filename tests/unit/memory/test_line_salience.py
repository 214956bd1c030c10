"""How likely a line of talk is to be asked for: what it shows, and how it was told."""

from datetime import timedelta

import pytest

from memory.text import line_salience
from memory.text.line_salience import LineTold, most_salient_line, told_in_order
from memory.text.salience import Salience, Sign
from tests.fakes.clock import NOON

PLAIN = LineTold()


def test_time_words_of_both_languages_tell_time() -> None:
    assert line_salience.tells_time("we met last Friday")
    assert line_salience.tells_time("上周三见过")
    assert not line_salience.tells_time("I like tea")


def test_counts_are_numbers() -> None:
    assert line_salience.tells_number("两只猫")
    assert line_salience.tells_number("we have two cats")
    assert not line_salience.tells_number("我喜欢猫")


def test_names_and_titles_are_told_from_plain_words() -> None:
    assert line_salience.tells_name("we went to Lisbon")
    assert line_salience.tells_name("在看《三体》")
    assert not line_salience.tells_name("We went home")


def test_who_talks_of_themselves_and_of_what_happened() -> None:
    assert line_salience.tells_self("我搬家了")
    assert line_salience.tells_self("I've moved")
    assert not line_salience.tells_self("It is raining")
    assert line_salience.tells_past("去了医院，打了针，吃过药") == 1.0
    assert line_salience.tells_past("it is fine") == 0.0


@pytest.mark.parametrize(
    ("told", "idle"),
    [
        ("我上周二带团子去医院打了疫苗，花了三百块", "你好呀，你最近怎么样"),
        ("Last Friday I went to Lisbon with my two kids", "Hey, how are you?"),
        ("我妈妈去年在杭州开了一家花店", "哈哈哈"),
        ("I bought a used violin in March and started lessons", "That sounds great, thanks!"),
    ],
)
def test_what_tells_of_a_life_is_worth_more_than_what_only_answers(told: str, idle: str) -> None:
    assert (
        line_salience.line_salience(told, PLAIN).value
        > 0.5
        > line_salience.line_salience(idle, PLAIN).value
    )


@pytest.mark.parametrize("text", ["我去了杭州", "I went to Hangzhou"])
def test_how_a_line_was_told_counts(text: str) -> None:
    plain = line_salience.line_salience(text, PLAIN).value

    for told in (LineTold(answer=True), LineTold(early=True), LineTold(new=1.0)):
        assert line_salience.line_salience(text, told).value > plain


def test_a_line_is_worth_less_a_word_the_longer_it_goes_on() -> None:
    short, long = ("我去了杭州看花 " * times for times in (3, 60))

    assert (
        line_salience.line_salience(long, PLAIN).value
        < line_salience.line_salience(short, PLAIN).value
    )


def test_the_reasons_add_up_and_the_strongest_comes_first() -> None:
    found = line_salience.line_salience("我昨天买了两本书", PLAIN)

    amounts = [abs(added) for _, added in found.signs]
    assert amounts == sorted(amounts, reverse=True)
    total = line_salience.BIAS + sum(added for _, added in found.signs)
    assert found.value == pytest.approx(1 / (1 + 2.718281828**-total))
    assert {sign for sign, added in found.signs if added} >= {Sign.TIME, Sign.NUMBER, Sign.MINE}


def test_what_follows_a_question_answers_it_unless_a_pause_lies_between() -> None:
    later = NOON + timedelta(hours=2)
    lines = [("你养猫吗？", NOON), ("养了", NOON), ("叫团子", NOON), ("嗯", NOON), ("早", later)]

    told = list(told_in_order(lines))

    assert [each.answer for each in told] == [False, True, False, False, False]
    assert [each.early for each in told] == [True, True, True, False, True]


def test_a_talk_is_as_salient_as_the_firmest_line_that_counts() -> None:
    telling = "我上周二带团子去医院打了疫苗，花了三百块"

    both = [("你好", NOON, True), (telling, NOON, False)]
    assert most_salient_line(both).value < 0.5
    assert most_salient_line([*both, (telling, NOON, True)]).value > 0.5
    assert most_salient_line([]) == Salience(0.0)
