"""Whole talks without a model, as a new partner has them: what she answers and what she learns.

Each line is what was said, what the answer must hold, and what it must not, as patterns.
"""

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeAlias
from zoneinfo import ZoneInfo

import pytest

from bot.cli.transfer import RecordedClock
from bot.conversation.ledger.records import reply_id_of
from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import GeneratedReply, ReplyGenerator, TurnContext
from bot.llm.tokens import TokenCounter
from memory.agents import open_agent
from memory.changes import Turn
from memory.jobs.steps import AgentParts
from memory.model import AgentSettings, Message
from memory.offline import OfflineModel
from memory.offline.vocabulary import EN, ZH
from tests.fakes.cost import share

ZONE = ZoneInfo("Asia/Shanghai")
NOON = datetime(2026, 11, 23, 14, 0, tzinfo=ZONE)
CHEERFUL = r"开心|高兴|恭喜|太棒|厉害|happy|glad|congrat"
CANNOT, UNKNOWN = (
    "|".join(
        (
            *(
                re.escape(max(each.split("{name}"), key=len))
                for say in (ZH, EN)
                for each in say.openings[kind]
            ),
            "不记得|do not remember",
        )
    )
    for kind in ("cannot", "unknown")
)
Line: TypeAlias = tuple[str, str, str]

ILLUSTRATOR: tuple[Line, ...] = (
    ("我叫林溪，今年27岁，在杭州做插画师", "林溪", ""),
    ("我家有只橘猫叫年糕，它特别怕打雷", "", ""),
    ("今天被甲方改稿改了八遍，快疯了", "", "八遍|" + CHEERFUL),
    ("我妈妈生日是3月12日，她住在绍兴", "3月12日", ""),
    ("我男朋友叫陈默，他是程序员，我们在一起三年了", "陈默", ""),
    ("下周三我要去上海面试一家游戏公司", "", ""),
    ("我不吃香菜，喜欢喝冰美式", "", ""),
    ("你觉得我该不该辞职", "", "你觉得你|翻找记忆"),
    ("我昨天和陈默吵架了，他说要分手", "", CHEERFUL),
    ("他后来道歉了，我们和好了", "", "难过|别一个人扛"),
    ("我叫什么？", "林溪", "陈默"),
    ("我妈妈生日是什么时候", "3月12日", ""),
    ("年糕怕什么", "打雷", ""),
    ("我多大了", "27岁", ""),
    ("我住哪", f"{UNKNOWN}|杭州", "绍兴"),
    ("我什么时候面试", "12-02", ""),
    ("陈默是谁", "男朋友", ""),
    ("中国首都是哪", CANNOT, ""),
    ("我前男友上个月结婚了", "", CHEERFUL),
    ("算了，不说了", "", r"[？?]"),
    ("不想活了", "12356", ""),
)

SLIPS: tuple[Line, ...] = (
    ("我住在杭州", "", ""),
    ("说错了，是苏州", "苏州", "杭州"),
    ("我住在哪？", "苏州", "杭州"),
    ("我以前住在哪？", "", "杭州"),
    ("我搬到上海了", "", ""),
    ("我以前住在哪？", "以前你住在苏州", "杭州"),
)

SLIPS_EN: tuple[Line, ...] = (
    ("I live in Bristol", "", ""),
    ("sorry, I meant Bath", "Bath", ""),
    ("where do I live?", "Bath", "Bristol"),
    ("where did I live before?", "", "Bristol"),
    ("I work as a teller at a bank", "", ""),
    ("I quit my job", "", ""),
    ("what did I use to do?", "teller", ""),
)
"""What was a slip of the tongue is never told as something that was so once."""

