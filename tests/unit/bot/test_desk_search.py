"""``/memory list`` and ``/why``: filters, pages, and the receipt of an answer."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.desk.documents import Table
from bot.desk.initiative import REASON_SENTENCES
from bot.identity import AccessLevel
from bot.texts import desk_help, say
from memory.changes import DiaryLine, Drop, Put, Receipt, Record, Used
from memory.model import AgentSettings, Archived, Language, Memory, Sensitivity, Tier
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.desk import DeskSession, add_samples, commands, lines
from tests.fakes.two_chats import TELEGRAM, two_chats


async def test_lists_are_filtered_and_turn_pages() -> None:
    async with DeskSession() as session:
        many = [a_memory(n, f"第{n}件事") for n in range(1, 46)]
        await session.agent.steer(lambda state, index: [Put(m) for m in many])
        first = await session.ask("/memory list")
        second = await session.press(first)
        narrowed = await session.ask("/memory list fact 2 --limit 10")

        assert "第 1 / 3 页" in lines(first)
        assert "第45件事" in lines(first)
        assert "第 2 / 3 页" in lines(second)
        assert "#25" in lines(second)
        assert commands(narrowed) == [
            "/memory list --limit 10 --tier fact --page 1",
            "/memory list --limit 10 --tier fact --page 3",
        ]
        assert "没有这样的" in await session.says("/memory list core")


@pytest.mark.parametrize(
    ("language", "only", "none"),
    [
        ("zh", "没有第 3 页，一共只有 1 页", "没有第 9 页，一共只有 2 页"),
        ("en", "There is no page 3, only 1 in all", "There is no page 9, only 2 in all"),
    ],
)
async def test_who_asks_for_a_page_that_is_not_there_is_told(
    language: Language, only: str, none: str
) -> None:
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        many = [a_memory(n, f"第{n}件事") for n in range(1, 13)]
        await session.agent.steer(lambda state, index: [Put(m) for m in many])
        assert only in await session.says("/memory list --page 3")
        assert only in await session.says("/memory health --page 3")
        assert only not in await session.says("/memory list --page 1")
        last = await session.says("/memory list --limit 10 --page 9")
        assert none in last
        assert "第1件事" in last


async def test_why_tells_which_how_when_and_whose_and_what_can_be_pressed() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        document = await session.ask("/为什么")
        said = lines(document)

        for part in ("#1", "我对花生过敏", "主人", "词“花生”", "由 #2→#1 想到", "记住 #2"):
            assert part in said, part
        assert "/memory reinforce #1 success" in commands(document)
        before = session.state.memory(1).trace.stability_hours
        await session.press(document, commands(document).index("/memory reinforce #1 failure"))
        assert session.state.memory(1).trace.stability_hours < before


@pytest.mark.parametrize(
    ("language", "told"),
    [("zh", "还找得回来：/memory restore #3"), ("en", "brought back: /memory restore #3")],
)
async def test_a_search_says_what_was_let_go_and_can_be_brought_back(
    language: Language, told: str
) -> None:
    held = a_memory(3, "我养过一只叫团子的猫")
    gone = replace(held, standing=Archived(at=NOON))
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        await session.agent.steer(lambda state, index: [Put(gone)])
        found = await session.says("/memory search 还记得团子吗 --deep")
        await session.agent.steer(lambda state, index: [Put(held)])
        kept = await session.says("/memory search 还记得团子吗 --deep")

    assert told in found
    assert "团子" in kept
    assert told not in kept


LINE = DiaryLine(message=a_message("9", "我家的猫叫团子"), number=1, scene=7)


async def test_a_line_that_no_memory_holds_is_found_and_explained() -> None:
    used = Used(memory_id=0, score=1.0, reasons=("word:团子", "deep:asked"), source_ids=("9",))
    receipt = Receipt(turn_id="t", at=NOON, used=(used,))
    async with DeskSession() as session:
        await session.agent.steer(lambda state, index: [Put(LINE), Put(receipt)])
        found = await session.says("/memory search 还记得团子吗")
        why = await session.ask("/why")

    for part in ("日记", "我家的猫叫团子", "翻日记找到的"):
        assert part in found, part
        assert part in lines(why), part
    assert commands(why) == []


async def test_in_a_group_no_line_is_shown_that_a_sensitive_memory_rests_on() -> None:
    private = a_memory(7, "主人的猫叫团子")
    private = replace(
        private,
        nature=replace(private.nature, sensitivity=Sensitivity.SENSITIVE),
        passages=tuple(replace(each, source_ids=("9",)) for each in private.passages),
    )
    async with DeskSession() as session:
        await session.agent.steer(lambda state, index: [Put(replace(LINE, scene=0)), Put(private)])

        assert "我家的猫叫团子" in await session.says("/memory search 团子")
        assert "我家的猫" not in await session.says("/memory search 团子", private=False)


async def test_recall_walks_from_the_topic_and_says_what_was_once_known() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        both = await session.says("/memory recall 花生")
        named = await session.says("/记忆 回想 花生 --relation 因为")
        before = session.state

        assert "[记忆] 我对花生过敏" in both
        assert "[曾记得] 与“我对花生过敏”有关" in both
        assert "[曾记得]" not in named
        assert "什么都没想起来" in await session.says("/memory recall 火星")
        assert session.state == before


async def test_recall_in_a_group_tells_nothing_private() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        await session.ask("/memory sensitivity #1 2")

        assert "花生" in await session.says("/memory recall 花生")
        assert "过敏" not in await session.says("/memory recall 花生", private=False)


@pytest.mark.parametrize(
    "kind", ["word", "character", "cosine", "date", "speaker", "path", "beside", "deep"]
)
def test_every_reason_is_told_in_words(kind: str) -> None:
    told = REASON_SENTENCES[kind]
    assert f"{kind}:" not in told.zh + told.en


@pytest.mark.parametrize(
    ("language", "told", "shown"),
    [
        ("zh", "外婆上周去世了", "词“外婆”"),
        ("zh", "外在扬州", "说的是同一件事"),
        ("en", "外在扬州", "about the same matter"),
    ],
)
async def test_one_shared_character_is_told_as_the_word_it_stands_in(
    language: Language, told: str, shown: str
) -> None:
    receipt = Receipt(
        turn_id="t", at=NOON, used=(Used(memory_id=1, score=1.0, reasons=("character:外",)),)
    )
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        await session.agent.steer(lambda state, index: [Put(a_memory(1, told)), Put(receipt)])
        said = await session.says("/why")
        assert shown in said
        assert "外”字" not in said


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("line", ["/why", "/memory show #1"])
async def test_in_a_group_a_member_sees_only_buttons_they_may_press(
    line: str, language: Language
) -> None:
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        await add_samples(session)
        offered = {
            standing: commands(await session.ask(line, standing=standing, private=False))
            for standing in (AccessLevel.OWNER, AccessLevel.ADMIN, AccessLevel.ALLOWED)
        }
        alone = commands(await session.ask(line, standing=AccessLevel.ALLOWED))
        refused = "/memory reinforce #1 success"
        told = await session.says(refused, standing=AccessLevel.ALLOWED, private=False)

        assert told == say(language, desk_help.NOT_ALLOWED)
        assert offered[AccessLevel.OWNER] == offered[AccessLevel.ADMIN] == alone != []
        mine = [each for each in alone if each.startswith("/forget")]
        assert offered[AccessLevel.ALLOWED] == mine


SAID: dict[Language, tuple[str, tuple[str, ...], tuple[str, ...], str]] = {
    "zh": (
        "爷爷的怀表丢在游泳馆了",
        (
            "你3月21日说过：「爷爷的怀表丢在游泳馆了」。",
            "我记得：聊了爷爷、怀表，「爷爷的怀表丢在游泳馆了」（3月21日）。",
        ),
        ("爷爷的怀表呢？", "爷爷的怀表丢在哪了？"),
        "爷爷的怀表",
    ),
    "en": (
        "lost grandads watch at the swimming pool",
        (
            "You told me on March 21: “lost grandads watch at the swimming pool”",
            "I remember: talked about grandads, watch, “lost grandads watch” (on March 21).",
        ),
        ("what happened to grandads watch?", "where is grandads watch?"),
        "grandads watch",
    ),
}


@pytest.mark.parametrize("language", SAID)
async def test_a_search_shows_who_spoke_and_first_what_the_partner_told(
    language: Language,
) -> None:
    told, answered, asked, sought = SAID[language]
    partner = "主人" if language == "zh" else "my friend"
    said = [a_message("1", told, at=NOON - timedelta(days=90), speaker=partner)]
    for number, (question, answer) in enumerate(zip(asked * 6, answered * 6, strict=True)):
        said.append(a_message(f"q{number}", question, speaker=partner))
        said.append(a_message(f"a{number}", answer, speaker="小祥", role="assistant"))
    lived = [Put(DiaryLine(message=each, number=n, scene=0)) for n, each in enumerate(said, 1)]
    async with DeskSession(settings=AgentSettings(language=language, partner=partner)) as session:
        await session.agent.steer(lambda state, index: lived)
        found = await session.ask(f"/memory search {sought}")

    (table,) = [each for each in found.blocks if isinstance(each, Table)]
    rows = [dict(zip(table.keys, row, strict=True)) for row in table.rows]
    assert rows[0]["text"] == told
    assert rows[0]["speaker"] == partner
    assert len(rows) == 10
    hers = {"zh": "小祥", "en": "Xiaoxiang"}[language]
    assert {row["speaker"] for row in rows if row["text"] in answered} <= {hers}


@pytest.mark.parametrize(
    ("language", "hers", "sought"),
    [
        ("zh", "城南那家牛肉面馆味道最好，汤是熬了一夜的", "牛肉面馆"),
        ("en", "The noodle house by the old bridge makes the best broth", "noodle house"),
    ],
)
async def test_a_search_finds_what_she_told_of_her_own_too(
    language: Language, hers: str, sought: str
) -> None:
    said = [a_message("1", hers, speaker="小祥", role="assistant")]
    said += [a_message(f"{n}", f"{sought} {n}") for n in range(2, 20)]
    lived = [Put(DiaryLine(message=each, number=n, scene=0)) for n, each in enumerate(said, 1)]
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        await session.agent.steer(lambda state, index: lived)

        assert hers[:12] in await session.says(f"/memory search {hers}")


class Answered(NamedTuple):
    """A question, answers to it, a line, a fact, and what heads the parts of /why."""

    asked: str
    quoting: str
    line: str
    saying: str
    fact: str
    used: str
    at_hand: str
    nothing: str


ANSWERED: dict[Language, Answered] = {
    "zh": Answered(
        asked="爷爷的怀表去哪了？",
        quoting="你1月4日说过：「爷爷的怀表丢在游泳馆了」。",
        line="爷爷的怀表丢在游泳馆了，急死我了",
        saying="别点沙爹，里面有花生，你过敏的。",
        fact="主人对花生过敏",
        used="用到了",
        at_hand="手边还有",
        nothing="没有说到",
    ),
    "en": Answered(
        asked="what happened to grandads watch?",
        quoting="You told me on January 4: “lost grandads watch at the pool”",
        line="lost grandads watch at the pool, im gutted",
        saying="Skip the satay: you are allergic to peanuts.",
        fact="my friend is allergic to peanuts",
        used="used",
        at_hand="Also at hand",
        nothing="nothing of what",
    ),
}


async def why_of(
    session: DeskSession, reply: str, *records: Record, used: tuple[Used, ...]
) -> str:
    told = ANSWERED[session.agent.settings.language]
    asked = DiaryLine(message=a_message("t", told.asked), conversation="c", number=8)
    answer = a_message("t-reply", reply, role="assistant", speaker="小祥")
    replied = DiaryLine(message=answer, conversation="c", number=9)
    receipt = Receipt(turn_id="t", at=NOON, used=used)
    lived = (asked, replied, receipt, *records)
    await session.agent.steer(lambda state, index: [Put(each) for each in lived])
    return lines(await session.ask("/why"))


def held(told: Answered) -> tuple[Memory, Memory]:
    """Return an episode with the line that is quoted, and a fact."""
    said = a_message("s3", told.line)
    episode = a_memory(3, "[2026-01-04 20:00] 聊了天气", tier=Tier.EPISODE)
    line = replace(episode.passages[0], text=said.text, verbatim=True)
    hers = replace(line, text="嗯嗯，先别急", role="assistant", source_ids=("s4",))
    episode = replace(episode, passages=(line, hers))
    return episode, a_memory(2, told.fact)


USES = (Used(memory_id=2, score=0.9), Used(memory_id=3, score=0.5, source_ids=("s3",)))


@pytest.mark.parametrize("language", ANSWERED)
async def test_why_shows_first_the_line_that_was_quoted_and_calls_the_rest_at_hand(
    language: Language,
) -> None:
    told = ANSWERED[language]
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        said = await why_of(session, told.quoting, *held(told), used=USES)

    first, _, rest = said.partition(told.at_hand)
    assert told.used in first
    assert "#3" in first
    assert told.line in first
    assert "#2" not in first
    assert told.fact in rest


@pytest.mark.parametrize("language", ANSWERED)
async def test_why_calls_used_what_a_model_really_said(language: Language) -> None:
    told = ANSWERED[language]
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        said = await why_of(session, told.saying, *held(told), used=USES)

    first, _, rest = said.partition(told.at_hand)
    assert told.used in first
    assert told.fact in first
    assert "#3" in rest


@pytest.mark.parametrize("language", ANSWERED)
async def test_an_answer_that_says_nothing_of_what_it_was_given_used_nothing(
    language: Language,
) -> None:
    told = ANSWERED[language]
    reply = {"zh": "真好呀。", "en": "Lovely."}[language]
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        said = await why_of(session, reply, *held(told), used=USES)

    assert told.nothing in said
    assert told.used not in said.replace(told.nothing, "")
    assert said.index(told.nothing) < said.index("#2") < said.index("#3")


@pytest.mark.parametrize("language", ANSWERED)
async def test_why_shows_a_line_of_the_talk_that_was_quoted(language: Language) -> None:
    told = ANSWERED[language]
    line = DiaryLine(message=a_message("7", told.line), conversation="c", number=7)
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        said = await why_of(session, told.quoting, line, held(told)[1], used=USES[:1])

    first, _, rest = said.partition(told.at_hand)
    assert told.line in first
    assert told.fact in rest


@pytest.mark.parametrize("language", ANSWERED)
async def test_of_an_answer_that_is_gone_it_is_only_said_what_was_at_hand(
    language: Language,
) -> None:
    told = ANSWERED[language]
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        await why_of(session, told.quoting, *held(told), used=USES)
        await session.agent.steer(lambda state, index: [Drop(DiaryLine, "t-reply")])
        said = lines(await session.ask("/why"))

    assert told.used not in said
    assert told.nothing not in said
    assert "#2" in said
    assert "#3" in said


async def test_why_goes_through_no_diary_for_an_answer_of_the_present_talk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read 100,000 lines took a second in which nobody else was answered."""
    clock = FakeClock(NOON)
    async with two_chats(tmp_path, clock) as ann:
        await ann.says(TELEGRAM, "我对青霉素过敏")
        clock.tick(minutes=1)
        await ann.says(TELEGRAM, "我对什么过敏？")
        monkeypatch.setattr("memory.recall.telling._lines_beside", None)
        why = await ann.says(TELEGRAM, "/why")

    assert "的那句回答用到了" in why
