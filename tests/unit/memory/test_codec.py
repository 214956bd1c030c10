"""Records and their documents: nothing is lost, nothing is guessed, nothing private is told."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from memory.changes import AgentInfo, DiaryLine, Drop, Links, Put, Receipt, Record, Undo, Used
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Level,
    Link,
    LinkType,
    Memory,
    Merged,
    Standing,
)
from memory.state import STORED_NAMES, MemoryState
from memory.stores.codec import (
    RECORD_TYPES,
    decode,
    decode_change,
    encode,
    encode_change,
    state_digest,
    to_bytes,
)
from memory.stores.shapes import BadDocument, ShapeRegistry, strictly
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.cost import times
from tests.store_values import changes, json_values, records

any_kind = pytest.mark.parametrize("kind", list(STORED_NAMES), ids=lambda kind: kind.__name__)


def through_json(document: object) -> Any:
    return orjson.loads(to_bytes(document))


def read_or_complaint(kind: type[Record], document: object) -> Record | str:
    try:
        return decode(kind, document)
    except BadDocument as error:
        return str(error)


@any_kind
@settings(max_examples=times(6, hunting=300))
@given(data=st.data())
def test_a_record_comes_back_from_its_document_as_it_was(
    kind: type[Record], data: st.DataObject
) -> None:
    record = data.draw(records(kind))

    back = decode(kind, through_json(encode(record)))

    assert back == record
    assert encode(back) == encode(record)


@settings(max_examples=times(6, hunting=300))
@given(change=changes())
def test_a_change_comes_back_from_its_document_as_it_was(change: Any) -> None:
    assert decode_change(through_json(encode_change(change))) == change


@any_kind
@settings(max_examples=times(6, hunting=300))
@given(data=st.data())
def test_any_document_is_read_or_refused_and_never_anything_else(
    kind: type[Record], data: st.DataObject
) -> None:
    document = encode(data.draw(records(kind)))
    name = data.draw(st.sampled_from(sorted(document)))
    document[name] = data.draw(json_values())

    read = read_or_complaint(kind, through_json(document))

    if isinstance(read, str):
        assert read.startswith(f"{STORED_NAMES[kind]}.{name}")
    else:
        assert decode(kind, encode(read)) == read


@given(document=json_values())
def test_what_is_no_document_at_all_is_refused(document: object) -> None:
    for kind in STORED_NAMES:
        with pytest.raises(BadDocument):
            decode(kind, document)
    with pytest.raises(BadDocument):
        decode_change(document)


def test_a_memory_is_written_in_words_a_person_can_read() -> None:
    document = encode(a_memory(7, "主人喜欢拉面", keywords=("拉面",)))

    assert document["id"] == 7
    assert document["words"]["text"] == "主人喜欢拉面"
    assert document["words"]["keywords"] == ["拉面"]
    assert document["words"]["level"] == "full"
    assert document["nature"] == snapshot(
        {
            "tier": "fact",
            "kind": "fact",
            "topic": "memory",
            "sensitivity": "public",
            "pinned": False,
        }
    )
    assert document["standing"] == {"is": "active"}
    assert document["passages"] == snapshot(
        [
            {
                "text": "主人喜欢拉面",
                "source_ids": ["s7"],
                "at": "2026-03-04T12:00:00Z",
                "speaker": "主人",
                "role": "user",
                "verbatim": False,
                "speaker_id": "",
            }
        ]
    )


@pytest.mark.parametrize(
    ("standing", "document"),
    [
        (Archived(NOON), {"is": "archived", "at": "2026-03-04T12:00:00Z"}),
        (
            Deleted(NOON, DeletionPolicy.USER_DELETE),
            {"is": "deleted", "at": "2026-03-04T12:00:00Z", "policy": "user_delete"},
        ),
        (Merged(NOON, 4), {"is": "merged", "at": "2026-03-04T12:00:00Z", "into": 4}),
    ],
    ids=["archived", "deleted", "merged"],
)
def test_a_standing_says_which_it_is(standing: Standing, document: dict[str, Any]) -> None:
    memory = replace(a_memory(), standing=standing)

    assert encode(memory)["standing"] == document
    assert decode(Memory, encode(memory)) == memory


def test_every_instant_is_written_in_utc() -> None:
    in_shanghai = datetime(2026, 3, 4, 20, 0, tzinfo=timezone(timedelta(hours=8)))

    document = encode(a_memory(at=in_shanghai))

    assert document["trace"]["created_at"] == "2026-03-04T12:00:00Z"
    assert decode(Memory, document).trace.created_at.tzinfo is UTC


def test_an_undo_keeps_the_changes_inside_it() -> None:
    inverse = (Put(a_memory(3)), Drop(Links, 3), Drop(Receipt, "t1"))
    undo = Undo(id=1, at=NOON, actor="partner", label="编辑", inverse=inverse)

    assert decode(Undo, through_json(encode(undo))) == undo


def test_a_graded_field_stays_graded() -> None:
    level = decode(Memory, encode(a_memory())).words.level

    assert level is Level.FULL


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (("id",), "7", "memories.id is not int but str"),
        (("id",), True, "memories.id is not int but bool"),
        (("words",), ["秘密"], "memories.words is not an object but list"),
        (("words", "text"), 3, "memories.words.text is not str but int"),
        (("words", "keywords"), "秘密", "memories.words.keywords is not an array but str"),
        (("words", "keywords"), ["秘密", 3], "memories.words.keywords is not str but int"),
        (("words", "level"), 3, "memories.words.level is none of trace, tag, summary, full"),
        (("words", "mood"), "秘密", "memories.words.mood is not a field this program knows"),
        (("trace", "importance"), "秘密", "memories.trace.importance is not a number but str"),
        (("trace", "importance"), True, "memories.trace.importance is not a number but bool"),
        (
            ("trace", "created_at"),
            "秘密",
            "memories.trace.created_at is not an instant in ISO 8601",
        ),
        (
            ("trace", "created_at"),
            "2026-03-04T12:00:00",
            "memories.trace.created_at is an instant without a zone",
        ),
        (("trace", "created_at"), 12, "memories.trace.created_at is not an instant but int"),
        (
            ("standing",),
            {"is": "秘密"},
            "memories.standing is none of active, archived, deleted, merged",
        ),
        (
            ("standing",),
            {"is": "merged", "at": "2026-03-04T12:00:00Z"},
            "memories.standing.into is missing",
        ),
        (("passages",), [{"text": "秘密"}], "memories.passages.at is missing"),
    ],
)
def test_a_bad_field_is_named_and_its_value_is_not(
    path: tuple[str, ...], value: object, complaint: str
) -> None:
    document = encode(a_memory())
    *way, last = path
    inside = document
    for name in way:
        inside = inside[name]
    inside[last] = value

    with pytest.raises(BadDocument) as refused, strictly():
        decode(Memory, document)

    assert str(refused.value) == complaint
    assert "秘密" not in str(refused.value)


def test_what_earlier_programs_let_in_is_read_where_it_is_our_own_and_nowhere_else() -> None:
    line = DiaryLine(number=1, message=a_message("7", "I like tea", speaker=""), conversation="")
    document = encode(line)
    document["message"] |= {"id": 7, "speaker": None, "at": "9999-12-31T23:59:00Z"}

    read = decode(DiaryLine, document)

    assert (read.key, read.message.speaker) == ("7", "")
    for hours in (-14, 14):
        assert read.message.at.astimezone(timezone(timedelta(hours=hours))).year == 9999
    assert decode(DiaryLine, encode(read)) == read
    with pytest.raises(BadDocument, match="is not str but int"), strictly():
        decode(DiaryLine, document)
    document["message"]["id"] = ["7"]
    with pytest.raises(BadDocument, match="is not str but list"):
        decode(DiaryLine, document)


def test_a_missing_field_is_refused_unless_it_has_a_default() -> None:
    document = encode(a_memory())
    del document["lineage"]
    del document["words"]["phrase"]

    assert decode(Memory, document) == replace(
        a_memory(), words=replace(a_memory().words, phrase="")
    )

    del document["words"]["text"]
    with pytest.raises(BadDocument, match=r"^memories\.words\.text is missing$"):
        decode(Memory, document)


def test_a_value_its_class_refuses_is_refused() -> None:
    links = encode(Links(source=1, links=(Link(target=2, strength=0.5, type=LinkType.KEYWORD),)))
    links["links"][0]["strength"] = 1.5

    with pytest.raises(BadDocument, match=r"^links\.links is not fit for a Link$"):
        decode(Links, links)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_finite_number_is_never_written(number: float) -> None:
    memory = a_memory()
    broken = replace(memory, trace=replace(memory.trace, importance=number))

    with pytest.raises(BadDocument, match=r"^memories\.trace\.importance is not a finite number$"):
        encode(broken)


def test_an_instant_without_a_zone_is_never_written() -> None:
    naive = NOON.replace(tzinfo=None)

    with pytest.raises(BadDocument, match=r"^memories\.trace\.created_at is an instant without"):
        encode(a_memory(at=naive))


def test_an_instant_beyond_the_calendar_is_refused() -> None:
    edge = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=8)))

    with pytest.raises(BadDocument, match="outside the calendar"):
        encode(a_memory(at=edge))


def test_half_a_character_is_refused_without_being_shown() -> None:
    with pytest.raises(BadDocument, match="cannot be written as JSON"):
        to_bytes(encode(a_memory(text="坏\ud83d")))


def test_a_number_of_another_library_is_written_as_a_number() -> None:
    class Float64(float):
        """What numpy hands out as a float."""

    receipt = Receipt(turn_id="t", at=NOON, used=(Used(memory_id=1, score=Float64(0.5)),))

    assert to_bytes(encode(receipt)["used"][0]["score"]) == b"0.5"


def test_settings_keep_the_sort_of_their_parameters() -> None:
    parameters = (("u_mode", "literal"), ("floor", 1.0), ("retries", 1), ("slots", True))
    agent_info = AgentInfo(settings=AgentSettings(parameters=parameters))

    back = decode(AgentInfo, through_json(encode(agent_info)))

    assert [type(value) for _, value in back.settings.parameters] == [str, float, int, bool]


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ([["floor", [1]]], "is list, which has no place there"),
        ([["floor"]], "is not an array of 2"),
        (["floor"], "is not an array of 2"),
    ],
    ids=["a list for a value", "a value too few", "no row at all"],
)
def test_parameters_of_the_wrong_shape_are_refused(parameters: object, complaint: str) -> None:
    document = encode(AgentInfo(settings=AgentSettings()))
    document["settings"]["parameters"] = parameters

    with pytest.raises(BadDocument, match=complaint):
        decode(AgentInfo, document)


def test_a_value_outside_a_closed_set_is_never_written() -> None:
    receipt = Receipt(turn_id="t", at=NOON, outcome="perhaps")  # type: ignore[arg-type]

    with pytest.raises(BadDocument, match=r"^receipts\.outcome is none of waiting, learnt"):
        encode(receipt)


def test_a_kind_of_hint_nobody_foresaw_fails_at_once() -> None:
    shapes = ShapeRegistry(special={}, tagged={})

    for hint in (list[str], set[int], int | Memory, bytes):
        with pytest.raises(TypeError, match="no document shape"):
            shapes.shape_of(hint)


def test_every_table_has_its_kind_of_record() -> None:
    assert {kind: name for name, kind in RECORD_TYPES.items()} == dict(STORED_NAMES)


def test_the_digest_tells_states_apart_by_what_they_hold_and_nothing_else() -> None:
    one, _ = MemoryState().apply([Put(a_memory(1)), Put(a_memory(2, "主人养猫"))])
    other_order, _ = MemoryState().apply([Put(a_memory(2, "主人养猫")), Put(a_memory(1))])
    other_words, _ = one.apply([Put(a_memory(2, "主人养狗"))])
    later_id, _ = one.apply([Put(a_memory(9)), Drop(Memory, 9)])

    assert state_digest(one) == state_digest(other_order) == state_digest(later_id)
    assert state_digest(one) != state_digest(other_words)
    assert state_digest(one) != state_digest(MemoryState())