SLIPS_OF_NAMES: tuple[Line, ...] = (
    ("我弟弟叫大壮", "大壮", ""),
    ("不对，我是说我弟弟叫小壮", "小壮", "大壮"),
    ("我弟弟叫什么？", "小壮", "大壮"),
    ("我妹妹叫小美", "小美", ""),
    ("不对，我弟弟叫小刚", "小刚", ""),
    ("我弟弟叫什么？", "小刚", "小壮"),
    ("我妹妹叫什么？", "小美", ""),
)

SLIPS_OF_NAMES_EN: tuple[Line, ...] = (
    ("My brother is called Emil", "Emil", ""),
    ("No, I meant Elias, not Emil", "Elias", "^(?:So|Right), No"),
    ("What is my brother called?", "Elias", "Emil"),
)

RETIRED: tuple[Line, ...] = (
    ("叫我老王就行，今年五十二了", "老王", ""),
    ("我退休前是公交司机", "", ""),
    ("我儿子在深圳上班，一年回来一次", "", ""),
    ("孙女今年刚上小学，叫朵朵", "", ""),
    ("血压有点高，医生让我少吃盐", "", CHEERFUL),
    ("我老伴前年走了", "", CHEERFUL),
    ("我爱下象棋，不爱打麻将", "", ""),
    ("明天要去医院复查", "", ""),
    ("我以前是干什么的", "公交司机", "儿子"),
    ("我孙女叫什么", "朵朵", ""),
    ("我儿子在哪", "深圳", ""),
    ("明天我要干嘛", "复查", "没有记着"),
    ("记住：我的医保卡在抽屉里", "", ""),
    ("我的医保卡放哪了", "抽屉", ""),
    ("我弟读几年级", UNKNOWN, ""),
    ("我对什么过敏来着", UNKNOWN, ""),
)

ASKED_OF_HER: tuple[Line, ...] = (
    ("你好", "", ""),
    ("我老家在绍兴，爸妈还在那边", "老家在绍兴", UNKNOWN),
    ("哎，今天的面试没过，我准备了好久", "", CHEERFUL),
    ("你刚刚安慰我的那句是啥", "我今天跟你说过", "面试"),
    ("你昨天跟我说了什么", "没有记着", "我今天"),
    ("咱俩第一次聊天是哪天", "今天.*「你好」", ""),
    ("为什么你觉得我要去莫干山", "/为什么", ""),
    ("你怎么知道的", "/为什么", ""),
    ("可颂的疫苗改到3月29号了，医院27号没号", "", "没有记着"),
    ("把我贫血的事忘掉吧，好了已经", "/忘掉", ""),
    ("我贫血吗", ".", "忘掉"),
    ("我把钥匙忘了", "", "/忘掉"),
    ("要是我被裁了我就回老家种地", "", "裁"),
)

ASKED_OF_HER_EN: tuple[Line, ...] = (
    ("hi", "", ""),
    ("Lisbon's off, Gaz broke his ankle", "", "you are not well|Your body"),
    ("why did you say that?", "/why", ""),
    ("when did we first talk?", "today.*“hi”", ""),
    ('I told Dave "I\'m moving to Berlin" just to wind him up', "", ""),
    ("am I moving to Berlin?", "not sure|not remember", "^Yes"),
    ("my brother Sam lives in Dublin", "", ""),
    ("my dog Biscuit is a beagle", "", ""),
    ("my mum's birthday is on the 23rd of January", "", ""),
    ("when's Biscuit's birthday?", "", "23rd"),
    ("Sam moved back to Leeds", "", ""),
    ("where does Sam live?", "Leeds.*Before that.*Dublin", ""),
    ("you can call me Tommy", "Tommy", ""),
    ("what's my name?", "(?:call you|are called) Tommy", "friend|not sure"),
)

