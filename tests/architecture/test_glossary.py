"""The glossary holds the vocabulary of the program, and sends nobody to a module that is gone."""

import re

from tests.architecture.sources import ROOT, exists, refuse, text

GLOSSARY = ROOT / "docs/glossary.md"
ROW = re.compile(
    r"^\| \*\*(?P<term>[^*]+)\*\*[^|]*\| (?P<meaning>[^|]+) \| `(?P<module>[\w.]+)` \|$"
)
STEM = 5
"""So many letters are left of every form of a word: visibility, visible."""

VOCABULARY = {
    "agent",
    "conversation",
    "partner",
    "turn",
    "memory",
    "id",
    "tier",
    "kind",
    "topic",
    "level",
    "standing",
    "passage",
    "link",
    "focus",
    "importance",
    "strength",
    "weight",
    "connectedness",
    "fate",
    "change",
    "handle",
    "receipt",
    "desk",
    "diary",
    "slot",
    "salience",
    "lane",
    "ledger",
    "gate",
    "tombstone",
    "law",
    "document",
    "journal",
    "snapshot",
    "backup",
    "working memory",
    "everyday / deep recall",
}
"""The words the whole program is written in."""


def rows() -> list[re.Match[str]]:
    return [found for line in text(GLOSSARY).splitlines() if (found := ROW.match(line))]


def test_every_row_is_a_term_a_sentence_and_a_module() -> None:
    tables = [line for line in text(GLOSSARY).splitlines() if line.startswith("| **")]

    refuse([line for line in tables if not ROW.match(line)])
    refuse([row["term"] for row in rows() if not row["meaning"].endswith(".")])


def test_every_module_it_names_exists() -> None:
    refuse([f"{row['term']}: {row['module']}" for row in rows() if not exists(row["module"])])


def test_the_module_of_a_term_speaks_of_it() -> None:
    refuse([f"{row['term']}: {row['module']}" for row in rows() if not _is_spoken_of(row)])


def _is_spoken_of(row: re.Match[str]) -> bool:
    """Whether a word of a term, or the whole in one word, stands in its module."""
    place = ROOT / row["module"].replace(".", "/")
    files = [*place.glob("*.py")] if place.is_dir() else [place.with_suffix(".py")]
    told = row["module"] + "".join(text(each).lower() for each in files)
    words = re.findall("[a-z]+", row["term"].lower())
    return any(word[:STEM] in told for word in (*words, "".join(words)) if len(word) > 1)


def test_a_term_stands_once() -> None:
    terms = [row["term"] for row in rows()]

    refuse(sorted({term for term in terms if terms.count(term) > 1}))


def test_the_vocabulary_is_there() -> None:
    known = set(re.findall(r"\*\*([^*]+)\*\*", text(GLOSSARY)))

    refuse(sorted(VOCABULARY - known))
