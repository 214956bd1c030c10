"""Fit the curve of the law ``disuse`` to one partner's own recall history.

The optimizer is that of the ``fsrs`` package and needs torch, so it is an extra
(``pip install 'xiaoxiang[fit]'``) and runs as a program of its own, ``python -m bot.law_fit``:
the history in, the weights out, both as JSON. The program that talks loads nothing of it.

What was fitted to the first four fifths of a history holds only if it forecasts the last fifth
better than what holds now.
"""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from math import log
from typing import Any, Final, NamedTuple, TypeAlias

from memory.agent import AgentMemory
from memory.laws import disuse
from memory.laws.contract import Bound, ParameterValue, bounds_of
from memory.laws.disuse import DisuseParameters, Strengths
from memory.learning.outcomes import Recollection, recall_history
from memory.lifecycle.partner_steps import plan_settings
from memory.model import AgentSettings
from memory.state import MemoryState

FEWEST: Final = 400
"""To fewer recollections nothing is fitted."""

LEAST_DELAY: Final = timedelta(hours=12)
"""What follows sooner says nothing of forgetting, and is not counted."""

_TRAINED: Final = 0.8

_LONGEST_SECONDS: Final = 1800.0

_SUREST: Final = 1e-4
"""No forecast is taken to be surer than this, 0 to 1."""

_UNKNOWN_SALIENCE: Final = 0.5
"""Of a memory that is gone nobody knows how salient it was."""

_BATCH: Final = 64
"""So many recollections make one step of the optimizer; the package takes 512, and fits nothing
to fewer."""


class TooFew(NamedTuple):
    """There is not enough to fit to yet: so many recollections count."""

    counted: int


class NotInstalled(NamedTuple):
    """The extra is missing."""


class Broken(NamedTuple):
    """The optimizer came to no end."""


class NoBetter(NamedTuple):
    """What was fitted forecasts the last fifth no better; the log-losses of both."""

    now: float
    then: float


class Better(NamedTuple):
    """What was fitted forecasts the last fifth better: the log-losses of both, and its weights."""

    now: float
    then: float
    counted: int
    weights: tuple[float, ...]


Fit: TypeAlias = TooFew | NotInstalled | Broken | NoBetter | Better


@dataclass(frozen=True, slots=True)
class _Trial:
    """A history, how salient its memories were born, and when what has to be forecast begins."""

    history: Sequence[Recollection]
    salience: Mapping[int, float]
    border: datetime


def can_fit() -> bool:
    """Whether the extra is installed."""
    return all(find_spec(name) is not None for name in ("fsrs", "torch", "pandas", "tqdm"))


Optimize: TypeAlias = Callable[[Sequence[Recollection]], Awaitable[tuple[float, ...] | None]]
"""Finds w0 to w20 of FSRS-6 for a history; None if it cannot."""


async def fit(state: MemoryState, optimize: Optimize | None = None) -> Fit:
    """Fit the curve to the recall history of a state; takes seconds to minutes of one core.

    Unless told how to ``optimize`` it asks the package of the extra.
    """
    history = recall_history(state)
    counted = _counted(history)
    if len(counted) < FEWEST:
        return TooFew(len(counted))
    if optimize is None and not can_fit():
        return NotInstalled()
    border = counted[int(_TRAINED * len(counted))].at
    weights = await (optimize or optimized)([each for each in history if each.at < border])
    if weights is None:
        return Broken()
    salience = {each.id: disuse.salience_of(each) for each in state.memories.values()}
    trial = _Trial(history, salience, border)
    own = state.agent_info.settings
    both = [
        state.laws.rules(settings).parameters_of(disuse.LAW)
        for settings in (own, with_weights(own, weights))
    ]
    now, then = await asyncio.to_thread(lambda: [_log_loss(trial, params) for params in both])
    return Better(now, then, len(counted), weights) if then < now else NoBetter(now, then)


