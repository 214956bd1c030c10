"""What was lived in the laboratory, as means over the lives, and the file that keeps it."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from benchmarks.lab.life import Year

SHARES: Final = ("important_kept", "chatter_kept", "stale_recalled", "active")
"""What a sample is kept as, in this order: three shares, and how many memories are active."""

LivedKey: TypeAlias = tuple[str, int]
"""Under which law, as the laboratory names it, and for how many days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """Means over some lives of one length under one law.

    ``samples`` are a day, then its :data:`SHARES`. ``counts`` are the calls a life took, how often
    something important came up, and how often it had to be told again. ``worst`` is the least of
    what is important and the most of chatter that one life ended with.
    """

    lives: int = 0
    samples: tuple[tuple[float, ...], ...] = ()
    counts: tuple[float, ...] = (0.0, 0.0, 0.0)
    worst: tuple[float, ...] = (1.0, 0.0)

    def __str__(self) -> str:
        if not self.samples:
            return "nothing lived"
        return "important {:.1%}, chatter {:.1%}, stale {:.1%}".format(*self.samples[-1][1:4])

    @property
    def through(self) -> float:
        """Return what of the important was kept, as the mean of all samples."""
        return sum(sample[1] for sample in self.samples) / max(len(self.samples), 1)

    def with_life(self, year: Year) -> "Lived":
        """Return the means with one life more."""
        now = [(s.day, *(float(getattr(s, each)) for each in SHARES)) for s in year.samples]
        before = self.samples or tuple(now)
        end = year.samples[-1]
        return Lived(
            lives=self.lives + 1,
            samples=tuple(map(self._mixed, before, now)),
            counts=self._mixed(self.counts, (year.calls, year.came_up, year.told_again)),
            worst=(min(self.worst[0], end.important_kept), max(self.worst[1], end.chatter_kept)),
        )

    def _mixed(self, mean: tuple[float, ...], new: tuple[float, ...]) -> tuple[float, ...]:
        share = 1.0 / (self.lives + 1)
        return tuple(m + (n - m) * share for m, n in zip(mean, new, strict=True))


def read_lived(file: Path) -> dict[LivedKey, Lived]:
    """Return what is kept in a file; nothing if there is none."""
    if not file.is_file():
        return {}
    found: dict[LivedKey, Lived] = {}
    for each in json.loads(file.read_text(encoding="utf-8")):
        found[each["law"], each["days"]] = Lived(
            lives=each["lives"],
            samples=tuple(map(tuple, each["samples"])),
            counts=tuple(each["counts"]),
            worst=tuple(each["worst"]),
        )
    return found


def keep_lived(file: Path, key: LivedKey, lived: Lived) -> None:
    """Write what was lived under one key into the file, beside what is there."""
    every: Mapping[LivedKey, Lived] = read_lived(file) | {key: lived}
    told = (
        {
            "law": law,
            "days": days,
            "lives": each.lives,
            "counts": _rounded(each.counts),
            "worst": _rounded(each.worst),
            "samples": [_rounded(sample) for sample in each.samples],
        }
        for (law, days), each in sorted(every.items())
    )
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in told)
    # Several runs may live different laws at once, and read it meanwhile.
    written = file.with_name(f"{file.name}.{os.getpid()}")
    written.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    written.replace(file)


def _rounded(values: tuple[float, ...]) -> list[float]:
    # Finer than any page shows: a mean of lives goes on from here.
    return [round(each, 7) for each in values]
