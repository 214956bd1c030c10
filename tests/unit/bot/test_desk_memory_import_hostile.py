"""Damaged and hostile files: each is refused with a reason, at once, and nothing changes."""

import gzip
import io
import re
import zipfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import orjson
import pytest
import pytest_asyncio

from bot.conversation.ledger import Ledger
from bot.desk.services import DeskServices
from memory.agents import folder_of
from memory.changes import (
    AgentInfo,
    Corrections,
    Links,
    Put,
    RememberedId,
    Task,
    Tombstone,
    Undo,
    Window,
)
from memory.model import AgentSettings, Language, Link, LinkType, Sealed
from memory.state import MemoryState
from memory.stores.exports import export_bytes
from memory.stores.file_store import FileStore
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.cost import at_most
from tests.fakes.desk import DeskSession, commands, lines
from tests.fakes.platforms import IDENTITIES
from tests.unit.bot.test_desk_memory_export import signed

Body: TypeAlias = dict[str, Any]
Harm: TypeAlias = Callable[[Body], object]

HAN = re.compile(r"[\u4e00-\u9fff]")
SECONDS = 1.0


def rich() -> MemoryState:
    """Return a state with something in every table."""
    link = Link(target=2, strength=0.5, type=LinkType.KEYWORD)
    sealed = replace(a_memory(3, ""), sealed=Sealed(key="k", version=1, box="QUJD"), passages=())
    return MemoryState().apply(
        [
            Put(AgentInfo(settings=AgentSettings())),
            Put(a_memory(1, "秘密地喜欢花生")),
            Put(a_memory(2, "猫叫团子")),
            Put(sealed),
            Put(Links(source=1, links=(link,))),
            Put(Corrections(memory_id=1, entries=())),
            Put(Window(conversation="c", lines=(a_message("w", "花生"),))),
            Put(Task(id="t", kind="segment", at=NOON, messages=(a_message("m", "花生"),))),
            Put(RememberedId(message_id="s1")),
            Put(Undo(id=1, at=NOON, actor="partner", label="pin", inverse=(Put(a_memory(1)),))),
            Put(Tombstone(id=1, at=NOON, key_hex="00")),
        ]
    )[0]


WHOLE = export_bytes(rich(), "a", NOON)


def cut(chance: Random) -> bytes:
    return WHOLE[: chance.randrange(len(WHOLE) - 1)]


def flipped(chance: Random) -> bytes:
    place = chance.randrange(len(WHOLE))
    return WHOLE[:place] + bytes([WHOLE[place] ^ (1 << chance.randrange(8))]) + WHOLE[place + 1 :]


def spliced(chance: Random) -> bytes:
    first, second = sorted(chance.randrange(len(WHOLE)) for _ in range(2))
    return WHOLE[:first] + WHOLE[second:] if first < second else WHOLE[:first]


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../result.json", data)
    return out.getvalue()


STRANGE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "a space": lambda: b" ",
    "null": lambda: b"null",
    "a number": lambda: b"1",
    "an array": lambda: b"[]",
    "an empty object": lambda: b"{}",
    "depth 100,000": lambda: b"[" * 100_000,
    "objects 100,000 deep": lambda: b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a number of 10,000 digits": lambda: b'{"a":' + b"9" * 10_000 + b"}",
    "infinity": lambda: b'{"a":1e999}',
    "NaN": lambda: b'{"format":NaN}',
    "Infinity": lambda: b'{"format":-Infinity}',
    "half a surrogate": lambda: b'{"a":"\\ud800"}',
    "no UTF-8": lambda: b'{"a":"\xff\xfe"}',
    "UTF-16": lambda: WHOLE.decode().encode("utf-16"),
    "two byte order marks": lambda: 2 * b"\xef\xbb\xbf" + WHOLE,
    "two in one": lambda: WHOLE + WHOLE,
    "a comment": lambda: b"// hello\n" + WHOLE,
    "a control character": lambda: b'{"a":"\x01"}',
    "a zip": lambda: zipped(b"0" * 1_000_000),
    "a zip bomb": lambda: zipped(b"0" * 20_000_000),
    "gzip": lambda: gzip.compress(WHOLE),
    "one line of 50 MB": lambda: b'{"a":"' + b"x" * 50_000_000 + b'"}',
    "one line of 19 MB": lambda: b'{"messages":[{"text":"' + b"x" * 19_000_000 + b'"}]}',
    "six million objects": lambda: b'{"messages":[' + b"{}," * 6_000_000 + b"{}]}",
    "nine million arrays": lambda: b'{"format":[' + b"[]," * 6_500_000 + b"[]]}",
    "a page": lambda: b"<!doctype html><html></html>",
    "a picture": lambda: b"\x89PNG\r\n\x1a\n" + bytes(100),
    "a database": lambda: b"SQLite format 3\x00" + bytes(100),
    "a pickle": lambda: b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x07builtins\x94.",
    "another format": lambda: b'{"format":"something","tables":{}}',
    "a format that is no text": lambda: b'{"format":["xiaoxiang-export"]}',
    "the old checksum with other words": lambda: WHOLE.replace("花生".encode(), "花死".encode()),
    "no checksum": lambda: re.sub(rb',?\s*"checksum": "[0-9a-f]+"', b"", WHOLE),
    "an empty checksum": lambda: re.sub(rb'"checksum": "[0-9a-f]+"', b'"checksum": ""', WHOLE),
}


