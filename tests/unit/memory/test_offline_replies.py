"""What 小祥 answers without a model: from window and memories, with dates, or not at all."""

import time
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import pytest

from memory.offline.phrasing import named
from memory.offline.replies import reply_to
from memory.offline.vocabulary import EN, ZH
from prompts import PromptLine, PromptMemory, Reply

EVENING = datetime(2026, 3, 4, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
RAMEN = PromptMemory(
    "m1", "主人喜欢拉面", EVENING - timedelta(days=3), speaker="主人", quote="我爱拉面"
)
NAME = PromptMemory("m2", "主人叫李明", EVENING - timedelta(days=400), "core", "主人")
GAMES = PromptMemory(
    "m3",
    "[2026-03-02 21:10] 聊了塞尔达、周末",
    EVENING - timedelta(days=2) + timedelta(minutes=70),
    "episode",
    quote="塞尔达那关我打了一晚上",
)
COFFEE = PromptMemory(
    "m4", "主人喜欢咖啡", EVENING - timedelta(days=90), speaker="主人", past=True
)
FADED = PromptMemory("m5", "[曾记得] 关于 绿禾公园", EVENING - timedelta(days=300), "episode")


def said(text: str, minutes: float = 0, role: str = "user") -> PromptLine:
    at = EVENING + timedelta(minutes=minutes)
    if role == "user":
        return PromptLine("user", "主人", at, text)
    return PromptLine("assistant", "小祥", at, text)


BEFORE = (
    said("我今天去游戏公司面试了", -15),
    said("辛苦了，主人。", -15, "assistant"),
    said("面试官问了很多算法", -10),
    said("嗯嗯。", -10, "assistant"),
)


def answer(
    *lines: str | PromptLine,
    memories: tuple[PromptMemory, ...] = (),
    before: tuple[PromptLine, ...] = BEFORE,
    language: str = "zh",
    now: datetime = EVENING,
) -> str:
    new = tuple(said(line) if isinstance(line, str) else line for line in lines)
    return reply_to(
        Reply(
            persona="",
            language=language,
            partner="主人",
            now=now,
            window=(*before, *new),
            memories=memories,
        )
    )


def test_the_first_answer_says_once_that_it_is_the_offline_mode() -> None:
    assert answer("我喜欢拉面", before=()).endswith(ZH.notice)
    assert ZH.notice not in answer("我喜欢拉面")


@pytest.mark.parametrize(
    ("hour", "greeting"), [(7, "早上好"), (13, "下午好"), (20, "晚上好"), (2, "这么晚了")]
)
def test_a_greeting_fits_the_hour(hour: int, greeting: str) -> None:
    assert answer("你好呀", now=EVENING.replace(hour=hour)).startswith(greeting)


def test_it_answers_in_the_language_of_the_question() -> None:
    assert answer("hello there").startswith("Good evening.")
    assert answer("你好", language="en").startswith("晚上好")
    assert answer("👋", language="en") in EN.openings["listening"]


def test_just_now_is_told_from_the_window_with_times() -> None:
    told = answer("刚才聊了什么")

    assert told.startswith("刚才（19:45 到 19:50）我们聊了")
    assert "面试" in told
    assert "19:50 你说：「面试官问了很多算法」" in told


def test_just_now_does_not_reach_back_to_yesterday() -> None:
    before = (said("去看了电影", -24 * 60), said("好看吗？", -24 * 60, "assistant"))

    assert answer("刚才聊了什么", before=before).startswith("刚才还没聊别的；上一回是昨天 20:00")
    assert answer("刚才聊了什么", before=()).startswith(ZH.nothing_yet)


def test_yesterday_is_told_from_window_and_episodes() -> None:
    before = (said("昨天爬了香山，腿好酸", -25 * 60), *BEFORE)

    told = answer("昨天聊了什么", before=before, memories=(GAMES,))

    assert told.startswith("昨天（3月3日）我们聊了")
    assert "爬了香山" in told
    assert "塞尔达" not in told


def test_an_earlier_day_is_told_from_its_episode() -> None:
    told = answer("3月2日我们聊了什么？", memories=(GAMES, RAMEN))

    assert told == "我记得：聊了塞尔达、周末，「塞尔达那关我打了一晚上」（3月2日）。"


def test_a_line_of_the_diary_is_told_as_it_was_said() -> None:
    line = PromptMemory("", "我在拉面馆丢了伞", RAMEN.when, "diary", "主人", looked_up=True)

    told = answer("我的伞丢在哪里了？", memories=(line,))

    assert told == "你3月1日说过：「我在拉面馆丢了伞」。"


def test_a_day_nothing_is_known_of_is_admitted() -> None:
    assert answer("前天聊了什么", memories=(RAMEN,)) == "前天（3月2日）的对话，我没有记着。"


def test_when_something_was_last_spoken_of_is_told_with_date_and_words() -> None:
    told = answer("上次聊塞尔达是什么时候？", memories=(GAMES,))

    assert told.startswith("上次说到塞尔达是3月2日 21:10：")
    assert "塞尔达那关我打了一晚上" in told


def test_the_window_knows_the_latest_time_if_it_is_later() -> None:
    assert "今天 19:50" in answer("上次聊算法是什么时候", memories=(GAMES,))


@pytest.mark.parametrize(
    ("asked", "told", "when"),
    [
        ("我们上次聊天是什么时候", "今天升职了", "昨天"),
        ("when did we last talk?", "I got promoted today", "yesterday"),
    ],
)
def test_when_they_last_talked_is_the_talk_before_this_one(
    asked: str, told: str, when: str
) -> None:
    day = 24 * 60
    before = (said(told, -day), said("Well!", 1 - day, "assistant"), said("hm", -3))

    found = answer(asked, before=before, language="en" if asked.isascii() else "zh")
    assert when in found
    assert told in found


def test_a_name_of_one_character_is_a_subject_too() -> None:
    cat = PromptMemory("m1", "主人养了一只猫，叫团子", EVENING - timedelta(days=3), speaker="主人")

    assert answer("上次聊猫是什么时候", memories=(cat,)).startswith("上次说到猫是3月1日 20:00：")
    assert "团子" in answer("我养的猫叫什么名字？", memories=(RAMEN, cat))
    assert "昨天" not in answer("我们上次是什么时候聊的", memories=())


def test_words_that_only_count_are_no_subject() -> None:
    before = (said("我养了一只猫", -5), said("真好", -5, "assistant"))

    assert "一只" not in answer("刚才聊了什么", before=before).split("。")[0]


def test_a_place_is_found_by_pairs_of_characters() -> None:
    car = PromptMemory("m1", "我的车停在B2 217", EVENING, speaker="主人")

    assert answer("我的车停在哪里", memories=(RAMEN, car)).startswith("我记得：你的车停在B2 217")


def test_what_was_never_spoken_of_is_admitted() -> None:
    assert answer("上次聊滑雪是什么时候", memories=(GAMES,)) == "关于滑雪，我不记得我们聊过。"


def test_in_english_the_partner_is_spoken_to_and_not_about() -> None:
    dog = PromptMemory("m1", "主人 no longer walks their dog", EVENING, speaker="主人")

    assert "you really love your garden" in answer("I really love my garden")
    assert answer("Do you remember my dog?", memories=(dog,)) == (
        "I remember: you no longer walk your dog (today)."
    )


@pytest.mark.parametrize("question", ["我叫什么名字？", "你还记得我是谁吗", "What's my name?"])
def test_the_partner_s_name_is_known_with_the_year_it_was_told(question: str) -> None:
    told = answer(question, memories=(RAMEN, NAME))

    assert "李明" in told
    assert "2025" in told
    assert "拉面" not in told


def test_what_no_longer_holds_is_told_as_past_and_last() -> None:
    told = answer("你知道我喜欢什么吗", memories=(COFFEE, RAMEN))

    assert told == "我记得：你喜欢拉面（3月1日）；以前你喜欢咖啡，后来变了（2025年12月4日）。"


@pytest.mark.parametrize(
    ("asked", "known", "begins"),
    [
        ("我是做什么工作的", ("主人换工作了", "主人现在在做设计"), "我记得：你现在在做设计"),
        (
            "What do I do for a living?",
            ("主人 works hard", "主人 is now a baker"),
            "I remember: you are now a baker",
        ),
        (
            "Where do I live?",
            ("主人 used to live in York", "主人 lives in Leeds"),
            "I remember: you live in Leeds",
        ),
    ],
)
def test_what_says_which_one_is_told_before_what_says_that_it_changed(
    asked: str, known: tuple[str, ...], begins: str
) -> None:
    memories = [PromptMemory(f"m{n}", each, EVENING) for n, each in enumerate(known)]

    assert answer(asked, memories=tuple(memories)).startswith(begins)


@pytest.mark.parametrize(
    ("asked", "known", "told"),
    [
        ("我能吃虾吗", "主人对虾过敏", "我记得：你对虾过敏"),
        ("我能不能吃虾？", "主人对虾过敏", "我记得：你对虾过敏"),
        ("我可以喝牛奶吗", "主人乳糖不耐受", "我记得：你乳糖不耐受"),
        ("What can't I eat?", "主人 is allergic to shellfish", "you are allergic to shellfish"),
        ("Should I eat prawns?", "主人 is allergic to shellfish", "you are allergic to shellfish"),
    ],
)
def test_whoever_asks_what_they_may_eat_is_told_what_harms_them(
    asked: str, known: str, told: str
) -> None:
    memories = (PromptMemory("m1", "主人喜欢拉面", EVENING), PromptMemory("m2", known, EVENING))

    assert told in answer(asked, memories=memories)


def test_a_trace_of_what_was_forgotten_is_admitted_as_such() -> None:
    told = answer("你还记得绿禾公园吗", memories=(FADED,))

    assert told == "这件事我只剩一点印象了（关于 绿禾公园），细节已经忘了。"


def test_what_is_not_remembered_is_never_guessed() -> None:
    assert answer("你知道我养了什么吗", memories=(RAMEN,)).startswith("这件事我没有记着")
    assert answer("Where do I live?", memories=(RAMEN,)).startswith("I have nothing about that")


def test_what_was_said_in_this_conversation_is_remembered_too() -> None:
    assert "面试官问了很多算法" in answer("你还记得面试官问了我什么吗")
    assert "面试官问了很多算法" in answer("我之前说面试官问了什么，你能告诉我吗？")


def test_a_usual_question_is_answered_from_what_was_just_said() -> None:
    before = (said("我还养了一只猫，叫团子", -5), said("真可爱", -5, "assistant"))

    assert "叫团子" in answer("我的猫叫什么", before=before)
    assert "团子" not in answer("我的生日是哪天", before=before)


def test_the_world_is_not_made_up() -> None:
    assert answer("今天天气怎么样？", memories=(RAMEN,)) in ZH.openings["cannot"]


def test_a_statement_before_a_question_is_heard() -> None:
    told = answer("我很喜欢画画，你有什么书推荐吗？")

    assert "你很喜欢画画" in told
    assert told.endswith(ZH.openings["cannot"])


def test_only_a_request_is_promised_to_be_noted_and_never_said_to_be_stored() -> None:
    told = answer("请记住我的车停在B2 217")

    assert told == "好的，我这就记下：你的车停在B2 217。"
    assert "记下" not in answer("我的车停在B2 217")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "Remember that my mother is allergic to shellfish\nAnd my dad is called Tomas\nhttps://e.com/r",
            "noting it down: your mother is allergic to shellfish; your dad is called Tomas.",
        ),
        (
            "Remember my dentist is Dr. Huang\nRemember my locker is 58",
            "noting it down: your dentist is Dr. Huang; your locker is 58.",
        ),
        (
            "记住：我妈对海鲜过敏\n还有我爸叫林建国\nhttps://e.com/r",
            "我这就记下：你妈对海鲜过敏；你爸叫林建国。",
        ),
        ("记住我的柜子是58号\n记住我的牙医姓黄", "我这就记下：你的柜子是58号；你的牙医姓黄。"),
        # The request on a line of its own means what follows.
        ("记住\n我的柜子是58号", "我这就记下：你的柜子是58号。"),
        ("记住：\n我的柜子是58号\n牙医姓黄", "我这就记下：你的柜子是58号；牙医姓黄。"),
        ("记住：我的柜子是58号\n牙医姓黄", "我这就记下：你的柜子是58号；牙医姓黄。"),
        (
            "remember: my locker is 58\nmy dentist is Dr. Huang",
            "noting it down: your locker is 58; your dentist is Dr. Huang.",
        ),
        ("Remember my sister is Ines (the nurse)", "your sister is Ines (the nurse)."),
        ("记住我妹叫小雨（护士）", "你妹叫小雨（护士）。"),
    ],
)
def test_of_several_lines_it_is_said_what_each_asks_to_be_kept(said: str, told: str) -> None:
    assert answer(said).partition("\n")[0].endswith(told)


