"""What a key's text becomes, and what is said of one that does not fit."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import pytest
from msgspec import Meta

from bot.sections import Checks, SecretStr, Section, WrongSettings, fields_of
from memory.errors import InputRefused
from memory.sentences import Sentence


def shouted(given: str) -> str:
    if not given.isalpha():
        raise InputRefused(Sentence(zh="只能是字母", en="letters only"))
    return given.upper()


class Room(Section, frozen=True, kw_only=True):
    seats: Annotated[int, Meta(ge=1, le=5)] = 2
    rows: Annotated[int, Meta(ge=0)] | None = None
    height: Annotated[float, Meta(ge=0.5, le=9)] = 3.0
    open: bool = True
    plan: Path | None = None
    folder: Path = Path("data")
    key: SecretStr = SecretStr("")
    colour: Literal["red", "blue", ""] = ""
    name: str = "ROOM"
    _kept: int = 0

    checks: ClassVar[Checks] = {"name": shouted}

    def __post_init__(self) -> None:
        if self.colour == "red" and not self.open:
            raise InputRefused(Sentence(zh="红房间开着", en="a red room is open"))


def test_a_text_becomes_what_its_field_is() -> None:
    given = {"seats": "5", "rows": "7", "height": "2", "open": "off", "plan": "~/plan"}
    room = Room.read({**given, "key": "hush", "colour": "blue", "name": "hall", "other": "x"})

    assert (room.seats, room.rows, room.height, room.open) == (5, 7, 2.0, False)
    assert (room.plan, room.colour, room.name) == (Path("~/plan").expanduser(), "blue", "HALL")
    assert room.key.get_secret_value() == "hush"
    assert "hush" not in repr(room)


def test_what_is_set_to_nothing_has_its_usual_value() -> None:
    assert Room.read({"seats": "", "open": "", "name": "", "folder": ""}) == Room()


def test_what_is_no_text_is_taken_as_it_is() -> None:
    room = Room.read({"seats": 4, "plan": None, "folder": Path("x"), "key": SecretStr("k")})

    assert (room.seats, room.plan, room.folder, room.key) == (
        4,
        None,
        Path("x"),
        SecretStr("k"),
    )


@pytest.mark.parametrize("word", ["1", "true", "YES", "on", "t", "y"])
def test_yes_has_many_words(word: str) -> None:
    assert Room.read({"open": word}).open


def test_an_empty_path_is_none_where_there_may_be_none() -> None:
    assert Room.read({"plan": " "}).plan is None


@pytest.mark.parametrize(
    ("key", "text", "fault"),
    [
        ("seats", "9", "SEATS: write a whole number, at least 1 and at most 5"),
        ("seats", "two", "SEATS: write a whole number, at least 1 and at most 5"),
        ("rows", "-1", "ROWS: write a whole number, at least 0"),
        ("height", "nan", "HEIGHT: write a number, at least 0.5 and at most 9"),
        ("open", "maybe", "OPEN: write true or false"),
        ("colour", "green", "COLOUR: write 'red', 'blue'"),
        ("name", "h4", "NAME: letters only"),
    ],
)
def test_a_fault_names_its_key_and_what_fits_and_not_what_was_given(
    key: str, text: str, fault: str
) -> None:
    with pytest.raises(WrongSettings) as refused:
        Room.read({key: text})

    assert [each.in_language("en") for each in refused.value.faults] == [fault]


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(WrongSettings) as refused:
        Room.read({"seats": "x", "open": "x", "colour": "x"})

    assert [each.in_language("en").partition(":")[0] for each in refused.value.faults] == [
        "COLOUR",
        "OPEN",
        "SEATS",
    ]


def test_values_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(WrongSettings, match="a red room is open"):
        Room.read({"colour": "red", "open": "no"})


def test_what_the_program_keeps_for_itself_is_no_key() -> None:
    assert "_kept" not in fields_of(Room)
    assert Room.read({"_kept": "3"})._kept == 0
