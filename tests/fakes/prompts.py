"""A prompt, for tests that are not about prompts."""

from prompts import PromptLine, Reply
from tests.fakes.clock import NOON


def reply_prompt(text: str = "你好呀，今天 ramen 🍜 怎么样？") -> Reply:
    """Return the prompt to answer ``text`` with."""
    line = PromptLine(role="user", speaker="主人", at=NOON, text=text)
    return Reply(persona="小祥", language="zh", partner="主人", now=NOON, window=(line,))
