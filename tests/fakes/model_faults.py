"""Every fault of a model's server, at every place that asks a model: what comes of it.

``FAULTS`` are ways in which a server was seen to fail, each with the outcome it has to become.
``SITES`` are the places: the reply, and the five questions of the background. :func:`tried` lets
one fault happen at one place, then lets the server recover, and returns what was lost, shown or
changed that should not have been; nothing, it is to be hoped.
"""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final, TypeAlias

from bot.llm.pace import ServerPace
from bot.llm.provider import LONGEST_ANSWER, ChatCompletions, Provider
from bot.llm.resilient import ResilientModel
from memory.agent import AgentMemory
from memory.changes import Put, Turn
from memory.jobs.steps import AgentParts
from memory.model import AgentSettings, Tier
from memory.ports import (
    Invalid,
    LanguageModel,
    Outcome,
    Refused,
    TooLong,
    Truncated,
    Unavailable,
)
from memory.writer import Fairness
from tests.builders import a_memory, a_stretch
from tests.fakes.clock import FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.openai_answers import (
    DONE,
    Behaviour,
    chunk,
    completion,
    cut,
    document,
    encoded,
    error,
    events,
    hang,
    huge,
    raw,
    say,
    stall,
    trickle,
)
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.program_run import ProgramRun
from tests.fakes.provider_quirks import FAILING_QUIRKS, THOUGHT
from tests.fakes.waiting import until

PLANTED: Final = "sk-planted-8f3a"
"""Stands in what a server says of its own: it must be neither shown nor kept nor logged."""

SILENCE: Final = 0.2
"""Seconds after which these tests take a silent server for gone."""

HALF: Final = (chunk("半"), chunk("句"))
_PIECE: Final = "".join(chr(ord("一") + number) for number in range(1_000))
_TOO_MUCH: Final = 9 * 1024 * 1024
"""Bytes: more than any answer may have."""

