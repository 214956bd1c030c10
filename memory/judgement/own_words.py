"""What a person said, as it is kept: in whose name, in their own words, and once.

In their own words it is kept where a model told it in words nobody said, or the rules kept only a
part of it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from memory.changes import Put
from memory.judgement import wording
from memory.judgement.assertions import ParsedText
from memory.judgement.case import Case
from memory.judgement.draft import Draft, inherited_links, with_added
from memory.judgement.evidence import LABELS, Evidence, adds_nothing
from memory.judgement.operations import Negate, Update
from memory.judgement.permission import is_message_as_name
from memory.model import Memory, Merged, Message
from memory.offline import OFFLINE_NAME
from memory.offline.claimed import OF_THE_MOMENT
from memory.offline.utterances import in_third_person, is_what_is_shown
from memory.offline.vocabulary import FILLS
from memory.state import MemoryState
from memory.text.tokens import is_dense, normalized
from prompts.rendering import one_line


def with_attribution(text: str, speaker: str, evidence: Evidence) -> str:
    """Return ``text`` under the name of who said it, where several people talk.

    In a group a person's own facts begin with their name; everything else is told as "B says".
    Else whatever a model calls the partner, "user", 用户 or 我, is the word for them here.
    """
    # "my friend", as she may call her partner, is no friend of theirs.
    if not any(normalized(each) in normalized(text) for each in {speaker, evidence.partner}):
        text = told_of(text, speaker, evidence)
    # The first to speak in a group is as little alone as the last.
    if not (evidence.in_group or evidence.others - {speaker}):
        return _with_name(text, evidence.partner, _ROLES)
    if is_message_as_name(speaker):
        # However it got into the text, such a name does not stay there.
        text = text.removeprefix(speaker).removeprefix(one_line(speaker))
        return told_by(speaker, _with_name(text, _somebody(text), {evidence.partner} | _ROLES))
    own = _with_name(text, speaker, LABELS | {evidence.partner})
    rest = own[len(speaker) :] if wording.begins_with(normalized(own), normalized(speaker)) else ""
    # Who claims to be the partner's husband says so; it is not what anybody knows.
    claims = any(label in normalized(rest) for label in LABELS | {normalized(evidence.partner)})
    return own if rest and not claims else told_by(speaker, text)


def told_by_whoever_said_it(shown: Message, before: Iterable[Message]) -> str:
    """Return what a message shows as the words of whoever said it among the lines before."""
    words = one_line(shown.quoted)
    said = [x for x in before if x.text and x.speaker and is_what_is_shown(words, x.text)]
    if not said:
        return told_by(_somebody(words), words)
    words = one_line(said[-1].text)
    # The partner's own words, alone with her, are told as such.
    own = said[-1].speaker == shown.speaker and not shown.speaker_id
    return words if own else told_by(said[-1].speaker, words)


def told_by(speaker: str, text: str) -> str:
    """Return a text as the words of somebody, as in 小白说：我住在海边."""
    # 我的代号是 Red_Fox is Chinese, however much else stands in it.
    dense = is_dense(text) or _BEGINS_DENSE.match(text) is not None
    # A name that is a message would put its words into every prompt that shows this memory.
    if is_message_as_name(speaker):
        speaker = _somebody(text)
    return f"{speaker}说：{text}" if dense else f"{speaker} says: {text}"


def _somebody(text: str) -> str:
    return "有人" if is_dense(text) or _BEGINS_DENSE.match(text) else "Somebody"


_BEGINS_DENSE: Final = re.compile(r"[\W\d_]*[一-鿿]")

_ROLES: Final = frozenset({"user", "the user", "用户"})
"""What stands for the partner in a prompt's frame, and never in what they said."""


def _with_name(text: str, speaker: str, labels: AbstractSet[str]) -> str:
    """Return the text with the speaker's name where it begins with a word for the partner."""
    # The longest first, so that "the user" is replaced as a whole.
    for label in sorted(labels, key=len, reverse=True):
        if wording.begins_with(normalized(text), normalized(label)):
            return speaker + text[len(label) :]
    return text


def told_of(words: str, speaker: str, evidence: Evidence) -> str:
    """Return somebody's own words as they are told of them: 主人… for 我…."""
    subject = speaker if evidence.in_group or evidence.others - {speaker} else evidence.partner
    if not words.isascii():
        return in_third_person(words, subject)
    return _SENTENCE.sub(lambda each: in_third_person(each[0], subject), words)


_SENTENCE: Final = re.compile(r"(?:[^.!?]|[.!?](?!\s))+")
"""A sentence of English: each names whom it is about."""


