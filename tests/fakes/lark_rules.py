"""What the platform refuses, with its own codes, and how a person reads what it accepts."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

TEXT_BYTES = 150 * 1024
CARD_BYTES = 30 * 1024
UUID_CHARACTERS = 50
UUID_SECONDS = 3600.0
EDITS = 20
PATCH_SECONDS = 14 * 24 * 3600.0
CARD_ELEMENTS = 200
POST_TAGS = frozenset({"text", "a", "at", "md", "img", "media", "emotion", "code_block", "hr"})
LANGUAGES = frozenset({"zh_cn", "en_us", "ja_jp", "zh_hk", "zh_tw"})
EMOJI = frozenset(
    {
        *("OK", "THUMBSUP", "THANKS", "MUSCLE", "FINGERHEART", "APPLAUSE", "FISTBUMP", "JIAYI"),
        *("DONE", "SMILE", "BLUSH", "LAUGH", "LOL", "FACEPALM", "LOVE", "WINK", "THINKING"),
        *("SOB", "CRY", "ERROR", "GLANCE", "WOW", "YEAH", "HUG", "WAVE", "SHHH", "SLEEP"),
        *("EatingFood", "MeMeMe", "Sigh", "Typing", "Lemon", "Get", "LGTM", "OnIt", "OneSecond"),
        *("SALUTE", "SHAKE", "HIGHFIVE", "ThumbsDown", "ROSE", "HEART", "PARTY", "CAKE", "GIFT"),
        *("Coffee", "Yes", "No", "CheckMark", "CrossMark", "MinusOne", "Hundred", "Pin", "Alarm"),
        *("Fire", "Music", "Trophy", "HEARTBROKEN", "StatusReading", "StatusFlashOfInspiration"),
    }
)
"""The kinds of reaction there are; the platform has more."""


class Refused(Exception):
    """The platform answers with this code."""

    def __init__(
        self, code: int, words: str, *, status: int = 400, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(f"{code} {words}")
        self.code = code
        self.words = words
        self.status = status
        self.headers = headers or {}


def wrong(words: str) -> Refused:
    return Refused(230001, f"Your request contains an invalid request parameter. {words}")


def checked_content(kind: str, body: dict[str, Any], size: int) -> str:
    """Return the content of a message whose request has so many bytes; raises :class:`Refused`."""
    content = body.get("content")
    if not isinstance(content, str):
        raise wrong("content must be a JSON string")
    try:
        document = json.loads(content)
    except ValueError as error:
        raise wrong("content is no JSON") from error
    if not isinstance(document, dict):
        raise wrong("content is no object")
    if size > (TEXT_BYTES if kind == "text" else CARD_BYTES):
        raise Refused(230025, "The length of the message content reaches its limit.")
    _check_kind(kind, document)
    return content


def _check_kind(kind: str, document: dict[str, Any]) -> None:
    match kind:
        case "text":
            if not isinstance(document.get("text"), str) or not document["text"].strip():
                raise wrong("text is empty")
        case "post":
            _check_post(document)
        case "interactive":
            if document.get("type") not in {"card", "template"}:
                check_card(document)
        case "image":
            _needs(document, "image_key")
        case "file" | "audio":
            _needs(document, "file_key")
        case _:
            raise wrong(f"msg_type {kind!r}")


def _needs(document: dict[str, Any], key: str) -> None:
    if not isinstance(document.get(key), str) or not document[key]:
        raise wrong(f"{key} is missing")


def _check_post(document: dict[str, Any]) -> None:
    if not document or document.keys() - LANGUAGES:
        raise wrong("a post needs a language")
    for each in document.values():
        rows = each.get("content")
        if not isinstance(rows, list) or not rows or not all(isinstance(r, list) for r in rows):
            raise wrong("a post's content is a list of paragraphs")
        for element in _flat(rows):
            if element.get("tag") not in POST_TAGS:
                raise wrong(f"unknown tag {element.get('tag')!r}")
            if element["tag"] == "md" and not isinstance(element.get("text"), str):
                raise wrong("md without text")


def _flat(rows: list[list[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield from row


def check_card(card: dict[str, Any]) -> None:
    """Check the JSON of a card of either schema."""
    if len(json.dumps(card, ensure_ascii=False).encode("utf-8", "surrogatepass")) > CARD_BYTES:
        raise Refused(230025, "The length of the message content reaches its limit.")
    listed = elements_of(card)
    if listed is None:
        raise _bad_card("ErrCode: 200621; ErrMsg: parse card json err, no elements")
    every = list(walked(listed))
    if len(every) > CARD_ELEMENTS:
        raise _bad_card("ErrCode: 11310; ErrMsg: element exceeds the limit")
    if card.get("schema") == "2.0" and any(each["tag"] == "action" for each in every):
        raise _bad_card("ErrCode: 200861; ErrMsg: cards of schema V2 no longer support action")
    _check_names([each["element_id"] for each in every if "element_id" in each])


def _check_names(names: list[str]) -> None:
    if len(names) != len(set(names)):
        raise _bad_card("ErrCode: 200732; ErrMsg: duplicate element_id")
    for name in names:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,19}", name):
            raise _bad_card(f"ErrCode: 200732; ErrMsg: element_id {name!r} is illegal")


def _bad_card(words: str) -> Refused:
    return Refused(230099, f"Failed to create card content, ext={words}; ")


def elements_of(card: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return a card's own elements, wherever its schema keeps them."""
    body = card.get("body", {}) if card.get("schema") == "2.0" else card
    listed = body.get("elements")
    return listed if isinstance(listed, list) else None


