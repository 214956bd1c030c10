"""The build of the wheel: one name, ``xiaoxiang``, instead of three names anybody may use.

In the repository the packages are called ``bot``, ``memory`` and ``prompts``. Installed beside
other people's code they would shadow, or be shadowed by, a partner's own ``memory.py``. So the
wheel holds ``xiaoxiang.bot``, ``xiaoxiang.memory`` and ``xiaoxiang.prompts``, with every import
rewritten. An editable install (``make``) changes nothing.
"""

import ast
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "xiaoxiang"
PACKAGES = ("bot", "memory", "prompts")


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
    for package in PACKAGES:
        shutil.copytree(root / package, target / package, ignore=caches)
    for path in sorted(target.rglob("*.py")):
        path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")


def rewritten(source: str) -> str:
    """Return ``source`` with every import of ``bot``, ``memory`` and ``prompts`` below one name.

    Raises:
        ValueError: an import binds the package's own name (``import memory.x`` without ``as``),
            so that rewriting it would leave the names that follow unbound.

    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and _is_ours(node.module or ""):
            _insert(lines, node.lineno, node.col_offset + len("from "))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if not _is_ours(alias.name):
                    continue
                if alias.asname is None:
                    raise ValueError(f"line {node.lineno}: import {alias.name} needs an `as`")
                _insert(lines, alias.lineno, alias.col_offset)
    return "".join(lines)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PACKAGES


def _insert(lines: list[str], line: int, column: int) -> None:
    # Offsets of ast count bytes; what stands before an import on its line is ASCII.
    text = lines[line - 1]
    lines[line - 1] = f"{text[:column]}{NAME}.{text[column:]}"
