"""Reading chats and memory files of other programs, told apart by what is in them.

SillyTavern's JSON Lines, the exports of ChatGPT and Claude, WhatsApp's text, QQ's and WeChat's
text, and the entries of two memory programs. A file is read whole or refused with a place.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from bot.conversation.cards import CannotBring, clean_name, clean_text, json_object
from bot.conversation.recordings import EARLIEST, LATEST, MOST_ENTRIES
from bot.texts.bring import BringFlaw

DateOrder: TypeAlias = Literal["", "dmy", "mdy"]

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
        return _chat("chatgpt", _numbered(listed, _chatgpt_lines), now)
    if "chat_messages" in first:
        return _chat("claude", _numbered(listed, _claude_lines), now)
    wrapped = body.get("entries", body.get("memories")) if isinstance(body, dict) else None
    if isinstance(wrapped, list):
        listed = wrapped
        first = listed[0] if listed and isinstance(listed[0], dict) else {}
    if "content" in first and "createdAt" in first:
        return _chat("memory_entries", _numbered(listed, _memory_entry), now)
    return _chat_of_object(body, zone, now) if isinstance(body, dict) else None


def _chat_of_object(body: Mapping[str, Any], zone: ZoneInfo, now: datetime) -> ForeignChat | None:
    if _is_tinydb(body):
        documents = [d for t in body.values() if isinstance(t, dict) for d in t.values()]
        return _chat("tinydb", _numbered(documents, _tinydb_line), now)
    # A chat of one line is JSON and JSON Lines at once.
    return _chat("sillytavern", _tavern_lines([body], zone), now) if "mes" in body else None


def chat_of_json_lines(objects: Sequence[object], zone: ZoneInfo, now: datetime) -> ForeignChat:
    """Return the SillyTavern chat in parsed lines; raises :class:`CannotBring`."""
    return _chat("sillytavern", _tavern_lines(objects, zone), now)


def _chat(kind: str, lines: Iterable[ForeignLine], now: datetime) -> ForeignChat:
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


def _parts_text(content: Mapping[str, Any], place: str) -> str:
    parts = content.get("parts", [])
    if str(content.get("content_type")) not in {"text", "multimodal_text"}:
        return ""
    if not isinstance(parts, list):
        raise CannotBring(BringFlaw.BROKEN, place=f"{place}: parts")
    return clean_text("\n".join(p for p in parts if isinstance(p, str)), place)


def _claude_lines(talk: Mapping[str, Any], place: str) -> Iterator[ForeignLine]:
    listed = talk.get("chat_messages")
    if not isinstance(listed, list):
        raise CannotBring(BringFlaw.BROKEN, place=f"{place}: chat_messages")
    for each in listed:
        said = json_object(each, place)
        sender = str(said.get("sender"))
        if sender not in {"human", "assistant"}:
            raise CannotBring(BringFlaw.BROKEN, place=f"{place}: sender")
        text = said.get("text")
        if not text and isinstance(said.get("content"), list):
            blocks = [json_object(block, place) for block in said["content"]]
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
        return _checked(_written_instant(written, zone), place)
    seconds = number / 1000 if number >= _MILLISECONDS else number
    # Whatever is no number of measure, like NaN, compares as false.
    if given.__class__ is bool or not EARLIEST <= seconds <= LATEST:
        raise CannotBring(BringFlaw.DATE, place=place)
    return datetime.fromtimestamp(seconds, UTC)


def _written_instant(written: str, zone: ZoneInfo | None) -> datetime | None:
    for read in (datetime.fromisoformat, *(_reader(form) for form in _TAVERN_DATES)):
        try:
            at = read(re.sub(r"\s\d+ms$", "", written))
        except ValueError:
            continue
        return at if at.tzinfo else at.replace(tzinfo=zone or UTC)
    return None


def _reader(form: str) -> Callable[[str], datetime]:
    return lambda said: datetime.strptime(f"{said} +0000", f"{form} %z").replace(tzinfo=None)


def _checked(at: datetime | None, place: str) -> datetime:
    try:
        if at is not None and EARLIEST <= at.timestamp() <= LATEST:
            return at.astimezone(UTC)
    except (OverflowError, ValueError):
        pass
    raise CannotBring(BringFlaw.DATE, place=place)


_NUMERIC_DATE: Final = r"(\d{1,4})[/.\-年](\d{1,2})[/.\-月](\d{1,4})日?"
_CLOCK: Final = (
    r"((?:上午|下午|凌晨|中午|晚上)?)\s?(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?"
    r"\s?([AaPp]\.?\s?[Mm]\.?)?"
)
_WHATSAPP: Final = re.compile(
    rf"(?:\[{_NUMERIC_DATE},?\s+{_CLOCK}\]\s|{_NUMERIC_DATE},?\s+{_CLOCK}\s-\s)(.*)"
)
_DATE_FIRST: Final = re.compile(rf"{_NUMERIC_DATE}\s+{_CLOCK}\s+(\S.*)")
_NAME_FIRST: Final = re.compile(rf"(\S.*?)[:：]?\s+{_NUMERIC_DATE}\s+{_CLOCK}\s*")
_MARKS: Final = re.compile(r"[\u202a-\u202e\u2066-\u2069\ufeff]")
_QQ_NUMBER: Final = re.compile(r"\s*(?:\(\d{4,12}\)|<[^<>\s]+@[^<>\s]+>)$")
_QQ_SYSTEM: Final = "10000"
_PARTS: Final = 8
_MONTHS: Final = 12
_NOON: Final = 12
_LATE_MORNING: Final = 11
_LONGEST_HEADER: Final = 300


@dataclass(slots=True)
class _Header:
    """A line that begins a message: the parts of its date as written, its name, its text."""

    parts: tuple[str, ...]
    name: str
    text: list[str]
    place: str


def chat_of_text(
    text: str, zone: ZoneInfo, now: datetime, dates: DateOrder = ""
) -> ForeignChat | None:
    """Return the chat in a text file; None if it is of no known kind."""
    lines = _MARKS.sub("", text).replace("\u202f", " ").replace("\u00a0", " ").splitlines()
    bodies = [line.lstrip("\u200e\u200f") for line in lines]
    if any(_WHATSAPP.match(line) for line in bodies[:20]):
        kind, headers = "whatsapp", _whatsapp_headers(bodies)
    else:
        kind, headers = "qq_wechat", _qq_headers(bodies)
    if not headers:
        return None
    order = _date_order(headers, dates)
    said = (_spoken(header, order, zone) for header in headers)
    return _chat(kind, (line for line in said if line is not None), now)


def _whatsapp_headers(lines: Sequence[str]) -> list[_Header]:
    headers: list[_Header] = []
    for number, line in enumerate(lines, start=1):
        found = _WHATSAPP.fullmatch(line)
        if found is None:
            if headers:
                headers[-1].text.append(line)
            continue
        groups = found.groups(default="")
        name, colon, rest = groups[-1].partition(": ")
        # What the program says of itself has no name before it, or a mark before its words.
        by_program = not colon or rest.startswith("\u200e") or rest == "<Media omitted>"
        parts = groups[:_PARTS] if groups[0] else groups[_PARTS : 2 * _PARTS]
        headers.append(_Header(parts, "" if by_program else name, [rest], f"{number}"))
    return headers


def _qq_headers(lines: Sequence[str]) -> list[_Header]:
    headers: list[_Header] = []
    for number, line in enumerate(lines, start=1):
        # No name is so long, and a search in a line of millions of spaces would take for ever.
        short = len(line) <= _LONGEST_HEADER
        first = _DATE_FIRST.fullmatch(line) if short else None
        found = first or (_NAME_FIRST.fullmatch(line) if short else None)
        if found is None:
            if headers and not set(line) <= {"="}:
                headers[-1].text.append(line)
            elif headers:
                headers[-1].text.append("")
            continue
        groups = found.groups(default="")
        parts, name = (groups[:-1], groups[-1]) if first else (groups[1:], groups[0])
        by_program = name.startswith("系统消息") or f"({_QQ_SYSTEM})" in name
        shown = "" if by_program else _QQ_NUMBER.sub("", name) or name
        headers.append(_Header(parts, shown, [], f"{number}"))
    return headers


def _date_order(headers: Sequence[_Header], given: DateOrder) -> DateOrder:
    """Return whether day or month stands first: by a number above 12, else by what goes on."""
    pairs = [(int(h.parts[0]), int(h.parts[1])) for h in headers if len(h.parts[0]) < len("2024")]
    if given or not pairs:
        return given
    day_first, month_first = any(a > _MONTHS for a, _ in pairs), any(b > _MONTHS for _, b in pairs)
    if day_first != month_first:
        return "dmy" if day_first else "mdy"
    by_day = [(h.parts[2], h.parts[1].zfill(2), h.parts[0].zfill(2)) for h in headers]
    by_month = [(h.parts[2], h.parts[0].zfill(2), h.parts[1].zfill(2)) for h in headers]
    rises = by_day == sorted(by_day), by_month == sorted(by_month)
    if not day_first and all(a == b for a, b in pairs):
        return "dmy"
    if day_first or rises[0] == rises[1]:
        raise CannotBring(BringFlaw.DAY_OR_MONTH)
    return "dmy" if rises[0] else "mdy"


def _spoken(header: _Header, order: DateOrder, zone: ZoneInfo) -> ForeignLine | None:
    """Return what a header and the lines below it say; None for what the program said."""
    at = _numeric_instant(header, order, zone)
    if not header.name:
        return None
    return ForeignLine(
        at=at,
        name=clean_name(header.name, header.place),
        text=clean_text("\n".join(header.text), header.place),
    )


def _numeric_instant(header: _Header, order: DateOrder, zone: ZoneInfo) -> datetime:
    first, second, third, chinese, hour, minute, seconds, english = header.parts
    if len(first) == len("2024"):
        year, month, day = int(first), int(second), int(third)
    else:
        day, month = (int(second), int(first)) if order == "mdy" else (int(first), int(second))
        year = int(third) + (2000 if len(third) == len("24") else 0)
    hours, half = int(hour), english[:1].lower()
    if half == "p" or chinese in {"下午", "晚上"} or (chinese == "中午" and hours < _LATE_MORNING):
        hours += _NOON if hours < _NOON else 0
    elif half == "a" or chinese in {"上午", "凌晨"}:
        hours = 0 if hours == _NOON else hours
    try:
        at = datetime(year, month, day, hours, int(minute), int(seconds or 0), tzinfo=zone)
    except ValueError as error:
        raise CannotBring(BringFlaw.DATE, place=header.place) from error
    return _checked(at, header.place)
