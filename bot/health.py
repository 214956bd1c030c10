"""Whether she lives, whether she is ready, and her numbers for Prometheus.

Served at ``HEALTH_BIND`` and nowhere else. Numbers and the names of platforms only: no id of a
person or an agent, no name of a chat, no word of anybody.
"""

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Final, Never, Protocol, TypeAlias

from bot.conversation.delivery import ChannelHealth
from bot.conversation.ledger import Ledger
from bot.conversation.ledger.ledger import ChannelTraffic
from bot.dispatch.workers import Alone, WorkerNumbers, Workers
from bot.llm.resilient import CallTally
from bot.tasks import Done, attempt
from bot.web import RequestHead, WebAnswer, WebServer
from memory.agents import Agents
from memory.ports import Clock, CommitTimes
from memory.stores.backups import BACKUPS, Backups

if TYPE_CHECKING:
    from prometheus_client.core import Metric
    from prometheus_client.registry import Collector

HEALTH_SETTING: Final = "HEALTH_BIND"

READY_SECONDS: Final = 2.0
"""How long the ledger may take to answer before she does not count as ready."""

Labelled: TypeAlias = Mapping[str, float]
"""Numbers by the value of their label; one without a label stands under the empty text."""


class WatchedPlatform(Protocol):
    """A platform as far as its health goes."""

    @property
    def health(self) -> ChannelHealth | None: ...


@dataclass(slots=True)
class NightTally:
    """The nights lived through since the program began, and when the last one was."""

    done: int = 0
    failed: int = 0
    last: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """What is looked at. ``calls`` are those of the models, by what they are asked for."""

    ledger: Ledger
    agents: Agents
    platforms: Mapping[str, WatchedPlatform]
    calls: Mapping[str, CallTally]
    data: Path
    clock: Clock
    workers: Workers = field(default_factory=Alone)


@dataclass(frozen=True, slots=True)
class Family:
    """One number of Prometheus, or several that differ by a label."""

    name: str
    help: str
    values: Labelled
    label: str = ""
    counts: bool = field(default=False)
    """Whether it only ever grows while the program runs."""


class Health:
    """Answers for the health of a running program."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._nights = NightTally()

    def note_night(self, *, failed: bool = False) -> None:
        """Count a night of an agent."""
        if failed:
            self._nights.failed += 1
        else:
            self._nights.done += 1
            self._nights.last = self._watched.clock.now()

    async def serve(self, web: WebServer, bind: str) -> Never:
        """Serve ``/live``, ``/ready`` and ``/metrics`` until cancelled; raises as ``web``."""
        answers = {"/live": self.live, "/ready": self.ready, "/metrics": self.metrics}
        sites = [_HealthSite(path, answer) for path, answer in answers.items()]
        await web.serve(bind, *sites, setting=HEALTH_SETTING)

    async def live(self) -> WebAnswer:
        """Answer that the program runs: whoever gets this answer knows it."""
        return WebAnswer(HTTPStatus.OK, b'{"live": true}\n')

    async def ready(self) -> WebAnswer:
        """Answer 200 while the ledger can be read and every platform is heard, 503 otherwise."""
        states = {name: _state(each.health) for name, each in self._watched.platforms.items()}
        step = await attempt("reading the ledger", self._traffic_in_time)
        said = {**states, "ledger": "well" if isinstance(step, Done) else "troubled"}
        is_ready = all(state == "well" for state in said.values())
        status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        return WebAnswer(status, json.dumps({"ready": is_ready, **said}).encode() + b"\n")

    async def metrics(self) -> WebAnswer:
        """Answer with every number, in Prometheus' text format."""
        # Loaded when first asked for: whoever sets no address does without.
        from prometheus_client import CollectorRegistry
        from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

        registry = CollectorRegistry(auto_describe=False)
        registry.register(_collector([*await self.families()]))
        return WebAnswer(HTTPStatus.OK, generate_latest(registry), CONTENT_TYPE_LATEST)

    async def families(self) -> tuple[Family, ...]:
        """Return every number there is now."""
        watched = self._watched
        traffic = await self._traffic_in_time()
        tiers = await asyncio.to_thread(watched.agents.tiers)
        backup = await asyncio.to_thread(_last_backup, watched.data, watched.clock.now())
        free = await asyncio.to_thread(shutil.disk_usage, watched.data)
        refused = watched.ledger.damage.unwritable
        return (
            *_disk_families(free.free, refused),
            *_worker_families(watched.workers.numbers()),
            *_talk_families(watched, traffic),
            *_platform_families(watched.platforms),
            *_model_families(watched.calls),
            *_memory_families(watched.agents.commits, self._nights, tiers, backup),
        )

    async def _traffic_in_time(self) -> tuple[ChannelTraffic, ...]:
        async with asyncio.timeout(READY_SECONDS):
            return await self._watched.ledger.history.channels()


