"""Whose words and whose news a line holds, and what is answered from it about the partner."""

import re
from datetime import timedelta

import pytest

from memory.offline.harms import asks_what_harms
from memory.offline.intents import AsksMemory, AsksPastTalk, TellsSomething, intent_of
from memory.offline.questions import Question, may_be_of, without_kin_of_others
from memory.offline.threads import met_as
from memory.offline.understood import is_anothers_word
from memory.offline.utterances import statements_in, told_in
from memory.offline.vocabulary import EN, ZH, is_question
from memory.offline.warmth import LISTENING, occasion_of
from memory.text.passed_on import own_text
from prompts import PromptMemory
from tests.unit.memory.test_offline_small_talk import NOW, is_of, last_reply


@pytest.mark.parametrize(
    ("said", "met"),
    [
        ("小芳: 我下周结婚 [2026/11/01 10:03]", "others_glad"),
        ("小芳：我下周结婚", "others_glad"),
        ("我隔壁老张说：我对海鲜过敏，一吃就起疹子", "others_news"),
        ("老王：我被裁了", "others_news"),
        ("阿杰：我失恋了，好难受", "others_news"),
        ("小李跟我讲，我升职了", "others_glad"),
        ("阿敏：我买了个新锅", "passed_on"),
        ("我妈说：我头疼得厉害", "others_ill"),
        ("我同事升职了", "others_glad"),
        ("我同学对花生过敏", LISTENING),
        ("阿杰：我不想活了", "crisis"),
        ("他跟我说：我们分手吧", "breakup"),
        ("我下周结婚", "joy"),
        ("我对花生过敏", "allergy"),
        ("我儿子对花生过敏", "allergy"),
        ("Tom: I'm getting married next week", "others_glad"),
        ("my neighbour said: I'm allergic to seafood", "passed_on"),
        ("[10:03] Anna: I got the job!", "others_glad"),
        ("my colleague got promoted", "others_glad"),
        ("my friend is allergic to nuts", LISTENING),
        ("I'm getting married next week", "joy"),
        ("I'm allergic to nuts", "allergy"),
        ("Kev at work had a heart attack on shift, i did the CPR", "others_ill"),
        ("老王心梗了，在医院抢救，我陪着", "others_ill"),
    ],
)
def test_news_is_met_as_the_news_of_whose_it_is(said: str, met: str) -> None:
    assert met_as(occasion_of(said), *own_text(said)) == met


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("我结婚了吗", "小芳: 我下周结婚 [2026/11/01 10:03]"),
        ("我对什么过敏", "我隔壁老张说：我对海鲜过敏"),
        ("我在哪上班", "阿杰：我在银行上班"),
        ("我爸叫什么", "小芳: 我爸叫王德发"),
        ("am i getting married", "Tom: I'm getting married next week"),
        ("what am i allergic to", "my neighbour said: I'm allergic to seafood"),
    ],
)
def test_what_another_says_of_themselves_is_not_of_who_asks(asked: str, said: str) -> None:
    assert is_anothers_word(said, asked)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("小芳跟我说她什么时候结婚", "小芳: 我下周结婚"),
        ("what did my neighbour tell me", "my neighbour said: I'm allergic to seafood"),
        ("我结婚了吗", "我下周结婚"),
        ("小芳什么时候结婚", "小芳: 我下周结婚"),
    ],
)
def test_whose_words_are_asked_after_may_have_said_it(asked: str, said: str) -> None:
    assert not is_anothers_word(said, asked)


@pytest.mark.parametrize(
    ("asked", "said", "may"),
    [
        ("我爸叫什么", "小王说他爸叫王德发，是个厨子", False),
        ("我爸叫什么", "小王的爸爸叫王德发", False),
        ("我爸叫什么", "同事他爸叫王德发", False),
        ("我爸叫什么", "我爸叫周国强", True),
        ("我妈多大了", "她妈今年六十", False),
        ("小王他爸叫什么", "小王说他爸叫王德发", True),
        ("what's my dad called", "my mate Dave said his dad is called Bob", False),
        ("what's my dad called", "Dave's dad is called Bob", False),
        ("what's my dad called", "my friend's dad is called Bob", False),
        ("what's my dad called", "my dad is called Ken", True),
        ("what's my dad called", "It's dad's birthday", True),
        ("what is Dave's dad called", "Dave's dad is called Bob", True),
    ],
)
def test_the_father_of_somebody_else_is_not_mine(asked: str, said: str, *, may: bool) -> None:
    question = Question(asked, NOW, NOW.tzinfo)  # type: ignore[arg-type]
    assert may_be_of(without_kin_of_others(said, question), question) is may


