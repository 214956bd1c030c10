"""Whether a clause is about the one a claim is about, and whose the things are that it names.

The subject of what was said must be the subject of what is learnt: by name, by another word for
the same relation, or by a pronoun that points back to it. In doubt it is another. What is said to
be somebody's is told as nobody else's.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory.judgement.assertions import Assertion
from memory.judgement.carrying import INTRODUCES
from memory.judgement.lexicon import PERSON_ZH
from memory.judgement.subjects import Subject, Who, is_person
from memory.judgement.units import lemma
from memory.model import Message
from memory.text.late_pattern import LatePattern
from memory.text.tokens import names_somebody


@dataclass(frozen=True, slots=True, eq=False)
class Spoken:
    """A clause that somebody said, in which message; none for what a memory says already.

    ``earlier`` are the clauses of the same speaker before it, for what a pronoun points to.
    ``needed`` must be part of what is learnt from it: the answer, where her question is half.
    ``retold`` tells that it is in other words than were said.
    """

    claim: Assertion
    message: Message | None
    earlier: Sequence[Assertion] = ()
    needed: frozenset[str] = frozenset()
    retold: bool = False


def is_about_same(spoken: Spoken, wanted: Assertion) -> bool:
    """Tell whether what was said is about the one the claim is about."""
    said = spoken.claim
    subject, wished = said.subject, wanted.subject
    own = wished.who in {Who.SPEAKER, Who.NOBODY}
    called = own and _CALLS_SPEAKER.search(said.folded) is not None
    match subject.who:
        case Who.SPEAKER:
            # 妹妹把我骂了 tells that I was scolded by her, and of nobody else that they were.
            return called or (own if spoken.retold else _is_of_speaker(said, wanted, own=own))
        case Who.NOBODY:
            return own or _is_left_to(said, wished)
        case Who.PRONOUN:
            return wished.who is Who.PRONOUN or _is_pointed_at(spoken, wanted)
        case Who.OTHER if own and (called or _is_of_both(said)):
            return True
        case Who.OTHER if wished.who is Who.OTHER:
            return _is_same_subject(subject, wished, said, wanted)
        case _:
            return own and _is_thing_of_speaker(subject, said, wanted)


def _is_left_to(said: Assertion, wished: Subject) -> bool:
    """Tell whether a clause that names no subject may be about somebody it names or goes on with.

    "Wore my sister's coat and got the job" is about the speaker.
    """
    told = f"{said.context} {said.folded}"
    if wished.person and not _names(said.folded, wished):
        return _is_topic(said.topic, wished) and not wished.theirs
    return _names(told, wished) and not _is_owned_in(told, wished)


_CALLS_SPEAKER: Final = re.compile(r"\bcalls? (?:me|i)\b|叫我(?!们)")
"""Whatever was spoken of before, what one is called is told of oneself."""

_SPOUSE: Final = re.compile(r"老公|丈夫|先生|老婆|妻子|太太|媳妇|爱人|husband|wife|hubby")

_MUTUAL: Final = frozenset({"zhc_wed", "enc_wed", "zh_divorce"})


def _is_of_both(said: Assertion) -> bool:
    """Tell whether what goes on about one's husband or wife is so of oneself: 结婚五年了."""
    subject = said.subject
    return (
        not subject.theirs
        and len(subject.words) == 1
        and bool(_SPOUSE.fullmatch(subject.head))
        and subject.head not in said.folded
        and not _MUTUAL.isdisjoint(said.keys)
    )


def _is_of_speaker(said: Assertion, wanted: Assertion, *, own: bool) -> bool:
    """Tell whether what the speaker says of themselves is told of them.

    我有个妹妹在英国留学 brings in somebody whom the rest is about.
    """
    brought = INTRODUCES.search(said.folded)
    person = (brought["zh"] or brought["en"]) if brought else ""
    found = PERSON_ZH.match(person) if brought else None
    if brought and found and brought.start("zh") + found.end() < len(said.folded):
        return stands_in(found[0], wanted.folded)
    return own or (_names(said.folded, wanted.subject) and _is_linking(wanted))


