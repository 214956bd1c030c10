"""Whose clause it is: 我朋友喜欢猫 is nobody's reason to write that the partner likes cats."""

import re
from collections.abc import Collection
from typing import Final

from memory.background.lexicon import EN_PERSONS, PERSONS
from memory.background.wording import Clause, begins_with, is_class, substance, without_names
from memory.text.tokens import normalized

_FIRST_PERSON: Final = re.compile(
    r"我|咱|俺|本人|私|僕|나는|저는|אני|أنا|\b(?:я|мне|мой|моя|ich|je|yo)\b"
    r"|\b(?:i|i['’]m|i['’]ve|i['’]ll|i['’]d|me|my|mine|myself|we|our|us)\b",
    re.IGNORECASE,
)
_FILLER: Final = (
    r"(?:然后|但是|但|而且|因为|所以|其实|不过|后来|昨天|今天|明天|前天|后天|最近|刚刚|刚才|对了|嗯|哈哈|听说"
    r"|and|but|so|well|then|yesterday|today|actually|also|oh|yeah)*\s*"
)
_COMPANY: Final = re.compile(
    r"我[们俩]?(?:和|跟|与|同|陪|带|给|帮|送|约)|\bi\b|\bwe\b", re.IGNORECASE
)
"""The speaker acts, together with or for someone."""

_OTHER_SUBJECT: Final = re.compile(
    rf"^{_FILLER}(?:(?:我|咱)?们?家?的?[^我，]{{0,4}}?(?P<zh>{PERSONS})"
    r"|(?P<pro>他们|她们|他|她|它)"
    rf"|(?:my|our|the|a|an)\s+(?:[\w'’]+\s+)?(?P<en>{EN_PERSONS})\b|(?P<enpro>he|she|they|it)\b)",
    re.IGNORECASE,
)
_PERSON: Final = re.compile(rf"{PERSONS}|\b(?:{EN_PERSONS})\b", re.IGNORECASE)
_TIME: Final = re.compile(
    r"[今明昨后前大当][天日早晚年]|今晚|明早|早上|上午|中午|下午|傍晚|晚上|夜里|凌晨|周末|月底|年底"
    r"|[这本上下][个]?(?:周|星期|礼拜|月|年).?|(?:周|星期|礼拜)[一二三四五六日天末]|\S*[年月日号点]"
    r"|[年月日号点周]|today|tomorrow|yesterday|tonight|morn|afternoon|even|night|week|month|year"
    r"|next|last|late|now"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    re.IGNORECASE,
)
_PRONOUNS: Final = frozenset({"他们", "她们", "他", "她", "它", "he", "she", "they", "it"})
_REPORTED: Final = re.compile(
    r"^(?P<who>[^我，,]{1,8}?)(?:说|告诉|认为|觉得|声称|提到)"
    r"|^(?P<en>(?!i\b)[\w'’]+(?: [\w'’]+)?)\s+(?:says|said|told|thinks|claims)\b",
    re.IGNORECASE,
)


def is_by_speaker(clause: Clause, wanted: Clause, labels: frozenset[str]) -> bool:
    """Tell whether ``clause`` may stand for ``wanted``, a clause about who is named in ``labels``.

    A clause whose subject is somebody else supports only a text that names them; a clause without
    any first person supports only what begins with what it begins with.
    """
    subject = _other_subject(clause)
    if subject is not None:
        return _is_named(subject, wanted, labels)
    if _FIRST_PERSON.search(clause.text) or not _speaks_of_speaker(wanted, labels):
        return True
    return not _begins_with_something_else(clause, wanted)


def is_time(term: str) -> bool:
    """Tell whether a term only says when: 明天, 周末, month."""
    return bool(_TIME.fullmatch(term))


def names_nobody_new(text: str, own: str, labels: frozenset[str]) -> bool:
    """Tell whether everybody whom ``text`` brings in was named: my mother in 我妈, too."""
    plain = without_names(text, labels)
    said = normalized(own)
    relations = substance(own)
    return all(
        person in said or bool(substance(person) & relations) for person in _PERSON.findall(plain)
    )


def begins_with_stranger(wanted: Clause, covered: Collection[str], labels: frozenset[str]) -> bool:
    """Tell whether a text begins with someone or something nobody spoke of: 小王 in 小王喜欢猫."""
    if _speaks_of_speaker(wanted, labels) or not wanted.terms:
        return False
    return _has_a_stranger_first(wanted, covered)


def _other_subject(clause: Clause) -> str | None:
    """Return who a clause is about if that is not the speaker: a person word or a name."""
    text = normalized(clause.text)
    if reported := _REPORTED.match(text):
        return reported["who"] or reported["en"]
    found = _OTHER_SUBJECT.match(text)
    if found is None or _COMPANY.match(text[: found.end()]):
        return None
    return found["zh"] or found["en"] or found["pro"] or found["enpro"]


def _is_named(subject: str, wanted: Clause, labels: frozenset[str]) -> bool:
    """Tell whether the text names the subject: literally, or by another word for the relation.

    The names of the speaker do not count: 小祥's "my friend" is not a friend of theirs.
    """
    if subject in _PRONOUNS:
        return not _speaks_of_speaker(wanted, labels)
    named = re.escape(subject)
    if re.search(
        rf"\b{named}\b" if subject.isascii() else named, without_names(wanted.text, labels)
    ):
        return True
    return any(is_class(term) and term in wanted.about for term in substance(subject))


def _speaks_of_speaker(wanted: Clause, labels: frozenset[str]) -> bool:
    """Tell whether the text begins with the speaker, and not with someone of theirs."""
    said = normalized(wanted.text)
    label = next((each for each in labels if begins_with(said, each)), None)
    if label is None:
        return False
    after = said[len(label) :]
    return not re.match(rf"(?:的|家的?|['’]s\s+)\s*(?:{PERSONS}|{EN_PERSONS})", after)


def _begins_with_something_else(clause: Clause, wanted: Clause) -> bool:
    """Tell whether a clause begins with something the text leaves out: 小王 in 小王喜欢猫."""
    return _has_a_stranger_first(clause, wanted.about)


def _has_a_stranger_first(clause: Clause, known: Collection[str]) -> bool:
    """Tell whether a word that is not ``known``, nor a time, comes before the first that is."""
    words = [term for term in clause.terms if not is_class(term) and not is_time(term)]
    return bool(words) and words[0] not in known
