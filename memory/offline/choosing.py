"""Choosing which memories an answer is about."""

import re
from collections.abc import Sequence
from typing import Final

from memory.offline.vocabulary import asked_words, is_question, match_terms
from prompts import PromptMemory, Reply

MOST_MEMORIES_TOLD: Final = 3
_CLEARLY_RELATED: Final = 2
"""So many words shared make a memory worth bringing up unasked."""

_CLAUSE_END: Final = re.compile(r"(?<=[，。！？；,.!?;])")
_STATEMENT_CHARACTERS: Final = 8

_KINDS_OF_QUESTION: Final[tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]] = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE))
    for asked, told in (
        (r"我(?:叫|的名字|姓)|我是谁|who am i|my name", r"叫|名字|姓|^.{0,4}是[一-鿿]{2,3}$|name"),
        (r"我.{0,3}住|where do i live", r"住|搬到|家在|live|moved to"),
        (r"我.{0,4}(?:几岁|多大|年纪)|how old am i", r"岁|years old"),
        (
            r"我.{0,4}(?:工作|职业|做什么的)|what do i do|my job|where do i work",
            r"工作|上班|职业|是.*[师生员]|work|job",
        ),
        (r"生日|birthday", r"生日|birthday"),
        (r"我.{0,6}(?:猫|狗|宠物)|my (?:cat|dog|pet)", r"猫|狗|养|cat|dog|pet"),
        (
            r"(?:不喜欢|讨厌)|(?:dislike|hate|don't like)",
            r"不喜欢|讨厌|不吃|不爱|dislike|hate|n't like",
        ),
        (
            r"喜欢|爱好|爱[吃喝听看玩]|what do i (?:like|love|enjoy)|hobb",
            r"喜欢|爱|like|love|enjoy|hobb",
        ),
        (r"过敏|allerg", r"过敏|allerg"),
    )
)


def relevant_memories(prompt: Reply, asked: str) -> list[PromptMemory]:
    """Return up to three memories that answer a question, best first."""
    wanted = match_terms(asked) - {prompt.partner}
    told = _answer_pattern(asked)
    facts = (m for m in prompt.memories if m.tier != "episode")
    kind = [m for m in facts if told and told.search(m.text)]
    return _by_relevance(kind or [m for m in prompt.memories if wanted & _memory_terms(m)], wanted)


def may_answer(line: str, asked: str) -> bool:
    """Tell whether a line may answer a question: by its kind, or by sharing a word."""
    told = _answer_pattern(asked)
    return bool(told and told.search(line)) or bool(asked_words(line) & asked_words(asked))


def related_memories(prompt: Reply, said: str) -> list[PromptMemory]:
    """Return up to three memories that clearly have to do with what was said, best first."""
    wanted = asked_words(said) - {prompt.partner}
    close = [
        m
        for m in prompt.memories
        if len(wanted & asked_words(f"{m.text} {m.quote}")) >= _CLEARLY_RELATED
    ]
    return _by_relevance(close, wanted)


def _answer_pattern(asked: str) -> re.Pattern[str] | None:
    """Return what an answer to a question of a usual kind must hold."""
    return next((told for kind, told in _KINDS_OF_QUESTION if kind.search(asked)), None)


def _by_relevance(memories: Sequence[PromptMemory], wanted: frozenset[str]) -> list[PromptMemory]:
    """Sort by what they share with the question; what is past, or only asks, comes last."""
    return sorted(
        memories,
        key=lambda m: (m.past, not _is_statement(best_quote(m)), -len(wanted & _memory_terms(m))),
    )[:MOST_MEMORIES_TOLD]


def best_quote(memory: PromptMemory) -> str:
    """Return the best of the words a memory rests on that states something, else the best."""
    quotes = memory.quote.split(" … ")
    return next((quote for quote in quotes if _is_statement(quote)), quotes[0])


def _is_statement(quote: str) -> bool:
    """Tell whether words say something, though they may end in a question."""
    parts = _CLAUSE_END.split(quote)
    return any(len(part) >= _STATEMENT_CHARACTERS and not is_question(part) for part in parts)


def _memory_terms(memory: PromptMemory) -> frozenset[str]:
    return match_terms(f"{memory.text} {memory.quote}")
