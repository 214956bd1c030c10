"""A line ends what it concerns: what it names, of whom it names, and nothing told beside it."""

import asyncio
from datetime import timedelta

import pytest

from memory.judgement.senses import is_jest
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.life import empty_memory, tell

TOM = ("My husband is called Tom", "My husband drives a bus")
CHEN = ("我老公叫陈磊，是开地铁的",)
YOGA, YOGA_EN = "记住每周三晚上我有瑜伽课", "Remember I have yoga every Wednesday evening"
DOG, CAT = "We have a dog called Biscuit", "我养了只猫叫豆包"
PENICILLIN = "Remember the doctor says I am not allergic to penicillin"
WRONG, WRONG_EN = (
    "说错了，我妈不是住扬州，是住泰州",
    "Sorry, I got it wrong, my mum does not live in York, she lives in Hull",
)


def _facts(*lines: str) -> tuple[list[str], list[str]]:
    """Return what is known to hold and what is known to be past, after these lines."""

    async def told() -> tuple[list[str], list[str]]:
        clock = FakeClock()
        agent = await empty_memory(clock, "en" if lines[0].isascii() else "zh")
        for number, line in enumerate(lines):
            at = NOON + timedelta(minutes=number)
            clock.set(at)
            await tell(agent, number, line, at)
        facts = [each for each in agent.state.memories.values() if each.is_fact]
        await agent.close()
        living = [each.words.text for each in facts if each.is_living_fact]
        return living, [each.words.text for each in facts if each.is_past]

    return asyncio.run(told())


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        # A correction that names its matter is of no other.
        (("医生说我对青霉素不过敏", WRONG), "青霉素"),
        (("我妈住扬州", "医生说我对青霉素不过敏", WRONG), "青霉素"),
        ((PENICILLIN, WRONG_EN), "penicillin"),
        ((DOG, "Biscuit ran away", WRONG_EN), "ran away"),
        (("我爸住扬州", WRONG), "爸住扬州"),
        (("My dad lives in York", WRONG_EN), "dad lives in York"),
        ((CAT, "说错了，我表弟是在北京读书"), "猫叫豆包"),
        (("I'm allergic to mango", "My bad, the new office is in Leeds"), "allergic"),
        ((CAT, "豆包昨天没影了，今天自己溜回来了"), "猫叫豆包"),
        (("My parrot is called Kiwi", "Kiwi flew off but we found him in a tree"), "Kiwi"),
        # A parting and a reunion are of the two they name.
        (("我和陈磊分居了", "记住小雨和我弟分手了", "我和陈磊和好了"), "小雨和我弟分手了"),
        ((*CHEN, "我和陈磊分居了，他搬去他姐家了"), "叫陈磊"),
        ((*CHEN, "我和陈磊分居了，他搬去他姐家了"), "地铁"),
        ((*TOM, "Tom and I have separated"), "drives a bus"),
        ((*TOM, "Sam and Jo got divorced"), "called Tom"),
        # What meets every week meets on.
        (("Remember: choir is every Tuesday at 7", "I start at a lab on Monday"), "choir"),
        ((YOGA, "面试改到周四了"), "瑜伽"),
        # Another is denied, sold or gone, or it was found again.
        (("记住我对芒果过敏", "我不对虾过敏"), "芒果过敏"),
        (("最近在学尤克里里", "吉他我卖掉了"), "尤克里里"),
        ((CAT, "今天豆包跑丢了。找了一下午。最后找到了！"), "豆包"),
        ((CAT, "今天豆包跑丢了，后来自己跑回来了"), "豆包"),
        ((DOG, "Biscuit ran away this morning. We looked. We found him in the park."), "dog"),
        # What is another's, or of another kind, ends nothing of the speaker's.
        (("I work as a nurse at the Royal", "Priya closed the cafe. rates went up"), "nurse"),
        (("I work as a dispatcher", "Kev retired. he was ready"), "dispatcher"),
        (("I'm a teacher at Park Road", "Lou retired in june. lucky"), "teacher"),
        (("I'm a porter", "Biscuit comes to work with me on fridays"), "porter"),
        (("we have a cat called Mog", "Gran's cat died"), "Mog"),
        (("My cat is called Mo", "I passed my driving test"), "called Mo"),
        (("I have a mole on my left arm", "I work now as a lecturer"), "mole"),
        (("I'm 41", "My cat is called Mo", "Mo is actually 5 now"), "is 41"),
        (("我今年41岁", "我家的猫叫团子", "团子其实四岁了"), "今年41岁"),
        (("我住在成都", "小周租住在双流"), "住在成都"),
        (("I work as a nurse at the Royal", "priya closed the cafe"), "nurse"),
        (("I am 34", "my car turned 20"), "is 34"),
        (("我在出版社做编辑", "白大姐改做钟点工"), "编辑"),
        (("我单身", "May上周结婚了"), "单身"),
        (("我不吃香菜", "小雨现在爱吃香菜了"), "不吃香菜"),
        (("我生日是5月3号", "豆包生日是6月4号"), "5月3号"),
        (("I work at Asda", "quit sugar for about 4 hours"), "Asda"),
        # One owns many things, teaches many subjects and takes many medicines.
        (("I own a canoe", "I own a telescope"), "canoe"),
        (("I own a red tractor", "I drive a van"), "red tractor"),
        (("I teach maths", "I teach physics"), "maths"),
        (("我教数学", "我教物理"), "数学"),
        (("I've been on metformin since March", "I have been on lithium since 2019"), "metformin"),
        (("I have been on lithium since 2019", "moved into my sisters box room"), "lithium"),
        (("I've been vegan since 2010", "been off sugar since Monday"), "vegan"),
        (("I have been with Sam since 2015", "I live in Derby with Sam"), "with Sam"),
        # Where one stays for some days, or sleeps, is no home.
        (("I live in York", "I've been at the caravan all weekend"), "York"),
        (("I live in Derby", "I've been at my sister's all week"), "Derby"),
        (("I live in Lincoln", "I've got a bed again. first night in the big room"), "Lincoln"),
        # All else is not what was told.
        (("I am allergic to penicillin", "I'm not allergic to anything else"), "penicillin"),
        (("我对青霉素过敏", "别的都不过敏"), "青霉素"),
        # Whoever does not leave is there; who is named is whom one is married to.
        (("我不抽烟不喝酒 老公抽 一天一包", "老公是转业，不走了"), "不抽烟"),
        (("我已经结婚了", "我老公是张伟"), "结婚"),
        # A new job ends a job, and no pastime and nothing that was lost.
        (("I swim lengths every evening", "I quit the mill and started at a cafe"), "lengths"),
        (("I help at the food bank on Fridays", "I quit my job at the mill"), "food bank"),
        (("I lost my ring at work", "I quit my job at the mill"), "ring"),
        (("我每天傍晚在江边跑步", "我辞职了，现在在花店上班"), "跑步"),
        (("我周日在敬老院做义工", "我跳槽去银行了"), "义工"),
        (("记住我那辆电动车在公司楼下被偷了", "我辞职了"), "电动车"),
        (("我在银行上班", "我加入了读书会"), "银行上班"),
        (("I work at a bank", "I coach the under-nines on Saturdays"), "bank"),
        # How somebody was called stays; others live.
        (("我外婆叫王秀英", "外婆在扬州", "外婆上周去世了"), "王秀英"),
        (("我奶奶在苏州", "外婆上周去世了"), "奶奶在苏州"),
        (("My nan is called Rose", "My nan died last week"), "Rose"),
        (("My nan lives in York", "My nan's cat died"), "lives in York"),
    ],
)
def test_what_a_line_does_not_concern_stays(lines: tuple[str, ...], kept: str) -> None:
    living, _ = _facts(*lines)
    assert any(kept in each for each in living), living


