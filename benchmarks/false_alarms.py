"""How often talk that holds no secret is taken for one: real chats, counted per 2,000 messages.

    .venv/bin/python -m benchmarks.false_alarms --data DIR

Reads the chats of LifeBench and MemoryBank. With ``--show`` it also prints what was cut, to be
looked at and nowhere written down.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from benchmarks.datasets import lifebench
from benchmarks.memorybank import people, recording
from memory.model import Message
from memory.privacy.cues import cues_in
from memory.privacy.plain_form import plain_form
from memory.privacy.shapes import keys_in, numbers_in, seeds_in
from memory.privacy.talk import places_in_talk
from memory.privacy.values import told_in

PER = 2_000
MOST = 1.0
AROUND = 30


def talks(data: Path) -> Iterator[tuple[str, Sequence[Message]]]:
    """Yield every talk with the name of its set."""
    for life in lifebench(data, "chat"):
        yield from (("lifebench", sitting) for sitting in life.sittings)
    for language in ("cn", "en"):
        for person in people(data, language).values():
            messages = [
                Message(
                    id=said["id"],
                    at=datetime.fromisoformat(said["at"]),
                    speaker=said["speaker"],
                    role="user" if said["role"] == "user" else "assistant",
                    text=said["text"],
                )
                for said in recording(person)
            ]
            yield f"memorybank {language}", messages


def kind_of(text: str) -> str:
    """Return which rule finds a secret in a text; the talk, if none does by itself."""
    plain = plain_form(text).text
    for kind, found in (("key", keys_in), ("number", numbers_in), ("seed", seeds_in)):
        if any(found(plain)):
            return kind
    if any(told_in(plain)):
        return " ".join(sorted({cue.sort.name.lower() for cue in cues_in(plain)}))
    return "talk"


def main() -> None:
    parser = argparse.ArgumentParser(description="Count what is taken for a secret and is none.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--show", action="store_true", help="print what was cut")
    options = parser.parse_args()
    if not (options.data / "lifebench_zh").is_dir():
        sys.exit(f"no data in {options.data}; give its folder with --data")
    messages, alarms, kinds = Counter[str](), Counter[str](), Counter[str]()
    began = time.process_time()
    for name, said in talks(options.data):
        messages[name] += len(said)
        for message, places in zip(said, places_in_talk(said), strict=True):
            if places:
                alarms[name] += 1
                kinds[kind_of(message.text)] += 1
            for start, end in places if options.show else ():
                print(f"{name}: …{message.text[max(0, start - AROUND) : end + AROUND]!r}…")
    spent = time.process_time() - began
    for name, count in messages.items():
        print(f"{name}: {alarms[name]} of {count:,}")
    rate = PER * alarms.total() / messages.total()
    print(f"{rate:.2f} in {PER:,} messages ({dict(kinds)}); may be {MOST}")
    print(f"{1000 * spent / messages.total():.3f} ms a message, reading the data included")
    sys.exit(rate > MOST)


if __name__ == "__main__":
    main()
