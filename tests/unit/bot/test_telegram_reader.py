"""Updates as the conversation takes them."""

from typing import Any

import pytest
from telegram import Update

from bot.adapters.telegram.api import key_of, message_of
from bot.adapters.telegram.reader import GroupIdChange, TelegramButtonPress, TelegramReader
from bot.conversation.media import CAPTION, HERS, MENTIONS, PHOTO, QUOTED_OF
from bot.conversation.messages import ALBUM, Incoming

READER = TelegramReader(id=4242, username="Xiaoxiang_Bot")
ANN = {"id": 77, "is_bot": False, "first_name": "安"}
SHE = {"id": 4242, "is_bot": True, "first_name": "小祥"}
PRIVATE = {"id": 77, "type": "private"}
GROUP = {"id": -100, "type": "supergroup", "title": "一群人"}


def read(kind: str = "message", **more: Any) -> Any:
    message = {"message_id": 5, "date": 1_790_000_000, "chat": PRIVATE, "from": ANN, **more}
    return READER.read(Update.de_json({"update_id": 9, kind: message}, None))


def heard(**more: Any) -> Incoming:
    incoming = read(**more)
    assert isinstance(incoming, Incoming)
    return incoming


def test_a_private_message_is_said_to_her() -> None:
    incoming = heard(text="你好")

    assert incoming.text == "你好"
    assert incoming.private
    assert incoming.addressed
    assert incoming.dedupe_key == "77:5"
    assert str(incoming.conversation) == "telegram/4242/77/"
    assert incoming.sender.id == "77"


@pytest.mark.parametrize(
    ("more", "addressed"),
    [
        pytest.param({"text": "大家好"}, False, id="to all"),
        pytest.param({"text": "小祥，在吗"}, True, id="by name"),
        pytest.param({"text": "你说呢，小祥？"}, True, id="by name at the end"),
        pytest.param({"text": "Xiaoxiang are you there"}, True, id="by Latin name"),
        pytest.param({"text": "我昨天和小祥聊过天"}, False, id="about her"),
        pytest.param(
            {
                "text": "👨‍👩‍👧‍👦 @xiaoxiang_bot 看",
                "entities": [{"type": "mention", "offset": 12, "length": 14}],
            },
            True,
            id="mentioned after an emoji family",
        ),
        pytest.param(
            {"text": "@other 看", "entities": [{"type": "mention", "offset": 0, "length": 6}]},
            False,
            id="another mentioned",
        ),
        pytest.param(
            {
                "text": "她 看",
                "entities": [{"type": "text_mention", "offset": 0, "length": 1, "user": SHE}],
            },
            True,
            id="mentioned without a user name",
        ),
        pytest.param(
            {
                "text": "对",
                "reply_to_message": {
                    "message_id": 4,
                    "date": 1,
                    "chat": GROUP,
                    "from": SHE,
                    "text": "是吗",
                },
            },
            True,
            id="answered",
        ),
        pytest.param({"text": "/memory list"}, True, id="a command"),
        pytest.param({"text": "/memory@xiaoxiang_bot list"}, True, id="a command for her"),
    ],
)
def test_in_a_group_she_is_asked_only_when_she_is_meant(
    *, more: dict[str, Any], addressed: bool
) -> None:
    assert heard(chat=GROUP, **more).addressed is addressed


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"chat": GROUP, "text": "/memory@other_bot"}, id="for another bot"),
        pytest.param({"new_chat_members": [ANN]}, id="somebody came"),
        pytest.param({"pinned_message": None}, id="nothing"),
        pytest.param({"text": "x", "from": None}, id="from nobody"),
    ],
)
def test_what_is_none_of_her_business_is_nothing(more: dict[str, Any]) -> None:
    assert read(**more) is None


