"""What turns the sense of a line: here what shows that it may not be meant at all."""

import pytest

from memory.judgement.senses import begins_role, may_be_play, tells_nothing


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


@pytest.mark.parametrize(
    "text",
    [
        # A judge writes the line down as it stands, with the partner named for 我 or "I".
        "你猜主人几岁", "你记得主人妈叫啥不", "主人家阳台漏水咋整", "烦死了",
        "好啦主人去洗澡了", "要是主人中了五百万就买个岛", "主人逗你的 主人没养鳄鱼",
        "好啦睡了 晚安",
        "叫主人啥？", "主人过年去哪", "主人妈咋样了你还记得不",
        "你能不能短一点 别跟客服似的", "晚安哈",
        "ugh", "night night x", "guess what age my friend is", "right im off to the shower",
        "if my friend won the lotto id buy an island", "why is my friend's balcony leaking",
        "do you even remember my friend's mum's name", "hiya, good morning", "what a day?",
    ],
)  # fmt: skip
def test_a_question_a_greeting_a_sigh_and_a_what_if_tell_nothing(text: str) -> None:
    assert tells_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "主人怀孕了，八周，你猜是男是女", "主人想知道怎么做蛋糕", "主人还没决定要不要买二手车",
        "主人一顿半斤白的，多少年了", "要是下雨主人就打车上班", "主人吃了花生要是不吃药就会喘",
        "主人烦死了他婆婆", "主人晚安前要喝牛奶", "主人在洗澡的时候听歌",
        "主人把钥匙落在了办公室",
        "别跟主人提前任",
        "my friend is pregnant, guess what, eight weeks", "if my friend eats nuts they swell up",
        "my friend works the night shift", "my friend is off sugar",
        "my friend was a king's guard",
        "my friend does not know what to study", "what my friend is after now is a dog",
    ],
)  # fmt: skip
def test_what_is_told_beside_a_question_or_of_a_habit_tells_something(text: str) -> None:
    assert not tells_nothing(text)