@pytest.mark.parametrize(
    ("lines", "over"),
    [
        (("我妈住扬州", "说错了，我妈不住扬州"), "妈住扬州"),
        (("My dad works at a bank", "I got it wrong, my dad doesn't work at a bank"), "works at"),
        (("我和陈磊分居了", "小雨和我弟分手了", "我和陈磊和好了"), "和陈磊分居了"),
        ((*TOM, "Tom and I have separated", "Tom moved back in"), "separated"),
        ((*CHEN, "我和陈磊离婚了"), "地铁"),
        ((*TOM, "We got divorced"), "drives a bus"),
        ((*TOM, "My husband and I have split up"), "called Tom"),
        ((YOGA, "瑜伽课改到周四了"), "每周三"),
        ((YOGA_EN, "yoga moved to Thursdays"), "Wednesday"),
        (("记住我对芒果过敏", "我不对芒果过敏"), "我对芒果过敏"),
        (("最近在学尤克里里", "尤克里里我卖掉了"), "在学尤克里里"),
        ((CAT, "豆包跑丢了，找了一下午也没找到"), "猫叫豆包"),
        (("外婆八十六岁", "外婆在扬州", "外婆上周去世了"), "八十六岁"),
        (("外婆八十六岁", "外婆在扬州", "外婆上周去世了"), "在扬州"),
        (("My nan is 86", "My nan died last week"), "is 86"),
        (("My nan lives in York", "My nan died last week"), "lives in York"),
        (("I work at Tesco", "Tesco closed down"), "Tesco"),
        (("I work at Tesco", "finally retired"), "Tesco"),
        (("I work at the cafe", "cafe closed down"), "cafe"),
        (("I have a dog called Rex", "Rex passed away"), "called Rex"),
        (("I am 34", "just turned 35"), "is 34"),
        (("我今年41", "昨天刚满四十二岁"), "今年41"),
        (("我在奶茶店上班", "奶茶店倒闭了"), "在奶茶店上班"),
    ],
)
def test_what_it_says_is_over_is_over(lines: tuple[str, ...], over: str) -> None:
    living, past = _facts(*lines)
    assert any(over in each for each in past), (living, past)


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        ((YOGA, "瑜伽课改到周四了"), "改到周四了"),
        (("记住除了周末我都住宿舍",), "除了周末我都住宿舍"),
        (("Remember I start late on Monday",), "on Monday"),
        (("记住这周末我要去杭州",), "周末（2026-03-07~2026-03-08）"),
        (("I start a new job on Monday",), "on Monday (2026-03-09)"),
        (("Remember I start at a lab on Monday",), "on Monday (2026-03-09)"),
    ],
)
def test_one_event_has_a_date_and_what_is_general_none(lines: tuple[str, ...], kept: str) -> None:
    living, _ = _facts(*lines)
    assert any(each.endswith(kept) or f"{kept}我要" in each for each in living), living


