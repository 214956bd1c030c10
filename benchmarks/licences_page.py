"""Write docs/licences.md: the licence of every package that requirements-all.lock names.

    pip-licenses --format=json … | python -m benchmarks.licences_page

``make licences`` does it. Reads what pip-licenses found from its standard input; a package that is
locked for other systems only, and so not installed here, is written down by name.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs/licences.md"
LOCK: Final = ROOT / "requirements-all.lock"

READ_BY_HAND: Final[Mapping[str, str]] = {
    "pyromark": "MIT",
    "resvg-py": "MIT",
    "httpx2-jsfetch": "not installed here: it is for a browser only",
}
"""What packages do not declare themselves, read in the licence files they bring."""

_NAME: Final = re.compile(r"^([a-z0-9][a-z0-9._-]*)==", re.MULTILINE)
_RECIPROCAL: Final = re.compile(r"GPL|MPL|Mozilla|EPL|CDDL")

HEAD: Final = """\
# Licences

The licence of each package that is installed with 小祥, which itself is under the MIT licence. In
English only. Written by `make licences` from what the packages declare; where one declares
nothing, from the licence file it brings. What a package has compiled into it is listed in its own
`*.dist-info` and not looked into here.

Packages whose licence asks for something beyond naming the authors are marked.
`python-telegram-bot` and `psycopg` (LGPL-3.0) are used unchanged and can be replaced by whoever
runs the program;
`certifi` and parts of `orjson` (MPL-2.0) are used unchanged as well. The package
`paperang-p2-fonts-cjk` brings a font, WenQuanYi Micro Hei, which its makers give under Apache-2.0
or GPL-3.0 with the font exception. `bot/desk/graph/fonts/latin.ttf` is a part of DejaVu Sans; its
licence stands beside it. `bot/page/static/vendor` holds five small scripts for the memory page,
unchanged, with their licences and checksums: htmx (Zero-Clause BSD), d3-dispatch, d3-force,
d3-quadtree and d3-timer (ISC).

| package | licence | |
|---|---|---|
"""


def locked_names(lock: str) -> tuple[str, ...]:
    """Return the names of the packages in a lock file, each once, in order.

    >>> locked_names("b==1.0 ; python_version < '3.12' \\\\\\n    --hash=x\\nb==2\\na.c==3")
    ('a.c', 'b')
    """
    return tuple(sorted(set(_NAME.findall(lock))))


def page(found: Iterable[Mapping[str, str]], names: Iterable[str]) -> str:
    """Return the page; raises ValueError naming a package whose licence nobody knows."""
    declared = {_plain(each["Name"]): each["License"] for each in found}
    rows = []
    for name in names:
        licence = declared.get(_plain(name), "UNKNOWN")
        if licence == "UNKNOWN":
            licence = READ_BY_HAND.get(name, "")
        if not licence:
            raise ValueError(
                f"the licence of {name!r} is not known: read the file it brings, and note it in "
                "benchmarks/licences_page.py"
            )
        mark = "reciprocal" if _RECIPROCAL.search(licence) else ""
        rows.append(f"| {name} | {licence} | {mark} |".replace("|  |", "| |"))
    return HEAD + "\n".join(rows) + "\n"


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> None:
    """Write the page from standard input and print it."""
    try:
        written = page(json.load(sys.stdin), locked_names(LOCK.read_text(encoding="utf-8")))
    except ValueError as error:
        sys.exit(str(error))
    PAGE.write_text(written, encoding="utf-8")
    print(written, end="")


if __name__ == "__main__":
    main()
