"""What the Bot API refuses: unknown methods and parameters, wrong texts, wrong entities.

The machine-readable schema lies outside the project (``../shared/data``); where it is missing,
calls are checked by the rules written here alone.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).parents[2].parent / "shared/data/protocol/telegram/bot_api_schema.json"
TEXT_LIMIT = 4096
CALLBACK_BYTES = 64
KINDS = frozenset(
    {
        "mention",
        "hashtag",
        "cashtag",
        "bot_command",
        "url",
        "email",
        "phone_number",
        "bold",
        "italic",
        "underline",
        "strikethrough",
        "spoiler",
        "blockquote",
        "expandable_blockquote",
        "code",
        "pre",
        "text_link",
        "text_mention",
        "custom_emoji",
    }
)
PLAIN = frozenset({"String", "Integer or String", "Float", "InputFile or String"})
INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")


class BadRequest(Exception):
    """The server answers 400 with this description."""


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def checked_text(params: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """Return the text as it is shown and its entities; raises :class:`BadRequest`."""
    text = params.get("text") or ""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise BadRequest("strings must be encoded in UTF-8")
    if not "".join(c for c in text if c not in INVISIBLE).strip():
        raise BadRequest("message text is empty")
    if utf16(text) > TEXT_LIMIT:
        raise BadRequest("message is too long")
    if "parse_mode" in params:
        raise BadRequest("can't parse entities: this server wants entities, not markup")
    entities = json.loads(params.get("entities") or "[]")
    for entity in entities:
        _check_entity(text, entity)
    return text.strip(), entities


def _check_entity(text: str, entity: dict[str, Any]) -> None:
    units = text.encode("utf-16-le")
    start, length = entity["offset"], entity["length"]
    if entity["type"] not in KINDS:
        raise BadRequest(f"unsupported entity type {entity['type']}")
    if start < 0 or length <= 0 or 2 * (start + length) > len(units):
        raise BadRequest("ENTITY_BOUNDS_INVALID")
    try:
        covered = units[2 * start : 2 * (start + length)].decode("utf-16-le")
    except UnicodeDecodeError as error:
        raise BadRequest("ENTITY_BOUNDS_INVALID: half a character") from error
    if not covered.strip():
        raise BadRequest("ENTITY_BOUNDS_INVALID: nothing but space")
    if entity["type"] == "text_link" and not entity.get("url", "").startswith(
        ("http://", "https://", "tg://", "mailto:", "tel:")
    ):
        raise BadRequest("ENTITY_URL_INVALID")


def check_keyboard(params: dict[str, Any]) -> None:
    for row in json.loads(params.get("reply_markup") or "{}").get("inline_keyboard", []):
        for button in row:
            if not 0 < len(button["callback_data"].encode()) <= CALLBACK_BYTES:
                raise BadRequest("BUTTON_DATA_INVALID")


@cache
def schema() -> dict[str, dict[str, dict[str, Any]]] | None:
    """Return method → parameter → (type, required), or None where the schema is missing."""
    if not SCHEMA.is_file():
        return None
    document = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return {
        child["name"]: {each["name"]: each for each in child["annotations"]}
        for item in document["items"]
        for child in item["children"]
        if child["name"][0].islower()
    }


def check_call(method: str, params: dict[str, Any]) -> None:
    """Compare a call with the schema; a mistake of the bot's is an AssertionError of the test."""
    known = schema()
    if known is None:
        return
    assert method in known, f"no such method: {method}"
    wanted = known[method]
    unknown = params.keys() - wanted.keys()
    assert not unknown, f"{method} has no parameters {unknown}"
    missing = {n for n, each in wanted.items() if each["required"]} - params.keys()
    assert not missing, f"{method} needs {missing}"
    for name, value in params.items():
        _check_type(f"{method}.{name}", wanted[name]["type"], value)


def _check_type(name: str, kind: str, value: str) -> None:
    if kind == "Integer":
        assert value.lstrip("-").isdigit(), f"{name} is no integer: {value!r}"
    elif kind == "Boolean":
        assert value in {"true", "false"}, f"{name} is no boolean: {value!r}"
    elif kind.startswith("Array"):
        assert isinstance(json.loads(value), list), f"{name} is no array: {value!r}"
    elif kind not in PLAIN:
        assert isinstance(json.loads(value), dict), f"{name} is no object: {value!r}"
