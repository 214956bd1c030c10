"""Companions and chats of other programs: what is read, and what is refused."""

import asyncio
import json
import time
import zlib
from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.__main__ import main
from bot.cli.bring import messages_of, persona_text, read_companion
from bot.conversation.cards import LARGEST_CARD, PNG_SIGNATURE, CannotBring, Card
from bot.conversation.foreign_chats import ForeignChat
from bot.texts.bring import BringFlaw
from memory.agents import read_state
from memory.model import Memory, Tier

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ZONE = ZoneInfo("Asia/Shanghai")


def a_card(version: int = 2, **data: Any) -> bytes:
    body = {"name": "Aki", "description": "{{char}} likes {{user}}.", **data}
    return json.dumps({"spec": f"chara_card_v{version}", "data": body}).encode()


def chunk(kind: bytes, body: bytes, crc: int | None = None) -> bytes:
    sum_ = zlib.crc32(kind + body) if crc is None else crc
    return len(body).to_bytes(4, "big") + kind + body + sum_.to_bytes(4, "big")


def png(*chunks: bytes) -> bytes:
    return PNG_SIGNATURE + b"".join(chunks) + chunk(b"IEND", b"")


def text_chunk(key: bytes, card: bytes) -> bytes:
    return chunk(b"tEXt", key + b"\0" + b64encode(card))


def read_card(data: bytes) -> Card:
    found = read_companion(data, ZONE, NOW)
    assert isinstance(found, Card)
    return found


def said(data: bytes | str, dates: Any = "") -> list[tuple[str, str, str]]:
    raw = data.encode() if isinstance(data, str) else data
    found = read_companion(raw, ZONE, NOW, dates)
    assert isinstance(found, ForeignChat)
    return [(x.at.astimezone(ZONE).strftime("%y%m%d %H:%M"), x.name, x.text) for x in found.lines]


def jsonl(*lines: Any) -> bytes:
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()


def tavern(date: Any, **more: Any) -> dict[str, Any]:
    return {"name": "Aki", "is_user": False, "send_date": date, "mes": "hi", **more}


def node(parent: str | None, role: str, text: str, at: float | None = 1.7e9) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"author": {"role": role}, "create_time": at, "content": content}
    return {"parent": parent, "message": message}


def gpt(mapping: dict[str, Any], at: str) -> bytes:
    return json.dumps([{"create_time": 1.7e9, "mapping": mapping, "current_node": at}]).encode()


BOOK = {
    "entries": [
        {"keys": ["tea", "茶"], "content": "@@depth 4\nAki grows tea.", "enabled": True},
        {"keys": ["old"], "content": "off", "enabled": False},
        {"keys": [], "content": "   "},
    ]
}


@pytest.mark.parametrize(
    "data",
    [
        a_card(2),
        a_card(3),
        png(text_chunk(b"chara", a_card(2))),
        png(text_chunk(b"chara", a_card(2, name="Old")), text_chunk(b"ccv3", a_card(3))),
        png(chunk(b"zTXt", b"chara\0\0" + zlib.compress(b64encode(a_card())))),
        png(chunk(b"iTXt", b"ccv3\0\1\0en\0\0" + zlib.compress(b64encode(a_card(3))))),
        png(chunk(b"tEXt", b"Software\0x"), text_chunk(b"chara", a_card())),
        png(text_chunk(b"ccv3", a_card(3)), text_chunk(b"chara", a_card(2, name="Old"))),
        a_card().decode().encode("utf-16"),
        a_card(extensions={"risuai": {"script": "x"}}, alternate_greetings=["a"], tags=[]),
        a_card(name=" Aki\u200b "),
        b"\xef\xbb\xbf" + a_card(),
    ],
)
def test_a_card_is_read_whatever_holds_it(data: bytes) -> None:
    assert (read_card(data).name, read_card(data).kind) == ("Aki", "card")


