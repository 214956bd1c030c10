"""Loaded once by the server that forks programs: everything a program's first turn would load."""

from openai import AsyncOpenAI
from openai.resources.chat import completions

from bot.adapters.telegram import adapter
from bot.cli import memory, run, transfer, upkeep
from memory.text.slot_cues import tables
from memory.text.tokens import tokens
from prompts.rendering import template_environment

COMMANDS = (memory, run, transfer, upkeep)
LOADED = (
    AsyncOpenAI,
    completions,
    adapter,
    tokens("今天天气很好"),
    tables(),
    template_environment(),
)