@pytest.mark.parametrize(
    ("lines", "never"),
    [
        (("小芳: 我下周结婚 [2026/11/01 10:03]", "我結婚了嗎"), "下周"),
        (("小王说他爸叫王德发，是个厨子", "我爸叫什么"), "王德发"),
        (("my mate Dave said his dad is called Bob", "what's my dad called"), "Bob"),
    ],
)
def test_nothing_of_another_is_told_as_the_partners(lines: tuple[str, ...], never: str) -> None:
    assert never not in last_reply(*lines)


ALLERGIES = tuple(
    PromptMemory(f"m{number}", text, NOW)
    for number, text in enumerate(
        (
            "主人对青霉素过敏", "主人对花生过敏", "主人乳糖不耐受", "主人不能吃辣",
            "主人儿子对鸡蛋过敏", "主人喜欢吃面", "主人住在杭州",
        )
    )
)  # fmt: skip


@pytest.mark.parametrize(
    "asked",
    [
        "我不能用什么药？", "我不能吃什么", "我不能碰什么", "我有什么不能吃的吗",
        "我有什么要忌口的",
        "我吃什么会过敏", "有什么药我不能吃", "哪些东西我得避开", "我能吃虾吗", "我对什么过敏",
        "我不可以喝什么", "我有没有过敏的药",
    ],
)  # fmt: skip
def test_all_that_harms_is_told_where_it_is_asked_after(asked: str) -> None:
    reply = last_reply("医生叫我别碰布洛芬", asked, memories=ALLERGIES)
    for each in ("青霉素", "花生", "乳糖", "辣", "布洛芬"):
        assert each in reply
    assert "鸡蛋" not in reply
    assert "杭州" not in reply


@pytest.mark.parametrize(
    "asked",
    [
        "what meds should I avoid", "what can't I eat", "is there anything I must not take",
        "what am i allergic to", "do i have any allergies", "what should i not eat",
        "any foods i should stay away from", "can i take penicillin", "what mustn't i drink",
        "am i allowed to eat nuts", "what should i steer clear of", "anything i can't have?",
    ],
)  # fmt: skip
def test_all_that_harms_is_told_in_english(asked: str) -> None:
    known = [
        PromptMemory("m1", "Sam is allergic to penicillin", NOW),
        PromptMemory("m2", "Sam can't eat gluten, coeliac", NOW),
        PromptMemory("m3", "Sam's son is allergic to eggs", NOW),
    ]
    reply = last_reply("my doctor told me not to take ibuprofen", asked, memories=known)
    for each in ("penicillin", "gluten", "ibuprofen"):
        assert each in reply
    assert "eggs" not in reply


def test_that_something_harms_no_more_is_told_before_what_harms() -> None:
    known = [
        PromptMemory("m1", "主人对青霉素过敏", NOW - timedelta(days=80)),
        PromptMemory("m2", "主人对花生过敏", NOW - timedelta(days=90)),
    ]
    said = "刚做了皮试，医生说我不过敏，小时候那次是误诊"
    reply = last_reply(said, "我对什么药过敏？", memories=known)
    assert reply.index("误诊") < reply.index("在那之前") < reply.index("青霉素")
    assert "花生" in reply


@pytest.mark.parametrize(
    ("told", "asked", "holds", "never"),
    [
        (
            ("Ivy is allergic to eggs", "My friend Tash has twins, both are allergic to nuts"),
            "What is Ivy allergic to?", "eggs", "nuts",
        ),
        (
            ("my cousin zara has a peanut allergy", "im allergic to kiwi"),
            "who has a peanut allergy", "zara", "kiwi",
        ),
        (
            ("im allergic to kiwi", "My colleague Sneha is allergic to prawns"),
            "what is sneha allergic to", "prawns", "kiwi",
        ),
        (("依依对鸡蛋过敏", "陈墨对海鲜过敏"), "依依对什么过敏？", "鸡蛋", "海鲜"),
        (("我对虾过敏", "果果对花生过敏"), "果果对什么过敏？", "花生", "虾"),
        (("我闺蜜的双胞胎对坚果过敏", "我对虾过敏"), "我对什么过敏？", "虾", "坚果"),
    ],
)  # fmt: skip
def test_of_one_child_it_is_never_told_what_harms_another(
    told: tuple[str, ...], asked: str, holds: str, never: str
) -> None:
    reply = last_reply(*told, asked)
    assert holds in reply
    assert never not in reply


