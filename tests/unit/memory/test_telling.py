"""Which notes tell a model anything: what is vain, said just now or said fuller is marked."""

from datetime import UTC, datetime

import pytest

from memory.recall.query_terms import telling_terms
from memory.recall.telling import is_shown_text, is_vain, marked
from prompts import PromptLine, PromptMemory

AT = datetime(2027, 2, 20, 20, tzinfo=UTC)


def diary(text: str) -> PromptMemory:
    said = (PromptLine("user", "", AT, text),)
    return PromptMemory("", text, AT, tier="diary", said=said, own=True, sources=("d",))


def hers(text: str) -> PromptMemory:
    said = (PromptLine("assistant", "小祥", AT, text),)
    return diary(text)._replace(said=said, sources=("e",))


def fact(text: str, *sources: str, past: bool = False) -> PromptMemory:
    return PromptMemory("", text, AT, speaker="主人", past=past, sources=sources)


@pytest.mark.parametrize(
    ("line", "query"),
    [
        (diary("***，帮我记住"), "记住我对芒果过敏"),
        (diary("***，记住啊"), "我家Wi-Fi密码是多少？"),
        (diary("Remember ***"), "When is my test?"),
        (hers("五年啦，真好。"), "你记得我对什么过敏吗？"),
        (hers("I'll note it."), "What would I do if I won the lottery?"),
        (hers("小何要考研？"), "我什么时候考试？"),
        (hers("锁好了：只有你能在私聊里用 /memory show 看到原文。"), "我养过什么宠物？"),
        (diary("What am I allergic to?"), "Am I allergic to anything?"),
        (diary("我现在住哪儿？在哪上班？"), "我养过什么宠物？"),
        (diary("你还记得我老公是做什么的吗？"), "我老公是做什么的？"),
    ],
)
def test_a_line_that_tells_nothing_is_vain(line: PromptMemory, query: str) -> None:
    assert is_vain(line, telling_terms(query))


@pytest.mark.parametrize(
    ("line", "query"),
    [
        (diary("我怀孕了能喝咖啡吗？"), "我能喝咖啡吗？"),
        (diary("*** 是我家门牌，楼下有家面馆"), "我家楼下有什么？"),
        (hers("《活着》吧，余华的。"), "那本书叫什么来着？"),
        (diary("豆包走了，肾衰竭，昨天夜里"), "我有几只猫？"),
        (diary("I am pregnant, may I drink coffee?"), "May I drink coffee?"),
    ],
)
def test_what_states_something_is_not(line: PromptMemory, query: str) -> None:
    assert not is_vain(line, telling_terms(query))


def shown(notes: list[PromptMemory], query: str = "？", window: tuple[str, ...] = ()) -> list[str]:
    return [each.text for each in marked(notes, query, window) if each.told]


def test_who_asks_what_was_asked_reads_every_line() -> None:
    lines = [diary("我现在住哪儿？"), hers("五年啦，真好。")]
    assert len(shown(lines, "我昨天问你什么了？")) == 2
    assert len(shown(lines, "What did I ask you yesterday?")) == 2


def test_what_stands_in_the_talk_is_no_note() -> None:
    notes = [fact("主人和陈磊和好了", "1"), fact("主人在江宁上班", "0")]
    assert shown(notes, window=("1", "2")) == ["主人在江宁上班"]


@pytest.mark.parametrize(
    ("notes", "left"),
    [
        (["主人外婆在扬州", "主人外婆上周去世了，八十六岁，在扬州"], [1]),
        (["主人不吃香菜", "主人不吃香菜，一点都闻不得"], [1]),
        (["主人不吃香菜", "主人不吃香菜"], [1]),
        (["My friend hates olives", "My friend hates olives, never could stand them"], [1]),
        (["主人对青霉素不过敏", "主人对青霉素过敏，小时候休克过"], [0, 1]),
        (["my friend is not allergic to nuts", "my friend is allergic to nuts"], [0, 1]),
    ],
)
def test_of_one_message_the_fuller_statement_is_told(notes: list[str], left: list[int]) -> None:
    assert shown([fact(each, "1") for each in notes]) == [notes[each] for each in left]


def test_another_day_or_another_time_is_another_statement() -> None:
    assert len(shown([fact("主人在江宁", "1"), fact("主人梦见自己在江宁", "2")])) == 2
    assert len(shown([fact("主人在江宁", "1", past=True), fact("主人在江宁上班", "1")])) == 2