def _is_pointed_at(spoken: Spoken, wanted: Assertion) -> bool:
    """Tell whether the pronoun a clause begins with points to the subject of the claim."""
    wished, text = wanted.subject, spoken.claim.folded
    # "His was stolen" is about another of that sort, and not about the one named before.
    if _OF_ANOTHERS.match(text) and not wished.person:
        return False
    if _refers_by_name(spoken, wanted):
        return True
    if _names_thing_before(spoken, wanted):
        return True
    if wished.who is not Who.OTHER:
        return False
    of_thing = text.startswith(("it", "this", "that", "这", "那")) and _names(text, wished)
    return of_thing or _refers(spoken, wished)


_OF_ANOTHERS: Final = LatePattern(
    r"(?:(?:and|but|so|while) )?(?:(?:hers|theirs|yours)\b"
    r"|his (?:is|was|isn['’]?t|wasn['’]?t|has|had|got|just|still|never)\b)"
    r"|(?:但|而|可|可是|但是|不过)?[他她]们?的"
)

_NAMING_CLASSES: Final = frozenset({"zhc_name", "enc_name"})


def _names_thing_before(spoken: Spoken, wanted: Assertion) -> bool:
    """Tell whether a clause says what that is called which a claim tells of: a boat called X."""
    if not (_NAMING_CLASSES & spoken.claim.keys and _NAMING_CLASSES & wanted.keys):
        return False
    before = [e for e in spoken.earlier[-2:] if e.units and e.subject.who is not Who.OTHER]
    return any(unit.key in wanted.keys for e in before for unit in e.units[-1:])


_LINKS: Final = frozenset({"is", "have", "zhc_name", "enc_name", "zhc_age", "enc_age"})

_ROUND: Final = re.compile(r"被|[把将]|让|讓|\b(?:by|from|was|were|got)\b")


def _is_linking(wanted: Assertion) -> bool:
    """Tell whether a claim only links two things, so that either may come first."""
    return any(unit.key in _LINKS for unit in wanted.units) or bool(_ROUND.search(wanted.folded))


def _names(text: str, subject: Subject) -> bool:
    return bool(subject.words) and all(stands_in(word, text) for word in subject.words)


def _is_owned_in(text: str, subject: Subject) -> bool:
    """Tell whether a text tells of such a one of somebody else's: my girlfriend's dad."""
    owner = _OWNER.search(text.replace(subject.head, "\0", 1))
    return owner is not None and not subject.theirs and owner[1] not in subject.words


_OWNER: Final = re.compile(
    r"([a-z]+|[\u4e00-\u9fff]{1,3})(?:['’]s (?:[a-z]+ )?|(?<![我俺咱家])的)\0"
)


def stands_in(word: str, text: str) -> bool:
    """Tell whether a text names somebody by a word, or by another for the same relation."""
    if not word.isascii():
        return word in text or any(word[:1] == each for each in _short_persons(text, word))
    wished = lemma(word)
    return any(
        lemma(each) == wished or _is_alike(each, word) for each in re.findall(r"[a-z0-9&]+", text)
    )


_ALIKE: Final = (
    {"妈", "媽", "妈妈", "媽媽", "母亲", "母親", "老妈", "老媽", "妈咪", "娘", "阿妈"},
    {"爸", "爸爸", "父亲", "父親", "老爸", "爹", "阿爸", "老豆"},
    {"老公", "丈夫", "先生"},
    {"老婆", "妻子", "太太", "媳妇", "媳婦"},
    {"男友", "男朋友"},
    {"女友", "女朋友"},
    {"哥", "哥哥", "大哥"},
    {"姐", "姐姐", "大姐"},
    {"弟", "弟弟"},
    {"妹", "妹妹"},
    {"爷爷", "阿公", "嗲嗲"},
    {"奶奶", "阿嬷", "嫲嫲"},
    {"外公", "姥爷"},
    {"外婆", "姥姥", "家婆"},
    {"孩子", "小孩", "娃"},
    {"女儿", "闺女", "女兒", "丫头"},
    {"mother", "mom", "mum", "mommy", "mama", "ma"},
    {"father", "dad", "daddy", "papa", "pa"},
    {"父母", "爸妈", "双亲", "爸媽"},
    {"kid", "kids", "child", "children"},
)


def _short_persons(text: str, word: str) -> Iterator[str]:
    for group in _ALIKE:
        if word in group:
            yield from (each[:1] for each in group if each in text and each[:1] == word[:1])
            if any(each in text for each in group):
                yield word[:1]


def _is_alike(one: str, other: str) -> bool:
    return any(one in group and other in group for group in _ALIKE)