@pytest.mark.parametrize(
    "asked",
    ["is chloe allergic to anything", "小芳对什么过敏", "what do i like to eat"],
)
def test_what_harms_the_partner_is_no_answer_of_others(asked: str) -> None:
    assert "青霉素" not in last_reply(asked, memories=ALLERGIES)


@pytest.mark.parametrize(
    "said",
    [
        "你个破机器人，屁用没有", "你好没用啊", "废物机器人", "什么破玩意", "滚", "闭嘴",
        "垃圾机器人",
        "你这个智障", "要你有什么用", "你一点用都没有", "you useless bot", "stupid robot",
        "shut up",
        "piece of crap", "you're worthless", "what's the point of you", "you are no help at all",
        "you suck",
    ],
)  # fmt: skip
def test_rudeness_at_her_is_met_unoffended(said: str) -> None:
    assert intent_of(said) == TellsSomething("rude")
    grave = "my dog died" if said.isascii() else "我家狗死了"
    assert is_of(last_reply(grave, said), "rude")


@pytest.mark.parametrize(
    "said",
    [
        "我真没用", "我是个废物", "老板骂我废物", "这破手机", "什么东西丢了", "滚烫的汤洒了",
        "你真好",
        "i'm useless", "my boss told me to shut up", "i feel like rubbish", "the bus was rubbish",
        "my phone is a piece of crap",
    ],
)  # fmt: skip
def test_what_is_not_said_at_her_is_no_rudeness(said: str) -> None:
    assert occasion_of(said) != "rude"


@pytest.mark.parametrize("asked", ["what is my name", "do you know my name?", "who am i"])
def test_a_name_never_told_is_asked_for(asked: str) -> None:
    assert is_of(last_reply('{"name":"root"}', "chloe is allergic to nuts", asked), "no_name")


@pytest.mark.parametrize("asked", ["我叫什么", "我叫什么名字", "我姓什么", "我是谁"])
def test_a_name_never_told_is_asked_for_in_chinese(asked: str) -> None:
    assert is_of(last_reply("小王叫王伟", asked), "no_name")


def test_a_name_that_was_told_is_told() -> None:
    assert "阿敏" in last_reply("我叫阿敏", "我叫什么")
    assert "Jess" in last_reply("I'm Jess", "what is my name")


@pytest.mark.parametrize(
    ("asked", "known", "begins"),
    [
        ("do i have a boyfriend", "Sam broke up with Tom", EN.over),
        ("am i seeing anyone", "Sam broke up with Tom", EN.over),
        ("am i single", "Sam broke up with Tom", EN.known),
        ("我有男朋友吗", "主人跟李雷分手了", ZH.over),
        ("我单身吗", "主人跟李雷分手了", ZH.known),
    ],
)
def test_who_is_no_more_is_told_as_over(asked: str, known: str, begins: str) -> None:
    reply = last_reply(asked, memories=[PromptMemory("m1", known, NOW)])
    assert re.match(re.escape(begins.split("{", maxsplit=1)[0]), reply)


@pytest.mark.parametrize(
    "said",
    [
        "is chloe allergic to anything", "does tom eat meat", "has chloe got any allergies",
        "is mum ok", "did tom call", "can he eat nuts", "is anna married", "does leo like fish",
        "has dave ever told you anything", "any foods i should stay away from", "was tom there",
        "are dogs any good with kids",
    ],
)  # fmt: skip
def test_an_auxiliary_at_the_head_asks(said: str) -> None:
    assert is_question(said)


