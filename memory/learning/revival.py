"""Coming back: what was looked up and really used becomes a memory again.

What somebody sincerely asked for was needed, whatever a law had thought of it: archived becomes
active, and an ended episode is cut anew from its lines in the diary (docs/decisions/diary.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memory.changes import Change, DiaryLine, Put, Turn, Used
from memory.diary import in_order, scene_changes
from memory.erasing.erasure import memory_is_erased
from memory.judgement.draft import Draft
from memory.laws.law import Event
from memory.learning.segments import gist_of
from memory.learning.summarizer import StretchContext, episode_of
from memory.lifecycle.consequences import plan_events
from memory.model import ACTIVE, Lineage, Memory, Message
from memory.network.index import NetworkIndex
from memory.network.links import links_for
from memory.recall.ranking import can_be_looked_up
from memory.state import MemoryState
from memory.text.tokens import tokens

_ENOUGH_WORDS: Final = 2
"""So many words of a line in a reply are no chance; a line may have fewer to tell."""


@dataclass(frozen=True, slots=True)
class Revival:
    """What comes back by one turn: the changes, and the labels of the receipt."""

    changes: tuple[Change, ...] = ()
    labels: tuple[str, ...] = ()


def plan_revival(
    turn: Turn, state: MemoryState, now: datetime, index: NetworkIndex | None = None
) -> Revival:
    """Return what comes back because the reply of a turn says what was looked up for it."""
    draft = Draft(state=state, now=now)
    labels: list[str] = []
    for used in turn.used:
        if not used.looked_up or not is_used_in_reply(used, turn, state):
            continue
        revived = _revived(used, draft.state, now)
        if revived is None:
            continue
        known = revived.id in draft.state.memories
        lines = scene_changes(revived.id, _messages_of(revived, draft.state), draft.state)
        draft = draft.then(Put(revived), *(() if known else lines))
        # As told again: every law counts it as it counts what the partner says once more.
        draft = draft.then(*plan_events(draft.state, [(revived.id, Event.MENTION)], now))
        draft = draft.then(*_links_of_revived(revived, draft.state, index))
        labels.append(f"REVIVE #{revived.id}")
    return Revival(draft.changes, tuple(labels))


def memories_in_reply(turn: Turn, state: MemoryState) -> list[int]:
    """Return the memories the reply of a turn really used; being shown together ties nothing."""
    return [used.memory_id for used in turn.used if is_used_in_reply(used, turn, state)]


def is_used_in_reply(used: Used, turn: Turn, state: MemoryState) -> bool:
    """Whether a reply says words of what was looked up that nobody had said to it."""
    asked = {token for message in turn.said for token in tokens(message.text)}
    reply = set(tokens(turn.reply.text))
    lines = (state.diary[source] for source in used.source_ids if source in state.diary)
    texts = [f"{line.message.text}\n{line.message.quoted}" for line in lines]
    memory = state.memories.get(used.memory_id)
    if memory is not None:
        texts.append(memory.words.text)
    telling = [set(tokens(text)) - asked for text in texts]
    return any(each and len(each & reply) >= min(_ENOUGH_WORDS, len(each)) for each in telling)


def _revived(used: Used, state: MemoryState, now: datetime) -> Memory | None:
    """Return the memory that comes back, as it is before any law counts it; None if none does."""
    memory = state.memories.get(used.memory_id)
    if memory is not None:
        if not can_be_looked_up(memory) or memory.is_past or memory.sealed is not None:
            return None
        lineage = memory.lineage if memory.is_active else replace(memory.lineage, revived_at=now)
        return replace(memory, standing=ACTIVE, lineage=lineage)
    line = next((state.diary[each] for each in used.source_ids if each in state.diary), None)
    if line is None or line.scene == 0 or line.hidden or line.past:
        return None
    return _episode_from_lines(line, state, now)


def _episode_from_lines(line: DiaryLine, state: MemoryState, now: datetime) -> Memory:
    """Return the episode that an ended one was, cut anew from the lines that are left of it."""
    settings = state.agent_info.settings
    scene = [each for each in state.diary.values() if each.scene == line.scene > 0] or [line]
    messages = [each.message for each in in_order(scene) if not each.hidden]
    # Its own id, by which links and lines still know it; not that of a memory that was erased.
    own = line.scene > 0 and not memory_is_erased(line.scene, state)
    context = StretchContext(
        id="",
        conversation=line.conversation,
        model="",
        written_at=now,
        rules=state.rules,
        zone=settings.zone,
    )
    told = gist_of(messages, settings.language)
    episode = episode_of(line.scene if own else state.next_id, told, messages, context)
    # Its lasting facts were taken out before it ended: an episode ends only then.
    return replace(episode, lineage=Lineage(consolidated_at=now, revived_at=now))


def _messages_of(memory: Memory, state: MemoryState) -> Sequence[Message]:
    return [state.diary[each].message for each in memory.source_ids if each in state.diary]


def _links_of_revived(
    memory: Memory, state: MemoryState, index: NetworkIndex | None
) -> Sequence[Change]:
    """Return the links of a revived memory, also to what is being talked about."""
    focus = dict.fromkeys(state.agent_info.focus, "")
    focus.pop(memory.id, None)
    return links_for([memory], state, index=index, focus={memory.id: focus})