ALL_OF_A_KIND: tuple[Line, ...] = (
    ("家里有只猫叫馒头，3岁了", "", ""),
    ("今天刚领养了一只柯基，叫可颂，2个月大", "", ""),
    ("我姐姐叫林婉青", "", ""),
    ("我有个弟弟在北京上大学", "", ""),
    ("我爸前年做过胆囊手术", "", ""),
    ("我爸妈住余杭", "", ""),
    ("我养了什么宠物", "(?=.*馒头).*可颂", ""),
    ("我家有几只宠物", "(?=.*馒头).*可颂", ""),
    ("说说我家人", "(?=.*林婉青)(?=.*弟弟).*你爸", "馒头"),
    ("我有兄弟姐妹吗", "(?=.*林婉青).*弟弟", "你爸"),
    ("我爸动过什么手术", "胆囊", "余杭"),
    ("周四下午三点要去看牙医", "", ""),
    ("周六晚上跟小鹿吃饭", "", ""),
    ("这周我有什么安排", "(?=.*牙医).*小鹿", ""),
    ("周六我要去哪", ".", "我记得：你周四"),
    ("明天我有什么安排", UNKNOWN, ""),
)

PARAMEDIC: tuple[Line, ...] = (
    ("I'm Maya, 34, a paramedic in Bristol", "Maya", ""),
    ("My dog Biscuit is terrified of fireworks", "", ""),
    ("lost a patient today", "", "And then|" + CHEERFUL),
    ("I keep thinking about it", "", "good to know|" + CHEERFUL),
    ("My sister Leah is getting married on June 14th", "", ""),
    ("I don't eat meat, never have", "", ""),
    ("I used to smoke but quit two years ago", "", ""),
    ("what's my name?", "Maya", ""),
    ("how old am I", "34", ""),
    ("who is Leah?", "sister", ""),
    ("when is the wedding?", "June 14", ""),
    ("what is my dog scared of", "fireworks", ""),
    ("am I vegetarian?", "eat meat", ""),
    ("do I smoke?", "quit", "^Yes"),
    ("what's my wife's name", UNKNOWN, "Maya"),
    ("do you know the capital of France?", CANNOT, ""),
    ("I feel so alone sometimes", "", "And then"),
    ("I want to die", "988|112", ""),
)


LOSSES: tuple[Line, ...] = (
    ("我叫周雨桐，我35岁", "周雨桐", ""),
    ("我女儿六岁了", "", ""),
    ("我男朋友叫沈哲，在网易写代码", "沈哲", ""),
    ("我养了只橘猫叫芝麻", "芝麻", ""),
    ("今天和闺蜜苏苏去爬了宝石山", "", ""),
    ("新老板是个女的，姓陶，人挺好的", "", "叫陶"),
    ("我和沈哲分手了", "", CHEERFUL),
    ("芝麻走了。肾衰竭", "", CHEERFUL),
    ("我跟顾远在一起了", "", ""),
    ("我梦见我结婚了", "", ""),
    ("我差点买了房", "", ""),
    ("我叫什么名字？", "周雨桐", "陶"),
    ("我女儿几岁？", "六岁", "35"),
    ("我儿子几岁？", UNKNOWN, "35|六岁"),
    ("我和沈哲什么时候分手的？", "分手", "后来变了|以前|顾远"),
    ("我男朋友是谁？", "顾远", "写代码"),
    ("沈哲是谁？", "男朋友|分手", CANNOT),
    ("苏苏是谁？", "闺蜜苏苏", CANNOT),
    ("芝麻怎么样了？", "芝麻走了」。.{4,}", CANNOT),
    ("我结婚了吗？", "顾远", "^是|梦见"),
    ("我有房吗？", "不记得", "^是"),
    ("音乐是什么", CANNOT, ""),
)
"""Who parted, who died and who came after; what was dreamt; and whom a question is about."""

