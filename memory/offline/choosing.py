"""Choosing which memories an answer is about."""

import re
from collections.abc import Sequence
from typing import Final

from memory.offline.vocabulary import asked_words, asks, terms
from prompts import PromptMemory, Reply

MOST_TOLD: Final = 3
_CLEARLY: Final = 2
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


def relevant(prompt: Reply, asked: str) -> list[PromptMemory]:
    """Return up to three memories that answer a question, best first."""
    wanted = terms(asked) - {prompt.partner}
    told = _answers_to(asked)
    facts = (m for m in prompt.memories if m.tier != "episode")
    kind = [m for m in facts if told and told.search(m.text)]
    return _ranked(kind or [m for m in prompt.memories if wanted & _terms_of(m)], wanted)


def answers(line: str, asked: str) -> bool:
    """Tell whether a line may answer a question: by its kind, or by sharing a word."""
    told = _answers_to(asked)
    return bool(told and told.search(line)) or bool(asked_words(line) & asked_words(asked))


def alike(prompt: Reply, said: str) -> list[PromptMemory]:
    """Return up to three memories that clearly have to do with what was said, best first."""
    wanted = asked_words(said) - {prompt.partner}
    close = [
        m for m in prompt.memories if len(wanted & asked_words(f"{m.text} {m.quote}")) >= _CLEARLY
    ]
    return _ranked(close, wanted)


def _answers_to(asked: str) -> re.Pattern[str] | None:
    """Return what an answer to a question of a usual kind must hold."""
    return next((told for kind, told in _KINDS_OF_QUESTION if kind.search(asked)), None)


def _ranked(memories: Sequence[PromptMemory], wanted: frozenset[str]) -> list[PromptMemory]:
    """Sort by what they share with the question; what is past, or only asks, comes last."""
    return sorted(
        memories,
        key=lambda m: (m.past, not _states(quote_of(m)), -len(wanted & _terms_of(m))),
    )[:MOST_TOLD]


def quote_of(memory: PromptMemory) -> str:
    """Return the best of the words a memory rests on that states something, else the best."""
    quotes = memory.quote.split(" … ")
    return next((quote for quote in quotes if _states(quote)), quotes[0])


def _states(quote: str) -> bool:
    """Tell whether words say something, though they may end in a question."""
    parts = _CLAUSE_END.split(quote)
    return any(len(part) >= _STATEMENT_CHARACTERS and not asks(part) for part in parts)


def _terms_of(memory: PromptMemory) -> frozenset[str]:
    return terms(f"{memory.text} {memory.quote}")
