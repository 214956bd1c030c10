"""The checklist of docs/guides/write-a-store.md."""

import ast
import inspect

from memory.ports import MemoryStore
from memory.stores.codec import SCHEMA
from tests.architecture.sources import (
    PRODUCT,
    ROOT,
    classes,
    imported_modules,
    name,
    python_files,
    refuse,
    text,
)

METHODS = {each for each in vars(MemoryStore) if not each.startswith("_")}
STORES = tuple(
    node
    for _, node in classes(*python_files("memory/stores"))
    if {"load", "append", "close"}
    <= {part.name for part in node.body if isinstance(part, ast.AsyncFunctionDef)}
)
"""Every class that loads, appends and closes is taken for a store."""


def test_a_store_has_the_methods_of_the_port() -> None:
    assert STORES
    for store in STORES:
        own = {
            part.name: [argument.arg for argument in part.args.args]
            for part in store.body
            if isinstance(part, ast.AsyncFunctionDef)
        }
        for method in sorted(METHODS):
            wanted = list(inspect.signature(getattr(MemoryStore, method)).parameters)
            assert own.get(method) == wanted, f"{store.name}.{method}"


def test_a_store_runs_through_the_contract_test() -> None:
    contract = text(ROOT / "tests/contract/test_store.py")

    refuse([store.name for store in STORES if f"{store.name}(" not in contract])


def test_every_earlier_schema_is_recorded() -> None:
    recorded = {path.name for path in (ROOT / "tests/recorded").iterdir()}

    assert {f"store_v{version}" for version in range(1, SCHEMA + 1)} <= recorded


def test_only_the_stores_touch_the_database() -> None:
    refuse(
        [
            f"{name(path)}: {module}"
            for path in PRODUCT
            if not name(path).startswith("memory/stores/")
            for module in imported_modules(path)
            if module.partition(".")[0] == "tinydb"
        ]
    )
