"""Texts that may come from anybody, on their way to a terminal."""

import unicodedata

_ALLOWED_CONTROLS = "\n\t"


def harmless(text: str) -> str:
    r"""Return a text whose control characters are pictures of themselves: a terminal obeys none.

    >>> harmless("a\x1b[2Jb")
    'a␛[2Jb'
    """
    if text.isprintable():
        return text
    return "".join(map(_harmless_letter, text))


def _harmless_letter(letter: str) -> str:
    if letter in _ALLOWED_CONTROLS or unicodedata.category(letter) not in {"Cc", "Cs"}:
        return letter
    return chr(0x2400 + ord(letter)) if ord(letter) < ord(" ") else "�"
