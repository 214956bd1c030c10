"""Reading chats that WhatsApp, QQ and WeChat write as text.

WhatsApp words its dates as the telephone's language does. QQ writes its own records; of WeChat,
which has no export, what WeChatMsg and WechatExporter write is read, WeChatMsg's tables too.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from bot.conversation.cards import CannotBring, clean_name, clean_text
from bot.conversation.foreign_chats import (
    ForeignChat,
    ForeignLine,
    checked_instant,
    sorted_chat,
)
from bot.texts.bring import BringFlaw

DateOrder: TypeAlias = Literal["", "dmy", "mdy"]

_MORNINGS: Final = {"上午", "凌晨", "早上", "清晨", "午前", "오전"}
_AFTERNOONS: Final = {"下午", "晚上", "傍晚", "午後", "오후"}
_NOONS: Final = {"中午"}
_DAYTIMES: Final = "|".join(sorted(_MORNINGS | _AFTERNOONS | _NOONS))
# Arabic sets marks of direction between the parts of a date, Korean spaces.
_NUMERIC_DATE: Final = (
    r"(\d{1,4})[\u200e\u200f]?[/.\-年]\s?(\d{1,2})[\u200e\u200f]?[/.\-月]\s?(\d{1,4})"
    r"(?:日|\.|\sг\.)?"
)
_CLOCK: Final = (
    rf"((?:{_DAYTIMES})?)\s?(\d{{1,2}})[:.](\d{{2}})(?:[:.](\d{{2}}))?"
    r"\s?([AaPp]\.?\s?[Mm]\.?|[صم]\b)?"
)
_DAY_AND_CLOCK: Final = rf"{_NUMERIC_DATE}[,،]?\s+(?:(?:à|klo|kl\.)\s)?{_CLOCK}"
_WHATSAPP: Final = re.compile(rf"(\[)?{_DAY_AND_CLOCK}(?(1)\]|\s[-–])\s(.*)")
_DATE_FIRST: Final = re.compile(rf"{_DAY_AND_CLOCK}(?:\s+(\S.*))?")
_NAME_FIRST: Final = re.compile(rf"(\S.*?)[:：]?\s+{_DAY_AND_CLOCK}\s*")
_IN_BRACKETS: Final = re.compile(rf"(\S.*?) ?\({_DAY_AND_CLOCK}\)[:：](.*)")
_MARKS: Final = re.compile(r"[\u202a-\u202e\u2066-\u2069\ufeff]")

_EDITED: Final = re.compile(
    r"\s*\u200e?<[^<>]*(?:edited|bearbeitet|edit[óo]|modifi|编辑|編輯|수정|編集)[^<>]*>$"
)
_ATTACHED: Final = re.compile(r"^\u200e?[\w-]+\.\w{2,5} \([^()]+\)(?:\n|$)")
_LEFT_OUT: Final = re.compile(r"<[^<>\n]{3,60}>|null")
_DELETED: Final = {
    "This message was deleted",
    "You deleted this message",
    "此消息已删除",
    "您已删除这条消息",
    "Diese Nachricht wurde gelöscht.",
    "Se eliminó este mensaje.",
}
_MEDIA: Final = re.compile(
    r"(?:\[(?:图片|表情|动画表情|语音|视频|文件|位置|链接|红包|转账|名片|闪照|Photo|Audio|Video|Emoji)"
    r"[^\[\]\n]{0,40}\]\s*)+"
)
"""What stands in a file for what is no text, and would be kept as if somebody had said it."""

_ACCOUNT: Final = re.compile(r"\s*(?:\((\d{4,12})\)|<([^<>\s]+@[^<>\s]+)>)$")
_TITLE: Final = re.compile(r"^【[^】]*】")
_QQ_SYSTEM: Final = "10000"
_OTHER_CHAT: Final = "=" * 32  # half of what QQ draws above and below the name of a chat
_MONTHS: Final = 12
_NOON: Final = 12
_LATE_MORNING: Final = 11
_LONGEST_HEADER: Final = 300


@dataclass(slots=True)
class _Header:
    """A line that begins a message: the parts of its date as written, its name, its text.

    Without a name it is the program's own, and so is what follows it.
    """

    parts: tuple[str, ...]
    name: str
    text: list[str]
    place: str
    account: str = ""


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
    return sorted_chat(kind, (line for line in said if line is not None), now)


_OLD_TABLE: Final = frozenset({"localId", "Type", "IsSender", "CreateTime", "StrContent"})
_NEW_TABLE: Final = frozenset({"消息ID", "类型", "发送人", "时间", "内容"})
_TEXT_IN_OLD, _TEXT_IN_NEW = "1", "文本"


def chat_of_table(text: str, zone: ZoneInfo, now: datetime) -> ForeignChat | None:
    """Return the chat in a CSV file of WeChatMsg, of either of its two kinds; None if it is none.

    Only what was written counts: pictures, voices, quotations and what the program says do not.
    """
    columns = set(text[:_LONGEST_HEADER].partition("\n")[0].strip().split(","))
    if columns >= _OLD_TABLE:
        return sorted_chat("wechat_table", _old_rows(text), now)
    if columns >= _NEW_TABLE:
        return sorted_chat("wechat_table", _new_rows(text, zone), now)
    return None


def _rows(text: str) -> Iterator[tuple[Mapping[str, str | None], str]]:
    # A quoted value may go over many lines, each with its own end.
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for number, row in enumerate(rows, start=1):
            yield row, f"{number}"
    except csv.Error as error:
        raise CannotBring(BringFlaw.BROKEN, place=f"CSV, {rows.line_num}") from error


def _old_rows(text: str) -> Iterator[ForeignLine]:
    """Yield what the elder table holds: it says whose a row is, and for long named nobody."""
    names: dict[str, str] = {}
    for row, place in _rows(text):
        mine = row["IsSender"]
        if mine not in {"0", "1"}:
            raise CannotBring(BringFlaw.BROKEN, place=f"{place}: IsSender")
        if row["Type"] != _TEXT_IN_OLD:
            continue
        usual = "我" if mine == "1" else "对方"
        sender = row.get("Sender") or usual
        # One account has one name, whatever a row calls it.
        name = names.setdefault(sender, row.get("Remark") or row.get("NickName") or usual)
        yield ForeignLine(
            at=checked_instant(_counted_instant(row["CreateTime"]), place),
            name=clean_name(name, place),
            text=clean_text(row["StrContent"], place),
            mine=mine == "1",
        )


def _counted_instant(written: str | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(written or ""), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _new_rows(text: str, zone: ZoneInfo) -> Iterator[ForeignLine]:
    """Yield what the later table holds: it says who by name alone."""
    for row, place in _rows(text):
        if row["类型"] != _TEXT_IN_NEW:
            continue
        try:
            at = datetime.fromisoformat((row["时间"] or "").strip()).replace(tzinfo=zone)
        except ValueError as error:
            raise CannotBring(BringFlaw.DATE, place=place) from error
        yield ForeignLine(
            at=checked_instant(at, place),
            name=clean_name(row["发送人"], place),
            text=clean_text(row["内容"], place),
        )


def _whatsapp_headers(lines: Sequence[str]) -> list[_Header]:
    headers: list[_Header] = []
    for number, line in enumerate(lines, start=1):
        found = _WHATSAPP.fullmatch(line)
        if found is None:
            if headers:
                headers[-1].text.append(line)
            continue
        _, *parts, written = found.groups(default="")
        name, colon, rest = written.partition(": ")
        # What the program says of itself has no name before it, or a mark before its words.
        by_program = not colon or _cuts_a_quotation(name) or rest.startswith("\u200e")
        shown = "" if by_program else name.removeprefix("~").strip()
        headers.append(_Header(tuple(parts), shown, [rest], f"{number}"))
    return headers


def _cuts_a_quotation(name: str) -> bool:
    """Whether a name ends amid a quotation, as in ``Ann changed the subject to "Trip: Rome"``."""
    return name.count('"') % 2 == 1 or name.count("“") != name.count("”")


class _Form(NamedTuple):
    """How the headers of one file are written; ``accounts`` is None until one has a name."""

    pattern: re.Pattern[str]
    seconds: bool
    accounts: bool | None

    def fits(self, first: "_Form") -> bool:
        same = self.pattern is first.pattern and self.seconds == first.seconds
        return same and (
            None in {self.accounts, first.accounts} or self.accounts == first.accounts
        )


def _qq_headers(lines: Sequence[str]) -> list[_Header]:
    """Return the messages of QQ and WeChat, which all begin as the first one does.

    A line that begins otherwise, like a date in a plan, belongs to the message above it.
    """
    headers: list[_Header] = []
    form: _Form | None = None
    between_chats = False
    for number, line in enumerate(lines, start=1):
        # No name is so long, and a search in a line of millions of spaces would take for ever.
        read = _qq_header(line, f"{number}") if len(line) <= _LONGEST_HEADER else None
        if read is not None and (form is None or read[1].fits(form)):
            headers.append(read[0])
            form = read[1] if form is None or form.accounts is None else form
            between_chats = False
        elif line.startswith(_OTHER_CHAT):
            between_chats = True
        elif headers and line.startswith("系统消息：") and form and form.pattern is _IN_BRACKETS:
            headers.append(_Header(headers[-1].parts, "", [line], f"{number}"))
        elif headers and not between_chats:
            headers[-1].text.append(line)
    names: dict[str, str] = {}
    for each in headers:
        # One account has one name, whatever it was called later.
        if each.name and each.account:
            each.name = names.setdefault(each.account, each.name)
    return headers


def _qq_header(line: str, place: str) -> tuple[_Header, _Form] | None:
    """Return the header that a line is, and the form in which it is written."""
    for pattern in (_DATE_FIRST, _IN_BRACKETS, _NAME_FIRST):
        found = pattern.fullmatch(line)
        if found is not None:
            break
    else:
        return None
    groups = list(found.groups(default=""))
    text = [groups.pop()] if pattern is _IN_BRACKETS else []
    written = groups.pop(-1 if pattern is _DATE_FIRST else 0)
    owner = _ACCOUNT.search(written)
    account = (owner[1] or owner[2]) if owner else ""
    # A title goes with how much somebody writes in a group, and is no part of the name.
    name = _TITLE.sub("", _ACCOUNT.sub("", written)) or account if account else written
    if written.startswith("系统消息") or account == _QQ_SYSTEM:
        name = ""
    *_, seconds, _half = groups
    form = _Form(pattern, bool(seconds), bool(account) if written else None)
    return _Header(tuple(groups), name, text, place, account), form


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
        text=clean_text(_words_of("\n".join(header.text).strip()), header.place),
    )


def _words_of(text: str) -> str:
    """Return what was said in words: nothing of a picture, a caption without the file's name."""
    said = _ATTACHED.sub("", _EDITED.sub("", text), count=1).strip()
    return "" if said in _DELETED or _LEFT_OUT.fullmatch(said) or _MEDIA.fullmatch(said) else said


def _numeric_instant(header: _Header, order: DateOrder, zone: ZoneInfo) -> datetime:
    first, second, third, daytime, hour, minute, seconds, suffix = header.parts
    if len(first) == len("2024"):
        year, month, day = int(first), int(second), int(third)
    else:
        day, month = (int(second), int(first)) if order == "mdy" else (int(first), int(second))
        year = int(third) + (2000 if len(third) == len("24") else 0)
    hours, half = int(hour), suffix[:1].lower()
    after = half in {"p", "م"} or daytime in _AFTERNOONS
    if after or (daytime in _NOONS and hours < _LATE_MORNING):
        hours += _NOON if hours < _NOON else 0
    elif half in {"a", "ص"} or daytime in _MORNINGS:
        hours = 0 if hours == _NOON else hours
    try:
        at = datetime(year, month, day, hours, int(minute), int(seconds or 0), tzinfo=zone)
    except ValueError as error:
        raise CannotBring(BringFlaw.DATE, place=header.place) from error
    return checked_instant(at, header.place)
