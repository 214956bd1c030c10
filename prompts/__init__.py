"""Prompts as frozen values: what is asked, separate from how it is worded.

A prompt holds only strings, dates and tuples. ``messages()`` renders it for a language model;
the rule-based model in ``memory.offline`` reads the value itself and never the rendered text.
"""

from prompts.values import (
    ChatMessage,
    Compress,
    Consolidate,
    Monitor,
    Prompt,
    PromptLine,
    PromptMemory,
    Reply,
    Review,
    ReviewSigns,
    Summarize,
    WrongLine,
    default_persona,
)

__all__ = [
    "ChatMessage",
    "Compress",
    "Consolidate",
    "Monitor",
    "Prompt",
    "PromptLine",
    "PromptMemory",
    "Reply",
    "Review",
    "ReviewSigns",
    "Summarize",
    "WrongLine",
    "default_persona",
]
