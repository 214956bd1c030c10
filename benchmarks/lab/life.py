"""Live through a year under one law: turns, days remembered, nights; pure functions only.

No model is asked. Where the program asks one, a simple rule stands in, and counts as a call:

- the monitor learns what :mod:`benchmarks.lab.world` says it does, and finds a known thing used in
  six of ten turns in which it comes up;
- the reviewer promotes what is identity or a lasting preference; at decay it lets go what is
  passing, negated, past its date, or a plain fact that came up fewer than twice, and keeps the
  rest;
- compression cuts the text off, takes 1.5 s, and so fits twenty times into a slice of 30 s.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from benchmarks.lab.world import BORN, DAYS, IMPORTANT, Sort, Thing
from memory.changes import AgentInfo, Change, PendingReview, Put
from memory.judgement.draft import AgentTools, Draft
from memory.judgement.new_facts import birth_of, birth_of_talk
from memory.judgement.slots import with_slots_settled
from memory.laws import disuse, network
from memory.laws.law import Birth, Event, Law
from memory.laws.registry import LAWS, Laws, is_visible
from memory.learning.reviewer import verdicts_by_rule
from memory.lifecycle.consequences import Decision, GivenVerdict, after_verdicts, plan_events
from memory.lifecycle.effects import at_level
from memory.lifecycle.night import plan_night
from memory.lifecycle.partner_steps import mark_consolidated
from memory.model import (
    AgentSettings,
    Kind,
    Level,
    Memory,
    Message,
    Mode,
    Nature,
    Origin,
    Passage,
    Source,
    Tier,
    Topic,
    Words,
)
from memory.network.cycle import in_scan_order, original_length, scanned_node
from memory.network.index import NetworkIndex, focus_after, named_entities
from memory.network.links import SpokenOf, links_for, links_used_together
from memory.recall.in_mind import assessment
from memory.recall.slot_index import SlotIndex
from memory.revision import Strategy, superseded
from memory.state import MemoryState
from memory.text.tokens import keywords

ZONE: Final = ZoneInfo("Asia/Shanghai")
USED: Final = 0.6
LINKED: Final = 2
STRAYS: Final = 1
CALLS_A_SLICE: Final = 20


class Candidate(NamedTuple):
    """One way to live the year: one of some laws, with a model or without one.

    Without a model nothing of what the monitor takes a thing for is used, nor whether it noticed
    that something changed: only the text is, as the program reads it.
    """

    name: str
    law: str
    laws: Laws
    reviewed: bool = True


def candidates(laws: Sequence[Law[Any]] = LAWS) -> Iterator[Candidate]:
    """Yield every law, and once more without a model those that leave decisions to a reviewer."""
    known = Laws(tuple(laws))
    for law in laws:
        # Our own law judges words and asks nobody: with a model and without it is one.
        yield Candidate(law.name, law.name, known, reviewed=law is not disuse.LAW)
        if law.asks_reviews:
            yield Candidate(f"{law.name} without a model", law.name, known, reviewed=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What is left on one day; shares are 0 to 1."""

    day: int
    important_kept: float
    chatter_kept: float
    stale_recalled: float
    active: int
    recallable: int


@dataclass(slots=True)
class Year:
    """What became of a year: a sample a week, the calls it took, what had to be told again."""

    samples: list[Sample] = field(default_factory=list)
    calls: int = 0
    came_up: int = 0
    told_again: int = 0


