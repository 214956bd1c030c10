"""The content of a Lark message, in words. Pure: its JSON in, text out.

Each kind of message has a JSON form of its own; the conversation only knows text, pictures and
recordings.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final, Literal

from bot.conversation.media import CAPTION, MORE_PHOTOS, PHOTO, VOICE
from bot.texts import Sentence, dialogue, say
from bot.texts import lark as texts
from memory.model import Language

_MENTIONS: Final = re.compile(r"@_user_\d+|@_all")
"""The placeholders of mentions in a text; the names are sent beside it."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_GAPS: Final = re.compile(r"[ \u00a0]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkContent:
    """What a message says. ``files`` is what is needed to download its picture or recording."""

    text: str
    quoted: str = ""
    modality: Literal["text", "image", "audio"] = "text"
    files: Mapping[str, str] = field(default_factory=dict)
    is_bundle: bool = False


_WORDS: Final = re.compile(r"[^\W一-鿿]")
"""A letter of a script that puts gaps between words."""


def _gap(before: str, after: str) -> str:
    """Return what belongs between a link and what stands beside it.

    A link right behind a word is something attached; behind a gap it is part of the sentence.
    """
    if not before or not after or not (before[-1].isalnum() or before[-1] == ")"):
        return ""
    if after.startswith(("http://", "https://")):
        return " "
    if not _WORDS.match(after):
        return ""
    return "\n" if _WORDS.match(before[-1]) else " " if before[-1] == ")" else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkContentReader:
    """Read content; ``names`` are those of the people it mentions, by their placeholders.

    An empty name stands for the bot; its mention is left out of the text.
    """

    language: Language
    names: Mapping[str, str]
    zone: tzinfo = UTC

    def read(self, kind: str, content: str) -> LarkContent | None:
        """Return what a message says; None for a system message.

        Raises KeyError, TypeError or ValueError for broken content.
        """
        # Its content is a bare sentence ("Merged and Forwarded Message"), and no JSON.
        if kind == "merge_forward":
            return LarkContent(text=self._sentence(dialogue.FORWARDED), is_bundle=True)
        document = json.loads(content)
        match kind:
            case "text":
                return LarkContent(text=self._with_names(str(document["text"])))
            case "post":
                return self._rich_text(document)
            case "system":
                return None
            case _:
                return self._attachment(kind, document)

    def _attachment(self, kind: str, document: dict[str, Any]) -> LarkContent:
        """Return the content of a message that is no text."""
        match kind:
            case "image":
                return self._with_picture("", str(document["image_key"]))
            case "audio":
                files = {VOICE: str(document["file_key"]), CAPTION: ""}
                return LarkContent(
                    text=self._sentence(dialogue.UNHEARD_VOICE), modality="audio", files=files
                )
            case "interactive":
                quoted = "\n".join(_card_texts(document))
                return LarkContent(text=self._sentence(texts.CARD), quoted=quoted)
            case "todo" | "vote" | "calendar" | "general_calendar" | "share_calendar_event":
                return LarkContent(text=self._planned(kind, document))
            case _:
                return LarkContent(text=self._attachment_label(kind, document))

    def _attachment_label(self, kind: str, document: dict[str, Any]) -> str:
        match kind:
            case "sticker":
                return self._sentence(texts.STICKER)
            case "file" | "folder" | "media":
                return self._sentence(texts.FILE, name=str(document.get("file_name") or "…"))
            case "location":
                return self._sentence(texts.PLACE, name=str(document.get("name") or "…"))
            case "share_user":
                return self._sentence(texts.PERSON_CARD)
            case "share_chat":
                return self._sentence(texts.CHAT_CARD)
            case _:
                return self._sentence(dialogue.UNKNOWN_ATTACHMENT)

    def _planned(self, kind: str, document: dict[str, Any]) -> str:
        """Return a task, a vote or an appointment, with its times as the partner reads them."""
        if kind == "vote":
            options = "；".join(map(str, document.get("options") or ()))
            topic = str(document.get("topic") or "…")
            return self._sentence(texts.VOTE, topic=topic, options=options)
        if kind == "todo":
            summary = self._rich_text(dict(document.get("summary") or {})).text
            due = self._instant_text(document.get("due_time"))
            return self._sentence(texts.TASK, summary=" ".join(summary.split()) or "…", due=due)
        return self._sentence(
            texts.APPOINTMENT,
            summary=str(document.get("summary") or "…"),
            start=self._instant_text(document.get("start_time")),
            end=self._instant_text(document.get("end_time")),
        )

    def _instant_text(self, milliseconds: object) -> str:
        """Return an instant that Lark gives in milliseconds, as a clock here shows it."""
        try:
            since = timedelta(milliseconds=int(str(milliseconds)))
            return f"{(_EPOCH + since).astimezone(self.zone):%Y-%m-%d %H:%M}"
        except (ValueError, OverflowError):
            return "–"

    def _rich_text(self, document: dict[str, Any]) -> LarkContent:
        """Return rich text as lines, links behind their words, code between fences."""
        post = _single_language(document)
        rows = post.get("content") or []
        lines = [self._row(row) for row in rows]
        text = "\n".join((str(post.get("title") or ""), *lines)).strip()
        pictures = picture_keys("post", document)
        if not pictures:
            return LarkContent(text=text)
        shown = self._with_picture(text, pictures[0])
        more = ",".join(pictures[1:])
        return replace(shown, files={**shown.files, MORE_PHOTOS: more}) if more else shown

    def _row(self, row: list[dict[str, Any]]) -> str:
        """Return a line of rich text; a link grows into no word beside it."""
        line, was_link = "", False
        for element in row:
            text, is_link = self._element(element), element.get("tag") == "a"
            if is_link or was_link:
                line += _gap(line, text)
            line, was_link = line + text, is_link
        return line

    def _element(self, element: dict[str, Any]) -> str:
        text = str(element.get("text") or "")
        match element.get("tag"):
            case "a":
                href = str(element.get("href") or "")
                return text if text == href else f"{text} ({href})"
            case "at":
                return self._mention(element)
            # Back to Markdown: memory and model know code by its fences.
            case "code_block":
                return f"```{str(element.get('language') or '').lower()}\n{text.rstrip()}\n```"
            case "img" | "media" | "hr":
                return ""
            case "emotion":
                return f"[{element.get('emoji_type', '')}]"
            case _:
                return self._with_names(text)

    def _mention(self, element: dict[str, Any]) -> str:
        place = str(element.get("user_id") or "")
        if place in self.names or place == "@_all":
            return self._with_names(place)
        return f"@{element.get('user_name') or self._sentence(texts.SOMEBODY)}"

    def _with_names(self, text: str) -> str:
        """Return the text with names in place of mentions, the bot's own left out."""
        everybody = f"@{self._sentence(texts.EVERYBODY)}"

        def name(found: re.Match[str]) -> str:
            if found[0] in self.names:
                known = self.names[found[0]]
                return f"@{known}" if known else ""
            return everybody if found[0] == "@_all" else f"@{self._sentence(texts.SOMEBODY)}"

        named = _MENTIONS.sub(name, text)
        # A mention that was left out leaves two spaces; other text keeps the spaces it has.
        return _GAPS.sub(" ", named).strip() if named != text else text

    def _with_picture(self, caption: str, key: str) -> LarkContent:
        text = "\n".join(filter(None, (caption, self._sentence(dialogue.UNSEEN_PICTURE))))
        return LarkContent(text=text, modality="image", files={PHOTO: key, CAPTION: caption})

    def _sentence(self, sentence: Sentence, **values: str) -> str:
        return say(self.language, sentence, **values)


def picture_keys(kind: str, document: dict[str, Any]) -> list[str]:
    """Return the keys of the pictures of a message, in order.

    Raises KeyError, TypeError or AttributeError for broken content.
    """
    match kind:
        case "image":
            return [str(document["image_key"])]
        case "post":
            rows = _single_language(document).get("content") or []
            images = (each for row in rows for each in row if each.get("tag") == "img")
            return [str(each["image_key"]) for each in images]
        case _:
            return []


def _single_language(document: dict[str, Any]) -> dict[str, Any]:
    """Return the post, of one in several languages the first."""
    if "content" in document or "title" in document:
        return document
    found: dict[str, Any] = next((e for e in document.values() if isinstance(e, dict)), {})
    return found


def _card_texts(card: object) -> Iterator[str]:
    """Yield every text on a card but those of buttons, whatever the card's form."""
    match card:
        case {"tag": "button"}:
            return
        case dict():
            for key in ("title", "header", "text", "content", "elements", "body", "columns"):
                yield from _card_texts(card.get(key))
        case list():
            for each in card:
                yield from _card_texts(each)
        case str() if card.strip():
            yield card.strip()
        case _:
            pass