@pytest.mark.parametrize(
    ("more", "text", "modality"),
    [
        pytest.param(
            {
                "photo": [{"file_id": "f", "file_unique_id": "f", "width": 1, "height": 1}],
                "caption": "我的猫",
            },
            "我的猫\n（发来一张图片，我还看不了）",
            "image",
            id="photo",
        ),
        pytest.param(
            {"voice": {"file_id": "f", "file_unique_id": "f", "duration": 3}},
            "（发来一段语音，我还听不了）",
            "audio",
            id="voice",
        ),
        pytest.param(
            {
                "sticker": {
                    "file_id": "f",
                    "file_unique_id": "f",
                    "type": "regular",
                    "width": 1,
                    "height": 1,
                    "is_animated": False,
                    "is_video": False,
                    "emoji": "😀",
                }
            },
            "（发来一个贴纸：😀）",
            "text",
            id="sticker",
        ),
        pytest.param(
            {"location": {"latitude": 1.0, "longitude": 2.0}},
            "（发来一个位置，我打不开地图）",
            "text",
            id="location",
        ),
        pytest.param(
            {"dice": {"emoji": "🎲", "value": 4}},
            "（发来一样我还打不开的东西）",
            "text",
            id="dice",
        ),
        pytest.param(
            {
                "video_note": {
                    "file_id": "f",
                    "file_unique_id": "f",
                    "length": 1,
                    "duration": 3,
                }
            },
            "（发来一段视频，我还看不了）",
            "audio",
            id="video note",
        ),
    ],
)
def test_what_she_cannot_open_is_named(more: dict[str, Any], text: str, modality: str) -> None:
    incoming = heard(**more)

    assert incoming.text == text
    assert incoming.modality == modality


def test_a_forwarded_text_is_not_the_senders_own() -> None:
    origin = {"type": "hidden_user", "date": 1, "sender_user_name": "某人"}

    incoming = heard(text="我叫王五", forward_origin=origin)

    assert incoming.text == "（转发了一段话）"
    assert incoming.quoted == "我叫王五"
    assert incoming.raw == {QUOTED_OF: ["某人", ""]}


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ({"type": "user", "sender_user": {"id": 9, "is_bot": False, "first_name": "李"}}, "李"),
        (
            {"type": "chat", "sender_chat": {"id": -5, "type": "group", "title": "车友群"}},
            "车友群",
        ),
        (
            {
                "type": "channel",
                "message_id": 3,
                "chat": {"id": -6, "type": "channel", "title": "报"},
            },
            "报",
        ),
    ],
)
def test_whose_words_are_forwarded_is_known_by_name_only(
    origin: dict[str, Any], name: str
) -> None:
    assert heard(text="嗯", forward_origin={"date": 1, **origin}).raw == {QUOTED_OF: [name, ""]}


def test_whose_words_are_replied_to_is_known() -> None:
    other = {"id": 78, "is_bot": False, "first_name": "安"}
    for writer, author in ((SHE, [SHE["first_name"], HERS]), (other, ["安", "telegram:78"])):
        before = {
            "message_id": 4,
            "date": 1,
            "chat": PRIVATE,
            "from": writer,
            "text": "你喜欢茶吗",
        }
        assert heard(text="喜欢", reply_to_message=before).raw == {QUOTED_OF: author}
    # Where nothing is shown, nobody said it.
    silent = {"message_id": 4, "date": 1, "chat": PRIVATE, "from": other}
    assert heard(text="喜欢", reply_to_message=silent).raw == {}


def test_an_answer_shows_what_it_answers() -> None:
    before = {"message_id": 4, "date": 1, "chat": PRIVATE, "from": SHE, "text": "你喜欢茶吗"}

    incoming = heard(text="喜欢", reply_to_message=before)

    assert (incoming.text, incoming.quoted, incoming.reply_to) == ("喜欢", "你喜欢茶吗", "77:4")


def test_an_edit_is_what_the_message_says_now_and_asks_nothing() -> None:
    incoming = read("edited_message", text="周四", edit_date=1_790_000_100)

    assert (incoming.text, incoming.edits) == ("周四", "77:5")
    assert not incoming.addressed
    assert incoming.dedupe_key == "77:5:u9"
    assert read("edited_message", text="/forget all", edit_date=1_790_000_100) is None


def reacted(**more: Any) -> Any:
    reaction = {
        "chat": PRIVATE,
        "message_id": 5,
        "user": ANN,
        "date": 1_790_000_000,
        "old_reaction": [],
        "new_reaction": [{"type": "emoji", "emoji": "👍"}],
        **more,
    }
    return READER.read(Update.de_json({"update_id": 9, "message_reaction": reaction}, None))


def test_a_reaction_in_private_is_heard() -> None:
    incoming = reacted()

    assert incoming.text == "（回应了一个 👍）"
    assert not incoming.addressed
    assert reacted(new_reaction=[]) is None
    assert reacted(old_reaction=[{"type": "emoji", "emoji": "👍"}]) is None
    assert reacted(chat=GROUP) is None


