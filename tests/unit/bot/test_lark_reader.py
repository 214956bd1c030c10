"""Events of Lark as the conversation takes them."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.lark.reader import (
    AddedToGroup,
    LarkButtonPress,
    LarkMessage,
    LarkReader,
    PrivateChatOpened,
    RemovedFromGroup,
)
from bot.conversation.media import CAPTION, MENTIONS, MORE_PHOTOS, PHOTO, VOICE

SHE = "ou_b0700000000000000000000000000000"
ANN = "ou_a0000000000000000000000000000001"
BOB = "ou_a0000000000000000000000000000002"
READER = LarkReader(app_id="cli_1", open_id=SHE, name="小祥", zone=ZoneInfo("Asia/Shanghai"))
SAMPLES = Path(__file__).parents[3].parent / "shared/data/protocol/lark/nonebot_events.json"


def event(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    header = {"event_id": "e1", "event_type": kind, "create_time": "1790000000123", "app_id": "c"}
    return {"schema": "2.0", "header": header, "event": body}


def mention(number: int, person: str, name: str) -> dict[str, Any]:
    return {"key": f"@_user_{number}", "id": {"open_id": person}, "name": name}


def received(
    kind: str = "text", *, by: str = "user", sender: str = ANN, group: bool = True, **more: Any
) -> Any:
    """Read a message; ``content`` is its document."""
    content = more.pop("content", None) or {"text": more.pop("text", "")}
    message = {
        "message_id": "om_1",
        "chat_id": "oc_1",
        "chat_type": "group" if group else "p2p",
        "create_time": "1790000000123",
        "message_type": kind,
        "content": json.dumps(content),
        **more,
    }
    body = {"sender": {"sender_id": {"open_id": sender}, "sender_type": by}, "message": message}
    return READER.read(event("im.message.receive_v1", body))


def said(kind: str = "text", **more: Any) -> LarkMessage:
    spoken = received(kind, **more)
    assert isinstance(spoken, LarkMessage)
    return spoken


def test_a_private_message_is_said_to_her() -> None:
    incoming = said(text="你好", group=False).incoming

    assert incoming.text == "你好"
    assert incoming.private
    assert incoming.addressed
    assert incoming.dedupe_key == "om_1"
    assert str(incoming.conversation) == "lark/cli_1/oc_1/"
    assert incoming.sender.id == ANN
    assert incoming.sender.name == "ou…000001"
    assert incoming.at == datetime(2026, 9, 21, 14, 13, 20, 123000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "mentions", "words", "addressed"),
    [
        pytest.param("大家好", [], "大家好", False, id="to all"),
        pytest.param("小祥，在吗", [], "小祥，在吗", True, id="by name"),
        pytest.param("我昨天和小祥聊过天", [], "我昨天和小祥聊过天", False, id="about her"),
        pytest.param("@_user_1 在吗", [(SHE, "小祥")], "在吗", True, id="mentioned"),
        pytest.param("问问 @_user_1 吧", [(SHE, "小祥")], "问问 吧", True, id="in the middle"),
        pytest.param("@_user_1", [(SHE, "小祥")], "小祥", True, id="nothing but mentioned"),
        pytest.param("@_user_1 在吗", [(BOB, "小波")], "@小波 在吗", False, id="another"),
        pytest.param("@_user_1 看", [(BOB, "小祥")], "@小祥 看", False, id="her namesake"),
        pytest.param("@_all 开会", [], "@所有人 开会", False, id="everybody"),
        pytest.param("@_user_1 /memory list", [(SHE, "x")], "/memory list", True, id="a command"),
        pytest.param("/memory list", [], "/memory list", True, id="a command to nobody"),
        pytest.param(
            "@_user_1 和 @_user_2", [(BOB, "小波"), (SHE, "x")], "@小波 和", True, id="both"
        ),
        pytest.param("写 @_user_7 试试", [], "写 @某人 试试", False, id="an unknown place"),
        pytest.param(
            "two  spaces 👨‍👩‍👧 ok", [], "two  spaces 👨‍👩‍👧 ok", False, id="left as it is"
        ),
    ],
)
def test_in_a_group_she_is_asked_when_somebody_means_her(
    text: str, mentions: list[tuple[str, str]], words: str, *, addressed: bool
) -> None:
    listed = [mention(number, *each) for number, each in enumerate(mentions, 1)]
    incoming = said(text=text, mentions=listed).incoming

    assert incoming.text == words
    assert incoming.addressed is addressed
    assert not incoming.private


def test_ten_people_are_mentioned_by_their_own_names() -> None:
    people = [mention(number, f"ou_{number}", f"甲{number}") for number in range(1, 12)]

    assert said(text="@_user_1 @_user_11", mentions=people).incoming.text == "@甲1 @甲11"


@pytest.mark.parametrize(
    ("by", "sender"),
    [("app", "ou_other"), ("bot", "ou_other"), ("user", SHE), ("", ANN), ("anonymous", ANN)],
)
def test_whatever_a_bot_writes_is_not_read(by: str, sender: str) -> None:
    assert received(text="小祥 你好", by=by, sender=sender) is None


def test_a_thread_is_a_conversation_of_its_own_and_a_plain_reply_is_not() -> None:
    threaded = said(text="嗯", thread_id="omt_1", root_id="om_0", parent_id="om_0")
    replied = said(text="嗯", root_id="om_0", parent_id="om_0")

    assert str(threaded.incoming.conversation) == "lark/cli_1/oc_1/omt_1"
    assert threaded.starts_thread
    assert str(replied.incoming.conversation) == "lark/cli_1/oc_1/"
    assert not replied.starts_thread
    assert replied.parent == replied.incoming.reply_to == "om_0"


def test_rich_text_is_read_with_its_links_names_and_code() -> None:
    rows = [
        [
            {"tag": "at", "user_id": "@_user_1", "user_name": "小祥"},
            {"tag": "text", "text": "看 "},
            {"tag": "a", "text": "这里", "href": "https://example.com/x"},
            {"tag": "a", "text": "https://e.com", "href": "https://e.com"},
            {"tag": "emotion", "emoji_type": "SMILE"},
        ],
        [{"tag": "hr"}],
        [{"tag": "code_block", "language": "PYTHON", "text": "print(1)\n"}],
        [{"tag": "at", "user_id": "@_user_2", "user_name": "小波"}, {"tag": "new", "text": "!"}],
    ]
    mentions = [mention(1, SHE, "小祥"), mention(2, BOB, "小波")]
    incoming = said("post", content={"title": "周报", "content": rows}, mentions=mentions).incoming

    assert incoming.text == (
        "周报\n看 这里 (https://example.com/x) https://e.com[SMILE]\n\n"
        "```python\nprint(1)\n```\n@小波!"
    )
    assert incoming.addressed


@pytest.mark.parametrize(
    ("before", "link", "after", "text"),
    [
        ("Remember that my mother is called Rosa", "link", "", "called Rosa\nlink (http://x.y)"),
        ("my dad is called Tomas", "http://x.y", "", "called Tomas http://x.y"),
        ("我爸叫林建国", "http://x.y", "", "我爸叫林建国 http://x.y"),
        ("", "recipe", "for you", "recipe (http://x.y) for you"),
        # As it was written: with a gap, in brackets, or in Chinese, which has none.
        ("I moved to ", "Leeds", " in May", "I moved to Leeds (http://x.y) in May"),
        ("the recipe (", "here", ")", "the recipe (here (http://x.y))"),
        ("昨天看的", "这篇文章", "很好", "昨天看的这篇文章 (http://x.y)很好"),
    ],
)
def test_a_link_grows_into_no_word_beside_it(
    before: str, link: str, after: str, text: str
) -> None:
    row = [
        {"tag": "text", "text": before},
        {"tag": "a", "text": link, "href": "http://x.y"},
        {"tag": "text", "text": after},
    ]
    assert said("post", content={"title": "", "content": [row]}).incoming.text.endswith(text)


def test_parts_of_a_word_in_other_letters_stay_together() -> None:
    row = [{"tag": "text", "text": "un"}, {"tag": "text", "text": "believable", "style": ["bold"]}]
    assert said("post", content={"content": [row]}).incoming.text == "unbelievable"


def test_rich_text_with_a_picture_keeps_its_words_as_caption() -> None:
    rows = [[{"tag": "text", "text": "我家的猫"}], [{"tag": "img", "image_key": "img_1"}]]
    incoming = said("post", content={"zh_cn": {"title": "", "content": rows}}).incoming

    assert incoming.raw == {PHOTO: "img_1", CAPTION: "我家的猫"}
    assert incoming.text.startswith("我家的猫\n（发来一张图片")
    assert incoming.modality == "image"


@pytest.mark.parametrize(
    ("kind", "content", "text", "raw"),
    [
        ("image", {"image_key": "img_1"}, "图片", {PHOTO: "img_1", CAPTION: ""}),
        ("audio", {"file_key": "f", "duration": 9}, "语音", {VOICE: "f", CAPTION: ""}),
        ("file", {"file_key": "f", "file_name": "账.xlsx"}, "账.xlsx", {}),
        ("media", {"file_key": "f", "file_name": "v.mp4"}, "v.mp4", {}),
        ("sticker", {"file_key": "f"}, "表情", {}),
        ("location", {"name": "外滩", "longitude": "1", "latitude": "2"}, "外滩", {}),
        ("share_chat", {"chat_id": "oc_2"}, "群", {}),
        ("share_user", {"user_id": "ou_2"}, "名片", {}),
        ("hongbao", {"text": "[红包]"}, "打不开", {}),
        ("a kind of tomorrow", {"x": [1]}, "打不开", {}),
    ],
)
def test_what_is_no_text_is_named(
    kind: str, content: dict[str, Any], text: str, raw: dict[str, str]
) -> None:
    incoming = said(kind, content=content).incoming

    assert text in incoming.text
    assert incoming.text.startswith("（")
    assert incoming.raw == raw


def test_a_card_and_what_was_forwarded_are_not_the_senders_own_words() -> None:
    elements = [[{"tag": "text", "text": "我最讨厌花生"}, {"tag": "button", "text": "删除"}]]
    card = said("interactive", content={"title": "通知", "elements": elements})
    bundle = said("merge_forward")

    assert card.incoming.quoted == "通知\n我最讨厌花生"
    assert "花生" not in card.incoming.text
    assert bundle.is_bundle
    assert "转发" in bundle.incoming.text


def test_a_system_notice_is_nobodys_words() -> None:
    assert received("system", content={"template": "{x} joined"}) is None


def test_the_other_events_are_read() -> None:
    moved = {"chat_id": "oc_1", "operator_id": {"open_id": ANN}}
    at = datetime(2026, 9, 21, 14, 13, 20, 123000, tzinfo=UTC)
    press = {
        "operator": {"open_id": ANN},
        "action": {"value": {"a": 1}, "tag": "button"},
        "context": {"open_message_id": "om_1", "open_chat_id": "oc_1"},
    }

    added = READER.read(event("im.chat.member.bot.added_v1", moved))
    assert added == AddedToGroup(chat="oc_1", by=ANN, at=at)
    for kind in ("im.chat.member.bot.deleted_v1", "im.chat.disbanded_v1"):
        assert READER.read(event(kind, moved)) == RemovedFromGroup(chat="oc_1")
    assert READER.read(event("card.action.trigger", press)) == LarkButtonPress(
        value={"a": 1}, chat="oc_1", message="om_1", sender=ANN
    )
    opened = "im.chat.access_event.bot_p2p_chat_entered_v1"
    assert READER.read(event(opened, moved)) == PrivateChatOpened(chat="oc_1", person=ANN, at=at)
    assert READER.read(event(opened, {**moved, "last_message_id": "om_0"})) is None
    for kind in ("im.message.message_read_v1", "im.message.reaction.created_v1", "tomorrow"):
        assert READER.read(event(kind, {})) is None


@pytest.mark.skipif(not SAMPLES.exists(), reason="the recorded events are not here")
def test_events_recorded_from_the_platform_are_read() -> None:
    found = [READER.read(each) for each in json.loads(SAMPLES.read_text(encoding="utf-8"))]

    assert [each.incoming.text for each in found if isinstance(each, LarkMessage)] == [
        "bot /say 12345",
        "@bot /say 34567",
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
KINDS = ["text", "post", "image", "audio", "file", "interactive", "sticker", "media", "system"]


@given(st.sampled_from(KINDS), JSON, JSON)
def test_nonsense_is_refused_with_an_error_that_can_be_counted(
    kind: str, content: object, mentions: object
) -> None:
    message = {
        "message_id": "om_1",
        "chat_id": "oc_1",
        "chat_type": "group",
        "create_time": "1790000000123",
        "message_type": kind,
        "content": json.dumps(content),
        "mentions": mentions,
    }
    body = {"sender": {"sender_id": {"open_id": ANN}, "sender_type": "user"}, "message": message}
    try:
        read = READER.read(event("im.message.receive_v1", body))
    except (KeyError, TypeError, ValueError, AttributeError):
        return
    assert read is None or isinstance(read, LarkMessage)


@pytest.mark.parametrize(
    ("kind", "content", "words"),
    [
        (
            "todo",
            {
                "task_id": "t",
                "summary": {"title": "", "content": [[{"tag": "text", "text": "交报告"}]]},
                "due_time": "1790000000000",
            },
            "交报告，截止 2026-09-21 22:13",
        ),
        ("vote", {"topic": "去哪", "options": ["山", "海"]}, "去哪 选项：山；海"),
        (
            "calendar",
            {"summary": "周会", "start_time": "1790000000000", "end_time": "1790003600000"},
            "周会，2026-09-21 22:13 到 2026-09-21 23:13",
        ),
        ("general_calendar", {"summary": "周会"}, "周会，– 到 –"),
    ],
)
def test_tasks_votes_and_appointments_are_read(
    kind: str, content: dict[str, Any], words: str
) -> None:
    assert words in said(kind, content=content).incoming.text


def test_all_pictures_of_a_post_are_known() -> None:
    rows = [[{"tag": "img", "image_key": key}] for key in ("a", "b", "c")]
    incoming = said("post", content={"title": "看", "content": rows}).incoming

    assert (incoming.raw[PHOTO], incoming.raw[MORE_PHOTOS]) == ("a", "b,c")


def test_a_command_of_another_bot_in_a_group_is_not_for_her() -> None:
    assert not said(text="/weather 北京").incoming.addressed
    assert said(text="/memory list").incoming.addressed
    assert said(text="/weather 北京", group=False).incoming.addressed


def test_whoever_is_mentioned_is_told_with_their_id_and_she_is_not() -> None:
    mentions = [mention(1, SHE, "小祥"), mention(2, BOB, "安")]
    read = said(text="@_user_1 记住@_user_2欠我50块", mentions=mentions)

    assert read.incoming.raw == {MENTIONS: [["@安", "安", f"lark:{BOB}"]]}
