"""The Chinese words of refusals are found by their English ones: these must be said somewhere."""

import ast
import errno
import os
import re
from string import Formatter

from bot.texts.setup import REFUSALS
from tests.architecture.sources import PRODUCT, name, nodes, refuse

_WORD = re.compile(r"[A-Za-z]{4,}")

_OF_OTHERS = {*map(os.strerror, errno.errorcode), "No closing quotation"}
"""What the system says, and shlex."""


def _words_said() -> list[set[str]]:
    """Return the words of each module's texts, but for the sentences themselves."""
    return [
        {
            word
            for node in nodes(path)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            for word in _WORD.findall(node.value)
        }
        for path in PRODUCT
        if name(path) != "bot/texts/setup.py"
    ]


def test_every_refusal_that_has_chinese_words_is_still_said_so() -> None:
    said = _words_said()
    offenders = []
    for sentence in REFUSALS:
        told = " ".join(text for text, *_ in Formatter().parse(sentence.en))
        words = set(_WORD.findall(told))
        if sentence.en not in _OF_OTHERS and not any(words <= each for each in said):
            offenders.append(sentence.en)
    refuse(offenders)
