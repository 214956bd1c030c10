"""Reading slots: what a clause answers, and which newer answer ends which older one."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import Drop, Put
from memory.model import Memory
from memory.recall.slot_index import SlotIndex
from memory.text.slot_changes import is_ended_by
from memory.text.slot_cues import REAL, ClaimMode, Slot
from memory.text.slots import slot_claims
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.judging import Verdict, a_state, a_turn, answered


def ends(old: str, new: str) -> bool:
    names = ("主人", "Anna")
    return any(
        is_ended_by(was, now, old)
        for was in slot_claims(old, names)
        for now in slot_claims(new, names)
    )


@pytest.mark.parametrize(
    "text",
    [
        "叫我一声",
        "喊我两声听听",
        "Trams from now on",
        "Pizza please",
        "Tuesday works",
        "一：今天吃了螺蛳粉",
        "二",
    ],
)
def test_a_bare_word_is_no_name_and_no_age(text: str) -> None:
    told = {claim.slot for claim in slot_claims(text)}

    assert not told & {Slot.NAME, Slot.NICKNAME, Slot.AGE}


@pytest.mark.parametrize(
    ("text", "slot", "mode", "value"),
    [
        ("我住在北京朝阳区", Slot.HOME, ClaimMode.HOLDS, "北京朝阳区"),
        ("主人搬到上海了", Slot.HOME, ClaimMode.MOVED, "上海"),
        ("Anna lives in Leeds", Slot.HOME, ClaimMode.HOLDS, "Leeds"),
        ("我辞职了", Slot.WORK, ClaimMode.STOPPED, ""),
        ("我以前住在湛江", Slot.HOME, ClaimMode.PAST, "湛江"),
        ("我想搬去大理", Slot.HOME, ClaimMode.UNREAL, "大理"),
        ("如果我搬到大理了", Slot.HOME, ClaimMode.UNREAL, "大理"),
        ("昨晚梦见我搬到海边了", Slot.HOME, ClaimMode.UNREAL, "海边"),
        ("Do I live in Leeds?", Slot.HOME, ClaimMode.UNREAL, "Leeds"),
        ("I turned 30 yesterday", Slot.AGE, ClaimMode.MOVED, "30"),
        ("我戒烟了", Slot.HABIT, ClaimMode.MOVED, "no"),
        ("烟让我给掐了", Slot.HABIT, ClaimMode.MOVED, "no"),
        ("以后就在厦门待着了", Slot.HOME, ClaimMode.MOVED, "厦门"),
        ("Galway people now", Slot.HOME, ClaimMode.MOVED, "Galway"),
        ("换缬沙坦", Slot.HEALTH, ClaimMode.MOVED, "缬沙坦"),
        ("today I hit the big three-oh", Slot.AGE, ClaimMode.MOVED, "three-oh"),
        ("往后喊我舟舟", Slot.NICKNAME, ClaimMode.HOLDS, "舟舟"),
    ],
)
def test_a_clause_is_read_with_its_mode_and_value(
    text: str, slot: Slot, mode: ClaimMode, value: str
) -> None:
    claims = [claim for claim in slot_claims(text, ("主人", "Anna")) if claim.slot is slot]

    assert [(claim.mode, claim.value) for claim in claims] == [(mode, value)]
    assert all(claim.is_own == (mode in REAL) for claim in claims)


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("我哥搬到深圳了", "哥"),
        ("我同事换工作了，去了美的", "同事"),
        ("my brother moved to Paris", "brother"),
        ("She moved to Paris", "she"),
        ("我搬到深圳了", ""),
        ("医生说我不过敏", ""),
    ],
)
def test_what_others_do_is_theirs(text: str, whose: str) -> None:
    assert {claim.whose.lower() for claim in slot_claims(text)} == {whose}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我在成都生活", "上个月搬去杭州了"),
        ("我骑一台老摩托", "老摩托报废了"),
        ("家里养了两只鹦鹉", "鹦鹉飞走了"),
        ("我天天晨跑", "起不来，改夜跑了"),
        ("我跟小川在一起", "我跟他散了"),
        ("We're picking up the piano on Friday", "They cancelled the piano"),
        ("Picnic at the lake on Friday", "the picnic's now Sunday"),
        ("I'm at Bosch since 2019", "Bosch sacked me"),
        ("I'm pure veg", "started eating chicken"),
        ("我住在朝阳区", "我现在住海淀"),
        ("我在阿里上班", "我跳槽到美团了"),
        ("我是小学老师", "我辞职了"),
        ("我是护士", "我现在是药剂师了"),
        ("我在清华读计算机", "我转学到北大了"),
        ("我读高三", "我考上复旦了"),
        ("我单身", "我有女朋友了，叫小雅"),
        ("我老公叫大伟", "我离婚了"),
        ("我男朋友叫阿明", "我和阿明分手了"),
        ("我今年33岁", "我今天满34岁了"),
        ("我喜欢喝可乐", "我不喝可乐了"),
        ("我讨厌香菜", "我现在爱上香菜了"),
        ("我养了一只金毛", "我家金毛上周去世了"),
        ("我抽烟", "我戒烟了"),
        ("我每天熬夜到两点", "我现在每天早睡早起"),
        ("我对芒果过敏", "医生说我对芒果不过敏，搞错了"),
        ("我下周三面试", "面试改到周五了"),
        ("我周六去爬山", "爬山取消了"),
        ("叫我小王就行", "以后叫我老王吧"),
        ("我用华为手机", "我换了新手机，小米15"),
        ("I live in Austin", "I moved to Denver last week"),
        ("I live in Austin", "No, I live in Dallas"),
        ("I work at Google", "I left Google to join a startup"),
        ("I'm a nurse", "I just got laid off"),
        ("I work as a barista", "I started working as a paralegal"),
        ("I'm single", "I'm dating Sam now"),
        ("My girlfriend is called Mia", "Mia and I broke up"),
        ("I'm married", "My divorce came through"),
        ("I'm 24", "I turned 25 today"),
        ("My birthday is May 3", "Actually my birthday is May 13"),
        ("I love sushi", "I can't stand sushi anymore"),
        ("I hate running", "I love running now"),
        ("I'm a vegetarian", "I eat meat again"),
        ("I smoke", "I quit smoking last month"),
        ("My dog Biscuit snores", "Biscuit died this morning"),
        ("I drive a Honda Civic", "I sold my Civic and bought a Tesla"),
        ("I have an iPhone 12", "I upgraded to a Pixel 9"),
        ("I'm allergic to peanuts", "Turns out I'm not allergic to peanuts"),
        ("My flight is on Friday", "The flight got moved to Sunday"),
        ("Dentist appointment is next Tuesday", "Dentist is cancelled"),
        ("Call me Alex", "Call me Lex from now on"),
        ("I'm pregnant", "I gave birth to a little girl!"),
        ("我租在石景山的隔断间", "终于搬到通州了，有阳台"),
        ("我宿舍在五号楼", "我现在住在校外"),
        ("我喺深水埗住", "我搬咗去荃灣喇"),
        ("我开网约车的", "我改行做保安了"),
        ("在商场卖鞋", "裸辞第三天，爽"),
        ("我家养了只边牧叫煤球", "煤球送到乡下去养了"),
        ("我骑个小电驴上班", "电驴昨晚让人偷了"),
        ("没奶茶我会死", "我现在不喝奶茶了"),
        ("我就一个娃", "二宝出来啦"),
        ("这周六搬家", "搬家是周日"),
        ("We've got a whippet named Juno", "Juno passed in her sleep"),
        ("My fiancé Ted cooks", "Ted is my husband as of noon"),
        ("no kids", "our daughter arrived last night"),
        ("I live in a caravan", "signed a lease in Tampa"),
        ("Seeing a guy named Rolf", "Rolf and I have called it a day"),
        ("I'm Dana Reyes", "I'm Dana Holt from today, took her name"),
    ],
)
def test_a_newer_answer_ends_the_older_one(old: str, new: str) -> None:
    assert ends(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我住在广州", "我哥搬到深圳了"),
        ("我住在广州", "我去深圳出差三天"),
        ("我住在广州", "我小时候住在湛江"),
        ("我住在广州", "我以前住在湛江"),
        ("我住在广州", "我在广州天河有套房子出租"),
        ("我住在广州", "公司搬到珠江新城了"),
        ("我住在广州", "我爸妈家在湛江"),
        ("我住在广州", "住酒店好贵"),
        ("我住在广州", "下周搬办公室，搬到十楼"),
        ("我是会计", "我妈退休了"),
        ("我是会计", "我老公升职了"),
        ("我是会计", "我在家做了红烧肉"),
        ("我是会计", "我周末去做志愿者"),
        ("我是会计", "差点被裁"),
        ("我在腾讯上班", "我是产品经理"),
        ("我在腾讯上班", "朋友在字节上班，天天加班"),
        ("我女朋友叫小鹿", "小鹿今天加班"),
        ("我女朋友叫小鹿", "我闺蜜离婚了"),
        ("我女朋友叫小鹿", "昨天看的剧里男女主分手了"),
        ("我女朋友叫小鹿", "我们结婚了"),
        ("我今年33岁", "我儿子今天满5岁了"),
        ("我今年33岁", "工作十年了"),
        ("我的生日是3月5日", "我妈生日是6月1日"),
        ("我喜欢喝可乐", "我也喜欢喝雪碧"),
        ("我喜欢喝可乐", "今天不想喝可乐"),
        ("我喜欢猫", "我不喜欢狗"),
        ("我养了一只金毛", "我又养了一只猫"),
        ("我养了一只金毛", "邻居家的金毛死了"),
        ("我对芒果过敏", "我对海鲜也过敏"),
        ("我戒烟了", "同事一天一包烟"),
        ("我下周三面试", "我朋友的面试改到周五了"),
        ("我下周三面试", "周五看电影"),
        ("叫我小王就行", "我妈叫我宝贝"),
        ("叫我小王就行", "叫我起床"),
        ("我开一辆大众", "我爸换了辆奔驰"),
        ("我开一辆大众", "想换辆特斯拉"),
        ("I live in Austin", "I'm visiting my aunt in Denver"),
        ("I live in Austin", "I lived in Denver as a kid"),
        ("I live in Austin", "my parents live in Denver"),
        ("I live in Austin", "I might move to Denver someday"),
        ("I live in Austin", "We moved the sofa to the bedroom"),
        ("I live in Austin", "I moved to the front of the queue"),
        ("I live in Austin", "I was born in Denver"),
        ("I work at Google", "I'm an engineer"),
        ("I work at Google", "my roommate got laid off"),
        ("I'm a nurse", "I'm working on a novel"),
        ("I'm a nurse", "I used to work as a waiter"),
        ("I'm a nurse", "my sister is now a lawyer"),
        ("I'm a nurse", "I almost quit my job today"),
        ("I'm majoring in physics", "I switched to decaf"),
        ("My girlfriend is called Mia", "my best friend broke up with her boyfriend"),
        ("My girlfriend is called Mia", "Mia got a new job"),
        ("My girlfriend is called Mia", "we got engaged!"),
        ("I'm 24", "my sister turned 25"),
        ("I'm 24", "I'm 5 minutes late"),
        ("My birthday is May 3", "my mom's birthday is June 7"),
        ("I love sushi", "I also love ramen"),
        ("I love sushi", "my husband hates sushi"),
        ("I love sushi", "I hate washing dishes"),
        ("I'm a vegetarian", "my dad eats meat every day"),
        ("My dog Biscuit snores", "my neighbour's dog died"),
        ("My dog Biscuit snores", "we adopted another dog, Waffle"),
        ("I drive a Honda Civic", "my brother sold his car"),
        ("I drive a Honda Civic", "I rented a Tesla on holiday"),
        ("I'm allergic to peanuts", "I'm also allergic to cats"),
        ("My flight is on Friday", "The meeting got moved to Sunday"),
        ("Call me Alex", "call me later"),
        ("Call me Alex", "my grandma calls me Sasha"),
        ("I live in Austin", "If I moved to Denver, would you miss me?"),
        ("I live in Austin", "In my novel I live in Paris"),
        ("我住在台中", "朋友一直叫我搬去高雄"),
        ("我叫林青", "我给游戏号改名叫“青衫客”"),
        ("我喜欢喝咖啡", "咖啡机坏了"),
        ("我家养了只边牧叫煤球", "煤球今天洗澡了"),
        ("My girlfriend is called Mia", "Mia broke her leg"),
        ("I have asthma", "my little one's grown out of his eczema"),
        ("I have two kids", "my cousin's just had a boy"),
    ],
)
def test_what_only_looks_like_a_newer_answer_ends_nothing(old: str, new: str) -> None:
    assert not ends(old, new)


def test_what_was_said_in_the_same_words_ends_nothing() -> None:
    assert not ends("我住在上海", "我住在上海")
    assert not ends("我住在上海浦东", "我住在上海")


def test_hostile_lengths_are_read_in_bounded_time() -> None:
    for text in (
        "我住在" * 4_000,
        "I moved to " * 4_000,
        "a" * 50_000,
        "，" * 50_000,
        "了" * 50_000,
    ):
        assert len(slot_claims(text)) < 600


def test_the_index_follows_what_is_written() -> None:
    home, work = a_memory(1, "主人住在北京"), a_memory(2, "主人在腾讯上班")
    index = SlotIndex.build(a_state(home))

    assert index.in_slots({Slot.HOME}) == {1}
    index.note([Put(work)])
    assert index.in_slots({Slot.WORK}) == {2}
    assert index.newest(1) == [2]
    over = replace(home, lineage=replace(home.lineage, valid_until=NOON))
    index.note([Put(over), Drop(Memory, 2)])
    assert index.in_slots({Slot.HOME, Slot.WORK}) == set()


def test_another_name_of_the_partner_is_read_as_i() -> None:
    index = SlotIndex.build(a_state(a_memory(1, "安住在北京")))
    assert index.in_slots({Slot.HOME}) == {1}

    index.note([Put(a_state(partner="安").agent_info)])

    assert index.in_slots({Slot.HOME}) == {1}
    assert index.claims(a_memory(1, "安住在北京"))[0].is_own


def judged(known: Memory, said: str, answer: str) -> list[tuple[str, bool]]:
    later = NOON + timedelta(days=9)
    verdict = answered(a_state(known), a_turn(said, at=later), answer)
    assert isinstance(verdict, Verdict)
    memories = sorted(verdict.state.memories.items())
    return [(memory.words.text, memory.is_past) for _, memory in memories]


def test_an_add_ends_by_rule_what_the_judge_did_not_name() -> None:
    known = a_memory(1, "主人住在北京")

    assert judged(known, "我搬到上海了", "[ADD] 主人搬到上海了") == [
        ("主人住在北京", True),
        ("主人搬到上海了", False),
    ]


def test_what_is_unsure_leaves_both_standing() -> None:
    known = a_memory(1, "主人住在北京")

    assert judged(known, "我搬到上海了", "[ADD confidence=0.4] 主人搬到上海了") == [
        ("主人住在北京", False),
        ("主人搬到上海了", False),
    ]


def test_what_shares_no_word_is_shown_and_can_be_replaced() -> None:
    known = a_memory(1, "主人是夜班护士")

    assert judged(known, "换工作啦，现在开花店", "[UPDATE:m1] 主人现在开花店") == [
        ("主人是夜班护士", True),
        ("主人现在开花店", False),
    ]


def test_another_matter_cannot_be_replaced_and_what_was_said_stands_beside_it() -> None:
    known = a_memory(1, "主人是夜班护士")

    assert judged(known, "我喜欢拉面", "[UPDATE:m1] 主人喜欢拉面") == [
        ("主人是夜班护士", False),
        ("主人喜欢拉面", False),
    ]


def test_a_negation_writes_the_weight_log() -> None:
    state = a_state(a_memory(1, "主人住在北京"))
    verdict = answered(state, a_turn("我搬到上海了"), "[ADD] 主人搬到上海了")

    assert isinstance(verdict, Verdict)
    (entry,) = verdict.state.weight_logs[1].entries
    assert entry.reason == "negate"
    assert entry.new < entry.old


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我在药厂上班", "我同事换工作了"),
        ("我老公叫建国", "建国又没了，钥匙"),
        ("I'm single", "We split the bill"),
        ("Our party is on Friday", "They cancelled their trip on Friday"),
        ("The wedding is on Friday", "The rehearsal is on Sunday"),
    ],
)
def test_what_only_sounds_like_a_change_ends_nothing(old: str, new: str) -> None:
    assert not ends(old, new)


@pytest.mark.parametrize("text", ["我喜欢科幻小说", "我不再喜欢看电视剧", "I love this novel"])
def test_a_story_may_be_liked(text: str) -> None:
    assert [claim.mode for claim in slot_claims(text)] == [ClaimMode.HOLDS]


@pytest.mark.parametrize(
    "text", ["小说里我住在火星", "在小说里，我喜欢下雨", "In the novel I love jazz"]
)
def test_what_a_story_tells_claims_nothing(text: str) -> None:
    assert all(claim.mode is ClaimMode.UNREAL for claim in slot_claims(text))


def _ill(text: str, *names: str) -> set[tuple[ClaimMode, str]]:
    claims = slot_claims(text, names)
    return {
        (each.mode, each.value.lower())
        for each in claims
        if each.slot is Slot.HEALTH and each.is_own
    }


@pytest.mark.parametrize(
    ("text", "illness"),
    [
        ("我没有糖尿病", "糖尿病"), ("我没有高血压", "高血压"), ("我没得糖尿病", "糖尿病"),
        ("我没有得过癌症", "癌症"), ("我没得过肝炎", "肝炎"), ("我没有鼻炎", "鼻炎"),
        ("医生说我没有糖尿病", "糖尿病"), ("我不是糖尿病患者", "糖尿病"), ("我并没有哮喘", "哮喘"),
        ("体检说我没有心脏病", "心脏病"), ("我从来没有过癫痫", "癫痫"),
        ("I don't have diabetes", "diabetes"), ("I do not have diabetes", "diabetes"),
        ("I haven't got asthma", "asthma"), ("I've never had diabetes", "diabetes"),
        ("I have no diabetes", "diabetes"), ("turns out I don't have cancer", "cancer"),
        ("I don't have high blood pressure", "high blood pressure"),
    ],
)  # fmt: skip
def test_an_illness_somebody_has_not_is_none_of_theirs(text: str, illness: str) -> None:
    assert _ill(text) == {(ClaimMode.STOPPED, illness)}


def test_an_illness_not_had_is_read_so_in_a_memory_too() -> None:
    assert _ill("主人没有糖尿病", "主人") == {(ClaimMode.STOPPED, "糖尿病")}
    assert _ill("Ann doesn't have diabetes", "Ann") == {(ClaimMode.STOPPED, "diabetes")}


@pytest.mark.parametrize(
    "text",
    ["没有糖尿病的人才能这么吃", "我没有钱治糖尿病", "我今天没有过敏", "我没怀孕", "我没有过敏"],
)
def test_what_is_not_had_tells_of_no_illness(text: str) -> None:
    assert not _ill(text)


@pytest.mark.parametrize(
    ("text", "illness"),
    [
        ("我有糖尿病没有告诉我妈", "糖尿病"), ("我没想到我有糖尿病", "糖尿病"),
        ("我没有告诉我妈我有糖尿病", "糖尿病"), ("我没有药了，我有糖尿病", "糖尿病"),
        ("我不但有高血压", "高血压"), ("我不得不承认我有糖尿病", "糖尿病"),
        ("I don't have insurance and I have diabetes", "diabetes"),
        ("don't forget I have diabetes", "diabetes"),
        ("I have diabetes and don't have insulin", "diabetes"),
    ],
)  # fmt: skip
def test_an_illness_somebody_has_is_theirs_whatever_else_they_have_not(
    text: str, illness: str
) -> None:
    assert (ClaimMode.HOLDS, illness) in _ill(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我有糖尿病", "我没有糖尿病"),
        ("I have diabetes", "I don't have diabetes"),
        ("I have asthma", "I've never had asthma"),
    ],
)
def test_who_has_not_an_illness_ends_it(old: str, new: str) -> None:
    assert ends(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我有糖尿病", "我没有高血压"),
        ("我对花生过敏", "我没有糖尿病"),
        ("我对花生过敏", "我今天没有过敏"),
        ("I have diabetes", "I don't have asthma"),
        ("I'm allergic to nuts", "I don't have diabetes"),
    ],
)
def test_who_has_not_one_illness_keeps_another(old: str, new: str) -> None:
    assert not ends(old, new)


def _age(text: str) -> list[str]:
    claims = slot_claims(text)
    return [each.value for each in claims if each.slot is Slot.AGE and each.is_own]


@pytest.mark.parametrize(
    "text",
    [
        "我都快一百岁了", "我都快一百岁了，还被催婚", "我这腰，八十岁了", "我这膝盖都九十岁了",
        "我二十岁的身体八十岁的心", "我有一颗八十岁的心", "我感觉自己八十岁了", "我老得像一百岁",
        "我两百岁了", "我都三百岁了",
        "I'm about 90 years old today, my back is killing me", "I'm basically 100 years old",
        "I'm practically 90", "I am 200 years old", "I feel 90 years old", "my back is 90",
        "my knees are 80 years old", "I'm a woman of 90 today, my knees...",
    ],
)  # fmt: skip
def test_an_age_in_jest_is_none(text: str) -> None:
    assert not _age(text)


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("我今年八十岁", "八十"), ("我八十二岁，腰不好", "八十二"), ("我快八十了", "八十"),
        ("我九十岁了，身体还行", "九十"), ("我18岁，身体很好", "18"), ("我今年八十", "八十"),
        ("I'm 90, my back is bad", "90"), ("I am 82", "82"), ("I'm 90 years old today", "90"),
        ("I turned 90 today", "90"), ("I'm 100 years old", "100"), ("I'm 34 basically", "34"),
    ],
)  # fmt: skip
def test_a_great_age_is_an_age(text: str, age: str) -> None:
    assert age in _age(text)


@pytest.mark.parametrize(
    ("old", "new", "ended"),
    [
        ("我吃不了麸质", "我现在能吃麸质了", True),
        ("我不能喝牛奶", "我又可以喝牛奶了", True),
        ("I can't eat gluten", "I can eat gluten again", True),
        ("I can't have dairy", "turns out I can have dairy now", True),
        ("我吃不了麸质", "我能吃辣了", False),
        ("我对花生过敏", "我能吃海鲜了", False),
        ("I can't eat gluten", "I can eat nuts now", False),
        ("I can't eat gluten", "I can eat again", False),
        ("I can't eat gluten", "I can eat pizza again", False),
    ],
)
def test_who_can_eat_it_again_is_harmed_no_more(old: str, new: str, *, ended: bool) -> None:
    assert ends(old, new) is ended


def _called(text: str, *names: str) -> list[tuple[str, str]]:
    claims = slot_claims(text, names)
    return [(each.mode.value, each.value) for each in claims if each.slot is Slot.NICKNAME]


@pytest.mark.parametrize(
    "text",
    [
        "叫我儿子吃饭", "叫我妈接电话", "以后叫我老公来接我", "叫我同事小张帮忙", "叫我姐早点睡",
        "记得叫我女儿弹琴", "明天早上七点你叫我老公起床呗", "叫我老公起床", "叫我外婆量血压",
        "喊我女朋友下来拿外卖", "你叫我爸少抽点", "待会叫我室友带钥匙", "叫我孩子们集合",
        "叫我家娃写作业", "叫我交房租", "七点叫我遛狗", "叫我浇花", "以后叫我弟别玩了吧",
        "可以叫主人老公起床", "那就叫外卖吧", "别叫我起床", "别叫我妈接电话", "别叫我老公知道",
        "call me Monday", "call me after work", "call me soon", "call me again tonight",
        "don't call me at work", "don't call me a liar", "call me maybe",
        "叫我的时候小声点", "叫我弟媳过来", "叫我们领导签字", "叫我家狗吃饭", "叫我对象滚",
        "叫我哥们儿来喝酒", "叫我爸妈吃饭吧", "叫我表弟小明起床", "call me your friend",
    ],
)  # fmt: skip
def test_who_is_to_be_called_to_something_is_no_name(text: str) -> None:
    assert _called(text, "主人") == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("叫我小雨就行", "小雨"), ("叫我梅姐吧", "梅姐"), ("叫我老公大人", "老公大人"),
        ("叫我姐姐就好", "姐姐"), ("叫我哥斯拉就行", "哥斯拉"), ("以后叫我老大", "老大"),
        ("叫我孩子王", "孩子王"), ("你可以叫我王老师", "王老师"), ("叫我大宝", "大宝"),
        ("叫我妈咪", "妈咪"), ("叫我老板娘", "老板娘"), ("叫我远航", "远航"), ("叫我关关", "关关"),
        ("叫我弟弟", "弟弟"), ("叫我妹子", "妹子"), ("叫我小公主", "小公主"), ("叫我铁柱", "铁柱"),
        ("叫我学姐小雨", "学姐小雨"), ("叫我倒霉蛋", "倒霉蛋"), ("以后请叫我女王大人", "女王大人"),
        ("call me Annie", "Annie"), ("call me Al", "Al"), ("call me Sam from now on", "Sam"),
        ("call me ishmael", "ishmael"), ("call me Tom please", "Tom"),
    ],
)  # fmt: skip
def test_who_is_to_be_called_by_a_name_has_it(text: str, name: str) -> None:
    assert [value for _, value in _called(text)] == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("别叫我宝贝", "宝贝"), ("以后别叫我宝贝了", "宝贝"), ("不要叫我老师", "老师"),
        ("不想你叫我姐", "姐"), ("大家都别叫我胖子", "胖子"), ("我不叫小鱼", "小鱼"),
        ("别再叫我小朋友了", "小朋友"), ("don't call me Annie", "Annie"),
        ("never call me honey", "honey"), ("please do not call me Mrs Smith", "Mrs Smith"),
        ("stop calling me boss", "boss"), ("I'm not called Annie", "Annie"),
    ],
)  # fmt: skip
def test_what_somebody_is_not_to_be_called_is_no_name(text: str, name: str) -> None:
    assert _called(text) == [("stopped", name)]


@pytest.mark.parametrize(
    ("old", "new", "ended"),
    [
        ("可以叫主人宝贝", "别叫主人宝贝", True),
        ("Anna is called Annie", "don't call Anna Annie", True),
        ("可以叫主人小雨", "别叫主人宝贝", False),
        ("Anna is called Ann", "don't call Anna Annie", False),
        ("别叫主人宝贝", "可以叫主人小雨", False),
        ("别叫主人宝贝", "可以叫主人宝贝", True),
        ("可以叫主人小雨", "别叫主人老公起床", False),
        ("可以叫主人小雨", "以后叫主人阿雨吧", True),
    ],
)  # fmt: skip
def test_a_name_refused_ends_that_name_alone(old: str, new: str, *, ended: bool) -> None:
    assert ends(old, new) is ended