def first(body: Body, table: str = "memories") -> Body:
    record: Body = body["tables"][table][0]
    return record


def dug(levels: int) -> object:
    return [dug(levels - 1)] if levels else "x"


HARMS: dict[str, Harm] = {
    "a newer schema": lambda b: b.update(schema=99),
    "an older schema than any": lambda b: b.update(schema=0),
    "a schema that is true": lambda b: b.update(schema=True),
    "a schema in words": lambda b: b.update(schema="2"),
    "no schema": lambda b: b.pop("schema"),
    "no tables": lambda b: b.pop("tables"),
    "tables that are a list": lambda b: b.update(tables=[1]),
    "a table nobody knows": lambda b: b["tables"].update(passwords=[]),
    "a table called by a path": lambda b: b["tables"].update({"../../etc": []}),
    "a table of numbers": lambda b: b["tables"].update(memories=[1, 2]),
    "a table that is an object": lambda b: b["tables"].update(memories={"1": {}}),
    "a memory that is null": lambda b: b["tables"]["memories"].append(None),
    "an id twice": lambda b: b["tables"]["memories"].append(first(b)),
    "an id that is a path": lambda b: first(b).update(id="../../etc/passwd"),
    "an id below one": lambda b: first(b).update(id=-5),
    "an id of zero": lambda b: first(b).update(id=0),
    "an id of 10^30": lambda b: first(b).update(id=10.0**30),
    "an id beyond every count": lambda b: first(b).update(id=2**60),
    "an id that is true": lambda b: first(b).update(id=True),
    "no id": lambda b: first(b).pop("id"),
    "no words": lambda b: first(b).pop("words"),
    "words that are a list": lambda b: first(b).update(words=["x"]),
    "a text that is a number": lambda b: first(b)["words"].update(text=1),
    "a text that is null": lambda b: first(b)["words"].update(text=None),
    "a text with escapes": lambda b: first(b)["words"].update(text="\x1b[2J你好"),
    "a text with a null": lambda b: first(b)["words"].update(text="a\x00b"),
    "a text of two million": lambda b: first(b)["words"].update(text="呀" * 2_000_000),
    "keywords that are text": lambda b: first(b)["words"].update(keywords="花生"),
    "keywords in keywords": lambda b: first(b)["words"].update(keywords=[["花生"]]),
    "a tier nobody knows": lambda b: first(b)["nature"].update(tier="gold"),
    "a tier that is an object": lambda b: first(b)["nature"].update(tier={}),
    "a kind nobody knows": lambda b: first(b)["nature"].update(kind="god"),
    "a sensitivity of nine": lambda b: first(b)["nature"].update(sensitivity=9),
    "pinned by a word": lambda b: first(b)["nature"].update(pinned="yes"),
    "an unknown standing": lambda b: first(b).update(standing={"is": "immortal"}),
    "a standing that is text": lambda b: first(b).update(standing="active"),
    "importance in words": lambda b: first(b)["trace"].update(importance="NaN"),
    "importance that is null": lambda b: first(b)["trace"].update(importance=None),
    "importance beyond measure": lambda b: first(b)["trace"].update(importance=1e300),
    "importance below measure": lambda b: first(b)["trace"].update(importance=-1e300),
    "importance that is true": lambda b: first(b)["trace"].update(importance=True),
    "stability in a list": lambda b: first(b)["trace"].update(stability_hours=[24]),
    "a date without a zone": lambda b: first(b)["trace"].update(created_at="2026-01-01T00:00:00"),
    "a date before dates": lambda b: first(b)["trace"].update(created_at="0001-01-01T00:00:00Z"),
    "a date after dates": lambda b: first(b)["trace"].update(created_at="9999-12-31T23:59:59Z"),
    "the 30th of February": lambda b: first(b)["trace"].update(created_at="2026-02-30T00:00Z"),
    "a date that is a number": lambda b: first(b)["trace"].update(created_at=1767434400),
    "a date that is nothing": lambda b: first(b)["trace"].update(created_at=""),
    "passages that are one": lambda b: first(b).update(passages={"text": "x"}),
    "a passage without a date": lambda b: first(b)["passages"][0].pop("at"),
    "a role nobody has": lambda b: first(b)["passages"][0].update(role="admin"),
    "sources that are numbers": lambda b: first(b)["passages"][0].update(source_ids=[1]),
    "a source nobody knows": lambda b: first(b)["origin"].update(source="god"),
    "a field deep down": lambda b: first(b)["origin"].update(modalities=dug(200)),
    "a sealed part that is text": lambda b: b["tables"]["memories"][2].update(sealed="AAAA"),
    "a sealed part without a key": lambda b: b["tables"]["memories"][2]["sealed"].pop("key"),
    "a sealed part from no version": lambda b: b["tables"]["memories"][2]["sealed"].update(
        version="1"
    ),
    "links of one that is not there": lambda b: first(b, "links").update(source=77),
    "links to itself": lambda b: first(b, "links")["links"][0].update(target=1),
    "a link twice": lambda b: first(b, "links")["links"].append(first(b, "links")["links"][0]),
    "a link too strong": lambda b: first(b, "links")["links"][0].update(strength=1.5),
    "a link below nothing": lambda b: first(b, "links")["links"][0].update(strength=-0.1),
    "a link of no type": lambda b: first(b, "links")["links"][0].update(type="wormhole"),
    "a link to a word": lambda b: first(b, "links")["links"][0].update(target="2"),
    "a thousand links": lambda b: first(b, "links").update(
        links=[{**first(b, "links")["links"][0], "target": n} for n in range(2, 1002)]
    ),
    "corrections of nobody": lambda b: first(b, "corrections").update(memory_id=99),
    "a window of numbers": lambda b: first(b, "windows").update(lines=[1]),
    "a message without an id": lambda b: first(b, "windows")["lines"][0].update(id=""),
    "a message without a zone": lambda b: first(b, "windows")["lines"][0].update(at="2026-01-01"),
    "a task of no kind": lambda b: first(b, "tasks").update(kind="mine bitcoin"),
    "an undo that undoes nothing": lambda b: first(b, "undos").update(inverse=[{"drop": "all"}]),
    "an undo by nobody": lambda b: first(b, "undos").update(actor="root"),
    "an undo into a path": lambda b: first(b, "undos").update(
        inverse=[{"drop": "../x", "key": 1}]
    ),
    "a law nobody made": lambda b: first(b, "households")["settings"].update(law="jungle"),
    "a zone on no map": lambda b: first(b, "households")["settings"].update(time_zone="../../x"),
    "a language nobody speaks": lambda b: first(b, "households")["settings"].update(language="x"),
    "a parameter nobody reads": lambda b: first(b, "households")["settings"].update(
        parameters=[["evil", 1.0]]
    ),
    "a parameter out of bounds": lambda b: first(b, "households")["settings"].update(
        parameters=[["network.time_slice", -1.0]]
    ),
    "settings that are null": lambda b: first(b, "households").update(settings=None),
    "counted below its ids": lambda b: b.update(next_id=1),
    "counted below nothing": lambda b: b.update(next_id=-1),
    "counted in a list": lambda b: b.update(next_id=[1]),
    "counted beyond numbers": lambda b: b.update(next_id=2**60),
    "counted in parts": lambda b: b.update(next_id=4.5),
    "made at no time": lambda b: b.update(at="yesterday"),
    "made without a zone": lambda b: b.update(at="2026-01-01T00:00:00"),
    "made before dates": lambda b: b.update(at="0001-01-01T00:00:00+00:00"),
    "an agent that is a list": lambda b: b.update(agent=["a"]),
    "an agent with escapes": lambda b: b.update(agent="\x1b]0;x\x07"),
    "an agent of a thousand letters": lambda b: b.update(agent="a" * 1000),
}

