"""What of a memory is over when something newer takes its place, and what of it goes on.

A memory may tell several things: where a mother lives, and what she suffers from. Her new town
ends the first only; and what happened once stays true whatever ends.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from memory.changes import Correction, Put
from memory.judgement import wording
from memory.judgement.assertions import ParsedText
from memory.judgement.draft import Draft, inherited_links
from memory.judgement.new_facts import covers_all
from memory.lifecycle.consequences import corrections_with
from memory.model import Memory, Message
from memory.recall.slot_index import SPEAKER_LABELS, claims_of
from memory.text.correction_forms import corrects
from memory.text.slot_changes import is_ended_by
from memory.text.slot_core import is_same_person, relative_in
from memory.text.slot_cues import ClaimMode, Slot
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import is_dense, keywords, phrase_of, plainly_written

_PIECE: Final = re.compile(
    r"\s*[，,；;。！!\n]+\s*|\.(?=\s|$)\s*| (?:and|but) (?=(?:she|he|they|it|i)\b)"
)

_ENDS_A_PART: Final = frozenset(
    {Slot.HOME, Slot.WORK, Slot.SCHOOL, Slot.HEALTH, Slot.HABIT, Slot.TASTE, Slot.PLAN}
)
"""What may be over of somebody or something that itself goes on."""

_GOES_ON: Final = frozenset(
    {Slot.HEALTH, Slot.NAME, Slot.NICKNAME, Slot.BIRTHDAY, Slot.CHILDREN, Slot.TASTE}
)
"""What goes on though a home or a post is over."""

_HAPPENED: Final = re.compile(
    r"[一-鿿]过(?!敏|期|得|着|于|几?[天年月])|小时候|[一两三几]次|曾经|当年"
    r"|\b(?:once|twice|as a (?:kid|child|boy|girl|baby|teenager)"
    r"|when (?:i|he|she|they) (?:was|were)|years? ago)\b",
    re.IGNORECASE,
)
"""What happened at some time is not former: it happened."""

_CALLED: Final = re.compile(r"叫|姓|名字|\b(?:called|named?|name's)\b", re.IGNORECASE)
_THEY: Final = re.compile(
    r"(?:她|他|它)们?(?![一-鿿]?们)|(?:she|he|they|it)(?:(?P<is>['’]s)|\b)", re.IGNORECASE
)


def with_rest_kept(
    draft: Draft, old: Memory, new: str, said: Sequence[Message]
) -> tuple[Draft, Memory]:
    """Return the draft in which ``old`` tells only what ``new`` ends, and the rest stands apart.

    Where it is not plain which part is over, all of it is.
    """
    pieces = [each for each in _PIECE.split(old.words.text) if each and each.strip()]
    subject = _subject_of(pieces[0]) if len(pieces) > 1 else ""
    told = ParsedText(new)
    if not subject or covers_all(told, ParsedText(old.words.text)):
        return draft, old
    over = _pieces_over(pieces, old, new, said)
    on = [n for n in range(len(pieces)) if n not in over and _goes_on(pieces[n])]
    if not over or not on:
        return draft, old
    # What the new one tells again stands in it.
    rest = [pieces[n] for n in on if not covers_all(told, ParsedText(pieces[n]))]
    ended = [piece for n, piece in enumerate(pieces) if n not in on]
    apart = _told_together(rest, subject) if rest else ""
    draft = _with_part_apart(draft, old, over=_told_together(ended, subject), rest=apart)
    return draft, draft.state.memories[old.id]


def _with_part_apart(draft: Draft, old: Memory, *, over: str, rest: str) -> Draft:
    """Return the draft in which a memory tells only ``over``, and a new one the ``rest`` of it."""
    entry = Correction(at=draft.now, reason="part", before=old.words.text, after=over)
    draft = draft.then(Put(told_as(old, over)), Put(corrections_with(entry, old.id, draft.state)))
    if not rest:
        return draft
    apart = replace(told_as(old, rest), id=draft.state.next_id)
    links = inherited_links([old.id], apart.id, draft.state)
    return draft.then(Put(apart), *links, new=apart.id)


def told_as(memory: Memory, text: str) -> Memory:
    """Return a memory with another text, found by its words."""
    words = replace(memory.words, text=text, phrase=phrase_of(text), keywords=keywords(text))
    passages = tuple(
        each if each.verbatim else replace(each, text=text) for each in memory.passages
    )
    return replace(memory, words=words, passages=passages)


def _pieces_over(
    pieces: Sequence[str], old: Memory, new: str, said: Sequence[Message]
) -> AbstractSet[int]:
    """Return the places of the parts that what is new, or a denial in what was said, ends."""
    names = SPEAKER_LABELS | {old.origin.speaker}
    news = slot_claims(new, names)
    told = [*news, *(claim for each in said for claim in slot_claims(each.text, names))]
    found: set[int] = set()
    for claim in claims_of(old, old.origin.speaker):
        if claim.slot not in _ENDS_A_PART or not claim.value:
            continue
        ended = any(is_ended_by(claim, each, old.words.text) for each in told)
        if ended or any(_answers_the_same(claim, each) for each in news):
            value = claim.value.lower()
            found |= {n for n, p in enumerate(pieces) if value in plainly_written(p).lower()}
    denials = [each for message in said for each in denials_put_right(message.text)]
    held = wording.clauses(old.words.text)
    for clause in (each for d in denials for each in held if _is_denied(d, each, held)):
        found |= {n for n, piece in enumerate(pieces) if clause.text.strip() in piece}
    return found


def _answers_the_same(old: SlotClaim, new: SlotClaim) -> bool:
    apart = bool(old.about and new.about and old.about != new.about)
    whose = is_same_person(old.whose, new.whose) or _THEY.fullmatch(new.whose) is not None
    one_value = new.slot in {Slot.HOME, Slot.WORK, Slot.SCHOOL}
    return new.slot is old.slot and one_value and whose and not apart


def _goes_on(piece: str) -> bool:
    """Tell whether a part goes on by itself: an illness, a name, or what happened once."""
    if _HAPPENED.search(piece):
        return True
    own = _THEY.sub(
        lambda each: "I have" if each["is"] else "我" if is_dense(piece) else "I", piece, count=1
    )
    own = re.sub(r"^I has\b", "I have", own)
    if relative_in(piece) and _CALLED.search(piece):
        return True
    return any(each.slot in _GOES_ON for each in slot_claims(own, SPEAKER_LABELS))


_LABEL: Final = re.compile("|".join(sorted(map(re.escape, SPEAKER_LABELS), key=len, reverse=True)))


def _subject_of(piece: str) -> str:
    """Return whom the first part of a memory is about, as it begins with it; empty if unsure."""
    label = _LABEL.match(piece)
    whose = relative_in(piece)
    if not whose:
        return label[0] if label else ""
    end = piece.find(whose) + len(whose)
    name = re.match(r" [A-Z][a-z]+", piece[end:])
    return piece[: end + (name.end() if name else 0)]


def _told_together(pieces: Sequence[str], subject: str) -> str:
    """Return parts of a memory as one text that says whom it is about."""
    first, *others = pieces
    if not first.startswith(subject):
        bare = _THEY.match(first)
        begins = first[bare.end() :].strip() if bare else first
        begins = f"is {begins}" if bare and bare["is"] else begins
        first = f"{subject}{begins}" if is_dense(subject + begins) else f"{subject} {begins}"
    return ("，" if is_dense(first) else ", ").join((first, *others))


def denials_put_right(text: str) -> Iterator[wording.Clause]:
    """Yield the clauses in which a message denies what it then says otherwise, or says was wrong.

    不是住扬州，是住泰州; "she doesn't live in York, she lives in Hull"; 说错了，我妈不住扬州.
    """
    stated = [each for each in wording.clauses(text) if each.stated]
    for n, clause in enumerate(stated):
        deeds = {term for term in clause.terms if wording.is_class(term)}
        named = any(not wording.is_class(term) for term in clause.terms)
        after = (each for each in stated[n + 1 :] if not each.negative)
        otherwise = corrects(text) or not deeds.isdisjoint(wording.terms_of(after))
        if clause.negative and named and otherwise:
            yield clause


def is_denied_by(text: str, held: str) -> bool:
    """Tell whether a message denies what a memory holds of the same one, and says it otherwise."""
    clauses = wording.clauses(held)
    return any(
        _is_denied(denial, each, clauses)
        for denial in denials_put_right(text)
        for each in clauses
        if is_same_person(relative_in(denial.text), relative_in(held))
    )


def _is_denied(
    denial: wording.Clause, clause: wording.Clause, clauses: Sequence[wording.Clause]
) -> bool:
    if clause.negative or not clause.terms:
        return False
    return all(
        wording.covers(term, clause)
        or (wording.is_class(term) and any(wording.covers(term, each) for each in clauses))
        for term in denial.terms
    )


_BOUGHT: Final = re.compile(
    r"买了?[^，。]{0,6}[房宅]|房贷|月供|首付|\bmortgage\b"
    r"|\b(?:bought|own)\b[^,.]*\b(?:house|flat|home|place|apartment|condo)\b",
    re.IGNORECASE,
)

_LEAVES: Final = re.compile(r"卖|搬|\b(?:sold|sell|moved?|moving)\b", re.IGNORECASE)


def is_bought_home(held: str, new: SlotClaim) -> bool:
    """Tell whether a memory tells of a home that was bought, and ``new`` only where one sleeps."""
    if new.slot is not Slot.HOME or _BOUGHT.search(held) is None:
        return False
    return new.mode is ClaimMode.HOLDS and not _LEAVES.search(new.text)


_LOST: Final = re.compile(
    r"丢|走失|不见了|没影|失踪|跑[出掉没了]|飞[走掉了]|\b(?:lost|(?:ran|flew) (?:away|off)"
    r"|run away|missing|gone|escaped|got out|disappeared|vanished)\b",
    re.IGNORECASE,
)

_FOUND: Final = re.compile(
    r"(?<!工作)(?<!房子)(?<!对象)找[到着回]了?(?!工作|房|对象|新)|(?<!我)(?<!我就)(?<!我刚)回[来家]了"
    r"|(?<!我)自己又?[跑飞溜]回来|失而复得"
    r"|\bfound (?:him|her|it|them)\b(?! (?:an?|the|some|another|new|out|too|so|very|really"
    r"|hard|difficult|easy|tough|weird|strange|odd|funny|impossible|boring)\b)"
    r"|(?<!\bi )\b(?:came|come|is|are|got) (?:back|home)\b|['’]s (?:back|home)\b|\bturned up\b"
    r"|\b(?:been|was) found\b",
    re.IGNORECASE,
)

_NOT_FOUND: Final = re.compile(
    r"[没未]有?找[到着回]|找不[到着回]|没回[来家]"
    r"|(?:n['’]t|\bnot|\bnever) (?:\w+ )?(?:found|find|come back|turned up)\b",
    re.IGNORECASE,
)


def tells_of_loss(text: str) -> bool:
    """Tell whether a text tells that somebody or something was lost."""
    return _LOST.search(text) is not None


_FOUND_NAMED: Final = re.compile(
    r"\bfound (?:(?:my|our|the) )?(?P<what>(?!(?:my|our|the|an?|his|her|their|job|work|way|time"
    r"|out|that|it)\b)\w+)\b(?!['’])"
    r"(?! (?:an?|the|some|another|new|so|very|really|hard|difficult|easy|boring|funny)\b)",
    re.IGNORECASE,
)
"""We found Rex: by a name that is known to be lost."""

_DEAD: Final = re.compile(
    r"尸|(?<![急吓笑气累烦愁兴心乐哭担])死(?![我个])|没气|去世|过世|\b(?:dead|body|killed)\b",
    re.IGNORECASE,
)


def tells_of_finding(text: str) -> bool:
    """Tell whether a text tells that what was lost is there again."""
    return _FOUND.search(text) is not None and not _is_found_in_vain(text)


def _is_found_in_vain(text: str) -> bool:
    return any(each.search(text) for each in (_NOT_FOUND, _DEAD))


def _tells_it_is_found(text: str, lost: str) -> bool:
    """Tell whether a text tells that what ``lost`` tells of is there again, by name or not."""
    named = _FOUND_NAMED.search(text)
    called = named is not None and re.search(rf"\b{named['what']}\b", lost, re.IGNORECASE)
    return bool(called) or tells_of_finding(text)


def is_found_again(claim: SlotClaim, said: Iterable[Message]) -> bool:
    """Tell whether what a claim takes for gone was lost and found in what was said."""
    lost = claim.mode is ClaimMode.STOPPED and tells_of_loss(claim.text)
    return lost and any(tells_of_finding(each.text) for each in said)


def leaves_out_finding(text: str, said: Sequence[Message]) -> bool:
    """Tell whether a text tells of a loss and not that it was made good, as was said."""
    lost = tells_of_loss(text) and not tells_of_finding(text)
    return lost and any(tells_of_loss(e.text) and tells_of_finding(e.text) for e in said)


def with_found(draft: Draft, said: Sequence[Message]) -> Draft:
    """Return the draft in which what was lost holds again, as these messages tell it was found.

    The loss is over in any case, whether or not anything known had ended by it.
    """
    for message in said:
        found = _FOUND.search(message.text) or _FOUND_NAMED.search(message.text)
        if not found or _is_found_in_vain(message.text) or tells_of_loss(message.text):
            continue
        for lost in _losses_made_good(draft, message):
            gone = replace(lost, lineage=replace(lost.lineage, valid_until=message.at))
            ended = _ended_by_loss(lost, draft)
            for old in ended:
                held = replace(
                    old,
                    lineage=replace(old.lineage, replaced_by=None, valid_until=None),
                    trace=replace(old.trace, negated_at=None),
                )
                draft = draft.then(Put(held), learnt=f"UPDATE #{lost.id} #{old.id}")
            draft = draft.then(Put(gone), learnt="" if ended else f"NEGATE #{lost.id}")
    return draft


def _losses_made_good(draft: Draft, message: Message) -> Iterator[Memory]:
    """Yield what tells that something was lost, if the message tells that just that is found."""
    told = wording.clauses(message.text)
    named = [t for each in told for t in each.terms if not wording.is_class(t)]
    for lost in draft.state.memories.values():
        if not (lost.is_living_fact and tells_of_loss(lost.words.text)):
            continue
        ended = _ended_by_loss(lost, draft)
        # Who lost somebody of their own may have lost them for good.
        if lost.origin.speaker != message.speaker or (not ended and relative_in(lost.words.text)):
            continue
        texts = [each.words.text for each in (lost, *ended)]
        held = [clause for text in texts for clause in wording.clauses(text)]
        same = any(wording.covers(term, each) for term in named for each in held)
        if same and _tells_it_is_found(message.text, "\n".join(texts)):
            yield lost


def _ended_by_loss(lost: Memory, draft: Draft) -> list[Memory]:
    facts = (each for each in draft.state.memories.values() if each.is_fact and each.is_past)
    return [each for each in facts if each.lineage.replaced_by == lost.id]