def _is_same(one: str, other: str) -> bool:
    if one == other or _is_alike(one, other):
        return True
    if one.isascii() and other.isascii():
        return lemma(one) == lemma(other)
    return one in other or other in one


def _is_same_subject(
    subject: Subject, wished: Subject, said: Assertion, wanted: Assertion
) -> bool:
    """Tell whether two named subjects are one: the same head, of the same owner."""
    if subject.theirs and wished.own and not wished.theirs:
        return False
    text = " ".join((wanted.folded, *wanted.subject.words))
    # "My best friend Zoe" is Zoe.
    named = len(subject.words) > 1 and is_person(subject.words[-2]) and not subject.person
    # "My brother's van" is no name of his, nor is 我妹妹的猫 hers.
    owner = re.escape(subject.words[-2]) if named else ""
    named = named and not re.search(rf"{owner}(?:['’]s\b|的|家|们)", said.folded)
    if not all(stands_in(word, text) for word in subject.words[-1 if named else 0 :]):
        return False
    if not all(
        stands_in(word, said.folded) or stands_in(word, said.context) for word in wished.words
    ):
        return False
    if not subject.person and not subject.own and _is_topic(said.topic, wished):
        return True
    if _is_same(subject.head, wished.head) or any(
        _is_same(subject.head, e) for e in wished.words[-2:]
    ):
        return True
    return _is_linking(wanted) and not (subject.person and wished.person)


def _is_topic(topic: Subject, wished: Subject) -> bool:
    """Tell whether a clause about a thing goes on about somebody: 我男友话少."""
    if topic.who is Who.OTHER:
        return _is_same(topic.head, wished.head)
    return topic.who is Who.SPEAKER and wished.who is Who.SPEAKER


def _is_thing_of_speaker(subject: Subject, said: Assertion, wanted: Assertion) -> bool:
    """Tell whether what is said of a thing may be told of the speaker: 我的车被偷了."""
    if subject.person or subject.theirs:
        return False
    kept = all(stands_in(word, wanted.folded) for word in subject.words)
    # 压力好大, 膝盖疼: without a word for whose it is, it is the speaker's.
    dense = not subject.head.isascii()
    return kept and (subject.own or dense or said.topic.who is Who.SPEAKER or _is_linking(wanted))


def _refers(spoken: Spoken, wished: Subject) -> bool:
    """Tell whether the pronoun of a clause points to the one the claim names."""
    for claim in reversed(spoken.earlier[-_MOST_BETWEEN:]):
        if _names(claim.folded, wished):
            if _is_owned_in(claim.folded, wished):
                return False
            about = claim.subject
            if about.who is not Who.OTHER or any(_is_same(about.head, e) for e in wished.words):
                return True
            # 我室友大鹏: the name of who is spoken of.
            by_name = any(f"{about.head}{each}" in claim.folded for each in wished.words)
            return by_name or _is_linking(claim)
        if claim.subject.who is Who.OTHER and claim.subject.person:
            return False
    return False


IS_CALLED: Final = re.compile(
    r"(?:叫|名字是|是|\b(?:called|named|is)\b|['’]s\b)\s*(?P<name>\w{1,12})$"
)


def _refers_by_name(spoken: Spoken, wanted: Assertion) -> bool:
    """Tell whether a claim begins with a name that was given just before the pronoun.

    What else its subject says was said as well: Dr Ann is not yet Ann, nor is Ann's dog.
    """
    said = spoken.claim.folded
    return any(
        wanted.folded.startswith(name)
        and all(word in name or stands_in(word, said) for word in wanted.subject.words)
        for name in names_before([spoken])
    )


def names_before(used: Sequence[Spoken]) -> set[str]:
    """Return the names given just before clauses that are about "he" or "she"."""
    return {
        found["name"]
        for each in used
        if each.claim.subject.who is Who.PRONOUN
        for claim in each.earlier[-2:]
        if (found := IS_CALLED.search(claim.folded))
    }


_MOST_BETWEEN: Final = 6
"""A pronoun points no further back than so many clauses."""


