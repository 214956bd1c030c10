"""Loaded once by the server that forks programs: everything a program's first turn would load."""

from bot.adapters.telegram import adapter
from bot.cli import memory, run, transfer, upkeep
from bot.llm import openai_client
from memory.text.slot_cues import tables
from memory.text.tokens import tokens
from prompts.rendering import template_environment

COMMANDS = (memory, run, transfer, upkeep)
LOADED = (
    openai_client,
    adapter,
    tokens("今天天气很好"),
    tables(),
    template_environment(),
)
