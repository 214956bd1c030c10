"""Markdown as models write it, put right for readers that go by the letter of CommonMark.

What is mended is what shows as raw markup else: ``**注意：**后面``, where the punctuation keeps
the closing stars from closing; ``##标题`` without its space; tables that follow a line of text, or
whose rows are of different lengths. Nothing that is said is changed.

And a text cut into parts that a platform accepts: no part ends inside what a reader sees as one
character, and a code block that goes over a border is closed and opened again.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final, TypeAlias

from memory.text.segmentation import CodeBlock, code_blocks, is_boundary

# Noncharacters: no text that means anything holds them.
_CODE_OPEN, _CODE_CLOSE = "\ufdd1", "\ufdd2"
JOINT: Final = "\ufdd0"
"""Stands between punctuation and stars for whoever removes it afterwards."""

_NONCHARACTERS: Final = re.compile("[\ufdd0-\ufdd2]")
_INLINE_CODE: Final = re.compile(r"(?<!`)(?:`[^`\n]+`|``[^`\n]+(?:`[^`\n]+)*``)(?!`)")
_HIDDEN_CODE: Final = re.compile(f"{_CODE_OPEN}(\\d+){_CODE_CLOSE}")
_STRONG: Final = re.compile(r"(?<!\*)(\*{2,3}|~~)(?!\*)([^*~\n]+)\1(?!\*)")
_POWER: Final = re.compile(r"(?<=[\w)])\*\*(?=[\d(])", re.ASCII)
_TIGHT_HEADING: Final = re.compile(r"^( {0,3}#{2,6})(?=[^\s#])", re.MULTILINE)

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_ROW: Final = re.compile(r"[^\n|]*\|")
_WALLED_ROW: Final = re.compile(r"[ \t]*\|[^\n]*\|[ \t]*\r?$")
_RULE: Final = re.compile(r"(?=[ \t|:]*-)(?=[^\n|]*\|)[ \t|:-]+\r?$", re.MULTILINE)
LONGEST_HEADING: Final = 300
_HEADING_AT_END: Final = re.compile(r"(?:^|\n) {0,3}#{1,6} [^\n]*\n+$")
_CELL_BORDER: Final = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class CodePart:
    """A fenced code block as it stands, with its fences."""

    source: str


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table: the cells of its head, and of each row as many; without a head that is empty.

    ``written`` is the table as the model wrote it, if every reader takes that for one.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    written: str = ""

    @property
    def source(self) -> str:
        """Return the table as every reader takes it for one."""
        if self.written:
            return self.written
        head = self.head or ("",) * len(self.rows[0])
        lines = [head, ("---",) * len(head), *self.rows]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


@dataclass(frozen=True, slots=True)
class ProsePart:
    """Anything else: paragraphs, headings, lists."""

    source: str


MarkdownPart: TypeAlias = CodePart | TablePart | ProsePart


def markdown_parts(markdown: str, joint: str) -> Iterator[MarkdownPart]:
    """Yield the parts of a text in order, mended; what stands between them are line ends.

    ``joint`` is written between punctuation and stars, where the stars would not count else.
    """
    text = _NONCHARACTERS.sub("", markdown)
    last = 0
    for block in code_blocks(text):
        yield from _without_code(text[last : block.start], joint)
        yield CodePart(text[block.start : block.end])
        last = block.end
    yield from _without_code(text[last:], joint)


def mended_markdown(markdown: str, joint: str) -> str:
    r"""Return Markdown that says the same to every reader of it.

    >>> mended_markdown("**注意：**后面\n##标题", "|")
    '**注意：|**后面\n## 标题'
    """
    parts = markdown_parts(markdown, joint)
    return joined_parts((part, part.source) for part in parts)


def joined_parts(parts: Iterable[tuple[MarkdownPart, str]]) -> str:
    """Return parts as one text, each as it is given beside it; tables get empty lines around."""
    text, before_is_table = "", False
    for part, shown in parts:
        is_table = isinstance(part, TablePart)
        # A table that follows a line of text is none to many readers, and takes up the next line.
        if is_table and text.strip() and not _HEADING_AT_END.search(text[-LONGEST_HEADING:]):
            text = _with_empty_line(text)
        if before_is_table and shown.strip() and not shown.startswith(("\n", "\r")):
            text = _with_empty_line(text)
        text += shown
        before_is_table = is_table
    return text


def _with_empty_line(text: str) -> str:
    missing = 2 - (len(text) - len(text.rstrip("\n")))
    return text + "\n" * missing


def _without_code(text: str, joint: str) -> Iterator[MarkdownPart]:
    """Yield the parts of a text that holds no fenced code."""
    lines = _LINE.findall(text)
    prose, place = 0, 0
    while place < len(lines):
        end = _end_of_table(lines, place)
        if end == place:
            place += 1
            continue
        if prose < place:
            yield ProsePart(_mended_prose("".join(lines[prose:place]), joint))
        yield _table_of(lines[place:end], joint)
        prose = place = end
    if prose < place:
        yield ProsePart(_mended_prose("".join(lines[prose:]), joint))


def _end_of_table(lines: Sequence[str], start: int) -> int:
    """Return where the table ends that begins at a line; the line itself if none does."""
    first, second = lines[start], lines[start + 1] if start + 1 < len(lines) else ""
    with_head = _is_row(first) and bool(_RULE.match(second))
    # The second half of a table that was cut has no head.
    without = bool(_ROW.match(second)) and (
        bool(_RULE.match(first)) or bool(_WALLED_ROW.match(first) and _WALLED_ROW.match(second))
    )
    if not with_head and not without:
        return start
    rows = takewhile(lambda number: _ROW.match(lines[number]), range(start, len(lines)))
    return max(rows) + 1


def _is_row(line: str) -> bool:
    return bool(_ROW.match(line)) and not _RULE.match(line)


def _table_of(lines: Sequence[str], joint: str) -> TablePart:
    mended = [_mended_prose(line.rstrip("\r\n"), joint) for line in lines]
    cells = [_cells(line) for line in mended]
    rules = {number for number, line in enumerate(mended) if _RULE.match(line)}
    width = max(map(len, cells))
    regular = rules == {1} and {len(row) for row in cells} == {width}
    rows = [
        (*row, *[""] * (width - len(row)))
        for number, row in enumerate(cells)
        if number not in rules
    ] or [("",) * width]
    tail = "\n" if lines[-1].endswith("\n") else ""
    written = "\n".join(mended) + tail if regular else ""
    if 1 in rules and 0 not in rules:
        return TablePart(rows[0], tuple(rows[1:]), written)
    return TablePart((), tuple(rows))


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return tuple(cell.strip() for cell in _CELL_BORDER.split(inner))


def _mended_prose(text: str, joint: str) -> str:
    """Return prose whose bold words and headings count as such."""
    codes: list[str] = []

    def hide(found: re.Match[str]) -> str:
        codes.append(found.group())
        return f"{_CODE_OPEN}{len(codes) - 1}{_CODE_CLOSE}"

    text = _INLINE_CODE.sub(hide, text)
    text = _POWER.sub(r"\\*\\*", text)
    text = _STRONG.sub(lambda found: _mended_strong(found, joint), text)
    text = _TIGHT_HEADING.sub(r"\1 ", text)
    return _HIDDEN_CODE.sub(lambda found: codes[int(found[1])], text)


def _mended_strong(found: re.Match[str], joint: str) -> str:
    """Return bold words whose stars open and close them, whatever stands beside."""
    marker, words = found[1], found[2]
    inner = words.strip()
    if not inner:
        return found.group()
    before = words[: len(words) - len(words.lstrip())]
    after = words[len(words.rstrip()) :]
    first = joint if _is_punctuation(inner[0]) else ""
    last = joint if _is_punctuation(inner[-1]) else ""
    return f"{before}{marker}{first}{inner}{last}{marker}{after}"


def _is_punctuation(character: str) -> bool:
    # CommonMark counts symbols too.
    return unicodedata.category(character)[0] in {"P", "S"} or character in {
        _CODE_OPEN,
        _CODE_CLOSE,
    }


Measure: TypeAlias = Callable[[str], int]

SMALLEST_LIMIT: Final = 8

_SMALLEST_FILLING: Final = 0.5
"""How full a part must be for it to end at a paragraph or sentence rather than at the limit."""

_FENCES_AT_MOST: Final = 4
"""Repeating the fences may cost a quarter of the limit; a block with longer ones is torn."""

# Best places first: a paragraph, a line, a sentence, a word.
_PROSE: Final = tuple(
    re.compile(pattern)
    for pattern in (r"\n\s*\n", r"\n", r"[。！？!?…；;]+[”’」』）)]*|\.\s", r"[\s，、,]")
)

_CODE: Final = (re.compile(r"\n"),)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a text; the bodies of all parts joined are the text.

    ``before`` and ``after`` open and close a code block that continues over the border.
    """

    body: str
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """Return what is sent."""
        return f"{self.before}{self.body}{self.after}"


