"""ConversationSummarizer: a stretch of conversation becomes episodes.

One call cuts the stretch; where no model can, a rule does, so nothing that was to be remembered
is ever lost. Every message stays verbatim in its episode (source documents 003, and 002 §9).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.changes import Change, Put, RememberedId
from memory.diary import scene_changes, waiting_messages
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import Judgement
from memory.judgement.evidence import LABELS
from memory.judgement.new_facts import birth_of_talk
from memory.judgement.permission import is_message_as_name
from memory.judgement.wording import Clause, clauses, covers
from memory.laws import network
from memory.laws.registry import Rules
from memory.learning.segments import Segment, gist_of, parse_segments, segments_by_rule
from memory.model import (
    AgentSettings,
    Lineage,
    Memory,
    Message,
    Nature,
    Origin,
    Passage,
    Source,
    Tier,
    Trace,
    Words,
    only_speaker,
)
from memory.network.index import NetworkIndex, focus_after, named_entities
from memory.network.links import SpokenOf, links_for
from memory.privacy.redaction import masked
from memory.state import MemoryState
from memory.text.passed_on import own_words_of, without_sent
from memory.text.tokens import PHRASE_CHARACTERS, first_words, is_dense, normalized, phrase_of
from memory.views import prompt_lines
from prompts import Summarize
from prompts.rendering import one_line, plain

GIST_CHARACTERS: Final = 200
"""A longer gist is cut: the verbatim holds the rest."""

"""With it every episode starts, however important a new fact is."""

IMPORTED: Final = "import"
"""The conversation of what was brought in: it was held elsewhere."""

_NAME_CHARACTERS: Final = 20

MOSTLY: Final = 0.6
"""If only 小祥 said this share of a claim, the claim is hers and not the partner's."""

