"""What asks for the past and what does not, by rule."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.changes import DiaryLine
from memory.recall.index import PassageIndex
from memory.recall.query import parse_query
from memory.recall.said_around import asks_of_ones_own, leans
from memory.recall.search import asks_about_past, has_cue, names_asked_about
from tests.builders import a_message
from tests.fakes.clock import NOON
from tests.fakes.general_questions import CHINESE, ENGLISH

NOW = datetime(2026, 4, 20, 12, tzinfo=UTC)
ZONE = ZoneInfo("Asia/Shanghai")

FEW = 0.05


def asked(text: str, *names: str) -> str:
    return asks_about_past(text, NOW, ZONE, names)


@pytest.mark.parametrize("questions", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_hardly_any_general_question_asks_for_the_past(questions: list[str]) -> None:
    assert len(questions) == 100
    taken = [text for text in questions if asked(text)]
    assert len(taken) <= FEW * len(questions), taken


@pytest.mark.parametrize(
    "text",
    [
        "还记得我家的猫吗",
        "你记得我妈妈住哪儿吗？",
        "我上次跟你说的那家面馆叫什么来着",
        "你之前给我推荐了什么书？",
        "我们上次聊到哪儿了？",
        "我什么时候搬的家？",
        "三月十二号我在忙什么？",
        "我喜欢喝什么茶？",
        "我的车牌号是多少？",
        "我不喜欢香菜，对吗？",
        "Do you remember my sister's name?",
        "What was the name of that restaurant?",
        "When did I move to Leeds?",
        "Which films did you recommend to me?",
        "What kind of tea do I like?",
        "I don't like coriander, right?",
        "What did we talk about on March 12?",
        "Last time we got as far as chapter three.",
        "I'm ready for the next step.",
    ],
)
def test_requests_for_the_past_are_known(text: str) -> None:
    assert asked(text) == "asked"


@pytest.mark.parametrize(
    "text",
    [
        "我昨天去爬山了，好累。",
        "最近压力有点大，你有什么好的建议吗？",
        "我刚搬家，你觉得客厅怎么布置好？",
        "记得按时吃饭哦。",
        "I went hiking yesterday. Do you like hiking?",
        "I have been feeling tired lately, any advice?",
        "Thank you for your suggestions, I will try them.",
    ],
)
def test_news_and_questions_for_advice_are_no_requests(text: str) -> None:
    assert asked(text) == ""


def test_a_question_about_somebody_the_diary_knows_is_one() -> None:
    assert asked("What instrument does Anna play?") == ""
    assert asked("What instrument does Anna play?", "Anna") == "named"
    assert asked("Anna plays the cello.", "Anna") == ""


def an_index(*texts: str) -> PassageIndex:
    """Return an index of lines said an hour apart: each is a scene of its own."""
    said = [
        replace(a_message(str(n), text), at=NOON + timedelta(hours=4 * n))
        for n, text in enumerate(texts)
    ]
    lines = [DiaryLine(message=m, conversation="c", number=n) for n, m in enumerate(said, start=1)]
    return PassageIndex.of((), ZONE, lines)


def test_a_cue_is_several_telling_words_in_one_scene() -> None:
    words = ("weather", "soup", "train", "bus", "office", "film", "gym", "tea")
    others = [f"the {word} was fine" for word in words * 4]
    index = an_index(*others, "We built a cedar kayak and painted the paddle blue", "a blue door")

    def cue(text: str) -> bool:
        return has_cue(parse_query(text, index, NOW), index)

    assert cue("The kayak needs a new paddle and more cedar")
    assert not cue("A blue kayak")
    assert not cue("Photosynthesis in algae and ferns")
    assert not cue("The weather was fine in the office")


def test_the_partner_is_known_by_name() -> None:
    index = an_index("Hello")
    asked_for = parse_query("Where does Ann live?", index, NOW)

    assert names_asked_about(asked_for, "Ann") == ("Ann",)
    assert names_asked_about(asked_for, "Bea") == ()
    assert names_asked_about(asked_for, "") == ()


@pytest.mark.parametrize(
    "text",
    [
        "小宇生日几号",
        "老吴多大",
        "我膝盖怎么样了",
        "你知道我儿子在哪读书吗",
        "爸爸幾多歲呀",
        "他在哪里上班",
        "how old is Callum",
        "what's wrong with daddy's eye?",
        "do you know where my brother works",
        "Callum's birthday?",
    ],
)
def test_what_the_partner_told_is_asked_for(text: str) -> None:
    told = (
        "小宇六岁了",
        "老吴在修车",
        "儿子膝盖痛，在上班",
        "爸爸生日",
        "Callum is old",
        "daddy's eye works",
    )
    assert asks_of_ones_own(text, an_index(*told).words)


@pytest.mark.parametrize(
    "text",
    [
        "朋友过生日送什么礼物好？",
        "我该穿什么去面试？",
        "有没有适合新手的吉他曲？",
        "怎么给我妈挑礼物",
        "你觉得我儿子怎么样",
        "how old is Hamlet",
        "How long is the Great Wall of China?",
        "why is my computer so slow?",
        "我今天去看了儿子",
        "My brother works in Leeds.",
    ],
)
def test_advice_the_wide_world_and_news_are_not(text: str) -> None:
    told = (
        "朋友过生日",
        "我的面试",
        "吉他新手",
        "给妈礼物",
        "儿子今天",
        "The great old wall",
        "my computer",
    )
    assert not asks_of_ones_own(text, an_index(*told).words)


@pytest.mark.parametrize("text", ["她叫什么", "佢幾歲", "what's he doing there", "那是哪天"])
def test_a_line_that_leans_needs_the_talk_before_it(text: str) -> None:
    assert leans(text)


@pytest.mark.parametrize("text", ["老吴叫什么", "有没有吉他", "what's Callum doing"])
def test_a_line_that_names_what_it_asks_about_needs_none(text: str) -> None:
    assert not leans(text)
