"""The ledger's statements as PostgreSQL reads them."""

import pytest

pytest.importorskip("psycopg")

from bot.conversation.ledger import server_database as dialect
from bot.conversation.ledger.tables import MIGRATIONS


@pytest.mark.parametrize(
    ("ours", "theirs", "names"),
    [
        ("SELECT 1", "SELECT 1", ()),
        ("a = ? AND b IN ('', ?, ?)", "a = $1 AND b IN ('', $2, $3)", ()),
        ("?2 = x OR ?1 = y OR length(?2)", "$2 = x OR $1 = y OR length($2)", ()),
        ("VALUES (:id, :text, :id)", "VALUES ($1, $2, $1)", ("id", "text")),
        ("x = '?' || ':id' || ?", "x = '?' || ':id' || $1", ()),
        ("LIKE '%／%' AND a::text = ?", "LIKE '%／%' AND a::text = $1", ()),
    ],
)
def test_places_are_numbered(ours: str, theirs: str, names: tuple[str, ...]) -> None:
    assert dialect._numbered(ours) == (theirs, names)


def test_values_are_what_the_columns_hold() -> None:
    assert [dialect._value(each) for each in (True, False, 2, None, "a\0b", 1.5)] == [
        1,
        0,
        2,
        None,
        "a\ufffdb",
        1.5,
    ]


def test_every_migration_is_there_and_nothing_of_sqlite_is_left() -> None:
    assert len(dialect._STEPS) == len(MIGRATIONS)
    for step in dialect._STEPS:
        assert "STRICT" not in step
        assert "ROWID" not in step
        assert "AUTOINCREMENT" not in step


def test_of_two_columns_of_one_name_the_first_counts() -> None:
    row = dialect.NamedRow(("a", 1, "b"), {"platform": 0, "number": 1})

    assert (row["platform"], row[2], [*row], dict(row)) == (
        "a",
        "b",
        ["a", 1, "b"],
        {"platform": "a", "number": 1},
    )
