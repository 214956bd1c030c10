"""Every sentence the program itself says, in both languages it speaks.

A sentence is a constant in the module of its area, with both languages side by side, so that
neither can be missing::

    # bot/texts/shell.py
    NO_MODEL = Sentence(zh="还没有设置模型 {name}。", en="No model {name} is set.")

    # where it is said
    from bot.texts import say, shell
    say(settings.language, shell.NO_MODEL, name=name)

A refusal takes the sentence and its values; whoever tells a person says it in their language::

    raise InputRefused(refusals.UNREADABLE, file=file, why=said_by_system(error))

To add a sentence, add a constant; a new area is a new module here. The tests find every module,
check both languages, and compare what is said or refused with the placeholders of its sentence.
"""

import re
from collections.abc import Iterable
from typing import Final

from memory.model import Language
from memory.sentences import Sentence, placeholders, say

__all__ = ["Sentence", "Worded", "language_of", "language_spoken", "placeholders", "say"]


class Worded:
    """What is in words already, where it was known who reads it; ``zh`` where it was not."""

    def __init__(self, words: str, *, zh: str = "") -> None:
        self._words = words
        self._zh = zh or words

    def in_language(self, language: Language) -> str:
        """Return it in that language, if there is another than the one of the words."""
        return self._zh if language == "zh" else self._words


_HAN: Final = re.compile("[\u4e00-\u9fff]")
_LATIN_WORD: Final = re.compile("[A-Za-z]{2,}")
_AROUND_A_NAME: Final = " ，。！？,.!?~～…@\n"


def language_of(text: str, usual: Language, *, words: int = 1) -> Language:
    """Return the language of what somebody said; the usual one of what could be either.

    English is what has at least so many words and nothing Chinese.

    >>> [language_of(text, "zh", words=2) for text in ("what a day", "ok", "我在 Leeds")]
    ['en', 'zh', 'zh']
    """
    if _HAN.search(text):
        return usual if text.strip(_AROUND_A_NAME) == "小祥" else "zh"
    return "en" if len(_LATIN_WORD.findall(text)) >= words else usual


def language_spoken(texts: Iterable[str], usual: Language) -> Language:
    """Return the language of the first text that tells one: an answer is in that of its line.

    What could be either (ok, 8, a command) is answered like the line before it, so ``texts`` begin
    with the newest.

    >>> language_spoken(["ok", "call my mum at eight", "你好"], "zh"), language_spoken(["8"], "zh")
    ('en', 'zh')
    """
    for text in texts:
        found = language_of(text, "zh", words=2)
        if found == language_of(text, "en", words=2):
            return found
    return usual
