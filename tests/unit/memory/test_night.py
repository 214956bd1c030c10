"""The manager: what a night, a verdict, a cleanup and a restoring change, and nothing else."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.changes import (
    AgentInfo,
    Change,
    Correction,
    Corrections,
    Links,
    PendingReview,
    PreviousText,
    Put,
    Task,
    Undo,
)
from memory.errors import UnknownMemory
from memory.laws.law import Event
from memory.lifecycle.consequences import Decision, GivenVerdict, after_verdicts, plan_events
from memory.lifecycle.night import FatePlan, health_report, metrics, plan_night
from memory.lifecycle.partner_steps import (
    TooSoon,
    mark_consolidated,
    plan_cleanup,
    plan_hide,
    plan_reinforce,
    plan_restore,
)
from memory.lifecycle.undo import LARGEST_NIGHT
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Kind,
    Level,
    Lineage,
    Link,
    LinkType,
    Memory,
    Merged,
    Passage,
    Sensitivity,
    Tier,
)
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON


def on(days: float) -> datetime:
    return NOON + timedelta(days=days)


def a_state(*memories: Memory, law: str = "tiers", more: Iterable[Change] = ()) -> MemoryState:
    agent_info = Put(AgentInfo(settings=AgentSettings(law=law)))
    return MemoryState().apply([agent_info, *map(Put, memories), *more])[0]


def lived(state: MemoryState, days: float) -> MemoryState:
    return state.apply(plan_night(state, on(days)).changes)[0]


def faint(memory_id: int = 1, importance: float = 0.4) -> Memory:
    memory = a_memory(memory_id)
    return replace(memory, trace=replace(memory.trace, importance=importance))


def an_episode(memory_id: int = 1, *, consolidated: bool = True) -> Memory:
    done = NOON if consolidated else None
    episode = a_memory(memory_id, "[2026-03-04 20:00] 聊了面试、游戏", tier=Tier.EPISODE)
    said = Passage(text="明天面试", source_ids=("s7", "s8"), at=NOON, verbatim=True)
    return replace(
        episode, lineage=Lineage(consolidated_at=done), passages=(*episode.passages, said)
    )


# Nights under tiers


def test_a_faded_fact_waits_for_its_review() -> None:
    night = plan_night(a_state(faint(1, 0.2), faint(2)), on(1))

    assert [(r.memory_id, r.task, r.since) for r in night.reviews] == [
        (1, "decay", on(1)),
        (2, "decay", on(1)),
    ]
    assert night.counts.asked == 2
    assert night.counts.deleted == 0


def test_a_review_is_asked_for_once_however_many_nights_pass() -> None:
    state = lived(a_state(faint()), 1)
    later = plan_night(state, on(60))

    assert later.counts.asked == 0
    assert [review.since for review in later.reviews] == [on(1)]


def test_a_decay_review_is_given_up_when_the_fact_is_used_again() -> None:
    state = lived(a_state(faint()), 1)
    state, _ = state.apply(plan_events(state, [(1, Event.BOOST)], on(2)))

    assert not lived(state, 3).reviews


def test_a_promotion_review_waits_while_nobody_can_answer() -> None:
    state = a_state(faint(1, 2.4))
    state, _ = state.apply(plan_events(state, [(1, Event.BOOST)], on(0)))

    assert [r.task for r in plan_night(state, on(1)).reviews] == ["promotion"]


def test_an_episode_ends_only_after_its_facts_were_taken_out() -> None:
    state = a_state(an_episode(consolidated=False))

    night = plan_night(state, on(90))
    assert night.consolidate == (1,)
    assert night.counts.deleted == 0

    state, _ = state.apply([*night.changes, *mark_consolidated(state, (1,), on(90))])
    again = plan_night(state, on(90))
    assert again.consolidate == ()
    assert again.counts.deleted == 1


def test_episodes_are_consolidated_eldest_first_and_asked_for_once() -> None:
    younger = replace(an_episode(1, consolidated=False), trace=a_memory(at=on(1)).trace)
    task = Task(id="c", kind="consolidate", at=on(2), memory_ids=(3,))
    state = a_state(
        younger,
        an_episode(2, consolidated=False),
        an_episode(3, consolidated=False),
        more=[Put(task)],
    )

    assert plan_night(state, on(2)).consolidate == (2, 1)


@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "weights", "network"])
def test_planning_again_after_applying_plans_nothing(law: str) -> None:
    memories = [faint(1, 0.1), an_episode(2), a_memory(3, kind=Kind.TEMPORARY), faint(4)]
    state = a_state(*memories, law=law)

    once = lived(state, 400)

    assert plan_night(once, on(400)).changes == ()


def test_a_night_notes_that_it_was_done_on_the_agents_own_date() -> None:
    after = lived(a_state(a_memory()), 0.3)

    assert after.agent_info.settled_at == on(0.3)
    assert after.agent_info.settled_on == datetime(2026, 3, 5, tzinfo=UTC).date()


def test_what_a_night_did_can_be_taken_back() -> None:
    state = a_state(faint(1, 0.1), an_episode(2))
    after = lived(state, 20)

    (undo,) = after.undos.values()
    assert undo.actor == "law"
    back, _ = after.apply(undo.inverse)
    assert back.memories == state.memories


def test_only_the_newest_fifty_undo_entries_are_kept() -> None:
    undos = [
        Put(Undo(id=n, at=NOON, actor="partner", label="x", inverse=())) for n in range(1, 51)
    ]
    after = lived(a_state(a_memory(), more=undos, law="ebbinghaus"), 5)

    assert sorted(after.undos) == list(range(2, 52))


def test_undo_entries_stay_while_there_is_room() -> None:
    undos = [
        Put(Undo(id=n, at=NOON, actor="partner", label="x", inverse=())) for n in range(1, 49)
    ]
    after = lived(a_state(a_memory(), more=undos, law="ebbinghaus"), 5)

    assert sorted(after.undos) == list(range(1, 50))


# Nights under the other laws


def test_ebbinghaus_archives_and_later_deletes_whichever_night_sees_it() -> None:
    state = a_state(a_memory(), law="ebbinghaus")

    assert lived(state, 57 / 24).memory(1).standing == Archived(on(57 / 24))
    assert isinstance(lived(lived(state, 57 / 24), 80 / 24).memory(1).standing, Deleted)
    assert isinstance(lived(state, 300).memory(1).standing, Deleted)


def test_weights_compress_by_level_and_keep_the_former_text() -> None:
    memory = replace(a_memory(kind=Kind.TEMPORARY, keywords=("拉面",)), trace=a_memory().trace)
    said = Passage(text="今天吃拉面吧", source_ids=("s2",), at=NOON, verbatim=True)
    state = a_state(replace(memory, passages=(*memory.passages, said)), law="weights")

    summary = lived(state, 60)
    assert summary.memory(1).words.level is Level.SUMMARY
    assert summary.memory(1).words.text == "主人喜欢拉面"
    assert [p.verbatim for p in summary.memory(1).passages] == [False]
    assert summary.memory(1).source_ids == ("s1", "s2")
    assert summary.previous_texts[1].words.level is Level.FULL

    tag = lived(state, 250)
    assert tag.memory(1).words.level is Level.TAG
    assert tag.memory(1).words.keywords == ("拉面",)

    trace = lived(state, 1000)
    assert trace.memory(1).words.level is Level.TRACE
    assert trace.memory(1).words.keywords == ()
    assert trace.memory(1).standing == Archived(on(1000))


def test_the_fuller_text_is_kept_when_a_memory_shrinks_twice_in_a_month() -> None:
    state = a_state(a_memory(kind=Kind.TEMPORARY), law="weights")

    late = lived(lived(state, 60), 140)
    soon = lived(lived(state, 120), 140)

    assert late.previous_texts[1].words.level is Level.SUMMARY
    assert soon.previous_texts[1].words.level is Level.FULL
    assert soon.previous_texts[1].at == on(140)


def test_a_night_under_weights_logs_what_it_acts_on_with_every_factor() -> None:
    after = lived(a_state(a_memory(kind=Kind.TEMPORARY), law="weights"), 60)

    (entry,) = after.weight_logs[1].entries
    assert entry.old == 0.8
    assert entry.new == pytest.approx(0.8 / 1.75)
    assert entry.reason == "compressed"
    assert dict(entry.factors)["time_weight"] == pytest.approx(1 / 1.75)
    assert dict(after.agent_info.counters)["passive_compression_count"] == 1


# Purge


def test_thirty_days_after_its_deletion_a_memory_is_gone_and_links_to_it_stay() -> None:
    link = Link(target=1, strength=0.5, type=LinkType.KEYWORD)
    correction = Correction(at=NOON, reason="x", before="a", after="b")
    state = a_state(
        replace(a_memory(), standing=Deleted(on(0), DeletionPolicy.USER_DELETE)),
        a_memory(2, tier=Tier.CORE),
        more=[
            Put(Links(source=1, links=(replace(link, target=2),))),
            Put(Links(source=2, links=(link,))),
            Put(Corrections(memory_id=1, entries=(correction,))),
            Put(PreviousText(memory_id=1, at=on(20), words=a_memory().words, passages=())),
        ],
    )

    assert 1 in lived(state, 29.99).memories
    after = lived(state, 30)
    assert sorted(after.memories) == [2]
    assert sorted(after.links) == [2]
    assert after.links_of(2) == (link,)
    assert not after.corrections
    assert not after.previous_texts


def test_former_texts_and_undo_entries_last_thirty_days() -> None:
    undo = Undo(id=1, at=NOON, actor="partner", label="x", inverse=())
    former = PreviousText(memory_id=1, at=NOON, words=a_memory().words, passages=())
    state = a_state(a_memory(tier=Tier.CORE), more=[Put(undo), Put(former)])

    assert lived(state, 29.9).previous_texts
    assert lived(state, 29.9).undos
    assert not lived(state, 30).previous_texts
    assert not lived(state, 30).undos


def test_what_was_merged_is_kept_as_a_reference() -> None:
    merged = replace(a_memory(), standing=Merged(NOON, 2))

    assert 1 in lived(a_state(merged, a_memory(2)), 500).memories


# Verdicts


@pytest.mark.parametrize(
    ("verdict", "tier", "importance"),
    [("promote", Tier.CORE, 3.0), ("keep", Tier.FACT, 2.6), ("delete", Tier.FACT, 2.6)],
)
def test_a_promotion_review_promotes_keeps_or_deletes(
    verdict: Decision, tier: Tier, importance: float
) -> None:
    review = PendingReview(memory_id=1, task="promotion", since=NOON)
    state = a_state(faint(1, 2.6), more=[Put(review)])

    after, _ = state.apply(after_verdicts(state, [(review, GivenVerdict(verdict))], on(1)))

    assert not after.reviews
    assert after.memory(1).nature.tier is tier
    assert after.memory(1).trace.importance == importance
    assert isinstance(after.memory(1).standing, Deleted) is (verdict == "delete")


@pytest.mark.parametrize("verdict", ["keep", "promote"])
def test_a_decay_review_that_keeps_sets_one_half_and_counts_as_an_access(
    verdict: Decision,
) -> None:
    review = PendingReview(memory_id=1, task="decay", since=NOON)
    state = a_state(faint(1, 0.2), more=[Put(review)])

    after, _ = state.apply(after_verdicts(state, [(review, GivenVerdict(verdict))], on(1)))

    assert after.memory(1).nature.tier is Tier.FACT
    assert after.memory(1).trace.importance == 0.5
    assert after.memory(1).trace.accessed_at == on(1)
    assert plan_night(after, on(8)).reviews == ()
    assert len(plan_night(after, on(9)).reviews) == 1


def test_a_reviewer_cannot_delete_what_no_law_may() -> None:
    review = PendingReview(memory_id=1, task="decay", since=NOON)
    memory = faint(1, 0.2)
    secret = replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.SENSITIVE))
    state = a_state(secret, more=[Put(review)])

    after, _ = state.apply(after_verdicts(state, [(review, GivenVerdict("delete"))], on(1)))

    assert after.memory(1).is_active
    assert not after.reviews


def test_a_verdict_about_a_memory_that_is_gone_only_ends_the_review() -> None:
    review = PendingReview(memory_id=7, task="decay", since=NOON)
    state = a_state(a_memory(), more=[Put(review)])

    after, _ = state.apply(after_verdicts(state, [(review, GivenVerdict("delete"))], on(1)))

    assert not after.reviews
    assert after.memories == state.memories
    assert after_verdicts(after, [(review, GivenVerdict("delete"))], on(1)) == ()


# Events


def test_events_bring_reviews_logs_and_counters_in_one_plan() -> None:
    state = a_state(faint(1, 2.3), a_memory(2))
    events = [(1, Event.BOOST), (2, Event.MENTION), (2, Event.MENTION)]

    after, _ = state.apply(
        plan_events(state, [*events, (1, Event.NEGATE), (99, Event.BOOST)], NOON)
    )

    assert after.memory(1).trace.importance == 2.6
    assert after.reviews[1].task == "promotion"
    assert after.memory(2).trace.mention_count == 2
    assert after.weight_logs[2].entries[0].old == 1.1
    counters = dict(after.agent_info.counters)
    assert counters["user_activation_count"] == 2
    assert counters["frequent_reinforce_count"] == 1
    assert counters["negation_count"] == 1


def test_the_weight_log_keeps_the_newest_twenty() -> None:
    state = a_state(a_memory())
    for day in range(30):
        state, _ = state.apply(plan_events(state, [(1, Event.MENTION)], on(day * 9)))

    entries = state.weight_logs[1].entries
    assert len(entries) == 20
    assert entries[-1].at == on(29 * 9)


def test_an_event_that_moves_no_weight_is_not_logged() -> None:
    state = a_state(a_memory())

    after, _ = state.apply(plan_events(state, [(1, Event.ACCESS)], on(1)))

    assert not after.weight_logs


# By hand


def test_a_cleanup_runs_at_most_once_an_hour_under_ebbinghaus() -> None:
    state = a_state(a_memory(), law="ebbinghaus")
    first = plan_cleanup(state, on(4))
    assert isinstance(first, FatePlan)
    assert first.counts.deleted == 1

    cleaned, _ = state.apply(first.changes)
    assert plan_cleanup(cleaned, on(4) + timedelta(minutes=59)) == TooSoon(
        on(4) + timedelta(hours=1)
    )
    assert isinstance(plan_cleanup(cleaned, on(4), dry_run=True), FatePlan)
    assert isinstance(plan_cleanup(cleaned, on(4) + timedelta(hours=1)), FatePlan)
    assert isinstance(plan_cleanup(cleaned, on(3)), FatePlan)


def test_the_hourly_limit_does_not_concern_the_night() -> None:
    state = a_state(a_memory(), law="ebbinghaus")
    cleanup = plan_cleanup(state, on(1))
    assert isinstance(cleanup, FatePlan)
    cleaned, _ = state.apply(cleanup.changes)

    assert plan_night(cleaned, on(1)).changes


def test_a_cleanup_shows_what_would_happen_to_each_memory() -> None:
    plan = plan_cleanup(a_state(a_memory(), law="ebbinghaus"), on(5), dry_run=True)

    assert isinstance(plan, FatePlan)
    (deed,) = plan.effects
    assert (deed.before.id, deed.kind) == (1, "deleted")


def test_what_the_partner_hides_is_deleted_softly_pinned_or_not() -> None:
    memory = a_memory()
    state = a_state(replace(memory, nature=replace(memory.nature, pinned=True)))

    after, _ = state.apply(plan_hide(state, 1, on(1)))

    assert after.memory(1).standing == Deleted(on(1), DeletionPolicy.USER_DELETE)
    assert plan_hide(after, 1, on(2)) == ()
    with pytest.raises(UnknownMemory):
        plan_hide(state, 9, on(1))


def test_restoring_brings_back_text_and_standing_and_lasts() -> None:
    state = a_state(a_memory(kind=Kind.TEMPORARY, keywords=("拉面",)), law="weights")
    shrunk = lived(state, 1000)

    after, _ = shrunk.apply(plan_restore(shrunk, 1, on(1020)))

    assert after.memory(1).is_active
    assert after.memory(1).words == state.memory(1).words
    assert after.memory(1).passages == state.memory(1).passages
    assert not after.previous_texts
    assert plan_night(after, on(1021)).effects == ()


def test_a_restored_episode_is_not_taken_away_by_the_next_night() -> None:
    gone = lived(a_state(an_episode()), 20)

    after, _ = gone.apply(plan_restore(gone, 1, on(25)))

    assert lived(after, 26).memory(1).is_active
    assert not lived(after, 39).memory(1).is_active


def test_there_is_nothing_to_restore_about_a_memory_that_lacks_nothing() -> None:
    assert plan_restore(a_state(a_memory()), 1, on(1)) == ()


# Health


def test_health_lists_the_weakest_first_and_counts_by_band_tier_level_and_standing() -> None:
    hidden = replace(a_memory(4), standing=Deleted(NOON, DeletionPolicy.USER_DELETE))
    state = a_state(faint(1, 0.55), a_memory(2), a_memory(3, tier=Tier.CORE), hidden)

    report = health_report(state, on(0))

    assert [(c.memory_id, c.colour.value) for c in report.conditions] == [
        (1, "yellow"),
        (2, "green"),
        (3, "green"),
    ]
    assert report.fading == (1,)
    assert {each.value: n for each, n in report.by_colour.items()} == {"yellow": 1, "green": 2}
    assert report.by_tier == {Tier.FACT: 2, Tier.CORE: 1}
    assert report.by_level == {Level.FULL: 3}
    assert report.by_standing == {"active": 3, "deleted": 1}


def test_the_seven_metrics() -> None:
    state = a_state(a_memory(), a_memory(2, kind=Kind.TEMPORARY))

    found = metrics(state, on(0))

    assert found["avg_weight"] == pytest.approx(0.95)
    assert found["weight_distribution.full"] == 2
    assert found["batch_merge_count"] == 0
    assert metrics(a_state(), on(0))["avg_weight"] == 0.0


# What is left alone


def test_a_hidden_fact_is_not_proposed_for_promotion() -> None:
    hidden = replace(faint(1, 2.4), standing=Deleted(NOON, DeletionPolicy.USER_DELETE))
    state = a_state(hidden)

    after, _ = state.apply(plan_events(state, [(1, Event.BOOST)], NOON))

    assert not after.reviews


def test_an_event_that_counts_for_nothing_leaves_the_household_alone() -> None:
    state = a_state(a_memory())

    after, _ = state.apply(plan_events(state, [(1, Event.ACCESS)], NOON))

    assert after.agent_info == state.agent_info


def test_what_is_archived_already_keeps_its_date_and_is_left_out_under_tiers() -> None:
    archived = replace(faint(1, 0.1), standing=Archived(NOON))

    assert lived(a_state(archived), 40).memory(1).standing == Archived(NOON)
    faded = a_state(replace(a_memory(), standing=Archived(NOON)), law="ebbinghaus")
    assert lived(faded, 57 / 24).memory(1).standing == Archived(NOON)


def test_a_review_ends_when_a_night_deletes_its_memory() -> None:
    review = PendingReview(memory_id=1, task="promotion", since=NOON)
    state = a_state(a_memory(), law="ebbinghaus", more=[Put(review)])

    night = plan_night(state, on(5))

    assert night.counts.deleted == 1
    assert night.reviews == ()
    assert not state.apply(night.changes)[0].reviews


def test_a_night_that_moves_very_much_leaves_no_undo_entry() -> None:
    told = [a_memory(number) for number in range(1, LARGEST_NIGHT + 2)]
    many, some = a_state(*told, law="ebbinghaus"), a_state(*told[:400], law="ebbinghaus")

    assert not lived(many, 5).undos
    assert len(lived(some, 5).undos) == 1


def test_sensitivity_one_doubles_the_days_of_an_episode_and_of_the_archive() -> None:
    ordinary = replace(
        an_episode(), nature=replace(an_episode().nature, sensitivity=Sensitivity(1))
    )
    state = a_state(ordinary)
    assert lived(state, 27.9).memory(1).is_active
    assert not lived(state, 28).memory(1).is_active

    archived = replace(a_memory(), standing=Archived(NOON))
    archived = replace(archived, nature=replace(archived.nature, sensitivity=Sensitivity(1)))
    settings = AgentSettings(law="weights", parameters=(("weights.delete_archived", True),))
    state, _ = MemoryState().apply([Put(AgentInfo(settings=settings)), Put(archived)])
    assert isinstance(lived(state, 730).memory(1).standing, Archived)
    assert isinstance(lived(state, 730.1).memory(1).standing, Deleted)


def test_sensitivity_one_doubles_the_silence_before_the_archive() -> None:
    memory = replace(a_memory(), nature=replace(a_memory().nature, sensitivity=Sensitivity(1)))
    settings = AgentSettings(law="weights", parameters=(("weights.archive_below", 2.0),))
    state, _ = MemoryState().apply([Put(AgentInfo(settings=settings)), Put(memory)])

    assert lived(state, 359.9).memory(1).is_active
    assert lived(state, 360).memory(1).standing == Archived(on(360))


def test_what_the_partner_says_was_right_is_verified_and_undone_it_is_not() -> None:
    state = a_state(a_memory())

    after, inverse = state.apply(plan_reinforce(state, 1, Event.SUCCESS, NOON))
    manual, _ = state.apply(plan_reinforce(state, 1, Event.MANUAL, NOON))

    assert after.memory(1).origin.verified
    assert not after.apply(inverse)[0].memory(1).origin.verified
    assert not manual.memory(1).origin.verified