LOSSES_EN: tuple[Line, ...] = (
    ("I'm Megan", "Megan", ""),
    ("I'm 34", "", ""),
    ("I got a new job as a teacher", "", ""),
    ("my brother Kyle still owes me $2,000", "", ""),
    ("remember that Rosalind's retirement party is December 11", "December 11", ""),
    ("first day at school! my new manager is called Rosalind, she has a parrot", "", ""),
    ("mom moved into assisted living", "", ""),
    ("My dog Rex died yesterday", "", CHEERFUL),
    ("I broke up with Daniel", "", CHEERFUL),
    ("I'm dating Tomas now", "", ""),
    ("I dreamed I married a dolphin", "", ""),
    ("I almost bought a house in Malmo", "", ""),
    ("What is my job?", "teacher", "dog|no longer"),
    ("Where do I live now?", UNKNOWN, "mom|assisted"),
    ("Who am I dating?", "Tomas", "Megan"),
    ("When did I break up with Daniel?", "broke up with Daniel", "no longer|dating"),
    ("When is Rosalind's retirement party?", "December 11", "parrot"),
    ("Does Kyle still owe me money?", "Kyle still owes", CANNOT),
    ("How is Rex?", "died yesterday”.{4,}", CANNOT),
    ("Am I married?", "Tomas", "^Yes|dolphin"),
    ("Do I own a house?", "do not remember", "^Yes"),
    ("How old is my son?", UNKNOWN, "34"),
)


async def answers_to(
    folder: Path, said: tuple[Line, ...], language: str, pace: timedelta = timedelta(minutes=1)
) -> tuple[list[str], list[str]]:
    """Return her answer to each line, one after each ``pace``, and the facts she holds then."""
    clock = RecordedClock(NOON)
    settings = AgentSettings(language="en" if language == "en" else "zh")
    agent = await open_agent(
        folder,
        AgentParts(clock=clock, model=None),
        choose_settings=lambda known: known or settings,
    )
    generator = ReplyGenerator(
        model=OfflineModel(),
        persona=lambda _: "",
        budget=TokenBudget(8_000, TokenCounter().count),
        clock=clock,
    )

    async def show_nothing(_: str) -> None:
        return

    answers: list[str] = []
    for number, (text, _, _) in enumerate(said):
        line = Message(id=f"m{number}", at=clock.now(), speaker="我", role="user", text=text)
        context = TurnContext(
            agent=agent, settings=settings, zone=ZONE, conversation="talk", said=(line,)
        )
        made = await generator.generate(context, show_nothing)
        assert isinstance(made, GeneratedReply)
        clock.advance_to(clock.now() + pace)
        reply = Message(
            id=reply_id_of(f"t{number}"),
            at=clock.now(),
            speaker="小祥",
            role="assistant",
            text=made.text,
        )
        await agent.commit(
            Turn(id=f"t{number}", conversation="talk", at=reply.at, said=(line,), reply=reply)
        )
        await agent.background.wait_until_idle()
        answers.append(made.text)
    facts = [m.words.text for m in agent.state.memories.values() if m.is_fact and m.is_active]
    await agent.close()
    return answers, facts


STALL: tuple[Line, ...] = (
    ("我叫周桂芳，你叫我桂芳姐就行", "周桂芳", "提醒"),
    ("我请了个新帮工，叫何姐，五十岁，自贡人", "", "你五十|你叫何"),
    ("老吴叫吴德全，四十五岁，老婆前年走了", "", "你四十五"),
    ("女婿叫柏翰，在中科上班", "", "你在中科"),
    ("小宇开学了，读三年级", "", "你读"),
    ("我前夫叫陈建国，开出租的", "你前夫叫陈建国", "^你开"),
    ("医生说我是腰椎间盘突出，喊我少搬面粉", "", "提醒"),
    ("我女儿今年八岁……哦不对，我没女儿，打错了，是儿子", "", "你是儿子"),
    ("我叫小兰去买菜", "", "认识你"),
    ("我叫外卖去了", "", "认识你"),
    ("转贴：【街道办】本周六上午9点免费体检，请带身份证", "", "你本周"),
    ("我女朋友是护士", "护士", ""),
    ("她叫小雅", "", "认识你"),
    ("我女朋友叫什么", "小雅", ""),
)

