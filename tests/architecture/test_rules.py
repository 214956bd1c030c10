"""Rules that no linter knows: names, exceptions, mocks, where a test stands."""

import ast
from collections import defaultdict
from pathlib import Path

from tests.architecture.sources import (
    PACKAGES,
    PRODUCT,
    ROOT,
    TESTS,
    classes,
    imported_modules,
    name,
    nodes,
    python_files,
    refuse,
    text,
    tree,
)


def test_a_class_name_stands_once() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path, node in classes(*PRODUCT):
        places[node.name].append(f"{name(path)}:{node.lineno}")

    refuse([f"{each}: {', '.join(where)}" for each, where in places.items() if len(where) > 1])


def test_only_two_places_catch_everything_without_raising_it_again() -> None:
    """Around a task in the program, and around one piece of work in the memory of an agent."""
    refuse(
        [
            f"{name(path)}:{node.lineno}"
            for path in PRODUCT
            if name(path) not in {"bot/tasks.py", "memory/jobs/background.py"}
            for node in nodes(path)
            if isinstance(node, ast.ExceptHandler) and _swallows_everything(node)
        ]
    )


def _swallows_everything(node: ast.ExceptHandler) -> bool:
    if isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None:
        return False
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(
        each is None or ast.unparse(each) in {"Exception", "BaseException"} for each in caught
    )


def test_no_number_stands_in_the_braces_of_an_f_string() -> None:
    """``rf"\\d{4}"`` is a 4 behind a digit, and was meant as four digits."""
    refuse(
        [
            f"{name(path)}:{node.lineno}"
            for path in PRODUCT
            for node in nodes(path)
            if isinstance(node, ast.FormattedValue)
            and isinstance(node.value, ast.Constant | ast.Tuple)
        ]
    )


def test_tests_use_fakes_and_no_mocks() -> None:
    refuse(
        [
            name(path)
            for path in TESTS
            # To parse all tests takes seconds, and who imports it, in whatever form, writes the
            # package's name: `from unittest import mock` as well.
            if "unittest" in text(path)
            and any(module.split(".")[0] == "unittest" for module in imported_modules(path))
        ]
    )


def test_a_unit_test_is_found_from_the_name_of_its_module() -> None:
    """``test_<module>[_…]`` or ``test_<package>_<module>[_…]``, in the folder of its package."""
    tested = {package: _module_names(package) for package in PACKAGES}
    tested["fakes"] = _module_names("tests/fakes")
    refuse(
        [
            name(path)
            for path in python_files("tests/unit")
            if path.stem.startswith("test_")
            and not _is_named_after(path, tested[path.relative_to(ROOT / "tests/unit").parts[0]])
        ]
    )


def _module_names(folder: str) -> frozenset[str]:
    found: set[str] = set()
    for path in python_files(folder):
        if path.stem != "__init__":
            found |= {path.stem, f"{path.parent.name}_{path.stem}"}
        elif any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree(path).body):
            # A package whose `__init__` holds code is a module as well.
            found.add(path.parent.name)
    return frozenset(found)


def _is_named_after(path: Path, modules: frozenset[str]) -> bool:
    words = path.stem.removeprefix("test_").split("_")
    return any("_".join(words[:count]) in modules for count in range(1, len(words) + 1))
