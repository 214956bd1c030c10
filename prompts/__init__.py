"""Prompts as frozen values: what is asked, separate from how it is worded.

A prompt holds only strings, dates and tuples. ``messages()`` renders it for a language model;
the rule-based model in ``memory.offline`` reads the value itself and never the rendered text.
"""

from prompts.notes import PromptLine, PromptMemory, PromptPlan
from prompts.rendering import (
    COMPRESSION_NAMES,
    EPISODE_NAMES,
    OPERATION_NAMES,
    REVIEW_NAMES,
    ChatMessage,
    default_persona,
    is_from_example,
)
from prompts.values import (
    EXAMPLE_HANDLES,
    OPERATIONS_SCHEMA,
    UNSAID_REASONS,
    Ability,
    Begin,
    Compress,
    Consolidate,
    Monitor,
    Prompt,
    Reply,
    Review,
    ReviewSigns,
    Summarize,
    WrongLine,
)

__all__ = [
    "COMPRESSION_NAMES",
    "EPISODE_NAMES",
    "EXAMPLE_HANDLES",
    "OPERATIONS_SCHEMA",
    "OPERATION_NAMES",
    "REVIEW_NAMES",
    "UNSAID_REASONS",
    "Ability",
    "Begin",
    "ChatMessage",
    "Compress",
    "Consolidate",
    "Monitor",
    "Prompt",
    "PromptLine",
    "PromptMemory",
    "PromptPlan",
    "Reply",
    "Review",
    "ReviewSigns",
    "Summarize",
    "WrongLine",
    "default_persona",
    "is_from_example",
]
