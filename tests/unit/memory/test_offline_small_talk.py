"""Whose news it is, what died, what a newcomer asks, and what is repeated to the partner."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.offline.phrasing import named, told_in_these_words
from memory.offline.replies import reply_to
from memory.offline.small_talk import _untold
from memory.offline.vocabulary import EN, ZH
from memory.offline.warmth import BAD_NEWS, occasion_of
from memory.text.word_forms import SIMPLIFIED
from prompts import PromptLine, PromptMemory, Reply

NOW = datetime(2026, 11, 16, 14, 30, tzinfo=ZoneInfo("Asia/Shanghai"))


def last_reply(*said: str, memories: Sequence[PromptMemory] = ()) -> str:
    """Return her answer to the last of some lines, said a minute apart."""
    window: list[PromptLine] = []
    reply = ""
    for minute, text in enumerate(said):
        now = NOW + timedelta(minutes=minute)
        window.append(PromptLine("user", "我", now, text))
        asked = Reply(
            persona="",
            language="en" if text.isascii() else "zh",
            partner="Sam" if text.isascii() else "主人",
            now=now,
            window=tuple(window),
            memories=tuple(memories),
            again=True,
        )
        reply = reply_to(asked)
        window.append(PromptLine("assistant", "小祥", now, reply))
    return reply


def is_of(reply: str, occasion: str) -> bool:
    """Whether a reply is one of the openings of an occasion."""
    pools = (*ZH.openings[occasion], *EN.openings[occasion])
    return any(
        re.fullmatch(re.sub(r"\\{wish\\}", ".+", re.escape(named(each, name))), reply)
        for each in pools
        for name in ("主人", "Sam")
    )


@pytest.mark.parametrize(
    ("said", "occasions"),
    [
        ("my phone died", "hitch trouble"), ("the van died on the M6, gearbox gone", "hitch"),
        ("my laptop died this morning, lost everything", "hitch trouble"),
        ("the plant I got from mum died", "hitch"), ("on the drive home he died", "grief"),
        ("my goldfish died", "grief"), ("Bran died in his sleep", "grief"),
        ("I put my dog down today", "grief"), ("he died of cancer", "grief"),
        ("we lost granny today", "grief"), ("Joe is gone", "gone"),
        ("电脑死了，什么都没存", "hitch"), ("我手机挂了", "hitch"), ("车子在半路死火了", "hitch"),
        ("我爸车祸死了", "grief"), ("作业多死了", "listening"),
        ("阿福今天早上走了，在我腳邊睡著就沒再醒來", "grief"), ("家裡好安靜，阿福不在了", "grief"),
        ("老蔡走了，今天下午在榮總", "grief"), ("老蔡走了", "gone"), ("咪咪没挺过来", "grief"),
        ("我妈走了半小时才到", "listening"), ("去公园走了走，风景真好", "listening"),
    ],
)  # fmt: skip
def test_a_thing_that_died_is_no_bereavement(said: str, occasions: str) -> None:
    assert occasion_of(said) in occasions.split()


@pytest.mark.parametrize(
    ("said", "occasions"),
    [
        ("老吴叫吴德全，四十五岁，老婆前年走了", "others_news"), ("我离婚了", "breakup"),
        ("我同事叫老李，三十五岁，离婚了", "others_news"), ("我跟老吴分手了", "breakup"),
        ("邻居老张他老婆好几年前走了", "others_news"), ("隔壁王叔叔走了", "grief"),
        ("房东的妈去世了", "others_news"), ("我妈走了三年了", "grief"),
        ("同事被裁了", "others_news"), ("我被裁了", "laid_off"), ("他说要分手", "breakup"),
        ("my coworker Dave is 35 and divorced", "others_news"),
        ("the neighbour's wife died years ago", "others_news"),
        ("Dave from work lost his wife", "others_news trouble"), ("my wife died", "grief"),
        ("my boss's dog died", "others_news"), ("my neighbour died last night", "grief"),
        ("my friend Anna is getting divorced", "others_news"),
        ("they're closing our department", "failure"),
        ("my husband cheated on me", "breakup"), ("my ex cheated on me", "breakup"),
    ],
)  # fmt: skip
def test_the_news_of_others_is_not_mourned_as_the_partners_own(said: str, occasions: str) -> None:
    assert occasion_of(said) in occasions.split()


@pytest.mark.parametrize(
    ("said", "occasions"),
    [
        ("told Declan I was quitting, April fool, he nearly had a stroke", "laugh"),
        ("跟老板说我要辞职，愚人节，他差点吓出心脏病", "laugh"), ("骗你的，我没分手", "laugh"),
        ("我笨死了", "listening"), ("我家狗昨晚死了", "grief"), ("我没离婚", "listening"),
        ("我闺蜜叫何苗，她12月刚离婚", "others_news"), ("我买的基金亏了一万二", "trouble"),
        ("我婆婆下个月15号要做膝盖手术", "others_ill"), ("婆婆手术做完了，很顺利", "relief"),
        ("赵磊升副主任医师了！请全科室吃了顿火锅", "pride"), ("小马爱说冷笑话", "listening"),
        ("fact 0: my locker number is 100", "listening"), ("安静", "hush"), ("别说话了", "hush"),
        ("be quiet", "hush"), ("Xiaoxiang, stop talking please", "hush"), ("说个笑话", "joke"),
        ("I've my phase 4 exam on the 22nd of May", "trial"), ("下周五期末考试", "trial"),
        ("老蔡說他攝護腺指數有點高，要去做切片", "others_ill"), ("我要去做切片", "worry"),
        ("they want to do a biopsy", "worry trouble illness"), ("切片没事，是良性", "relief"),
        ("医生说我是腰椎间盘突出", "illness"), ("I have a slipped disc", "illness"),
        ("醫生說是白內障", "illness"), ("the doctor says it's arthritis", "illness"),
        ("the meeting went terribly", "went_badly"), ("会开得一塌糊涂", "went_badly"),
        ("I had a job interview today, it went badly", "went_badly"),
        ("my girlfriend said yes!!!", "joy"), ("我女朋友答应了！！！", "joy"),
        ("we're engaged", "joy"), ("我们订婚了", "joy"), ("怡君生了，女兒，三千一百公克", "joy"),
        ("I'm so proud of my son, he won his race", "pride joy"),
        ("我為我兒子驕傲，他跑步得了第一", "pride joy"), ("21 today", "birthday"),
        ("我失眠了", "sleepless"), ("can't sleep", "sleepless"),
        ("转发：今晚八点小区停水，请提前储水", "notice"), ("FWD: water off at 8", "notice"),
        ("我对花生过敏", "allergy"), ("I'm allergic to nuts", "allergy"),
    ],
)  # fmt: skip
def test_what_is_told_is_met_as_what_it_is(said: str, occasions: str) -> None:
    assert occasion_of(said) in occasions.split()


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("what do you remember", "/memory"), ("你记住了什么", "/记忆"), ("你記得我什麼", "/记忆"),
        ("how do I use this", "/help"),
        ("怎么用你", "/帮助"), ("help", "/help"), ("帮助", "/help"),
        ("where is my data stored", "data folder"), ("我的数据存在哪里", "数据文件夹"),
        ("我的資料存在哪裡", "数据文件夹"), ("who can read this?", "machine"),
        ("can you keep a secret", "^(?:Yes|I can)"), ("你能保密吗", "^能"),
        ("are you a bot", "^Yes"), ("你是机器人吗", "^(?:是的|对)"), ("你是機器人嗎", "程序"),
        ("are you human?", "program"), ("你是真人吗", "^(?:不是|我不是)"),
        ("did you eat?", "you"), ("你吃饭了吗", "你"),
        ("what did you say last time", "not talked"),
        ("你上次说了什么", "还没说过"), ("that's wrong", r"\?"), ("你说错了", "？"),
        ("happy new year!", "Happy new year"), ("新年快樂！", "新年快樂"),
        ("merry christmas", "Merry christmas"), ("happy birthday", "Thank"), ("生日快乐", "谢谢"),
    ],
)  # fmt: skip
def test_what_every_newcomer_asks_has_an_answer_of_its_own(said: str, answer: str) -> None:
    assert re.search(answer, last_reply(said)), last_reply(said)


def test_who_asks_what_is_kept_is_shown_some_of_it() -> None:
    kept = PromptMemory(
        text="主人住在杭州", tier="fact", when=NOW - timedelta(days=3), handle="#1"
    )

    assert "你住在杭州" in last_reply("你记住了什么", memories=[kept])
    assert "/记忆" in last_reply("你记住了什么", memories=[kept])


def test_what_she_said_last_is_said_once_more() -> None:
    first = last_reply("我今天搬家了")

    assert first in last_reply("我今天搬家了", "你刚才说了什么")


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (["今天被裁了", "周末去爬山好开心"], "zh"),
        (["I got laid off today", "climbed a hill this weekend, it was lovely"], "en"),
        (["今天很难过", "我们订婚了"], "zh"),
        (["I'm so sad today", "we're engaged"], "en"),
    ],
)
def test_after_a_sad_line_a_happy_one_is_met_with_joy(said: list[str], language: str) -> None:
    assert is_of(last_reply(*said), "joy")


@pytest.mark.parametrize(
    ("fact", "told", "repeated"),
    [
        ("你住在淡水", "我住在淡水", "你住在淡水"),
        ("你妈妈生日是3月12日", "我妈妈生日是3月12日，她住在绍兴", "你妈妈生日是3月12日"),
        ("你的男朋友叫陈默", "我男朋友叫陈默，他是程序员", "你男朋友叫陈默"),
        ("你对蝦子過敏", "我對蝦子過敏", ""),
        ("你不去了", "書法課我不去了", ""),
        ("你老蔡走了", "老蔡走了", ""),
        ("你今天小宇满九岁", "今天小宇满九岁", ""),
        ("你五十岁", "我请了个新帮工，叫何姐，五十岁", ""),
        ("you live in Cork", "I live in Cork", "you live in Cork"),
        ("you are 30", "well, I'm 30", "you are 30"),
        ("your boss is Orla now", "my boss is Orla now", "your boss is Orla now"),
        ("you are allergic to nuts by the way", "I'm allergic to nuts by the way", ""),
        ("youdriving test next Tuesday", "driving test next Tuesday", ""),
    ],
)
def test_only_what_was_said_of_oneself_word_for_word_is_repeated(
    fact: str, told: str, repeated: str
) -> None:
    assert told_in_these_words(fact, told) == repeated


@pytest.mark.parametrize(
    "said", ["我住在臺北市的舊房子裡", "我養了一隻貓叫湯圓", "我對蝦子過敏", "我在國中當老師"]
)
def test_the_partners_own_words_are_not_put_into_simplified_characters(said: str) -> None:
    simplified = said.translate(SIMPLIFIED)
    changed = [new for old, new in zip(said, simplified, strict=True) if old != new]
    own = [each for each in said if each not in simplified]
    reply = last_reply(said)

    quotes = any(each in reply for each in own)
    assert not quotes or not any(each in reply for each in changed), reply


def test_nothing_cheerful_is_said_at_news_that_is_not_ones_own() -> None:
    assert {"others_news", "gone", "went_badly", "sleepless"} <= BAD_NEWS


CLAIMS = re.compile(
    r"记下|记住|记着|记好|记在|放在心|有数|\bnoted\b|\bin(?:to)? my notes|I will (?:keep|remember)"
    r"|written that down|eye on"
)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_that_is_said_in_a_pause_of_what_was_told_says_that_it_is_kept(
    language: str,
) -> None:
    said = ZH if language == "zh" else EN
    told = {name: _untold(said, name) for name in said.openings}

    for name in ("noted", "allergy", "news", "private", "listening", "birthday", "solace"):
        assert told[name], name
        assert not [each for each in told[name] if CLAIMS.search(each)], name
    for name in ("kept", "program", "place", "joke"):
        assert set(told[name]) <= set(said.openings[name]), name


@pytest.mark.parametrize(
    "said",
    [
        "别叫我宝贝",
        "别叫我主人",
        "以后不要叫我大叔了",
        "don't call me Annie",
        "stop calling me honey",
    ],
)
def test_a_name_that_is_refused_is_not_taken_up(said: str) -> None:
    assert is_of(last_reply("在吗" if not said.isascii() else "hi", said), "not_called")


@pytest.mark.parametrize(
    "said",
    ["叫我儿子吃饭", "叫我妈接电话", "叫我同事小张帮忙", "叫我姐早点睡", "call me after work"],
)
def test_who_is_sent_for_is_not_taken_for_the_partner(said: str) -> None:
    assert not re.search("以后就这么叫你|认识你|it is, then|meet you", last_reply(said))


@pytest.mark.parametrize(
    ("said", "name"), [("叫我小雨", "小雨"), ("叫我姐就行", "姐"), ("call me Annie", "Annie")]
)
def test_a_name_that_is_given_is_taken_up(said: str, name: str) -> None:
    assert name in last_reply(said)
