"""记住…: what is asked outright always lands, word for word."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.changes import AgentInfo, Put
from memory.laws.contract import LawContext
from memory.learning.remember_requests import (
    KEEPS,
    RememberRequest,
    explicit_requests,
    plan_explicit_memories,
)
from memory.model import ACTIVE, AgentSettings, Archived, Kind, Source, Standing
from memory.state import MemoryState
from memory.text import requests
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state, a_turn, learnt, messages_of
from tests.fakes.laws import quantities


def remembered(state: MemoryState, *texts: str) -> MemoryState:
    said = messages_of(*texts)
    judged = plan_explicit_memories(explicit_requests(said), state, NOON, turn_id="t1")
    after, _ = state.apply(judged.changes)
    return after


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("记住我对花生过敏", "我对花生过敏"),
        ("记住我妈叫罗莎（小名莎莎）", "我妈叫罗莎（小名莎莎）"),
        (
            "Remember that my mother is called Rosa (http://x.y)",
            "my mother is called Rosa (http://x.y)",
        ),
        ("（记住我对花生过敏）", "我对花生过敏"),
        ("请记住：我的生日是5月3日", "我的生日是5月3日"),
        ("小祥，记住我叫李明", "我叫李明"),
        ("你一定要记住，我周三不上班。", "我周三不上班。"),
        ("我对花生过敏，记住了", "我对花生过敏"),
        ("海鲜过敏这个你可别忘了", "海鲜过敏"),
        ("我海鲜过敏 你可别忘了", "我海鲜过敏"),
        ("我海鲜过敏这件事你千万别忘了", "我海鲜过敏"),
        ("我最怕打雷！你要记住哦", "我最怕打雷"),
        ("别忘了车停在B2", "车停在B2"),
        ("帮我记一下，快递单号SF1", "快递单号SF1"),
        ("Remember that I am allergic to peanuts", "I am allergic to peanuts"),
        ("please remember my name is Ming", "my name is Ming"),
        ("I hate rain. Don't forget that", "I hate rain"),
        ("We call her Nell. Hold on to that, it's a secret", "We call her Nell it's a secret"),
        ("remeber that Bo cant have egg", "Bo cant have egg"),
        ("Hang on to the fact that my landlady is Marguerite", "my landlady is Marguerite"),
        ("I fast on Mondays, don't let that slip your mind", "I fast on Mondays"),
        ("我属马，这个你存一下，万一呢", "我属马，万一呢"),
        ("反正你给我记着，我最怕打针", "我最怕打针"),
        ("嗯…那个…你记一下啊，教练姓仇", "教练姓仇"),
        ("下次推荐馆子别忘了我不吃香菜", "我不吃香菜"),
        ("今天真累\n记住我喜欢🍜\n晚安", "我喜欢🍜"),
        ("麻烦记录一下：钥匙在花盆底下", "钥匙在花盆底下"),
        ("把这个存进你的小本本：我血压偏低", "我血压偏低"),
        ("這件事你要記實呀，我唔食得牛", "我唔食得牛"),
        ("奶奶住三楼，记下记下", "奶奶住三楼"),
        ("My plumber is Mr Vance — make a note of it", "My plumber is Mr Vance"),
        ("Store this away for me. The cat hates lilies.", "The cat hates lilies."),
        ("the vet is at four, remember that pls", "the vet is at four"),
        ("dont forget I'm on nights in May", "I'm on nights in May"),
        # What points at the matter is no part of it.
        ("I hate mushrooms, remember this one", "I hate mushrooms"),
        ("remember this one: I hate mushrooms", "I hate mushrooms"),
        ("I hate mushrooms. Please remember that one for me", "I hate mushrooms"),
        ("我不吃香菜，记住这句话", "我不吃香菜"),
        ("记住这句话：我不吃香菜", "我不吃香菜"),
        ("我不吃香菜。帮我记住这条消息", "我不吃香菜"),
        ("记住这一条，我不吃香菜", "我不吃香菜"),
        # What it is said of is.
        ("remember this one guy owes me 20", "one guy owes me 20"),
        ("remember that one of my tyres is flat", "one of my tyres is flat"),
        ("remember that message boards bore me", "message boards bore me"),
        ("记住这条狗叫旺财", "这条狗叫旺财"),
        ("记住这句歌词出自童年", "这句歌词出自童年"),
    ],
)
def test_a_request_is_kept_word_for_word(words: str, kept: str) -> None:
    assert [request.text for request in explicit_requests(messages_of(words))] == [kept]


@pytest.mark.parametrize(
    "words",
    [
        "你记住了吗？",
        "记住了吗",
        "我记住了",
        "记住了",
        "好的，记住了",
        "你还记得我吗",
        "记得提醒我吃饭",
        "Remember when we met?",
        "do you remember me?",
        "remember to call me",
        "I remember that day",
        "Mark started at Tesco on monday. nights",
        "",
    ],
)
def test_talking_about_remembering_is_no_request(words: str) -> None:
    assert explicit_requests(messages_of(words)) == ()


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("记住：我的医保卡在抽屉里\n护照在书架上", ["我的医保卡在抽屉里", "护照在书架上"]),
        ("记住：\n医保卡在抽屉里\n护照在书架上", ["医保卡在抽屉里", "护照在书架上"]),
        ("帮我记一下：\n- 车停在B2\n- 柜子是58号", ["车停在B2", "柜子是58号"]),
        ("记住\n1. 我的柜子是58号\n2. 牙医姓黄", ["我的柜子是58号", "牙医姓黄"]),
        ("记住我的柜子是58号\n记住我的牙医姓黄", ["我的柜子是58号", "我的牙医姓黄"]),
        (
            "remember: my passport is in the drawer\nmy insurance card is on the shelf",
            ["my passport is in the drawer", "my insurance card is on the shelf"],
        ),
        (
            "Please remember:\n* the car is on B2\n* my locker is 58\n\nthanks",
            ["the car is on B2", "my locker is 58"],
        ),
        ("Remember that Bo hates rain\nAnd Jo is deaf", ["Bo hates rain", "Jo is deaf"]),
        (
            "记住：我妈对海鲜过敏\n还有我爸叫林建国\nhttps://e.com/r",
            ["我妈对海鲜过敏", "我爸叫林建国"],
        ),
        # What is no line of the list: another matter, thanks, a question, what came before.
        ("记住我喜欢🍜\n今天面试很顺利", ["我喜欢🍜"]),
        ("记住：车停在B2\n\n今天面试很顺利", ["车停在B2"]),
        ("记住：车停在B2\n谢谢啦", ["车停在B2"]),
        ("记住：车停在B2\n好累啊", ["车停在B2"]),
        ("记住：车停在B2\n晚上吃什么？", ["车停在B2"]),
        ("我妈说记住：\n出门带伞", []),
        ("remember that Bo hates rain\nso, how was your day?", ["Bo hates rain"]),
        ("remember: the car is on B2\nok thanks", ["the car is on B2"]),
    ],
)
def test_each_line_of_a_list_is_kept(words: str, kept: list[str]) -> None:
    assert [each.text for each in explicit_requests(messages_of(words))] == kept


def test_neither_the_bot_nor_quoted_matter_can_ask() -> None:
    turn = a_turn("看这个", quoted="记住我喜欢猫")
    reply = a_message("r", "记住我喜欢猫", role="assistant", speaker="小祥")

    assert explicit_requests([*turn.said, reply]) == ()


@pytest.mark.parametrize(
    "words",
    [
        *("remember this", "remember this one", "Remember this one please", "note this one"),
        *("remember that one", "please remember this message", "remember this bit for me"),
        *(
            "记住这个",
            "记住这句话",
            "记住这句",
            "记住这条",
            "记住这条消息",
            "帮我记住这条",
            "记下这条吧",
        ),
        *("把这句话记住", "这条记一下", "记住这一条", "记住这段话"),
    ],
)
def test_what_points_at_a_message_keeps_that_message(words: str) -> None:
    (request,) = explicit_requests(a_turn(words, quoted="柜子是五十八号").said)

    assert request.shown
    assert "柜子是五十八号" in request.text


@pytest.mark.parametrize(
    "words", ["记住这条路", "记住这条鱼", "remember this one guy", "remember one thing"]
)
def test_what_names_its_matter_points_at_no_message(words: str) -> None:
    assert not any(r.shown for r in explicit_requests(a_turn(words, quoted="柜子是五十八号").said))


def test_it_starts_firm_verified_and_from_the_partner() -> None:
    memory = remembered(a_state(), "记住我喜欢拉面").memory(1)

    assert (memory.trace.importance, memory.trace.stability_hours) == (1.5, 168.0)
    assert (memory.origin.source, memory.origin.verified) == (Source.USER, True)
    assert memory.words.text == "我喜欢拉面"
    assert memory.nature.kind == Kind.LASTING_PREFERENCE
    assert memory.source_ids == ("1",)


def test_dates_are_written_out_and_the_words_kept_as_quote() -> None:
    memory = remembered(a_state(), "记住我明天面试").memory(1)

    assert memory.words.text == "我明天（2026-03-05）面试"
    assert memory.origin.quote == "记住我明天面试"


def test_the_same_again_is_a_mention() -> None:
    state = remembered(a_state(), "记住我喜欢拉面")
    said = [a_message("2", "记住：我喜欢拉面", at=NOON + timedelta(days=1))]

    judged = plan_explicit_memories(explicit_requests(said), state, NOON)
    after, _ = state.apply(judged.changes)

    assert judged.learnt == ("MENTION #1",)
    assert after.memory(1).trace.mention_count == 1


def test_twice_in_one_breath_is_once() -> None:
    state = remembered(a_state(), "记住我喜欢拉面", "记住我喜欢拉面！")

    assert len(state.memories) == 1
    assert state.memory(1).trace.mention_count == 0


@pytest.mark.parametrize(
    ("learnt", "asked"),
    [
        ("主人喜欢拉面", "记住我喜欢拉面"),
        ("主人海鲜过敏", "海鲜过敏这个你可别忘了"),
        ("主人海鲜过敏", "我海鲜过敏 你可别忘了"),
        ("主人 is allergic to penicillin", "I'm allergic to penicillin, don't you forget it"),
        ("主人 is allergic to penicillin", "don't forget I'm allergic to penicillin"),
    ],
)
@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "weights", "network", "disuse"])
@pytest.mark.parametrize("standing", [ACTIVE, Archived(NOON)], ids=["active", "put away"])
def test_what_is_known_already_is_made_firm_and_does_not_stand_twice(
    learnt: str, asked: str, law: str, standing: Standing
) -> None:
    known = replace(a_memory(1, learnt, at=NOON - timedelta(days=30)), standing=standing)
    info = AgentInfo(settings=AgentSettings(law=law))
    state = remembered(a_state(known).apply([Put(info)])[0], asked)

    assert list(state.memories) == [1]
    firm = state.memory(1)
    assert firm.is_active
    assert firm.origin.verified
    assert firm.words.text == learnt
    assert firm.trace.mention_count == 1
    assert firm.trace.stability_hours >= 168.0
    assert firm.trace.importance >= 1.5


@pytest.mark.parametrize(
    ("learnt", "asked"),
    [
        ("主人喜欢拉面，不喜欢香菜", "记住我喜欢拉面"),
        ("主人喜欢拉面", "记住我喜欢拉面和饺子"),
        ("主人不喜欢拉面", "记住我喜欢拉面"),
        ("主人 likes ramen, and hates coriander", "remember that I like ramen"),
        ("主人 likes ramen", "remember that I like ramen and dumplings"),
    ],
)
def test_it_lands_beside_what_says_more_or_less(learnt: str, asked: str) -> None:
    state = remembered(a_state(a_memory(1, learnt)), asked)

    assert not state.memory(1).origin.verified
    assert state.memory(2).origin.verified


def test_what_was_put_away_and_ended_since_is_told_anew() -> None:
    away = replace(
        a_memory(1, "主人住在大理", at=NOON - timedelta(days=90)), standing=Archived(NOON)
    )
    newer = a_memory(2, "主人搬到昆明了", at=NOON - timedelta(days=30))

    state = remembered(a_state(away, newer), "记住我住在大理")

    assert not state.memory(1).is_active
    assert state.memory(3).is_living_fact


def test_what_the_monitor_says_of_the_same_turn_adds_nothing() -> None:
    state = remembered(a_state(), "记住我喜欢拉面")

    verdict = learnt(state, a_turn("记住我喜欢拉面"), "[ADD] 主人喜欢拉面")

    assert verdict.texts == ["我喜欢拉面"]
    assert verdict.state.memory(1).trace.mention_count == 0


def test_nor_does_it_if_a_day_was_named_which_is_kept_as_a_date() -> None:
    state = remembered(a_state(), "记住：明天我要去医院")

    verdict = learnt(state, a_turn("记住：明天我要去医院"), "[ADD] 主人明天要去医院")

    assert verdict.texts == ["明天（2026-03-05）我要去医院"]


def test_a_day_later_tomorrow_is_another_day() -> None:
    state = remembered(a_state(), "记住：明天我要去医院")
    said = [a_message("2", "记住：明天我要去医院", at=NOON + timedelta(days=1))]

    judged = plan_explicit_memories(explicit_requests(said), state, NOON + timedelta(days=1))
    after, _ = state.apply(judged.changes)

    assert after.memory(2).words.text == "明天（2026-03-06）我要去医院"


def test_a_secret_is_refused_and_said_so() -> None:
    requests = [RememberRequest("我的密码是abc123", messages_of("我的密码是abc123")[0])]

    judged = plan_explicit_memories(requests, a_state(), NOON)

    assert judged.changes == ()
    assert judged.refused == ("REMEMBER: secret",)


def test_its_strength_is_the_one_of_the_anchor_after_a_week() -> None:
    """S = 168 h, a week later, confidence 0.7: 37 (source document 000)."""
    state = remembered(a_state(), "记住我喜欢拉面")
    settings = AgentSettings(law="ebbinghaus")
    context = LawContext(NOON + timedelta(days=7), ZoneInfo("UTC"))

    assert quantities(state.memory(1), context, settings).strength == 37


def test_the_parameters_of_the_agent_say_how_firm_it_starts() -> None:
    settings = AgentSettings(
        parameters=(
            ("tiers.explicit_importance", 2.0),
            ("tiers.fact_importance", 0.8),
            ("ebbinghaus.manualStability", 200.0),
            ("ebbinghaus.initialStability", 30.0),
        )
    )
    state, _ = a_state().apply([Put(replace(a_state().agent_info, settings=settings))])

    told = remembered(state, "记住我喜欢拉面").memory(1).trace
    guessed = learnt(state, a_turn("我喜欢拉面"), "[ADD] 主人喜欢拉面").state.memory(1).trace

    assert (told.importance, told.stability_hours) == (2.0, 200.0)
    assert (guessed.importance, guessed.stability_hours) == (0.8, 30.0)


@given(st.from_regex(requests._KEEP_ZH) | st.from_regex(requests._KEEP_EN))
def test_no_form_of_a_request_is_without_what_is_looked_for_first(asked: str) -> None:
    assert KEEPS.search(asked)


@pytest.mark.parametrize(
    ("words", "matter"),
    [
        ("别再提老吴了哈", "老吴"),
        ("别再提我前女友May了哈", "前女友May"),
        ("不要再聊加班了哦", "加班"),
        ("don't mention Rob again hey", "Rob"),
        ("don't bring Rob up again, yeah", "Rob"),
    ],
)
def test_a_last_word_to_her_is_no_part_of_what_is_not_to_be_mentioned(
    words: str, matter: str
) -> None:
    assert requests.asks_to_let_go(words) == (requests.LetGo.LEAVE, matter)


@pytest.mark.parametrize(
    "words",
    [
        "把你记得的关于我的东西全删了",
        "把記憶全部清空",
        "忘掉关于我的一切",
        "删掉我的所有记忆吧",
        "帮我把所有记忆删掉",
        "delete everything you know about me",
        "please erase all my data",
        "Forget everything about me!",
    ],
)
def test_all_she_knows_may_be_asked_to_go(words: str) -> None:
    found = requests.asks_to_let_go(words)
    assert found is not None
    assert found[0] is requests.LetGo.EVERYTHING


@pytest.mark.parametrize(
    "words",
    [
        "我把照片全删了",
        "把数据都删了",
        "把备份全删了",
        "我妈把聊天记录全删了",
        "我手机里的东西全删了",
        "把你记得的关于我的东西全删了？",
        "delete all the photos",
        "forget everything",
        "I deleted everything you sent me",
        "everything about me is boring",
    ],
)
def test_what_else_is_deleted_is_not_all_she_knows(words: str) -> None:
    found = requests.asks_to_let_go(words)
    assert found is None or found[0] is not requests.LetGo.EVERYTHING