def keeps_owners(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether nothing of one is told as another's: 张伟的老婆, "the red one is hers"."""
    if wanted.folded.endswith("是我的") and not _MINE_ZH.search(said.folded):
        return False
    for kin in _KIN.finditer(wanted.folded) if "的" in said.folded else ():
        owners = [name for name in names_somebody(said.folded) if name not in wanted.folded]
        own = _stands_behind(_MINE, kin[0], said.folded)
        if not own and any(f"{name}的{kin[0]}" in said.folded for name in owners):
            return False
    if any(
        _is_mine(found["thing"], found["who"], said) for found in _OWNED.finditer(wanted.folded)
    ):
        return False
    # In what is told of the speaker by name, "her husband" may be the speaker's own.
    named = wanted.subject.who is Who.SPEAKER
    changes = _changes_owner(said.folded, wanted.folded, (_OWN, _THEIRS, _MINE)) or (
        not named and _changes_owner(said.folded, wanted.folded, (_HIS, _MINE, _THEIRS))
    )
    return not changes and not _is_called_theirs(said.folded, wanted)


def _changes_owner(said: str, wanted: str, sides: tuple[LatePattern, str, str]) -> bool:
    """Tell whether a thing told as one's stands only as the other's in what was said."""
    owned, other, own = sides
    return any(
        _stands_behind(other, thing, said) and not _stands_behind(own, thing, said)
        for found in owned.finditer(wanted)
        for thing in (found["en"], found["last"], found["zh"])
        if thing
    )


def _is_called_theirs(said: str, wanted: Assertion) -> bool:
    """Tell whether what is told as the speaker's was said to be another's: that dog is hers."""
    if not (wanted.subject.who is Who.SPEAKER or wanted.subject.own):
        return False
    found, runs_on = _IS_THEIRS.match(said), _THEIRS_IS.search(said)
    if runs_on and _OF_ANOTHERS.search(wanted.folded) is None:
        before, told = said[: runs_on.start()], runs_on["what"] or runs_on["what_en"]
        return any(u.text in told and u.text not in before for u in wanted.units)
    return found is not None and any(u.text in found["what"].split() for u in wanted.units)


_THEIRS_IS: Final = LatePattern(
    r"(?<=[\u4e00-\u9fff])[他她]们?的(?P<what>[被没还不也都是在就已才][\u4e00-\u9fff]+)"
    r"|(?<=\w )(?:his|hers|theirs) (?:is|was|has|had|got) (?P<what_en>.+)"
)
"""我的车没事他的被偷了: what another's did, in one breath with what the speaker's did."""

_IS_THEIRS: Final = LatePattern(
    r"(?P<what>(?:(?!(?:i|we|me|us|my|our)\b)[\w'’-]+ ){1,8}?)"
    r"(?:(?:is|are|was|were) (?:actually |really |all )?(?:his|hers|theirs|yours)"
    r"|belong(?:s|ed)? to (?:him|her|them))(?:,? (?:and )?not mine)?$"
)


def _is_mine(thing: str, who: str, said: Assertion) -> bool:
    """Tell whether the speaker called theirs what is told to be somebody else's."""
    return f"my {thing}" in said.folded and f"{who}'s" not in said.folded


_OWN: Final = LatePattern(
    r"\bmy (?P<en>[a-z]+)(?: (?P<last>[a-z]+))?|我的?(?P<zh>[\u4e00-\u9fff]{1,2})"
)

_HIS: Final = LatePattern(
    r"\b(?:his|her) (?P<en>[a-z]+)(?: (?P<last>[a-z]+))?|[他她]的(?P<zh>[\u4e00-\u9fff]{1,2})"
)

_OWNED: Final = LatePattern(r"\b(?P<who>(?!it|that|he|she|who)\w+)['’]s (?P<thing>\w+)")

_MINE_ZH: Final = LatePattern(r"[我俺咱]们?家?的|[归归屬属][我俺]")

_KIN: Final = LatePattern(
    "老公|丈夫|老婆|妻子|媳妇|爸爸?|妈妈?|儿子|女儿|哥哥?|弟弟?|姐姐?|妹妹?|男朋友|女朋友|孩子|外[公婆]|[爷奶]{2}"
)

_THEIRS: Final = r"\b(?:his|her|their)(?: \w+)? |[他她]们?的?"
_MINE: Final = r"\b(?:my|our)(?: \w+)? |[我俺咱]们?的?"


def _stands_behind(owner: str, thing: str, folded: str) -> bool:
    return bool(re.search(rf"(?:{owner}){re.escape(thing)}", folded))