def test_a_persona_says_everything_the_card_says_with_both_names_in_place() -> None:
    card = read_card(a_card(first_mes="Hi <USER>!", scenario="S", mes_example="{{CHAR}}: E"))
    text = persona_text(card, "en")
    for part in ("You are Aki.", "Aki likes your partner.", "Hi your partner!", "Aki: E"):
        assert part in text
    assert "## 场景" in persona_text(card, "zh")


def test_a_world_book_keeps_its_keys_and_leaves_out_what_is_off() -> None:
    card = read_card(a_card(character_book=BOOK))
    assert [e.written for e in card.book] == ["tea / 茶: Aki grows tea."]
    assert card.skipped == 2
    alone = {"entries": {"0": {"key": ["tea"], "content": "T", "disable": False}}}
    assert read_card(json.dumps(alone).encode()).kind == "lorebook"


@pytest.mark.parametrize(
    ("date", "at"),
    [
        ("January 3, 2024 6:05pm", "240103 18:05"),
        ("2024-01-03 @18h 05m 09s 123ms", "240103 18:05"),
        ("2024-01-03T10:05:09.000Z", "240103 18:05"),
        (1704276309000, "240103 18:05"),
        ("1704276309", "240103 18:05"),
        ("2024-01-03@18h05m09s", "240103 18:05"),
        ("2024-01-03T18:05:09+08:00", "240103 18:05"),
    ],
)
def test_sillytavern_dates(date: object, at: str) -> None:
    head = {"user_name": "雨", "character_name": "Aki", "chat_metadata": {}}
    hidden = tavern(date, is_system=True, mes="hidden")
    assert said(jsonl(head, tavern(date), hidden)) == [(at, "Aki", "hi")]


def test_chatgpt_follows_the_branch_last_shown() -> None:
    mapping = {
        "root": {"parent": None, "message": None},
        "s": node("root", "system", "be nice"),
        "u": node("s", "user", "question"),
        "dropped": node("u", "assistant", "first answer"),
        "kept": node("u", "assistant", "second answer", None),
    }
    assert [line[2] for line in said(gpt(mapping, "kept"))] == ["question", "second answer"]


def test_claude_reads_text_or_blocks() -> None:
    at = "2024-01-03T10:05:09Z"
    blocks = [{"type": "text", "text": "b"}, {"type": "tool_use", "name": "x"}]
    lines = [
        {"sender": "human", "text": "a", "created_at": at},
        {"sender": "assistant", "text": "", "content": blocks, "created_at": at},
    ]
    found = said(json.dumps([{"chat_messages": lines}]))
    assert [line[1:] for line in found] == [("user", "a"), ("Claude", "b")]


WHATSAPP = [
    ("[03/01/2024, 18:05:09] 雨: hi\nmore: of it\n[13/01/2024, 18:06:00] Aki: yo", "", "240103"),
    ("1/3/24, 6:05 PM - 雨: hi\nmore: of it\n1/13/24, 6:06 PM - Aki: yo", "", "240103"),
    ("2024/1/3 下午6:05 - 雨: hi\nmore: of it\n2024/1/13 18:06 - Aki: yo", "", "240103"),
    ("03.01.24, 18:05 - 雨: hi\nmore: of it\n03.01.24, 18:06 - Aki: yo", "dmy", "240103"),
    ("\u200e[1/3/24, 6:05:09\u202fPM] 雨: hi\nmore: of it\n[1/3/24, 6:06 PM] Aki: yo", "mdy", "240103"),  # noqa: E501
    ("03/01/2024, 18.05 - 雨: hi\nmore: of it\n13/01/2024, 18.06 - Aki: yo", "", "240103"),
    ("12/1/24, 18:05 - 雨: hi\nmore: of it\n2/2/24, 18:06 - Aki: yo", "", "240112"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "dates", "day"), WHATSAPP)