def test_braces_in_what_was_said_are_only_characters() -> None:
    assert "{partner} {x}" in answer("记住 {partner} {x}")


def test_private_things_are_met_gently_and_not_repeated() -> None:
    told = answer("我离婚了")

    assert "离婚" not in told
    assert told in {named(each, "主人") for each in ZH.openings["breakup"]}


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("最近好累，压力好大", ZH.openings["worry"]),
        ("我升职了！太开心了", ZH.openings["pride"]),
        ("I feel so sad", EN.openings["sad"]),
    ],
)
def test_the_feeling_comes_first(text: str, mood: tuple[str, ...]) -> None:
    assert answer(text) in {
        named(each, "主人" if mood[0] in str(ZH.openings) else "") for each in mood
    }


def test_something_alike_of_another_day_comes_to_mind_with_its_date() -> None:
    old = PromptMemory(
        "m1", "主人在京都吃过一家拉面店", EVENING - timedelta(days=30), speaker="主人"
    )

    told = answer("今天路过一家京都拉面店", memories=(old,))

    assert "这让我想起，你在京都吃过一家拉面店（2月2日）" in told


def test_forgetting_is_left_to_the_command_that_asks_first() -> None:
    assert "/forget" in answer("忘掉我的生日")


@pytest.mark.parametrize(
    "text", ["谢谢你", "晚安", "你是谁", "thanks!", "good night", "who are you?"]
)
def test_courtesies_and_questions_about_herself_are_answered(text: str) -> None:
    assert answer(text, memories=(RAMEN,))
    assert "拉面" not in answer(text, memories=(RAMEN,))