# A model may write the date of the talk before the gist; the heading gives it already.
_HEADING: Final = re.compile(
    r"^[\[［【(（]?\d{4}-\d{1,2}-\d{1,2}[^\]］】)）]{0,12}[\]］】)）]?\s*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StretchContext:
    """What all episodes of one stretch share."""

    id: str
    conversation: str
    model: str
    written_at: datetime
    rules: Rules
    zone: ZoneInfo

    @property
    def settings(self) -> AgentSettings:
        """Return the settings of the agent."""
        return self.rules.settings


def episode_of(
    memory_id: int, segment: Segment, messages: Sequence[Message], stretch: StretchContext
) -> Memory:
    """Return the episode of a segment, e.g. ``[2026-01-03 18:00] 聊了面试、游戏``.

    The date is that of its first message on the agent's clock. Secrets are masked in the
    verbatim, since nothing seals an episode; what was shown and not said is a passage without a
    speaker.
    """
    told = _trusted_segment(segment, messages, stretch)
    first = messages[0].at
    gist = masked(_HEADING.sub("", one_line(told.gist)))[:GIST_CHARACTERS]
    text = f"[{first.astimezone(stretch.zone):%Y-%m-%d %H:%M}] {gist}"
    at = first.astimezone(UTC)
    imported = stretch.conversation == IMPORTED
    return Memory(
        id=memory_id,
        words=Words(
            text=text, phrase=_phrase(told, gist), keywords=_keywords(told, messages, stretch)
        ),
        nature=Nature(tier=Tier.EPISODE),
        trace=_trace(at, messages, stretch),
        lineage=Lineage(restored_at=stretch.written_at.astimezone(UTC) if imported else None),
        origin=Origin(
            source=Source.IMPORT if imported else Source.BACKGROUND,
            at=at,
            conversation=stretch.conversation,
            turn_id=stretch.id,
            model=stretch.model,
            modalities=tuple(dict.fromkeys(message.modality for message in messages)),
        ),
        passages=(_gist_passage(text, messages, at), *_verbatim_passages(messages)),
    )


def _trace(at: datetime, messages: Sequence[Message], stretch: StretchContext) -> Trace:
    """Return the numbers of a new episode; one that was brought in begins its days today.

    It is long over, and would else be let go the night after it was brought.
    """
    now = stretch.written_at.astimezone(UTC)
    begins = now if stretch.conversation == IMPORTED else at
    trace = stretch.rules.new_trace(birth_of_talk(messages, begins))
    return replace(trace, created_at=at, updated_at=now)


def entities_named(
    segment: Segment, messages: Sequence[Message], stretch: StretchContext, index: NetworkIndex
) -> tuple[tuple[str, str], ...]:
    """Return the entities of a segment that were really named in it or are known already.

    So are the names that are known and stand in it, whether or not the segment tells them. Nobody
    who takes part is an entity: everything would hang on them.
    """
    present = {normalized(name) for name in (*LABELS, stretch.settings.partner)}
    present |= {normalized(message.speaker) for message in messages}
    said = normalized("\n".join(message.text for message in messages))
    told = {
        one_line(name): one_line(relation)[:_NAME_CHARACTERS]
        for name, relation in segment.entities
        if len(name) <= _NAME_CHARACTERS
        and normalized(name) not in present
        and (normalized(name) in said or index.entity(name) is not None)
    }
    listed = present | {normalized(name) for name in told}
    known = (name for name in index.entities_in(said) if normalized(name) not in listed)
    return (*told.items(), *((name, "") for name in known))


def share_of_lines(name: str, messages: Sequence[Message]) -> float:
    """Return in which share of the messages a name stands, 0 to 1."""
    wanted = normalized(name)
    return sum(wanted in normalized(each.text) for each in messages) / max(len(messages), 1)


def _trusted_segment(
    segment: Segment, messages: Sequence[Message], stretch: StretchContext
) -> Segment:
    """Return the segment as the model told it, or by rule if it tells what was only shown.

    Matter somebody forwarded or pasted can speak to the model; what stands in it and was not said
    by a person may not become what 小祥 remembers of the talk, though she may have repeated it.
    Nor may a claim about somebody that stands in nobody's words but her own.
    """
    people = [message for message in own_words_of(messages) if message.role == "user"]
    # A display name that is really a message is shown matter like any other.
    names = (message.speaker for message in people if is_message_as_name(message.speaker))
    shown = clauses(plain("\n".join((*(message.quoted for message in people), *names))))
    told = clauses(f"{segment.gist}，{segment.phrase}")
    claims = [clause for clause in told if _is_about_partner(clause, stretch.settings)]
    if not shown and not claims:
        return segment
    said = clauses("\n".join(message.text for message in people))
    hers = clauses("\n".join(m.text for m in messages if m.role == "assistant"))
    strange = any(_terms_only_in(shown, said, clause) for clause in told) or any(
        len(_terms_only_in(hers, said, clause)) >= MOSTLY * len(clause.terms)
        for clause in claims
        if clause.terms
    )
    return gist_of(people, stretch.settings.language) if strange else segment


def _terms_only_in(here: Sequence[Clause], there: Sequence[Clause], told: Clause) -> list[str]:
    """Return the terms of a clause that stand here and not there."""
    found = [term for term in told.terms if any(covers(term, clause) for clause in here)]
    return [term for term in found if not any(covers(term, clause) for clause in there)]


def _is_about_partner(clause: Clause, settings: AgentSettings) -> bool:
    text = normalized(clause.text)
    return any(normalized(label) in text for label in (*LABELS, settings.partner))


def _phrase(told: Segment, gist: str) -> str:
    phrase = masked(one_line(told.phrase))
    # A clause of as many words takes more letters than it takes Chinese characters.
    most = (2 if is_dense(phrase) else 3) * PHRASE_CHARACTERS
    return first_words(phrase, most) if phrase else phrase_of(gist)


def _keywords(
    told: Segment, messages: Sequence[Message], stretch: StretchContext
) -> tuple[str, ...]:
    """Return the keywords that were really said, or the segment's own."""
    said = normalized("\n".join(masked(without_sent(message.text)) for message in messages))
    stated = tuple(word for word in told.keywords if normalized(word) in said)
    return stated or gist_of(messages, stretch.settings.language).keywords


def _gist_passage(text: str, messages: Sequence[Message], at: datetime) -> Passage:
    """Return the gist as a passage: of one person, if nobody else spoke but 小祥."""
    ids = tuple(message.id for message in messages)
    people = (message for message in messages if message.role == "user")
    return Passage(text=text, source_ids=ids, at=at, speaker_id=only_speaker(people))


def _verbatim_passages(messages: Sequence[Message]) -> Iterator[Passage]:
    for message in messages:
        at = message.at.astimezone(UTC)
        if message.text:
            yield Passage(
                text=masked(message.text),
                source_ids=(message.id,),
                at=at,
                speaker=message.speaker,
                role=message.role,
                verbatim=True,
                speaker_id=message.speaker_id,
            )
        if message.quoted:
            yield Passage(
                text=masked(message.quoted),
                source_ids=(message.id,),
                at=at,
                role=message.role,
                verbatim=True,
                speaker_id=message.speaker_id,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class StretchQuestion:
    """A stretch put before the model. ``id`` names it: a task's id, or any name of a tail."""

    prompt: Summarize
    id: str
    conversation: str
    messages: tuple[Message, ...]
    index: NetworkIndex | None = None


def stretch_question(
    messages: Sequence[Message],
    state: MemoryState,
    now: datetime,
    *,
    stretch: str,
    conversation: str,
    index: NetworkIndex | None = None,
) -> StretchQuestion:
    """Return what to ask about messages that left working memory or were given to ``remember``."""
    settings = state.agent_info.settings
    zone = settings.zone
    known = (state.memories.get(memory_id) for memory_id in state.agent_info.focus)
    prompt = Summarize(
        language=settings.language,
        partner=settings.partner,
        now=now.astimezone(zone),
        lines=prompt_lines(messages, zone),
        focus=tuple(entity.words.text for entity in known if entity is not None),
    )
    return StretchQuestion(
        prompt=prompt,
        id=stretch,
        conversation=conversation,
        messages=tuple(messages),
        index=index,
    )


def judge(
    asked: StretchQuestion,
    answer: str,
    state: MemoryState,
    now: datetime,
    *,
    model: str = "",
) -> Judgement | Unreadable:
    """Return the episodes the answer makes of the stretch, in the state as it is by now."""
    segments = parse_segments(answer, len(asked.messages))
    if isinstance(segments, Unreadable):
        return segments
    return _episodes_of(asked, segments, _context(asked, state, now, model), state)


def episodes_by_rule(asked: StretchQuestion, state: MemoryState, now: datetime) -> Judgement:
    """Return the episodes a rule makes of the stretch: for when no answer can be read."""
    segments = segments_by_rule(asked.messages, state.agent_info.settings.language)
    return _episodes_of(asked, segments, _context(asked, state, now, ""), state)


def _context(
    asked: StretchQuestion, state: MemoryState, now: datetime, model: str
) -> StretchContext:
    settings = state.agent_info.settings
    return StretchContext(
        id=asked.id,
        conversation=asked.conversation,
        model=model,
        written_at=now,
        rules=state.rules,
        zone=settings.zone,
    )


def _episodes_of(
    asked: StretchQuestion,
    segments: Sequence[Segment],
    plan: StretchContext,
    state: MemoryState,
) -> Judgement:
    """Return the changes of a cut stretch: episodes, their lines, entities, focus, links.

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
    # Where only pictures and the like came, nothing was said that could come back.
    told = [each for each in kept if _is_told(each[1])]
    made = _episode_changes(told, plan, state, asked.index or NetworkIndex.build(state))
    ids = (message.id for each in kept if each not in told for message in each[1])
    done = (Put(RememberedId(message_id=each)) for each in ids)
    return replace(made, changes=(*made.changes, *done))


def _is_told(messages: Sequence[Message]) -> bool:
    people = [message for message in messages if message.role == "user"]
    return not people or any(each.quoted or without_sent(each.text) for each in people)


def _episode_changes(
    kept: Sequence[tuple[Segment, tuple[Message, ...]]],
    plan: StretchContext,
    state: MemoryState,
    index: NetworkIndex,
) -> Judgement:
    if not kept:
        return Judgement()
    # Entities first: episodes are linked to those in focus, so these need their ids before.
    told = [entities_named(segment, messages, plan, index) for segment, messages in kept]
    names = list(dict.fromkeys(name for pairs in told for name, _ in pairs))
    named = named_entities(names, index, first_id=state.next_id, at=kept[0][1][0].at)
    episodes = [
        episode_of(number, segment, messages, plan)
        for number, (segment, messages) in enumerate(kept, state.next_id + len(named.new))
    ]
    focus = state.agent_info.focus
    chosen = plan.rules.parameters_of(network.LAW)
    hangs: dict[int, dict[int, SpokenOf]] = {}
    for episode, pairs, (_, messages) in zip(episodes, told, kept, strict=True):
        mentions = {
            named.ids[name]: SpokenOf(relation, share_of_lines(name, messages))
            for name, relation in pairs
        }
        focus = focus_after(focus, list(mentions), chosen.focus_limit)
        # Only to the names it speaks of: what is merely in focus would make a hub of each name.
        hangs[episode.id] = {entity: mentions[entity] for entity in focus if entity in mentions}
    changes: list[Change] = [Put(memory) for memory in (*named.new, *episodes)]
    after, _ = state.apply(changes)
    first = chosen.link_initial_strength
    changes += links_for(episodes, after, index=index, focus=hangs, sequence=first)
    changes += [
        Put(RememberedId(message_id=message.id)) for _, messages in kept for message in messages
    ]
    for episode, (_, messages) in zip(episodes, kept, strict=True):
        changes += scene_changes(episode.id, messages, state)
    if focus != state.agent_info.focus:
        changes.append(Put(replace(state.agent_info, focus=focus)))
    learnt = tuple(f"EPISODE #{episode.id}" for episode in episodes)
    return Judgement(changes=tuple(changes), learnt=learnt)


def _waiting_ids(asked: StretchQuestion, state: MemoryState) -> frozenset[str]:
    """Return the ids of the stretch that still wait to be remembered."""
    window = state.windows.get(asked.conversation)
    task = state.tasks.get(asked.id)
    waiting = (*(window.tail if window else ()), *(waiting_messages(task, state) if task else ()))
    return frozenset(message.id for message in waiting if message.id not in state.remembered_ids)