@pytest.mark.parametrize(
    ("lines", "over"),
    [
        (("记住我对芒果过敏", "骗你的，我不对芒果过敏"), "我对芒果过敏"),
        (("Remember I'm allergic to mango", "just kidding, I'm not allergic to mango"), "mango"),
    ],
)
def test_behind_a_jest_what_denies_is_meant(lines: tuple[str, ...], over: str) -> None:
    living, past = _facts(*lines)
    assert any(over in each for each in past), (living, past)


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (("记住我对芒果过敏", "骗你的，我不对虾过敏"), "我对芒果过敏"),
        (("记住我对芒果过敏", "骗你的，我对狗过敏"), "我对芒果过敏"),
        (("Remember I'm allergic to mango", "only joking, I'm not allergic to prawns"), "mango"),
    ],
)
def test_another_denial_behind_a_jest_ends_nothing(lines: tuple[str, ...], kept: str) -> None:
    living, past = _facts(*lines)
    assert any(kept in each for each in living), living
    assert not past


@pytest.mark.parametrize("line", ["今天买了点苹果", "明天可能下雨", "周末要下雪", "今晚吃了火锅"])
def test_what_is_over_tomorrow_is_not_kept(line: str) -> None:
    assert _facts(line) == ([], [])


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("明天有面试", "有面试"),
        ("今天买了台新车", "新车"),
        ("明天去买车", "去买车"),
        ("周末我们都住宿舍", "：周末我们都住宿舍"),
        ("我们住在杭州", "我们住在杭州"),
    ],
)
def test_what_lasts_is_kept_and_we_stays_we(line: str, kept: str) -> None:
    living, _ = _facts(line)
    assert any(kept in each for each in living), living
    assert not any("主人们" in each or "们" in each.replace("我们", "") for each in living)


