"""No page and no docstring sends its reader to something that is not in the repository."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import (
    BENCHMARKS,
    PAGES,
    PRODUCT,
    ROOT,
    TESTS,
    lines,
    name,
    refuse,
    text,
    tree,
)

READ = (*PAGES, *PRODUCT, *TESTS, *BENCHMARKS, ROOT / ".env.example")
HERE = Path(__file__)

ELSEWHERE = re.compile(
    r"\bDESIGN\b|\bseeds?[ /]*00\d|promises\.md|\bpromises? [A-Z]\d+\b|(?<!\w)shared/"
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
FOLDERS = ("docs", "tests", "benchmarks", "bot", "memory", "prompts")


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


def exists(dotted: str) -> bool:
    """Return whether a dotted name is a module of the repository, or a name defined in one."""
    parts = dotted.split(".")
    if parts[0] == "xiaoxiang" and len(parts) > 1 and parts[1] in FOLDERS:
        parts = parts[1:]  # the names of the wheel
    for count in range(len(parts), 0, -1):
        module = ROOT.joinpath(*parts[:count])
        rest = parts[count:]
        for path in (module.with_suffix(".py"), module / "__init__.py"):
            if path.exists():
                return not rest or _defines(path, rest)
        if module.is_dir():
            return not rest
    return False


def _defines(path: Path, names: list[str]) -> bool:
    body = tree(path).body
    for each in names:
        found = _bound(body, each)
        if found is None:
            return False
        body = found.body if isinstance(found, ast.ClassDef) else []
    return True


def _bound(body: list[ast.stmt], wanted: str) -> ast.stmt | None:
    for node in body:
        if wanted in _names(node):
            return node
        if isinstance(node, ast.If):
            found = _bound(node.body, wanted)
            if found is not None:
                return found
    return None


def _names(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign():
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=bound)):
            yield bound
        case ast.ImportFrom() | ast.Import():
            yield from (alias.asname or alias.name for alias in node.names)
        case _:
            return
