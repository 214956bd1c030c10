"""Putting a turn away: working memory, its receipt, and the turn for the background to judge."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from memory.background.blotting import known_secrets
from memory.background.consolidation import episode_batches
from memory.background.discretion import redacted_messages, redacted_turn
from memory.background.explicit import RememberRequest, explicit_requests, plan_explicit_memories
from memory.background.judged import RECEIPTS_KEPT
from memory.background.privacy import is_secret
from memory.background.writing import Draft
from memory.changes import Change, Drop, Put, Receipt, RememberedId, Task, Turn, Window
from memory.laws.law import Event
from memory.manager import FatePlan, plan_events
from memory.manager.burial import is_erased, turn_is_erased
from memory.model import Message
from memory.network.index import NetworkIndex
from memory.network.linking import links_used_together
from memory.settings import AgentSettings
from memory.state import MemoryState
from memory.vault import Vault
from memory.working import window_after, stretches_of

ChooseSettings: TypeAlias = Callable[[AgentSettings | None], AgentSettings]
"""Given the settings an agent has, None if it is new, return those it shall live by."""


def plan_commit(
    turn: Turn, state: MemoryState, *, now: datetime, index: NetworkIndex, vault: Vault | None
) -> Sequence[Change]:
    """Return everything that keeps a finished turn; nothing if it was kept, or erased, before."""
    if turn.id in state.receipts or turn_is_erased(turn, state):
        return ()
    draft = Draft(state=state, now=now)
    draft = draft.then(*plan_events(state, use_events(turn), now))
    draft = draft.then(*links_used_together([used.memory_id for used in turn.used], state))
    kept = plan_explicit_memories(
        explicit_requests(turn.said) if state.agent_info.settings.learning else (),
        draft.state,
        now,
        conversation=turn.conversation,
        turn_id=turn.id,
        index=index,
        vault=vault if turn.private else None,
    )
    draft = draft.then(*kept.changes)
    return (*draft.changes, *records_of_turn(turn, kept.learnt, draft.state, vault))


def use_events(turn: Turn) -> list[tuple[int, Event]]:
    """Return what being put into a prompt means to each memory: once per turn (DESIGN §6.2)."""
    return [
        (used.memory_id, Event.ASSOCIATION_HIT if used.associated else Event.ACCESS)
        for used in turn.used
    ]


def records_of_turn(
    turn: Turn, learnt: tuple[str, ...], state: MemoryState, vault: Vault | None = None
) -> list[Change]:
    """Return the turn put away: working memory, receipt, and the turn for the background.

    What is secret in it is blotted out: nothing of the talk is kept with it.
    """
    turn = redacted_turn(turn, known_secrets(state, vault))
    learning = state.agent_info.settings.learning
    receipt = Receipt(
        turn_id=turn.id,
        at=turn.at,
        used=turn.used,
        learnt=learnt,
        outcome="waiting" if learning else "nothing",
    )
    changes: list[Change] = [*window_changes(turn.conversation, (*turn.said, turn.reply), state)]
    changes.append(Put(receipt))
    if learning:
        changes.append(Put(turn))
    if len(state.receipts) >= RECEIPTS_KEPT:
        oldest = min(state.receipts.values(), key=lambda each: (each.at, each.turn_id))
        changes.append(Drop(Receipt, oldest.turn_id))
    return changes


def window_changes(
    conversation: str,
    messages: Sequence[Message],
    state: MemoryState,
    vault: Vault | None = None,
) -> tuple[Change, ...]:
    """Return the working memory after messages, without what is secret in them.

    Those it holds already change nothing.
    """
    before = state.windows.get(conversation) or Window(conversation=conversation)
    new = [m for m in messages if m.id not in state.remembered_ids and not is_erased(m.id, state)]
    after = window_after(before, redacted_messages(new, known_secrets(state, vault)))
    return (Put(after),) if after != before else ()


def plan_remember(
    messages: Sequence[Message],
    state: MemoryState,
    now: datetime,
    *,
    explicit: bool,
    vault: Vault | None,
) -> list[Change]:
    """Return the tasks that remember what is new of ``messages``; known ids are passed over.

    A secret among what shall be kept outright is sealed at once, so that it waits nowhere in the
    clear; in everything else secrets are blotted out.
    """
    new = _new_messages(messages, state)
    secret = [message for message in new if explicit and is_secret(message.text)]
    requests = [RememberRequest(message.text, message) for message in secret]
    kept = plan_explicit_memories(requests, state, now, vault=vault)
    changes: list[Change] = [*kept.changes]
    changes += [Put(RememberedId(message_id=message.id)) for message in secret]
    after, _ = state.apply(changes)
    rest = redacted_messages([m for m in new if m not in secret], known_secrets(after, vault))
    for stretch in stretches_of(rest):
        task = Task(
            id=f"stretch-{stretch[0].id}",
            kind="segment",
            at=stretch[0].at,
            messages=stretch,
            explicit=explicit,
        )
        changes.append(Put(task))
    return changes


def _new_messages(messages: Sequence[Message], state: MemoryState) -> list[Message]:
    """Return what was neither remembered nor said nor erased before, each id once."""
    waiting = {m.id for task in state.tasks.values() for m in task.messages}
    spoken = {m.id for w in state.windows.values() for m in (*w.tail, *w.lines)}
    known = waiting | spoken
    new = {
        m.id: m
        for m in messages
        if m.id not in state.remembered_ids and m.id not in known and not is_erased(m.id, state)
    }
    return list(new.values())


def settings_changes(state: MemoryState, choose_settings: ChooseSettings) -> tuple[Change, ...]:
    """Return the household with the settings to live by, if they are not those it has."""
    known = state.agent_infos.get("household")
    settings = choose_settings(known.settings if known else None)
    if known and known.settings == settings:
        return ()
    return (Put(replace(state.agent_info, settings=settings)),)


def consolidation_tasks(night: FatePlan, state: MemoryState, now: datetime) -> Iterator[Change]:
    """Yield the tasks that consolidate episodes, one a batch; they survive a restart."""
    for batch in episode_batches(night.consolidate, state):
        yield Put(Task(id=f"consolidate-{batch[0]}", kind="consolidate", at=now, memory_ids=batch))
