"""No page and no docstring sends its reader to something that is not in the repository."""

import re
from pathlib import Path

from tests.architecture.sources import (
    BENCHMARKS,
    PAGES,
    PRODUCT,
    ROOT,
    TESTS,
    exists,
    lines,
    name,
    refuse,
    text,
)

READ = (*PAGES, *PRODUCT, *TESTS, *BENCHMARKS, ROOT / ".env.example")
HERE = Path(__file__)

ELSEWHERE = re.compile(
    r"\bDESIGN\b|\bseeds?[ /]*00\d|promises\.md|\bpromises? [A-Z]\d+\b|(?<!\w)shared/(?!data\b)"
    r"|libraries\.md|style\.md|companion-bots\.md|memory-systems\.md|\bissue #?\d"
)
"""Documents the program was made from; they are cited as docs/decisions/sources.md says."""

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
FILE = re.compile(
    r"(?<![\w./-])((?:docs|tests|benchmarks|bot|memory|prompts)/[\w./-]*\.(?:md|py|json|svg|j2))\b"
)
DOTTED = re.compile(
    r"`((?:bot|memory|prompts|tests|benchmarks|xiaoxiang)(?:\.(?!(?:py|json)`)\w+)+)`"
)


def test_nothing_cites_a_document_from_elsewhere() -> None:
    refuse(
        [
            f"{name(path)}:{number}: {found[0]}"
            for path in READ
            if path != HERE
            for number, line in enumerate(lines(path), start=1)
            if (found := ELSEWHERE.search(line))
        ]
    )


def test_every_link_of_a_page_leads_somewhere() -> None:
    refuse(
        [
            f"{name(path)}: {target}"
            for path in PAGES
            for target in LINK.findall(text(path))
            if "://" not in target and not (path.parent / target).exists()
        ]
    )


def test_every_file_that_is_named_exists() -> None:
    refuse(
        [
            f"{name(path)}:{number}: {cited}"
            for path in READ
            if path != HERE
            for number, line in enumerate(lines(path), start=1)
            for cited in FILE.findall(line)
            if not (ROOT / cited).exists()
        ]
    )


def test_every_module_and_name_that_is_cited_exists() -> None:
    refuse(
        [
            f"{name(path)}:{number}: {cited}"
            for path in READ
            if path != HERE
            for number, line in enumerate(lines(path), start=1)
            for cited in DOTTED.findall(line)
            if not exists(cited)
        ]
    )
