"""What holds of every law, whatever the memory and whenever it is looked at."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import assume, given
from hypothesis import strategies as st

from memory.changes import AgentInfo, Put
from memory.laws.contract import LawContext
from memory.laws.law import Event
from memory.laws.registry import Laws
from memory.lifecycle.night import plan_night
from memory.lifecycle.partner_steps import plan_restore
from memory.model import AgentSettings, Deleted, Kind, Lineage, Memory, Nature, Sensitivity, Tier
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.laws import after_event, quantities, retention

ZONES = ("Asia/Shanghai", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "UTC")

laws = st.sampled_from(Laws().names)
zones = st.sampled_from(ZONES)
spans = st.timedeltas(timedelta(0), timedelta(days=900))


def settings_of(law: str, zone: str = "Asia/Shanghai") -> AgentSettings:
    return AgentSettings(law=law, time_zone=zone)


natures = st.builds(
    Nature,
    tier=st.sampled_from(Tier),
    kind=st.sampled_from(Kind),
    sensitivity=st.sampled_from(Sensitivity),
    pinned=st.booleans(),
)


perishable = st.builds(
    Nature,
    tier=st.sampled_from([Tier.FACT, Tier.EPISODE]),
    kind=st.sampled_from([Kind.TEMPORARY, Kind.PASSING_PREFERENCE]),
    sensitivity=st.sampled_from([Sensitivity.PUBLIC, Sensitivity.ORDINARY]),
)
fading_laws = st.sampled_from(["tiers", "ebbinghaus", "weights"])
long_after = st.timedeltas(timedelta(days=200), timedelta(days=900))


@st.composite
def memories(
    draw: st.DrawFn,
    *,
    negatable: bool = True,
    of: st.SearchStrategy[Nature] = natures,
    consolidated: st.SearchStrategy[bool] = st.booleans(),  # noqa: B008  (a strategy is a value)
) -> Memory:
    """Return a memory that has lived through some events in its first weeks."""
    memory = replace(a_memory(), nature=draw(of))
    if draw(consolidated):
        memory = replace(memory, lineage=Lineage(consolidated_at=NOON))
    trace = replace(memory.trace, confidence=draw(st.floats(0, 1)))
    memory = replace(memory, trace=trace)
    events = [event for event in Event if negatable or event is not Event.NEGATE]
    at = NOON
    for event, pause in draw(
        st.lists(
            st.tuples(st.sampled_from(events), st.timedeltas(timedelta(0), timedelta(days=20))),
            max_size=6,
        )
    ):
        at += pause
        memory = after_event(memory, event, at, AgentSettings())
    return memory


def last_event(memory: Memory) -> datetime:
    trace = memory.trace
    return max(trace.accessed_at, trace.reinforced_at, trace.activated_at, trace.importance_at)


def a_state(memory: Memory, settings: AgentSettings) -> MemoryState:
    return MemoryState().apply([Put(AgentInfo(settings=settings)), Put(memory)])[0]


def lived(state: MemoryState, now: datetime) -> MemoryState:
    return state.apply(plan_night(state, now).changes)[0]


@given(memories(), laws, zones, spans, st.floats(0, 40))
def test_retention_is_a_share(
    memory: Memory, law: str, zone: str, span: timedelta, connectedness: float
) -> None:
    context = LawContext(NOON + span, ZoneInfo(zone), connectedness)

    assert 0.0 <= retention(memory, context, settings_of(law, zone)) <= 1.0


@given(memories(negatable=False), laws, zones, st.lists(spans, min_size=2, max_size=12))
def test_without_an_event_nothing_is_retained_better(
    memory: Memory, law: str, zone: str, waits: list[timedelta]
) -> None:
    moments = sorted(last_event(memory) + wait for wait in waits)
    seen = [retention(memory, LawContext(t, ZoneInfo(zone)), settings_of(law)) for t in moments]

    assert seen == sorted(seen, reverse=True)


@given(memories(), laws, zones, st.lists(spans, min_size=2, max_size=12))
def test_under_the_sinking_curve_a_negated_memory_never_recovers(
    memory: Memory, law: str, zone: str, waits: list[timedelta]
) -> None:
    settings = replace(settings_of(law), parameters=(("weights.c_mode", "sinking"),))
    moments = sorted(last_event(memory) + wait for wait in waits)
    seen = [retention(memory, LawContext(t, ZoneInfo(zone)), settings) for t in moments]

    assert seen == sorted(seen, reverse=True)


@given(memories(), laws, spans, spans, st.sampled_from(Event))
def test_an_event_in_between_is_all_that_ever_settles(
    memory: Memory, law: str, first: timedelta, then: timedelta, event: Event
) -> None:
    at = last_event(memory) + first
    later = LawContext(at + then, ZoneInfo("Asia/Shanghai"))
    assume(event in {Event.ACCESS, Event.SUCCESS, Event.FAILURE, Event.ASSOCIATION_HIT})

    before = quantities(memory, later, settings_of(law))
    after = quantities(after_event(memory, event, at, settings_of(law)), later, settings_of(law))

    assert after.importance == before.importance
    assert after.weight == before.weight


@given(memories(), laws, zones, st.lists(spans, min_size=1, max_size=6))
def test_however_many_nights_pass_the_last_one_decides(
    memory: Memory, law: str, zone: str, waits: list[timedelta]
) -> None:
    assume(memory.trace.negated_at is None)
    state = a_state(memory, settings_of(law, zone))
    nights = sorted(last_event(memory) + wait for wait in waits)
    at_once = lived(state, nights[-1])
    step_by_step = state
    for night in nights:
        step_by_step = lived(step_by_step, night)

    ended, ended_at_once = (
        1 not in each.memories or isinstance(each.memory(1).standing, Deleted)
        for each in (step_by_step, at_once)
    )
    assert ended == ended_at_once
    if not ended:
        one, other = step_by_step.memory(1), at_once.memory(1)
        assert (one.words, one.passages, one.trace) == (other.words, other.passages, other.trace)
        assert type(one.standing) is type(other.standing)
        assert set(step_by_step.reviews) == set(at_once.reviews)


@given(memories(), laws, zones, spans)
def test_settling_twice_is_settling_once(
    memory: Memory, law: str, zone: str, span: timedelta
) -> None:
    now = NOON + span
    once = lived(a_state(memory, settings_of(law, zone)), now)

    assert plan_night(once, now).changes == ()


@given(memories(), laws, st.lists(spans, min_size=1, max_size=6))
def test_a_level_never_rises_by_itself(memory: Memory, law: str, waits: list[timedelta]) -> None:
    state = a_state(memory, settings_of(law))
    level = memory.words.level
    for wait in sorted(waits):
        state = lived(state, last_event(memory) + wait)
        if 1 not in state.memories:
            return
        assert state.memory(1).words.level <= level
        level = state.memory(1).words.level


@given(memories(), laws, spans)
def test_no_law_takes_what_is_protected(memory: Memory, law: str, span: timedelta) -> None:
    nature = memory.nature
    firm = nature.pinned or nature.tier in {Tier.CORE, Tier.SYSTEM}
    sensitive = nature.sensitivity >= Sensitivity.SENSITIVE
    unread = nature.tier is Tier.EPISODE and memory.lineage.consolidated_at is None
    assume(firm or sensitive or unread)

    after = lived(a_state(memory, settings_of(law)), NOON + span).memory(1)

    assert not isinstance(after.standing, Deleted)
    if firm or sensitive:
        assert after.words == memory.words


@given(memories(), laws, laws, spans)
def test_switching_the_law_and_back_changes_nothing(
    memory: Memory, law: str, other: str, span: timedelta
) -> None:
    state = a_state(memory, settings_of(law))
    away, _ = state.apply([Put(AgentInfo(settings=settings_of(other)))])
    back, _ = away.apply([Put(AgentInfo(settings=settings_of(law)))])

    now = NOON + span
    assert plan_night(back, now) == plan_night(state, now)


@given(
    memories(of=perishable, consolidated=st.just(True)),
    fading_laws,
    long_after,
    st.timedeltas(timedelta(0), timedelta(days=29)),
)
def test_what_a_night_took_can_be_brought_back_for_thirty_days_and_lasts(
    memory: Memory, law: str, span: timedelta, wait: timedelta
) -> None:
    now = last_event(memory) + span
    taken = lived(a_state(memory, settings_of(law)), now)
    assume(taken.memory(1) != memory)
    waited = lived(taken, now + wait)

    restored, _ = waited.apply(plan_restore(waited, 1, now + wait))

    assert restored.memory(1).is_active
    assert restored.memory(1).words == memory.words
    assert restored.memory(1).passages == memory.passages
    assert lived(restored, now + wait + timedelta(days=1)).memory(1).is_active


@given(memories(of=perishable), fading_laws, long_after)
def test_a_night_is_taken_back_by_its_undo_entry(
    memory: Memory, law: str, span: timedelta
) -> None:
    state = a_state(memory, settings_of(law))
    after = lived(state, NOON + span)
    assume(after.undos)

    back, _ = after.apply(after.undos[1].inverse)

    assert back.memories == state.memories
    assert back.previous_texts == state.previous_texts
