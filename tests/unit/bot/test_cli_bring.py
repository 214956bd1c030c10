"""Companions and chats of other programs: what is read, and what is refused."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.bring import messages_of, persona_text, read_companion
from bot.conversation.cards import CannotBring, Card, filled
from bot.conversation.foreign_chats import ForeignChat
from bot.texts.bring import BringFlaw
from memory.agents import read_state
from memory.model import Memory, Tier
from memory.privacy.redaction import is_secret
from tests.fakes.companions import (
    BOOK,
    CARDS,
    HOSTILE,
    NOW,
    TALKS,
    ZONE,
    Dates,
    ForeignCard,
    ForeignTalk,
    a_card,
    jsonl,
    tavern,
)


def said(data: bytes | str, dates: Dates = "") -> list[tuple[str, str, str]]:
    raw = data.encode() if isinstance(data, str) else data
    found = read_companion(raw, ZONE, NOW, dates)
    assert isinstance(found, ForeignChat)
    return [(x.at.astimezone(ZONE).strftime("%y%m%d %H:%M"), x.name, x.text) for x in found.lines]


@pytest.mark.parametrize("given", CARDS, ids=[each.title for each in CARDS])
def test_a_card_becomes_a_persona_and_a_book(given: ForeignCard) -> None:
    card = read_companion(given.data, ZONE, NOW)
    assert isinstance(card, Card)
    assert (card.kind, card.name, card.skipped) == (given.kind, given.name, given.skipped)
    persona = persona_text(card, "en")
    assert [part for part in given.says if part not in persona] == []
    assert [part for part in given.omits if part in persona] == []
    kept = (" ".join(filled(e.written, card, "your partner").split()) for e in card.book)
    assert tuple(text for text in kept if not is_secret(text)) == given.book
    assert "你是Aki。" in persona_text(card, "zh") or given.kind == "lorebook"


@pytest.mark.parametrize("given", TALKS, ids=[each.title for each in TALKS])
def test_a_chat_becomes_lines_of_who_said_them(given: ForeignTalk) -> None:
    assert said(given.data, given.dates) == list(given.lines)
    chat = read_companion(given.data, ZONE, NOW, given.dates)
    assert isinstance(chat, ForeignChat)
    assert chat.says_who == (not given.me)
    for message in messages_of(chat, given.me):
        assert (message.role == "user") == (message.speaker in given.mine)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("12/1/24, 18:05 - 雨: hi\n2/2/24, 18:06 - Aki: yo", "240112 18:05"),
        ("12/31/24, 12:05 AM - 雨: hi", "241231 00:05"),
        ("5/5/24, 12:05 pm - 雨: hi", "240505 12:05"),
        ("2024/1/3 中午12:05 - 雨: hi", "240103 12:05"),
        ("2024/1/3 凌晨12:05 - 雨: hi", "240103 00:05"),
    ],
)
def test_days_and_hours_of_whatsapp(text: str, day: str) -> None:
    assert said(text)[0][0] == day


def test_the_same_line_has_the_same_id_and_a_repeated_one_its_own() -> None:
    line = tavern(1704276309000)
    once = read_companion(jsonl(line), ZONE, NOW)
    twice = read_companion(jsonl(line, line), ZONE, NOW)
    assert isinstance(once, ForeignChat)
    assert isinstance(twice, ForeignChat)
    ids = [m.id for m in messages_of(twice, "")]
    assert [m.id for m in messages_of(once, "")] == ids[:1]
    assert len(set(ids)) == 2


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


@pytest.mark.parametrize(
    ("key", "content"),
    [("银月城", "一座建在湖上的城，冬天靠冰橇进出。"), ("Momo", "A tabby with one white paw.")],
)
def test_a_line_that_names_only_a_key_finds_the_entry(
    key: str, content: str, shell: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card = shell / "book.json"
    entries = {"0": {"uid": 0, "key": ["other", key], "keysecondary": [], "content": content}}
    card.write_text(json.dumps({"name": "w", "entries": entries}), encoding="utf-8")
    assert bring(shell, card, "--yes") == 0
    capsys.readouterr()
    main(["memory", "search", key, "--agent", "a", "--data", str(shell / "data"), "--json"])
    found = json.loads(capsys.readouterr().out)

    assert content in json.dumps(found, ensure_ascii=False)


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


def test_a_chat_is_shown_with_the_days_of_the_partner(
    shell: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMEZONE", "Asia/Shanghai")
    file = shell / "late.jsonl"
    file.write_bytes(jsonl(tavern("2024-01-03T17:30:00Z")))
    assert bring(shell, file) == 0
    assert "2024-01-04 到 2024-01-04" in capsys.readouterr().out


def test_a_refusal_names_the_file_and_changes_nothing(
    shell: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = shell / "odd.bin"
    file.write_bytes(b"just words")
    assert bring(shell, file, "--yes") != 0
    assert "odd.bin" in capsys.readouterr().err
    assert not (shell / "data" / "agents").exists()


TALK = "3/5/24, 10:15 - Anna: I am allergic to peanuts\n3/5/24, 10:16 - 雨: 我搬到了成都\n"
CLEAR = f"{TALK}3/15/24, 10:17 - Anna: bye\n"


def lines(tmp_path: Path) -> list[tuple[str, str, str]]:
    diary = asyncio.run(read_state(tmp_path / "data", "a")).diary
    said = sorted(diary.values(), key=lambda line: line.message.at)
    return [(x.message.at.strftime("%m%d"), x.message.role, x.message.text) for x in said]


@pytest.mark.parametrize(
    ("language", "told", "way"),
    [
        (
            "en",
            "3 messages were brought in before as somebody else's",
            "The state before is backed",
        ),
        ("zh", "有 3 句带进来过，记成了另一个人说的", "之前的样子存成了备份"),
    ],
)
def test_brought_with_the_wrong_me_it_can_be_taken_back_and_brought_again(
    shell: Path,
    language: str,
    told: str,
    way: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    file = shell / "wa.txt"
    file.write_text(CLEAR)
    assert bring(shell, file, "--me", "雨", "--yes") == 0
    assert way in capsys.readouterr().out
    wrong = lines(shell)

    assert bring(shell, file, "--me", "Anna", "--yes") == 1
    error = capsys.readouterr().err
    assert told in error
    assert "/restore_backup --agent a" in error
    assert lines(shell) == wrong

    data = ("--agent", "a", "--data", str(shell / "data"))
    assert main(["memory", "/restore_backup 1", *data]) == 0
    code = capsys.readouterr().out.split()[-1]
    assert main(["memory", f"/restore_backup 1 {code}", *data]) == 0
    assert lines(shell) == []
    assert bring(shell, file, "--me", "Anna", "--yes") == 0
    assert [role for _, role, _ in lines(shell)] == ["user", "assistant", "user"]
    assert bring(shell, file, "--me", "Anna", "--yes") == 0
    assert len(lines(shell)) == len(wrong)


def test_brought_with_the_other_order_of_dates_it_does_not_come_in_twice(
    shell: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    file = shell / "wa.txt"
    file.write_text(TALK)
    assert bring(shell, file, "--me", "Anna", "--dates", "mdy", "--yes") == 0

    assert bring(shell, file, "--me", "Anna", "--dates", "dmy", "--yes") == 1
    assert "2 messages were brought in before with day and month" in capsys.readouterr().err
    assert [day for day, _, _ in lines(shell)] == ["0305", "0305"]
    # The same, and more, comes in as ever: also what was said again on that other day.
    more = TALK + TALK.replace("3/5/24", "5/3/24")
    file.write_text(more + "5/20/24, 10:17 - Anna: bye\n")
    assert bring(shell, file, "--me", "Anna", "--yes") == 0
    assert [day for day, _, _ in lines(shell)] == ["0305", "0305", "0503", "0503", "0520"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<START>\n{{user}}: hi\n<START>\n{{char}}: bye", "you: hi\nAki: bye"),
        ("安静地听。[OOC: keep it under 200 words]", "安静地听。"),
        ("（OOC：不要替用户说话）她住在苏州。", "她住在苏州。"),
        ("Write {{char}}'s next reply in a fictional chat with {{user}}. Be warm.", "Be warm."),
        ("Write 沈知意's next reply in this chat\n她是图书管理员。", "她是图书管理员。"),
        # What a character says and does is theirs.
        ("She says: write to me. [she smiles]", "She says: write to me. [she smiles]"),
        ("她喜欢[旧书]，(也喜欢雨)。", "她喜欢[旧书]，(也喜欢雨)。"),
        ("They write Aki's name on the wall.", "They write Aki's name on the wall."),
    ],
)  # fmt: skip
def test_what_a_card_says_to_programs_is_no_part_of_a_persona(written: str, shown: str) -> None:
    assert filled(written, Card(kind="card", name="Aki"), "you") == shown
