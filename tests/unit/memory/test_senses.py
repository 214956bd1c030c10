"""What turns the sense of a line: here what shows that it may not be meant at all."""

import pytest

from memory.judgement.senses import begins_role, may_be_play


@pytest.mark.parametrize(
    "said",
    [
        "我现在住在上海哈哈哈",
        "我是秦始皇，打钱，逗你的",
        "我中了五百万，才怪",
        "我妈说「我在海关上班」",
        "I live on Mars now lmao",
        "I am the king of Spain 😜",
        "I quit my job, just kidding",
        '"I am a barman", that is what he says',
        "I moved to York, april fools",
    ],
)
def test_what_may_be_a_jest_or_a_quotation_shows_it(said: str) -> None:
    assert may_be_play(said)


@pytest.mark.parametrize(
    "said",
    [
        "我其实怀孕了，八周，还没跟别人说",
        "我对象叫陆川，在海关上班，哈哈挺无聊的工作",
        "我搬到绍兴了，没开玩笑",
        "im pregnant, eight weeks, nobody knows yet",
        "my fella Rory works in customs lol, dull job",
        "my brother owes me two grand haha he says next month",
        "I am not joking, I quit",
        "it's my mum's, and she's 5'4\" tall",
    ],
)
def test_a_line_told_in_earnest_shows_no_jest(said: str) -> None:
    assert not may_be_play(said)


@pytest.mark.parametrize("said", ["我们来角色扮演吧", "你扮演店小二", "let's role-play a bar"])
def test_a_role_is_begun_by_its_own_words(said: str) -> None:
    assert begins_role(said)


@pytest.mark.parametrize("said", ["开玩笑的", "just kidding", "let's play chess", "我在演出"])
def test_a_jest_or_a_game_begins_no_role(said: str) -> None:
    assert not begins_role(said)