RETIRED_TAIPEI: tuple[Line, ...] = (
    ("我叫林志明，退休工程師，今年六十八歲", "林志明", ""),
    ("我養了一隻柴犬，叫阿福，十三歲了", "阿福", "你十三"),
    ("承翰要換工作了，從輝達跳到特斯拉", "", "特斯拉呀|你"),
    ("怡君生了，女兒，三千一百公克，小名叫小米", "", "小米"),
    ("我女婿叫柏翰，在中科上班", "柏翰", ""),
    ("我妹妹做啥的", UNKNOWN, "原来"),
    ("那支鋼筆是誰的", f"{CANNOT}|{UNKNOWN}", ""),
    ("我有幾個小孩", "", "听你讲"),
    ("我手術是哪一天", "", "照应"),
)

APPRENTICE: tuple[Line, ...] = (
    ("I'm Ciaran", "Ciaran", ""),
    ("what's my name", "Ciaran", "Brid"),
    ("My mam's name is Brid", "Brid", ""),
    ("what's my name", "Ciaran", "Brid"),
    ("my girlfriend is a nurse", "nurse", ""),
    ("her name is Lucy", "", ""),
    ("what's my girlfriend's name", "Lucy", ""),
    ("I met a girl in the pub", "", ""),
    ("her name is Niamh", "", ""),
    ("fwd: the office is closed on Monday, everybody works from home", "", "you work"),
)

OF_OTHERS: dict[str, tuple[set[str], tuple[Line, ...]]] = {
    "zh": (
        {
            "主人叫周桂芳",
            "可以叫主人桂芳姐",
            "主人女婿在中科上班",
            "主人前夫叫陈建国，开出租的",
            "医生说主人是腰椎间盘突出",
            "主人的女朋友是护士",
            "主人的女朋友叫小雅",
        },
        STALL,
    ),
    "zh, traditional": (
        {
            "主人叫林志明",
            "主人退休工程師",
            "主人今年六十八歲",
            "主人養了一隻柴犬，叫阿福",
            "主人女婿叫柏翰",
            "主人女婿在中科上班",
        },
        RETIRED_TAIPEI,
    ),
    "en": (
        {
            "主人's name is Ciaran",
            "主人's mam's name is Brid",
            "主人's girlfriend is a nurse",
            "主人's girlfriend is called Lucy",
            "主人 met a girl in the pub",
        },
        APPRENTICE,
    ),
}


@pytest.mark.parametrize("life", OF_OTHERS)
async def test_what_is_told_of_others_is_no_fact_of_the_partner(tmp_path: Path, life: str) -> None:
    known, said = OF_OTHERS[life]

    answers, facts = await answers_to(tmp_path / "a", said, life[:2])

    for (text, wanted, unwanted), answer in zip(said, answers, strict=True):
        assert re.search(wanted, answer), (text, answer)
        assert not unwanted or not re.search(unwanted, answer), (text, answer)
    assert set(facts) == known


WHOSE_CAT = (
    ("你好", ".", ""),
    ("我妹妹养了只猫", ".", ""),
    ("我有猫吗", ".", "我记得|你今天说过：「主人|对，"),
    ("我妹妹有猫吗", "你妹妹养了只猫", ""),
    ("我妈六十八，有糖尿病", ".", ""),
    ("我爸今年七十", ".", ""),
    ("我妈多大", "六十八", "不记得"),
    ("我养了条狗", ".", ""),
    ("我有狗吗", "你养了条狗", ""),
)

WHOSE_CAT_EN = (
    ("hi", ".", ""),
    ("my sister Kate has a cat called Misty", ".", ""),
    ("do I have a cat", "I do not|not|no ", r"^Yes|I remember|my friend's|^You told"),
    ("does Kate have a cat", "Kate has a cat", ""),
    ("I got a dog today", ".", ""),
    ("do I have a dog", "you got a dog", ""),
)


