"""Consolidation and compression: what lasts of a memory, and the same said in fewer words.

Before episodes end, the lasting facts in them are taken out, by the same gate as for a turn; but
only additions pass, since an old talk corrects nothing (source document 003). The compressor of
the law ``network`` writes a text that is never longer than asked and says nothing the memory does
not say (source document 002 §11.4); the caller keeps the former text for 30 days.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memory.changes import Change
from memory.judgement.assertions import ParsedMessage
from memory.judgement.brackets import Unreadable, brackets, comma_separated
from memory.judgement.case import Case
from memory.judgement.draft import NO_TOOLS, AgentTools, Judgement
from memory.judgement.evidence import Evidence
from memory.judgement.gate import admit
from memory.judgement.new_facts import with_absolute_dates
from memory.judgement.operations import Add, parse_operations
from memory.judgement.wording import Clause, clauses, covers, links_were_said, numbers_were_said
from memory.learning.segments import gist_of
from memory.learning.summarizer import StretchContext, episode_of
from memory.lifecycle.effects import at_level
from memory.lifecycle.partner_steps import mark_consolidated, plan_restore
from memory.model import Level, Memory, Message, Sensitivity, Tier, Words
from memory.network.cycle import shortened_words
from memory.offline.utterances import in_third_person, requested_lines
from memory.state import MemoryState
from memory.text.late_pattern import LatePattern
from memory.text.stretches import SENTENCE_END
from memory.text.tokens import keywords, phrase_of, tokens
from memory.views import MOST_JUDGED, memories_by_handle, prompt_lines, prompt_memories
from prompts import COMPRESSION_NAMES, Compress, Consolidate
from prompts.rendering import one_line

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
    last: bool = True,
) -> Judgement | Unreadable:
    """Return the facts that pass the gate, tied to their episodes, and the marks on these.

    There are no marks where this is not the ``last`` answer: a model is asked after the rules.
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
    if not last:
        return judged
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


