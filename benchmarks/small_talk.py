"""Small talk read aloud: ``python -m benchmarks.small_talk zh|en``.

Each line of ``tests/sets/small_talk`` has a label, what kind of talk it is, and what was said.
They are said one after another to the rules alone, six minutes apart; after a good night it is the
next morning. Every reply is printed to be read, then the counts: the same reply twice within
thirty, something cheerful at what was labelled bad, and what was bad and met as plain talk.
"""

import re
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from memory.offline.replies import reply_to
from memory.offline.warmth import LISTENING, occasion_of
from prompts import PromptLine, Reply

SETS: Final = Path(__file__).parents[1] / "tests" / "sets" / "small_talk"
BEGINS: Final = datetime(2026, 11, 16, 8, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
PACE: Final = timedelta(minutes=6)
WINDOW: Final = 46
"""So many lines of the talk a prompt shows, at most."""

WITHIN: Final = 30
"""Turns within which nothing is to be said twice."""

BAD: Final = frozenset({"bad", "grief", "angry", "ill", "lonely", "nervous", "under", "sarcasm"})
CHEERFUL: Final = re.compile(
    r"开心|高兴|恭喜|太棒|厉害呀|太好了"
    r"|\b(?:happy|glad|congrat\w*|good news|wonderful|celebrate)\b",
    re.IGNORECASE,
)


def talked(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield label, line and reply of one sitting after another."""
    now, window = BEGINS, list[PromptLine]()
    for each in (SETS / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        label, said = each.split("\t")
        window.append(PromptLine("user", "我", now, said))
        lately = tuple(line.text for line in window if line.role == "assistant")
        reply = reply_to(
            Reply(
                persona="",
                language=language,
                partner="",
                now=now,
                window=tuple(window[-WINDOW:]),
                said_lately=lately[-90:],
            )
        )
        window.append(PromptLine("assistant", "小祥", now, reply))
        yield label, said, reply
        now += PACE
        if label == "goodnight":
            now = (now + timedelta(days=1)).replace(hour=8, minute=30)


def main() -> None:
    replies: list[str] = []
    again = cheerful = plain = bad = 0
    for label, said, reply in talked(sys.argv[1]):
        print(f"[{label}] {said}\n    {reply}")
        again += reply in replies[-WITHIN:]
        replies.append(reply)
        if label in BAD:
            bad += 1
            cheerful += CHEERFUL.search(reply) is not None
            plain += occasion_of(said) == LISTENING
    print(
        f"{len(replies)} turns: {again} again within {WITHIN}; of {bad} bad ones {cheerful} met"
        f" cheerfully, {plain} not known as bad by their own words"
    )


if __name__ == "__main__":
    main()
