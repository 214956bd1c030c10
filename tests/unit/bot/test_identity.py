import pytest

from bot.identity import (
    REMEMBERED_STRANGERS,
    Access,
    AccessLevel,
    Author,
    PlatformId,
    checked_agent_id,
)
from memory.errors import InputRefused
from memory.model import Language
from tests.fakes.platforms import IDENTITIES


def a_house() -> Access:
    return Access(
        IDENTITIES.parsed_ids("telegram:1, lark:ou_owner"),
        IDENTITIES.parsed_ids("telegram:2,telegram:-100500,lark:oc_team"),
        IDENTITIES,
    )


@pytest.mark.parametrize(
    ("platform", "sender", "chat", "standing"),
    [
        ("telegram", "1", "1", AccessLevel.OWNER),
        ("telegram", "1", "-100999", AccessLevel.OWNER),
        ("lark", "ou_owner", "oc_x", AccessLevel.OWNER),
        ("telegram", "2", "2", AccessLevel.ALLOWED),
        ("telegram", "9", "-100500", AccessLevel.ALLOWED),
        ("lark", "ou_anyone", "oc_team", AccessLevel.ALLOWED),
        ("telegram", "9", "9", AccessLevel.STRANGER),
        ("lark", "1", "1", AccessLevel.STRANGER),
        ("lark", "2", "oc_x", AccessLevel.STRANGER),
        ("telegram", "", "", AccessLevel.STRANGER),
        ("console", "local", "local", AccessLevel.OWNER),
    ],
)
def test_only_who_is_listed_may_talk(
    platform: str, sender: str, chat: str, standing: AccessLevel
) -> None:
    assert a_house().level_of(Author(platform, sender, chat)) is standing


@pytest.mark.parametrize("sender", ["1087968824", "136817688", "777000"])
def test_a_shared_id_is_nobody(sender: str) -> None:
    assert a_house().level_of(Author("telegram", sender, "-100500")) is AccessLevel.MACHINE


def test_a_bot_is_a_machine_even_with_the_id_of_an_owner() -> None:
    assert a_house().level_of(Author("telegram", "1", "1", is_bot=True)) is AccessLevel.MACHINE


def test_nobody_may_talk_if_nobody_is_listed() -> None:
    empty = Access((), (), IDENTITIES)

    assert empty.level_of(Author("telegram", "1", "1")) is AccessLevel.STRANGER


def test_a_stranger_is_told_once() -> None:
    house = a_house()

    assert [house.note_stranger("telegram", "9") for _ in range(3)] == [True, False, False]
    assert house.note_stranger("lark", "9")


def test_a_crowd_of_strangers_takes_no_more_room_than_a_thousand() -> None:
    house = a_house()
    for number in range(REMEMBERED_STRANGERS * 2):
        house.note_stranger("telegram", str(number))

    assert len(house._strangers_told) == REMEMBERED_STRANGERS


def test_the_stranger_met_longest_ago_is_the_one_forgotten() -> None:
    house = a_house()
    for number in range(REMEMBERED_STRANGERS):
        house.note_stranger("telegram", str(number))
    house.note_stranger("telegram", "0")
    house.note_stranger("telegram", "new")

    assert not house.note_stranger("telegram", "0")
    assert house.note_stranger("telegram", "1")


def test_ids_are_read_from_a_list_with_spaces_and_empty_places() -> None:
    assert IDENTITIES.parsed_ids(" telegram:123 ,, lark:ou_a1 ") == {
        PlatformId("telegram", "123"),
        PlatformId("lark", "ou_a1"),
    }
    assert IDENTITIES.parsed_ids("") == frozenset()


@pytest.mark.parametrize(
    "entry",
    [
        "123",
        "telegram:ann",
        "telegram:@ann",
        "telegram:",
        "telegram:01",
        "telegram:１２３",
        "telegram:1 2",
        "lark:张三",
        "lark:ou_",
        "signal:123",
        "telegram:1087968824",
        "telegram:136817688",
    ],
)
def test_a_name_or_a_shared_id_in_the_list_is_refused_by_name(entry: str) -> None:
    with pytest.raises(InputRefused, match=entry.split(":", maxsplit=1)[0]):
        IDENTITIES.parsed_ids(f"telegram:5,{entry}")


@pytest.mark.parametrize(
    ("platform", "chat", "private", "agent"),
    [
        ("telegram", "123", True, "tg-p-123"),
        ("telegram", "-100123", False, "tg-g-100123"),
        ("console", "local", True, "local"),
        ("console", "tg-p-123", True, "tg-p-123"),
    ],
)
def test_a_chat_has_an_agent_of_its_own(
    platform: str, chat: str, agent: str, *, private: bool
) -> None:
    assert IDENTITIES.default_agent_id(platform, chat, private=private) == agent


def test_a_lark_chat_is_hashed_and_private_is_apart_from_group() -> None:
    private = IDENTITIES.default_agent_id("lark", "oc_Abc", private=True)
    group = IDENTITIES.default_agent_id("lark", "oc_Abc", private=False)
    other = IDENTITIES.default_agent_id("lark", "oc_abc", private=True)

    assert private.startswith("lark-p-")
    assert group.startswith("lark-g-")
    assert len({private.lower(), group.lower(), other.lower()}) == 3


@pytest.mark.parametrize(
    "chat",
    ["../../etc", "a/b", "\\", "nul\x00", "．．", "CON", "x" * 300, "", "\ud800", "-", "12 34"],
)
@pytest.mark.parametrize("platform", ["telegram", "lark"])
def test_whatever_a_platform_calls_a_chat_its_folder_is_safe(platform: str, chat: str) -> None:
    agent = IDENTITIES.default_agent_id(platform, chat, private=True)

    assert checked_agent_id(agent) == agent


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "a/b", "A", "-a", "a-", "名字", "a" * 65, "a b", "a\n", "a.", "con\x00"],
)
def test_a_name_that_is_no_safe_folder_is_refused(name: str) -> None:
    with pytest.raises(InputRefused, match="cannot name an agent"):
        checked_agent_id(name)


@pytest.mark.parametrize(
    ("language", "said"), [("zh", "“telegram:bob”不是编号"), ("en", "“telegram:bob” is no id")]
)
def test_an_id_that_is_none_is_told_in_the_language_of_whoever_reads(
    language: Language, said: str
) -> None:
    with pytest.raises(InputRefused) as refused:
        IDENTITIES.parsed_ids("telegram:bob")

    told = refused.value.in_language(language)

    assert told.startswith(said)
    assert "telegram:" in told.partition(said)[2]