FAITHFUL: Final = 0.5
"""The share of each new clause's terms that must stand in the old text, denied or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressionQuestion:
    """A memory put before the model to be said in at most ``characters`` characters."""

    prompt: Compress
    memory: Memory
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShorterText:
    """A readable answer to a compression."""

    text: str
    phrase: str
    keywords: tuple[str, ...]


def compression_question(
    memory_id: int, characters: int, state: MemoryState
) -> CompressionQuestion | None:
    """Return what to ask; None if the memory is gone or too private to be shortened."""
    memory = state.memories.get(memory_id)
    if memory is None or memory.nature.sensitivity >= Sensitivity.SENSITIVE:
        return None
    prompt = Compress(
        language=state.agent_info.settings.language,
        text=one_line(memory.words.text),
        phrase=memory.words.phrase,
        keywords=memory.words.keywords,
        characters=str(characters),
    )
    return CompressionQuestion(prompt=prompt, memory=memory, characters=characters)


def compressed_memory(
    asked: CompressionQuestion, answer: str, state: MemoryState
) -> Memory | Unreadable:
    """Return the memory as the answer tells it; Unreadable if it is no valid compression.

    It must be no longer than asked, and say nothing the memory does not say. The caller keeps the
    former text and counts the scan: :meth:`memory.network.cycle.ScannedNode.shortened`.
    """
    read = parse_shorter(answer)
    if isinstance(read, Unreadable):
        return read
    memory = state.memories.get(asked.memory.id)
    # The model takes its time; meanwhile the partner may have corrected or erased the memory.
    if memory is None or memory.words != asked.memory.words or not memory.is_active:
        return Unreadable("the memory changed meanwhile")
    if _breaks_off(read.text) and not _breaks_off(memory.words.text):
        return Unreadable("the shorter text breaks off")
    if not _is_faithful(read.text, memory.words.text):
        return Unreadable("the shorter text says something else")
    # Asked for more than the text has, an answer may still not be longer than the text.
    most = min(asked.characters, len(memory.words.text))
    words = shortened_words(memory.words, read.text, read.phrase, read.keywords, most)
    if words is None:
        return Unreadable("the shorter text is not short enough")
    gist = tuple(
        replace(passage, text=words.text)
        for passage in at_level(memory, Level.SUMMARY).passages
        if not passage.verbatim
    )
    return replace(memory, words=words, passages=gist)


def _breaks_off(text: str) -> bool:
    """Tell whether a text ends in a word that wants another: my locker at the, 主人最喜欢的是."""
    return _WANTS_MORE.search(text.rstrip(" 。.!！…")) is not None


_WANTS_MORE: Final = LatePattern(
    r"(?i)(?:[的是把被和跟与从或让]|\b(?:an?|the|my|your|his|her|its|our|their|\w+['’]s|of|at|in|on"
    r"|to|for|with|from|by|and|or|but|is|are|was|were|am|be|has|have|had|that|which|who|because|if"
    r"|than|my friend|the partner))$"
)


def parse_shorter(answer: str) -> ShorterText | Unreadable:
    """Return text, phrase and keywords of an answer of three lines; the last two may lack."""
    found = brackets(answer, frozenset(COMPRESSION_NAMES))
    if isinstance(found, Unreadable):
        return found
    lines = {bracket.name: bracket for bracket in found}
    if len(lines) != len(found) or any(b.target or b.attributes for b in found):
        return Unreadable("a line twice, or one that holds more than its text")
    text = lines["TEXT"].text if "TEXT" in lines else ""
    if not text:
        return Unreadable("no shorter text")
    return ShorterText(
        text=one_line(text),
        phrase=one_line(lines["PHRASE"].text) if "PHRASE" in lines else "",
        keywords=comma_separated(lines["KEYWORDS"].text) if "KEYWORDS" in lines else (),
    )


def _is_faithful(shorter: str, former: str) -> bool:
    """Tell whether a shorter text says nothing the former does not: terms, denials, figures.

    Clauses may be drawn together; but what is only denied may not be affirmed, nor the reverse.
    """
    if not (numbers_were_said(shorter, former) and links_were_said(shorter, former)):
        return False
    known = clauses(former)
    for clause in clauses(shorter):
        alike = [_says_term(term, known, negative=clause.negative) for term in clause.terms]
        either = [
            a or _says_term(t, known, negative=not clause.negative)
            for a, t in zip(alike, clause.terms, strict=True)
        ]
        if clause.negative and any(either) and not any(alike):
            return False
        # One term that was only denied is enough: "passed" must not come out of "did not pass".
        if not clause.negative and alike != either:
            return False
        if sum(either) < FAITHFUL * len(either):
            return False
    return True


def _says_term(term: str, known: Sequence[Clause], *, negative: bool) -> bool:
    return any(covers(term, each) and each.negative == negative for each in known)


def plan_return(state: MemoryState, memory_id: int, now: datetime) -> tuple[Change, ...]:
    """Return the changes that bring a memory back with all its words that are still there."""
    whole = whole_again(state.memory(memory_id), state, now)
    return plan_restore(state, memory_id, now, whole=whole)


def whole_again(memory: Memory, state: MemoryState, now: datetime) -> Memory | None:
    """Return a reduced memory with all its words; None if it lacks none, or none are left.

    For 30 days its former text is kept; after that the diary still has what it rests on.
    """
    if memory.words.level is Level.FULL or memory.sealed is not None:
        return None
    known = state.previous_texts.get(memory.id)
    if known is not None:
        return replace(memory, words=known.words, passages=known.passages)
    lines = (state.diary.get(each) for each in memory.source_ids)
    said = [line.message for line in lines if line is not None and not line.hidden]
    if memory.nature.tier is Tier.EPISODE:
        return _episode_told_whole(memory, said, state, now) if said else None
    text = _told_whole(memory, said, state) if _is_cut(memory.words) else memory.words.text
    if not text:
        return None
    words = memory.words
    if text != words.text:
        words = Words(text=text, phrase=phrase_of(text), keywords=keywords(text))
    passages = tuple(
        each if each.verbatim else replace(each, text=text) for each in memory.passages
    )
    return replace(memory, words=replace(words, level=Level.FULL), passages=passages)


def _is_cut(words: Words) -> bool:
    return words.level < Level.SUMMARY or words.original_length > len(words.text)


def _episode_told_whole(
    memory: Memory, said: Sequence[Message], state: MemoryState, now: datetime
) -> Memory:
    settings, origin = state.agent_info.settings, memory.origin
    context = StretchContext(
        id=origin.turn_id,
        conversation=origin.conversation,
        model=origin.model,
        written_at=now,
        rules=state.rules,
        zone=settings.zone,
    )
    made = episode_of(memory.id, gist_of(said, settings.language), said, context)
    return replace(memory, words=made.words, passages=made.passages)


def _told_whole(memory: Memory, said: Sequence[Message], state: MemoryState) -> str:
    """Return the sentence a cut fact was learnt from, told as facts are; "" if none is left."""
    settings, words = state.agent_info.settings, memory.words
    own = memory.origin.speaker or settings.partner
    subject = own if words.text.startswith(own) else settings.partner
    left = set(tokens(" ".join((words.text, words.phrase, *words.keywords))))
    best, most = "", -1
    for message in said if memory.is_fact else ():
        asked = requested_lines(message.text)
        for sentence in asked or SENTENCE_END.split(message.text):
            shared = len(left.intersection(tokens(sentence)))
            if message.role == "user" and sentence.strip() and shared > most:
                told = sentence if asked else in_third_person(sentence.strip(" 。."), subject)
                best, most = with_absolute_dates(told, message.at, settings), shared
    return best