def test_a_burst_is_answered_as_a_whole() -> None:
    assert "李明" in answer("在吗", "我叫什么名字", memories=(NAME,))


@pytest.mark.parametrize("text", ["", "？？？", "🙃" * 300, "أين أسكن؟", "\u202e\u200b"])
def test_odd_lines_get_an_answer_too(text: str) -> None:
    assert answer(text, memories=(RAMEN, NAME))


def test_ten_times_the_row_takes_about_ten_times_as_long() -> None:
    def spent(length: int) -> float:
        began = time.process_time()
        assert answer("我" * length, memories=(RAMEN, NAME))
        return time.process_time() - began

    spent(10)  # what is made once
    assert spent(10_000) < 40 * spent(1_000) + 0.2


def by(speaker: str, text: str, minutes: float) -> PromptLine:
    return PromptLine("user", speaker, EVENING + timedelta(minutes=minutes), text)


GROUP = (
    by("林晓", "今晚谁去打羽毛球？", -9),
    by("老王", "我去我去，七点老地方", -8),
    by("老王", "我对芒果过敏，别给我点", -7),
    by("Kate", "我妈住院了，周五来不了", -6),
    by("林晓", "我订了周五晚上的火锅", -5),
)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("小祥，今晚谁去打球？", "老王今天说过：「我去我去"),
        ("谁对芒果过敏", "老王今天说过：「我对芒果过敏"),
        ("@xiaoxiang_bot 火锅是什么时候", "你今天说过：「我订了周五晚上的火锅」"),
        ("老王几点去？", "老王今天说过：「我去我去，七点老地方」"),
    ],
)
def test_in_a_group_it_is_told_who_said_it(asked: str, told: str) -> None:
    assert told in answer(by("林晓", asked, 0), before=GROUP)


