"""What is said to somebody who tells something: fitting, and not the same twice."""

from collections import deque
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory.model import Language
from memory.offline.intents import AsksReminder, SaysHello, intent_of
from memory.offline.phrasing import named, opening
from memory.offline.replies import reply_to
from memory.offline.vocabulary import EN, ZH, Sayings
from memory.offline.warmth import BAD_NEWS, occasion_of
from prompts import PromptLine, PromptPlan, Reply
from tests.fakes.cost import share

NOW = datetime(2026, 5, 10, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("said", "occasion"),
    [
        ("i can't stand coriander btw", "listening"), ("i can't stand my boss", "trouble"),
        ("i can't eat gluten", "listening"), ("i can't eat", "trouble"),
        ("我吃不了辣", "listening"), ("奶奶吃不了饭了", "trouble"),
        ("my phone's dead", "listening"), ("my dad's dead", "trouble"),
        ("the kids won't eat anything green", "listening"), ("my cat won't eat", "trouble"),
        ("我老板从来不说谢谢", "listening"), ("太谢谢了", "thanks"),
        ("苦瓜真好吃", "meal"), ("今天玩得真痛快", "listening"), ("今天热惨了", "listening"),
        ("食堂阿姨今天手没抖", "listening"), ("nvm he's got a gf", "listening"),
        ("我朋友二话不说给我打了一万", "listening"), ("gonna crash, early bus", "goodnight"),
        ("she's been out there since we got home", "listening"), ("现在几点啦", "time"),
        ("there was no heartbeat at the scan", "grief"), ("没有胎心了", "grief"),
        ("他说要分手", "breakup"), ("我爷爷昨天走了", "grief"),
        ("累死了", "tired"), ("没通过面试", "failure"),
        ("地铁挤死了", "angry"), ("手术很顺利", "relief"), ("我爸住院了", "others_ill"),
        ("又要加班😭", "tired"), ("他好像有女朋友了😭", "sad"), ("又催我相亲😤", "angry"),
        ("哈哈哈哈这个好冷", "laugh"), ("haha good one", "laugh"), ("我明天下班带它去", "plan"),
        ("刚下班", "home"), ("你吃饭了吗", "her_meal"), ("你说我能行吗", "reassure"),
        ("Ruby is 3 and refuses to sleep lol", "listening"), ("did you eat?", "her_meal"),
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
    assert set(say.occasions) - {"time", "figure"} <= set(say.openings)


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


@pytest.mark.hunted
@pytest.mark.parametrize(
    ("say", "minutes"), share([(ZH, 31), (ZH, 37), (ZH, 487), (EN, 487), (EN, 31), (EN, 37)])
)
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


@pytest.mark.hunted
@pytest.mark.parametrize("minutes", share([1, 5, 60, 487, 1440], of=5, first=3))
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


@pytest.mark.parametrize(
    ("said", "language", "meets"),
    [
        (["他把钥匙放桌上就走了"], "zh", "felt"),
        (["HR说让我先休息一段时间"], "zh", "felt"),
        (["he left his keys on the table and walked out"], "en", "felt"),
        (["刚泡了杯龙井"], "zh", "listening"),
        (["just made a pot of earl grey"], "en", "listening"),
        (["我妈住院了", "醒了，张嘴就骂我没吃饭"], "zh", "relief"),
        (["mum's in hospital", "she's awake and giving me grief already"], "en", "relief"),
        (["我妈住院了", "人还没醒"], "zh", "others_ill"),
        (["我弟又找我要钱，上次的还没还，烦死了", "我妈还说我小气！"], "zh", "felt"),
        (["my boss says we get paid tomorrow"], "en", "felt"),
        (["好无聊啊有什么好玩的"], "zh", "bored"),
    ],
)
def test_news_that_no_word_gives_away_is_met_by_what_is_around_it(
    said: list[str], language: Language, meets: str
) -> None:
    window: list[PromptLine] = []
    reply = ""
    for minutes, text in enumerate(said):
        window.append(PromptLine("user", "主人", NOW + timedelta(minutes=minutes), text))
        now = window[-1].at
        asked = Reply(persona="", language=language, partner="A", now=now, window=tuple(window))
        reply = reply_to(asked).splitlines()[0]
        window.append(PromptLine("assistant", "小祥", now, reply))
    say = ZH if language == "zh" else EN

    assert reply in {named(each, "A") for each in say.openings[meets]}


def test_how_it_felt_is_not_asked_after_every_line() -> None:
    window: list[PromptLine] = []
    asked: list[bool] = []
    for minutes in range(6):
        now = NOW + timedelta(minutes=minutes)
        window.append(PromptLine("user", "主人", now, f"他又说了第{minutes}遍"))
        prompt = Reply(persona="", language="zh", partner="", now=now, window=tuple(window))
        reply = reply_to(prompt).splitlines()[0]
        window.append(PromptLine("assistant", "小祥", now, reply))
        asked.append(reply in {named(each, "") for each in ZH.openings["felt"]})

    assert asked == [True, False, False, True, False, False]


@pytest.mark.parametrize(
    ("said", "occasion"),
    [
        ("我没有糖尿病", "listening"), ("我没有高血压", "listening"),
        ("我没有心脏病", "listening"),
        ("I don't have diabetes", "listening"), ("I have no diabetes", "listening"),
        ("我有糖尿病", "health"), ("我有高血压没告诉她", "health"),
        ("没去复查，我有糖尿病", "health"),
        ("I have diabetes", "health"), ("I have diabetes and no insurance", "health"),
    ],
)  # fmt: skip
def test_who_is_well_is_not_met_as_one_who_is_ill(said: str, occasion: str) -> None:
    assert occasion_of(said) == occasion


@pytest.mark.parametrize(
    ("said", "hello"),
    [
        ("小祥啊，吃了没有", True),
        ("在嘛在嘛", True),
        ("Good morning dear. Have you had your breakfast?", True),
        ("heyyy u there", True),
        ("我吃了没有味道的面", False),
    ],
)
def test_who_asks_whether_she_has_eaten_says_hello(said: str, *, hello: bool) -> None:
    assert (intent_of(said) == SaysHello()) is hello


@pytest.mark.parametrize(
    ("told", "asks"),
    [
        ("明天我弟结婚我当伴郎", "你弟结婚你当伴郎是今天吧？"),
        ("明天早六点半的高铁去南京", "早六点半的高铁去南京是今天吧？"),
        ("I have an interview tomorrow at 3", "“I have an interview at 3.”"),
        ("my driving test is tomorrow", "“my driving test.”"),
    ],
)
def test_a_plan_is_asked_after_without_the_day_it_was_told_for(told: str, asks: str) -> None:
    day = timedelta(days=1)
    window = (
        PromptLine("user", "主人", NOW - day, told),
        PromptLine("assistant", "小祥", NOW - day, "…"),
        PromptLine("user", "主人", NOW, "hello" if told.isascii() else "你好"),
    )
    prompt = Reply(persona="", language="zh", partner="", now=NOW, window=window)

    assert asks in reply_to(prompt)


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("明天早上六点喊我", True), ("明天我妈生日提醒我", True), ("三点接孩子提醒我", True),
        ("下午给妈妈打电话提醒我一下", True), ("remind me at 8", True),
        ("我妈提醒我带伞", False), ("老板又喊我周末加班", False),
        ("医生说是腰椎间盘突出，喊我少搬面粉", False), ("刘敏喊我姐", False),
        ("你喊我桂芳姐嘛", False), ("他刚才提醒我了", False),
        ("闹钟没响，还是室友叫醒我的", False), ("he had to remind me", False),
    ],
)  # fmt: skip
def test_what_somebody_else_reminds_of_is_not_asked_of_her(said: str, *, asks: bool) -> None:
    assert (intent_of(said) == AsksReminder()) is asks