@pytest.mark.parametrize(
    "said",
    [
        "is raining again", "was tired all day", "did well today", "did yoga today",
        "can barely move", "has been a long day", "is boring as anything", "did some work",
        "was late again", "is so cold here", "did nothing but sleep", "was ok in the end",
    ],
)  # fmt: skip
def test_a_statement_without_a_subject_asks_nothing(said: str) -> None:
    assert not is_question(said)


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("跟你说个事啊广场舞改了现在是星期一跟星期五跳星期二不跳了", False),
        ("跟你说件事，上周三我摔了一跤", False),
        ("给你讲个事，周六我儿子结婚", False),
        ("告诉你一件事我们周五说到的那家店关了", False),
        ("星期一我跟你说了什么", True),
        ("我们上周五聊了什么", True),
        ("你星期一跟我说了啥", True),
        ("what did we talk about on monday", True),
        ("let me tell you, on monday we dance", False),
    ],
)
def test_who_begins_to_tell_asks_nothing_of_a_day(said: str, *, asks: bool) -> None:
    assert (intent_of(said) == AsksPastTalk()) is asks


def test_what_harms_is_asked_of_memory() -> None:
    assert intent_of("what meds should I avoid") == AsksMemory()


@pytest.mark.parametrize(
    "asked",
    [
        "should i take the job", "can i use your name", "what should i have for dinner",
        "should i avoid him", "can i take the bus", "我能用微信吗", "可以用英语聊吗",
    ],
)  # fmt: skip
def test_what_is_taken_or_used_otherwise_is_no_matter_of_harm(asked: str) -> None:
    assert not asks_what_harms(asked)


@pytest.mark.parametrize(
    ("said", "before", "told"),
    [
        ("我姐生了！！男孩，6斤8两，小名叫年糕🥰", (), set()),
        ("我姐生了，男孩，小名叫年糕", (), set()),
        ("我当舅舅了！！男孩，小名叫年糕", (), set()),
        ("我闺蜜生了！女儿，叫小满", (), set()),
        ("小名叫年糕", ("男孩，6斤8两", "我姐生了！！"), set()),
        ("小名叫年糕", ("我叫陈静",), {"主人小名叫年糕"}),
        ("我女儿出生了！小名叫糯米", (), {"主人女儿出生了", "主人女儿小名叫糯米"}),
        ("我昨天看了个电影，女主是个律师，在东京离婚了，还养了只黑猫叫小夜", (), set()),
        ("昨天看了部电影。女主离婚了。还养了只黑猫", (), set()),
        ("还养了只黑猫", ("女主是个律师", "我昨天看了个电影"), set()),
        ("追的剧里，男主失业了，还得了癌症", (), set()),
        ("电影挺好看的，我哭了，我也养了只黑猫", (), {"主人也养了只黑猫"}),
        ("我养了条狗，还养了只黑猫", (), {"主人养了条狗", "主人还养了只黑猫"}),
        ("还养了只黑猫", ("我养了条狗",), {"主人还养了只黑猫"}),
        ("我姐养了条狗，还养了只黑猫", (), {"主人姐养了条狗", "主人姐还养了只黑猫"}),
        ("今天去相亲了，我妈安排的，对方叫沈默，是个牙医，哈哈哈", (), set()),
        ("今天去相亲了，我妈介绍的，是个牙医，在杭州上班", (), set()),
        ("相亲对象是个牙医，三十岁，养了条狗", (), set()),
        ("我妈是小学老师，教语文的", (), {"主人的妈是小学老师", "主人妈教语文的"}),
        ("reading a book where the hero is a carpenter, lives in Leeds", (), set()),
        ("the heroine's a lawyer, got divorced, has a black cat called Luna", (), set()),
    ],
)
def test_what_is_told_of_another_is_not_the_partners(
    said: str, before: tuple[str, ...], told: set[str]
) -> None:
    assert {each.text for each in told_in(said, "主人", NOW, before).statements} == told


@pytest.mark.parametrize(
    ("said", "asked", "answered"),
    [
        (
            'I told Dave "I\'m moving to Berlin" just to wind him up',
            "am I moving to Berlin?",
            "I do not remember that. The nearest I have: you",
        ),
        ("I joined the local choir last week", "did I join the local choir?", "Yes, you"),
    ],
)
def test_what_was_only_quoted_is_told_without_a_yes(said: str, asked: str, answered: str) -> None:
    assert last_reply(said, asked).startswith(answered)


