"""The grammar of the background: what is read, and what is not guessed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.judgement.brackets import Malformed, Unreadable
from memory.judgement.operations import (
    PLACEHOLDER,
    Add,
    Boost,
    Delete,
    MemoryDetails,
    Merge,
    Negate,
    NotMeant,
    Update,
    parse_operations,
)
from memory.model import Kind, Sensitivity, Topic
from prompts import OPERATIONS_SCHEMA
from tests.fakes.cost import at_most


def test_every_operation_is_read_with_its_attributes() -> None:
    answer = """主人说她搬家了，旧的记忆不对了。
[ADD kind=lasting_preference topic=preference confidence=0.9 sensitivity=1 keywords=拉] 主人爱拉面
[UPDATE:m1 kind=fact] 主人住在上海
[BOOST:m2]
[DELETE:m3]
[NEGATE:m4] 主人不喜欢咖啡了
[MERGE:m5,m6] 主人每天早上喝咖啡
"""
    assert parse_operations(answer) == (
        Add(
            "主人爱拉面",
            MemoryDetails(
                kind=Kind.LASTING_PREFERENCE,
                topic=Topic.PREFERENCE,
                confidence=0.9,
                sensitivity=Sensitivity.ORDINARY,
                keywords=("拉",),
            ),
        ),
        Update("m1", "主人住在上海", MemoryDetails(kind=Kind.FACT)),
        Boost("m2"),
        Delete("m3"),
        Negate("m4", "主人不喜欢咖啡了"),
        Merge(("m5", "m6"), "主人每天早上喝咖啡"),
    )


@pytest.mark.parametrize(
    "answer",
    [
        "【ADD】主人喜欢猫",
        "［ADD］ 主人喜欢猫",
        "[add] 主人喜欢猫",
        "- [ADD] 主人喜欢猫",
        "1. [ADD] 主人喜欢猫",
        "**[ADD]** 主人喜欢猫",
        "`[ADD] 主人喜欢猫`",
        "```\n[ADD] 主人喜欢猫\n```",
        "理由：她说了。\r\n[ADD]：主人喜欢猫\r\n就这些。",
        "<think>[DELETE:m1] 也许？</think>\n[ADD] 主人喜欢猫",
        "[ADD] 主人喜欢猫\n[SKIP]",
        "> [DELETE:m1]\n[ADD] 主人喜欢猫",
        "不该用 [DELETE:m1]，因为两件事都是真的。\n[ADD] 主人喜欢猫",
    ],
)
def test_markdown_full_width_forms_and_reasons_around_do_not_matter(answer: str) -> None:
    assert parse_operations(answer) == (Add("主人喜欢猫"),)


@pytest.mark.parametrize("target", ["m1，m2", "m1、m2", "M1, m2", " m1 , m2 "])
def test_a_list_of_handles_may_be_written_with_any_comma(target: str) -> None:
    assert parse_operations(f"【MERGE：{target}】一句话") == (Merge(("m1", "m2"), "一句话"),)


def test_full_width_attributes_are_read_the_same() -> None:
    read = parse_operations("【ADD　kind＝fact keywords＝猫，狗】x".replace("\u3000", " "))
    assert read == (Add("x", MemoryDetails(kind=Kind.FACT, keywords=("猫", "狗"))),)


def test_skip_is_nothing_new_and_not_unreadable() -> None:
    assert parse_operations("没有新东西。\n[SKIP]") == ()
    assert parse_operations("[SKIP] 闲聊而已") == ()


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "   \n\t",
        "没有什么要记的。",
        "[2026-01-03] 她说了面试",
        "(ADD) 主人喜欢猫",
        "<think>[ADD] 主人喜欢猫",
    ],
)
def test_an_answer_without_any_operation_is_unreadable(answer: str) -> None:
    assert isinstance(parse_operations(answer), Unreadable)


@pytest.mark.parametrize(
    "operation",
    [
        "[REMOVE:m1]",
        "[DELETE ALL]",
        "[DELETE]",
        "[DELETE:]",
        "[DELETE:*]",
        "[DELETE:m1-m5]",
        "[DELETE:m1,m2]",
        "[DELETE:m１]",
        "[DELETE:m٣]",
        "[DELETE:m01]",
        "[DELETE:m0]",
        "[DELETE:m12345]",
        "[DELETE:#42]",
        "[DELETE:42]",
        "[DELETE:mem_123]",
        "[DELETE m1]",
        "[删除:m1]",
        "[ADD]",
        "[ADD]   ",
        "[ADD:m1] 主人喜欢猫",
        "[ADD kind=] 主人喜欢猫",
        "[ADD kind=fact kind=fact] 主人喜欢猫",
        "[ADD mood=good] 主人喜欢猫",
        "[ADD sensitivity=4] 主人喜欢猫",
        "[ADD sensitivity=③] 主人喜欢猫",
        "[BOOST:m1 kind=fact]",
        "[SKIP:m1]",
        "[UPDATE:m1]",
        "[UPDATE] 主人喜欢猫",
        "[NEGATE:m1]",
        "[MERGE:m1] 主人喜欢猫",
        "[MERGE:m1,m1] 主人喜欢猫",
        "[MERGE:m1,m2]",
        "[MERGE:" + ",".join(f"m{n}" for n in range(1, 12)) + "] 主人喜欢猫",
    ],
)
def test_what_looks_like_an_operation_and_is_none_is_refused_alone(operation: str) -> None:
    for answer in (f"[ADD] 主人喜欢猫\n{operation}", f"{operation}\n[ADD] 主人喜欢猫"):
        read = parse_operations(answer)
        assert isinstance(read, tuple)
        assert [each for each in read if not isinstance(each, Malformed)] == [Add("主人喜欢猫")]
        assert len(read) == 2


@pytest.mark.parametrize(
    "label",
    [
        "kind=cat",
        "kind=preference",
        "topic=health",
        "confidence=NaN",
        "confidence=1e-1",
        "confidence=2",
        "confidence=1.5",
        "confidence=０.5",
        "confidence=high",
    ],
)
def test_a_label_nobody_knows_spoils_no_fact(label: str) -> None:
    assert parse_operations(f"[ADD {label}] 主人喜欢猫") == (Add("主人喜欢猫"),)


@pytest.mark.parametrize(
    "operation",
    [
        "[DELETE:m1",
        "[",
        "[DEL",
        "[ADD] 主人喜欢猫 [DELETE:m2]",
        "[BOOST:m1] [DELETE:m2]",
        "[ADD] " + "猫" * 3000,
        "[ADD] 猫\n" * 101,
        "[ADD] 主人怕狗\n" * 5,
        "[删除:m1] [DELETE:m2]",
    ],
)
def test_what_breaks_off_repeats_itself_or_was_copied_spoils_the_whole_answer(
    operation: str,
) -> None:
    assert isinstance(parse_operations(f"[ADD] 主人喜欢猫\n{operation}"), Unreadable)
    assert isinstance(parse_operations(f"{operation}\n[ADD] 主人喜欢猫"), Unreadable)


@pytest.mark.parametrize(
    "line",
    [
        "[ADD] 〔主语〕喜欢〔某物〕",
        "[ADD] 〔Subject〕 likes 〔something〕",
        "[ADD keywords=〔词〕] 主人喜欢猫",
        "[BOOST:〔编号〕]",
        "[BOOST:〔handle〕]",
    ],
)
def test_a_placeholder_of_the_example_is_no_operation(line: str) -> None:
    read = parse_operations(f"{line}\n[ADD] 主人喜欢猫")
    assert isinstance(read, tuple)
    wrong, good = read
    assert isinstance(wrong, Malformed)
    assert wrong.why == PLACEHOLDER
    assert good == Add("主人喜欢猫")


@pytest.mark.parametrize("reason", ["joke", "role_play", "quotation"])
def test_unsaid_names_one_memory_and_one_of_three_reasons(reason: str) -> None:
    assert parse_operations(f"[UNSAID:m1 reason={reason}]") == (NotMeant("m1", reason),)
    for line in ("[UNSAID:m1]", "[UNSAID:m1,m2 reason=joke]", "[UNSAID:m1 reason=wrong]"):
        read = parse_operations(line)
        assert isinstance(read, tuple)
        assert [type(each) for each in read] == [Malformed]


def test_cut_off_at_any_byte_it_never_deletes_what_was_not_named_whole() -> None:
    answer = "理由：她更正了。\n[DELETE:m12]\n[ADD kind=identity] 主人叫李明\n[BOOST:m3]"
    data = answer.encode()
    for end in range(len(data)):
        read = parse_operations(data[:end].decode(errors="ignore"))
        if not isinstance(read, Unreadable):
            assert all(
                o in (Delete("m12"), Boost("m3")) or isinstance(o, Add | Malformed) for o in read
            )


@pytest.mark.parametrize(
    "blob",
    [
        "[" * 10**6,
        "[ADD] x\n" * 125_000,
        "[ADD " + "k=v " * 250_000 + "] x",
        "\n".join(["[ADD]" + "[" * 1_000] * 1_000),
        "- " * 500_000,
        "*" * 10**6,
        "[ADD" + " \t" * 500_000 + "]",
        "[MERGE:" + "m1," * 330_000 + "] x",
        "\x00\u202e[ADD]" * 125_000,
        "<think>" * 140_000,
    ],
)
def test_a_megabyte_is_read_in_a_tenth_of_a_second(blob: str) -> None:
    with at_most(0.1):
        found = parse_operations(blob)

    assert isinstance(found, Unreadable)


ROWS = [
    (
        "[ADD kind=fact topic=personal confidence=0.9 sensitivity=1 keywords=猫,豆包] 主人养猫",
        {
            "op": "ADD",
            "text": "主人养猫",
            "kind": "fact",
            "topic": "personal",
            "confidence": 0.9,
            "sensitivity": 1,
            "keywords": ["猫", "豆包"],
        },
    ),
    (
        "[UPDATE:m1] Ann lives in Leeds",
        {"op": "update", "handles": ["m1"], "text": "Ann lives in Leeds"},
    ),
    ("[BOOST:m2]", {"op": "BOOST", "handles": ["m2"], "text": None}),
    ("[DELETE:m3]", {"op": "DELETE", "handles": "m3"}),
    ("[NEGATE:m4] 主人不喝可乐了", {"op": "NEGATE", "handles": ["m4"], "text": "主人不喝可乐了"}),
    ("[MERGE:m5,m6] 主人爱茶", {"op": "MERGE", "handles": ["m5", "m6"], "text": "主人爱茶"}),
    ("[REMIND] 交房租", {"op": "REMIND", "text": "交房租"}),
    ("[UNSAID:m7 reason=joke]", {"op": "UNSAID", "handles": ["m7"], "reason": "joke"}),
    ("[SKIP]", {"op": "SKIP"}),
    ("[ADD]", {"op": "ADD"}),
    ("[BOOST:m1-m9]", {"op": "BOOST", "handles": ["m1-m9"]}),
    ("[ADD kind=nonsense] 主人爱茶", {"op": "ADD", "kind": "nonsense", "text": "主人爱茶"}),
    ("[ADD confidence=7] 主人爱茶", {"op": "ADD", "confidence": 7, "text": "主人爱茶"}),
]


def in_json(*rows: object) -> str:
    return json.dumps({"reasons": "…", "operations": rows}, ensure_ascii=False)


@given(st.lists(st.sampled_from(ROWS), min_size=1, max_size=8))
def test_json_means_what_the_lines_mean(chosen: list[tuple[str, dict[str, object]]]) -> None:
    by_line = parse_operations("\n".join(line for line, _ in chosen))

    assert parse_operations(in_json(*(row for _, row in chosen))) == by_line


def test_json_without_operations_is_nothing_new() -> None:
    assert parse_operations(in_json()) == ()
    assert parse_operations(f"```json\n{in_json()}\n```") == ()


@pytest.mark.parametrize(
    "row",
    [
        "[ADD] 主人喜欢猫",
        {"op": "DROP"},
        {"op": "ADD", "text": ["主人喜欢猫"]},
        {"op": "ADD", "text": "主人喜欢猫", "kind": {"a": 1}},
        {"op": "ADD", "text": "主人喜欢猫", "confidence": True},
        {"op": "BOOST", "handles": ["m1]"]},
        {"op": "ADD", "text": "长" * 3_000},
    ],
)
def test_a_row_of_json_that_is_no_operation_spoils_itself_alone(row: object) -> None:
    read = parse_operations(in_json(row, {"op": "ADD", "text": "主人喜欢猫"}))

    assert isinstance(read, tuple)
    assert isinstance(read[0], Malformed)
    assert read[1] == Add("主人喜欢猫")


def test_a_key_given_twice_spoils_its_row() -> None:
    answer = '{"reasons":"","operations":[{"op":"BOOST","op":"DELETE","handles":["m1"]}]}'

    assert parse_operations(answer) == (Malformed("an unknown operation"),)


@pytest.mark.parametrize(
    "answer",
    [
        in_json({"op": "ADD", "text": "主人喜欢猫"})[:-3],
        in_json({"op": "ADD", "text": "主人喜欢猫"}) * 2,
        in_json({"op": "ADD", "text": "他说 [DELETE:m1]"}),
        in_json(*[{"op": "ADD", "text": "主人喜欢猫"}] * 5),
        in_json(*[{"op": "ADD", "text": str(n)} for n in range(101)]),
        '{"reasons": "", "operations": {"op": "DELETE"}}',
        '{"reasons": NaN, "operations": []}',
        '{"operations": ' + "[" * 100_000,
    ],
)
def test_json_that_cannot_be_read_changes_nothing(answer: str) -> None:
    assert isinstance(parse_operations(answer), Unreadable)


def test_a_server_may_answer_every_kind_and_topic_there_is() -> None:
    schema = json.dumps(OPERATIONS_SCHEMA)

    for kinds in (Kind, Topic):
        assert json.dumps([each.value for each in kinds]) in schema
