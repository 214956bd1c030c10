"""What becomes of one event: completed, paired, answered, or let go."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.calls import PlatformError, PlatformUnreachable, RateLimited, RequestRejected
from bot.adapters.incoming import GREETING_WINDOW, HandlerServices, Pairing
from bot.adapters.lark.cards import button_signer, button_value
from bot.adapters.lark.directory import FAILED_SECONDS, Directory
from bot.adapters.lark.handler import GreetingOptions, LarkEventHandler
from bot.adapters.lark.reader import LarkReader
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.media import CAPTION, FILE_MESSAGE, HERS, PHOTO, QUOTED_OF
from bot.conversation.messages import UNREADABLE, ConversationKey, Incoming
from bot.desk.documents import Document, Text
from bot.dispatch.workers import Alone
from bot.identity import Access
from bot.tasks import Supervisor
from bot.web import WebServer
from memory import refusals
from memory.errors import StoreUnwritable
from tests.fakes.clock import FakeClock
from tests.fakes.platforms import IDENTITIES
from tests.fakes.timer import FakeTimer

SHE, APP = "ou_b07", "cli_1"
ANN, BOB, EVE = "ou_annannann", "ou_bobbobbob", "ou_eveeveeve"
NOW = datetime(2026, 9, 21, 14, 0, tzinfo=UTC)
READER = LarkReader(app_id=APP, open_id=SHE, name="小祥")


class Calls:
    """Answers by path; what it does not know is refused. ``asked`` is everything asked."""

    def __init__(self) -> None:
        self.told: dict[str, dict[str, Any] | PlatformError] = {}
        self.asked: list[str] = []
        self.hangs = False

    async def call(
        self, method: str, path: str, *, query: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        assert method == "GET"
        page = (query or {}).get("page_token", "")
        key = path.removeprefix("/open-apis/") + (f"?{page}" if page else "")
        self.asked.append(key)
        if self.hangs:
            await asyncio.sleep(3600)
        answer = self.told.get(key, RequestRejected("code 99991672", code=99991672))
        if isinstance(answer, PlatformError):
            raise answer
        return answer

    def member(self, chat: str, *people: tuple[str, str], page: str = "", more: str = "") -> None:
        items = [{"member_id": each, "name": name} for each, name in people]
        key = f"im/v1/chats/{chat}/members" + (f"?{page}" if page else "")
        self.told[key] = {"items": items, "has_more": bool(more), "page_token": more}

    def message(self, number: str, sender: str, text: str, **more: Any) -> dict[str, Any]:
        item = {
            "message_id": number,
            "msg_type": "text",
            "body": {"content": json.dumps({"text": text})},
            "sender": {"id": sender},
            **more,
        }
        self.told[f"im/v1/messages/{number}"] = {"items": [item]}
        return item


class ProgramRun:
    """A taker with everything around it; ``received`` and ``shown`` are what came of events."""

    def __init__(self, data: Path, *, owners: str = f"lark:{ANN}", pairing: bool = False) -> None:
        self.calls = Calls()
        self.timer = FakeTimer()
        self.clock = FakeClock(NOW)
        self.received: list[Incoming] = []
        self.taken_back: list[tuple[str, str]] = []
        self.acknowledged: list[Incoming] = []
        self.sent: set[tuple[str, str]] = set()
        self.shown: list[tuple[str, str, str]] = []
        self.full = False
        self.access = Access(
            IDENTITIES.parsed_ids(owners),
            IDENTITIES.parsed_ids(f"lark:{BOB},lark:oc_1"),
            IDENTITIES,
        )
        self.seal = button_signer(data)
        self.tasks = Supervisor()
        self.pairing = Pairing(data, "lark", wanted=pairing)
        self.web = WebServer()
        self.alone_in = Alone().alone_in
        self.directory = Directory(self.calls, self.timer)
        self.handler = LarkEventHandler(
            READER,
            self.directory,
            self,
            HandlerServices(
                presenter=self,
                signer=self.seal,
                pairing=self.pairing,
                access=self.access,
                clock=self.clock,
                tasks=self.tasks,
            ),
            GreetingOptions(language="zh", answer_within=timedelta(hours=2)),
        )

    @property
    def history(self) -> Any:
        return self

    @property
    def bindings(self) -> Any:
        # Who is bound to which memory is asked behind the handler: asked here it is a fault.
        raise NotImplementedError

    async def is_ours(self, chat: ConversationKey, platform_id: str) -> bool:
        return (chat.chat, platform_id) in self.sent

    async def receive(self, incoming: Incoming) -> None:
        """Keep a message, and complete it as its lane would."""
        if self.full:
            raise StoreUnwritable(refusals.DISK_REFUSES)
        self.acknowledged.append(incoming)
        with suppress(PlatformError):
            incoming = await self.handler.complete(incoming)
        self.received.append(incoming)

    async def take_back(self, chat: ConversationKey, dedupe_key: str) -> None:
        self.taken_back.append((str(chat), dedupe_key))

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        words = "\n".join(each.text for each in document.blocks if isinstance(each, Text))
        self.shown.append((str(conversation), words, reply_to))

    async def deliver(self, document: Document, target: Target, record_piece: RecordPiece) -> None:
        await self.present(target.conversation, document, reply_to=target.reply_to)

    async def take(self, kind: str, body: dict[str, Any], *, at: datetime = NOW) -> Any:
        made = str(int(at.timestamp() * 1000))
        header = {"event_id": "e1", "event_type": kind, "create_time": made}
        answer = await self.handler.handle({"header": header, "event": body})
        while self.tasks.running:
            await asyncio.sleep(0)
        return answer

    async def says(
        self, text: str, *, sender: str = ANN, group: bool = False, at: datetime = NOW, **more: Any
    ) -> None:
        content = more.pop("content", None) or {"text": text}
        message = {
            "message_id": f"om_{len(self.received)}",
            "chat_id": "oc_1" if group else "oc_p",
            "chat_type": "group" if group else "p2p",
            "create_time": str(int(at.timestamp() * 1000)),
            "message_type": "text",
            "content": more.pop("raw_content", json.dumps(content)),
            **more,
        }
        who = {"sender_id": {"open_id": sender}, "sender_type": "user"}
        await self.take("im.message.receive_v1", {"sender": who, "message": message}, at=at)


async def test_people_are_called_by_name_and_lark_is_asked_once(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.calls.member("oc_1", (ANN, "安安"), more="p2")
    house.calls.member("oc_1", (BOB, "小波"), page="p2")
    for sender in (ANN, BOB, ANN):
        await house.says("早", sender=sender, group=True)

    assert [each.sender.name for each in house.received] == ["安安", "小波", "安安"]
    assert house.calls.asked == [
        f"contact/v3/users/{ANN}",
        "im/v1/chats/oc_1/members",
        "im/v1/chats/oc_1/members?p2",
    ]


async def test_a_private_name_comes_from_the_contacts(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.calls.told[f"contact/v3/users/{ANN}"] = {"user": {"name": "安安"}}
    await house.says("早")

    assert house.received[0].sender.name == "安安"
    assert house.calls.asked == [f"contact/v3/users/{ANN}"]


async def test_a_name_nobody_tells_is_short_and_not_asked_for_again(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    await house.says("早")
    await house.says("在吗")

    assert {each.sender.name for each in house.received} == {"ou…annann"}
    assert len(house.calls.asked) == 1


async def test_who_writes_twice_before_lark_tells_their_name_has_it_both_times() -> None:
    told = asyncio.Event()

    class Slow(Calls):
        async def call(
            self, method: str, path: str, *, query: Mapping[str, str] | None = None
        ) -> dict[str, Any]:
            self.asked.append(path)
            await told.wait()
            return {"user": {"name": "安安"}}

    calls = Slow()
    directory = Directory(calls, FakeTimer())
    asking = [
        asyncio.create_task(directory.fetch_name(ANN, "oc_1", private=True)) for _ in range(3)
    ]
    await asyncio.sleep(0)
    assert directory.may_tell_name(ANN)
    asking.pop().cancel()
    told.set()

    assert await asyncio.gather(*asking) == ["安安", "安安"]
    assert len(calls.asked) == 1
    assert directory.known_name(ANN) == "安安"


async def test_whoever_is_mentioned_is_known_by_name(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    mention = {"key": "@_user_1", "id": {"open_id": BOB}, "name": "小波"}
    house.calls.member("oc_1", (ANN, "安安"))
    await house.says("@_user_1 早", group=True, mentions=[mention])
    await house.says("早", sender=BOB, group=True)

    assert house.received[1].sender.name == "小波"
    assert f"contact/v3/users/{BOB}" not in house.calls.asked


async def test_what_is_to_be_asked_is_asked_after_the_message_was_kept(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.calls.hangs = True
    keeping = asyncio.create_task(house.says("早", group=True, parent_id="om_x"))
    while not house.calls.asked:
        await asyncio.sleep(0)
    (kept,) = house.acknowledged
    keeping.cancel()

    assert kept.pending == {"name": True, "parent": "om_x", "starts_thread": False}


@pytest.mark.parametrize("trouble", [PlatformUnreachable("x"), RateLimited(5.0)])
async def test_one_question_that_fails_stops_no_other(
    tmp_path: Path, trouble: PlatformError
) -> None:
    house = ProgramRun(tmp_path)
    house.calls.told["im/v1/messages/om_x"] = trouble
    house.calls.member("oc_1", (ANN, "安安"))
    house.calls.message("om_hers", APP, "我叫小祥")
    await house.says("早", group=True, parent_id="om_x")
    await house.says("真的吗", group=True, parent_id="om_hers")
    failed, found = house.received

    assert failed.pending["parent"] == "om_x"
    assert house.calls.asked.count("im/v1/messages/om_x") > 1
    assert (found.addressed, found.quoted, found.sender.name) == (True, "我叫小祥", "安安")
    assert found.raw[QUOTED_OF][1] == HERS  # type: ignore[index]


async def test_a_name_that_was_not_told_for_trouble_is_asked_for_again_soon(
    tmp_path: Path,
) -> None:
    house = ProgramRun(tmp_path)
    house.calls.told[f"contact/v3/users/{ANN}"] = PlatformUnreachable("x")
    for _ in range(20):
        await house.says("早")
    asked = len(house.calls.asked)
    await house.timer.sleep(FAILED_SECONDS)
    house.calls.told[f"contact/v3/users/{ANN}"] = {"user": {"name": "安安"}}
    await house.says("早")

    assert asked == 1
    assert house.received[-1].sender.name == "安安"


async def test_her_own_messages_are_known_without_asking(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.calls.hangs = True
    house.directory.own.put("om_new", value=True, seconds=60)
    house.sent = {("oc_1", "om_old"), ("oc_2", "om_elsewhere")}
    thread: dict[str, Any] = {"root_id": "om_new", "thread_id": "omt_1"}
    house.directory.record_name(ANN, "安安")
    await house.says("真的吗", group=True, parent_id="om_new", **thread)
    for parent in ("om_old", "om_elsewhere"):
        keeping = asyncio.create_task(house.says("真的吗", group=True, parent_id=parent))
        await asyncio.sleep(0)
        keeping.cancel()

    assert [each.addressed for each in house.acknowledged] == [True, True, False]
    assert not house.acknowledged[0].pending


async def test_strange_answers_hold_up_no_message(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.calls.told = {
        "im/v1/chats/oc_1/members": {"items": 5, "has_more": True},
        "im/v1/messages/om_x": {"items": [{"sender": "x", "body": []}]},
        f"contact/v3/users/{ANN}": {"user": []},
    }
    await house.says("早", group=True, parent_id="om_x")

    assert house.received[0].text == "早"


async def test_an_answer_to_her_is_meant_for_her_and_quotes_what_it_answers(
    tmp_path: Path,
) -> None:
    house = ProgramRun(tmp_path)
    house.calls.message("om_hers", APP, "我叫小祥")
    house.calls.message("om_bobs", BOB, "我最讨厌花生")
    await house.says("真的吗", group=True, parent_id="om_hers", root_id="om_hers")
    await house.says("同意", group=True, parent_id="om_bobs", root_id="om_bobs")
    first, second = house.received

    assert (first.addressed, first.quoted) == (True, "我叫小祥")
    assert (second.addressed, second.quoted) == (False, "我最讨厌花生")
    assert second.raw[QUOTED_OF][1].startswith("lark:")  # type: ignore[index]
    assert second.text == "同意"


async def test_in_a_thread_its_root_is_not_quoted_again(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.calls.message("om_root", BOB, "讨论一下旅行")
    root: dict[str, Any] = {"parent_id": "om_root", "root_id": "om_root", "thread_id": "omt_1"}
    await house.says("我想去海边", group=True, **root)

    assert house.received[0].quoted == ""
    assert str(house.received[0].conversation).endswith("/oc_1/omt_1")


async def test_what_was_forwarded_together_is_quoted_with_its_speakers(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.directory.record_name(BOB, "小波")
    bundle = house.calls.message("om_0", ANN, "x", msg_type="merge_forward")
    inner = house.calls.message("om_in", BOB, "我最讨厌花生")
    other = house.calls.message("om_in2", EVE, "我也是")
    house.calls.told["im/v1/messages/om_0"] = {"items": [bundle, inner, other]}
    await house.says("", message_type="merge_forward", content={"content": "Merged"})

    assert house.received[0].quoted == "小波：我最讨厌花生\nou…eveeve：我也是"
    assert "花生" not in house.received[0].text


@pytest.mark.parametrize(
    ("text", "age", "addressed"),
    [("你好", 119, True), ("你好", 121, False), ("/memory list", 121, None)],
)
async def test_what_was_said_long_ago_is_remembered_and_not_answered(
    tmp_path: Path, text: str, age: int, *, addressed: bool | None
) -> None:
    house = ProgramRun(tmp_path)
    await house.says(text, at=NOW - timedelta(minutes=age))

    assert [each.addressed for each in house.received] == (
        [] if addressed is None else [addressed]
    )


async def test_what_cannot_be_kept_is_said_so(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.full = True
    with pytest.raises(StoreUnwritable):
        await house.says("你好")


async def test_the_code_makes_its_sender_the_owner_and_is_kept_nowhere(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path, owners="", pairing=True)
    code = house.pairing.code
    await house.says(f"@_user_1 {code}", group=True)
    await house.says(code, sender=EVE, at=NOW - timedelta(hours=3))
    await house.says(code.lower())

    assert {each.id for each in IDENTITIES.paired_owner(tmp_path, "lark")} == {ANN}
    assert house.access.owners("lark") == {ANN}
    assert code not in [each.text for each in house.received[2:]]
    assert "主人" in house.shown[0][1]


def press(value: object, *, sender: str = ANN, chat: str = "oc_1") -> dict[str, Any]:
    return {
        "operator": {"open_id": sender},
        "action": {"value": value},
        "context": {"open_message_id": "om_card", "open_chat_id": chat},
    }


async def test_a_press_is_the_command_said_where_the_card_is(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.calls.told["im/v1/chats/oc_1"] = {"chat_mode": "group"}
    house.calls.message("om_card", APP, "x", thread_id="omt_1")
    data = house.seal.sign("/memory list", "oc_1", NOW)
    assert data is not None
    answer = await house.take("card.action.trigger", press(button_value(data)))
    again = await house.take("card.action.trigger", press(button_value(data)))
    (first, second) = house.received

    assert answer["toast"]["type"] == "info"
    assert answer["toast"]["i18n"]["en_us"] == "Got it"
    assert first.text == "/memory list"
    assert not first.private
    assert str(first.conversation) == "lark/cli_1/oc_1/omt_1"
    assert first.dedupe_key == second.dedupe_key
    assert again == answer


async def test_a_forged_foreign_or_old_button_does_nothing(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.directory.record_chat_kind("oc_1", private=False)
    data = house.seal.sign("/forget all", "oc_1", NOW) or ""
    old = house.seal.sign("/forget all", "oc_1", NOW - timedelta(hours=25)) or ""
    presses = [
        press(button_value(data), chat="oc_2"),
        press(button_value(data[:-1] + "x")),
        press(button_value(old)),
        press(button_value(data), sender=EVE, chat="oc_p"),
        press({"command": 5}),
        press("x"),
        press(None),
    ]
    kinds = [(await house.take("card.action.trigger", each))["toast"]["type"] for each in presses]

    assert set(kinds) == {"warning"}
    assert not house.received


async def test_a_press_in_a_chat_nobody_tells_about_is_asked_for_again(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    data = house.seal.sign("/help", "oc_1", NOW) or ""
    answer = await house.take("card.action.trigger", press(button_value(data)))

    assert answer["toast"]["type"] == "warning"
    assert not house.received


async def test_a_group_is_greeted_once_and_told_how_to_be_allowed(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    moved = {"chat_id": "oc_9", "operator_id": {"open_id": ANN}}
    for at in (NOW, NOW, NOW - GREETING_WINDOW - timedelta(seconds=1)):
        await house.handler.handle(
            {
                "header": {
                    "event_id": "e",
                    "event_type": "im.chat.member.bot.added_v1",
                    "create_time": str(int(at.timestamp() * 1000)),
                },
                "event": moved,
            }
        )
    await house.tasks.stop(1)
    ((where, words, reply_to),) = house.shown

    assert where == "lark/cli_1/oc_9/"
    assert "我是小祥" in words
    assert "lark:oc_9" in words
    assert reply_to == ""


async def test_a_stranger_who_adds_her_is_not_greeted(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    moved = {"chat_id": "oc_9", "operator_id": {"open_id": EVE}}
    await house.take("im.chat.member.bot.added_v1", moved)

    assert not house.shown


async def test_whoever_opens_the_chat_is_told_what_she_can_do(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    kind = "im.chat.access_event.bot_p2p_chat_entered_v1"
    opened = {"chat_id": "oc_p", "operator_id": {"open_id": ANN}}
    await house.take(kind, opened)
    await house.take(kind, opened)

    assert [each.text for each in house.received] == ["/help", "/help"]
    assert len({each.dedupe_key for each in house.received}) == 1
    assert house.received[0].private


async def test_a_stranger_who_only_opens_the_chat_has_asked_for_nothing(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    opened = {"chat_id": "oc_p", "operator_id": {"open_id": "ou_stranger"}}
    await house.take("im.chat.access_event.bot_p2p_chat_entered_v1", opened)

    assert house.received == []


async def test_a_group_of_people_nobody_tells_about_is_listed_once(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.calls.member("oc_1")
    for number in range(5):
        await house.says("早", sender=f"ou_person{number}", group=True)

    assert house.calls.asked.count("im/v1/chats/oc_1/members") == 1


async def test_what_is_known_of_a_group_she_left_is_let_go(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.calls.told["im/v1/chats/oc_1"] = {"chat_mode": "group", "owner_id": ANN}
    before = await house.directory.fetch_admins("oc_1")
    house.calls.told["im/v1/chats/oc_1"] = {
        "chat_mode": "group",
        "owner_id": BOB,
        "user_manager_id_list": [EVE],
    }
    kept = await house.directory.fetch_admins("oc_1")
    moved = {"chat_id": "oc_1", "operator_id": {"open_id": ANN}}
    await house.take("im.chat.member.bot.deleted_v1", moved)

    assert before == kept == {ANN}
    assert await house.directory.fetch_admins("oc_1") == {BOB, EVE}


async def test_messages_are_taken_in_the_order_they_came(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    await asyncio.gather(*(house.says(f"第{number}句") for number in range(20)))

    assert [each.text for each in house.received] == [f"第{number}句" for number in range(20)]


@pytest.mark.parametrize(
    ("text", "sender", "is_admin"),
    [
        ("/memory pin #1", BOB, True),
        ("/memory pin #1", EVE, True),
        ("/memory pin #1", "ou_member", False),
        ("/memory list", BOB, False),
        ("大家好", BOB, False),
    ],
)
async def test_the_owner_and_the_admins_of_a_group_are_known_when_it_matters(
    tmp_path: Path, text: str, sender: str, *, is_admin: bool
) -> None:
    house = ProgramRun(tmp_path)
    house.calls.told["im/v1/chats/oc_1"] = {"owner_id": BOB, "user_manager_id_list": [EVE]}
    for _ in range(2):
        await house.says(text, sender=sender, group=True)
    asked = house.calls.asked.count("im/v1/chats/oc_1")

    assert {each.sender_is_admin for each in house.received} == {is_admin}
    assert asked == (1 if "pin" in text else 0)


async def test_where_nobody_tells_who_leads_nobody_does(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    await house.says("/memory pin #1", sender=BOB, group=True)

    assert not house.received[0].sender_is_admin


async def test_a_press_by_who_may_not_does_not_use_the_button_up(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    house.directory.record_chat_kind("oc_1", private=False)
    house.calls.told["im/v1/chats/oc_1"] = {"owner_id": BOB}
    data = house.seal.sign("/forget #1 confirm", "oc_1", NOW) or ""
    for sender in ("ou_member", BOB):
        await house.take("card.action.trigger", press(button_value(data), sender=sender))
    tried, given = house.received

    assert tried.dedupe_key != given.dedupe_key
    assert (tried.sender_is_admin, given.sender_is_admin) == (False, True)


async def test_a_bundle_comes_with_a_bare_sentence_and_is_read(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    bundle = house.calls.message("om_0", ANN, "x", msg_type="merge_forward")
    nested = house.calls.message("om_in", BOB, "x", msg_type="merge_forward")
    inner = house.calls.message("om_in2", EVE, "我最讨厌花生")
    bundle["body"]["content"] = nested["body"]["content"] = "Merged and Forwarded Message"
    house.calls.told["im/v1/messages/om_0"] = {"items": [bundle, nested, inner]}
    await house.says("", message_type="merge_forward", raw_content="Merged and Forwarded Message")

    assert "转发" in house.received[0].text
    assert house.received[0].quoted.endswith("ou…eveeve：我最讨厌花生")


@pytest.mark.parametrize(
    "broken",
    [
        {"raw_content": "a bare sentence"},
        {"raw_content": '{"text": '},
        {"content": {"txt": "x"}},
        {"create_time": "x"},
        {"create_time": "9" * 30},
        {"message_type": "post", "content": {"content": [5]}},
        {"mentions": [5]},
    ],
    ids=["bare", "torn", "no text", "no time", "no such time", "rows", "mentions"],
)
@pytest.mark.parametrize("group", [True, False])
async def test_what_cannot_be_read_is_kept_as_it_came(
    tmp_path: Path, broken: dict[str, Any], caplog: pytest.LogCaptureFixture, *, group: bool
) -> None:
    house = ProgramRun(tmp_path)
    await house.says("", group=group, message_id="om_broken", **broken)
    (kept,) = house.received

    assert not kept.is_readable
    assert (kept.dedupe_key, kept.sender.id) == ("om_broken", ANN)
    assert kept.addressed is not group
    assert kept.text == ""
    assert "om_broken" in str(kept.raw[UNREADABLE])
    assert "om_broken" in caplog.text


async def test_what_cannot_be_read_and_is_nobodys_is_named_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house = ProgramRun(tmp_path)
    with pytest.raises(KeyError):
        await house.take("im.message.receive_v1", {"message": {"message_id": "om_x\nom_y"}})

    assert "lark event om_x?om_y failed: KeyError" in caplog.text
    assert not house.received


async def test_a_reply_reaches_into_a_bundle_and_looks_at_a_picture(tmp_path: Path) -> None:
    house = ProgramRun(tmp_path)
    bundle = house.calls.message("om_0", ANN, "x", msg_type="merge_forward")
    bundle["body"]["content"] = "Merged and Forwarded Message"
    inner = house.calls.message("om_in", BOB, "我最讨厌花生")
    house.calls.told["im/v1/messages/om_0"] = {"items": [bundle, inner]}
    picture = house.calls.message("om_p", ANN, "x", msg_type="image")
    picture["body"]["content"] = json.dumps({"image_key": "img_1"})
    await house.says("他说了什么", parent_id="om_0")
    await house.says("这是什么", parent_id="om_p")
    first, second = house.received

    assert "我最讨厌花生" in first.quoted
    assert second.raw.pop(QUOTED_OF)
    assert second.raw == {PHOTO: "img_1", CAPTION: "这是什么", FILE_MESSAGE: "om_p"}