def _state(health: ChannelHealth | None) -> str:
    return "well" if health is None else health.state


def _talk_families(watched: Watched, traffic: Collection[ChannelTraffic]) -> Iterator[Family]:
    ledger, now = watched.ledger, watched.clock.now()
    owed = {each.platform: float(each.waiting) for each in traffic}
    oldest = {each.platform: _age(each.oldest_at, now) for each in traffic}
    known = dict.fromkeys(watched.platforms, 0.0)
    yield Family(
        "xiaoxiang_messages_received",
        "Messages kept since the start, by platform.",
        {**known, **{name: float(count) for name, count in ledger.inbox.accepted.items()}},
        "platform",
        counts=True,
    )
    yield Family(
        "xiaoxiang_answers_sent",
        "Answers sent since the start, by platform.",
        {**known, **{name: float(count) for name, count in ledger.turns.sent.items()}},
        "platform",
        counts=True,
    )
    yield Family(
        "xiaoxiang_messages_owed",
        "Messages that are not answered or not kept in memory yet, by platform.",
        {**known, **owed},
        "platform",
    )
    yield Family(
        "xiaoxiang_oldest_owed_seconds",
        "How long the oldest of them has waited; 0 if none waits.",
        {**known, **oldest},
        "platform",
    )


def _age(at: str | None, now: datetime) -> float:
    return max((now - datetime.fromisoformat(at)).total_seconds(), 0.0) if at else 0.0


def _disk_families(free: int, refused: int) -> Iterator[Family]:
    yield Family(
        "xiaoxiang_disk_free_bytes",
        "Bytes that are free where her data is.",
        {"": float(free)},
    )
    yield Family(
        "xiaoxiang_messages_refused",
        "Times a message was not taken because the disk could not be written; it is sent again.",
        {"": float(refused)},
        counts=True,
    )


def _worker_families(counted: WorkerNumbers | None) -> Iterator[Family]:
    """Yield what one of several workers counts; nothing for a program by itself."""
    if counted is None:
        return
    about = "The number of this worker in the database."
    yield Family("xiaoxiang_worker", about, {"": float(counted.worker)})
    about = "Agents this worker owns at the moment."
    yield Family("xiaoxiang_worker_agents", about, {"": float(counted.agents)})
    moves = {"took": counted.took, "handed_over": counted.handed, "lost": counted.lost}
    about = "Agents that came to this worker or left it for another one."
    values = {name: float(count) for name, count in moves.items()}
    yield Family("xiaoxiang_worker_moves", about, values, "kind", counts=True)
    about = "What this worker does for all, by name."
    yield Family("xiaoxiang_worker_alone", about, dict.fromkeys(counted.alone_in, 1.0), "name")


def _platform_families(platforms: Mapping[str, WatchedPlatform]) -> Iterator[Family]:
    yield Family(
        "xiaoxiang_platform_up",
        "1 while messages arrive from the platform.",
        {name: float(_state(each.health) == "well") for name, each in platforms.items()},
        "platform",
    )


