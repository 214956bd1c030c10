"""Undo restores the exact former records of every kind of change, and asks if touched since."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from immutables import Map

from bot.desk.command import Policy
from bot.desk.registry import SPECS
from memory.changes import AgentInfo, Change, Links, PendingReview, PreviousText, Put
from memory.judgement.draft import Judgement
from memory.laws.law import Event
from memory.learning.consolidation import episodes_question as ask_episodes
from memory.learning.consolidation import judge as judge_episodes
from memory.lifecycle.consequences import GivenVerdict, after_verdicts, plan_events
from memory.lifecycle.undo import LARGEST_STEP, last_step, plan_undo, touched_since
from memory.merging.batch_merge import plan_batch_merge
from memory.merging.state_import import plan_import
from memory.model import AgentSettings, Level, Link, LinkType, Memory, Passage, Tier
from memory.privacy.vault import Keys, Vault
from memory.state import MemoryState
from memory.stores.codec import state_digest
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, commands, lines
from tests.fakes.judging import a_state, a_turn, learnt

SETUP = (
    "/remember 我对花生过敏",
    "/remember 我每天喝咖啡",
    "/remember 我早上喝咖啡",
    "/remember 我想学钢琴",
)

STEPS: dict[str, tuple[tuple[str, ...], str]] = {
    # command → what was done before, and the line that is given
    "remember": ((), "/remember 我住在上海"),
    "memory add": ((), "/memory add 我住在上海"),
    "memory edit": ((), "/memory edit #1 我对花生和虾过敏"),
    "memory pin": ((), "/memory pin #2"),
    "memory unpin": (("/memory pin #2",), "/memory unpin #2"),
    "memory merge": ((), "/memory merge #2 #3 我每天早上喝咖啡"),
    "memory reinforce": ((), "/memory reinforce #1 success"),
    "memory sensitivity": ((), "/memory sensitivity #4 2"),
    "memory forget": ((), "/memory forget #4"),
    "memory restore": (("/memory forget #4",), "/memory restore #4"),
    "memory cleanup": ((), "/memory cleanup"),
    "memory law": ((), "/memory law ebbinghaus"),
    "memory settings": ((), "/memory settings weights.c_mode sinking"),
    "memory mode": ((), "/memory mode debug"),
    "memory pause": ((), "/memory pause"),
    "memory resume": (("/memory pause",), "/memory resume"),
    "memory notice": ((), "/memory notice off"),
    "memory diary": ((), "/memory diary 90"),
}

ELSEWHERE = {
    "undo": "takes back, and is shown by every row here",
    "reset": "what was said goes on: tests of /reset look at the lines",
    "memory import": "needs a file: test_an_import_is_taken_back",
    "memory export": "changes nothing",
    "memory rebuild": "needs links that were lost: test_lost_links_are_found_again_and_undone",
}
"""Commands that steer and are not in the table: name → why."""


def records(state: MemoryState) -> str:
    """Return the hash of every record an undo is about; of the household only its settings."""
    settings = AgentInfo(settings=state.agent_info.settings)
    return state_digest(
        replace(
            state,
            undos=Map(),
            agent_infos=Map({"household": settings}),
            next_id=1,
            turns=Map(),
            receipts=Map(),
        )
    )


def test_every_command_that_steers_is_proven_or_named() -> None:
    steering = {spec.path for spec in SPECS if spec.policy is Policy.STEER}

    assert steering <= STEPS.keys() | ELSEWHERE.keys()


async def confirmed(session: DeskSession, line: str) -> str:
    """Give a command, confirm it if it asks, and return what it came to."""
    document = await session.ask(line)
    pressed = [each for each in commands(document) if " ok-" in each]
    return lines(await session.ask(pressed[0]) if pressed else document)


@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "weights", "network"])
@pytest.mark.parametrize("path", STEPS)
async def test_a_step_of_the_partner_is_taken_back_exactly(path: str, law: str) -> None:
    before, line = STEPS[path]
    if path == "memory law" and law == "ebbinghaus":
        line = "/memory law weights"
    async with DeskSession(settings=AgentSettings(law=law)) as session:
        for each in (*SETUP, *before):
            await session.ask(each)
            session.clock.tick(minutes=1)
        if path == "memory cleanup":
            session.clock.tick(days=900)
        there = records(session.state)
        await confirmed(session, line)
        after = records(session.state)
        undone = await confirmed(session, "/undo")

        if after == there:
            assert path == "memory cleanup"
            assert law != "ebbinghaus"
            return
        assert records(session.state) == there
        assert "一模一样" in undone


@pytest.mark.parametrize("path", ["memory edit", "memory pin", "memory merge", "memory forget"])
async def test_what_was_touched_since_is_named_before_it_is_overwritten(path: str) -> None:
    before, line = STEPS[path]
    async with DeskSession() as session:
        for each in (*SETUP, *before):
            await session.ask(each)
        there = session.state
        await confirmed(session, line)
        touched = [m.id for m in there.memories.values() if session.state.memories[m.id] != m]
        session.clock.tick(hours=1)
        await session.agent.steer(
            lambda state, _: plan_events(state, [(touched[0], Event.ACCESS)], session.clock.now())
        )
        shown = lines(await session.ask("/undo"))
        assert "⚠" in shown
        assert f"#{touched[0]}" in shown
        await confirmed(session, "/undo")
        assert records(session.state) == records(there)


async def test_what_changed_nothing_offers_no_undo_of_another_step() -> None:
    async with DeskSession() as session:
        await session.ask("/remember 我对花生过敏")
        await session.ask("/memory pin #1")

        assert commands(await session.ask("/memory pin #1")) == []


TURN = a_turn("我搬到上海了，不再住北京", "记错了，我最喜欢拉面", used=(1, 2, 3), reply="拉面好吃")


def a_full_state(*more: Memory | PendingReview | PreviousText | Links) -> MemoryState:
    told = (
        a_memory(1, "主人住在北京"),
        a_memory(2, "主人喜欢拉面"),
        a_memory(3, "主人最喜欢拉面"),
    )
    state = a_state(*told, TURN)
    link = Link(target=2, strength=0.5, type=LinkType.KEYWORD)
    return state.apply([Put(Links(source=1, links=(link,))), *map(Put, more)])[0]


@pytest.mark.parametrize(
    "answer",
    [
        "[ADD kind=fact] 主人搬到上海了",
        "[UPDATE:m1 kind=fact] 主人搬到上海了",
        "[NEGATE:m1] 主人不再住北京",
        "[MERGE:m2,m3] 主人最喜欢拉面",
        "[BOOST:m2]",
        "[DELETE:m1]",
        "[ADD kind=fact] 主人搬到上海了\n[BOOST:m2]\n[BOOST:m3]",
    ],
)
def test_what_the_background_did_is_taken_back_exactly(answer: str) -> None:
    state = a_full_state()
    verdict = learnt(state, TURN, answer)
    assert verdict.judged.learnt, verdict.judged.refused

    assert records(undone(state, verdict.judged.changes)) == records(state)


def undone(state: MemoryState, changes: Sequence[Change]) -> MemoryState:
    """Return the state after changes and after the step they left was taken back."""
    after, _ = state.apply(changes)
    entry = last_step(after)
    assert entry is not None
    assert not touched_since(after, entry)
    assert records(after) != records(state)
    return after.apply(plan_undo(after, entry))[0]


@pytest.mark.parametrize("task", ["promotion", "decay"])
@pytest.mark.parametrize("verdict", ["promote", "keep", "delete"])
def test_a_verdict_of_the_reviewer_is_taken_back_exactly(task: str, verdict: str) -> None:
    review = PendingReview(memory_id=2, task=task, since=NOON)  # type: ignore[arg-type]
    state = a_full_state(review)
    given = GivenVerdict(verdict, "offline", "self")  # type: ignore[arg-type]

    back = undone(state, after_verdicts(state, [(review, given)], NOON + timedelta(days=1)))

    assert back.memories == state.memories
    assert not back.reviews
    assert [(one.decision, one.by) for one in back.corrections[2].reviews] == [("keep", "partner")]


def test_facts_taken_out_of_episodes_are_taken_back_and_the_episode_asks_again() -> None:
    said = Passage(text="我养了一只猫", source_ids=("e1",), at=NOON, speaker="主人", verbatim=True)
    episode = replace(a_memory(4, "[2026-03-04] 聊了猫", tier=Tier.EPISODE), passages=(said,))
    state = a_full_state(episode)
    asked = ask_episodes([4], state, NOON)
    done = judge_episodes(asked, "[ADD kind=fact] 主人养了一只猫", state, NOON)
    assert isinstance(done, Judgement)
    assert done.learnt
    after, _ = state.apply(done.changes)
    entry = last_step(after)
    assert entry is not None
    back, _ = after.apply(plan_undo(after, entry))

    assert {m.words.text for m in back.memories.values()} == {
        m.words.text for m in state.memories.values()
    }
    assert back.links == state.links


def test_a_habit_made_of_many_mornings_is_taken_back_exactly() -> None:
    mornings = [
        a_memory(number, "主人早上喝了手冲咖啡", at=NOON + timedelta(days=number))
        for number in range(1, 6)
    ]
    state = a_state(*mornings)
    done = plan_batch_merge(state, NOON + timedelta(days=30))

    assert done.learnt
    assert records(undone(state, done.changes)) == records(state)


def test_an_import_is_taken_back_exactly() -> None:
    state = a_full_state()
    other = a_state(a_memory(7, "主人会弹琴"), a_memory(9, "主人怕打雷"))
    plan = plan_import(state, other, NOON)

    assert records(undone(state, plan.changes)) == records(state)


def a_sealed_state(tmp_path: Path) -> tuple[MemoryState, Vault]:
    vault = Vault(Keys.create(tmp_path / "key", data=tmp_path / "data"), "a")
    return a_full_state(vault.seal(a_memory(4, "主人的口令是芝麻开门"), "zh")), vault


def steps_with_secrets() -> dict[str, Callable[[MemoryState, Vault], Sequence[Change]]]:
    from memory.model import Sensitivity  # noqa: PLC0415
    from memory.privacy.sealing import plan_edit_sealed, plan_unseal  # noqa: PLC0415

    def unseal(state: MemoryState, vault: Vault) -> Sequence[Change]:
        found = plan_unseal(state, 4, Sensitivity.ORDINARY, NOON, vault)
        assert isinstance(found, tuple)
        return found

    def edit(state: MemoryState, vault: Vault) -> Sequence[Change]:
        found = plan_edit_sealed(state, 4, "我的口令是芝麻关门", NOON, vault)
        assert isinstance(found, tuple)
        return found

    return {"unseal": unseal, "edit": edit}


@pytest.mark.parametrize("step", ["unseal", "edit"])
def test_a_step_about_a_secret_is_taken_back_exactly(tmp_path: Path, step: str) -> None:
    state, vault = a_sealed_state(tmp_path)

    assert records(undone(state, steps_with_secrets()[step](state, vault))) == records(state)


async def test_a_step_too_large_for_undo_says_so_and_leaves_no_button() -> None:
    async with DeskSession(settings=AgentSettings(law="ebbinghaus")) as session:
        many = [
            Put(replace(a_memory(number, f"小事{number}"), passages=()))
            for number in range(1, LARGEST_STEP + 10)
        ]
        await session.agent.steer(lambda state, index: many)
        session.clock.tick(days=9)
        document = await session.ask("/memory cleanup")
        done = await session.ask(commands(document)[0])

    assert "撤不回" in lines(done)
    assert commands(done) == []
    assert all(
        m.words.level < Level.FULL or not m.is_active for m in session.state.memories.values()
    )