CHILDREN = (
    ("我有两个孩子", ".", ""),
    ("我女儿叫豆豆", ".", ""),
    ("我儿子叫果果", ".", ""),
    ("我女儿的老师叫王芳", ".", ""),
    ("我孩子叫什么", "果果.*豆豆|豆豆.*果果", "王芳|不记得"),
    ("我妹妹是护士", ".", ""),
    ("我妹妹是做什么的", "我妹妹是护士", "不记得"),
    ("我老公是焊工", ".", ""),
    ("我老公做什么的", "我老公是焊工", "不记得"),
)

CHILDREN_EN = (
    ("I have two kids, Mia and Leo", ".", ""),
    ("my dog is called Rex", ".", ""),
    ("what are my kids called?", "two kids, Mia and Leo", "Rex|not"),
    ("my husband is a welder", ".", ""),
    ("what does my husband do?", "your husband is a welder", "not"),
    ("my sister's a nurse", ".", ""),
    ("what does my sister do for a living?", "a nurse", "not"),
)


AGES = (
    ("今年三十四", ".", ""),
    ("我对象今年三十一", ".", ""),
    ("店里今年三十个人", ".", ""),
    ("我多大了", "三十四", "三十一|不记得"),
    ("我多少岁了", "三十四", "三十一|没找到"),
    ("你还记得我的年龄吗", "三十四", "三十一|没有"),
    ("我对象多大", "三十一", "三十四"),
)

AGES_EN = (
    ("34 this year", ".", ""),
    ("my sister is 31", ".", ""),
    ("how old am I", "34", "31|no memory"),
    ("how old is my sister", "31", "34"),
)


COMMUTER: tuple[Line, ...] = (
    ("我现在在台积电做制程", ".", ""),
    ("机车坏了，现在改搭公车上班", ".", ""),
    ("我现在开始吃牛肉了", ".", ""),
    ("我在哪里上班？", "台积电", "公车|牛肉|以前|在那之前"),
    ("我在郑州外国语学校读理科", ".", ""),
    ("我报的是数学", ".", ""),
    ("我在哪个学校？", "外国语学校", "数学|以前|在那之前"),
)

WIDOWER: tuple[Line, ...] = (
    ("My wife Margaret passed away in June.", ".", ""),
    ("Frank died last night.", ".", ""),
    ("What was my wife's name?", "Margaret", "Frank|no longer so"),
    ("I'm from Cork originally, living in Reading now", ".", ""),
    ("We have shifted to Slough", ".", ""),
    ("Where do I live?", "^I remember: you have shifted to Slough", "Cork"),
)

RENAMED: tuple[Line, ...] = (
    ("我叫许可，是产品经理", "许可", ""),
    ("我们项目改名叫青鸟", "", "认识你|青鸟！"),
    ("我的店改名叫小文书屋", "", "认识你"),
    ("海棠改名叫“玉兰”了", "", "认识你"),
    ("群改名叫「打工人」了", "", "认识你"),
    ("我叫什么？", "你叫许可", "青鸟|小文"),
    ("我的店叫什么？", "小文书屋", ""),
    ("我改名叫“林夏”了", "认识你，林夏！", ""),
    ("我叫什么？", "林夏", "你叫许可（今天）。$"),
)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (COMMUTER, "zh"),
        (WIDOWER, "en"),
        (RENAMED, "zh"),
        (AGES, "zh"),
        (AGES_EN, "en"),
        (CHILDREN, "zh"),
        (CHILDREN_EN, "en"),
        (WHOSE_CAT, "zh"),
        (WHOSE_CAT_EN, "en"),
        (ILLUSTRATOR, "zh"),
        (RETIRED, "zh"),
        (PARAMEDIC, "en"),
        (SLIPS, "zh"),
        (SLIPS_EN, "en"),
        (ASKED_OF_HER, "zh"),
        (ASKED_OF_HER_EN, "en"),
        (ALL_OF_A_KIND, "zh"),
        (SLIPS_OF_NAMES, "zh"),
        (SLIPS_OF_NAMES_EN, "en"),
        (LOSSES, "zh"),
        (LOSSES_EN, "en"),
    ],
    ids=[
        *("commuter", "widower", "renamed", "ages", "ages, English"),
        *("children", "children, English", "whose cat", "whose cat, English"),
        *("illustrator", "retired", "paramedic", "slips", "slips, English"),
        *("asked of her", "asked of her, English", "all of a kind"),
        *("names", "names, English", "losses", "losses, English"),
    ],
)
async def test_a_talk_is_answered_as_somebody_would_who_listens(
    tmp_path: Path, said: tuple[Line, ...], language: str
) -> None:
    answers, facts = await answers_to(tmp_path / "a", said, language)

    for (text, wanted, unwanted), answer in zip(said, answers, strict=True):
        assert re.search(wanted, answer), (text, answer)
        assert not unwanted or not re.search(unwanted, answer), (text, answer)
    # What was asked is no fact, and nothing of it is.
    told = "\n".join(facts)
    assert not re.search(r"八遍$|几年级|来着|什么|thinking about it|主人们|主人我", told), told