def test_whatsapp(text: str, dates: str, day: str) -> None:
    found = said(text, dates)
    assert found[0] == (f"{day} 18:05", "雨", "hi\nmore: of it")
    assert found[1][1:] == ("Aki", "yo")


def test_whatsapp_leaves_out_what_the_program_says() -> None:
    text = (
        "13/01/24, 18:04 - Messages are end-to-end encrypted.\n"
        "13/01/24, 18:05 - 雨: hi\n13/01/24, 18:05 - Aki: <Media omitted>\n"
    )
    assert said(text) == [("240113 18:05", "雨", "hi")]


@pytest.mark.parametrize(
    "text",
    [
        "消息记录\n\n=====\n消息对象:Aki\n=====\n\n2024-01-03 18:05:09 雨(12345)\nhi\n",
        "2024-01-03 6:05:09 PM 雨<a@qq.com>\nhi\n\n2024-01-03 18:06:00 系统消息(10000)\nx\n",
        "雨 2024-01-03 18:05:09\nhi\n\n",
        "雨:\t2024年1月3日 下午6:05\nhi\n",
        "2024/1/3 18:05 雨\nhi\n",
        "2024-01-03 18:05:09 雨(12345)\r\nhi\r\n",
    ],
)
def test_qq_and_wechat(text: str) -> None:
    assert said(text) == [("240103 18:05", "雨", "hi")]


def test_memory_files_come_in_as_words_and_what_was_inferred_is_not_the_partners() -> None:
    entry = {
        "content": "喜欢拉面",
        "createdAt": "2024-01-03T10:05:09Z",
        "source": {"type": "chat"},
    }
    base = {"_default": {"1": {"content": "怕黑", "metadata": {"timestamp": 1704276309}}}}
    for body, text in (([entry], "喜欢拉面"), (base, "怕黑")):
        found = read_companion(json.dumps(body).encode(), ZONE, NOW)
        assert isinstance(found, ForeignChat)
        assert [(m.text, m.role) for m in messages_of(found, "")] == [(text, "assistant")]


def test_the_same_line_has_the_same_id_and_a_repeated_one_its_own() -> None:
    line = tavern(1704276309000)
    once = read_companion(jsonl(line), ZONE, NOW)
    twice = read_companion(jsonl(line, line), ZONE, NOW)
    assert isinstance(once, ForeignChat)
    assert isinstance(twice, ForeignChat)
    ids = [m.id for m in messages_of(twice, "")]
    assert [m.id for m in messages_of(once, "")] == ids[:1]
    assert len(set(ids)) == 2


LOOP = {"a": node("b", "user", "x"), "b": node("a", "user", "y")}
BOMB = zlib.compress(b"A" * (LARGEST_CARD + 1))
FLAWS = BringFlaw

