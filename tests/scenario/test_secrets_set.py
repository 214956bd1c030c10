"""Secrets and ordinary numbers as people write them: nothing secret stays, nothing else is cut."""

import gzip
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from memory.model import Message
from memory.offline import OfflineModel
from memory.ports import Piece, Replied
from memory.privacy.talk import places_in_talk
from memory.stores.exports import export_bytes
from prompts import Prompt, Reply
from tests.builders import a_message
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.cost import share
from tests.fakes.stolen_folder import spellings
from tests.fakes.two_chats import TELEGRAM, Someone, two_chats
from tests.sets import load_sets

SECRETS = load_sets("secrets")
ORDINARY = load_sets("ordinary")

MOST_MISSED = 0.02
TOGETHER = 25
"""So many lines one turn holds: a turn of the whole program costs far more than a line."""

SHORTEST_SOUGHT = 6
SHORTEST_NUMBER = 8
"""Shorter ones stand by chance in ids, times and digests: they are sought in their talk only."""


def talk_of(case: dict[str, Any]) -> list[Message]:
    return [
        a_message(
            str(number),
            line["text"],
            speaker="小祥" if line["who"] == "her" else "安",
            role="assistant" if line["who"] == "her" else "user",
        )
        for number, line in enumerate(case["lines"])
    ]


def left_of(talk: list[Message]) -> list[str]:
    places = places_in_talk(talk)
    return [
        "".join(
            sign
            for at, sign in enumerate(message.text)
            if not any(start <= at < end for start, end in found)
        )
        for message, found in zip(talk, places, strict=True)
    ]


def test_no_secret_of_the_set_is_left_standing() -> None:
    missed = [
        case["id"]
        for case in SECRETS
        if any(value in text for value in case["secret"] for text in left_of(talk_of(case)))
    ]

    assert len(SECRETS) >= 250
    assert len(missed) <= MOST_MISSED * len(SECRETS), missed


def test_ordinary_numbers_stay_ordinary() -> None:
    cut = [case["id"] for case in ORDINARY if any(places_in_talk(talk_of(case)))]

    assert len(cut) <= len(ORDINARY) // 100, cut


class Scripted:
    """What she answers, one line after another, and every prompt she was shown."""

    def __init__(self) -> None:
        self.next = "好的"
        self.prompts: list[str] = []


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """Let the model by rule say what the set says she said, and keep its prompts."""
    script = Scripted()
    complete = OfflineModel.complete

    async def heard(self: OfflineModel, prompt: Prompt) -> Replied:
        script.prompts.append(repr(prompt))
        return await complete(self, prompt)

    async def streamed(self: OfflineModel, prompt: Prompt) -> Any:
        assert isinstance(prompt, Reply)
        script.prompts.append(repr(prompt))
        yield Piece(script.next)
        yield Replied(script.next, model="script")

    monkeypatch.setattr(OfflineModel, "complete", heard)
    monkeypatch.setattr(OfflineModel, "stream", streamed)
    return script


@pytest.mark.hunted
@pytest.mark.parametrize("with_key", [True, False])
async def test_nothing_of_it_stands_in_any_file_prompt_log_export_or_backup(
    tmp_path: Path, script: Scripted, caplog: pytest.LogCaptureFixture, *, with_key: bool
) -> None:
    caplog.set_level(logging.DEBUG)
    data, missed = tmp_path / "data", dict[str, str]()
    cases = share(SECRETS[with_key::2])
    async with two_chats(data, FakeClock(), key=tmp_path / "key" if with_key else None) as ann:
        for talked in talks(cases):
            await tell(talked, ann, script)
            state = await ann.state(TELEGRAM)
            window = state.windows[str(TELEGRAM)]
            kept = [m.text for m in (*window.tail, *window.lines)][-6 - 2 * len(talked) :]
            near = "\n".join([*kept, *script.prompts])
            missed |= {
                case["id"]: near
                for case in talked
                if any(standing(value, near) for value in case["secret"])
            }
        await ann.told(TELEGRAM, "/backup")
        await (await ann.agent(TELEGRAM)).nightly()
        export = export_bytes(await ann.state(TELEGRAM), "a", NOON)
    files = [path.read_bytes() for path in data.rglob("*") if path.is_file()]
    files += [export, caplog.text.encode()]
    files += [gzip.decompress(each) for each in files if each.startswith(b"\x1f\x8b")]
    everything = b"\n".join(files)
    # Most lines stand in the journal, the snapshots, the backup and the export alike.
    each_line_once = b"\n".join(set(everything.split(b"\n")))
    for case in cases:
        sought = [value for value in case["secret"] if is_sought_everywhere(value)]
        ways = {way for value in sought for way in ways_to_write(value)}
        if any(way in (everything if b"\n" in way else each_line_once) for way in ways):
            missed[case["id"]] = "a file"

    assert len(missed) <= MOST_MISSED * len(cases), sorted(missed)


def is_sought_everywhere(secret: str) -> bool:
    return len(secret) >= (SHORTEST_NUMBER if secret.isdecimal() else SHORTEST_SOUGHT)


async def tell(talked: Sequence[dict[str, Any]], ann: Someone, script: Scripted) -> None:
    """Let Ann say the lines of one case, or several cases of one line in one turn."""
    if len(talked) > 1:
        script.prompts.clear()
        for case in talked:
            await ann.writes(TELEGRAM, case["lines"][0]["text"])
        await ann.settled()
        return
    for line in talked[0]["lines"]:
        if line["who"] == "her":
            # Her question is her answer to something before.
            script.next = line["text"]
            await ann.says(TELEGRAM, "早")
            script.next = "好的"
            continue
        # What an earlier line showed her before anything told that it was a secret.
        script.prompts.clear()
        await ann.says(TELEGRAM, line["text"])
        ann.clock.tick(minutes=1)


def talks(cases: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    """Yield the cases as they are told: those of one line many in a turn, any other by itself.

    Each is looked through alone above: here only what was found has to go everywhere.
    """
    single = [case for case in cases if len(case["lines"]) == 1]
    yield from ([case] for case in cases if len(case["lines"]) > 1)
    yield from (single[at : at + TOGETHER] for at in range(0, len(single), TOGETHER))


def ways_to_write(value: str) -> list[bytes]:
    written = spellings(value)
    return [*written["utf-8"], *written["escaped"], *written["base64"]]


def standing(value: str, text: str) -> bool:
    """Tell whether a value stands in a text, a short number only by itself."""
    if value.isdigit():
        return bool(re.search(rf"(?<!\d){value}(?!\d)", text))
    return value in text
