"""Loaded once by the server that forks programs: everything a first turn would load."""

from openai import AsyncOpenAI
from openai.resources.chat import completions

from bot.cli import run
from memory.text.tokens import tokens
from prompts.values import template_environment

LOADED = (AsyncOpenAI, completions, run, tokens("今天天气很好"), template_environment())
