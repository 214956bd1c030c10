"""``/undo``: every step is shown first and taken back exactly."""

from dataclasses import replace

import pytest

from memory.changes import Put, Turn
from memory.model import Language
from memory.state import MemoryState
from memory.stores.codec import state_digest
from tests.builders import a_message
from tests.fakes.desk import commands, lines, remember, session_with


def without_undo(state: MemoryState) -> str:
    """Return the digest of everything an undo promises to restore."""
    return state_digest(
        replace(state, undos=MemoryState().undos, agent_infos=MemoryState().agent_infos)
    )


STEPS = {
    "remember": "/remember 我喜欢徒步",
    "edit": "/memory edit #1 我对花生和芒果过敏",
    "pin": "/memory pin #1",
    "sensitivity": "/memory sensitivity #1 1",
    "reinforce": "/memory reinforce #1 success",
    "hide": "/memory forget #1",
    "merge": "/memory merge #2 #3",
    "pause": "/memory pause",
    "mode": "/memory mode debug",
}


@pytest.mark.parametrize("step", STEPS)
async def test_every_step_is_shown_first_and_then_taken_back_exactly(step: str) -> None:
    async with session_with() as session:
        await remember(session, "我对花生过敏", "我每天喝咖啡", "我天天喝咖啡")
        before, settings = without_undo(session.state), session.agent.settings
        await session.ask(STEPS[step])
        changed = without_undo(session.state), session.agent.settings

        preview = await session.ask("/undo")
        assert (without_undo(session.state), session.agent.settings) == changed
        done = lines(await session.press(preview))

        assert changed != (before, settings)
        assert (without_undo(session.state), session.agent.settings) == (before, settings)
        assert "撤销了" in done


async def test_undo_goes_back_step_by_step() -> None:
    async with session_with() as session:
        before = without_undo(session.state)
        await remember(session, "我对花生过敏")
        await session.ask("/memory pin #1")
        await session.ask("/memory forget #1")
        for _ in range(3):
            await session.press(await session.ask("/undo"))

        assert without_undo(session.state) == before
        assert "没有" in await session.says("/undo")


async def test_undo_asks_when_something_touched_the_records_since() -> None:
    async with session_with() as session:
        await remember(session, "我对花生过敏")
        await session.ask("/memory pin #1")
        touched = replace(session.state.memory(1), words=replace(session.state.memory(1).words))
        touched = replace(touched, trace=replace(touched.trace, access_count=9))
        await session.agent.steer(lambda state, index: [Put(touched)])

        preview = await session.ask("/undo")

        assert "⚠" in lines(preview)
        assert "#1" in lines(preview)


async def test_a_confirmation_holds_only_for_exactly_what_was_shown() -> None:
    async with session_with() as session:
        await remember(session, "我对花生过敏", "我喜欢猫")
        preview = await session.ask("/undo")
        await session.ask("/memory pin #1")
        again = await session.press(preview)

        assert session.state.memory(1).nature.pinned
        assert commands(again) != commands(preview)
        assert "再看一遍" in lines(again)


async def test_what_the_background_learnt_is_taken_back_exactly_too() -> None:
    async with session_with() as session:
        await remember(session, "我对花生过敏")
        before = {name: getattr(session.state, name) for name in ("memories", "links")}
        said = a_message("m1", "我叫李明，我喜欢拉面")
        reply = a_message("m2", "你好", role="assistant")
        turn = Turn(id="t1", conversation="c", at=said.at, said=(said,), reply=reply)
        await session.agent.commit(turn)
        await session.agent.background.wait_until_idle()
        learnt = len(session.state.memories)

        await session.press(await session.ask("/undo"))

        assert learnt > 1
        assert {name: getattr(session.state, name) for name in before} == before
        assert session.state.next_id > learnt


WENT: dict[Language, tuple[str, str]] = {
    "zh": ("放下或缩短的 2 条", "设置和原来一模一样"),
    "en": ("let go or shortened by it", "the settings are exactly as before"),
}


@pytest.mark.parametrize("language", WENT)
async def test_undoing_a_law_brings_back_what_its_nights_let_go(language: Language) -> None:
    async with session_with(law="disuse", language=language) as session:
        await remember(session, "我每天喝咖啡", "我喜欢徒步", "我喜欢猫")
        await session.press(await session.ask("/memory law ebbinghaus"))
        await session.ask("/memory forget #3")
        session.clock.tick(days=17)
        await session.agent.nightly()
        gone = {m.id for m in session.state.memories.values() if not m.is_active}
        await session.press(await session.ask("/undo"))  # the hiding, which no law did

        preview = await session.ask("/undo")
        told = lines(preview)
        done = lines(await session.press(preview))

        assert {1, 2} <= gone
        assert all(m.is_active for m in session.state.memories.values())
        assert session.agent.settings.law == "disuse"
        for said in (told, done):
            assert WENT[language][0] in said
            assert {"#1", "#2"} <= set(said.split())
            assert "#3" not in said
        assert WENT[language][1] in done


@pytest.mark.parametrize("language", WENT)
async def test_undoing_a_law_under_which_nothing_went_says_nothing_of_it(
    language: Language,
) -> None:
    async with session_with(law="disuse", language=language) as session:
        await remember(session, "我每天喝咖啡")
        await session.press(await session.ask("/memory law ebbinghaus"))
        preview = await session.ask("/undo")
        done = lines(await session.press(preview))

        assert WENT[language][0] not in lines(preview) + done
        assert WENT[language][1] in done


async def test_what_went_under_another_law_before_a_pause_stays_gone() -> None:
    async with session_with(law="ebbinghaus") as session:
        await remember(session, "我每天喝咖啡")
        await session.ask("/memory pause")
        session.clock.tick(days=17)
        await session.agent.nightly()
        assert not session.state.memory(1).is_active
        await session.press(await session.ask("/undo"))

        assert session.agent.settings.learning
        assert not session.state.memory(1).is_active


@pytest.mark.parametrize("language", WENT)
async def test_undoing_a_law_that_weakens_links_says_how_to_have_them_again(
    language: Language,
) -> None:
    async with session_with(law="disuse", language=language) as session:
        await session.press(await session.ask("/memory law network"))
        assert "/memory rebuild" in await session.says("/undo")
        await session.ask("/memory pause")
        assert "/memory rebuild" not in await session.says("/undo")