@pytest.mark.parametrize(
    "line", ["记错了，我妈不住扬州，住泰州", "I got that wrong, my mum lives in Hull"]
)
def test_that_something_was_wrong_is_no_fact(line: str) -> None:
    living, _ = _facts("我住在杭州", line)
    assert not any("错" in each or "wrong" in each for each in living), living


@pytest.mark.parametrize(
    ("lines", "now", "before"),
    [
        (("我妈住扬州", "说错了，我妈是住泰州，不是扬州"), "妈住泰州", "扬州"),
        (
            ("My mum lives in York", "Oops, my mum lives in Hull, not York"),
            "lives in Hull",
            "York",
        ),
        (("我妈住扬州", "医生说我对青霉素不过敏", WRONG), "妈住泰州", "扬州"),
        (("我妈住在扬州", WRONG), "妈住在泰州", "扬州"),
        (("My mum lives in York", PENICILLIN, WRONG_EN), "mum lives in Hull", "York"),
        (("My mum lives in York", WRONG_EN.partition(", ")[2]), "mum lives in Hull", "York"),
        (
            ("My mum lives in York", "my mum doesn't live in York, she lives in Hull"),
            "Hull",
            "York",
        ),
        (
            ("My mum lives in York", "sorry, she doesn't live in York, she lives in Hull"),
            "mum lives in Hull",
            "York",
        ),
        # Where nothing wrong is known, or only of another, what is right is learnt.
        ((WRONG,), "妈住泰州", "扬州"),
        ((WRONG_EN,), "mum lives in Hull", "York"),
        (("我住在南京", "我妈不是住扬州，是住泰州"), "妈住泰州", "扬州"),
    ],
)
def test_a_town_put_right_is_told_once(lines: tuple[str, ...], now: str, before: str) -> None:
    living, _ = _facts(*lines)
    assert any(each.endswith(now) for each in living), living
    assert not any(before in each for each in living), living


@pytest.mark.parametrize(
    ("lines", "now", "other"),
    [
        (
            ("老家在河南南阳", "我爸在南阳开店", "说错了，老家是南昌，不是南阳"),
            "老家在河南南昌",
            "爸在南阳开店",
        ),
        (
            (
                "my hometown is Leeds",
                "my dad works in Leeds",
                "sorry, my hometown is Lincoln, not Leeds",
            ),
            "hometown is Lincoln",
            "dad works in Leeds",
        ),
        (("我住扬州", "我妈不是住扬州，是住泰州"), "妈住泰州", "主人住扬州"),
        (
            ("I live in York", "my mum doesn't live in York, she lives in Hull"),
            "mum lives in Hull",
            "主人 lives in York",
        ),
        (("我妈住在扬州", "我不是住扬州，是住泰州"), "主人住泰州", "妈住在扬州"),
        (
            ("my mum lives in York", "I don't live in York, I live in Hull"),
            "主人 lives in Hull",
            "mum lives in York",
        ),
    ],
)
def test_a_town_is_put_right_of_whom_it_was_told(
    lines: tuple[str, ...], now: str, other: str
) -> None:
    living, past = _facts(*lines)
    assert {now, other} <= {each for each in (now, other) if any(each in t for t in living)}
    assert len(living) == len({now, other}), living
    assert not past


