"""The curve of ``disuse`` is fitted to one's own history, and holds only if it is better."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any, cast

import pytest

from bot import law_fit
from bot.desk.services import DeskServices
from bot.law_fit import Better, Broken, NoBetter, NotInstalled, TooFew, fit, refit, with_weights
from memory.changes import Put, Receipt
from memory.laws import disuse
from memory.learning.outcomes import Recollection, recall_history
from memory.model import AgentSettings, Language
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, lines

DEFAULTS = disuse.DisuseParameters()
STEEP = 0.45
"""The exponent of somebody who forgets old things faster than the published curve says."""

PUBLISHED = (
    *(0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796),
    *(1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542),
)


class FakeOptimizer:
    """Answers with known weights, or with none, and keeps what it was told."""

    def __init__(self, weights: tuple[float, ...] | None) -> None:
        self.weights = weights
        self.told: list[Recollection] = []

    async def __call__(self, history: Sequence[Recollection]) -> tuple[float, ...] | None:
        self.told = list(history)
        return self.weights


STEEPER = FakeOptimizer((*PUBLISHED[:20], STEEP))


def receipts(memories: int, times: int = 8) -> list[Receipt]:
    """Return what becomes of facts of somebody whose curve is steep: used, or corrected."""
    rng = Random(5)
    steep = replace(DEFAULTS, decay=STEEP)
    found = []
    for memory_id in range(1, memories + 1):
        at = NOON + timedelta(hours=memory_id)
        known = disuse.Strengths(*disuse.birth(0.5, steep), at)
        found.append(Receipt(turn_id=f"{memory_id}-0", at=at, learnt=(f"ADD #{memory_id}",)))
        for number in range(1, times + 1):
            days = rng.choice((2, 9, 40, 150))
            at = known.at + timedelta(days=days)
            right = rng.random() < disuse.retrieval(days, known.storage, STEEP)
            step = disuse.after_success if right else disuse.after_lapse
            known = disuse.Strengths(*step(known, days, steep), at)
            label = f"BOOST #{memory_id}" if right else f"UPDATE #{memory_id} #900"
            found.append(Receipt(turn_id=f"{memory_id}-{number}", at=at, learnt=(label,)))
    return found


def state_of(records: Sequence[Receipt], **settings: Any) -> MemoryState:
    state, _ = MemoryState().apply([Put(each) for each in records])
    info = replace(state.agent_info, settings=AgentSettings(law="disuse", **settings))
    return state.apply([Put(info)])[0]


def test_a_history_tells_when_each_memory_began_came_and_was_corrected() -> None:
    told = [
        Receipt(turn_id="1", at=NOON, learnt=("ADD #1", "ADD: not said", "NEGATE #7 #1")),
        Receipt(
            turn_id="2", at=NOON + timedelta(days=1), learnt=("BOOST #1", "MENTION #2", "SEAL #1")
        ),
        Receipt(turn_id="3", at=NOON + timedelta(days=2), learnt=("UPDATE #1 #3", "REVIVE #4")),
    ]
    state, _ = state_of(told).apply([Put(a_memory(2, at=NOON - timedelta(days=9)))])

    days = [((each.at - NOON).days, each.memory_id, each.right) for each in recall_history(state)]
    assert days == [
        (-9, 2, True),
        (0, 1, True),
        (1, 1, True),
        (1, 2, True),
        (2, 1, False),
        (2, 4, True),
    ]


async def test_fewer_than_four_hundred_are_not_enough() -> None:
    told = [
        # The first of each memory says nothing, and neither does what follows at once.
        *receipts(49),
        *(Receipt(turn_id=f"n{n}", at=NOON, learnt=(f"ADD #{n}",)) for n in range(500, 999)),
    ]

    assert await fit(state_of(told), STEEPER) == TooFew(49 * 8)


async def test_what_forecasts_the_last_fifth_better_is_found_better() -> None:
    found = await fit(state_of(receipts(120)), STEEPER)

    assert isinstance(found, Better)
    assert found.counted == 960
    assert found.then < found.now
    # What has to be forecast was not shown to the optimizer.
    assert len(STEEPER.told) < 0.85 * (960 + 120)


async def test_what_forecasts_it_no_better_is_left() -> None:
    worse = FakeOptimizer((*PUBLISHED[:20], 0.1))
    same = FakeOptimizer(PUBLISHED)

    for optimizer in (worse, same):
        assert isinstance(await fit(state_of(receipts(120)), optimizer), NoBetter)


async def test_an_optimizer_that_fails_changes_nothing() -> None:
    assert await fit(state_of(receipts(60)), FakeOptimizer(None)) == Broken()


async def test_without_the_extra_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law_fit, "can_fit", lambda: False)
    assert await fit(state_of(receipts(60))) == NotInstalled()


def test_weights_are_kept_within_their_ranges_and_defaults_leave_no_trace() -> None:
    kept = AgentSettings(parameters=(("disuse.w8", 2.0), ("tiers.boost", 0.5)))
    wild = (*PUBLISHED[:20], 99.0)

    assert with_weights(kept, wild).parameters == (("disuse.w20", 0.8), ("tiers.boost", 0.5))
    assert with_weights(kept, PUBLISHED).parameters == (("tiers.boost", 0.5),)


@pytest.mark.parametrize(
    ("law", "parameters", "fitted"),
    [
        ("disuse", (("disuse.refit", True),), STEEP),
        ("disuse", (), 0.1542),
        ("tiers", (("disuse.refit", True),), 0.1542),
    ],
    ids=["wanted", "not wanted", "under another law"],
)
async def test_a_night_fits_anew_only_where_that_is_wanted_and_undo_takes_it_back(
    law: str, parameters: tuple[tuple[str, bool], ...], fitted: float
) -> None:
    settings = AgentSettings(law=law, parameters=parameters)
    async with DeskSession(settings=settings) as session:
        await session.agent.steer(lambda state, _: [Put(each) for each in receipts(120)])
        await refit(session.agent, session.clock.now(), STEEPER)
        assert session.state.rules.parameters_of(disuse.LAW).decay == fitted
        if fitted == STEEP:
            await session.press(await session.ask("/undo"))

        assert session.agent.settings == settings


@pytest.mark.parametrize(
    ("language", "said"),
    [("zh", ("按你的 960 次回忆", "disuse.w20", "0.45")), ("en", ("Fitted to 960", "0.45"))],
)
async def test_the_desk_shows_what_a_fit_changes_before_it_holds(
    language: Language, said: tuple[str, ...]
) -> None:
    # No command of this test reaches the ledger.
    services = DeskServices(cast("Any", None), cast("Any", None))
    services.optimize = STEEPER
    async with DeskSession(
        settings=AgentSettings(law="disuse", language=language), services=services
    ) as session:
        await session.agent.steer(lambda state, _: [Put(each) for each in receipts(120)])
        preview = await session.ask("/memory law disuse fit")
        for part in said:
            assert part in lines(preview)
        assert session.agent.settings.parameters == ()
        await session.press(preview)
        assert dict(session.agent.settings.parameters) == {"disuse.w20": STEEP}
        await session.press(await session.ask("/undo"))

        assert session.agent.settings.parameters == ()


@pytest.mark.parametrize(
    ("language", "line", "said"),
    [
        ("zh", "/记忆 规律 久不用 拟合", "还只有 0 次，至少要 400 次"),
        ("en", "/memory law disuse fit", "fitting needs 400"),
        ("zh", "/memory law tiers fit", "只有“久不用（disuse）”"),
        ("en", "/memory law tiers fit", "Only disuse (disuse) can be fitted"),
    ],
)
async def test_the_desk_says_why_nothing_was_fitted(
    language: Language, line: str, said: str
) -> None:
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        assert said in await session.says(line)


# Hundreds of MB that nothing else needs; what becomes of its answers is held by the tests above.
@pytest.mark.skipif(not law_fit.can_fit(), reason="needs pip install 'xiaoxiang[fit]'")
async def test_the_real_optimizer_finds_what_forecasts_better() -> None:
    async with asyncio.timeout(600):
        found = await fit(state_of(receipts(120)))

    assert isinstance(found, Better)
    assert found.weights[20] > PUBLISHED[20]