FAULTS: Final[Mapping[str, tuple[Behaviour, Outcome]]] = {
    "500": (error(500, PLANTED), Unavailable("server_error")),
    "502 with a web page": (
        raw(f"<html>{PLANTED}</html>", "text/html", 502),
        Unavailable("server_error"),
    ),
    "503": (error(503, PLANTED), Unavailable("overloaded")),
    "429": (error(429, PLANTED), Unavailable("overloaded")),
    "429 with seconds to wait": (
        error(429, PLANTED, retry_after="7"),
        Unavailable("overloaded", retry_after=7.0),
    ),
    "429 with milliseconds to wait": (
        error(429, PLANTED, retry_after_ms="1500"),
        Unavailable("overloaded", retry_after=1.5),
    ),
    "429 without money": (error(429, PLANTED, "insufficient_quota"), Unavailable("quota")),
    "401": (error(401, f"Incorrect API key {PLANTED}"), Unavailable("refused_key")),
    "403": (error(403, PLANTED), Unavailable("refused_key")),
    "404 of a model": (
        error(404, f"The model {PLANTED} does not exist", "model_not_found"),
        Unavailable("unknown_model"),
    ),
    "404 of an address": (raw(PLANTED, "text/html", 404), Unavailable("unknown_address")),
    "a redirect": (raw(PLANTED, "text/html", 302), Unavailable("unknown_address")),
    "400 context length": (
        error(400, f"maximum context length is 8192 {PLANTED}", "context_length_exceeded"),
        TooLong(),
    ),
    "413": (error(413, PLANTED), TooLong()),
    "400 content filter": (error(400, PLANTED, "content_filter"), Refused()),
    "200 with a web page": (
        raw(f"<html>{PLANTED}</html>", "text/html"),
        Unavailable("web_page"),
    ),
    "200 with nothing": (raw("", "text/event-stream"), Invalid("not_an_answer")),
    "truncated JSON": (raw('{"choices": [{"message": {"conte'), Invalid("unreadable")),
    "JSON too deep": (raw("[" * 100_000), Invalid("unreadable")),
    "a number too long": (raw("1" * 5_000), Invalid("unreadable")),
    "null": (document(None), Invalid("no_choices")),
    "no choices": (document({"choices": []}), Invalid("no_choices")),
    "choices null": (document({"choices": None}), Invalid("no_choices")),
    "choices of the wrong kind": (document({"choices": [7]}), Invalid("no_choices")),
    "an error with 200": (
        document({"error": {"message": PLANTED}}),
        Unavailable("server_error"),
    ),
    "a relayed status with 200": (
        document({"error": {"message": PLANTED, "code": 429}}),
        Unavailable("overloaded"),
    ),
    "an error text with 200": (document({"error": PLANTED}), Unavailable("server_error")),
    "content null": (document(completion(None)), Invalid("empty")),
    "content blank": (document(completion(" \n")), Invalid("empty")),
    "content of the wrong kind": (document(completion({"a": PLANTED})), Invalid("empty")),
    "a refusal": (document(completion(None, refusal=PLANTED)), Refused()),
    "a filter": (document(completion("", "content_filter")), Refused()),
    "the length limit": (document(completion("半句", "length")), Truncated("半句", at_limit=True)),
    "no choices in the stream": (events({"choices": []}, DONE), Invalid("no_choices")),
    "nothing in the stream": (events(chunk(finish="stop"), DONE), Invalid("empty")),
    "a refusal in the stream": (
        events(chunk(refusal=PLANTED), chunk(finish="stop"), DONE),
        Refused(),
    ),
    "a filter in the stream": (events(*HALF, chunk(finish="content_filter")), Refused()),
    "the length limit in the stream": (
        events(*HALF, chunk(finish="length"), DONE),
        Truncated("半句", at_limit=True),
    ),
    "only thoughts until the limit": (
        events(chunk(f"<think>{PLANTED}"), chunk(finish="length")),
        Truncated("", at_limit=True),
    ),
    "only thoughts": (
        events(chunk(reasoning_content=PLANTED), chunk(finish="stop"), DONE),
        Invalid("only_thoughts"),
    ),
    "the call of a tool": (
        events(
            chunk(tool_calls=[{"function": {"name": "remember", "arguments": PLANTED}}]),
            chunk(finish="tool_calls"),
            DONE,
        ),
        Invalid("tool_call"),
    ),
    "no finish reason": (events(*HALF, DONE), Truncated("半句")),
    "a silent end": (events(*HALF), Truncated("半句")),
    "an end within a character": (
        events(*HALF, encoded(chunk("话")).split("话".encode())[0] + "话".encode()[:2]),
        Unavailable("connection"),
    ),
    "an error event": (
        events(*HALF, {"error": {"message": PLANTED}}),
        Unavailable("server_error"),
    ),
    "an overload event": (
        events(*HALF, {"error": {"message": PLANTED, "code": "rate_limit_exceeded"}}),
        Unavailable("overloaded"),
    ),
    "a broken event": (events(*HALF, b'data: {"choi\n\n'), Invalid("unreadable")),
    "a reset before the stream": (cut(), Unavailable("connection")),
    "a reset in the stream": (cut(*HALF), Unavailable("connection")),
    "a stall before the stream": (stall(), Unavailable("timeout")),
    "a stall in the stream": (stall(*HALF), Unavailable("timeout")),
    "a drip without end": (
        trickle(chunk(_PIECE), every=0.0),
        Truncated(_PIECE * (LONGEST_ANSWER // len(_PIECE) + 1), at_limit=True),
    ),
    "the same without end": (
        trickle(chunk("钟在走。"), every=0.0),
        Truncated("钟在走。", at_limit=True, endless=True),
    ),
    "nothing, again and again": (
        trickle({"choices": []}, every=0.05),
        Unavailable("timeout"),
    ),
    "no answer": (hang(), Unavailable("timeout")),
    "a line without end": (huge(_TOO_MUCH), Invalid("too_large")),
    "a body without end": (huge(_TOO_MUCH, "application/json"), Invalid("too_large")),
    **FAILING_QUIRKS,
}
"""Faults that any server may have, and those of the servers that are known by name."""

BAD_ANSWERS: Final[Mapping[str, str]] = {
    "brackets by chance": "]] [ADD [UPDATE: m99] \x00 { 忘掉 🙃 [DELETE:m1",
    "an order to delete": "[DELETE:m1]\n[DELETE:m2]",
    "a handle nobody showed": f"[UPDATE:m99] {PLANTED}\n[BOOST:m98]",
    "what nobody said": f"[ADD kind=fact] 主人的密钥是 {PLANTED}",
    "a verdict and a shorter text": f"[DELETE]\n[TEXT] {PLANTED}\n[PHRASE] {PLANTED}",
    "one line again and again": f"[ADD] {PLANTED}\n" * 60,
    "half an object": '{"reasons": "x", "operations": [{"op": "DELETE", "handles": ["m1"]',
    "an object of other words": '{"operations": [{"op": "FORGET", "text": 7}, 3, null]}',
    "talk": "好的主人，我会一直陪着你的！",
}
"""Answers of a server that works, by a model that does not: only the background reads these."""

FACT, OPAQUE = "我对虾过敏", "拉面救过我的命"
"""What the rules learn by themselves, and what only a model reads."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one fault at one place, in words; empty if nothing did."""

    lost: str = ""
    shown: str = ""
    changed: str = ""


def asking(provider: Provider) -> LanguageModel:
    """Return a model of that server which asks again as in the program, without the pauses."""
    pace = ServerPace(assumed_seconds=0, shortest_wait=SILENCE, shortest_silence=SILENCE)

    async def at_once(seconds: float) -> None:
        del seconds
        await asyncio.sleep(0)

    return ResilientModel(
        ChatCompletions(provider, "big", pace=pace), chance=random.Random(1), sleep=at_once
    )


@dataclass(slots=True)
class Life:
    """One agent over restarts, and the server its model is asked at."""

    provider: Provider
    settings: AgentSettings
    store: InMemoryStore
    clock: FakeClock

    async def opened(self, *, alone: bool = False) -> AgentMemory:
        """Open the agent; ``alone`` without any model."""
        model = None if alone else asking(self.provider)
        parts = AgentParts(
            clock=self.clock, model=model, fairness=Fairness(), random=random.Random(1)
        )
        return await AgentMemory.open(
            self.store, parts, choose_settings=lambda known: known or self.settings
        )


Lived: TypeAlias = Callable[[AgentMemory, Life], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Site:
    """A place of the background that asks a model.

    ``before`` is lived without a model, ``asks`` is what makes it ask. ``good`` is what the
    server answers once it is well again, and ``brings`` what must be known then, and is not
    before: it would be lost if the question were never asked again.
    """

    before: Lived
    asks: Lived
    good: str
    brings: str = ""
    law: str = "tiers"


async def _nothing(agent: AgentMemory, life: Life) -> None:
    """Live nothing."""


async def _a_turn(agent: AgentMemory, life: Life) -> None:
    said, reply = a_stretch(f"{FACT}。{OPAQUE}。", "嗯嗯", start=life.clock.now(), first=10)
    turn = Turn(id="t1", conversation="c", at=said.at, said=(said,), reply=reply)
    await agent.commit(turn)
    await agent.background.wait_until_idle()


async def _a_stretch(agent: AgentMemory, life: Life) -> None:
    talk = a_stretch(FACT, "记下了", OPAQUE, "真好", start=life.clock.now(), first=10)
    agent.background.enqueue(talk, explicit=False)
    await agent.background.wait_until_idle()


async def _the_last_night(agent: AgentMemory, life: Life) -> None:
    life.clock.tick(days=13, hours=20)
    await agent.nightly()


async def _faded_facts(agent: AgentMemory, life: Life) -> None:
    faded = [a_memory(1, "主人对虾过敏"), a_memory(2, "桥头的修车铺亮着灯")]
    await agent.steer(lambda state, _: tuple(map(Put, faded)))


async def _a_late_night(agent: AgentMemory, life: Life) -> None:
    life.clock.tick(days=40)
    await agent.nightly()


async def _two_stretches(agent: AgentMemory, life: Life) -> None:
    for number in (1, 2):
        start = life.clock.now() + timedelta(days=number)
        texts = ("我一大早坐了两个小时的车去海边看日出", "真好") if number == 1 else (FACT, "嗯")
        talk = a_stretch(*texts, start=start, first=100 * number)
        agent.background.enqueue(talk, explicit=False)
        await agent.background.wait_until_idle()
    await until(lambda: not agent.state.agent_info.slice_due)


SITES: Final[Mapping[str, Site]] = {
    "judging a turn": Site(
        _nothing, _a_turn, f"[ADD] {OPAQUE.replace('我', '主人')}", "拉面救过主人的命"
    ),
    "cutting a stretch": Site(_nothing, _a_stretch, "[SKIP]"),
    "consolidating": Site(
        _a_stretch, _the_last_night, "[ADD] 拉面救过主人的命", "拉面救过主人的命"
    ),
    "reviewing": Site(_faded_facts, _a_late_night, "[KEEP]"),
    "compressing": Site(_nothing, _two_stretches, "[SKIP]", law="network"),
}
"""The questions of the background; the reply is :func:`replied_after`."""


@dataclass(frozen=True, slots=True)
class Known:
    """What an agent knows: its living facts, and the messages that living memories tell of."""

    facts: frozenset[str]
    told: frozenset[str]

    @classmethod
    def of(cls, agent: AgentMemory) -> "Known":
        living = [memory for memory in agent.state.memories.values() if memory.is_active]
        return cls(
            frozenset(m.words.text for m in living if m.nature.tier is Tier.FACT),
            frozenset(source for m in living for source in m.source_ids),
        )


async def background_after(
    site: Site, behaviour: Behaviour, place: "Place", *, answers: bool
) -> Trial:
    """Return what a fault at one place of the background did that it should not have.

    ``answers``: the model did answer, though badly, so that it need not be asked again.
    """
    alone, with_fault = place.life(site), place.life(site)
    agent = await alone.opened(alone=True)
    await site.before(agent, alone)
    at_first = Known.of(agent)
    await site.asks(agent, alone)
    by_rule = Known.of(agent)
    await agent.close()

    agent = await with_fault.opened(alone=True)
    await site.before(agent, with_fault)
    await agent.close()
    place.server.always(behaviour)
    place.server.asked.clear()
    agent = await with_fault.opened()
    await site.asks(agent, with_fault)
    if not place.server.asked:
        raise AssertionError("nothing was asked, so nothing was tried")
    after = Known.of(agent)
    trial = _compared(after, by_rule, at_first, repr(agent.state))
    await agent.close()

    place.server.always(say(site.good))
    agent = await with_fault.opened()
    await agent.background.wait_until_idle()
    for _ in range(2):
        with_fault.clock.tick(days=1)
        await agent.nightly()
    recovered = Known.of(agent)
    await agent.close()
    if site.brings and not answers and site.brings not in recovered.facts:
        trial = replace(trial, lost=f"{trial.lost} never asked again".strip())
    return trial


def _compared(after: Known, by_rule: Known, at_first: Known, state: str) -> Trial:
    """Return how what is known after a fault differs from what the rules alone leave."""
    missing = sorted((by_rule.facts - after.facts) | (by_rule.told - after.told))
    new = sorted(after.facts - by_rule.facts - at_first.facts)
    return Trial(
        lost=f"lost {missing}" if missing else "",
        changed=f"new {new}" if new else "",
        shown="kept what the server said" if PLANTED in state or THOUGHT in state else "",
    )


SAID: Final = "我下周三要去北京面试，有点紧张。"
_ANSWER: Final = "好呀，放轻松。"
_NOT_HERS: Final = re.compile("|".join(map(re.escape, (PLANTED, THOUGHT, SAID))))


async def replied_after(behaviour: Behaviour, place: "Place") -> Trial:
    """Return what a fault at the reply did that it should not have."""
    place.server.always(behaviour)
    place.server.asked.clear()
    program = await ProgramRun(place.new_folder(), model=asking(place.provider)).open()
    await program.receive("1", SAID)
    await program.lanes.wait_until_idle()
    if not place.server.asked:
        raise AssertionError("nothing was asked, so nothing was tried")
    place.server.always(say(_ANSWER))
    for _ in range(3):
        program.clock.tick(hours=1)
        await program.recover()
    agent = program.agent
    turns = [*agent.unanswered.values(), *agent.turns.values()]
    kept = [line for turn in turns for line in turn.said if line.text == SAID]
    replies = "".join(turn.reply.text for turn in turns if turn.reply)
    told, shown = program.chat.finals(), "".join(program.chat.history)
    await program.close()
    return Trial(
        lost="" if told and len(kept) == 1 else f"{len(kept)} times kept, told {told}",
        shown="shown what the server said" if _NOT_HERS.search(shown) else "",
        changed="kept what the server said" if _NOT_HERS.search(replies) else "",
    )


@dataclass(slots=True)
class Place:
    """Where trials are held: one server, one client, and a new folder for each."""

    server: OpenAIServer
    provider: Provider
    folder: Path
    _folders: int = 0

    def life(self, site: Site) -> Life:
        """Return a new life for one trial."""
        settings = AgentSettings(law=site.law)
        return Life(self.provider, settings, InMemoryStore(), FakeClock())

    def new_folder(self) -> Path:
        """Return an empty folder."""
        self._folders += 1
        folder = self.folder / str(self._folders)
        folder.mkdir()
        return folder


REPLY: Final = "replying"


def trials() -> Iterator[tuple[str, str]]:
    """Yield every place with every fault that can happen there."""
    for fault in FAULTS:
        yield from ((place, fault) for place in (REPLY, *SITES))
    yield REPLY, ECHO
    for fault in BAD_ANSWERS:
        yield from ((place, fault) for place in SITES)


ECHO: Final = "an echo"


async def tried(where: str, fault: str, place: Place) -> Trial:
    """Return what came of a fault at one place."""
    if fault in FAULTS:
        behaviour, _ = FAULTS[fault]
    else:
        behaviour = say(BAD_ANSWERS.get(fault, f"好的，我知道了。{SAID}"))
    if where == REPLY:
        return await replied_after(behaviour, place)
    return await background_after(SITES[where], behaviour, place, answers=fault not in FAULTS)
