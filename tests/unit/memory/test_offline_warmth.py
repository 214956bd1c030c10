"""What is said to somebody who tells something: fitting, and not the same twice."""

from collections import deque
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory.offline.replies import reply_to
from memory.offline.vocabulary import EN, ZH, Sayings
from memory.offline.warmth import named, occasion_of, opening
from prompts import PromptLine, PromptPlan, Reply

NOW = datetime(2026, 5, 10, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("said", "occasion"),
    [
        ("他说要分手", "breakup"), ("我爷爷昨天走了", "grief"),
        ("累死了", "tired"), ("没通过面试", "failure"),
        ("地铁挤死了", "angry"), ("手术很顺利", "relief"), ("我爸住院了", "others_ill"),
        ("又要加班😭", "tired"), ("他好像有女朋友了😭", "sad"), ("又催我相亲😤", "angry"),
        ("哈哈哈哈这个好冷", "laugh"), ("haha good one", "laugh"), ("我明天下班带它去", "plan"),
        ("刚下班", "home"), ("你吃饭了吗", "hers"), ("你说我能行吗", "reassure"),
        ("Ruby is 3 and refuses to sleep lol", "listening"), ("did you eat?", "hers"),
        ("睡了", "goodnight"), ("nvm", "drop"), ("gtg, load's ready", "goodbye"),
        ("她走了五年了", "grief"), ("你怎么老是说这句", "teasing"), ("你还在吗", "company"),
        ("what do you think about pineapple pizza?", "hers"),
        ("我们来玩成语接龙吧", "play"), ("let's play a game", "play"),
        ("我不想活了", "crisis"), ("想死你了", "listening"), ("他送我花了！", "joy"),
        ("他又骂我！", "quarrel"), ("我前男友结婚了", "sad"), ("surgery went well", "relief"),
        ("my dad had a stroke", "others_ill"), ("I want to die", "crisis"),
        ("he hit me!", "sad"), ("他打我了", "sad"),
        ("lost a patient today", "grief"), ("he sent flowers!", "joy"), ("never mind", "drop"),
        ("面试通过了！", "pride"), ("不开心", "sad"), ("好开心", "joy"), ("晚安", "goodnight"),
        ("爸妈要离婚了", "trouble"), ("my parents are splitting up", "trouble"),
        ("我怕我撑不下去了", "crisis"), ("I'm scared I can't hold on", "crisis"),
        ("公司撑不下去了", "sad"),
        ("我流产了", "grief"), ("I had a miscarriage", "grief"),
        ("the doctor says I can go home tomorrow", "relief"),
        ("he wants to break up", "breakup"), ("my dog died yesterday", "grief"),
        ("I didn't get the job", "failure"),
        ("I got the job!", "pride"), ("good night", "goodnight"),
        ("I'm not happy", "sad"), ("现在几点了", "time"), ("tell me a joke", "joke"),
    ],
)  # fmt: skip
def test_the_occasion_is_read_from_the_words_the_gravest_first(said: str, occasion: str) -> None:
    assert occasion_of(said) == occasion


@pytest.mark.parametrize("say", [ZH, EN], ids=["zh", "en"])
def test_there_are_two_hundred_openings_and_every_occasion_has_some(say: Sayings) -> None:
    texts = [text for pool in say.openings.values() for text in pool]

    assert len(set(texts)) == len(texts) >= 200
    assert set(say.occasions) - {"time"} <= set(say.openings)


MOODS = Path(__file__).parents[2] / "sets" / "moods"
CHEERFUL = (
    "laugh",
    "joy",
    "pride",
    "plan",
    "relief",
    "birthday",
    "joke",
    "meal",
    "weather",
    "home",
)
SORRY = ("grief", "breakup", "quarrel", "illness", "failure", "trouble", "sad", "lonely", "crisis")