_PIECE: Final = re.compile(
    r"[，,。!！?？;；~～…\n]+\s*|\.(?=\s|$)\s*|(?<=[一-鿿])\s+(?=[一-鿿])"
    r"|\s*[\u2600-\u27bf\U0001f300-\U0001faff]+\s*"
)

_IDLE: Final = re.compile(
    r"\W*(?:哈+|嘿+|嗨|哈喽|你好[呀啊]?|在吗|唉|哎|哼|对了|跟你说"
    r"|h(?:i|ey|ello)+(?: there)?|lol|haha\w*|btw|tbh"
    r"|(?:and |still |all |so )*(?:going strong|so good|yay|phew|ugh|whatever))\W*",
    re.IGNORECASE,
)
"""What greets, laughs or sighs is nothing to be kept beside what is told."""


def beyond_kept(
    words: str, speaker: str, state: MemoryState, evidence: Evidence
) -> Iterator[tuple[Memory | None, str]]:
    """Yield what somebody's words tell beyond what is kept of this turn, and what it goes on from.

    我不喜欢吃螃蟹，太麻烦 goes on from 主人不喜欢吃螃蟹, and is told with it. What is kept
    already is not told again; where nothing of the words is, they are told whole.
    """
    told, names = told_of(words, speaker, evidence), evidence.names[speaker]
    every = [each for each in _PIECE.split(told) if each.strip()]
    kept = {
        each.words.text: each
        for each in state.memories.values()
        if each.is_living_fact and evidence.turn_id == each.origin.turn_id != ""
        if each.origin.speaker == speaker
    }
    rest: dict[str, list[str]] = {}
    last = ""
    for piece in (FILLS.sub("", each) for each in every):
        if _IDLE.fullmatch(piece) or OF_THE_MOMENT.fullmatch(piece):
            continue
        found = next((each for each in kept if adds_nothing(piece, [each], names, evidence)), "")
        whole = next((each for each in kept if adds_nothing(each, [piece], names, evidence)), "")
        # What leads up to it stands before it: 考上了！我是老师了.
        led = [] if last or not (found or whole) or told.isascii() else rest.pop("", [])
        last = found or whole or last
        rest.setdefault(last, []).extend([*led, found or piece])
    comma = ", " if told.isascii() else "，"
    for text, parts in rest.items():
        if not text:
            yield None, told if parts == every else comma.join(parts)
        elif parts != [text]:
            yield kept[text], comma.join(_each_once(parts))


def _each_once(parts: Sequence[str]) -> Iterator[str]:
    """Yield texts that are to be joined, without what stands word for word in one before."""
    told: set[str] = set()
    for part in parts:
        pieces = [each.strip() for each in _PIECE.split(part) if each.strip()]
        if not told.issuperset(map(normalized, pieces)):
            yield part
        told.update(map(normalized, pieces))


def kept_within(text: str, speaker: str, case: Case, state: MemoryState) -> Iterator[Memory]:
    """Yield what the rules kept of this turn that a judge's text tells whole, in its own words."""
    if case.model == OFFLINE_NAME:
        return
    names = case.evidence.names[speaker]
    for kept in state.memories.values():
        own = case.is_by_rule(kept) and kept.is_living_fact and kept.origin.speaker == speaker
        if own and adds_nothing(kept.words.text, [text], names, case.evidence):
            yield kept


def is_wording_of(operation: Update | Negate, held: ParsedText) -> bool:
    """Tell whether an operation on what was kept of this very turn can only word it better.

    That something told in one breath is over can be meant only where it does not say so itself.
    """
    return isinstance(operation, Update) or all(each.negative for each in held.clauses())


def with_taken_in(draft: Draft, kept: Sequence[Memory], new: Memory) -> Draft:
    """Return the draft with what was ``kept`` in ``new``, which tells the same words whole."""
    for old in kept:
        draft = draft.then(Put(replace(old, standing=Merged(draft.now, new.id))))
        before = draft.state.memories.get(old.lineage.replaces or 0)
        if before is not None and before.lineage.replaced_by == old.id:
            # What it took the place of has given way to the whole.
            lineage = replace(before.lineage, replaced_by=new.id)
            draft = draft.then(Put(replace(before, lineage=lineage)))
            begun = old.lineage.valid_from
            new = replace(new, lineage=replace(new.lineage, replaces=before.id, valid_from=begun))
    ids = [old.id for old in kept]
    links = inherited_links(ids, new.id, draft.state)
    label = " ".join(("MERGE", *(f"#{each}" for each in (*ids, new.id))))
    return with_added(draft.then(*links), new, label)