@pytest.mark.parametrize(
    ("said", "tells"),
    [
        ("今天想跟你说好多事。早上七点起床，煮了小米粥", True),
        ("I have so much to tell you today", True),
        ("今天我们聊了什么", False),
        ("what did we talk about today", False),
    ],
)
def test_who_has_much_to_tell_asks_for_nothing_that_was_said(said: str, *, tells: bool) -> None:
    assert isinstance(intent_of(said), TellsSomething) is tells


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (("Rex", "my dog"), "three years old, allergic to chicken"),
        (("my dog",), "Rex, three years old, allergic to chicken"),
        (("my dog",), "Rex. 3 years old. allergic to chicken"),
        (("I have a dog called Rex",), "three, allergic to chicken"),
        (("he's called Rex",), "allergic to chicken"),
        (("we got a puppy yesterday",), "has a chicken allergy"),
        ((), "he's three years old, allergic to chicken"),
        (("豆包", "我家狗呢"), "三岁了，对鸡肉过敏"),
        (("我家狗呢",), "豆包，三岁了，对鸡肉过敏"),
        (("我家狗呢",), "豆包。三岁了，对鸡肉过敏"),
        (("狗叫豆包",), "三岁了，对鸡肉过敏"),
        (("狗叫豆包",), "3岁了 鸡肉过敏"),
        (("狗叫豆包",), "对鸡肉过敏"),
        # Nor is what somebody else was found to have.
        (("我妈去做了胃镜",), "结果出来了！！就是浅表性胃炎 不用手术"),
        (("好担心", "我妈去做了胃镜"), "结果出来了，就是浅表性胃炎"),
        (("我好担心", "我妈去做了胃镜"), "结果出来了，就是浅表性胃炎"),
        (("大鹏去医院了",), "查出来是胃溃疡"),
        (("my mum had a scan yesterday",), "diagnosed with type 2 diabetes"),
    ],
)
def test_an_age_and_an_illness_after_somebody_else_are_nobodys(
    before: tuple[str, ...], said: str
) -> None:
    assert told_in(said, "主人", NOW, before).statements == []


@pytest.mark.parametrize(
    ("before", "said", "told"),
    [
        (("Rex", "my dog"), "I'm allergic to chicken", {"主人 is allergic to chicken"}),
        (("Rex", "my dog"), "I'm thirty, allergic to eggs", {"主人: allergic to eggs"}),
        (("my name's Ann", "my dog"), "34, allergic to nuts", {"主人: allergic to nuts"}),
        (("my head hurts",), "allergic to ibuprofen", {"主人: allergic to ibuprofen"}),
        (("ok",), "allergic to nuts", {"主人: allergic to nuts"}),
        (("Rex", "my dog"), "I live in Leeds", {"主人 lives in Leeds"}),
        (("豆包", "我家狗呢"), "我三十岁了，对鸡肉过敏", {"主人三十岁了", "主人对鸡肉过敏"}),
        (("我家狗呢",), "豆包，我对鸡肉过敏", {"主人对鸡肉过敏"}),
        (("我叫小明", "我家狗呢"), "34岁，对花生过敏", {"主人34岁", "主人对花生过敏"}),
        (("我头疼",), "对布洛芬过敏", {"主人对布洛芬过敏"}),
        (("好的",), "对花生过敏", {"主人对花生过敏"}),
        (("我去做了胃镜",), "结果出来了！！就是浅表性胃炎", {"主人就是浅表性胃炎"}),
        (("今天去做了胃镜",), "结果出来了，就是浅表性胃炎", {"主人就是浅表性胃炎"}),
        (("我妈去做了胃镜",), "我也有胃炎", {"主人有胃炎"}),
        (("I had a scan",), "diagnosed with gout", {"主人: diagnosed with gout"}),
    ],
)
def test_ones_own_age_and_allergy_stay_ones_own(
    before: tuple[str, ...], said: str, told: set[str]
) -> None:
    assert told <= {each.text for each in told_in(said, "主人", NOW, before).statements}


