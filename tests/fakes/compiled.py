"""What a fresh clone has to compile, compiled once before the workers of a run begin.

Every worker would do it for itself, and the asserts of the tests, which pytest rewrites, alone
take ten seconds of processor time. All is kept where Python and pytest themselves keep it; so are
the constants of the product, of which hypothesis makes examples, where hypothesis keeps them.
"""

import py_compile
import sys
from collections.abc import Iterable
from importlib.util import cache_from_source
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _rewrite_test,
    _write_pyc,
    assertstate_key,
    get_cache_dir,
    try_makedirs,
)
from hypothesis.internal.constants_ast import constants_from_module

_PRODUCT = ("bot", "memory", "prompts")


def compile_once(config: pytest.Config) -> None:
    """Compile what never was, if everything will be collected. What has changed is left over."""
    if sys.dont_write_bytecode or config.args_source is not config.ArgsSource.TESTPATHS:
        return
    product, tests = _below(config, *_PRODUCT), _below(config, "tests")
    new = [path for path in (*product, *tests) if not _kept(path).exists()]
    at_once = cpu_count() or 1
    fork = get_context("fork")
    compiling = [
        fork.Process(target=_compile, args=(new[first::at_once], product[first::at_once], config))
        for first in range(min(at_once, len(new)))
    ]
    for each in compiling:
        each.start()
    for each in compiling:
        each.join()


def _below(config: pytest.Config, *folders: str) -> list[Path]:
    return [path for each in folders for path in sorted((config.rootpath / each).rglob("*.py"))]


def _is_rewritten(path: Path) -> bool:
    return path.name.startswith("test_") or path.name == "conftest.py"


def _kept(path: Path) -> Path:
    if _is_rewritten(path):
        return get_cache_dir(path) / f"{path.stem}{PYC_TAIL}"
    return Path(cache_from_source(path))


def _compile(new: Iterable[Path], product: Iterable[Path], config: pytest.Config) -> None:
    state = config.stash[assertstate_key]
    for path in new:
        if not _is_rewritten(path):
            py_compile.compile(str(path), quiet=1)
        elif try_makedirs(get_cache_dir(path)):
            source, code = _rewrite_test(path, config)
            _write_pyc(state, code, source, _kept(path))
    for path in product:
        module = ModuleType(path.stem)
        module.__file__ = str(path)
        constants_from_module(module)
