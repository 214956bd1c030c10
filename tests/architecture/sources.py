"""What the tests of this folder read: the repository's files, parsed once."""

import ast
import gc
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
    """Parse a file. To look its nodes through for garbage meanwhile would take as long."""
    gc.disable()
    try:
        return ast.parse(text(path))
    finally:
        gc.enable()


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(walked(tree(path)))


def walked(root: ast.AST) -> list[ast.AST]:
    """Return what ``ast.walk`` yields, in the same order and a third of the time.

    Without how a name is used, which nobody here asks and which is every third node.
    """
    found = [root]
    for node in found:
        for field, value in vars(node).items():
            if isinstance(value, list):
                found += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST) and field != "ctx":
                found.append(value)
    return found


def classes(*paths: Path) -> Iterator[tuple[Path, ast.ClassDef]]:
    """Yield every class of these files, with its file."""
    for path in paths:
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                yield path, node


def functions(*paths: Path) -> Iterator[tuple[Path, Function]]:
    """Yield every function and method of these files, with its file."""
    for path in paths:
        for node in nodes(path):
            if isinstance(node, Function):
                yield path, node


def length(node: ast.ClassDef | Function) -> int:
    """Return how many lines a definition takes, from its name to its end."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def imported_modules(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def exists(dotted: str) -> bool:
    """Return whether a dotted name is a module of the repository, or a name defined in one."""
    parts = dotted.split(".")
    if parts[0] == "xiaoxiang" and len(parts) > 1 and parts[1] in PACKAGES:
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


def refuse(offenders: list[str]) -> None:
    """Fail with every offender on a line of its own."""
    assert not offenders, f"{len(offenders)}:\n" + "\n".join(offenders)