@pytest.mark.parametrize(
    "said",
    [
        "Kev at work had a heart attack on shift, 51, shaking still",
        "Tom's off the scene btw. married. of course he was",
        "Jo's off the market btw. engaged. of course",
        "Had a row with Sam. divorced, bitter, 60",
        "Priya closed the cafe. rates went up",
        "Lou retired in june. lucky",
        "Ruth in accounts quit her job, moved to Leeds",
        "小满近视又涨了，左眼三百五右眼四百",
        "白大姐我留下了，不照顾婆婆了，改做钟点工",
        "王大妈我辞了，不带孩子了，改去超市收银",
        "楼下张叔修鞋的手艺好，每次都不收我钱",
        "我boss离婚了，天天喝酒",
        "我roommate失恋了，天天抽烟",
        "在地铁上看到个大姐，哭了，丢了工作，一直打电话",
        "路上碰到个大叔，喝多了，没了工作",
        "我们班新来的转学生，脸盲，花粉过敏",
        "Elaine怀孕了！！second one，due in September",
        "first night in the big room",
    ],
)
def test_what_follows_on_another_is_learnt_of_nobody(said: str) -> None:
    assert told_in(said, "主人", NOW).statements == []


@pytest.mark.parametrize("said", ["Kev retired. he was ready", "Priya closed the cafe"])
def test_what_another_did_ends_nothing_of_the_speakers(said: str) -> None:
    assert told_in(said, "my friend", NOW).over == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My son is coeliac. 12, thin as a rake", ["主人's son is coeliac"]),
        ("Kev retired. I work nights at the Royal", ["主人 works nights at the Royal"]),
        ("first night in the new flat", ["主人: first night in the new flat"]),
        ("我妈有高血压 小宝呢对牛奶过敏", ["主人妈有高血压"]),
        ("我boss离婚了，我天天喝酒", ["主人天天喝酒"]),
        ("工作呢我在银行上班", ["工作呢主人在银行上班"]),
        ("团子呢三岁了", []),
        (
            "你好呀我叫林晓棠今年三十四在成都做编辑老公在部队女儿五岁了小名豆包",
            [
                "主人叫林晓棠",
                "主人今年三十四在成都做编辑",
                "主人老公在部队",
                "主人女儿五岁了",
                "主人女儿小名豆包",
            ],
        ),
        ("我叫林晓棠女儿五岁了小名豆包", ["主人叫林晓棠", "主人女儿五岁了", "主人女儿小名豆包"]),
    ],
)
def test_everybodys_own_is_learnt_of_whom_it_is(said: str, told: list[str]) -> None:
    assert sorted(x.text for x in told_in(said, "主人", NOW).statements) == sorted(told)


@pytest.mark.parametrize(
    "said",
    [
        "saw my ex at Lidl. married now, two kids",
        "Bumped into Claire, pregnant, due in May",
        "小区门口那个保安，离婚了，一个人带孩子",
    ],
)
def test_whom_somebody_met_is_not_themselves(said: str) -> None:
    assert told_in(said, "主人", NOW).statements == []


@pytest.mark.parametrize(
    "said",
    [
        "健身房的教练，三十岁，离异", "公司的前台，二十五岁，单身", "小区的保安大叔，离异，五十多",
        "幼儿园的新老师，三十岁，未婚", "今天认识了健身房的教练，三十岁，离异",
        "the trainer at my gym, thirty, divorced", "my gym's trainer, 30, divorced",
        "the new receptionist, 25, single",
    ],
)  # fmt: skip
def test_who_works_at_a_place_is_not_the_partner(said: str) -> None:
    assert [each.text for each in statements_in(said, "P", NOW)] == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("我是健身房的教练，三十岁，离异", "健身房的教练"), ("健身教练，三十岁，离异", "健身教练"),
        ("在健身房当教练，三十岁，离异", "三十岁"),
        ("我，健身房的教练，三十岁，离异", "健身房的教练"),
        ("会计，三十四岁，离异", "三十四岁"),
        ("健身房的教练人很好，我三十岁", "三十岁"),
        ("gym trainer, 30, divorced", "divorced"), ("nurse, 30, divorced", "30"),
        ("I'm the new receptionist, 25, single", "receptionist"),
    ],
)  # fmt: skip
def test_who_tells_what_they_are_is_the_partner(said: str, kept: str) -> None:
    assert any(kept in each.text for each in statements_in(said, "P", NOW))
