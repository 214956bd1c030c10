"""The glossary holds the vocabulary of the program, and sends nobody to a module that is gone."""

import re

from tests.architecture.sources import ROOT, exists, refuse, text

GLOSSARY = ROOT / "docs/glossary.md"
ROW = re.compile(
    r"^\| \*\*(?P<term>[^*]+)\*\*[^|]*\| (?P<meaning>[^|]+) \| `(?P<module>[\w.]+)` \|$"
)
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
    "everyday",
    "deep recall",
}
"""The words the whole program is written in; what is only planned stands under "Reserved"."""


def rows() -> list[re.Match[str]]:
    return [found for line in text(GLOSSARY).splitlines() if (found := ROW.match(line))]


def test_every_row_is_a_term_a_sentence_and_a_module() -> None:
    tables = [line for line in text(GLOSSARY).splitlines() if line.startswith("| **")]

    refuse([line for line in tables if not ROW.match(line)])
    refuse([row["term"] for row in rows() if not row["meaning"].endswith(".")])


def test_every_module_it_names_exists() -> None:
    refuse([f"{row['term']}: {row['module']}" for row in rows() if not exists(row["module"])])


def test_a_term_stands_once() -> None:
    terms = [row["term"] for row in rows()]

    refuse(sorted({term for term in terms if terms.count(term) > 1}))


def test_the_vocabulary_is_there() -> None:
    known = set(re.findall(r"\*\*([^*]+)\*\*", text(GLOSSARY)))

    refuse(sorted(VOCABULARY - known))