HOSTILE = [
    (b"", FLAWS.EMPTY_FILE),
    (b" \n", FLAWS.EMPTY_FILE),
    (b"PK\x03\x04rest", FLAWS.PACKED),
    (b"\xff\xfe\x00\xd8", FLAWS.ENCODING),
    ("中文".encode("gb18030"), FLAWS.ENCODING),
    (b"a\0b", FLAWS.ENCODING),
    (b"just words", FLAWS.FOREIGN),
    (b"[]", FLAWS.FOREIGN),
    (b'{"spec": ["x"]}', FLAWS.FOREIGN),
    (b"[" * 100_000, FLAWS.BROKEN),
    (b'{"a":' * 2_000_001, FLAWS.TOO_LARGE),
    (png(), FLAWS.FOREIGN),
    (PNG_SIGNATURE + b"\xff\xff\xff\xfftEXt", FLAWS.BROKEN),
    (png(chunk(b"tEXt", b"chara\0e30=", crc=1)), FLAWS.BROKEN),
    (png(chunk(b"tEXt", b"chara\0***")), FLAWS.BROKEN),
    (png(chunk(b"zTXt", b"chara\0\0" + BOMB)), FLAWS.TOO_LARGE),
    (png(chunk(b"zTXt", b"chara\0\0" + BOMB[:30])), FLAWS.BROKEN),
    (a_card(name="A\x1b[31m"), FLAWS.NAME),
    (a_card(name=""), FLAWS.NAME),
    (a_card(description=5), FLAWS.BROKEN),
    (a_card(description="x" * 100_001), FLAWS.TOO_LARGE),
    (a_card(character_book={"entries": [1]}), FLAWS.BROKEN),
    (jsonl(tavern("never")), FLAWS.DATE),
    (jsonl(tavern(4102444800000)), FLAWS.DATE),
    (jsonl(tavern("nan")), FLAWS.DATE),
    (jsonl(tavern(1704276309000, name="a\nb")), FLAWS.NAME),
    (jsonl(tavern(1704276309000, is_user=1)), FLAWS.BROKEN),
    (jsonl(tavern(1704276309000)) + b"\n{oops", FLAWS.BROKEN),
    (gpt(LOOP, "a"), FLAWS.BROKEN),
    (gpt({}, "gone"), FLAWS.BROKEN),
    (json.dumps([{"chat_messages": [{"sender": ["x"]}]}]).encode(), FLAWS.BROKEN),
    (b"03/01/24, 18:05 - A: hi", FLAWS.DAY_OR_MONTH),
    (b"31/02/24, 18:05 - A: hi", FLAWS.DATE),
    (b"31/01/24, 18:05 - Somebody left", FLAWS.NOBODY),
    (b"a" + b" " * 2_000_000 + b"b", FLAWS.FOREIGN),
    (b"\x1f\x8b\x08rest", FLAWS.PACKED),
    (b"7z\xbc\xaf\x27\x1c", FLAWS.PACKED),
    (b"\xff\xfe" + "{".encode("utf-16-le"), FLAWS.BROKEN),
    (a_card()[:-1], FLAWS.BROKEN),
    (b"{}", FLAWS.FOREIGN),
    (b'{"spec": "chara_card_v9", "data": {"name": "A"}}', FLAWS.FOREIGN),
    (b'{"spec": "chara_card_v2"}', FLAWS.BROKEN),
    (b'{"spec": "chara_card_v2", "data": []}', FLAWS.BROKEN),
    (a_card(name="A" * 1_000), FLAWS.NAME),
    (a_card(name="\u202e\u200b"), FLAWS.NAME),
    (a_card(name=["Aki"]), FLAWS.NAME),
    (a_card(first_mes={"a": "b"}), FLAWS.BROKEN),
    (a_card(character_book=[]), FLAWS.BROKEN),
    (a_card(character_book={"entries": {}}), FLAWS.BROKEN),
    (a_card(character_book={"entries": [{"keys": "tea", "content": "T"}]}), FLAWS.BROKEN),
    (a_card(character_book={"entries": [{"keys": [7], "content": "T"}]}), FLAWS.BROKEN),
    (
        a_card(character_book={"entries": [{"keys": [], "content": "x" * 100_001}]}),
        FLAWS.TOO_LARGE,
    ),
    (a_card(character_book={"entries": [{"keys": []}] * 1_001}), FLAWS.TOO_LARGE),
    (PNG_SIGNATURE, FLAWS.BROKEN),
    (PNG_SIGNATURE + chunk(b"IHDR", b"") * 10_001, FLAWS.BROKEN),
    (png(text_chunk(b"chara", b"[1]")), FLAWS.FOREIGN),
    (png(text_chunk(b"ccv3", b"{oops"), text_chunk(b"chara", a_card())), FLAWS.BROKEN),
    (png(chunk(b"iTXt", b"ccv3\0\1\0en\0\0" + BOMB)), FLAWS.TOO_LARGE),
    (jsonl({"user_name": "x"}), FLAWS.FOREIGN),
    (jsonl(tavern(None)), FLAWS.DATE),
    (jsonl(tavern(-1)), FLAWS.DATE),
    (jsonl(tavern(1704276309000, mes=["hi"])), FLAWS.BROKEN),
    (jsonl(tavern(1704276309000), {"user_name": "again"}), FLAWS.BROKEN),
    (json.dumps([{"mapping": [], "current_node": "a"}]).encode(), FLAWS.BROKEN),
    (gpt({"a": node("a", "user", "x")}, "a"), FLAWS.BROKEN),
    (gpt({"a": node(None, "user", "x", 9e99)}, "a"), FLAWS.DATE),
    (json.dumps([{"chat_messages": "none"}]).encode(), FLAWS.BROKEN),
    (json.dumps([{"chat_messages": []}]).encode(), FLAWS.NOBODY),
    ("2024-13-01 18:05:09 雨\nhi".encode(), FLAWS.DATE),
    (b"31/01/24, 25:05 - A: hi", FLAWS.DATE),
]