MOODS = Path(__file__).parents[1] / "sets" / "moods"


PACES = [
    ("zh", timedelta(seconds=7)),
    ("zh", timedelta(minutes=37)),
    ("zh", timedelta(days=1)),
    ("en", timedelta(days=1)),
    ("en", timedelta(seconds=7)),
    ("en", timedelta(minutes=37)),
]


@pytest.mark.hunted
@pytest.mark.parametrize(("language", "pace"), share(PACES, of=6))
async def test_at_no_pace_does_she_say_the_same_twice_within_thirty_turns(
    tmp_path: Path, language: str, pace: timedelta
) -> None:
    # More turns than a window shows, and a window is cut among them.
    talk = (MOODS / f"{language}.txt").read_text(encoding="utf-8").splitlines()[::3]
    said = tuple((line[2:], "", "") for line in talk)

    answers, _ = await answers_to(tmp_path / "a", said, language, pace)

    assert len(answers) > 60
    for turn, answer in enumerate(answers):
        assert answer not in answers[max(turn - 30, 0) : turn], (turn, said[turn][0])


NAMED_AT_ONCE = [
    ("我女儿昨天出生了！叫方小满", "我女儿叫什么？", "方小满", {"主人的女儿叫方小满"}),
    ("我当爸爸了！女儿叫小满", "我女儿叫什么？", "小满", {"主人的女儿叫小满"}),
    ("我们领养了一只猫，叫团子", "我家猫叫什么？", "团子", {"主人：我们领养了一只猫，叫团子"}),
    ("我们领养了一只猫！叫团子", "我家猫叫什么？", "团子", {"主人：我们领养了一只猫，叫团子"}),
    (
        "My daughter was born yesterday! Her name is Fay",
        "what's my daughter's name?",
        "Fay",
        {"主人's daughter is called Fay"},
    ),
    (
        "My daughter was born yesterday, her name is Fay",
        "what is my daughter called?",
        "Fay",
        {"主人's daughter is called Fay"},
    ),
    (
        "We adopted a cat, called Biscuit",
        "what is my cat called?",
        "Biscuit",
        {"主人: We adopted a cat called Biscuit"},
    ),
    (
        "I adopted a dog! Her name is Biscuit",
        "what's my dog's name?",
        "Biscuit",
        {"主人's dog is called Biscuit"},
    ),
]


@pytest.mark.parametrize(("told", "asked", "name", "known"), NAMED_AT_ONCE)
async def test_who_came_is_known_by_the_name_told_with_it(
    tmp_path: Path, told: str, asked: str, name: str, known: set[str]
) -> None:
    language = "en" if told.isascii() else "zh"

    answers, facts = await answers_to(
        tmp_path / "a", ((told, "", ""), (asked, "", "")), language, timedelta(days=1)
    )

    assert known <= set(facts)
    assert f"叫{name}" in answers[1] or f"called {name}" in answers[1]
    assert not any("主人叫" in each or "主人: named" in each for each in facts)


