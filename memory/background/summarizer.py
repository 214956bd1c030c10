"""ConversationSummarizer: a stretch of conversation becomes episodes (003, 002 §9).

One call cuts the stretch; where no model can, a rule does, so nothing that was to be remembered
is ever lost. Every message stays verbatim in its episode.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.background.cutting import gist_of, segments_by_rule
from memory.background.episodes import StretchContext, entities_named, episode_of
from memory.background.grammar import Unreadable
from memory.background.judged import Judgement
from memory.background.material import prompt_lines, zone_of
from memory.background.segments import Segment, parse_segments
from memory.changes import Change, Put, RememberedId
from memory.laws.parameters import parameters
from memory.model import Message
from memory.network.focus import named_entities, focus_after
from memory.network.index import NetworkIndex
from memory.network.linking import links_for
from memory.state import MemoryState
from prompts import Summarize


@dataclass(frozen=True, slots=True, kw_only=True)
class StretchQuestion:
    """A stretch put before the model. ``id`` names it: a task's id, or any name of a tail."""

    prompt: Summarize
    id: str
    conversation: str
    messages: tuple[Message, ...]


def stretch_question(
    messages: Sequence[Message],
    state: MemoryState,
    now: datetime,
    *,
    stretch: str,
    conversation: str,
) -> StretchQuestion:
    """Return what to ask about messages that left working memory or were given to ``remember``."""
    settings = state.agent_info.settings
    zone = zone_of(settings)
    known = (state.memories.get(memory_id) for memory_id in state.agent_info.focus)
    prompt = Summarize(
        language=settings.language,
        partner=settings.partner,
        now=now.astimezone(zone),
        lines=prompt_lines(messages, zone),
        focus=tuple(entity.words.text for entity in known if entity is not None),
    )
    return StretchQuestion(
        prompt=prompt, id=stretch, conversation=conversation, messages=tuple(messages)
    )


def judge(
    asked: StretchQuestion,
    answer: str,
    state: MemoryState,
    now: datetime,
    *,
    model: str = "",
    index: NetworkIndex | None = None,
) -> Judgement | Unreadable:
    """Return the episodes the answer makes of the stretch, in the state as it is by now."""
    segments = parse_segments(answer, len(asked.messages))
    if isinstance(segments, Unreadable):
        return segments
    return _episodes_of(asked, segments, _context(asked, state, now, model), state, index)


def episodes_by_rule(
    asked: StretchQuestion, state: MemoryState, now: datetime, *, index: NetworkIndex | None = None
) -> Judgement:
    """Return the episodes a rule makes of the stretch: for when no answer can be read."""
    language = state.agent_info.settings.language
    segments = segments_by_rule(asked.messages, language)
    return _episodes_of(asked, segments, _context(asked, state, now, ""), state, index)


def _context(
    asked: StretchQuestion, state: MemoryState, now: datetime, model: str
) -> StretchContext:
    settings = state.agent_info.settings
    return StretchContext(
        id=asked.id,
        conversation=asked.conversation,
        model=model,
        written_at=now,
        settings=settings,
        zone=zone_of(settings),
    )


def _episodes_of(
    asked: StretchQuestion,
    segments: Sequence[Segment],
    plan: StretchContext,
    state: MemoryState,
    index: NetworkIndex | None,
) -> Judgement:
    """Return the changes of a cut stretch: episodes, entities, focus, links, what was seen.

    Messages that were erased since, or remembered already, are left out; a segment that lost a
    message is told anew from what is left, since its gist may speak of what was erased.
    """
    waiting = _waiting_ids(asked, state)
    kept: list[tuple[Segment, tuple[Message, ...]]] = []
    for segment in segments:
        all_of_it = asked.messages[segment.first - 1 : segment.last]
        left = tuple(message for message in all_of_it if message.id in waiting)
        if left:
            whole = len(left) == len(all_of_it)
            kept.append((segment if whole else gist_of(left, plan.settings.language), left))
    return _episode_changes(kept, plan, state, index or NetworkIndex.build(state))


def _episode_changes(
    kept: Sequence[tuple[Segment, tuple[Message, ...]]],
    plan: StretchContext,
    state: MemoryState,
    index: NetworkIndex,
) -> Judgement:
    if not kept:
        return Judgement()
    told = [entities_named(segment, messages, plan, index) for segment, messages in kept]
    names = list(dict.fromkeys(name for pairs in told for name, _ in pairs))
    first_at = kept[0][1][0].at
    named = named_entities(names, index, first_id=state.next_id, at=first_at)
    first_id = state.next_id + len(named.new)
    episodes = [
        episode_of(first_id + number, segment, messages, plan)
        for number, (segment, messages) in enumerate(kept)
    ]
    focus = state.agent_info.focus
    chosen = parameters(plan.settings).network
    hangs: dict[int, dict[int, str]] = {}
    for episode, pairs in zip(episodes, told, strict=True):
        relations = {named.ids[name]: relation for name, relation in pairs}
        focus = focus_after(focus, list(relations), chosen.focus_limit)
        hangs[episode.id] = {entity: relations.get(entity, "") for entity in focus}
    changes: list[Change] = [Put(memory) for memory in (*named.new, *episodes)]
    after, _ = state.apply(changes)
    first = chosen.link_initial_strength
    changes += links_for(episodes, after, index=index, focus=hangs, sequence=first)
    changes += [
        Put(RememberedId(message_id=message.id)) for _, messages in kept for message in messages
    ]
    agent_info = state.agent_info
    if focus != agent_info.focus:
        changes.append(Put(replace(agent_info, focus=focus)))
    learnt = tuple(f"EPISODE #{episode.id}" for episode in episodes)
    return Judgement(changes=tuple(changes), learnt=learnt)


def _waiting_ids(asked: StretchQuestion, state: MemoryState) -> frozenset[str]:
    """Return the ids of the stretch that still wait to be remembered."""
    window = state.windows.get(asked.conversation)
    task = state.tasks.get(asked.id)
    waiting = (*(window.tail if window else ()), *(task.messages if task else ()))
    return frozenset(message.id for message in waiting if message.id not in state.remembered_ids)
