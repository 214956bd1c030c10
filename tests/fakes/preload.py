"""Loaded once by the server that forks programs: everything a program's first turn would load."""

import gc
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import httpcore
import numpy.ma
import resvg_py
from anyio._backends import _asyncio as anyio_on_asyncio
from apscheduler.executors import asyncio as scheduled
from openai import AsyncOpenAI
from openai.resources.chat import completions

from bot.adapters.telegram import adapter
from bot.cli import memory, run, transfer, upkeep
from bot.llm import openai_client
from bot.web import server
from memory import offline
from memory.learning.remember_requests import requests_in_talk
from memory.text.late_pattern import LatePattern
from memory.text.segmentation import tag
from memory.text.tokens import tokens
from tests.builders import a_message

COMMANDS = (memory, run, transfer, upkeep)
RULES = [
    import_module(f"{offline.__name__}.{each.name}") for each in iter_modules(offline.__path__)
]


def made_once() -> Iterator[Callable[[], Any]]:
    """Yield what the program makes when it first needs it and then keeps: tables, patterns."""
    ours = [each for name, each in sys.modules.items() if name.split(".")[0] in PACKAGES]
    for module in ours:
        for each in vars(module).values():
            if hasattr(each, "cache_info") and _is_at_home(each, module):
                yield each


def _is_at_home(function: Any, module: ModuleType) -> bool:
    return function.__module__ == module.__name__ and not signature(function).parameters


PACKAGES = ("bot", "memory", "prompts")
MADE = [make() for make in list(made_once())]
PATTERNS = [each._compiled for each in gc.get_objects() if type(each) is LatePattern]
"""All that the rules look for. A program that compiles what it needs takes most of a second."""

LOADED = (
    AsyncOpenAI,
    completions,
    adapter,
    openai_client,
    server,
    httpcore.AsyncConnectionPool,
    anyio_on_asyncio,
    resvg_py,
    numpy.ma,
    scheduled,
    tokens("今天天气很好"),
    tag("今天天气很好"),
    requests_in_talk(
        [a_message("m", "记住我喜欢猫"), a_message("n", "remember that I like cats")], ()
    ),
)
