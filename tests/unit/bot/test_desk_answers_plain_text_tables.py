"""Tables that a phone has no room for, as items of a list."""

from bot.desk.answers import TableItem, table_items
from bot.desk.documents import Table, Term


def test_an_item_begins_with_its_first_cell_and_goes_on_with_what_says_most() -> None:
    table = Table(
        ("id", "tier", "text", "weight"),
        ("编号", "层级", "内容", "重量"),
        (
            ("#1", Term("核心", "core"), "对花生过敏，也不能吃腰果", "0.5"),
            ("#2", Term("情境", "episode"), "猫", ""),
        ),
    )

    assert table_items(table) == (
        TableItem("#1", "对花生过敏，也不能吃腰果", ("核心", "重量 0.5")),
        TableItem("#2", "猫", ("情境",)),
    )


def test_a_table_of_one_column_or_of_none_of_any_length_is_a_list_too() -> None:
    assert table_items(Table(("a",), ("甲",), (("一",), ("二",)))) == (
        TableItem("一", "", ()),
        TableItem("二", "", ()),
    )
    assert table_items(Table(("a", "b"), ("甲", "乙"), ())) == ()
