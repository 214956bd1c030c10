"""Reading chats and memory files that other programs write as JSON, told apart by what is in them.

SillyTavern's JSON Lines, the exports of ChatGPT and Claude, and the entries of two memory
programs. A file is read whole or refused with a place.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from bot.conversation.cards import CannotBring, clean_name, clean_text, json_object
from bot.conversation.recordings import EARLIEST, LATEST, MOST_ENTRIES
from bot.texts.bring import BringFlaw

_MILLISECONDS: Final = 10**11  # a number of seconds above this would lie beyond the year 5000
_LONGEST_DATE: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignLine:
    """One thing that was said; ``mine`` is None where the file does not tell whose it is."""

    at: datetime
    name: str
    text: str
    mine: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignChat:
    """What a file holds, in the order of its dates."""

    kind: str
    lines: tuple[ForeignLine, ...]

    @property
    def says_who(self) -> bool:
        """Whether the file itself tells which lines are the partner's."""
        return all(line.mine is not None for line in self.lines)


def chat_of_json(body: object, zone: ZoneInfo, now: datetime) -> ForeignChat | None:
    """Return the chat in a parsed file; None if it is of no known kind."""
    listed = body if isinstance(body, list) else [body]
    first = listed[0] if listed else None
    if not isinstance(first, dict):
        return None
    if "mapping" in first:
        return sorted_chat("chatgpt", _numbered(listed, _chatgpt_lines), now)
    if "chat_messages" in first:
        return sorted_chat("claude", _numbered(listed, _claude_lines), now)
    wrapped = body.get("entries", body.get("memories")) if isinstance(body, dict) else None
    if isinstance(wrapped, list):
        listed = wrapped
        first = listed[0] if listed and isinstance(listed[0], dict) else {}
    if "content" in first and "createdAt" in first:
        return sorted_chat("memory_entries", _numbered(listed, _memory_entry), now)
    return _chat_of_object(body, zone, now) if isinstance(body, dict) else None


def _chat_of_object(body: Mapping[str, Any], zone: ZoneInfo, now: datetime) -> ForeignChat | None:
    if _is_tinydb(body):
        documents = [d for t in body.values() if isinstance(t, dict) for d in t.values()]
        return sorted_chat("tinydb", _numbered(documents, _tinydb_line), now)
    # A chat of one line is JSON and JSON Lines at once.
    return sorted_chat("sillytavern", _tavern_lines([body], zone), now) if "mes" in body else None


def chat_of_json_lines(objects: Sequence[object], zone: ZoneInfo, now: datetime) -> ForeignChat:
    """Return the SillyTavern chat in parsed lines; raises :class:`CannotBring`."""
    return sorted_chat("sillytavern", _tavern_lines(objects, zone), now)


def sorted_chat(kind: str, lines: Iterable[ForeignLine], now: datetime) -> ForeignChat:
    """Return what has words, in the order of its dates; raises :class:`CannotBring`."""
    kept: list[ForeignLine] = []
    for line in lines:
        if line.at > now + timedelta(days=1):
            raise CannotBring(BringFlaw.DATE, place=line.at.date().isoformat())
        if line.text:
            kept.append(line)
        if len(kept) > MOST_ENTRIES:
            raise CannotBring(BringFlaw.TOO_LARGE, limit=str(MOST_ENTRIES))
    if not kept:
        raise CannotBring(BringFlaw.NOBODY)
    return ForeignChat(kind=kind, lines=tuple(sorted(kept, key=lambda line: line.at)))


def _numbered(
    listed: Sequence[Any], read: Callable[[Mapping[str, Any], str], Iterator[ForeignLine]]
) -> Iterator[ForeignLine]:
    for number, each in enumerate(listed, start=1):
        yield from read(json_object(each, f"{number}"), f"{number}")


def _chatgpt_lines(talk: Mapping[str, Any], place: str) -> Iterator[ForeignLine]:
    """Yield the branch that was last shown: from ``current_node`` up to the root, turned round."""
    mapping = json_object(talk.get("mapping"), f"{place}: mapping")
    at: object = talk.get("current_node")
    branch: list[Mapping[str, Any]] = []
    while at is not None:
        if not isinstance(at, str) or at not in mapping or len(branch) > len(mapping):
            raise CannotBring(BringFlaw.BROKEN, place=f"{place}: current_node")
        branch.append(json_object(mapping[at], f"{place}: mapping"))
        at = branch[-1].get("parent")
    when: object = talk.get("create_time")
    for node in reversed(branch):
        message = node.get("message")
        if message is None:
            continue
        said = json_object(message, place)
        role = str(json_object(said.get("author"), place).get("role"))
        when = said.get("create_time") or when
        hidden = json_object(said.get("metadata") or {}, place).get(
            "is_visually_hidden_from_conversation"
        )
        to_tool = said.get("recipient", "all") != "all"
        if role in {"user", "assistant"} and not hidden and not to_tool:
            text = _parts_text(json_object(said.get("content"), place), place)
            name = "ChatGPT" if role == "assistant" else "user"
            yield ForeignLine(at=_instant(when, place), name=name, text=text, mine=role == "user")


_SPOKEN: Final = "audio_transcription"
_SOURCES: Final = re.compile("\ue200[^\ue200\ue201]*\ue201")
"""Which web pages an answer rests on, as ChatGPT's page would draw it."""