REX = ("We have a dog called Rex", "Rex ran away")


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        ((*REX, "we found Rex"), "dog called Rex"),
        ((*REX, "omg we found rex in the shed!"), "dog called Rex"),
        (
            ("I have a cat called Tom", "I lost Tom yesterday", "found Tom, he's fine"),
            "called Tom",
        ),
        ((CAT, "豆包跑丢了", "急死我了，豆包找到了"), "猫叫豆包"),
        # Nothing had ended by the loss, which is over all the same.
        (("我养了一只狗，名字叫旺财", "旺财昨天走丢了", "旺财找回来了"), "名字叫旺财"),
        (("我喜欢喝茶", "我钥匙丢了", "钥匙找到了"), "喝茶"),
        (("I like tea", "I lost my keys", "I found my keys"), "tea"),
    ],
)
def test_what_is_found_by_its_name_is_lost_no_more(lines: tuple[str, ...], kept: str) -> None:
    living, past = _facts(*lines)
    assert any(kept in each for each in living), (living, past)
    assert any("丢" in each or "ran away" in each or "lost" in each for each in past), past
    assert not any("丢" in each or "ran away" in each or "lost" in each for each in living)


@pytest.mark.parametrize(
    "lines",
    [
        (*REX, "we found Rex a new home"),
        (*REX, "we found Rex dead in the road"),
        (*REX, "we found Rex's collar"),
        (*REX, "we found a dog"),
        (CAT, "豆包跑丢了", "豆包找到了，已经死了"),
        (CAT, "豆包跑丢了", "我钥匙找到了"),
    ],
)
def test_what_is_not_back_is_lost_still(lines: tuple[str, ...]) -> None:
    living, past = _facts(*lines)
    assert any("跑丢" in each or "ran away" in each for each in living), living
    assert any("called Rex" in each or "叫豆包" in each for each in past), past


@pytest.mark.parametrize(
    "lines",
    [
        ("我妈去年走了", "我失去了我妈", "我找到了我妈的戒指"),
        ("I lost my mum last year", "I found my mum a nice spot by the river"),
        ("I lost my keys", "I found my feet at work"),
    ],
)
def test_who_or_what_is_gone_for_good_is_not_found(lines: tuple[str, ...]) -> None:
    _, past = _facts(*lines)
    assert not past


def test_at_ordinary_times_we_are_not_the_partner_alone() -> None:
    living, _ = _facts("平时我们异地")
    assert not any("们" in each.replace("我们", "") for each in living)


@pytest.mark.parametrize(
    ("line", "jest"),
    [
        ("骗你的，我不对芒果过敏", False),
        ("just kidding, I'm not allergic to mango", False),
        ("骗你的，我对芒果过敏", True),
        ("just kidding, I'm allergic to everything", True),
        ("我不对芒果过敏，骗你的", True),
    ],
)
def test_a_judge_may_learn_what_denies_behind_a_jest(line: str, *, jest: bool) -> None:
    assert is_jest(line) is jest