def utf16_units(text: str) -> int:
    """Return the length as Telegram counts it: an emoji outside the basic plane is two.

    >>> utf16_units("你好👋")
    4
    """
    return len(text) + sum(character > "\uffff" for character in text)


def split(
    text: str, *, limit: int, measure: Measure = len, cuts: Sequence[int] = ()
) -> tuple[Part, ...]:
    """Return the text in parts of at most ``limit``; their bodies joined are the text.

    ``measure`` must be additive: the measure of two texts joined is the sum of theirs. A part ends
    where a paragraph, a line, a sentence or a word does, if that does not waste half of it, and
    never within what a reader sees as one character (unless that alone is over the limit). A code
    block that does not fit is closed and opened again. At ``cuts``, in rising order, a part ends
    in any case, and none before the last of them is cut further.
    """
    if limit < SMALLEST_LIMIT:
        raise ValueError(f"a part needs room for at least {SMALLEST_LIMIT}, not {limit}")
    page = _MeasuredText(text, limit, measure)
    parts: list[Part] = []
    start = 0
    for end in cuts:
        parts.append(page.part(start, end))
        start = end
    while start < len(text):
        end = page.cut_after(start)
        parts.append(page.part(start, end))
        start = end
    return tuple(parts)


class _MeasuredText:
    """A text, the measure up to each of its places, and its code blocks."""

    def __init__(self, text: str, limit: int, measure: Measure) -> None:
        self._text = text
        self._limit = limit
        self._measure = measure
        self._ends = [0, *accumulate(measure(character) for character in text)]
        self._blocks = [block for block in code_blocks(text) if self._is_worth_closing(block)]

    def part(self, start: int, end: int) -> Part:
        """Return the part between two places, with fences for a block that crosses a border."""
        body = self._text[start:end]
        opened, closed = self._block_around(start), self._block_around(end)
        before = f"{opened.opening}\n" if opened else ""
        newline = "" if body.endswith("\n") else "\n"
        return Part(body, before, f"{newline}{closed.marker}" if closed else "")

    def cut_after(self, start: int) -> int:
        """Return where the part that begins at ``start`` ends."""
        opened = self._block_around(start)
        room = self._limit - (self._measure(f"{opened.opening}\n") if opened else 0)
        if self._ends[-1] - self._ends[start] <= room:
            return len(self._text)
        # Wherever the part ends, there must be room to close a block that is open there.
        reserve = max((self._measure(f"\n{each.marker}") for each in self._blocks), default=0)
        furthest = bisect_right(self._ends, self._ends[start] + room - reserve) - 1
        furthest = self._out_of_fences(start, max(furthest, start + 1))
        return self._best_cut(start, furthest)

    def _best_cut(self, start: int, furthest: int) -> int:
        """Return the best place to cut, at most ``furthest`` and after ``start``."""
        least = start + int((furthest - start) * _SMALLEST_FILLING)
        for pattern in _CODE if self._block_around(furthest) else _PROSE:
            found = [
                end
                for match in pattern.finditer(self._text, least, furthest)
                if (end := match.end()) > least and self._may_cut(end)
            ]
            if found:
                return found[-1]
        # One character alone over the limit, an emoji with a hundred joiners, is torn after all.
        whole = (p for p in range(furthest, start, -1) if self._may_cut(p))
        return next(whole, furthest)

    def _may_cut(self, place: int) -> bool:
        return is_boundary(self._text, place) and not self._torn_block(place)

    def _out_of_fences(self, start: int, place: int) -> int:
        """Return ``place``, or the last place before a fence line that a cut there would tear."""
        block = self._torn_block(place)
        if block is None:
            return place
        before = block.start if place <= block.inside else block.closing - 1
        return before if before > start else place

    def _block_around(self, place: int) -> CodeBlock | None:
        """Return the block in whose content the place is."""
        for block in self._blocks:
            if block.inside <= place < block.end and block.start < place:
                return block if place <= block.closing else None
        return None

    def _torn_block(self, place: int) -> CodeBlock | None:
        """Return the block whose opening or closing line a cut would tear, or leave alone."""
        for block in self._blocks:
            if block.start < place <= block.inside or block.closing <= place < block.end:
                return block
        return None

    def _is_worth_closing(self, block: CodeBlock) -> bool:
        cost = self._measure(f"{block.opening}\n") + self._measure(f"\n{block.marker}")
        return cost * _FENCES_AT_MOST <= self._limit