class Life:
    """One agent under one law. ``rng`` decides what a recall brings up besides what was meant."""

    def __init__(self, things: Sequence[Thing], candidate: Candidate, seed: int) -> None:
        self.things = things
        self.reviewed = candidate.reviewed
        self.rng = Random(seed)
        empty = MemoryState(laws=candidate.laws)
        settings = AgentSettings(law=candidate.law)
        self.state, _ = empty.apply([Put(AgentInfo(settings=settings))])
        self.rules = self.state.rules
        self.index = NetworkIndex.build(self.state)
        self.slots = SlotIndex.build(self.state)
        self.known: dict[int, int] = {}
        self.year = Year()
        self.before_last_remember = 1

    def live(self, days: int = DAYS) -> Year:
        """Live every day of the year and return what became of it."""
        said = sorted((at, thing.number) for thing in self.things for at in thing.said)
        place = 0
        for day in range(days):
            evening = BORN + timedelta(days=day, hours=14)
            today: list[Thing] = []
            while place < len(said) and said[place][0] < evening:
                at, number = said[place]
                self._turn(self.things[number], at)
                today.append(self.things[number])
                place += 1
            self._remember(today, evening)
            self._night(evening + timedelta(hours=6))
            if day % 7 == 6 or day == days - 1:
                self.year.samples.append(self._sample(day, evening + timedelta(hours=7)))
        return self.year

    def recalls(self, memory_id: int, at: datetime) -> bool:
        """Whether everyday recall would find that memory."""
        memory = self.state.memories.get(memory_id)
        if memory is None or memory.trace.negated_at is not None:
            return False
        found = assessment(memory, self.state, at)
        return is_visible(memory, found, Mode.NORMAL)

    def _apply(self, changes: Iterable[Change]) -> None:
        applied = tuple(changes)
        self.state, _ = self.state.apply(applied)
        self.index.note(applied)
        self.slots.note(applied)

    def _turn(self, thing: Thing, at: datetime) -> None:
        """Let a thing come up: recalled and perhaps used, or learnt, anew or once more."""
        known = self.known.get(thing.number)
        found = known is not None and self.recalls(known, at)
        if thing.sort in IMPORTANT and at > thing.said[0]:
            self.year.came_up += 1
            self.year.told_again += not found
        shown = self._also_shown(known if found else None, at)
        events = [(memory_id, Event.ACCESS) for memory_id in shown]
        together: list[int] = []
        if known is not None and found:
            events += [(known, Event.ACCESS), (known, Event.MENTION)]
            if self.rng.random() < USED:
                events.append((known, Event.BOOST))
                # What is linked to it was brought up for its sake, the stray was not.
                linked = {link.target for link in self.state.links_of(known)}
                together = [known, *(each for each in shown if each in linked)]
        self._apply(plan_events(self.state, events, at))
        self._apply(links_used_together(together, self.state))
        if thing.learnt and not found:
            self._learn(thing, at)

    def _also_shown(self, known: int | None, at: datetime) -> list[int]:
        """Return what recall puts beside what was meant: what is linked to it, and a stray."""
        ids = sorted(set(self.known.values()) & set(self.state.memories))
        linked = [link.target for link in self.state.links_of(known)] if known else []
        drawn = [*linked[:LINKED], *self.rng.sample(ids, min(len(ids), STRAYS))]
        return [m for m in dict.fromkeys(drawn) if m != known and self.recalls(m, at)]

    def _learn(self, thing: Thing, at: datetime) -> None:
        memory = self._memory(thing, at)
        self.known[thing.number] = memory.id
        self._apply([Put(memory)])
        self._apply(links_for([memory], self.state, index=self.index))
        if self.reviewed:
            self._replace_by_label(thing, memory.id, at)
        else:
            tools = AgentTools(index=self.index, slots=self.slots)
            draft = Draft(state=self.state, now=at, tools=tools)
            self._apply(with_slots_settled(draft, memory.id, [_message(thing, at)]).changes)

    def _replace_by_label(self, thing: Thing, memory_id: int, at: datetime) -> None:
        former = self.known.get(thing.replaces) if thing.replaces is not None else None
        old = self.state.memories.get(former) if former is not None else None
        if old and thing.noticed:
            gone = superseded(old, memory_id, Strategy.VERSION_KEEP, at, self.rules)
            self._apply([Put(at_level(gone, Level.TAG))])

    def _memory(self, thing: Thing, at: datetime, tier: Tier = Tier.FACT) -> Memory:
        passage = Passage(text=thing.text, source_ids=(f"{thing.number}-{at:%j}",), at=at)
        return Memory(
            id=self.state.next_id,
            words=Words(text=thing.text, phrase=thing.about, keywords=keywords(thing.text)),
            nature=self._nature(thing, tier),
            trace=self.rules.new_trace(
                self._birth(thing, at, tier),
                confidence=thing.confidence if self.reviewed else 0.7,
            ),
            origin=Origin(source=Source.BACKGROUND, at=at, turn_id=f"{at:%j%H%M%S}"),
            passages=(passage,),
        )

    def _birth(self, thing: Thing, at: datetime, tier: Tier) -> Birth:
        if tier is Tier.EPISODE:
            return birth_of_talk([_message(thing, at)], at)
        return birth_of((thing.text,), at, self.state.agent_info.settings)

    def _nature(self, thing: Thing, tier: Tier) -> Nature:
        if not self.reviewed:
            return Nature(tier=tier)
        return Nature(tier=tier, kind=thing.kind, topic=thing.topic)

    def _remember(self, today: Sequence[Thing], at: datetime) -> None:
        """Turn the day into an episode hung on what it was about, then run a slice."""
        first_new = self.state.next_id
        names = list(dict.fromkeys(thing.about for thing in today))
        if names:
            named = named_entities(names, self.index, first_id=first_new, at=at)
            self._apply(map(Put, named.new))
            gist = f"[{at.astimezone(ZONE):%Y-%m-%d %H:%M}] 聊了{'、'.join(names[:4])}"
            episode = self._memory(replace(today[0], text=gist), at, Tier.EPISODE)
            entities = {named.ids[name]: SpokenOf("关于") for name in names[-5:]}
            agent_info = self.state.agent_info
            focus = focus_after(agent_info.focus, tuple(entities))
            self._apply([Put(episode), Put(replace(agent_info, focus=focus))])
            hung = {episode.id: entities}
            self._apply(links_for([episode], self.state, index=self.index, focus=hung))
        if self.rules.law.runs_slices:
            self._slice(at)
        self.before_last_remember = first_new

    def _slice(self, at: datetime) -> None:
        """Run one slice of 30 s: every node once, as far as the compressions leave time."""
        params = self.rules.parameters_of(network.LAW)
        done: list[Change] = []
        calls = 0
        for memory_id in in_scan_order(self.state, made_before=self.before_last_remember):
            scanned = scanned_node(memory_id, self.state, decay_rate=params.decay_rate)
            memory = scanned.memory
            length = original_length(memory.words)
            target = network.target_of(memory, scanned.connectedness, length, params)
            if isinstance(target, network.Forget):
                done += scanned.forgotten(at)
                self._apply(done)
                done.clear()
            elif isinstance(target, network.Shrink):
                done += scanned.shortened(_cut(memory, target.characters, length))
                calls += 1
                if calls == CALLS_A_SLICE:
                    break
            else:
                done += scanned.unchanged()
        self._apply(done)
        self.year.calls += calls

    def _night(self, at: datetime) -> None:
        night = plan_night(self.state, at)
        self._apply(night.changes)
        self._apply(mark_consolidated(self.state, night.consolidate, at))
        if not self.reviewed:
            self._apply(verdicts_by_rule(night.reviews, self.state, at))
            return
        for review in night.reviews:
            verdict = GivenVerdict(self._decision(review, at))
            self._apply(after_verdicts(self.state, [(review, verdict)], at))
            self.year.calls += 1

    def _decision(self, review: PendingReview, at: datetime) -> Decision:
        memory = self.state.memory(review.memory_id)
        lasting = memory.nature.kind in {Kind.IDENTITY, Kind.LASTING_PREFERENCE}
        if review.task == "promotion":
            return "promote" if lasting and memory.trace.negated_at is None else "keep"
        if memory.trace.negated_at is not None:
            return "delete"
        if memory.nature.topic is Topic.PROMISE:
            thing = next(t for t in self.things if self.known.get(t.number) == memory.id)
            return "keep" if thing.true_until > at else "delete"
        plain = memory.nature.kind is Kind.FACT and memory.trace.mention_count >= 2
        return "keep" if lasting or plain else "delete"

    def _sample(self, day: int, at: datetime) -> Sample:
        left = {t.number for t in self.things if self._is_left(t, at)}
        told = [thing for thing in self.things if thing.said[0] <= at and thing.learnt]
        true = [t.number for t in told if t.sort in IMPORTANT and t.is_true(at)]
        chatter = [t.number for t in told if t.sort is Sort.CHATTER]
        stale = [t.number for t in told if t.sort is not Sort.CHATTER and not t.is_true(at)]
        active = [
            m
            for m in self.state.memories.values()
            if m.is_active and m.nature.tier is not Tier.ENTITY
        ]
        return Sample(
            day=day + 1,
            important_kept=_share(true, left),
            chatter_kept=_share(chatter, left),
            stale_recalled=_share(stale, left),
            active=len(active),
            recallable=sum(self.recalls(memory.id, at) for memory in active),
        )

    def _is_left(self, thing: Thing, at: datetime) -> bool:
        known = self.known.get(thing.number)
        return known is not None and self.recalls(known, at)


def _message(thing: Thing, at: datetime) -> Message:
    return Message(id=f"{thing.number}-{at:%j}", at=at, speaker="", role="user", text=thing.text)


def _share(of: Sequence[int], left: set[int]) -> float:
    return sum(number in left for number in of) / len(of) if of else 0.0


def _cut(memory: Memory, characters: int, length: int) -> Memory:
    """Return the memory with its text cut off, which stands in for a compression by a model."""
    words = replace(
        memory.words,
        text=memory.words.text[:characters],
        level=min(memory.words.level, Level.SUMMARY),
        original_length=length,
    )
    return replace(memory, words=words)