@pytest.mark.parametrize(
    "text",
    [
        "帮我翻译：I am a pilot and I live in Berlin with my two daughters.",
        'Can you proofread this: "I have lived in Madrid for ten years and I work as a surgeon."',
        "老板群里发的：“全体员工春节不放假，3月1日起降薪10%”",
    ],
)
def test_pasted_text_is_known(text: str) -> None:
    assert is_shown_text(text)
    assert not is_shown_text("我现在在南京上班")


def episode(*quotes: str, said: tuple[PromptLine, ...]) -> PromptMemory:
    return PromptMemory(
        "m1", "[2026-11-29 19:40] 聊了群", AT, "episode", quote=" … ".join(quotes), said=said
    )


def of(speaker: str, text: str) -> PromptLine:
    return PromptLine("user" if speaker != "小祥" else "assistant", speaker, AT, text)


@pytest.mark.parametrize(
    "said",
    [
        (of("王磊", "我养了只柯基叫土豆"), of("王磊（2）", "我老婆怀孕了，三个月")),
        (of("阿梅", "我家住平江路"), of("小祥", "好的，小雨欠Kevin五千块。")),
        (of("Tom", "my wife is pregnant"), of("Tom (2)", "I am moving to Leeds in May")),
    ],
)
def test_each_line_of_a_group_that_is_quoted_says_whose_it_is(
    said: tuple[PromptLine, ...],
) -> None:
    note = episode(*(line.text for line in said), said=said)
    [told] = marked([note], "聊了什么", (), "主人")
    mark = ": " if said[0].text.isascii() else "："
    assert told.quote == " … ".join(f"{line.speaker}{mark}{line.text}" for line in said)


def test_the_partners_own_lines_need_no_name_and_her_own_do() -> None:
    said = (of("主人", "我胃不好，吃不了辣"), of("小祥", "火锅火锅！我最爱吃辣"))
    note = episode(*(line.text for line in said), said=said)
    [told] = marked([note], "吃什么好", (), "主人")
    assert told.quote == "我胃不好，吃不了辣 … 小祥：火锅火锅！我最爱吃辣"


def test_a_talk_that_goes_by_a_line_of_somebody_is_theirs() -> None:
    said = (of("阿梅", "我老公下周三做手术"),)
    note = episode(said=said)._replace(text="[2026-11-29 19:40] 我老公下周三做手术", own=True)
    assert marked([note], "手术", (), "主人")[0].speaker == "阿梅"
    assert marked([note], "手术", (), "阿梅")[0].speaker == ""


@pytest.mark.parametrize(
    ("text", "elsewhere", "asked"),
    [
        ("我老婆怀孕了，三个月，先别到处说", "那我不去了，膝盖不行", "王磊的老婆怀孕几个月了"),
        ("我前夫欠我二十万，别让小雨知道", "周六几点集合来着", "前夫欠了多少"),
        ("我下个月辞职，不要告诉老板", "这是谁说的", "谁下个月辞职"),
        ("I am leaving in May, don't tell the others", "when do we meet", "who is leaving in May"),
    ],
)
def test_what_is_to_be_kept_quiet_in_a_group_comes_only_where_it_is_asked_for(
    text: str, elsewhere: str, asked: str
) -> None:
    said = (of("梅姐", text),)
    line = diary(text)._replace(said=said, speaker="梅姐")
    note = episode(text, said=said)

    assert not marked([line], elsewhere, (), "主人")[0].told
    assert marked([note], elsewhere, (), "主人")[0].quote == ""
    assert marked([line], asked, (), "主人")[0].told
    assert text in marked([note], asked, (), "主人")[0].quote
    # Alone with her the partner's own confidences come to mind as ever.
    alone = line._replace(said=(of("主人", text),), speaker="主人")
    assert marked([alone], elsewhere, (), "主人")[0].told


def test_what_is_no_confidence_comes_as_ever() -> None:
    for text in ("别让猫跑出去", "不要放香菜", "别忘了带伞", "don't forget the tickets"):
        line = diary(text)._replace(said=(of("梅姐", text),), speaker="梅姐")
        assert marked([line], "周六几点集合", (), "主人")[0].told