@pytest.mark.parametrize(
    ("said", "occasion"),
    [
        ("要是我被裁了我就回老家种地", "listening"),
        ("if I lost my job I'd move to the sea", "listening"),
        ("要是我妈走了我怎么办", "worry"),
        ("我被裁了", "laid_off"),
        ("Gaz broke his ankle", "others_ill"),
        ("小明摔断了腿", "others_ill"),
        ("I broke my ankle", "illness"),
        ("小腿骨折了", "illness"),
        ("把我贫血的事忘掉吧，好了已经", "forget"),
        ("贫血那事你就忘了吧", "forget"),
        ("I'd like you to forget what I said about Jess", "forget"),
        ("别把我的生日忘了", "listening"),
        ("你忘了我的生日", "listening"),
        ("I always forget names", "listening"),
        ("你为什么这么说", "why_said"),
        ("how do you know that?", "why_said"),
        ("我们第一次聊天是什么时候", "first_talk"),
        ("what was the first thing I ever told you?", "first_talk"),
        ("帮我总结一下你知道的我", "kept"),
        ("tell me what you know about me", "kept"),
    ],
)
def test_what_is_supposed_anothers_or_asked_of_her_is_met_as_that(
    said: str, occasion: str
) -> None:
    assert occasion_of(said) == occasion