@pytest.mark.parametrize(
    ("lines", "facts"),
    [
        # What holds the wrong word is put right, whoever it is of.
        (
            ("I live in York", "my sister lives in Leeds", "sorry not Leeds, Lincoln"),
            ["York", "sister lives in Lincoln"],
        ),
        (
            ("my sister lives in Leeds", "sorry not Leeds, Lincoln i always mix those up"),
            ["sister lives in Lincoln"],
        ),
        (
            (
                "I live in Lincoln",
                "my sister lives in Leeds",
                "sorry not Leeds, Lincoln",
                "no wait not Lincoln, Derby",
            ),
            ["lives in Lincoln", "sister lives in Derby"],
        ),
        (("We have a dog, she is 4", "no wait not 4, 5"), ["she is 5"]),
        (
            (
                "I'm a porter",
                "Biscuit comes to work on fridays",
                "actually its thursdays not fridays",
            ),
            ["porter", "thursdays"],
        ),
        (("我住在成都", "我表弟住在双流", "不对 是温江 不是双流"), ["住在成都", "表弟住在温江"]),
        # Where nothing holds it, nothing is, and nothing is kept of it.
        (("I live in Lincoln", "no wait not Leeds, Derby"), ["lives in Lincoln"]),
        (("We have a dog called Biscuit", "no wait not 4, 5"), ["called Biscuit"]),
        (("我奶奶不吃辣", "不对 是红的 不是黑的"), ["奶奶不吃辣"]),
        (("我不吃香菜", CAT, "不对 是温江 不是双流"), ["不吃香菜", "猫叫豆包"]),
    ],
)
def test_a_correction_changes_what_holds_the_wrong_word_and_nothing_else(
    lines: tuple[str, ...], facts: list[str]
) -> None:
    living, past = _facts(*lines)
    assert not past
    assert len(living) == len(facts)
    assert all(any(each in fact for fact in living) for each in facts), living


@pytest.mark.parametrize(
    ("told", "new"),
    [
        ("我有糖尿病", "我没有糖尿病"),
        ("我有糖尿病", "搞错了，我没有糖尿病"),
        ("我有糖尿病", "医生说我没有糖尿病"),
        ("I have diabetes", "I don't have diabetes"),
        ("I have diabetes", "oops, I don't have diabetes"),
        ("I have diabetes", "turns out I don't have diabetes"),
    ],
)
def test_who_says_not_to_be_ill_is_known_to_be_well(told: str, new: str) -> None:
    living, _ = _facts(told, new)

    assert [each for each in living if "没有糖尿病" in each or "doesn't have diabetes" in each]
    assert len(living) == 1


async def test_results_that_come_a_day_later_are_of_whom_they_were_awaited() -> None:
    clock = FakeClock()
    agent = await empty_memory(clock, "zh")
    for number, line in enumerate(("我妈去做了胃镜", "结果出来了！！就是浅表性胃炎 不用手术")):
        clock.set(NOON + timedelta(days=number))
        await tell(agent, number, line, clock.now())
    facts = [each.words.text for each in agent.state.memories.values() if each.is_fact]
    await agent.close()

    assert facts == ["主人妈去做了胃镜"]


@pytest.mark.parametrize(
    ("lines", "holds"),
    [
        (("我养了只橘猫叫汤圆", "汤圆不是橘猫 是三花 我上次打错了"), "主人养了只三花叫汤圆"),
        (("我养了只橘猫叫汤圆", "汤圆不是橘猫，是三花"), "主人养了只三花叫汤圆"),
        (("我养了只橘猫叫汤圆", "不对，汤圆是三花猫"), "主人养了只三花猫叫汤圆"),
        (("我家狗豆包是柯基", "不对，豆包是柴犬"), "主人家狗豆包是柴犬"),
        # Of another it puts nothing right.
        (("我养了只橘猫叫汤圆", "不对，年糕是三花猫"), "主人养了只橘猫叫汤圆"),
        (("我养了只橘猫叫汤圆", "不对，汤圆是甜的"), "主人养了只橘猫叫汤圆"),
    ],
)
def test_what_kind_of_animal_one_is_is_put_right(lines: tuple[str, ...], holds: str) -> None:
    living, _ = _facts(*lines)

    assert living == [holds]


