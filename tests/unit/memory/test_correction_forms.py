"""Who gives her another name, and whom a name is for."""

import pytest

from memory.text.correction_forms import her_name_given
from memory.text.slots import slot_claims


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("以后你就叫小铃铛吧", "小铃铛"),
        ("以後你就叫小鈴鐺吧", "小鈴鐺"),
        ("你以后就叫豆花好不好", "豆花"),
        ("以后我就叫你阿福了", "阿福"),
        ("给你改个名 叫豆花", "豆花"),
        ("给你改个名，叫豆花", "豆花"),
        ("你的新名字叫豆花", "豆花"),
        ("from now on youre called Finn", "Finn"),
        ("From now on you're Finn", "Finn"),
        ("your name is finn now", "finn"),
        ("i'm gonna call you Finn", "Finn"),
        ("I'll call you Finn from now on", "Finn"),
    ],
)
def test_who_gives_her_a_name_gives_none_to_themselves(text: str, name: str) -> None:
    assert her_name_given(text) == name
    assert [each for each in slot_claims(text) if each.slot.value in {"name", "nickname"}] == []


@pytest.mark.parametrize(
    "text",
    [
        "以后你就叫我阿福吧",
        "以后叫我小铃铛吧",
        "我以后就叫小铃铛了",
        "你叫什么",
        "你叫外卖吧",
        "你叫他来吧",
        "我妈说你叫小祥",
        "我家狗叫豆花",
        "call me Finn from now on",
        "i'll call you tomorrow",
        "I'll call you Monday",
        "you're called when it's ready",
        "my brother says you're called Finn",
        "your name is nice",
        "are you called Finn?",
        "you are Irish",
    ],
)
def test_other_names_are_not_hers(text: str) -> None:
    assert her_name_given(text) == ""
