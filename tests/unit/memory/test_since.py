"""An answer tells what holds first, and what was said since though no rule read it."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.offline.intents import TellsSomething, intent_of
from memory.offline.questions import Question
from memory.offline.replies import reply_to
from memory.offline.since import said_since
from prompts import PromptLine, PromptMemory, Reply
from tests.fakes.clock import NOON

LONG_AGO = NOON - timedelta(days=60)
LATELY = NOON - timedelta(days=1)


def of(text: str) -> Question:
    return Question(text, NOON, ZoneInfo("Asia/Shanghai"))


ASKED = of("")


def asked(text: str, *memories: PromptMemory, language: str = "zh") -> str:
    line = PromptLine("user", "安", NOON, text)
    prompt = Reply(
        persona="",
        language=language,
        partner="安",
        now=NOON,
        window=(line,),
        memories=memories,
        again=True,
    )
    return reply_to(prompt)


def said(text: str, *, speaker: str = "安") -> PromptMemory:
    return PromptMemory("", text, LATELY, tier="diary", speaker=speaker)


@pytest.mark.parametrize(
    ("question", "known", "newer"),
    [
        ("我还教书法吗？", "我周末在社区教书法", "花店关了，下周去图书馆上班"),
        ("我还教书法吗？", "安周末在社区教书法", "我辞职了，下个月去宁波"),
        (
            "do I still teach yoga?",
            "I teach yoga on Sundays",
            "I quit, I work at a shop now",
        ),
    ],
)
def test_a_new_post_is_no_news_of_a_pastime(question: str, known: str, newer: str) -> None:
    line = PromptLine("user", "安", LATELY, newer)

    assert said_since(known, LONG_AGO, [line], frozenset({"安"}), of(question)) is None


def test_a_new_post_is_news_of_a_post() -> None:
    line = PromptLine("user", "安", LATELY, "我辞职了，现在在图书馆上班")

    assert said_since("我在花店上班", LONG_AGO, [line], frozenset(), of("我在哪上班？"))


@pytest.mark.parametrize(
    ("question", "known", "newer", "language"),
    [
        ("我养的狗叫什么", "安的狗叫旺财", "旺财送人了", "zh"),
        ("我叫什么", "安叫王建国", "身份证改名了，以后叫我王一鸣", "zh"),
        ("who's my boss", "安's boss is a guy named Gary", "Gary got fired, it's Linda", "en"),
    ],
)
def test_a_newer_line_of_the_same_matter_is_quoted_before_what_was_known(
    question: str, known: str, newer: str, language: str
) -> None:
    fact = PromptMemory("m1", known, LONG_AGO, speaker="安")

    alone = asked(question, fact, language=language)
    both = asked(question, fact, said(newer), language=language)

    was = known.removeprefix("安").removeprefix("的").removeprefix("'s")
    assert was in alone
    assert both.index(newer) < both.index(was)
    assert ("Before that" if language == "en" else "在那之前") in both


@pytest.mark.parametrize(
    ("known", "newer"),
    [
        ("安的狗叫旺财", "旺财今天吃了两碗"),
        ("安住在北京", "今天的面真好吃"),
        ("安 has a dog named Rex", "do you think Rex is gone?"),
        ("安 has a dog named Rex", "your Rex is gone"),
        ("安 loves getting lost in books", "the kids got new books last week"),
    ],
)
def test_what_tells_of_no_change_or_of_nobodys_is_no_newer_line(known: str, newer: str) -> None:
    line = PromptLine("user", "安", LATELY, newer)

    assert said_since(known, LONG_AGO, [line], frozenset({"安"}), ASKED) is None


def test_who_asks_about_former_times_or_reads_another_ones_line_gets_what_was_known() -> None:
    fact = PromptMemory("m1", "安住在北京", LONG_AGO, speaker="安")

    assert "在那之前" not in asked("我以前住在哪里", fact, said("我搬到上海了"))
    assert "在那之前" not in asked("我住在哪里", fact, said("我搬到上海了", speaker="小白"))
    assert "在那之前" in asked("我住在哪里", fact, said("我搬到上海了"))


def test_what_took_the_place_of_something_past_is_told_first() -> None:
    now = PromptMemory("", "安 now rides a Vespa", LATELY, speaker="安")
    was = PromptMemory("m1", "安 rides a Corolla", LONG_AGO, speaker="安", past=True, instead=now)

    today = asked("what do I ride", was, language="en")
    before = asked("what did I use to ride", was, language="en")

    assert today.index("Vespa") < today.index("no longer so")
    assert before.index("Corolla") < before.index("Vespa")


def test_a_fact_is_told_to_the_partner_in_its_own_language() -> None:
    together = PromptMemory("m1", "安：我们在苏州买了房", LATELY, speaker="安")
    english = PromptMemory("m1", "安 likes jazz", LATELY, speaker="安")

    assert "你们在苏州买了房" in asked("我们在哪买的房", together)
    assert "you like jazz" in asked("我喜欢什么", english)


@pytest.mark.parametrize(
    ("question", "known", "read", "line", "language"),
    [
        ("我现在住哪", "安家在成都", "安下周就不住成都了", "下周就不住成都了 调到重庆去", "zh"),
        ("am I single?", "安 is single", "安 is dating someone", "I'm dating someone, Owen", "en"),
    ],
)
def test_the_line_of_a_change_is_quoted_whole_where_less_was_read_of_it(
    question: str, known: str, read: str, line: str, language: str
) -> None:
    own = PromptLine("user", "安", LATELY, line)
    newer = PromptMemory("", read, LATELY, speaker="安", said=(own,))
    older = PromptMemory("m1", known, LONG_AGO, speaker="安", past=True, instead=newer)

    told = asked(question, older, newer, language=language)

    assert line in told
    assert told.index(line) < told.index("Before that" if language == "en" else "在那之前")


@pytest.mark.parametrize(
    ("question", "facts", "line", "answer", "language"),
    [
        ("我叫什么", ("安叫阿澄", "安在杭州当护士"), "我叫阿澄，在杭州当护士", "你叫阿澄", "zh"),
        (
            "我在哪上班",
            ("安叫阿澄", "安在杭州当护士"),
            "我叫阿澄，在杭州当护士",
            "你在杭州当护士",
            "zh",
        ),
        (
            "what is my name?",
            ("安's name is Ann", "安 is a nurse in Leeds"),
            "I'm Ann, a nurse in Leeds",
            "your name is Ann",
            "en",
        ),
        (
            "where do I work?",
            ("安's name is Ann", "安 is a nurse in Leeds"),
            "I'm Ann, a nurse in Leeds",
            "you are a nurse in Leeds",
            "en",
        ),
    ],
)
def test_of_two_things_told_in_a_line_the_one_that_is_asked_for_is_told(
    question: str, facts: tuple[str, str], line: str, answer: str, language: str
) -> None:
    own = (PromptLine("user", "安", LATELY, line),)
    known = (
        PromptMemory(f"m{n}", each, LATELY, speaker="安", said=own) for n, each in enumerate(facts)
    )

    told = asked(question, *known, language=language)

    assert answer in told
    assert line not in told


@pytest.mark.parametrize(
    ("question", "fact", "language"),
    [
        ("我用什么手机", "安换了台iPhone 17", "zh"),
        ("我抽煙嗎", "安戒烟一百天了", "zh"),
        ("what phone do i use", "安 switched to a Pixel", "en"),
        ("what shift", "安: they've put me on nights", "en"),
    ],
)
def test_what_was_told_of_a_matter_answers_though_it_shares_no_word(
    question: str, fact: str, language: str
) -> None:
    told = asked(question, PromptMemory("", fact, LATELY, speaker="安"), language=language)

    assert fact.removeprefix("安").strip(": ").removeprefix("they've put me ") in told


@pytest.mark.parametrize(
    ("question", "known", "newer", "language"),
    [
        ("我踢足球吗", "安每周二踢五人制", "足球踢不动了，不踢了", "zh"),
        ("do i play football", "安 plays five a side", "packed in the football, bad knees", "en"),
    ],
)
def test_a_newer_line_may_name_what_the_question_names(
    question: str, known: str, newer: str, language: str
) -> None:
    line = PromptLine("user", "安", LATELY, newer)

    assert said_since(known, LONG_AGO, [line], frozenset({"安"}), ASKED) is None
    found = said_since(known, LONG_AGO, [line], frozenset({"安"}), of(question))
    assert found is not None
    assert found.text == newer


def test_of_a_long_message_only_what_tells_of_the_change_is_quoted() -> None:
    story = "今天一直在下雨，路上堵了很久，到家的时候都九点多了，饭也凉了。" * 4
    line = PromptLine("user", "安", LATELY, f"{story}旺财送人了。以后没人陪我散步。")

    found = said_since("安的狗叫旺财", LONG_AGO, [line], frozenset({"安"}), ASKED)
    assert found is not None
    assert found.text == "旺财送人了。以后没人陪我散步。"


def test_a_question_in_traditional_characters_is_one() -> None:
    fact = PromptMemory("m1", "安骑野狼", LATELY, speaker="安")

    assert "野狼" in asked("我現在騎什麼車", fact)


@pytest.mark.parametrize(
    ("question", "known", "newer"),
    [
        ("我住哪里", "安现在住双桥子", "安妈搬来成都跟我们一起住了"),  # of my mother
        ("我住哪裡", "安住在十二樓", "告別式結束了，我講到一半講不下去"),  # half a word
        ("我今年多大", "安满四十一", "我女儿今年八岁了"),  # the same year, another person
        ("Kunle在哪", "Kunle is moving to Manchester", "moved to Headingley!"),  # the same deed
        ("小雯生日几月几号", "小雯的生日是7月19", "和小雯分手了"),  # a birthday stays
        ("when is Aoife's birthday", "Aoife's birthday is 3 November", "Aoife moved out"),
    ],
)
def test_another_matter_is_not_told_before_what_was_known(
    question: str, known: str, newer: str
) -> None:
    language = "en" if question.isascii() else "zh"
    fact = PromptMemory("m1", known, LONG_AGO, speaker="安")

    assert newer not in asked(question, fact, said(newer), language=language)


@pytest.mark.parametrize(
    ("question", "told", "offered"),
    [
        ("我用什么手机", "换了台 iPhone", "我不太确定"),
        ("what phone do i use", "switched to a Pixel", "I am not sure"),
    ],
)
def test_what_was_told_last_of_a_matter_is_offered_and_not_asserted(
    question: str, told: str, offered: str
) -> None:
    language = "en" if question.isascii() else "zh"
    answer = asked(question, said(told), language=language)

    assert told in answer
    assert answer.startswith(offered)


@pytest.mark.parametrize(
    "line",
    [
        *("我那毛病好点没", "how I earn my living", "which level I have", "我英檢考幾分"),
        *(
            "我女儿几岁了呢，你还好吗",
            "what's my dog called, how are you?",
            "我对什么过敏，你能告诉我吗",
        ),
    ],
)
def test_what_is_likely_a_question_is_one_though_no_rule_says_so(line: str) -> None:
    assert not isinstance(intent_of(line), TellsSomething)


@pytest.mark.parametrize(
    "line",
    [
        *("我那毛病好多了", "I earn it with a van", "哈哈哈", "ok then"),
        # How she is, is asked behind it.
        *(
            "我住在鼓楼旁边，你那边下雨没？",
            "饿一顿就啃笼子，你那边咋样",
            "我养了只猫，你吃饭了吗",
        ),
        *("mum's repainting the hall, how was your day", "I live in Leith now, have you eaten?"),
    ],
)
def test_what_is_told_is_no_question(line: str) -> None:
    assert isinstance(intent_of(line), TellsSomething)


@pytest.mark.parametrize(
    ("question", "known", "newer", "was"),
    [
        ("我出门骑什么", "我开一台喜美", "报废场把喜美夹走了，我牵了台Gogoro回家", "开一台"),
        ("what do I get around on", "I drive a 2003 Corolla", "I rode home on a Vespa", "Corolla"),
    ],
)
def test_what_likely_ended_what_was_told_comes_first(
    question: str, known: str, newer: str, was: str
) -> None:
    language = "en" if question.isascii() else "zh"
    older = said(known)._replace(when=LONG_AGO)

    answer = asked(question, older, said(newer), language=language)

    assert newer in answer.partition(was)[0]


@pytest.mark.parametrize(
    ("question", "known", "newer", "language"),
    [
        ("我日语什么水平了", "日语才N4，看番还得靠字幕", "成绩查到了，N2合格", "zh"),
        ("which class is Kezia in", "Kezia is in Primary 4", "Kezia resumed, Primary 5 now", "en"),
        ("how much do I owe my sister", "I owe my sister £900", "squared up with her today", "en"),
        ("我欠我姐多少钱", "我欠我姐三千块", "我姐那笔钱还清了", "zh"),
    ],
)
def test_another_grade_or_a_debt_that_is_paid_is_told_first(
    question: str, known: str, newer: str, language: str
) -> None:
    before = PromptMemory("", known, LONG_AGO, tier="diary", speaker="安")

    told = asked(question, before, said(newer), language=language)

    assert newer in told
    assert known not in told[: told.index(newer)]


@pytest.mark.parametrize(
    ("question", "was", "now", "language"),
    [
        ("我还吃铁剂吗", "医生说我贫血，在吃铁片", "复查都正常，药扔了", "zh"),
        (
            "Do I still need iron?",
            "my doc says I'm anaemic, iron for me",
            "bloods are normal",
            "en",
        ),
    ],
)
def test_a_line_whose_fact_is_over_is_told_as_over(
    question: str, was: str, now: str, language: str
) -> None:
    newer = PromptMemory("m2", f"安：{now}", LATELY, speaker="安", quote=now)
    old = PromptMemory(
        "m1", f"安：{was}", LONG_AGO, past=True, speaker="安", quote=was, instead=newer
    )

    told = asked(question, old, newer, language=language)

    assert now in told


def test_what_tests_found_is_told_before_what_harms() -> None:
    fact = PromptMemory("m1", "安: coeliac they reckon", LONG_AGO, speaker="安")

    told = asked("any bread I can't have?", fact, said("biopsy came back clear!!"), language="en")

    assert told.index("biopsy") < told.index("coeliac")


@pytest.mark.parametrize(
    ("question", "known", "newer", "language"),
    [
        ("伴娘是谁？", "伴娘是我大学室友徐丹", "伴娘换成表妹林可了", "zh"),
        ("摄影师是谁？", "摄影师叫阿Ken，吃素", "阿Ken档期冲突，换成女摄影师苗苗", "zh"),
        ("我老板是谁？", "我老板叫Grace", "Grace要leave了，新老板叫Daniel", "zh"),
        ("班主任是谁", "班主任姓马，教化学", "班主任换了，现在是陈老师", "zh"),
        ("设计是谁？", "设计是Mia，前端是老赵", "Mia离职了，设计换成了阿宁", "zh"),
        ("谁是我们队长？", "我们队长是阿强", "队长现在是小林", "zh"),
        ("钢琴老师是谁", "钢琴老师是周老师", "这学期钢琴老师是沈老师了", "zh"),
        ("who is my manager?", "My manager is Priya", "Priya left, my new manager is Oscar", "en"),
        ("who's our drummer", "Our drummer is Leo", "Mina is our drummer now", "en"),
        ("who is my physio?", "My physio is Carl", "my physio has changed, it's Anna", "en"),
        ("老李订了几条玉溪？", "老李订了5条玉溪", "老李那个改了，要8条不要5条了", "zh"),
        ("摆多少桌？", "婚宴大概请15桌", "桌数减到12桌", "zh"),
        ("我房租多少？", "房租一个月4200", "房租涨了，从下个月起4800", "zh"),
        ("矿泉水多少钱一箱", "矿泉水一箱18块", "矿泉水涨价了，现在20块一箱", "zh"),
        ("how much is my rent?", "the rent is 900 a month", "the rent went up to 980", "en"),
        ("how old is Sam?", "Sam is 4 and Ivy is 8", "Sam turned 5!", "en"),
        ("do i still play bingo", "i play bingo on fridays", "i have give up bingo", "en"),
        ("我儿子念什么班？", "我儿子念中班", "儿子九月升大班了", "zh"),
        ("小花是什么狗？", "小花是边牧", "抱歉我之前说是边牧，医生说是串串", "zh"),
        (
            "is Biscuit a lurcher?",
            "Biscuit is a lurcher",
            "sorry I said lurcher, the vet says he's a whippet cross",
            "en",
        ),
    ],
)
def test_who_or_how_many_it_is_now_is_told_before_what_was(
    question: str, known: str, newer: str, language: str
) -> None:
    was = PromptMemory("m1", known, LONG_AGO, tier="diary", speaker="安")

    both = asked(question, was, said(newer), language=language)

    assert both.index(newer.rstrip("!")) < both.index(known)
    assert ("Before that" if language == "en" else "在那之前") in both


@pytest.mark.parametrize(
    ("question", "known", "newer"),
    [
        ("我老板是谁？", "我老板叫Grace", "我老婆的新老板叫王磊"),
        ("我老板是谁？", "我老板叫Grace", "老板换了辆新车"),
        ("徐丹是谁？", "徐丹是我大学室友", "徐丹换工作了"),
        ("伴娘是谁？", "伴娘是徐丹", "伴娘的裙子换成蓝色了"),
        ("我同桌是谁", "我同桌是孙浩然", "同桌换了个手机壳"),
        ("who is my manager?", "My manager is Priya", "Tom's new manager is Oscar"),
        ("who is my manager?", "My manager is Priya", "my manager has a new car"),
        ("老李订了几条玉溪？", "老李订了5条玉溪", "老王那个改了，要8条"),
        ("我房租多少？", "房租一个月4200", "工资涨了，现在九千二"),
        ("how old is Ivy?", "Sam is 4 and Ivy is 8", "Sam turned 5!"),
        ("how old am I?", "I am 34 years old", "Sam turned 5!"),
        ("who is my coach?", "My coach is Carl", "my coach quit smoking now"),
    ],
)
def test_what_is_of_another_place_or_person_is_no_news_of_it(
    question: str, known: str, newer: str
) -> None:
    was = PromptMemory("m1", known, LONG_AGO, tier="diary", speaker="安")
    language = "en" if known.isascii() else "zh"

    both = asked(question, was, said(newer), language=language)

    assert newer.rstrip("!") not in both.split(known, maxsplit=1)[0]


MARRIED = ("18号领证啦！现在是陈太太了",)
WEDDING = "婚礼定在5月2号，在杭州西湖边的一家酒店"


@pytest.mark.parametrize(
    ("question", "known", "newer", "others", "language"),
    [
        ("婚礼是哪天？", WEDDING, "日子改了，改到10月3号，听我妈的", MARRIED, "zh"),
        ("婚礼在哪里办？", WEDDING, "酒店换了，换到良渚的一个民宿", MARRIED, "zh"),
        ("年会什么时候？", "年会下午两点开始", "年会改到下午一点了", ("周五我要去体检",), "zh"),
        (
            "when is the launch?",
            "The launch is on 12 October",
            "we've moved the launch to 9 November",
            ("we are married now, as of 18 October",),
            "en",
        ),
    ],
)  # fmt: skip
def test_news_of_an_event_is_what_tells_the_time_or_place_asked(
    question: str, known: str, newer: str, others: tuple[str, ...], language: str
) -> None:
    was = PromptMemory("m1", known, LONG_AGO, tier="diary", speaker="安")
    more = [said(each)._replace(when=LATELY + timedelta(hours=2)) for each in others]

    told = asked(question, was, said(newer), *more, language=language)

    assert told.index(newer) < told.index(known)
    assert not any(each in told for each in others)


@pytest.mark.parametrize(
    ("question", "known", "other"),
    [
        ("周会是什么时候？", "周会改到周三下午两点", "接口文档定稿v2.0"),
        ("谁有痛风？", "老李有痛风，天天喝啤酒", "我腰不好，医生说腰椎间盘突出"),
        (
            "what does Ivy do on Saturdays?",
            "Ivy has started judo on Saturdays",
            "Craig moved to Derby",
        ),
        ("周会是什么时候？", "周会改到周三下午两点", "上线又改了，11月9号"),
        ("婚礼是哪天？", WEDDING, "酒店换了，换到良渚的一个民宿"),
        ("when is the wedding?", "The wedding is on 2 May", "the dress was changed to a blue one"),
    ],
)
def test_what_tells_of_another_event_is_no_news_of_one(
    question: str, known: str, other: str
) -> None:
    was = PromptMemory("m1", known, LONG_AGO, tier="diary", speaker="安")

    told = asked(question, was, said(other), language="en" if known.isascii() else "zh")

    assert other not in told.split(known, maxsplit=1)[0]