@pytest.mark.parametrize(
    ("line", "learnt"),
    [
        ("大鹏，我男朋友", ["大鹏是主人的男朋友"]),
        ("大鹏 我男朋友", ["大鹏是主人的男朋友"]),
        ("大鹏，我男朋友，在银行上班", ["大鹏是主人的男朋友"]),
        ("阿哲，我邻居", ["阿哲是主人的邻居"]),
        ("陈建国，我前夫，再婚了", ["陈建国是主人的前夫"]),
        ("Tom, my boyfriend, works at a bank", ["主人's boyfriend is called Tom"]),
        ("Ann, my neighbour", ["主人's neighbour is called Ann"]),
        ("大鹏是男朋友 沈放才是弟弟", ["大鹏是主人的男朋友", "沈放是主人的弟弟"]),
        ("我决定了 过年不去厦门 陪我妈", ["主人决定了，过年不去厦门"]),
        ("我决定过年不去厦门了", ["主人决定过年不去厦门了"]),
        # A greeting is no name, and not everything decided is kept.
        ("晚安 我老公睡了", []),
        ("今天，我妈妈", []),
        ("Thanks, my friend", []),
        ("Sorry, my boss, she is back", []),
        ("大鹏是男朋友的同事", []),
        ("我决定了，就这样", []),
        ("我决定了 去睡觉", []),
    ],
)
def test_who_is_named_beside_whose_they_are_and_what_was_decided_is_kept(
    line: str, learnt: list[str]
) -> None:
    living, _ = _facts(line)

    assert living == learnt


NUTS, PEANUTS = "I'm allergic to peanuts", "我对花生过敏"


@pytest.mark.parametrize(
    "lines",
    [
        (NUTS, "I'm not allergic to anything but that"),
        (NUTS, "I'm not allergic to anything besides peanuts"),
        (NUTS, "other than that I'm not allergic to anything"),
        (NUTS, "not allergic to anything more than that"),
        (NUTS, "I'm not allergic to anything really, just that"),
        (NUTS, "I'm not allergic to anything, only peanuts"),
        (NUTS, "I'm allergic to nothing but peanuts"),
        (PEANUTS, "除了花生我对什么都不过敏"),
        (PEANUTS, "除此之外我什么都不过敏"),
        (PEANUTS, "我什么都不过敏，就花生"),
        (PEANUTS, "我对什么都不过敏，只有花生"),
        (PEANUTS, "我也就对这个过敏，对什么别的都不过敏"),
    ],
)
def test_who_is_allergic_to_nothing_else_is_allergic_still(lines: tuple[str, ...]) -> None:
    living, past = _facts(*lines)

    assert any("peanuts" in each or "花生过敏" in each for each in living)
    assert not past
    assert not any(each.endswith(("to nothing", "to anything")) for each in living)


@pytest.mark.parametrize(
    "lines",
    [
        (NUTS, "turns out I'm not allergic to anything"),
        (NUTS, "I'm not allergic to anything, that was a mistake"),
        (NUTS, "I'm not allergic to peanuts, just to walnuts"),
        (PEANUTS, "我什么都不过敏，医生说的"),
        (PEANUTS, "我对花生不过敏，就是对核桃过敏"),
    ],
)
def test_who_is_allergic_to_nothing_is_not_allergic_any_more(lines: tuple[str, ...]) -> None:
    _, past = _facts(*lines)

    assert len(past) == 1


@pytest.mark.parametrize(
    ("lines", "before"),
    [
        (
            ("my favourite drink is oat flat white", "I don't drink coffee any more"),
            "主人's favourite drink is oat flat white",
        ),
        (
            ("my favourite snack is salted almonds", "I don't eat almonds any more"),
            "主人's favourite snack is salted almonds",
        ),
        (
            ("my favourite singer is Joan Baez", "I've gone off Joan Baez"),
            "主人's favourite singer is Joan Baez",
        ),
        (
            ("我最喜欢的饮料是街角那家小店的海盐芝士桂花拿铁", "我不喝桂花拿铁了"),
            "主人最喜欢的饮料是街角那家小店的海盐芝士桂花拿铁",
        ),
    ],
)
def test_a_favourite_that_is_over_is_told_as_a_sentence(
    lines: tuple[str, ...], before: str
) -> None:
    _, past = _facts(*lines)
    assert past == [before]
