"""Where in a Markdown text the code blocks are."""

import re
from dataclasses import dataclass, replace
from typing import Final

_FENCE: Final = re.compile(
    r"^ {0,3}(?P<marker>`{3,16}(?!`)|~{3,16}(?!~))(?P<info>[^\n]*)$", re.MULTILINE
)
_LONGEST_OPENING: Final = 32
"""Characters of an opening line worth repeating; of a longer one only the marker is."""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block: the line that opens it, what is in it, the line that closes it.

    ``inside`` and ``closing`` are where the content and the closing line begin, ``end`` is where
    the text after it begins. A block nobody closed reaches to the end: there ``closing`` is
    ``end``. ``opening`` opens another block of the same kind, ``marker`` closes it.
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
    >>> [text[block.inside : block.closing] for block in blocks(text)]
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


def _is_inline(fence: re.Match[str]) -> bool:
    """Whether it is code within a line: an info string holds no backtick."""
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