def _parts_text(content: Mapping[str, Any], place: str) -> str:
    """Return what is said in a message: written, or spoken and written down by ChatGPT."""
    parts = content.get("parts", [])
    if str(content.get("content_type")) not in {"text", "multimodal_text"}:
        return ""
    if not isinstance(parts, list):
        raise CannotBring(BringFlaw.BROKEN, place=f"{place}: parts")
    spoken = (
        p.get("text") if isinstance(p, dict) and p.get("content_type") == _SPOKEN else p
        for p in parts
    )
    text = "\n".join(each for each in spoken if isinstance(each, str))
    return clean_text(_SOURCES.sub("", text), place)


def _claude_lines(talk: Mapping[str, Any], place: str) -> Iterator[ForeignLine]:
    listed = talk.get("chat_messages")
    if not isinstance(listed, list):
        raise CannotBring(BringFlaw.BROKEN, place=f"{place}: chat_messages")
    for each in listed:
        said = json_object(each, place)
        sender = str(said.get("sender"))
        if sender not in {"human", "assistant"}:
            raise CannotBring(BringFlaw.BROKEN, place=f"{place}: sender")
        text, listed_blocks = said.get("text"), said.get("content")
        # Where there are blocks, ``text`` repeats them with a notice for each one that is no text.
        if isinstance(listed_blocks, list) and listed_blocks:
            blocks = [json_object(block, place) for block in listed_blocks]
            text = "\n".join(str(b.get("text", "")) for b in blocks if b.get("type") == "text")
        yield ForeignLine(
            at=_instant(said.get("created_at"), place),
            name="Claude" if sender == "assistant" else "user",
            text=clean_text(text, place),
            mine=sender == "human",
        )


def _memory_entry(entry: Mapping[str, Any], place: str) -> Iterator[ForeignLine]:
    """Yield one entry of source document 000; what its program inferred is not the partner's."""
    source = entry.get("source")
    by_hand = isinstance(source, dict) and source.get("type") == "manual"
    yield ForeignLine(
        at=_instant(entry.get("createdAt"), place),
        name="user" if by_hand else "memory",
        text=clean_text(entry.get("content"), place),
        mine=by_hand,
    )


def _is_tinydb(body: Mapping[str, Any]) -> bool:
    """Whether tables of numbered documents hold texts, as TinyDB writes them."""
    documents = [d for t in body.values() if isinstance(t, dict) for d in t.items()]
    return bool(documents) and all(
        number.isdigit() and isinstance(d, dict) and _tinydb_text(d) is not None
        for number, d in documents
    )


def _tinydb_text(document: Mapping[str, Any]) -> object:
    return next((document[k] for k in ("content", "text", "document") if k in document), None)


def _tinydb_line(document: Mapping[str, Any], place: str) -> Iterator[ForeignLine]:
    """Yield one document of source document 003, its metadata beside the text or under a key."""
    meta = json_object(document.get("metadata", document), place)
    mine = meta.get("source") == "user"
    yield ForeignLine(
        at=_instant(meta.get("timestamp"), place),
        name="user" if mine else "memory",
        text=clean_text(_tinydb_text(document), place),
        mine=mine,
    )


def _tavern_lines(objects: Sequence[object], zone: ZoneInfo) -> Iterator[ForeignLine]:
    for number, each in enumerate(objects, start=1):
        place = f"{number}"
        line = json_object(each, place)
        if "mes" not in line:
            # Only the first line may be about the chat instead of of it.
            if number > 1 or not {"user_name", "chat_metadata"} & line.keys():
                raise CannotBring(
                    BringFlaw.FOREIGN if number == 1 else BringFlaw.BROKEN, place=place
                )
            continue
        mine = line.get("is_user")
        if mine.__class__ is not bool:
            raise CannotBring(BringFlaw.BROKEN, place=f"{place}: is_user")
        if line.get("is_system") is not True:
            yield ForeignLine(
                at=_instant(line.get("send_date"), place, zone),
                name=clean_name(line.get("name"), place),
                text=clean_text(line["mes"], place),
                mine=mine,
            )


_TAVERN_DATES: Final = ("%B %d, %Y %I:%M%p", "%Y-%m-%d @%Hh %Mm %Ss", "%Y-%m-%d@%Hh%Mm%Ss")


def _instant(given: object, place: str, zone: ZoneInfo | None = None) -> datetime:
    """Return the instant a date means; ``zone`` is where one without a zone was written."""
    written = str(given)[:_LONGEST_DATE].strip()
    try:
        number = float(written)
    except ValueError:
        return checked_instant(_written_instant(written, zone), place)
    seconds = number / 1000 if number >= _MILLISECONDS else number
    # Whatever is no number of measure, like NaN, compares as false.
    if given.__class__ is bool or not EARLIEST <= seconds <= LATEST:
        raise CannotBring(BringFlaw.DATE, place=place)
    return datetime.fromtimestamp(seconds, UTC)


def _written_instant(written: str, zone: ZoneInfo | None) -> datetime | None:
    for read in (datetime.fromisoformat, *(_reader(form) for form in _TAVERN_DATES)):
        try:
            at = read(re.sub(r"(?<=[\ss])\d+ms$", "", written).rstrip())
        except ValueError:
            continue
        return at if at.tzinfo else at.replace(tzinfo=zone or UTC)
    return None


def _reader(form: str) -> Callable[[str], datetime]:
    return lambda said: datetime.strptime(f"{said} +0000", f"{form} %z").replace(tzinfo=None)


def checked_instant(at: datetime | None, place: str) -> datetime:
    """Return an instant in which somebody can have written; raises :class:`CannotBring`."""
    try:
        if at is not None and EARLIEST <= at.timestamp() <= LATEST:
            return at.astimezone(UTC)
    except (OverflowError, ValueError):
        pass
    raise CannotBring(BringFlaw.DATE, place=place)
