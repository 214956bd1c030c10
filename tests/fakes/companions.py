"""Companions and chats as other programs write them: 47 that are brought, 70 that are refused.

Each is written by the public schema of its format or by what its exporter is seen to write, and
holds the traps that real files hold: two cards in one picture, answers that were swiped away,
voices, pictures, deleted messages, nicknames that changed, dates in a message.
"""

import json
import zlib
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from bot.conversation.cards import LARGEST_CARD, PNG_SIGNATURE
from bot.texts.bring import BringFlaw as Flaw

NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
ZONE: Final = ZoneInfo("Asia/Shanghai")
Dates: TypeAlias = Literal["", "dmy", "mdy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignCard:
    """A card or a world book, and what it has to become.

    ``says`` has to stand in the persona and ``omits`` must not; ``book`` are the entries that are
    kept, as they are kept, and ``skipped`` those that are not.
    """

    title: str
    data: bytes
    name: str = "Aki"
    kind: str = "card"
    says: tuple[str, ...] = ()
    omits: tuple[str, ...] = ()
    book: tuple[str, ...] = ()
    skipped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignTalk:
    """A chat, and the lines it has to become: local time, speaker, words.

    ``mine`` are the speakers whose lines are the partner's; ``me`` is said where the file does not
    tell, and ``dates`` where nobody can tell day from month.
    """

    title: str
    data: bytes
    lines: tuple[tuple[str, str, str], ...]
    mine: frozenset[str] = frozenset({"user"})
    me: str = ""
    dates: Dates = ""


def a_card(version: int = 2, **data: Any) -> bytes:
    """Return a card as JSON."""
    body = {"name": "Aki", "description": "{{char}} likes {{user}}.", **data}
    return json.dumps({"spec": f"chara_card_v{version}", "data": body}).encode()


def chunk(kind: bytes, body: bytes, crc: int | None = None) -> bytes:
    sum_ = zlib.crc32(kind + body) if crc is None else crc
    return len(body).to_bytes(4, "big") + kind + body + sum_.to_bytes(4, "big")


def png(*chunks: bytes) -> bytes:
    return PNG_SIGNATURE + b"".join(chunks) + chunk(b"IEND", b"")


def text_chunk(key: bytes, card: bytes) -> bytes:
    return chunk(b"tEXt", key + b"\0" + b64encode(card))


def jsonl(*lines: Any) -> bytes:
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()


def tavern(date: Any, **more: Any) -> dict[str, Any]:
    """Return a line of SillyTavern's."""
    return {"name": "Aki", "is_user": False, "send_date": date, "mes": "hi", **more}


def node(
    parent: str | None, role: str, parts: Any, at: float | None = 1704276309, **more: Any
) -> dict[str, Any]:
    """Return a node of ChatGPT's tree; ``parts`` may be one text."""
    listed = [parts] if isinstance(parts, str) else parts
    content = {"content_type": "text", "parts": listed}
    message = {"author": {"role": role}, "create_time": at, "content": content, **more}
    return {"parent": parent, "message": message}


def gpt(mapping: dict[str, Any], at: str) -> bytes:
    return json.dumps([{"create_time": 1.7e9, "mapping": mapping, "current_node": at}]).encode()


BOOK: Final = {
    "entries": [
        {"keys": ["tea", "茶"], "content": "@@depth 4\nAki grows tea.", "enabled": True},
        {"keys": ["old"], "content": "off", "enabled": False},
        {"keys": [], "content": "   "},
    ]
}

_RISU_PICTURE: Final = chunk(b"tEXt", b"chara-ext-asset_:0\0" + b64encode(b"\x89PNG" * 50_000))
_OLD: Final = text_chunk(b"chara", a_card(2, name="Old"))

CARDS: Final = (
    ForeignCard(
        title="V2, JSON, with the fields of V1 beside it",
        data=json.dumps(
            {
                "name": "Old",
                "description": "of V1",
                "spec": "chara_card_v2",
                "spec_version": "2.0",
                "data": {
                    "name": "Aki",
                    "description": "{{char}} grows tea for {{user}}.",
                    "personality": "calm",
                    "scenario": "a hill",
                    "first_mes": "Hi <USER>!",
                    "mes_example": "<START>\n{{user}}: tea?\n{{CHAR}}: yes",
                    "system_prompt": "{{original}}Be brief.",
                    "alternate_greetings": ["Bye"],
                    "creator_notes": "for the site",
                    "extensions": {"risuai": {"script": "run()"}},
                    "character_book": BOOK,
                },
            }
        ).encode(),
        says=("You are Aki.", "Aki grows tea for your partner.", "calm", "a hill", "Be brief."),
        omits=("of V1", "{{", "Bye", "for the site", "run()"),
        book=("tea / 茶: Aki grows tea.",),
        skipped=2,
    ),
    ForeignCard(
        title="V3, JSON, with a nickname and orders to programs",
        data=a_card(
            3,
            nickname="小秋",
            group_only_greetings=[],
            creation_date=1704276309,
            character_book={
                "entries": [
                    {
                        "keys": ["hill"],
                        "content": "@@depth 4\n@@@position x\n{{char}} lives there.\n@@ is "
                        "her sign.",
                        "enabled": True,
                        "use_regex": False,
                    }
                ]
            },
        ),
        says=("小秋 likes your partner.",),
        book=("hill: 小秋 lives there. @@ is her sign.",),
    ),
    ForeignCard(title="V2, PNG", data=png(text_chunk(b"chara", a_card()))),
    ForeignCard(title="V3 before V2 in one PNG", data=png(text_chunk(b"ccv3", a_card(3)), _OLD)),
    ForeignCard(title="V2 before V3 in one PNG", data=png(_OLD, text_chunk(b"ccv3", a_card(3)))),
    ForeignCard(
        title="RisuAI's PNG with pictures in chunks of text",
        data=png(_RISU_PICTURE, text_chunk(b"ccv3", a_card(3)), _RISU_PICTURE),
    ),
    ForeignCard(
        title="a packed chunk",
        data=png(chunk(b"zTXt", b"chara\0\0" + zlib.compress(b64encode(a_card())))),
    ),
    ForeignCard(
        title="a packed chunk with a language",
        data=png(chunk(b"iTXt", b"ccv3\0\1\0en\0\0" + zlib.compress(b64encode(a_card(3))))),
    ),
    ForeignCard(
        title="another program's chunk first",
        data=png(chunk(b"tEXt", b"Software\0x"), text_chunk(b"chara", a_card())),
    ),
    ForeignCard(title="JSON in UTF-16", data=a_card().decode().encode("utf-16")),
    ForeignCard(
        title="JSON with a mark, a bell and lines of Windows",
        data=b"\xef\xbb\xbf" + a_card(name=" Aki\u200b ", description="one\r\ntwo\x07"),
        says=("one\ntwo",),
        omits=("\r", "\x07"),
    ),
    ForeignCard(
        title="notes and choices for programs",
        data=a_card(description="{{// for me}}<BOT> has {{random:tea,milk}}.{{comment: x}}"),
        says=("Aki has tea.",),
        omits=("for me", "milk", "{{", "comment"),
    ),
    ForeignCard(
        title="a secret in the world book",
        data=a_card(
            character_book={
                "entries": [
                    {
                        "keys": ["wifi"],
                        "content": "The password is hunter2hunter2",
                        "enabled": True,
                    },
                    {"keys": ["tea"], "content": "Green tea.", "enabled": True},
                ]
            }
        ),
        book=("tea: Green tea.",),
    ),
    ForeignCard(
        title="a world book of SillyTavern",
        kind="lorebook",
        name="world book",
        data=json.dumps(
            {
                "entries": {
                    "0": {"uid": 0, "key": ["tea"], "keysecondary": [], "content": "T"},
                    "1": {"uid": 1, "key": [], "constant": True, "content": "always"},
                    "2": {"uid": 2, "key": ["x"], "content": "off", "disable": True},
                }
            }
        ).encode(),
        book=("tea: T", "always"),
        skipped=1,
    ),
    ForeignCard(
        title="a world book of V3",
        kind="lorebook",
        name="Hills",
        data=json.dumps(
            {
                "spec": "lorebook_v3",
                "data": {
                    "name": "Hills",
                    "entries": [
                        {"keys": ["/hi+ll/i", "/(tea|红茶)/i"], "content": "H", "use_regex": True},
                        {"keys": ["/hi+ll/i"], "content": "Hills.", "use_regex": True},
                    ],
                },
            }
        ).encode(),
        book=("tea / 红茶: H", "Hills."),
    ),
)

_HEAD: Final = {
    "user_name": "雨",
    "character_name": "Aki",
    "create_date": "x",
    "chat_metadata": {},
}
_SWIPED: Final = {"swipes": ["no", "yes"], "swipe_id": 1, "swipe_info": [{}, {}]}

TAVERN_CHATS: Final = (
    ForeignTalk(
        title="SillyTavern, dates in words, an answer swiped away",
        data=jsonl(
            _HEAD,
            tavern("January 3, 2024 6:05pm", name="雨", is_user=True, mes="tea?"),
            tavern("January 3, 2024 6:06pm", mes="yes", **_SWIPED),
        ),
        lines=(("240103 18:05", "雨", "tea?"), ("240103 18:06", "Aki", "yes")),
        mine=frozenset({"雨"}),
    ),
    ForeignTalk(
        title="SillyTavern, dates of files, a hidden line",
        data=jsonl(
            _HEAD,
            tavern("2024-1-3 @18h 5m 9s 123ms"),
            tavern("2024-1-3@18h07m09s123ms", mes="yo"),
            tavern("2024-01-03@18h06m09s", is_system=True, mes="hidden"),
        ),
        lines=(("240103 18:05", "Aki", "hi"), ("240103 18:07", "Aki", "yo")),
    ),
    ForeignTalk(
        title="SillyTavern today: ISO dates, reasoning beside the answer",
        data=jsonl(
            {"chat_metadata": {"integrity": "x"}, "user_name": "unused"},
            tavern("2024-01-03T10:05:09.000Z", extra={"reasoning": "hm"}),
            tavern("2024-01-03T18:06:09+08:00", mes="hm"),
        ),
        lines=(("240103 18:05", "Aki", "hi"), ("240103 18:06", "Aki", "hm")),
    ),
    ForeignTalk(
        title="SillyTavern, a group, milliseconds",
        data=jsonl(
            _HEAD,
            tavern(1704276309000, force_avatar="a.png", is_group=True),
            tavern("1704276369", name="Bo", mes="ho"),
            tavern(1704276429000, name="雨", is_user=True, mes="all here"),
        ),
        lines=(
            ("240103 18:05", "Aki", "hi"),
            ("240103 18:06", "Bo", "ho"),
            ("240103 18:07", "雨", "all here"),
        ),
        mine=frozenset({"雨"}),
    ),
    ForeignTalk(
        title="SillyTavern, one line without a head",
        data=jsonl(tavern(1704276309000)),
        lines=(("240103 18:05", "Aki", "hi"),),
    ),
    ForeignTalk(
        title="SillyTavern, lines of Windows, one of them empty",
        data=b"\r\n\r\n".join(jsonl(each) for each in (_HEAD, tavern(1704276309000))) + b"\r\n",
        lines=(("240103 18:05", "Aki", "hi"),),
    ),
)

_SPOKEN: Final = [
    {"content_type": "audio_transcription", "direction": "in", "text": "I have a cat"},
    {"content_type": "real_time_user_audio_video_asset_pointer", "frames": []},
]
_ANSWERED: Final = "Cats sleep a lot.\ue200cite\ue202turn0search1\ue201"


def _of_type(content_type: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return a node with its content's type changed."""
    given["message"]["content"]["content_type"] = content_type
    return given


ASSISTANT_CHATS: Final = (
    ForeignTalk(
        title="ChatGPT, the branch last shown",
        data=gpt(
            {
                "root": {"parent": None, "message": None},
                "s": node("root", "system", "be nice"),
                "u": node("s", "user", "question"),
                "dropped": node("u", "assistant", "first answer"),
                "kept": node("u", "assistant", "second answer", None),
            },
            "kept",
        ),
        lines=(
            ("240103 18:05", "user", "question"),
            ("240103 18:05", "ChatGPT", "second answer"),
        ),
    ),
    ForeignTalk(
        title="ChatGPT, spoken",
        data=gpt(
            {
                "u": _of_type("multimodal_text", node(None, "user", _SPOKEN)),
                "a": node("u", "assistant", _ANSWERED),
            },
            "a",
        ),
        lines=(
            ("240103 18:05", "user", "I have a cat"),
            ("240103 18:05", "ChatGPT", "Cats sleep a lot."),
        ),
    ),
    ForeignTalk(
        title="ChatGPT, tools, thoughts and what is hidden",
        data=gpt(
            {
                "p": _of_type("user_editable_context", node(None, "user", "about me")),
                "u": node("p", "user", "rain?"),
                "t": _of_type("thoughts", node("u", "assistant", [])),
                "c": node("t", "assistant", "search(rain)", recipient="web"),
                "r": node("c", "tool", "wet"),
                "h": node(
                    "r", "user", "h", metadata={"is_visually_hidden_from_conversation": True}
                ),
                "a": node("h", "assistant", "Yes."),
            },
            "a",
        ),
        lines=(("240103 18:05", "user", "rain?"), ("240103 18:05", "ChatGPT", "Yes.")),
    ),
    ForeignTalk(
        title="ChatGPT, two talks, the newer one first, and an empty one",
        data=json.dumps(
            [
                {"mapping": {"a": node(None, "user", "two", 1704362709)}, "current_node": "a"},
                {"mapping": {"a": node(None, "user", "one")}, "current_node": "a"},
                {"mapping": {}, "current_node": None},
            ]
        ).encode(),
        lines=(("240103 18:05", "user", "one"), ("240104 18:05", "user", "two")),
    ),
    ForeignTalk(
        title="Claude, as it was: text alone",
        data=json.dumps(
            [
                {
                    "uuid": "1",
                    "chat_messages": [
                        {"sender": "human", "text": "a", "created_at": "2024-01-03T10:05:09Z"},
                        {"sender": "assistant", "text": "b", "created_at": "2024-01-03T10:05:10Z"},
                    ],
                }
            ]
        ).encode(),
        lines=(("240103 18:05", "user", "a"), ("240103 18:05", "Claude", "b")),
    ),
    ForeignTalk(
        title="Claude, blocks, thinking and notices of what is no text",
        data=json.dumps(
            [
                {
                    "chat_messages": [
                        {
                            "sender": "assistant",
                            "created_at": "2024-01-03T10:05:09.123456Z",
                            "text": "```\nThis block is not supported on your current device yet."
                            "\n```\n\nDone.",
                            "content": [
                                {"type": "thinking", "thinking": "hm"},
                                {"type": "tool_use", "name": "search"},
                                {"type": "tool_result", "content": []},
                                {"type": "text", "text": "Done.", "citations": []},
                            ],
                        }
                    ]
                }
            ]
        ).encode(),
        lines=(("240103 18:05", "Claude", "Done."),),
    ),
    ForeignTalk(
        title="Claude, a talk without messages, a file without words",
        data=json.dumps(
            [
                {"chat_messages": []},
                {
                    "chat_messages": [
                        {
                            "sender": "human",
                            "text": "",
                            "content": [],
                            "attachments": [{"extracted_content": "a whole book"}],
                            "created_at": "2024-01-03T10:04:09+00:00",
                        },
                        {
                            "sender": "human",
                            "text": "read it",
                            "content": [],
                            "created_at": "2024-01-03T10:05:09+00:00",
                        },
                    ]
                },
            ]
        ).encode(),
        lines=(("240103 18:05", "user", "read it"),),
    ),
)

_SAID: Final = (("240103 18:05", "雨", "hi\nmore: of it"), ("240113 18:06", "Aki", "yo"))


def _whatsapp(
    title: str, text: str, lines: tuple[tuple[str, str, str], ...] = _SAID, dates: Dates = ""
) -> ForeignTalk:
    data = text.encode()
    return ForeignTalk(
        title=f"WhatsApp, {title}",
        data=data,
        lines=lines,
        mine=frozenset({"雨"}),
        me="雨",
        dates=dates,
    )


WHATSAPP_CHATS: Final = (
    _whatsapp(
        "English, iPhone: narrow spaces, marks, pictures",
        "\u200e[1/3/24, 6:04:00\u202fPM] Aki: \u200eMessages are end-to-end encrypted.\n"
        "[1/3/24, 6:05:09\u202fPM] 雨: hi\nmore: of it\n"
        "[1/3/24, 6:05:10\u202fPM] 雨: \u200eimage omitted\n"
        "[1/13/24, 6:06:09\u202fPM] Aki: yo \u200e<This message was edited>\n",
    ),
    _whatsapp(
        "English, Android: a subject with a colon, a deleted line, a caption",
        "1/3/24, 6:04 PM - 雨 changed the subject to “Trip: Rome”\n"
        '1/3/24, 6:04 PM - 雨 changed the subject from "Trip: Rome" to "Trip: Oslo"\n'
        "1/3/24, 6:04 PM - Aki: This message was deleted\n"
        "1/3/24, 6:05 PM - 雨: hi\nmore: of it\n"
        "1/13/24, 6:06 PM - Aki: IMG-20240113-WA0001.jpg (file attached)\nyo\n",
    ),
    _whatsapp(
        "German",
        "03.01.24, 18:05 - 雨: hi\nmore: of it\n03.01.24, 18:05 - 雨: <Medien ausgeschlossen>\n"
        "13.01.24, 18:06 - Aki: yo",
    ),
    _whatsapp(
        "French", "03/01/2024 à 18:05 - 雨: hi\nmore: of it\n13/01/2024 à 18:06 - Aki: yo\n"
    ),
    _whatsapp(
        "Spanish",
        "3/1/24, 6:05\u00a0p.\u00a0m. - 雨: hi\nmore: of it\n"
        "3/1/24, 6:05\u00a0p.\u00a0m. - Aki: <Multimedia omitido>\n"
        "13/1/24, 6:06\u00a0p.\u00a0m. - Aki: yo",
    ),
    _whatsapp(
        "Finnish", "[3.1.2024 klo 18.05.09] 雨: hi\nmore: of it\n[13.1.2024 klo 18.06.09] Aki: yo"
    ),
    _whatsapp(
        "Korean",
        "2024. 1. 3. 오후 6:05 - 雨: hi\nmore: of it\n2024. 1. 13. 오후 6:06 - Aki: yo",
    ),
    _whatsapp(
        "Japanese",
        "[2024/01/03 18:05:09] 雨: hi\nmore: of it\n[2024/01/13 午後6:06:09] Aki: yo",
    ),
    _whatsapp(
        "Chinese",
        "2024/1/3 下午6:05 - 雨: hi\nmore: of it\n2024/1/3 晚上6:05 - 雨: <省略多媒体文件>\n"
        "2024年1月13日 18:06 - Aki: yo",
    ),
    _whatsapp(
        "Arabic",
        "٣\u200f/١\u200f/٢٠٢٤، ٦:٠٥ م - 雨: hi\nmore: of it\n"
        "١٣\u200f/١\u200f/٢٠٢٤، ٦:٠٦ م - Aki: yo",
    ),
    _whatsapp(
        "a day that nobody can tell from the month",
        "03-01-2024 18:05 - 雨: hi\nmore: of it\n04-01-2024 18:06 - ~ Aki: yo",
        (("240103 18:05", "雨", "hi\nmore: of it"), ("240104 18:06", "Aki", "yo")),
        "dmy",
    ),
)

_QQ_HEAD: Final = (
    "================================================================\n消息分组:我的好友\n"
    "================================================================\n消息对象:{}\n"
    "================================================================\n\n"
)


def _text_chat(title: str, text: str, *lines: tuple[str, str, str]) -> ForeignTalk:
    mine = frozenset({"雨"})
    return ForeignTalk(title=title, data=text.encode(), lines=lines, mine=mine, me="雨")


QQ_AND_WECHAT_CHATS: Final = (
    _text_chat(
        "QQ, two people, a plan with dates, a picture",
        "消息记录（此消息记录为文本格式，不支持重新导入）\n\n"
        + _QQ_HEAD.format("Aki")
        + "2024-01-03 "
        "18:05:09 雨\n改到\n2024-01-05 14:00 看牙\n\n2024-01-03 18:05:30 Aki\n[图片]\n\n"
        "2024-01-03 9:06:00 Aki\n早\n\n",
        ("240103 09:06", "Aki", "早"),
        ("240103 18:05", "雨", "改到\n2024-01-05 14:00 看牙"),
    ),
    _text_chat(
        "QQ, a group with titles and a new nickname",
        "2024-01-03 6:05:09 PM 【潜水】雨(12345)\nhi\n\n"
        "2024-01-03 18:06:00 系统消息(10000)\nAki 加入了群\n\n"
        "2024-01-03 18:07:00 Aki<a@qq.com>\nyo\n2024-01-02 10:00:00 他说\n\n"
        "2024-01-03 18:08:00 【活跃】大雨(12345)\n我改名了\n\n2024-01-03 18:09:00 (99999)\n无名\n",
        ("240103 18:05", "雨", "hi"),
        ("240103 18:07", "Aki", "yo\n2024-01-02 10:00:00 他说"),
        ("240103 18:08", "雨", "我改名了"),
        ("240103 18:09", "99999", "无名"),
    ),
    _text_chat(
        "QQ, all chats in one file",
        _QQ_HEAD.format("Aki")
        + "2024-01-03 18:05:09 雨\nhi\n\n"
        + _QQ_HEAD.format("Bo")
        + "2024-01-03 18:06:09 Bo\nho\n",
        ("240103 18:05", "雨", "hi"),
        ("240103 18:06", "Bo", "ho"),
    ),
    _text_chat(
        "WeChat by WeChatMsg, with what the program says",
        "2024-01-03 18:04:00\n以上是打招呼的内容\n\n2024-01-03 18:05:09 雨\nhi\n\n"
        "2024-01-03 18:05:30\n雨 撤回了一条消息\n\n2024-01-03 18:06:09 Aki\n[动画表情]\n\n"
        "2024-01-03 18:07:09 Aki\nyo\n\n",
        ("240103 18:05", "雨", "hi"),
        ("240103 18:07", "Aki", "yo"),
    ),
    _text_chat(
        "WeChat by WechatExporter",
        "Aki - 微信聊天记录\n\n雨 (2024-01-03 18:05:09):hi\nmore\n系统消息：雨撤回了一条消息\n"
        "Aki (2024-01-03 18:06:09):[Photo]\nAki (2024-01-03 18:07:09):yo (2024-01-05 是周五)\n",
        ("240103 18:05", "雨", "hi\nmore"),
        ("240103 18:07", "Aki", "yo (2024-01-05 是周五)"),
    ),
    _text_chat(
        "copied out of WeChat, the name first",
        "雨:\t2024年1月3日 下午6:05\nhi\nAki:\t2024年1月3日 下午6:06\nyo\n",
        ("240103 18:05", "雨", "hi"),
        ("240103 18:06", "Aki", "yo"),
    ),
)

_ENTRY: Final = {"createdAt": "2024-01-03T10:05:09Z", "category": "preference", "keywords": ["x"]}

MEMORY_FILES: Final = (
    ForeignTalk(
        title="memory entries of source 000, by hand and inferred",
        data=json.dumps(
            [
                {"content": "喜欢拉面", "source": {"type": "chat"}, "strength": 80, **_ENTRY},
                {"content": "怕黑", "source": {"type": "manual"}, "confidence": 0.9, **_ENTRY},
            ]
        ).encode(),
        lines=(("240103 18:05", "memory", "喜欢拉面"), ("240103 18:05", "user", "怕黑")),
    ),
    ForeignTalk(
        title="memory base of source 003 in TinyDB, two tables",
        data=json.dumps(
            {
                "_default": {
                    "1": {
                        "content": "怕黑",
                        "metadata": {
                            "timestamp": 1704276309,
                            "category": "fact",
                            "source": "background_ai",
                        },
                    }
                },
                "core": {"7": {"text": "叫雨", "timestamp": 1704276369, "source": "user"}},
            }
        ).encode(),
        lines=(("240103 18:05", "memory", "怕黑"), ("240103 18:06", "user", "叫雨")),
    ),
)

_CSV_OF_OLD: Final = (
    "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,"
    "Remark,NickName,Sender"
)
_CSV_OF_NEW: Final = "消息ID,类型,发送人,时间,内容,备注,昵称,更多信息"

CSV_CHATS: Final = (
    ForeignTalk(
        title="CSV of WeChatMsg, with pictures and what the program says",
        data=(
            f"\ufeff{_CSV_OF_OLD}\r\n"
            "1,1,1,0,1,1704276300,,hi,2024-01-03 18:05:00,,雨,wxid_me\r\n"
            '2,1,1,0,0,1704276360,,"yo, ""雨""\n2024-01-03 18:00:00",2024-01-03 18:06:00,'
            "Aki,Akiko,wxid_a\r\n"
            "3,1,3,0,0,1704276420,,<msg><img/></msg>,2024-01-03 18:07:00,Aki,Akiko,wxid_a\r\n"
            "4,1,10000,0,0,1704276480,,雨撤回了一条消息,2024-01-03 18:08:00,Aki,Akiko,wxid_a\r\n"
            "5,1,1,0,0,1704276540,,bye,2024-01-03 18:09:00,,Akiko,wxid_a\r\n"
            "6,1,1,0,0,1704276600,,later,2024-01-03 18:10:00,,,wxid_a\r\n"
        ).encode(),
        lines=(
            ("240103 18:05", "雨", "hi"),
            ("240103 18:06", "Aki", 'yo, "雨"\n2024-01-03 18:00:00'),
            ("240103 18:09", "Aki", "bye"),
            ("240103 18:10", "Aki", "later"),
        ),
        mine=frozenset({"雨"}),
    ),
    ForeignTalk(
        title="CSV of an old WeChatMsg, whose rows name nobody",
        data=(
            f"{_CSV_OF_OLD}\n"
            "1,1,1,0,1,1704276300,,hi,2024-01-03 18:05:00\n"
            "2,1,1,0,0,1704276360,,yo,2024-01-03 18:06:00\n"
        ).encode(),
        lines=(("240103 18:05", "我", "hi"), ("240103 18:06", "对方", "yo")),
        mine=frozenset({"我"}),
    ),
    ForeignTalk(
        title="CSV of the later WeChatMsg, which says who by name only",
        data=(
            f"\ufeff{_CSV_OF_NEW}\r\n"
            "71,文本,雨,2024-01-03 18:05:00,hi,雨,雨,more\r\n"
            '72,文本,Aki,2024-01-03 18:06:30,"yo, 雨\nmore",Aki,Akiko,more\r\n'
            "73,图片,Aki,2024-01-03 18:07:00,【图片】,Aki,Akiko,more\r\n"
            "74,系统消息,Aki,2024-01-03 18:08:00,雨撤回了一条消息,Aki,Akiko,more\r\n"
        ).encode(),
        lines=(("240103 18:05", "雨", "hi"), ("240103 18:06", "Aki", "yo, 雨\nmore")),
        mine=frozenset({"雨"}),
        me="雨",
    ),
)

TALKS: Final = (
    *TAVERN_CHATS,
    *ASSISTANT_CHATS,
    *WHATSAPP_CHATS,
    *QQ_AND_WECHAT_CHATS,
    *CSV_CHATS,
    *MEMORY_FILES,
)

_LOOP: Final = {"a": node("b", "user", "x"), "b": node("a", "user", "y")}
_BOMB: Final = zlib.compress(b"A" * (LARGEST_CARD + 1))

HOSTILE: Final = [
    (b"", Flaw.EMPTY_FILE),
    (b" \n", Flaw.EMPTY_FILE),
    (b"PK\x03\x04rest", Flaw.PACKED),
    (b"\xff\xfe\x00\xd8", Flaw.ENCODING),
    ("中文".encode("gb18030"), Flaw.ENCODING),
    (b"a\0b", Flaw.ENCODING),
    (b"just words", Flaw.FOREIGN),
    (b"name,words\nann,hi\n", Flaw.FOREIGN),
    (f"{_CSV_OF_OLD}\n".encode(), Flaw.NOBODY),
    (f"{_CSV_OF_OLD}\n1,1,1,0,7,1704276300,,hi\n".encode(), Flaw.BROKEN),
    (f"{_CSV_OF_OLD}\n1,1,1,0,1,soon,,hi\n".encode(), Flaw.DATE),
    (f"{_CSV_OF_OLD}\n1,1,1,0,1,{'9' * 400},,hi\n".encode(), Flaw.DATE),
    (f"{_CSV_OF_OLD}\n1,1,1,0,1,1704276300,,{'a' * 200_000}\n".encode(), Flaw.BROKEN),
    (f"{_CSV_OF_OLD}\n".encode() + b'"' * 2_000_000, Flaw.BROKEN),
    (f"{_CSV_OF_NEW}\n1,文本,Aki,03.01.2024,hi".encode(), Flaw.DATE),
    (f"{_CSV_OF_NEW}\n1,文本,,2024-01-03 18:05:00,hi".encode(), Flaw.NAME),
    (b"[]", Flaw.FOREIGN),
    (b'{"spec": ["x"]}', Flaw.FOREIGN),
    (b"[" * 100_000, Flaw.BROKEN),
    (b'{"a":' * 2_000_001, Flaw.TOO_LARGE),
    (png(), Flaw.FOREIGN),
    (PNG_SIGNATURE + b"\xff\xff\xff\xfftEXt", Flaw.BROKEN),
    (png(chunk(b"tEXt", b"chara\0e30=", crc=1)), Flaw.BROKEN),
    (png(chunk(b"tEXt", b"chara\0***")), Flaw.BROKEN),
    (png(chunk(b"zTXt", b"chara\0\0" + _BOMB)), Flaw.TOO_LARGE),
    (png(chunk(b"zTXt", b"chara\0\0" + _BOMB[:30])), Flaw.BROKEN),
    (a_card(name="A\x1b[31m"), Flaw.NAME),
    (a_card(name=""), Flaw.NAME),
    (a_card(description=5), Flaw.BROKEN),
    (a_card(description="x" * 100_001), Flaw.TOO_LARGE),
    (a_card(character_book={"entries": [1]}), Flaw.BROKEN),
    (jsonl(tavern("never")), Flaw.DATE),
    (jsonl(tavern(4102444800000)), Flaw.DATE),
    (jsonl(tavern("nan")), Flaw.DATE),
    (jsonl(tavern(1704276309000, name="a\nb")), Flaw.NAME),
    (jsonl(tavern(1704276309000, is_user=1)), Flaw.BROKEN),
    (jsonl(tavern(1704276309000)) + b"\n{oops", Flaw.BROKEN),
    (gpt(_LOOP, "a"), Flaw.BROKEN),
    (gpt({}, "gone"), Flaw.BROKEN),
    (json.dumps([{"chat_messages": [{"sender": ["x"]}]}]).encode(), Flaw.BROKEN),
    (b"03/01/24, 18:05 - A: hi", Flaw.DAY_OR_MONTH),
    (b"31/02/24, 18:05 - A: hi", Flaw.DATE),
    (b"31/01/24, 18:05 - Somebody left", Flaw.NOBODY),
    (b"a" + b" " * 2_000_000 + b"b", Flaw.FOREIGN),
    (b"\x1f\x8b\x08rest", Flaw.PACKED),
    (b"7z\xbc\xaf\x27\x1c", Flaw.PACKED),
    (b"\xff\xfe" + "{".encode("utf-16-le"), Flaw.BROKEN),
    (a_card()[:-1], Flaw.BROKEN),
    (b"{}", Flaw.FOREIGN),
    (b'{"spec": "chara_card_v9", "data": {"name": "A"}}', Flaw.FOREIGN),
    (b'{"spec": "chara_card_v2"}', Flaw.BROKEN),
    (b'{"spec": "chara_card_v2", "data": []}', Flaw.BROKEN),
    (a_card(name="A" * 1_000), Flaw.NAME),
    (a_card(name="\u202e\u200b"), Flaw.NAME),
    (a_card(name=["Aki"]), Flaw.NAME),
    (a_card(first_mes={"a": "b"}), Flaw.BROKEN),
    (a_card(character_book=[]), Flaw.BROKEN),
    (a_card(character_book={"entries": {}}), Flaw.BROKEN),
    (a_card(character_book={"entries": [{"keys": "tea", "content": "T"}]}), Flaw.BROKEN),
    (a_card(character_book={"entries": [{"keys": [7], "content": "T"}]}), Flaw.BROKEN),
    (
        a_card(character_book={"entries": [{"keys": [], "content": "x" * 100_001}]}),
        Flaw.TOO_LARGE,
    ),
    (a_card(character_book={"entries": [{"keys": []}] * 1_001}), Flaw.TOO_LARGE),
    (PNG_SIGNATURE, Flaw.BROKEN),
    (PNG_SIGNATURE + chunk(b"IHDR", b"") * 10_001, Flaw.BROKEN),
    (png(text_chunk(b"chara", b"[1]")), Flaw.FOREIGN),
    (png(text_chunk(b"ccv3", b"{oops"), text_chunk(b"chara", a_card())), Flaw.BROKEN),
    (png(chunk(b"iTXt", b"ccv3\0\1\0en\0\0" + _BOMB)), Flaw.TOO_LARGE),
    (jsonl({"user_name": "x"}), Flaw.FOREIGN),
    (jsonl(tavern(None)), Flaw.DATE),
    (jsonl(tavern(-1)), Flaw.DATE),
    (jsonl(tavern(1704276309000, mes=["hi"])), Flaw.BROKEN),
    (jsonl(tavern(1704276309000), {"user_name": "again"}), Flaw.BROKEN),
    (json.dumps([{"mapping": [], "current_node": "a"}]).encode(), Flaw.BROKEN),
    (gpt({"a": node("a", "user", "x")}, "a"), Flaw.BROKEN),
    (gpt({"a": node(None, "user", "x", 9e99)}, "a"), Flaw.DATE),
    (json.dumps([{"chat_messages": "none"}]).encode(), Flaw.BROKEN),
    (json.dumps([{"chat_messages": []}]).encode(), Flaw.NOBODY),
    ("2024-13-01 18:05:09 雨\nhi".encode(), Flaw.DATE),
    (b"31/01/24, 25:05 - A: hi", Flaw.DATE),
]
"""Files that have to be refused, and what is wrong with each."""
