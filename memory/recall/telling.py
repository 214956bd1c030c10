"""Which of the notes that came up tell a model anything, and which of them its reply then says.

Rules read all of them: what is not told is marked, not taken away, and recall finds it as ever.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import merge
from itertools import chain, islice, takewhile
from typing import Final, NamedTuple

from memory.changes import DiaryLine, Receipt, Turn, Used
from memory.diary import in_order, window_lines
from memory.model import Memory, Tier
from memory.recall.index import line_order
from memory.recall.query import share_asked
from memory.recall.query_terms import telling_terms
from memory.recall.reading import LinePages, NameIndex
from memory.recall.slot_index import SPEAKER_LABELS
from memory.record_table import RecordTable
from memory.state import MemoryState, is_hidden
from memory.text.passed_on import own_text
from memory.text.tokens import is_dense, tokens
from memory.text.word_forms import ASKS_WHAT
from prompts import PromptLine, PromptMemory
from prompts.notes import QUOTES_PARTED_BY, core_of, says_all_of

_DIARY: Final = "diary"

_TOLD_ON: Final = re.compile(r"\[[0-9: -]{10,16}\] *")


def is_said_so(memory: Memory) -> bool:
    """Tell whether a talk goes by a line of it, word for word."""
    if memory.nature.tier is not Tier.EPISODE:
        return False
    title = _TOLD_ON.sub("", memory.words.text).rstrip("…")
    return any(title in each.text for each in memory.passages if each.verbatim)


def sources_told(memory: Memory) -> tuple[str, ...]:
    """Return the messages a memory says the same as: none, once its words were changed by hand."""
    changed = memory.trace.updated_at != memory.trace.created_at
    return () if changed else memory.source_ids


def is_shown_text(line: str) -> bool:
    """Tell whether a line of the diary mostly holds what its speaker only passes on."""
    own, shown = own_text(line)
    return len(shown) > len(own)


_ASKS_OF_TALK: Final = re.compile(
    r"[我你](?:们)?.{0,8}(?:问|答|回我|说过|说的|说了|推荐|建议|告诉|劝|答应|提过|提到|讲|聊)"
    r"|\b(?:ask(?:ed)?|did you|you (?:said|say|told|recommend|suggest|answer|promise))\b",
    re.IGNORECASE,
)
"""Who asks of their own questions, or of what she said, is to read them."""


def marked(
    memories: Sequence[PromptMemory],
    query: str,
    in_window: Collection[str],
    partner: str | None = None,
) -> tuple[PromptMemory, ...]:
    """Return the same notes, those marked that tell nothing beside the others and the talk.

    What was just said stands in the talk itself: ``in_window`` are the ids of its messages. Of
    two that rest on one message, or say the same, the fuller one is told. What a talk is quoted
    with says in a group whose it is, but for the ``partner``'s own; in private nobody is named.
    """
    asked = telling_terms(query)
    # Asked what was asked or answered, even a nod tells something.
    of_talk = _ASKS_OF_TALK.search(query) is not None
    found = [each if of_talk else _without_vain_quotes(each, asked) for each in memories]
    cores = [core_of(each.text, each.speaker) for each in found]
    for place, each in enumerate(found):
        others = [at for at, other in enumerate(found) if at != place and other.told]
        vain = (
            (not of_talk and is_vain(each, asked))
            or (
                partner is not None
                and each.tier == _DIARY
                and _is_confided(each.text, each, asked, partner)
            )
            or (bool(each.sources) and set(each.sources) <= set(in_window))
            or any(_is_told_by(each, found[at], same=cores[at] == cores[place]) for at in others)
        )
        if vain:
            # Of two alike one has to stay.
            found[place] = each._replace(told=False)
    if partner is None:
        return tuple(found)
    return tuple(_with_speakers(each, asked, partner) for each in found)


_CONFIDES: Final = re.compile(
    r"(?:别|不要|不许|甭)(?:再|先)?(?:到处|往外|跟|和|对|同|给)[^，,。]{0,10}[说讲传提]|(?:别|不要|不许|甭)"
    r"(?:再|先)?(?:告诉|让[^，,。]{1,8}知道)|保密|瞒着"
    r"|\b(?:don['’]?t|do not) (?:tell|spread|let \w+ know)\b"
    r"|\bbetween (?:us|you and me)\b|\bkeep (?:it|this|that) (?:quiet|secret|to yourself)\b",
    re.IGNORECASE,
)


def _is_confided(text: str, memory: PromptMemory, asked: Collection[str], partner: str) -> bool:
    """Tell whether somebody of a group wants a line kept quiet, and nobody asks for its matter."""
    said = (each for each in memory.said if each.role == "user" and text in each.text)
    others = any(each.speaker not in {"", partner} for each in said)
    return others and bool(_CONFIDES.search(text)) and not telling_terms(text) & set(asked)


def _with_speakers(memory: PromptMemory, asked: Collection[str], partner: str) -> PromptMemory:
    """Return what is told of a talk with the names of those whose words it quotes.

    The words of several, joined, would all be taken for those of one.
    """
    if memory.tier != "episode":
        return memory

    def said_by(words: str) -> str:
        said = (line for line in memory.said if line.text and words in line.text)
        line = max(said, key=lambda each: each.text == words, default=None)
        own = line is None or (line.role == "user" and line.speaker == partner)
        return "" if own or line is None else line.speaker

    quotes = memory.quote.split(QUOTES_PARTED_BY) if memory.quote else []
    quotes = [each for each in quotes if not _is_confided(each, memory, asked, partner)]
    named = [
        f"{who}{': ' if each.isascii() else '：'}{each}" if (who := said_by(each)) else each
        for each in quotes
    ]
    title = _TOLD_ON.sub("", memory.text).rstrip("…") if memory.own else ""
    speaker = memory.speaker or (said_by(title) if title else "")
    return memory._replace(quote=QUOTES_PARTED_BY.join(named), speaker=speaker)


_MOST_RENAMED: Final = 4
_RENAMED: Final = {
    "zh": "{}就是{}：改了名字，是同一个人",
    "en": "{} and {} are one person, who took another name",
}


def renamed_notes(names: NameIndex, now: datetime, state: MemoryState) -> Iterator[PromptMemory]:
    """Yield who of a group had other names before, of those who spoke last: they are not two."""
    settings = state.agent_info.settings
    # What was brought along from a private chat may still be called the partner's.
    people = [[x for x in each if x != settings.partner] for each in names.renamed()]
    for *before, name in [each for each in people if len(each) > 1][-_MOST_RENAMED:]:
        text = _RENAMED[settings.language].format(name, " / ".join(before))
        yield PromptMemory("", text, now, "entity")


def of_use(memories: Sequence[PromptMemory], used: Sequence[Used]) -> tuple[Used, ...]:
    """Return the use of what a prompt holds, of a line of the diary only if a model reads it."""
    pairs = zip(memories, used, strict=False)
    return tuple(use for each, use in pairs if each.told or each.tier != _DIARY)


def is_vain(memory: PromptMemory, asked: Collection[str]) -> bool:
    """Tell whether a line of the diary tells nothing to who asks of ``asked``."""
    if memory.tier != _DIARY:
        return False
    if any(line.role == "assistant" for line in memory.said):
        return _is_small_reply(memory.text, asked)
    return _tells_nothing(memory.text, asked)


_KEPT_SO: Final = re.compile(
    r"\*{3}|(?:帮我|替我|给我|请|你)?(?:记住|记一下|记着|记下来?|别忘了?|保密)|remember|keep|note"
    r"|please|secret|that|this|for me|\bit\b|[啊哦吧呀了哈啦\W_]",
    re.IGNORECASE,
)


def is_blotted(text: str) -> bool:
    """Tell whether nothing is left of a line but a mask and the wish to have it kept."""
    return "***" in text and not _KEPT_SO.sub("", text)


_ASKS_OPENLY: Final = re.compile(ASKS_WHAT, re.IGNORECASE)


def _tells_nothing(text: str, asked: Collection[str]) -> bool:
    """Tell whether a line is all blotted, or only asks: what is asked now, or of a single thing.

    Whoever asks may state something on the way: 我怀孕了能喝咖啡吗？
    """
    if is_blotted(text):
        return True
    if share_asked(text) < 1.0:
        return False
    terms = telling_terms(text)
    return terms <= set(asked) or (len(terms) <= 1 and bool(_ASKS_OPENLY.search(text)))


_SMALL: Final = {True: 14, False: 48}
"""Up to so many characters a reply of hers is a small one, in Chinese and in English."""

_HOLDS_SOMETHING: Final = re.compile(r"[《“\"「0-9]")
_FIXED: Final = re.compile(
    r"/memory\b|/forget\b|/undo\b|以后我可以偶尔主动找你|may I write to you first"
)


def _is_small_reply(text: str, asked: Collection[str]) -> bool:
    """Tell whether a reply of hers holds no matter of its own: a nod, a question, a fixed line."""
    if _FIXED.search(text) or share_asked(text) >= 1.0:
        return True
    if len(text) > _SMALL[is_dense(text)] or _HOLDS_SOMETHING.search(text):
        return False
    return not telling_terms(text) & set(asked)


def _without_vain_quotes(memory: PromptMemory, asked: Collection[str]) -> PromptMemory:
    if memory.tier != "episode" or not memory.quote:
        return memory
    quotes = memory.quote.split(QUOTES_PARTED_BY)
    kept = [q for q in quotes if not (_tells_nothing(q, asked) or _FIXED.search(q))]
    return memory._replace(quote=QUOTES_PARTED_BY.join(kept))


def _is_told_by(memory: PromptMemory, other: PromptMemory, *, same: bool) -> bool:
    """Tell whether another note says all that this one says, of the same time.

    ``same``: in the same words.
    """
    if memory.past != other.past or memory.instead not in {None, other.instead}:
        return False
    if memory.tier not in {"fact", _DIARY} or other.tier not in {"fact", _DIARY}:
        return False
    if set(memory.sources) & set(other.sources):
        return says_all_of(other.text, memory.text, memory.speaker)
    return same and memory.tier == other.tier == "fact"


_ENOUGH_WORDS: Final = 2
"""So many words of a line in a reply are no chance; a line may have fewer to tell."""


def is_used_in_reply(used: Used, turn: Turn, state: MemoryState) -> bool:
    """Whether a reply says words of what was looked up that nobody had said to it."""
    asked = {token for message in turn.said for token in tokens(message.text)}
    reply = set(tokens(turn.reply.text)) if turn.reply else set()
    lines = (state.diary[source] for source in used.source_ids if source in state.diary)
    texts = [f"{line.message.text}\n{line.message.quoted}" for line in lines]
    memory = state.memories.get(used.memory_id)
    if memory is not None:
        # 主人 is 你 in a reply: by what somebody is called nothing is told of them.
        labels = {*SPEAKER_LABELS, state.agent_info.settings.partner, memory.origin.speaker} - {""}
        named = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
        texts.append(re.sub(named, " ", memory.words.text, flags=re.IGNORECASE))
    telling = [set(tokens(text)) - asked for text in texts]
    return any(each and len(each & reply) >= min(_ENOUGH_WORDS, len(each)) for each in telling)


class SaidInReply(NamedTuple):
    """Something that was at hand for a reply and is said in it; ``line`` where one is quoted."""

    used: Used
    line: PromptLine | None = None


def said_in_reply(
    reply_id: str, receipt: Receipt, state: MemoryState
) -> tuple[SaidInReply, ...] | None:
    """Return what a reply says of what was at hand: what it quotes first, then what it words.

    A line of the talk itself may be quoted as well. None where the reply is not known any more.
    Of one that left the window pages are opened: call it in a thread.
    """
    told = state.diary.get(reply_id)
    if told is None:
        return None
    reply, talk = told.message, talk_before(told, state)
    asked = tuple(takewhile(lambda line: line.message.role == "user", talk))
    turn = Turn(
        id=receipt.turn_id,
        conversation=told.conversation,
        at=receipt.at,
        said=tuple(line.message for line in asked),
        reply=reply,
    )
    found: dict[object, SaidInReply] = {}
    for piece in filter(None, map(_letters, _QUOTED.findall(reply.text))):
        at_hand = ((use, line) for use in receipt.used for line in _lines_of(use, state))
        # Not the line that is answered: to say it again is no use of it.
        of_talk = (
            (Used(memory_id=0, score=1.0, reasons=(OF_TALK,), source_ids=(line.key,)), _said(line))
            for line in talk[1:]
        )
        held = (each for each in chain(at_hand, of_talk) if piece in _letters(each[1].text))
        for use, line in islice(held, 1):
            found.setdefault(use.memory_id or use.source_ids, SaidInReply(use, line))
    for use in receipt.used:
        if is_used_in_reply(use, turn, state) or _is_counted(use, receipt):
            found.setdefault(use.memory_id or use.source_ids, SaidInReply(use))
    return tuple(found.values())


OF_TALK: Final = "talk"
"""The reason of a line that stood in the talk itself."""

_QUOTED: Final = re.compile(r"[“「]([^”」]{2,})[”」]")

_LOOKED_BACK: Final = 60
"""So many lines of the talk are as far as a reply without a model sees."""


def _letters(text: str) -> str:
    """Return what is the same in a line and its quotation: no marks, no spaces."""
    return re.sub(r"[\W_]+", "", text).casefold()


def _said(line: DiaryLine) -> PromptLine:
    said = line.message
    return PromptLine(said.role, said.speaker, said.at, said.text)


def talk_before(told: DiaryLine, state: MemoryState) -> list[DiaryLine]:
    """Return the lines of a conversation before one of them, the newest first."""
    ids = [line.id for line in window_lines(told.conversation, state)]
    if told.key in ids:
        near = (state.diary.get(each) for each in reversed(ids[: ids.index(told.key)]))
        return list(islice(filter(None, near), _LOOKED_BACK))
    return list(islice(_lines_beside(told, state, back=True), _LOOKED_BACK))


def _lines_beside(told: DiaryLine, state: MemoryState, *, back: bool) -> Iterator[DiaryLine]:
    """Yield the lines of a talk from one of them on, or those before it, the last first.

    Where they stand in pages only those are opened that are asked for: to go through the diary
    takes a second where 100,000 lines are.
    """
    diary, number, talk = state.diary, told.number, told.conversation
    kept: Iterator[DiaryLine] = iter(())
    since: Iterable[DiaryLine] = diary.values()
    if isinstance(diary, RecordTable) and isinstance(paged := diary.documents, LinePages):
        changes: Mapping[str, DiaryLine | None] = diary.changes
        keys = (key for key in paged.beside(number, talk, back=back) if key not in changes)
        kept, since = (diary[key] for key in keys), filter(None, changes.values())
    beside = (x for x in since if x.conversation == talk and (x.number < number) == back)
    put = sorted(beside, key=line_order, reverse=back)
    yield from merge(kept, put, key=line_order, reverse=back)


_AROUND: Final = 2
_MOST_AROUND: Final = 16

_OUT_OF_ORDER: Final = 32
"""By so many places a line may stand elsewhere in the diary than where it was said."""


def lines_around(message_ids: Collection[str], state: MemoryState) -> list[DiaryLine]:
    """Return the lines of messages with the two before and after each, at most 16, in order.

    Those of other conversations are not around them, and what the partner hid is nowhere.
    """
    hiding = (memory for memory in state.memories.values() if is_hidden(memory))
    hidden = {source for memory in hiding for source in memory.source_ids}
    asked = in_order(filter(None, map(state.diary.get, message_ids)))
    found: dict[str, DiaryLine] = {}
    for line in asked:
        if line.hidden or line.key in hidden:
            continue
        talk = _talk_beside(line, hidden, state)
        place = talk.index(line)
        found.update((x.key, x) for x in talk[max(place - _AROUND, 0) : place + _AROUND + 1])
        if len(found) >= _MOST_AROUND and len({x.conversation for x in asked}) == 1:
            break  # what is around a later line of one talk is later as well
    return in_order(found.values())[:_MOST_AROUND]


def _talk_beside(line: DiaryLine, hidden: Collection[str], state: MemoryState) -> list[DiaryLine]:
    """Return the readable lines of a talk about one of them, in the order they were said."""
    found = list[DiaryLine]()
    for back in (True, False):
        beside = _lines_beside(line, state, back=back)
        readable = (x for x in beside if not x.hidden and x.key not in hidden)
        found += islice(readable, _OUT_OF_ORDER)
    return in_order(found)


def _lines_of(use: Used, state: MemoryState) -> Iterator[PromptLine]:
    """Yield the lines a memory or a hit rests on, as they were said."""
    memory = state.memories.get(use.memory_id)
    for each in memory.passages if memory else ():
        if each.verbatim:
            yield PromptLine(each.role, each.speaker, each.at, each.text)
    sources = dict.fromkeys((*use.source_ids, *(memory.source_ids if memory else ())))
    yield from (_said(state.diary[key]) for key in sources if key in state.diary)


def _is_counted(use: Used, receipt: Receipt) -> bool:
    """Tell whether what was learnt from a turn counts a memory as used."""
    return bool({f"BOOST #{use.memory_id}", f"REVIVE #{use.memory_id}"} & set(receipt.learnt))
