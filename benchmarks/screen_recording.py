"""Record the terminal of a real run as an SVG that plays in a browser: README's first picture.

make recording        # writes docs/recording.svg and docs/zh/recording.svg

The program is started twice in a terminal of its own, on a new data folder, and typed at; what it
writes is read by a terminal emulator (pyte, which ``make`` brings along for this alone). Waits are
shortened to a second. A viewer that plays nothing shows the last screen.
"""

import argparse
import fcntl
import os
import pty
import select
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

ROOT: Final = Path(__file__).resolve().parents[1]
COLUMNS: Final = 76
ROWS: Final = 40
CELL: Final = 9.0
LINE: Final = 20
MARGIN: Final = 16
LONGEST_WAIT: Final = 1.0
LAST_SCREEN: Final = 6.0
PATIENCE: Final = 30.0
QUIET: Final = 2.0
"""When the program wrote nothing for so long, it waits for somebody to type."""

NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"

PLACES: Final = {"en": ROOT / "docs/recording.svg", "zh": ROOT / "docs/zh/recording.svg"}
TALK: Final = {
    "zh": (
        ("--at=2026-11-23T20:00+08:00", "我叫阿远，在成都做护士", "我对花生过敏，记住这个"),
        ("--at=2026-12-09T09:00+08:00", "我对什么过敏？", "/记忆 列表"),
    ),
    "en": (
        (
            "--at=2026-11-23T20:00+08:00",
            "My name is Ann and I live in Leeds",
            "I am allergic to peanuts, remember this",
        ),
        ("--at=2026-12-09T09:00+08:00", "What am I allergic to?", "/memory list"),
    ),
}
"""For each start of the program: when it is, and what is typed."""

COLOURS: Final = {"default": "#E6E1D8", "magenta": "#E38FC8", "brightmagenta": "#E38FC8"}


@dataclass
class Recording:
    """The lines that stood on the screen, each with when it came and went."""

    now: float = 0.0
    shown: dict[tuple[int, str], float] = field(default_factory=dict)
    lines: list[tuple[int, str, float, float | None]] = field(default_factory=list)

    def take(self, screen: Any, waited: float) -> None:
        """Note what changed on the screen after a wait."""
        self.now += min(waited, LONGEST_WAIT)
        rows = {
            (number, drawn)
            for number in range(ROWS)
            if (drawn := "".join(_drawn(screen.buffer[number])))
        }
        for gone in self.shown.keys() - rows:
            self.lines.append((*gone, self.shown.pop(gone), self.now))
        for new in rows - self.shown.keys():
            self.shown[new] = self.now

    def svg(self) -> str:
        """Return everything as one picture that plays in a loop."""
        width, height = COLUMNS * CELL + 2 * MARGIN, ROWS * LINE + 2 * MARGIN
        total = self.now + LAST_SCREEN
        body = [
            _line(*line)
            for line in [*self.lines, *((*key, begun, None) for key, begun in self.shown.items())]
        ]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
            "font-family=\"Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK SC',monospace\" "
            'font-size="15" xml:space="preserve">\n'
            f'<rect width="100%" height="100%" rx="10" fill="#24211E">'
            f'<animate id="loop" attributeName="x" from="0" to="0" begin="0;loop.end" '
            f'dur="{total:.1f}s"/></rect>\n' + "\n".join(body) + "\n</svg>\n"
        )


def _drawn(row: Any) -> Iterator[str]:
    """Yield the runs of one colour of a line, each where it stands."""
    cells = [(column, row[column]) for column in range(COLUMNS)]
    # A wide letter has an empty cell behind it.
    cells = [(column, cell) for column, cell in cells if cell.data]
    for (colour, bold), run in groupby(cells, key=lambda each: (each[1].fg, each[1].bold)):
        placed = list(run)
        text = "".join(cell.data for _, cell in placed)
        if not text.strip():
            continue
        places = " ".join(f"{MARGIN + column * CELL:g}" for column, _ in placed)
        weight = ' font-weight="bold"' if bold else ""
        fill = COLOURS.get(colour, COLOURS["default"])
        # Browsers fold plain spaces together, and every letter after them would slip.
        shown = escape(text.rstrip()).replace(" ", NO_BREAK_SPACE)
        yield f'<tspan x="{places}" fill="{fill}"{weight}>{shown}</tspan>'


def _line(number: int, drawn: str, begun: float, ended: float | None) -> str:
    """Return a line that shows for a time; one that stays to the end shows without playing too."""
    place = f'y="{MARGIN + LINE * (number + 1) - 5}"'
    if ended is None:
        before = _seen("hidden", 0.0, begun) if begun else ""
        return f"<text {place}>{drawn}{before}</text>"
    return f'<text {place} visibility="hidden">{drawn}{_seen("visible", begun, ended)}</text>'


def _seen(how: str, begun: float, ended: float) -> str:
    span = f'begin="loop.begin+{begun:.1f}s" end="loop.begin+{ended:.1f}s"'
    return f'<set attributeName="visibility" to="{how}" {span}/>'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", choices=sorted(TALK))
    language: str = parser.parse_args().language
    # Not among what is locked: nothing but this script needs it.
    import pyte  # type: ignore[import-not-found]  # noqa: PLC0415

    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    recording = Recording()
    with tempfile.TemporaryDirectory() as data:
        for at, *said in TALK[language]:
            stream.feed(b"$ xiaoxiang chat\r\n")
            recording.take(screen, LONGEST_WAIT)
            _one_start(language, [*said, "\x04"], [at, "--data", data], stream, recording)
    PLACES[language].write_text(recording.svg(), encoding="utf-8")
    print(PLACES[language], PLACES[language].stat().st_size, "bytes")
    return 0


def _one_start(
    language: str, said: list[str], options: list[str], stream: Any, recording: Recording
) -> None:
    """Run the program once, and type what is said, each when it waits for it."""
    process, terminal = pty.fork()
    if process == 0:
        env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANGUAGE": language}
        os.chdir(ROOT)
        words = [sys.executable, "-m", "bot", "chat", "--offline", *options]
        os.execve(sys.executable, words, env)  # noqa: S606 - no shell is wanted
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    for line in said:
        _read(terminal, stream, recording, prompt=True)
        for letters in batched(line):
            os.write(terminal, letters.encode())
            _read(terminal, stream, recording, quiet=0.05)
        if line.isprintable():
            os.write(terminal, b"\r")
    _read(terminal, stream, recording)
    os.waitpid(process, 0)


def batched(line: str) -> Iterator[str]:
    """Yield a line two letters at a time, as fast typing looks."""
    return (line[place : place + 2] for place in range(0, len(line), 2))


def _read(
    terminal: int, stream: Any, recording: Recording, quiet: float = QUIET, *, prompt: bool = False
) -> None:
    """Show what the program writes until it is quiet, and a prompt stands there if it has to."""
    screen = stream.listener
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        waited = time.monotonic()
        if not select.select([terminal], [], [], quiet)[0]:
            line = screen.display[screen.cursor.y].rstrip()
            if not prompt or line.endswith(">"):
                return
            continue
        try:
            written = os.read(terminal, 65536)
        except OSError:  # it ended
            return
        stream.feed(written)
        if b"\x1b[6n" in written:
            # It asks where the cursor is.
            os.write(terminal, f"\x1b[{screen.cursor.y + 1};{screen.cursor.x + 1}R".encode())
        recording.take(screen, time.monotonic() - waited)


if __name__ == "__main__":
    sys.exit(main())