@pytest.mark.parametrize(
    "said",
    [
        "我和陈屿什么时候认识的",
        "我们第一次约会是哪天",
        "你觉得我为什么失眠",
        "why do you think he left me?",
        "讲讲你知道的历史",
        "what was the first thing you bought?",
    ],
)
def test_what_only_looks_like_asking_of_her_memory_is_not_met_so(said: str) -> None:
    assert occasion_of(said) not in {"why_said", "first_talk", "kept", "forget"}


@pytest.mark.parametrize(
    ("said", "occasion"),
    [
        ("lost grandads watch. the silver one. im sick over it", "trouble"),
        ("i'm sick with worry", "worry"),
        ("if i won the lotto id move to Lisbon lol only joking", "listening"),
        ("要是我中了彩票我就去里斯本", "listening"),
        ("要是我升职了就请你吃饭", "listening"),
        # What only looks so.
        ("im sick", "illness"),
        ("i've been sick all night", "illness"),
        ("i won the lottery!", "pride"),
        ("我升职了", "pride"),
    ],
)
def test_who_is_sick_over_something_is_not_ill_and_who_supposes_won_nothing(
    said: str, occasion: str
) -> None:
    assert occasion_of(said) == occasion


@pytest.mark.parametrize(
    ("said", "occasion"),
    [
        ("ive been seeing someone, Declan from the depot", "joy"),
        ("he's been seeing someone", "trouble"),
        ("she was seeing someone", "trouble"),
        ("my wife is seeing someone else", "breakup"),
    ],
)
def test_who_has_found_somebody_is_not_consoled(said: str, occasion: str) -> None:
    assert occasion_of(said) == occasion


@pytest.mark.parametrize(
    "said",
    [
        "im dead 💀",
        "I literally died",
        "my brother killed it on stage tonight",
        "this song is sick",
        "he's a sick drummer",
        "im so cooked",
        'Margaret used to say "I shall outlive you, Arthur, just to annoy you"',
        "I could murder a curry",
        "这首歌绝了，我直接原地去世",
        "社死了今天",
        "尴尬死了",
        "纠正一下，奥赛初赛是十月二十五号，我记错了",
        "他以前老说“我恨死这个地方了”",
    ],
)
def test_what_only_sounds_like_bad_news_is_none(said: str) -> None:
    assert occasion_of(said) not in BAD_NEWS | {"meal", "trouble"}


@pytest.mark.parametrize(
    ("said", "occasion"),
    [
        ("my gran died", "grief"),
        ("I nearly died in the crash", "grief"),
        ("the cat is dead", "grief"),
        ("I feel dead inside and I am sick", "illness"),
        ("my son is sick", "others_ill"),
        ("they killed it with an axe, our cow", "trouble"),
        ("我爱人桂兰今年六月走了", "grief"),
        ("我舅舅当场去世", "grief"),
        ("我丈夫三月份在医院走的", "grief"),
        ("我哥上个月搬走了", "trouble"),
        ("记错时间了，没赶上面试", "hitch"),
    ],
)
def test_what_is_bad_news_stays_so_beside_what_only_sounds_like_it(
    said: str, occasion: str
) -> None:
    assert occasion_of(said) == occasion
