"""Consolidation: before episodes end, the lasting facts in them are taken out.

The same gate as for a turn, but only additions pass: an old talk corrects nothing (source document
003).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memory.judgement.brackets import Unreadable
from memory.judgement.draft import NO_TOOLS, AgentTools, Judgement
from memory.judgement.evidence import Evidence
from memory.judgement.gate import Case, admit
from memory.judgement.operations import Add, parse_operations
from memory.judgement.parsed import ParsedMessage
from memory.lifecycle.partner_steps import mark_consolidated
from memory.model import Memory, Message
from memory.state import MemoryState
from memory.text.tokens import tokens
from memory.views import MOST_JUDGED, memories_by_handle, prompt_lines, prompt_memories
from prompts import Consolidate

NOTHING_COUNTS: Final = Unreadable("nothing of the answer counts")

BATCH_CHARACTERS: Final = 8_000
"""The most characters of old talk that one call is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodesQuestion:
    """A batch of episodes put before the model, as they stood then."""

    prompt: Consolidate
    episodes: tuple[Memory, ...]
    said: tuple[Message, ...]
    shown: Mapping[str, Memory]
    tools: AgentTools = NO_TOOLS


def episode_batches(memory_ids: Sequence[int], state: MemoryState) -> tuple[tuple[int, ...], ...]:
    """Return episodes cut into batches of one call each, in the order given."""
    batches: list[list[int]] = []
    left = 0
    for memory_id in memory_ids:
        memory = state.memories.get(memory_id)
        if memory is None:
            continue
        length = sum(len(passage.text) for passage in memory.passages)
        if not batches or length > left:
            batches.append([])
            left = BATCH_CHARACTERS
        batches[-1].append(memory_id)
        left -= length
    return tuple(tuple(batch) for batch in batches)


def episodes_question(
    memory_ids: Sequence[int],
    state: MemoryState,
    now: datetime,
    tools: AgentTools = NO_TOOLS,
) -> EpisodesQuestion:
    """Return what to ask about episodes: their verbatim, and the facts memory already holds.

    Episodes that are gone or were consolidated already are left out; there may be none left.
    """
    settings = state.agent_info.settings
    zone = settings.zone
    found = (state.memories.get(memory_id) for memory_id in memory_ids)
    episodes = tuple(e for e in found if e is not None and e.lineage.consolidated_at is None)
    said = tuple(message for episode in episodes for message in verbatim_messages(episode))
    handles = memories_by_handle(_nearest_facts(said, state))
    prompt = Consolidate(
        language=settings.language,
        partner=settings.partner,
        now=now.astimezone(zone),
        lines=prompt_lines(said, zone),
        memories=prompt_memories(handles, zone),
    )
    return EpisodesQuestion(
        prompt=prompt, episodes=episodes, said=said, shown=handles, tools=tools
    )


def judge(
    asked: EpisodesQuestion,
    answer: str,
    state: MemoryState,
    now: datetime,
    *,
    model: str = "",
) -> Judgement | Unreadable:
    """Return the facts that pass the gate, tied to their episodes, and the marks on these.

    Only what the episode's verbatim holds, said by that speaker, may become a fact; an episode
    that was erased or changed meanwhile is no evidence any more.
    """
    operations = parse_operations(answer)
    if isinstance(operations, Unreadable):
        return operations
    # Judged by the episodes as they were shown: what the partner erased meanwhile proves nothing.
    still = tuple(e for e in asked.episodes if _is_unchanged(e, state))
    if not still:
        return Judgement(refused=("episodes gone",))
    judged = admit(operations, _case(asked, still, state, model), state, now)
    if judged.wrong and all(each.fault != "unsaid" for each in judged.wrong):
        return NOTHING_COUNTS
    # The marks are not in the entry for undo: taking the facts back must not ask for them again.
    after, _ = state.apply(judged.changes)
    marks = mark_consolidated(after, tuple(episode.id for episode in still), now)
    return Judgement(
        changes=(*judged.changes, *marks), learnt=judged.learnt, refused=judged.refused
    )


def verbatim_messages(episode: Memory) -> Iterator[Message]:
    """Yield the messages an episode holds word for word; what nobody said is quoted matter."""
    for passage in episode.passages:
        if passage.verbatim and passage.source_ids:
            yield Message(
                id=passage.source_ids[0],
                at=passage.at,
                speaker=passage.speaker,
                role=passage.role,
                # Verbatim without a speaker is what was shown in the talk and not said by anyone.
                text=passage.text if passage.speaker else "",
                quoted="" if passage.speaker else passage.text,
                speaker_id=passage.speaker_id,
            )


def _case(
    asked: EpisodesQuestion, still: Sequence[Memory], state: MemoryState, model: str
) -> Case:
    """Return what the answer is judged by: the verbatim of the episodes that are as they were."""
    settings = state.agent_info.settings
    said = tuple(message for episode in still for message in verbatim_messages(episode))
    zone = settings.zone
    people = ParsedMessage.all_of(said, zone)
    names = frozenset(each.message.speaker for each in people)
    evidence = Evidence(
        # No turn: the same words are known from many; see _is_known_already in the gate.
        turn_id="",
        conversation=still[0].origin.conversation,
        at=still[0].origin.at,
        zone=zone,
        partner=settings.partner,
        said=people,
        others=names - {""},
        talk=said,
    )
    return Case(
        evidence=evidence,
        shown=asked.shown,
        model=model,
        label="consolidation",
        allowed=frozenset({Add}),
        episodes={message.id: e.id for e in still for message in verbatim_messages(e)},
        # No vault: what was secret in the talk was taken out before it became an episode.
        tools=replace(asked.tools, vault=None),
    )


def _is_unchanged(episode: Memory, state: MemoryState) -> bool:
    known = state.memories.get(episode.id)
    return known is not None and known.passages == episode.passages


def _nearest_facts(said: Sequence[Message], state: MemoryState) -> list[Memory]:
    """Return the facts that share most words with what was said, at most ``MOST_JUDGED``."""
    words = {token for message in said if message.role == "user" for token in tokens(message.text)}
    ranked = [
        (sum(word in words for word in memory.words.keywords), memory.id)
        for memory in state.memories.values()
        if memory.is_active and memory.is_fact
    ]
    best = sorted((-shared, memory_id) for shared, memory_id in ranked if shared)
    return [state.memories[memory_id] for _, memory_id in best[:MOST_JUDGED]]
