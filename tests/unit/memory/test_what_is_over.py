"""Only what changed of a memory is over; what it tells beside goes on."""

import pytest

from memory.judgement.draft import Draft
from memory.judgement.what_is_over import (
    is_denied_by,
    leaves_out_finding,
    tells_of_finding,
    with_rest_kept,
)
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state


@pytest.mark.parametrize(
    ("held", "news", "over", "rest"),
    [
        ("主人的妈妈叫李桂芳，住在扬州，她有高血压", "主人的妈妈住在泰州",
         "主人的妈妈住在扬州", "主人的妈妈叫李桂芳，她有高血压"),
        ("主人's mum Carol lives in York, she has diabetes and a bad hip",
         "主人's mum lives in Hull",
         "主人's mum Carol lives in York", "主人's mum Carol has diabetes and a bad hip"),
        ("主人对青霉素过敏，小时候打针休克过一次", "主人对青霉素不过敏",
         "主人对青霉素过敏", "主人小时候打针休克过一次"),
        ("主人住在北京，去年做过一次手术", "主人搬到上海了",
         "主人住在北京", "主人去年做过一次手术"),
        ("主人 lives in York, broke a leg once", "主人 moved to Hull",
         "主人 lives in York", "主人 broke a leg once"),
    ],
)  # fmt: skip
def test_what_did_not_change_goes_on(held: str, news: str, over: str, rest: str) -> None:
    draft, old = with_rest_kept(
        Draft(state=a_state(a_memory(1, held)), now=NOON), a_memory(1, held), news, ()
    )
    assert old.words.text == over
    assert [draft.state.memory(each).words.text for each in draft.new] == [rest]


@pytest.mark.parametrize(
    ("held", "news"),
    [
        # Who is gone takes all along; what is told again stands in the new one.
        ("主人养了一只猫叫豆包，它有糖尿病", "豆包去世了"),
        ("主人住在北京，房租五千", "主人搬到上海了"),
        ("主人的弟弟在读研，学的是材料", "主人的弟弟工作了"),
        ("主人 lives in York, the rent is 900", "主人 moved to Hull"),
        ("主人住在北京", "主人搬到上海了"),
        ("主人的妈妈住在扬州，她有高血压", "主人的妈妈住在扬州，她有高血压，也有糖尿病"),
        ("，，", "主人搬到上海了"),
    ],
)
def test_where_no_part_goes_on_all_of_it_is_over(held: str, news: str) -> None:
    before = Draft(state=a_state(a_memory(1, held)), now=NOON)
    assert with_rest_kept(before, a_memory(1, held), news, ()) == (before, a_memory(1, held))


@pytest.mark.parametrize(
    ("said", "held", "denied"),
    [
        ("我妈不是住扬州，是住泰州", "主人的妈妈住在扬州", True),
        ("mum doesn't live in York, she lives in Hull", "主人's mum Carol lives in York", True),
        ("我妈不是住扬州，是住泰州", "主人的爸爸住在扬州", False),
        ("我妈不是住扬州，是住泰州", "主人住在扬州", False),
        ("I don't live in York", "主人 lives in York", False),
        ("我不喝茶，喝水", "主人喝咖啡", False),
    ],
)
def test_what_is_denied_and_told_otherwise_is_over(said: str, held: str, *, denied: bool) -> None:
    assert is_denied_by(said, held) is denied


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("豆包找到了", True),
        ("它自己回来了", True),
        ("we found him in the shed", True),
        ("Biscuit came back", True),
        ("豆包还没找到", False),
        ("找不到豆包", False),
        ("我找到工作了", False),
        ("手机丢了，我回家了", False),
        ("we haven't found him", False),
        ("I lost five kilos and found it hard", False),
        ("we found her a school", False),
    ],
)
def test_what_tells_that_something_is_there_again(text: str, *, found: bool) -> None:
    assert tells_of_finding(text) is found


def test_a_loss_is_told_with_its_end() -> None:
    said = [a_message("1", "豆包跑丢了，后来找到了")]
    assert leaves_out_finding("豆包跑丢了", said)
    assert not leaves_out_finding("豆包跑丢了，找到了", said)
    assert not leaves_out_finding("豆包跑丢了", [a_message("1", "豆包跑丢了")])
