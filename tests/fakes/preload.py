"""Loaded once by the server that forks programs: everything a program's first turn would load."""

import gc
from importlib import import_module
from pkgutil import iter_modules

import numpy.ma
from apscheduler.executors import asyncio as scheduled
from openai import AsyncOpenAI
from openai.resources.chat import completions

from bot.adapters.telegram import adapter
from bot.cli import memory, run, transfer, upkeep
from memory import offline
from memory.learning.remember_requests import requests_in_talk
from memory.text.late_pattern import LatePattern
from memory.text.segmentation import tag
from memory.text.slot_cues import tables
from memory.text.tokens import tokens
from prompts.rendering import template_environment
from tests.builders import a_message

COMMANDS = (memory, run, transfer, upkeep)
RULES = [
    import_module(f"{offline.__name__}.{each.name}") for each in iter_modules(offline.__path__)
]
PATTERNS = [each._compiled for each in gc.get_objects() if type(each) is LatePattern]
"""All that the rules look for. A program that compiles what it needs takes most of a second."""

LOADED = (
    AsyncOpenAI,
    completions,
    adapter,
    numpy.ma,
    scheduled,
    tokens("今天天气很好"),
    tag("今天天气很好"),
    tables(),
    requests_in_talk(
        [a_message("m", "记住我喜欢猫"), a_message("n", "remember that I like cats")]
    ),
    template_environment(),
)