@pytest.mark.parametrize("asked", ["我对什么过敏", "我什么时候来不了"])
def test_what_another_said_of_themselves_in_a_group_is_not_told_of_who_asks(asked: str) -> None:
    reply = answer(by("林晓", asked, 0), before=GROUP)

    assert "芒果" not in reply
    assert "你今天说过：「我妈" not in reply


def test_only_what_was_said_in_one_go_is_answered_in_a_group() -> None:
    hello = answer(by("林晓", "@xiaoxiang_bot 你好", 0), before=GROUP)

    assert hello.startswith("晚上好")


def test_who_asks_in_a_burst_that_greets_first_is_comforted() -> None:
    burst = ("在吗", "今天好累啊", "被护士长骂了", "就因为我迟到了五分钟")

    reply = answer(*burst, before=())

    assert not any(each in reply for each in ZH.openings["cannot"])


def test_what_stands_in_quotation_marks_is_quoted_with_the_inner_ones() -> None:
    before = (said("我在", -3), said("我今天跟你说：「好」", -2, "assistant"))

    assert "『好』" in answer("你刚才说什么", before=before)


def in_march(text: str, day: int, *quotes: str, said: tuple[PromptLine, ...] = ()) -> PromptMemory:
    at = EVENING.replace(day=day)
    return PromptMemory("", text, at, "episode", quote=" … ".join(quotes), said=said)