ENTRY: Body = {
    "id": 1,
    "type": "message",
    "date_unixtime": "1767434400",
    "from": "Ann",
    "from_id": "user42",
    "text": "花生",
}
CHAT: Body = {"name": "c", "type": "personal_chat", "id": 77, "messages": [ENTRY]}


def chat(*entries: object, **more: object) -> bytes:
    return orjson.dumps({**CHAT, "messages": list(entries), **more})


CHATS: dict[str, Callable[[], bytes]] = {
    "a whole account": lambda: orjson.dumps({"chats": {"list": [CHAT]}}),
    "messages that are an object": lambda: orjson.dumps({**CHAT, "messages": {"1": ENTRY}}),
    "nobody said a thing": chat,
    "only service messages": lambda: chat({**ENTRY, "type": "service"}),
    "only silence": lambda: chat({**ENTRY, "text": "  \n"}),
    "an entry that is text": lambda: chat("花生"),
    "an entry that is a list": lambda: chat([ENTRY]),
    "an entry that is null": lambda: chat(ENTRY, None),
    "no id": lambda: chat({k: v for k, v in ENTRY.items() if k != "id"}),
    "an id that is a path": lambda: chat({**ENTRY, "id": "../../x"}),
    "an id that is an object": lambda: chat({**ENTRY, "id": {}}),
    "an id that is true": lambda: chat({**ENTRY, "id": True}),
    "one id twice": lambda: chat(ENTRY, ENTRY),
    "no date": lambda: chat({k: v for k, v in ENTRY.items() if k != "date_unixtime"}),
    "a date in words": lambda: chat({**ENTRY, "date_unixtime": "soon"}),
    "a date that is a list": lambda: chat({**ENTRY, "date_unixtime": [1]}),
    "a date below dates": lambda: chat({**ENTRY, "date_unixtime": "-62135596800"}),
    "a date beyond dates": lambda: chat({**ENTRY, "date_unixtime": "99999999999999999999"}),
    "a date of 1,000 digits": lambda: chat({**ENTRY, "date_unixtime": "9" * 1000}),
    "a date in other digits": lambda: chat({**ENTRY, "date_unixtime": "١٧٦٧"}),
    "a date with an exponent": lambda: chat({**ENTRY, "date_unixtime": "²"}),
    "a sender that is a list": lambda: chat({**ENTRY, "from_id": ["user42"]}),
    "a sender of a million": lambda: chat({**ENTRY, "from_id": "u" * 1_000_000}),
    "a name that is an object": lambda: chat({**ENTRY, "from": {}}),
    "a name of a million": lambda: chat({**ENTRY, "from": "呀" * 1_000_000}),
    "a text that is a number": lambda: chat({**ENTRY, "text": 1}),
    "a text that is an object": lambda: chat({**ENTRY, "text": [{"text": {"text": "x"}}]}),
    "a text in lists": lambda: chat({**ENTRY, "text": [["x"]]}),
    "a text of a million": lambda: chat({**ENTRY, "text": "呀" * 1_000_000}),
    "a quarter of a million messages": lambda: chat(*[{}] * 250_000),
    "messages in messages": lambda: chat({**ENTRY, "text": dug(200)}),
}


