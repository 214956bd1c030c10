"""A text is read once for each set of names, and only what a person states counts as stated."""

from datetime import date
from zoneinfo import ZoneInfo

from memory.judgement.assertions import ParsedMessage, ParsedText, same_days
from memory.judgement.wording import Names
from memory.text.calendars import Days
from tests.builders import a_message
from tests.fakes.clock import NOON

SHANGHAI = ZoneInfo("Asia/Shanghai")


def parsed(text: str) -> ParsedMessage:
    (message,) = ParsedMessage.all_of([a_message("1", text, at=NOON)], SHANGHAI)
    return message


def test_a_text_is_read_once_for_each_set_of_names() -> None:
    text, names = ParsedText("小明喜欢猫"), Names.of({"小明"})

    assert text.clauses(names) is text.clauses(Names.of(["小明"]))
    assert text.terms(names) == {"zh:like", "猫"}
    assert "小明" in text.terms()


def test_a_text_that_did_not_change_keeps_what_was_read() -> None:
    text = ParsedText("主人喜欢猫")

    assert text.rewritten("主人喜欢猫") is text
    assert text.rewritten("主人喜欢狗").terms() == {"zh:like", "狗"}


def test_the_longest_name_is_taken_out_first() -> None:
    names = Names.of({"partner", "the partner", ""})

    assert names.folded == ("the partner", "partner")
    assert ParsedText("The partner likes cats").terms(names) == {"en:like", "cat"}


def test_a_question_is_no_statement_and_nothing_in_jest_is() -> None:
    assert [each.text for each in parsed("我喜欢猫，你喜欢狗吗？").statements] == ["我喜欢猫"]
    assert parsed("我是国王，开玩笑的").statements == ()
    assert len(parsed("我是国王，开玩笑的").clauses) == 2


def test_what_is_only_passed_on_is_not_read_as_said() -> None:
    message = parsed("帮我翻译：我住在北京")

    assert message.message.quoted == "我住在北京"
    assert "北京" not in {term for clause in message.clauses for term in clause.terms}


def test_a_date_without_a_year_may_be_of_the_next_and_a_weekday_of_another_week() -> None:
    day = Days(date(2026, 3, 4), date(2026, 3, 4))

    assert Days(date(2027, 3, 4), date(2027, 3, 4)) in same_days(day, "3月4日", relative=False)
    assert Days(date(2026, 3, 11), date(2026, 3, 11)) in same_days(day, "周三", relative=False)
    assert list(same_days(day, "2026-03-04", relative=False)) == [day]
    assert list(same_days(day, "明天", relative=True)) == [day]