@pytest.mark.parametrize("minutes", [31, 37, 487])
@pytest.mark.parametrize("say", [ZH, EN], ids=["zh", "en"])
def test_two_hundred_turns_repeat_nothing_within_thirty_and_cheer_at_no_bad_news(
    say: Sayings, minutes: int
) -> None:
    file = MOODS / ("zh.txt" if say is ZH else "en.txt")
    lines = file.read_text(encoding="utf-8").splitlines()
    said_by = {
        named(each, "Amy"): occasion for occasion, pool in say.openings.items() for each in pool
    }
    window: deque[PromptLine] = deque(maxlen=30)
    replies: list[str] = []
    for turn, (mood, text) in enumerate((line[0], line[2:]) for line in lines):
        at = NOW + timedelta(minutes=minutes * turn)
        window.append(PromptLine("user", "主人", at, text))
        prompt = Reply(
            persona="",
            language="zh",
            partner="主人",
            now=at,
            window=tuple(window),
            name="Amy",
            said_lately=tuple(replies[-30:]),
        )
        reply = reply_to(prompt).splitlines()[0]
        window.append(PromptLine("assistant", "小祥", at, reply))
        assert reply not in replies[-30:], (turn, text)
        replies.append(reply)
        met_as = said_by.get(reply, "")
        assert mood != "-" or met_as not in CHEERFUL, (text, reply)
        assert mood == "-" or met_as not in SORRY, (text, reply)
    assert len(replies) == 200


@pytest.mark.parametrize("minutes", [1, 5, 60, 487, 1440])
@pytest.mark.parametrize("say", [ZH, EN], ids=["zh", "en"])
def test_whatever_is_told_and_however_fast_no_opening_comes_back_within_thirty_replies(
    say: Sayings, minutes: int
) -> None:
    for occasion, pool in say.openings.items():
        spare = say.openings["listening"]
        replies: list[str] = []
        for turn in range(100):
            at = NOW + timedelta(minutes=minutes * turn)
            # Every name there may be, since one that changes makes no new sentence.
            replies.append(named(opening(pool, spare, replies[-30:], at), "Amy" * (turn % 2)))
        for turn, reply in enumerate(replies):
            lately = {each.replace("Amy", "") for each in replies[max(turn - 30, 0) : turn]}
            assert reply.replace("Amy", "") not in lately, (occasion, turn)


@pytest.mark.parametrize(
    ("planned", "asks"),
    [
        ("我下周三去面试", "去面试是今天吧？怎么样？"),
        ("我下周三下午三点半有个面试", "面试是今天吧？怎么样？"),
        ("下周三晚上8:15我要去看牙", "去看牙是今天吧？怎么样？"),
        ("下周二要去听音乐会", "昨天去听音乐会，顺利吗？"),
    ],
)
def test_what_was_planned_for_today_or_yesterday_is_asked_about_once(
    planned: str, asks: str
) -> None:
    told = NOW.replace(day=8)
    today = NOW.replace(day=13)  # a Wednesday
    window = (
        PromptLine("user", "主人", told, planned),
        PromptLine("assistant", "小祥", told, "好。"),
        PromptLine("user", "主人", today, "你好"),
    )
    prompt = Reply(persona="", language="zh", partner="主人", now=today, window=window)

    first = reply_to(prompt)

    assert asks in first
    more = (
        PromptLine("assistant", "小祥", today, first),
        PromptLine("user", "主人", today, "你好"),
    )
    assert asks not in reply_to(
        Reply(persona="", language="zh", partner="主人", now=today, window=(*window, *more))
    )


def test_a_name_that_is_not_known_leaves_no_gap() -> None:
    assert named("晚安，{name}，做个好梦。", "") == "晚安，做个好梦。"
    assert named("All right, {name}, talk to you next time.", "") == (
        "All right, talk to you next time."
    )
    assert named("{name}, I am here.", "Amy") == "Amy, I am here."