def harmed(harm: Harm) -> bytes:
    body: Body = orjson.loads(WHOLE)
    harm(body)
    body.pop("checksum", None)
    return signed(body)


def by_chance(harm: Callable[[Random], bytes], seed: int) -> bytes:
    return harm(Random(seed))


CASES: dict[str, Callable[[], bytes]] = {
    **{f"cut {n}": partial(by_chance, cut, n) for n in range(25)},
    **{f"flipped {n}": partial(by_chance, flipped, n) for n in range(25)},
    **{f"spliced {n}": partial(by_chance, spliced, n) for n in range(15)},
    **{f"file: {name}": data for name, data in STRANGE.items()},
    **{f"export: {name}": partial(harmed, harm) for name, harm in HARMS.items()},
    **{f"chat: {name}": data for name, data in CHATS.items()},
}


def prints(folder: Path) -> dict[str, str]:
    """Return the digest of every file an agent has."""
    return {
        str(path): blake2b(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_there_are_over_two_hundred_of_them() -> None:
    assert len(CASES) > 200


@dataclass(frozen=True)
class Desk:
    """A desk with a folder, to which all files go, since none of them may change anything."""

    folder: Path
    session: DeskSession


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desks(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[Language, Desk]]:
    opened: dict[Language, Desk] = {}
    languages: tuple[Language, ...] = ("zh", "en")
    async with AsyncExitStack() as stack:
        for language in languages:
            folder = tmp_path_factory.mktemp(language)
            ledger = await Ledger.open(folder, IDENTITIES)
            stack.push_async_callback(ledger.close)
            session = DeskSession(
                settings=AgentSettings(language=language),
                store=FileStore(folder_of(folder, "a")),
                services=DeskServices(ledger, folder),
            )
            await stack.enter_async_context(session)
            await session.ask("/remember 我住在北京")
            opened[language] = Desk(folder, session)
        yield opened


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", CASES)
async def test_it_is_refused_with_a_reason_at_once_and_nothing_changes(
    desks: dict[Language, Desk], name: str
) -> None:
    language: Language = "zh" if len(name) % 2 else "en"
    data, desk = CASES[name](), desks[language]
    home = folder_of(desk.folder, "a")
    state, before = desk.session.state, prints(home)
    with at_most(SECONDS):
        answer = await desk.session.ask("/memory import", file=data)

    assert desk.session.state is state
    assert prints(home) == before
    said = lines(answer)
    assert not commands(answer), said
    assert bool(HAN.search(said)) == (language == "zh"), said
    assert ("没有导入" if language == "zh" else "did not import") in said
    assert len(said) < 400
    assert not re.search(r"花生|[\x00-\x08\x0b-\x1f]", said), "nothing of it is repeated"
    assert not (desk.folder / "backups").exists()