def walked(listed: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every element of a card, the nested ones after their parents."""
    for each in listed:
        if "tag" in each:
            yield each
        for key in ("elements", "columns", "actions", "rows"):
            inner = each.get(key)
            if isinstance(inner, list):
                yield from walked([part for part in inner if isinstance(part, dict)])


def read_post(document: dict[str, Any]) -> str:
    """Return a post as a person reads it."""
    own = document if "content" in document else None
    post = own or document.get("zh_cn") or next(iter(document.values()))
    lines = ["".join(_read_tag(each) for each in row) for row in post["content"]]
    return "\n".join([*([post["title"]] if post.get("title") else []), *lines])


def _read_tag(element: dict[str, Any]) -> str:
    match element["tag"]:
        case "at":
            return f"@{element.get('user_name') or element.get('user_id', '')}"
        case "hr":
            return "---"
        case "img" | "media":
            return "[图片]"
        case "emotion":
            return f"[{element.get('emoji_type', '')}]"
        case "a":
            return str(element.get("text", element.get("href", "")))
        case _:
            return str(element.get("text", ""))


def read_card(card: dict[str, Any]) -> str:
    """Return a card as a person reads it, its buttons in brackets."""
    title = _plain(card.get("header", {}).get("title"))
    lines = [_read_element(each) for each in walked(elements_of(card) or [])]
    return "\n".join(line for line in [title, *lines] if line)


def _read_element(element: dict[str, Any]) -> str:
    tag = element["tag"]
    if tag == "markdown":
        return unescape(str(element.get("content", "")))
    if tag in {"plain_text", "lark_md"}:
        return str(element.get("content", ""))
    if tag == "button":
        return f"[{_plain(element.get('text'))}]"
    if tag == "table":
        names = {each["name"]: each.get("display_name", "") for each in element["columns"]}
        rows = [[str(row.get(name, "")) for name in names] for row in element["rows"]]
        return "\n".join(" ".join(row) for row in [list(names.values()), *rows])
    return {"hr": "---", "img": "[图片]"}.get(tag) or _plain(element.get("text"))


def _plain(value: object) -> str:
    return str(value.get("content", "")) if isinstance(value, dict) else str(value or "")


def buttons_of(card: dict[str, Any]) -> dict[str, Any]:
    """Return what each button of a card carries, by what is written on it."""
    found: dict[str, Any] = {}
    for each in walked(elements_of(card) or []):
        if each.get("tag") != "button" or each.get("disabled"):
            continue
        callbacks = [b for b in each.get("behaviors", []) if b.get("type") == "callback"]
        found[_plain(each.get("text"))] = callbacks[0]["value"] if callbacks else each.get("value")
    return found