@pytest.mark.parametrize(
    ("said", "occasion"),
    [
        ("技术还行，英语说得一塌糊涂", "mixed"),
        ("心里又酸又暖", "mixed"),
        ("huge relief but I feel so guilty", "mixed"),
        ("我妈高兴得哭了", "joy"),
        ("mum cried her eyes out, happy tears", "joy"),
        ("太好了，又停电了", "hitch"),
        ("great, another power cut", "hitch"),
        ("跟我妈说了，她没骂我", "relief"),
        ("她说跟我过够了", "breakup"),
        ("总觉得活着没啥意思", "crisis"),
        ("sometimes I don't see the point of any of it", "crisis"),
        ("managed half a mile and nearly died", "listening"),
        ("group chat says our old teacher passed", "grief"),
        ("你会不会嫌我烦", "reassure"),
        ("do you ever get sick of me", "reassure"),
        ("算了不说这个了", "drop"),
        ("？", "company"),
        ("👍", "ack"),
    ],
)
def test_what_is_said_sideways_is_met_as_what_it_is(said: str, occasion: str) -> None:
    assert occasion_of(said) == occasion


def _answers(said: Sequence[str], language: str) -> list[str]:
    """Return her answer to each line of one talk, a minute apart."""
    window: list[PromptLine] = []
    answers: list[str] = []
    for minute, text in enumerate(said):
        now = NOW + timedelta(minutes=minute)
        window.append(PromptLine("user", "我", now, text))
        answers.append(
            reply_to(
                Reply(persona="", language=language, partner="", now=now, window=tuple(window))
            )
        )
        window.append(PromptLine("assistant", "小祥", now, answers[-1]))
    return answers


@pytest.mark.parametrize(
    ("said", "language", "gentle"),
    [
        (["猫今天不吃东西，吐了两次", "查出来是肾衰", "它走了"], "zh", ["others_ill", "grief"]),
        (
            ["cat's been sick twice", "vet says it's kidney failure", "he's gone"],
            "en",
            [None, "grief"],
        ),
    ],
)
def test_a_line_that_names_nobody_is_of_whom_was_spoken_of(
    said: list[str], language: str, gentle: list[str | None]
) -> None:
    sayings = ZH if language == "zh" else EN
    for answer, occasion in zip(_answers(said, language)[1:], gentle, strict=True):
        assert occasion is None or any(
            named(each, "") in answer for each in sayings.openings[occasion]
        ), answer


@pytest.mark.parametrize(
    ("said", "language"),
    [(["我被裁了", "赔偿还没谈拢"], "zh"), (["I got laid off", "no word on severance"], "en")],
)
def test_after_grave_news_a_plain_line_is_met_gently(said: list[str], language: str) -> None:
    sayings = ZH if language == "zh" else EN

    last = _answers(said, language)[-1]

    assert any(named(each, "") == last for each in sayings.openings["staying"]), last


@pytest.mark.parametrize(
    ("told", "language"),
    [
        ("面完了", "zh"),
        ("面试取消了", "zh"),
        ("I got the job!", "en"),
        ("they cancelled it", "en"),
    ],
)
def test_what_was_told_or_called_off_is_not_asked_after(told: str, language: str) -> None:
    plan = "周三要去面试" if language == "zh" else "I have an interview on Wednesday"
    day = NOW.replace(day=13, hour=9)  # a Wednesday
    plans = (PromptPlan(day.date(), "面试" if language == "zh" else "interview", plan),)

    def greeted(*lines: str) -> str:
        window = tuple(PromptLine("user", "我", day, each) for each in lines[:-1])
        newest = (
            PromptLine("assistant", "小祥", day, "…"),
            PromptLine("user", "我", day, lines[-1]),
        )
        return reply_to(
            Reply(
                persona="",
                language=language,
                partner="",
                now=day + timedelta(hours=1),
                window=(*window, *newest),
                plans=plans,
            )
        )

    hello = "你好" if language == "zh" else "hello"
    asks = "今天吧" if language == "zh" else "today, right"
    assert asks in greeted(hello)
    assert asks not in greeted(told, hello)
