"""What a person said, as it is kept: in whose name, in their own words, and once.

In their own words it is kept where a model told it in words nobody said, or the rules kept only a
part of it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from memory.changes import Drop, PreviousText, Put
from memory.judgement import wording
from memory.judgement.assertions import ParsedText
from memory.judgement.case import Case
from memory.judgement.draft import Draft, inherited_links, with_added, with_mention
from memory.judgement.evidence import LABELS, Evidence, Support, adds_nothing
from memory.judgement.lexicon import EN_PAST_FORMS
from memory.judgement.new_facts import known_fact, says_the_same, with_absolute_dates
from memory.judgement.old_talk import is_over_by_now
from memory.judgement.operations import Negate, Update
from memory.judgement.permission import is_message_as_name
from memory.judgement.wording import Names
from memory.lifecycle.partner_steps import made_firm
from memory.model import ACTIVE, Level, Memory, Merged, Message, Words
from memory.offline import OFFLINE_NAME
from memory.offline.claimed import OF_THE_MOMENT
from memory.offline.utterances import in_third_person
from memory.offline.vocabulary import FILLS
from memory.recall.need import is_what_is_shown
from memory.state import MemoryState, still_holds
from memory.text.layout import head_of_shown
from memory.text.tokens import is_dense, keywords, normalized, phrase_of
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
    if called := _CALLED.fullmatch(text.replace(evidence.partner, "主人")):
        return told_by(speaker, f"可以叫我{called['name']}")
    own = _with_name(text, speaker, LABELS | {evidence.partner})
    rest = own[len(speaker) :] if wording.begins_with(normalized(own), normalized(speaker)) else ""
    # Who claims to be the partner's husband says so; it is not what anybody knows.
    claims = any(label in normalized(rest) for label in LABELS | {normalized(evidence.partner)})
    return own if rest and not claims else told_by(speaker, text)


_CALLED: Final = re.compile(r"可以叫主人(?P<name>[^，,。]{1,12})")


def told_by_whoever_said_it(shown: Message, before: Iterable[Message]) -> str:
    """Return what a message shows as the words of whoever said it among the lines before."""
    author, text = head_of_shown(shown.quoted)
    words = one_line(text)
    said = [x for x in before if x.text and x.speaker and is_what_is_shown(words, x.text)]
    if not said:
        return told_by(author or _somebody(words), words)
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
        if not own or not adds_nothing(kept.words.text, [text], names, case.evidence):
            continue
        # Whose it is must not be lost with the sentence that says so.
        if _names(led_as(text, [kept], case.evidence), kept, case.evidence):
            yield kept


def led_as(text: str, kept: Iterable[Memory], evidence: Evidence) -> str:
    """Return a text of a judge's with the subject that the rules gave the words it begins with.

    Who copies "moved to Larne, renting a flat" says nothing of who moved.
    """
    first = _FIRST_WORD.match(normalized(text))
    does = first is not None and (first[0] in EN_PAST_FORMS or first[0].endswith(("ed", "ing")))
    partner = evidence.partner
    leads = [f"{partner}: "] if does else [partner] if is_dense(text) else []
    for told in (each.words.text for each in kept):
        for lead in leads:
            rest = normalized(told.removeprefix(lead))
            if told.startswith(lead) and normalized(text).startswith(rest):
                return f"{lead}{text}"
    return text


_FIRST_WORD: Final = re.compile(r"[a-z]+")


def _names(text: str, kept: Memory, evidence: Evidence) -> bool:
    """Tell whether a text says who it is of, if what is kept begins with who does it."""
    partner, told = normalized(evidence.partner), normalized(kept.words.text)
    colon = told.removeprefix(partner)[:1] in {":", "："}
    return colon or partner in normalized(text) or not told.startswith(partner)


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


def known_now(
    text: ParsedText, support: Support, draft: Draft, *, verified: bool = False
) -> Memory | None:
    """Return the fact that says what was said just now, if it holds as far as is known.

    What a law put away is no such fact where something told later has ended it.
    """
    said, state, slots = support.messages, draft.state, draft.tools.slots
    known = known_fact(text, support.speaker, state, said=said, verified=verified)
    put_away = known is not None and still_holds(known) and not known.is_active
    return None if known and put_away and is_over_by_now(known, state, slots) else known


def known_as_asked(text: ParsedText, support: Support, new: Memory, draft: Draft) -> Memory | None:
    """Return the fact that says no more and no less than what somebody asks to be kept.

    What they asked for or confirmed before may say more. What was only learnt may not: to be sure
    of what they say must not make sure of what they did not.
    """
    sure = new.origin.verified
    known = known_now(text, support, draft, verified=sure)
    if known is not None or not sure:
        return known
    learnt = known_now(text, support, draft)
    names = Names.of(LABELS | {support.speaker, draft.state.agent_info.settings.partner})
    if learnt is None or not still_holds(learnt):
        return None
    held = ParsedText(learnt.words.text)
    return learnt if says_the_same(held, ParsedText(new.words.text), names) else None


def asked_again(draft: Draft, known: Memory, new: Memory, support: Support) -> Draft:
    """Return the draft after what is known was asked to be kept, as ``new`` would be."""
    draft = told_again(draft, known, new.words.text, support)
    if not new.origin.verified or known.id in draft.new:
        return draft
    firm = made_firm(draft.state.memories[known.id], draft.now, draft.state.rules)
    return draft.then(Put(firm))


def told_again(draft: Draft, known: Memory, text: str, support: Support) -> Draft:
    """Return the draft after the known thing was told again, in ``text``.

    What a law put away is back, and what it reduced has its words again: these say them.
    """
    if known.id in draft.new or known.sealed is not None:
        return with_mention(draft, known, support)
    before = known
    if known.words.level < Level.FULL and known.is_fact:
        known = _told_in_full(known, text, support, draft)
        draft = draft.then(Drop(PreviousText, known.id))
    if not known.is_active:
        lineage = replace(known.lineage, revived_at=draft.now)
        known = replace(known, standing=ACTIVE, lineage=lineage)
    if known != before:
        draft = draft.then(Put(known))
    return with_mention(draft, known, support)


def _told_in_full(known: Memory, text: str, support: Support, draft: Draft) -> Memory:
    """Return a reduced fact with its former text, or as it was told now."""
    former = draft.state.previous_texts.get(known.id)
    if former is not None:
        return replace(known, words=former.words, passages=former.passages)
    now = support.messages[0]
    text = with_absolute_dates(text, now.at, draft.state.agent_info.settings)
    ids = tuple(message.id for message in support.messages)
    passages = tuple(
        p if p.verbatim else replace(p, text=text, source_ids=(*p.source_ids, *ids))
        for p in known.passages
    )
    words = Words(text=text, phrase=phrase_of(text), keywords=keywords(text))
    return replace(known, words=words, passages=passages)
