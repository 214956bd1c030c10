"""Every kind of block as plain lines: what a platform falls back to that shows nothing better."""

from collections.abc import Iterator
from typing import Final, assert_never

from bot.desk.documents import (
    Bar,
    Bars,
    Block,
    Branch,
    Buttons,
    Colour,
    Facts,
    File,
    Picture,
    Table,
    Text,
    Tree,
    display_text,
)

BAR_WIDTH: Final = 10
LIGHTS: Final = {Colour.GREEN: "🟢 ", Colour.YELLOW: "🟡 ", Colour.RED: "🔴 ", Colour.PLAIN: ""}


def as_text(block: Block) -> str:  # noqa: C901, PLR0911, PLR0912 - a case a kind
    """Return the block as lines that any platform can show, in a font of any kind."""
    match block:
        case Text(text):
            return text
        case Table(rows=rows):
            return "\n".join(" · ".join(filter(None, map(display_text, row))) for row in rows)
        case Facts(entries):
            return "\n".join(f"{name}: {display_text(value)}" for _, name, value in entries)
        case Tree(root):
            return "\n".join((root.label, *_tree_lines(root)))
        case Bars(bars):
            return "\n".join(
                f"{LIGHTS[bar.colour]}{display_text(bar.label)} {bar_text(bar)} {bar.value}".rstrip()
                for bar in bars
            )
        case Picture(alt=alt):
            return alt
        case File(alt=alt, path=path):
            return f"📎 {path}" if path else alt
        case Buttons(buttons):
            return "\n".join(f"▸ {button.label}: {button.command}" for button in buttons)
        case never:
            assert_never(never)


def bar_text(bar: Bar, width: int = BAR_WIDTH) -> str:
    """Return a bar in letters; whatever is not nothing shows at least one."""
    share = min(max(bar.share, 0.0), 1.0)
    filled = max(round(share * width), 1 if share > 0 else 0)
    return "█" * filled + "░" * (width - filled)


def _tree_lines(branch: Branch, before: str = "") -> Iterator[str]:
    last = len(branch.branches) - 1
    for number, each in enumerate(branch.branches):
        yield f"{before}{'└' if number == last else '├'} {each.label}"
        yield from _tree_lines(each, before + ("  " if number == last else "│ "))
