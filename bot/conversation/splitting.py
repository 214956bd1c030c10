"""The text of a reply: what of it may be seen, and where it may be cut.

Platforms cut it into parts (:mod:`bot.adapters.markdown`).
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

ZERO_WIDTH_JOINER: Final = "\u200d"

# Rules of our own instead of a library: the standard one has no grapheme clusters, and these few
# ranges cover what people write in chats.
_HANGUL_VOWELS_AND_TAILS: Final = ("\u1160", "\u11ff")

_SKIN_TONES: Final = ("\U0001f3fb", "\U0001f3ff")

_TAGS: Final = ("\U000e0020", "\U000e007f")

_FLAGS: Final = ("\U0001f1e6", "\U0001f1ff")

_INVISIBLE: Final = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u3164\u115f\u1160")

_VIRAMAS: Final = frozenset("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d")


def is_boundary(text: str, place: int) -> bool:
    """Say whether a reader sees two characters on either side of ``place``.

    Covers combining marks, variation selectors, skin tones, joined emoji families, flags, tag
    sequences, Hangul syllables, joined Indic consonants and line ends; it may keep together what
    UAX #29 would part, which only makes a piece a little shorter.

    >>> [place for place in range(6) if is_boundary("a👨‍👩b", place)]
    [0, 1, 4, 5]
    """
    if place <= 0 or place >= len(text):
        return True
    before, after = text[place - 1], text[place]
    if before == "\r" and after == "\n":
        return False
    if _extends(after) or before == ZERO_WIDTH_JOINER or before in _VIRAMAS:
        return False
    if _within(before, _FLAGS) and _within(after, _FLAGS):
        return _flags_before(text, place) % 2 == 0
    return True


def has_visible_text(text: str) -> bool:
    r"""Whether there is anything to see; platforms refuse a message without.

    >>> has_visible_text("好"), has_visible_text(" \u200b\n")
    (True, False)
    """
    return bool("".join(each for each in text if each not in _INVISIBLE).strip())


_ESCAPE_SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")

# Controls but line ends and tabs, and what changes the direction of the text that follows.
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def without_controls(text: str) -> str:
    r"""Return a text without anything that steers a terminal or turns the writing around.

    >>> without_controls("a\x00\x1b[31mb\u202ec\r\n")
    'abc\n'
    """
    if text.isprintable() and text.isascii():
        return text
    return _CONTROLS.sub("", _ESCAPE_SEQUENCE.sub("", text))


_IN_CODE: Final = r"```.*?(?:```|\Z)|`[^`\n]*`"
_CONTROL: Final = r"(?:<[|｜][^<>|｜\n]{1,40}[|｜]>|<(?:start|end)_of_turn>|</s>)"
_TOLD: Final = r"(?:ADD|SKIP|UPDATE|BOOST|DELETE|NEGATE|MERGE|UNSAID|PROMOTE|KEEP)"
_ITEM: Final = r"^[ \t]*(?:[-*•][ \t]+)?[\[［【]"
_FOR_MACHINES: Final = re.compile(
    rf"(?P<code>{_IN_CODE})"
    # What a template puts between turns, at an end of a line or several; and behind it the turn
    # of somebody else that is made up.
    rf"|(?P<mark>(?:^(?:{_CONTROL}\s*)+|(?:{_CONTROL}\s*){{2,}}|{_CONTROL}[ \t]*$)"
    r"(?:(?<=>)(?:user|system|human)\b.*\Z|(?<=>)(?:assistant|model)\b\s*)?)"
    r"|\[INST\].*?(?:\[/INST\]|\Z)|\[/INST\]|<<SYS>>.*?(?:<</SYS>>|\Z)"
    r"|<(?P<call>(?:tool|function)_(?:calls?|response))>\s*[\[{<].*?(?:</(?P=call)>|\Z)"
    # The judge's grammar: with a handle, details or the partner it can be nothing else.
    rf"|(?:{_ITEM}|[\[［【])(?:{_TOLD}[ \t]*[:：][ \t]*m\d|{_TOLD}[ \t]+[a-z]+="
    rf"|{_TOLD}[\]］】][ \t]*(?:主人|the partner\b|my friend\b))[^\n]*\n?"
    rf"|{_ITEM}(?P<plain>{_TOLD}[\]］】])[^\n]*\n?",
    re.DOTALL | re.MULTILINE,
)
_FOREIGN_ITEM: Final = re.compile(rf"{_ITEM}(?!{_TOLD}\b)[A-Z]{{2,12}}[\]］】]", re.MULTILINE)
_HALF: Final = re.compile(
    rf"(?:(?:{_CONTROL}\s*)+[a-z]{{0,9}}|<[|｜][^<>\n]{{0,42}}|</?[a-z_]{{0,18}}(?:>\s*)?"
    rf"|<<?/?[SY]{{0,3}}>?|\[/?[INST]{{0,4}}"
    rf"|(?:{_ITEM}|[\[［【])[A-Z]{{0,8}}[\]］】 \t:：]*[a-z 主]{{0,16}})\Z",
    re.MULTILINE,
)
"""What may become one of these, at the end of a text that still grows."""

_SPOKEN_OF: Final = re.compile(rf"<[|｜/a-z]|[\[［【](?:{_TOLD}\b|/?INST)")


def without_machinery(text: str, said: Sequence[str], *, growing: bool = False) -> str:
    """Return a text without what a model writes for machines: tokens, tool calls, operations.

    What stands in code stays, and everything where the lines ``said`` speak of such things.
    """
    if not re.search(r"[<\[［【]", text) or any(map(_SPOKEN_OF.search, said)):
        return text
    plain_stays = bool(_FOREIGN_ITEM.search(text))

    def kept(found: re.Match[str]) -> str:
        if found["code"] is not None or (plain_stays and found["plain"] is not None):
            return found[0]
        begins = not found.start() or found.string[found.start() - 1] == "\n"
        return "\n" if found["mark"] and "\n" in found[0] and not begins else ""

    # Only the end is looked at, so that no text of a mad model takes long.
    whole = f"{text[:-400]}{_HALF.sub('', text[-400:])}" if growing else text
    return _FOR_MACHINES.sub(kept, whole)


@lru_cache(maxsize=32)
def letters_of(text: str) -> str:
    """Return the letters and digits of a text, as they are compared: with each piece, again."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _extends(character: str) -> bool:
    """Whether the character belongs to the one before it."""
    return (
        character == ZERO_WIDTH_JOINER
        or _within(character, _SKIN_TONES)
        or _within(character, _TAGS)
        or _within(character, _HANGUL_VOWELS_AND_TAILS)
        or unicodedata.category(character) in {"Mn", "Me", "Mc"}
    )


