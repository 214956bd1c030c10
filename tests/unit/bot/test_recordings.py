"""Reading recordings: taken whole or refused with the line that is wrong."""

from pathlib import Path

import orjson
import pytest

from bot.conversation.recordings import read_recording
from memory.errors import InputRefused

LINE: dict[str, object] = {
    "id": "1",
    "at": "2026-01-03T18:00:00+08:00",
    "speaker": "主人",
    "role": "user",
    "text": "你好 🐱",
}


def written(path: Path, *lines: dict[str, object]) -> Path:
    path.write_bytes(b"\n".join(map(orjson.dumps, lines)))
    return path


def test_lines_become_messages_at_their_own_dates(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", LINE, {**LINE, "id": "2", "role": "assistant"})

    first, second = read_recording(path)

    assert (first.text, first.role, first.at.isoformat()) == ("你好 🐱", "user", LINE["at"])
    assert second.role == "assistant"


def test_telegram_exports_are_read_with_whoever_the_chat_is_with_as_the_assistant(
    tmp_path: Path,
) -> None:
    export = {
        "id": 42,
        "messages": [
            {"id": 1, "type": "service", "date_unixtime": "1767434400"},
            {
                "id": 2,
                "type": "message",
                "date_unixtime": "1767434400",
                "from": "Ann",
                "from_id": "user7",
                "text": ["看 ", {"type": "bold", "text": "这里"}],
            },
            {
                "id": 3,
                "type": "message",
                "date_unixtime": "1767434460",
                "from": "小祥",
                "from_id": "user42",
                "text": "好",
            },
            {"id": 4, "type": "message", "date_unixtime": "1767434461", "text": ""},
        ],
    }
    path = tmp_path / "result.json"
    path.write_bytes(orjson.dumps(export))

    messages = read_recording(path)

    assert [(m.id, m.speaker, m.role, m.text) for m in messages] == [
        ("telegram-2", "Ann", "user", "看 这里"),
        ("telegram-3", "小祥", "assistant", "好"),
    ]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        pytest.param({"at": "yesterday"}, "line 2: at is 'yesterday'", id="no date"),
        pytest.param({"at": "2026-01-03T18:00:00"}, "without a zone", id="no zone"),
        pytest.param({"role": "system"}, "role is 'system'", id="unknown role"),
        pytest.param({"text": 7}, "line 2: text must be there", id="text is a number"),
        pytest.param({"id": ""}, "id is empty", id="empty id"),
        pytest.param({"id": "1"}, "'1' is there twice", id="repeated id"),
    ],
)
def test_a_wrong_line_is_refused_by_its_number(
    tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    path = written(tmp_path / "a.jsonl", LINE, {**LINE, "id": "2", **changed})

    with pytest.raises(InputRefused, match=said):
        read_recording(path)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        pytest.param("a.jsonl", b"", "holds no message", id="empty"),
        pytest.param("a.jsonl", b"[1]", "an object is wanted, not list", id="a list"),
        pytest.param("a.jsonl", b"\xff\xfe{", "not JSON", id="not text"),
        pytest.param("r.json", b"{}", "not a Telegram chat export", id="no export"),
        pytest.param("a.jsonl", b"[" * 100_000, "not JSON", id="deep nesting"),
    ],
)
def test_a_file_that_is_no_recording_is_refused(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(InputRefused, match=said):
        read_recording(path)


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match=r"nowhere\.jsonl: No such file"):
        read_recording(tmp_path / "nowhere.jsonl")