@pytest.mark.parametrize(("data", "flaw"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_file_is_refused_within_a_second(data: bytes, flaw: BringFlaw) -> None:
    began = time.process_time()
    with pytest.raises(CannotBring) as refused:
        read_companion(data, ZONE, NOW)
    assert refused.value.flaw is flaw
    assert time.process_time() - began < 1


def bring(tmp_path: Path, file: Path, *more: str) -> int:
    return main(["bring", str(file), "--agent", "a", "--data", str(tmp_path / "data"), *more])


def active(tmp_path: Path) -> list[Memory]:
    state = asyncio.run(read_state(tmp_path / "data", "a"))
    return [m for m in state.memories.values() if m.is_active]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EXPORTS_DIR", str(tmp_path / "exports"))
    return tmp_path


def test_a_card_is_shown_then_laid_down_once_and_its_persona_written(
    shell: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = shell / "aki.json"
    file.write_bytes(a_card(character_book=BOOK))
    assert bring(shell, file) == 0
    assert "--yes" in capsys.readouterr().out
    assert not (shell / "data" / "agents").exists()
    persona = shell / "p.md"
    assert bring(shell, file, "--yes", "--persona", str(persona)) == 0
    assert f"PERSONA_FILE={persona}" in capsys.readouterr().out
    assert "Aki" in persona.read_text(encoding="utf-8")
    assert bring(shell, file, "--yes", "--persona", str(persona)) != 0
    assert bring(shell, file, "--yes", "--persona", str(shell / "q.md")) == 0
    kept = [m.words.text for m in active(shell) if m.nature.tier is Tier.SYSTEM]
    assert kept == ["tea / 茶: Aki grows tea."]


def test_a_chat_asks_who_the_partner_is_and_comes_once_at_its_own_dates(
    shell: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = shell / "chat.txt"
    file.write_text(
        "13/01/24, 18:05 - 雨: 我喜欢拉面\n13/01/24, 18:06 - Aki: 好", encoding="utf-8"
    )
    assert bring(shell, file, "--yes") != 0
    assert not (shell / "data" / "agents").exists()
    assert bring(shell, file, "--yes", "--me", "雨") == 0
    before = {m.id for m in active(shell)}
    episodes = [m for m in active(shell) if m.nature.tier is Tier.EPISODE]
    assert [p.at.date().isoformat() for m in episodes for p in m.passages[:1]] == ["2024-01-13"]
    capsys.readouterr()
    assert bring(shell, file, "--yes", "--me", "雨") == 0
    assert "0" in capsys.readouterr().out.splitlines()[-1]
    assert {m.id for m in active(shell)} == before


def test_a_refusal_names_the_file_and_changes_nothing(
    shell: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = shell / "odd.bin"
    file.write_bytes(b"just words")
    assert bring(shell, file, "--yes") != 0
    assert "odd.bin" in capsys.readouterr().err
    assert not (shell / "data" / "agents").exists()
