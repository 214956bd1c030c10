"""The build of the wheel: one name, ``xiaoxiang``, instead of three names anybody may use.

In the repository the packages are called ``bot``, ``memory`` and ``prompts``. Installed beside
other people's code they would shadow, or be shadowed by, a partner's own ``memory.py``. So the
wheel holds ``xiaoxiang.bot``, ``xiaoxiang.memory`` and ``xiaoxiang.prompts``, with every import
rewritten. An editable install (``make``) changes nothing.
"""

import ast
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "xiaoxiang"
PACKAGES = ("bot", "memory", "prompts")
EXAMPLE = ".env.example"
"""What the set-up starts from; beside the packages, as in the repository."""


class WheelHook(BuildHookInterface[Any]):
    """Gives the wheel a rewritten copy of the packages; hatchling finds the class by its base."""

    _copy: "tempfile.TemporaryDirectory[str] | None" = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the copy and have it included; an editable install uses the folder itself."""
        if version == "editable":
            return
        self._copy = tempfile.TemporaryDirectory(prefix="xiaoxiang-wheel-")
        copy = Path(self._copy.name) / NAME
        write_copy(Path(self.root), copy)
        build_data["force_include"][str(copy)] = NAME

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy."""
        del version, build_data, artifact_path
        if self._copy is not None:
            self._copy.cleanup()


def write_copy(root: Path, target: Path) -> None:
    """Copy ``xiaoxiang`` and the three packages below it to ``target``, imports rewritten."""
    caches = shutil.ignore_patterns("__pycache__")
    shutil.copytree(root / NAME, target, ignore=caches)
    shutil.copy(root / EXAMPLE, target / EXAMPLE)
    for package in PACKAGES:
        shutil.copytree(root / package, target / package, ignore=caches)
    modules = frozenset(
        ".".join(path.relative_to(target).with_suffix("").parts) for path in target.rglob("*.py")
    )
    for path in sorted(target.rglob("*.py")):
        path.write_text(rewritten(path.read_text(encoding="utf-8"), modules), encoding="utf-8")


def rewritten(source: str, modules: frozenset[str] = frozenset()) -> str:
    """Return ``source`` with every import of ``bot``, ``memory`` and ``prompts`` below one name.

    A string that is the dotted name of one of ``modules`` is taken for a late import and rewritten
    as well.

    Raises:
        ValueError: an import binds the package's own name (``import memory.x`` without ``as``),
            so that rewriting it would leave the names that follow unbound.

    """
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    places = [
        place for node in ast.walk(ast.parse(source)) for place in _names_in(node, modules, lines)
    ]
    # From the end, so that what is inserted moves no place that is still to come.
    for line, column in sorted(places, reverse=True):
        text = lines[line - 1]
        lines[line - 1] = b"%b%b.%b" % (text[:column], NAME.encode(), text[column:])
    return b"".join(lines).decode()


def _names_in(
    node: ast.AST, modules: frozenset[str], lines: list[bytes]
) -> Iterator[tuple[int, int]]:
    """Yield where a node names a module of ours: line, and column in bytes as ast counts."""
    if isinstance(node, ast.ImportFrom) and _is_ours(node.module or ""):
        yield node.lineno, node.col_offset + len("from ")
    elif isinstance(node, ast.Import):
        for alias in node.names:
            if _is_ours(alias.name) and alias.asname is None:
                raise ValueError(f"line {node.lineno}: import {alias.name} needs an `as`")
            if _is_ours(alias.name):
                yield alias.lineno, alias.col_offset
    elif isinstance(node, ast.Constant) and _is_late_import(node.value, modules):
        written = lines[node.lineno - 1][node.col_offset :]
        yield node.lineno, node.col_offset + written.index(str(node.value).encode())


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PACKAGES


def _is_late_import(value: object, modules: frozenset[str]) -> bool:
    # A name without a dot is a word like any other: "memory" is also a command.
    return isinstance(value, str) and "." in value and _is_ours(value) and value in modules