def line(role: Literal["user", "assistant"], text: str, day: int = 21) -> PromptLine:
    who = "主人" if role == "user" else "小祥"
    return PromptLine(role, who, EVENING.replace(day=day), text)


@pytest.mark.parametrize(
    ("language", "asked", "hers", "own"),
    [
        ("zh", "我三月跟你说了什么？", "这个我不记得了，想听你说", "爷爷的怀表丢在游泳馆了"),
        ("zh", "三月我们聊了什么", "好的，我已经记下来了", "爷爷的怀表丢在游泳馆了"),
        (
            "en",
            "what did i tell you in march?",
            "I do not remember that one",
            "lost grandads watch at the pool",
        ),
        (
            "en",
            "what did we talk about in march",
            "Right, I have written that down",
            "lost grandads watch at the pool",
        ),
    ],
)
def test_what_she_said_herself_is_never_told_as_what_the_partner_said(
    language: str, asked: str, hers: str, own: str
) -> None:
    gist = "[2026-03-21 19:00] 聊了怀表" if language == "zh" else "talked about watch"
    talk = (line("user", own), line("assistant", hers))
    both = in_march(gist, 21, hers, own, said=talk)
    only = in_march(gist, 21, hers, said=talk)
    alone = in_march(gist, 21, hers, said=talk[1:])
    diary = PromptMemory("", hers, EVENING.replace(day=22), "diary", "小祥", said=talk[1:])
    now = EVENING.replace(month=12)

    for memories in ((both, diary), (only,), (alone,), (diary, both)):
        told = answer(asked, memories=memories, before=(), language=language, now=now)
        assert hers not in told
        assert (own in told) is (memories != (alone,))


@pytest.mark.parametrize(
    ("asked", "hers"),
    [
        ("你三月跟我说了什么？", "那家面馆的汤熬了一夜"),
        ("What did you tell me in March?", "The noodle house makes the best broth"),
    ],
)
def test_what_she_said_is_told_to_who_asks_for_it(asked: str, hers: str) -> None:
    before = (line("user", "我饿了", 1), line("assistant", hers, 1))

    assert hers in answer(asked, before=before)