def _model_families(calls: Mapping[str, CallTally]) -> Iterator[Family]:
    def by_use(name: str, about: str, values: Labelled) -> Family:
        return Family(name, about, values, "use", counts=True)

    yield by_use(
        "xiaoxiang_model_calls",
        "Calls of a language model, by what it is asked for.",
        {use: float(tally.calls) for use, tally in calls.items()},
    )
    yield by_use(
        "xiaoxiang_model_seconds",
        "Seconds these calls took in all.",
        {use: tally.seconds for use, tally in calls.items()},
    )
    yield by_use(
        "xiaoxiang_model_first_word_seconds",
        "Seconds until their first words, in all.",
        {use: tally.first_word_seconds for use, tally in calls.items()},
    )
    for kind, chosen in (("prompt", "prompt_tokens"), ("answer", "answer_tokens")):
        yield by_use(
            f"xiaoxiang_model_{kind}_tokens",
            f"Tokens of the {kind}s, as far as the server tells.",
            {use: float(getattr(tally, chosen)) for use, tally in calls.items()},
        )
    failures: Counter[str] = Counter()
    for tally in calls.values():
        failures.update(tally.failures)
    yield Family(
        "xiaoxiang_model_failures",
        "Calls that brought no whole answer, by reason.",
        {reason: float(count) for reason, count in failures.items()},
        "reason",
        counts=True,
    )


def _memory_families(
    commits: CommitTimes, nights: NightTally, tiers: Mapping[str, int], backup: float | None
) -> Iterator[Family]:
    yield Family(
        "xiaoxiang_memories",
        "Memories of the agents that are open, by tier.",
        {name: float(count) for name, count in tiers.items()},
        "tier",
    )
    for name, about, value in (
        ("store_commits", "Commits of memory.", commits.count),
        ("store_commits_refused", "Commits of memory that were not taken.", commits.refused),
        ("store_commit_seconds", "Seconds until these were on the disk, in all.", commits.seconds),
        ("nights", "Nights lived through, of all agents.", nights.done),
        ("nights_failed", "Nights that failed and are made up for.", nights.failed),
    ):
        yield Family(f"xiaoxiang_{name}", about, {"": float(value)}, counts=True)
    yield Family(
        "xiaoxiang_store_commit_longest_seconds",
        "Seconds of the slowest commit since the start.",
        {"": commits.longest},
    )
    if nights.last is not None:
        about = "When the last night ended (Unix time)."
        yield Family("xiaoxiang_last_night_timestamp", about, {"": nights.last.timestamp()})
    if backup is not None:
        about = "When the newest backup was made (Unix time); 0 if only in the future."
        yield Family("xiaoxiang_last_backup_timestamp", about, {"": backup})


def _last_backup(data: Path, now: datetime) -> float | None:
    """Return when the newest backup of any agent was made, None if there is none.

    By the clock of now: one of the future, of a clock that ran ahead, would keep the alarm silent
    until then. With none but such it is 0, which rings it.
    """
    agents = [each.name for each in (data / BACKUPS).glob("*/")]
    made = [each for agent_id in agents for each in Backups(data, agent_id).list_all()]
    past = (each.at.timestamp() for each in made if not each.is_ahead(now))
    return max(past, default=0.0) if made else None


def _collector(families: Iterable[Family]) -> "Collector":
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
    from prometheus_client.registry import Collector

    class _Families(Collector):
        """What was read a moment ago."""

        def collect(self) -> Iterator["Metric"]:
            for each in families:
                kind = CounterMetricFamily if each.counts else GaugeMetricFamily
                labels = [each.label] if each.label else []
                shown = kind(each.name, each.help, labels=labels)
                for value, number in sorted(each.values.items()):
                    shown.add_metric([value] if each.label else [], number)
                yield shown

    return _Families()


class _Answer(Protocol):
    async def __call__(self) -> WebAnswer: ...


class _HealthSite:
    """One path of health."""

    method: Final = "GET"
    # Nobody has to prove anything here: the address itself is the operator's own.
    proven_by_head: Final = True

    def __init__(self, path: str, answer: _Answer) -> None:
        self.path: Final = path
        self._answer = answer

    def refusal(self, head: RequestHead) -> HTTPStatus | None:
        """Refuse nobody."""
        del head
        return None

    async def handle(self, head: RequestHead, body: bytes) -> WebAnswer:
        """Answer, whatever else was sent."""
        del head, body
        return await self._answer()
