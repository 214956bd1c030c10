"""Which facts of one person cannot both hold, by rule: for two memories that become one.

Careful on purpose: it names two homes, names, birthdays, ages or origins, and one thing that is
liked here and disliked there. Whatever else disagrees stays side by side, for the partner or the
background 小祥 to settle.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from memory.background.wording import Clause, clauses, is_class
from memory.model import Memory, Tier

_ONE_AT_A_TIME: Final = frozenset({"live", "name", "born", "age", "from"})
"""Of :data:`memory.background.lexicon.SINGLE_VALUED` those whose words say little else."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a fact answers, and how: two claims with one question may contradict each other."""

    question: frozenset[str]
    answer: frozenset[str]


def claim_of(memory: Memory, labels: frozenset[str]) -> Claim | None:
    """Return what a living fact claims about who is named in ``labels``; None if nothing plain."""
    living = memory.is_active and not memory.is_past and memory.sealed is None
    if not living or memory.nature.tier not in {Tier.FACT, Tier.CORE}:
        return None
    said = [clause for clause in clauses(memory.words.text, labels) if clause.terms]
    if len(said) != 1 or said[0].past or said[0].wished:
        return None
    return _claim_in(said[0])


def are_contradictory(one: Claim, other: Claim) -> bool:
    """Tell whether two claims cannot both hold; a closer answer is no other one."""
    if one.question != other.question:
        return False
    return not (_is_within(one.answer, other.answer) or _is_within(other.answer, one.answer))


def contradictions(
    here: Iterable[tuple[Memory, Claim]], there: Iterable[tuple[Memory, Claim]]
) -> Iterator[tuple[Memory, Memory]]:
    """Yield each fact of ``there`` with the first of ``here`` that it contradicts; each once."""
    asked: dict[frozenset[str], list[tuple[Memory, Claim]]] = {}
    for memory, claim in here:
        asked.setdefault(claim.question, []).append((memory, claim))
    for memory, claim in there:
        rivals = asked.get(claim.question, [])
        rival = next((pair for pair in rivals if are_contradictory(pair[1], claim)), None)
        if rival is not None:
            rivals.remove(rival)
            yield rival[0], memory


def _is_within(closer: frozenset[str], wider: frozenset[str]) -> bool:
    return all(any(term in each for each in wider) for term in closer)


def _claim_in(clause: Clause) -> Claim | None:
    classes = {term.partition(":")[2] for term in clause.terms if is_class(term)}
    values = frozenset(term for term in clause.terms if not is_class(term))
    if len(classes) == 1 and classes <= _ONE_AT_A_TIME and values and not clause.negative:
        return Claim(frozenset(classes), values)
    if classes == {"like"} and values:
        return Claim(values | classes, frozenset({"no" if clause.negative else "yes"}))
    return None