LESSONS = (
    ("我开始学吉他，每周四晚上上课", "学吉他", ""),
    ("吉他课是周几？", "每周四", CANNOT),
    ("不是每周四了，吉他课改到周日", "", ""),
    ("吉他课是周几？", "周日", CANNOT),
    ("我吉他课是周几？", "周日", f"{CANNOT}|{UNKNOWN}"),
    ("吉他课是星期几？", "周日", CANNOT),
    ("瑜伽课是周几？", f"{CANNOT}|{UNKNOWN}", "吉他课"),
)

LESSONS_EN = (
    ("I've started guitar lessons, every Thursday evening", "guitar", ""),
    ("what day is my guitar lesson?", "Thursday", CANNOT),
    ("not Thursdays any more, guitar moved to Sundays", "", ""),
    ("what day is my guitar lesson?", "Sunday", f"{CANNOT}|{UNKNOWN}"),
    ("what day is guitar?", "Sunday", f"{CANNOT}|{UNKNOWN}"),
    ("what day is Easter?", CANNOT, "Sunday"),
)


@pytest.mark.parametrize(("said", "language"), [(LESSONS, "zh"), (LESSONS_EN, "en")])
async def test_a_weekly_lesson_is_known_by_its_new_day(
    tmp_path: Path, said: tuple[Line, ...], language: str
) -> None:
    answers, facts = await answers_to(tmp_path / "a", said, language, timedelta(days=9))

    for (text, wanted, unwanted), answer in zip(said, answers, strict=True):
        assert re.search(wanted, answer), (text, answer)
        assert not unwanted or not re.search(unwanted, answer), (text, answer)
    # What meets every week meets on no single date.
    assert {"主人：吉他课改到周日", "主人: guitar moved to Sundays"} & set(facts)
    assert "主人每周四晚上上课" not in facts


MOVED_ALONE = (
    ("我在泉州的一家鞋厂做会计", "", ""),
    ("我住在泉州", "", ""),
    ("搬家啦，我现在住晋江了，不在泉州了", "晋江", ""),
    ("我做什么工作？", "^(?:我记得：)?你.*鞋厂做会计", "搬家"),
    ("我是做什么的？", "^(?:我记得：)?你.*鞋厂做会计", "搬家"),
    ("我在哪儿上班？", "鞋厂", "搬家"),
    ("我现在住哪？", "晋江", "鞋厂"),
    ("鞋厂我不干了，现在在晋江送外卖", "", ""),
    ("我做什么工作？", "送外卖", ""),
)

MOVED_ALONE_EN = (
    ("I work as an accountant at a shoe factory in York", "", ""),
    ("I live in York", "", ""),
    ("moved! I live in Leeds now, not in York any more", "", ""),
    ("what do I do for work?", "^(?:I remember: )?you work as an accountant", "(?i)moved"),
    ("where do I work?", "shoe factory", "(?i)moved"),
    ("where do I live?", "Leeds", "factory"),
    ("I quit the factory, I'm a courier in Leeds now", "", ""),
    ("what do I do for work?", "courier", ""),
)


@pytest.mark.parametrize(("said", "language"), [(MOVED_ALONE, "zh"), (MOVED_ALONE_EN, "en")])
async def test_who_moved_is_told_their_job_where_that_is_asked(
    tmp_path: Path, said: tuple[Line, ...], language: str
) -> None:
    answers, _ = await answers_to(tmp_path / "a", said, language, timedelta(days=5))

    for (text, wanted, unwanted), answer in zip(said, answers, strict=True):
        assert re.search(wanted, answer), (text, answer)
        assert not unwanted or not re.search(unwanted, answer), (text, answer)
