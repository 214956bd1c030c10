"""What the tests of this folder read: the repository's files, parsed once."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("bot", "memory", "prompts")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def python_files(*folders: str) -> tuple[Path, ...]:
    """Return every module below these folders of the repository, in order."""
    return tuple(sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")))


PRODUCT: Final = python_files(*PACKAGES)
TESTS: Final = python_files("tests")
BENCHMARKS: Final = python_files("benchmarks")
PAGES: Final = tuple(sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))))


def name(path: Path) -> str:
    """Return a file's path as it is written in the repository."""
    return path.relative_to(ROOT).as_posix()


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def lines(path: Path) -> tuple[str, ...]:
    return tuple(text(path).splitlines())


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(text(path))


def classes(*paths: Path) -> Iterator[tuple[Path, ast.ClassDef]]:
    """Yield every class of these files, with its file."""
    for path in paths:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                yield path, node


def functions(*paths: Path) -> Iterator[tuple[Path, Function]]:
    """Yield every function and method of these files, with its file."""
    for path in paths:
        for node in ast.walk(tree(path)):
            if isinstance(node, Function):
                yield path, node


def length(node: ast.ClassDef | Function) -> int:
    """Return how many lines a definition takes, from its name to its end."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def refuse(offenders: list[str]) -> None:
    """Fail with every offender on a line of its own."""
    assert not offenders, f"{len(offenders)}:\n" + "\n".join(offenders)
