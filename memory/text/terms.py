"""What a question is searched by: its terms, and how much each of them counts."""

from collections.abc import Collection
from itertools import pairwise
from typing import Final

from memory.text.stopwords import STOP_CHARACTERS, STOP_WORDS
from memory.text.tokens import characters, script_runs, segmented_words, tokens

_ACROSS_WORDS_WEIGHT: Final = 0.3
"""Weight of a bigram that joins the end of one word to the start of the next: mostly chance."""

_SHORT_WORD: Final = 2
_LONG_WORD_WEIGHT: Final = 0.7
_WITHIN_WORD_WEIGHT: Final = 0.6
"""Weights of a Chinese word of three or more characters and of each bigram in it: they say the
same, and a name or a phrase should not outweigh the rest of a question by its length."""

_FRAME_TEXT: Final = """
具体 主要 提到 描述 根据 以下 一项 准确 情况 方面 内容 事情 原因 方式 进行 过程 期间 当时
后来 最终 最后 之前 之后 首先 一共 总共 分别 为何 表达 表示 了解 得知 得到 记录 聊天 谈论
谈到 说到 说过 讲过 讨论 包括 包含 完成 使用 通过 针对 直接 核心 共同 发生 遇到 当天 同时
不同 相关 采取 选择 安排 活动 时间 日期 地点 目的 开始 结束 第一 第二 一次 两次 某天 为了
记得 还记得 告诉 知道 帮 请 说
"""
FRAME_WORDS: Final = frozenset(_FRAME_TEXT.split())
"""Words that build a Chinese question and say nothing about what it is about."""


def term_weights(text: str, ignored: Collection[str] = ()) -> dict[str, float]:
    """Return the terms of a question with their weights in (0, 1].

    Like :func:`tokens`, but the words that only frame a Chinese question are left out, bigrams
    across two words count little, and ``ignored`` tokens are dropped. Whatever is dropped comes
    back when nothing else would be left.
    """
    found: dict[str, float] = {}
    for script, run in script_runs(text):
        if script == "dense":
            _add_chinese_terms(run, found)
        else:
            found.update(dict.fromkeys(tokens(run), 1.0))
    kept = {term: weight for term, weight in found.items() if term not in ignored}
    return kept or found or dict.fromkeys(tokens(text), 1.0)


def meaningful_characters(text: str) -> list[str]:
    """Return the characters of the words that say what a Chinese question is about, each once."""
    said = (
        piece
        for script, run in script_runs(text)
        if script == "dense"
        for piece in segmented_words(run)
    )
    kept = (piece for piece in said if piece not in FRAME_WORDS and piece not in STOP_WORDS)
    return list(dict.fromkeys(character for piece in kept for character in characters(piece)))


def _add_chinese_terms(run: str, found: dict[str, float]) -> None:
    """Add the words and bigrams of a stretch of Chinese to ``found``."""
    pieces = segmented_words(run)
    owner = [index for index, piece in enumerate(pieces) for _ in piece]
    framing = [piece in FRAME_WORDS or piece in STOP_WORDS for piece in pieces]
    for piece, frame in zip(pieces, framing, strict=True):
        if not frame and piece not in STOP_CHARACTERS:
            found[piece] = _LONG_WORD_WEIGHT if len(piece) > _SHORT_WORD else 1.0
    for place, (first, second) in enumerate(pairwise(run)):
        left, right = owner[place], owner[place + 1]
        if framing[left] or framing[right] or {first, second} & STOP_CHARACTERS:
            continue
        within = _WITHIN_WORD_WEIGHT if len(pieces[left]) > _SHORT_WORD else 1.0
        weight = within if left == right else _ACROSS_WORDS_WEIGHT
        found[first + second] = max(found.get(first + second, 0.0), weight)