def test_a_press_and_a_new_id_are_what_they_are() -> None:
    query = {"id": "1", "from": ANN, "chat_instance": "1", "data": "d"}
    under = {"message_id": 4, "date": 1, "chat": GROUP, "message_thread_id": 7}
    topic = {**under, "is_topic_message": True}
    update = Update.de_json({"update_id": 9, "callback_query": {**query, "message": topic}}, None)

    pressed = READER.read(update)

    assert isinstance(pressed, TelegramButtonPress)
    assert (pressed.chat, pressed.message, pressed.thread) == (-100, 4, 7)
    assert read(chat=GROUP, migrate_from_chat_id=-5) == GroupIdChange(-5, -100)


def test_keys_name_messages() -> None:
    assert message_of(key_of(-100, 7)) == 7
    assert message_of(key_of(-100, 7, "r9")) == 7
    assert message_of("strange") is None


@pytest.mark.parametrize(
    ("more", "addressed"),
    [
        ({"text": "/weather 北京"}, None),
        ({"text": "/weather@xiaoxiang_bot 北京"}, True),
        ({"text": "/memory list"}, True),
        ({"text": "/help"}, True),
        ({"text": "小祥子来了"}, False),
        ({"text": "小祥哥在吗"}, False),
        ({"text": "xiaoxianghua is here"}, False),
        ({"text": "小祥你在吗"}, True),
        ({"text": "小祥，在吗", "forward_origin": {"type": "hidden_user", "date": 1}}, False),
        (
            {
                "text": "小祥，在吗",
                "forward_origin": {"type": "hidden_user", "date": 1, "sender_user_name": "x"},
                "reply_to_message": {"message_id": 4, "date": 1, "chat": GROUP, "from": SHE},
            },
            True,
        ),
    ],
)
def test_what_is_meant_for_others_is_not_for_her(
    more: dict[str, Any], *, addressed: bool | None
) -> None:
    if "forward_origin" in more:
        more["forward_origin"].setdefault("sender_user_name", "某人")
    incoming = read(chat=GROUP, **more)

    assert (incoming and incoming.addressed) is addressed


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            {"contact": {"phone_number": "+861", "first_name": "王", "last_name": "五"}},
            "王 五，+861",
        ),
        (
            {
                "venue": {
                    "title": "咖啡馆",
                    "address": "南京路",
                    "location": {"latitude": 1.0, "longitude": 2.0},
                }
            },
            "咖啡馆，南京路",
        ),
        (
            {"document": {"file_id": "f", "file_unique_id": "u", "file_name": "账单.pdf"}},
            "账单.pdf",
        ),
    ],
    ids=["contact", "venue", "file"],
)
def test_what_an_attachment_says_is_told(more: dict[str, Any], words: str) -> None:
    assert words in heard(**more).text


def test_the_question_and_the_options_of_a_poll_are_told() -> None:
    poll = {
        "id": "1",
        "question": "去哪",
        "options": [{"text": each, "voter_count": 0, "persistent_id": each} for each in "山海"],
        "total_voter_count": 0,
        "is_closed": False,
        "is_anonymous": True,
        "type": "regular",
        "allows_multiple_answers": False,
        "allows_revoting": True,
        "members_only": False,
    }

    assert "去哪 选项：山；海" in heard(poll=poll).text


def test_a_picture_that_is_replied_to_is_looked_at() -> None:
    photo = [{"file_id": each, "file_unique_id": each, "width": 1, "height": 1} for each in "ab"]
    before = {"message_id": 4, "date": 1, "chat": PRIVATE, "from": ANN, "photo": photo}

    assert heard(text="这是什么", reply_to_message=before).raw == {PHOTO: "b", CAPTION: "这是什么"}
    assert heard(text="/why", reply_to_message=before).raw == {}


def test_the_pictures_of_an_album_are_known_to_belong_together() -> None:
    photo = [{"file_id": "a", "file_unique_id": "a", "width": 1, "height": 1}]

    assert heard(photo=photo, media_group_id="9").raw[ALBUM] == "9"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@xiaoxiang_bot 我住在奥斯陆", "我住在奥斯陆"),
        ("what is for dinner, @Xiaoxiang_Bot?", "what is for dinner?"),
        ("@xiaoxiang_bot", "小祥"),
    ],
)
def test_a_mention_of_her_is_no_part_of_what_is_said(text: str, said: str) -> None:
    named = [{"type": "mention", "offset": text.index("@"), "length": 14}]

    assert heard(text=text, chat=GROUP, entities=named).text == said


def test_whoever_is_mentioned_by_name_is_told_with_their_id() -> None:
    named = {"type": "text_mention", "offset": 2, "length": 1, "user": {**ANN, "id": 78}}
    incoming = heard(text="记住安欠我50块", chat=GROUP, entities=[named])

    assert incoming.raw == {MENTIONS: [["安", "安", "telegram:78"]]}