async def refit(agent: AgentMemory, now: datetime, optimize: Optimize | None = None) -> None:
    """Fit the curve anew if the partner wants that every night."""
    rules = agent.state.rules
    if rules.law is not disuse.LAW or not rules.parameters_of(disuse.LAW).refit:
        return
    found = await fit(agent.state, optimize)
    if isinstance(found, Better):
        weights = found.weights
        await agent.steer(
            lambda state, _: plan_settings(
                state, with_weights(state.agent_info.settings, weights), now, "settings"
            )
        )


def with_weights(settings: AgentSettings, weights: Sequence[float]) -> AgentSettings:
    """Return the settings with the weights of FSRS-6 (w0 to w20), each kept within its range."""
    chosen = dict(settings.parameters)
    for bound, default in _fitted_parameters():
        name = f"{disuse.LAW.name}.{bound.name}"
        value = round(min(max(weights[int(bound.name[1:])], bound.low), bound.high), 4)
        chosen.pop(name, None)
        if value != default:
            chosen[name] = value
    return replace(settings, parameters=tuple(sorted(chosen.items())))


def _fitted_parameters() -> Iterator[tuple[Bound, ParameterValue]]:
    """Yield what the law has of the weights of FSRS-6; births are its own."""
    for _, bound, default in bounds_of(DisuseParameters):
        if bound.name[0] == "w" and bound.name[1:].isdecimal():
            yield bound, default


def _counted(history: Sequence[Recollection]) -> list[Recollection]:
    """Return what can be forecast: of no memory the first, and none within half a day."""
    before: dict[int, datetime] = {}
    found = []
    for each in history:
        last = before.get(each.memory_id)
        if last is not None and each.at - last >= LEAST_DELAY:
            found.append(each)
        before[each.memory_id] = each.at
    return found


def _log_loss(trial: _Trial, params: DisuseParameters) -> float:
    """Return the mean of -ln of the chance that was given to what happened in the last fifth."""
    known: dict[int, Strengths] = {}
    losses = []
    for each in trial.history:
        before = known.get(each.memory_id)
        if before is None:
            salience = trial.salience.get(each.memory_id, _UNKNOWN_SALIENCE)
            known[each.memory_id] = Strengths(*disuse.birth(salience, params), each.at)
            continue
        days = (each.at - before.at) / timedelta(days=1)
        if each.at >= trial.border and each.at - before.at >= LEAST_DELAY:
            came = disuse.retrieval(days, before.storage, params.decay)
            came = min(max(came, _SUREST), 1.0 - _SUREST)
            losses.append(-log(came if each.right else 1.0 - came))
        step = disuse.after_success if each.right else disuse.after_lapse
        known[each.memory_id] = Strengths(*step(before, days, params), each.at)
    return sum(losses) / len(losses)


async def optimized(history: Sequence[Recollection]) -> tuple[float, ...] | None:
    """Return the weights a program of its own finds; None if it fails or takes too long."""
    told = json.dumps([(each.memory_id, each.at.isoformat(), each.right) for each in history])
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    try:
        async with asyncio.timeout(_LONGEST_SECONDS):
            answer, _ = await process.communicate(told.encode())
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return tuple(json.loads(answer)) if process.returncode == 0 else None


def main() -> int:
    """Read a history and write the weights that fit it."""
    # Only here: torch takes seconds to load, and hundreds of MB.
    optimizer: Any = import_module("fsrs.optimizer")
    fsrs: Any = import_module("fsrs")
    optimizer.mini_batch_size = _BATCH
    logs = [
        fsrs.ReviewLog(
            card_id=memory_id,
            rating=fsrs.Rating.Good if right else fsrs.Rating.Again,
            review_datetime=datetime.fromisoformat(at),
            review_duration=None,
        )
        for memory_id, at, right in json.load(sys.stdin)
    ]
    json.dump(optimizer.Optimizer(logs).compute_optimal_parameters(), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