def _flags_before(text: str, place: int) -> int:
    """Count the regional indicators right before ``place``; two of them are one flag."""
    start = place
    while start > 0 and _within(text[start - 1], _FLAGS):
        start -= 1
    return place - start


def _within(character: str, span: tuple[str, str]) -> bool:
    return span[0] <= character <= span[1]


_FENCE: Final = re.compile(
    r"^ {0,3}(?P<marker>`{3,16}(?!`)|~{3,16}(?!~))(?P<info>[^\n]*)$", re.MULTILINE
)

_LONGEST_OPENING: Final = 32
"""The longest opening line that is repeated after a cut; of a longer one only the marker is."""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced code block, by places in its text.

    ``inside`` and ``closing`` are where the content and the closing line begin, ``end`` is where
    the text after the block begins. A block that is never closed reaches to the end of the text;
    its ``closing`` equals its ``end``. ``opening`` opens another block of the same kind,
    ``marker`` closes it.
    """

    start: int
    inside: int
    closing: int
    end: int
    opening: str
    marker: str


def code_blocks(text: str) -> tuple[CodeBlock, ...]:
    r"""Return the fenced blocks of a text, in order, as CommonMark reads them.

    >>> text = "a\n```py\nx = 1\n```\nb"
    >>> [text[block.inside : block.closing] for block in code_blocks(text)]
    ['x = 1\n']
    """
    found: list[CodeBlock] = []
    opened: CodeBlock | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            if not _is_inline(fence):
                opened = _block_opened_by(fence, len(text))
        elif _closes(fence, opened):
            found.append(replace(opened, closing=fence.start(), end=_next_line(fence, len(text))))
            opened = None
    return tuple([*found, opened] if opened else found)


_TICKS: Final = re.compile(r"(?<!`)`(?!`)")


def cut_with_line(text: str, line: str) -> str:
    r"""Return Markdown that was cut anywhere, with a line below it that says so.

    What the cut left open is closed: else the line would be code, and stars would stay to be seen.

    >>> cut_with_line("所以**注意", "（没说完）")
    '所以**注意**\n\n（没说完）'
    >>> cut_with_line("```py\nx =", "（没说完）")
    '```py\nx =\n```\n\n（没说完）'
    """
    said = text.rstrip()
    blocks = code_blocks(said)
    if blocks and blocks[-1].closing == len(said):
        return f"{said}\n{blocks[-1].marker}\n\n{line}"
    last = said[said.rfind("\n") + 1 :]
    if len(_TICKS.findall(last)) % 2:
        said += "`"
    elif last.count("**") % 2:
        # Also where the cut fell between the two stars that close.
        said, last = said.rstrip("*").rstrip(), last.rstrip("*")
        said += "**" * (last.count("**") % 2)
    return f"{said}\n\n{line}"


def _is_inline(fence: re.Match[str]) -> bool:
    """Whether it is code within a line: by CommonMark an info string holds no backtick."""
    return fence["marker"].startswith("`") and "`" in fence["info"]


def _block_opened_by(fence: re.Match[str], length: int) -> CodeBlock:
    line = fence.group().strip()
    return CodeBlock(
        start=fence.start(),
        inside=_next_line(fence, length),
        closing=length,
        end=length,
        opening=line if len(line) <= _LONGEST_OPENING else fence["marker"],
        marker=fence["marker"],
    )


def _closes(fence: re.Match[str], opened: CodeBlock) -> bool:
    return fence["marker"].startswith(opened.marker) and not fence["info"].strip()


def _next_line(fence: re.Match[str], length: int) -> int:
    return min(fence.end() + 1, length)
