"""A life to look at on the memory page, and a browser without a screen."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from html import unescape
from http import HTTPStatus
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import quote, urlencode

from bot.cli.memory import open_program
from bot.desk.page import Visitor
from bot.page import PageProgram
from bot.page.site import PageSite
from bot.settings import Settings
from bot.web import RequestHead, WebAnswer
from memory.changes import Correction, Corrections, DiaryLine, Links, Put, Record
from memory.laws.law import Birth, Event
from memory.laws.registry import Laws
from memory.model import (
    AgentSettings,
    Archived,
    Kind,
    Language,
    Link,
    LinkType,
    Memory,
    Message,
    Nature,
    Origin,
    Passage,
    Source,
    Tier,
    Words,
)
from memory.reminder import Reminder
from memory.state import MemoryState
from tests.fakes.clock import NOON, FakeClock

BIND: Final = "127.0.0.1:8090"

_SAYINGS: Final[Mapping[Language, tuple[tuple[str, Kind], ...]]] = {
    "zh": (
        ("我对花生过敏，吃一点就会喘", Kind.IDENTITY),
        ("我住在上海，离苏州河很近", Kind.IDENTITY),
        ("猫叫团子，三岁，只吃鱼", Kind.FACT),
        ("妈妈的生日是三月初七", Kind.FACT),
        ("我喜欢喝手冲咖啡，不加糖", Kind.LASTING_PREFERENCE),
        ("最近在读《红楼梦》，读到第四十回", Kind.PASSING_PREFERENCE),
        ("跑步前先热身，上次就是没热身才拉伤", Kind.LESSON),
        ("会一点西班牙语，还在学", Kind.SKILL),
        ("周五晚上要给小林送书", Kind.TEMPORARY),
        ("想把阳台改成小花园", Kind.PASSING_PREFERENCE),
        ("小林下个月搬去杭州", Kind.FACT),
        ("我怕坐飞机，能坐火车就坐火车", Kind.LASTING_PREFERENCE),
    ),
    "en": (
        ("I am allergic to peanuts; even a little makes me wheeze", Kind.IDENTITY),
        ("I live in Bergen, close to the harbour", Kind.IDENTITY),
        ("The cat is called Pip, is three and eats only fish", Kind.FACT),
        ("My mother's birthday is the seventh of March", Kind.FACT),
        ("I like filter coffee without sugar", Kind.LASTING_PREFERENCE),
        ("Reading Middlemarch at present, chapter forty", Kind.PASSING_PREFERENCE),
        ("Warm up before a run: last time I pulled a muscle", Kind.LESSON),
        ("I speak a little Spanish and am still learning", Kind.SKILL),
        ("Bring Anna the book on Friday evening", Kind.TEMPORARY),
        ("I want to turn the balcony into a little garden", Kind.PASSING_PREFERENCE),
        ("Anna moves to Oslo next month", Kind.FACT),
        ("I am afraid of flying and take the train where I can", Kind.LASTING_PREFERENCE),
    ),
}
_NAMES: Final[Mapping[Language, tuple[str, ...]]] = {
    "zh": ("小林", "妈妈", "团子", "上海", "苏州河", "杭州"),
    "en": ("Anna", "mother", "Pip", "Bergen", "harbour", "Oslo"),
}
_TALKS: Final[Mapping[Language, tuple[str, ...]]] = {
    "zh": ("聊了面试，紧张但是顺利", "一起想了周末去哪里", "说起小时候的河", "比较了两款相机"),
    "en": ("The interview: nervous, but it went well", "Where to go at the weekend",
           "The river of childhood", "Compared two cameras"),
}  # fmt: skip


@cache
def a_life(language: Language = "zh", count: int = 40, lines: int = 120) -> tuple[Record, ...]:
    """Return the records of somebody's life with her, the same every time."""
    return tuple(_lived(language, count, lines))


def _lived(language: Language, count: int, lines: int) -> Iterator[Record]:
    chance, names = Random(22), _NAMES[language]
    partner, she = ("主人", "小祥") if language == "zh" else ("Mara", "Xiaoxiang")
    sayings, talks = _SAYINGS[language], _TALKS[language]
    for number in range(1, count + 1):
        at = NOON - timedelta(days=number * number // 9 % 97, minutes=number % 600)
        if number <= len(names):
            yield _memory(number, names[number - 1], Kind.FACT, at, partner, Tier.ENTITY)
            continue
        text, kind = sayings[(number - len(names) - 1) % len(sayings)]
        tier = Tier.CORE if kind is Kind.IDENTITY else Tier.FACT
        if number % 9 == 0:
            text, tier, kind = talks[number % len(talks)], Tier.EPISODE, Kind.FACT
        if number > 2 * len(sayings):
            text = f"{text} · {number}"
        memory = _memory(number, text, kind, at, partner, tier)
        yield (
            replace(memory, standing=Archived(at + timedelta(days=20)))
            if number % 11 == 0
            else memory
        )
    for number in range(1, count + 1):
        targets = {chance.randrange(1, count + 1) for _ in range(3)} - {number}
        targets |= {1 + number % min(len(names), count)} - {number}
        kinds = tuple(LinkType)
        links = tuple(
            Link(target=each, strength=round(chance.random(), 2), type=kinds[each % len(kinds)])
            for each in sorted(targets)
        )
        yield Links(source=number, links=tuple(sorted(links, key=lambda x: -x.strength)))
    for number in range(1, lines + 1):
        at = NOON - timedelta(minutes=37 * (lines - number))
        mine = number % 2 == 1
        said = sayings[number % len(sayings)][0] if mine else talks[number % len(talks)]
        key = f"s{number % (count + 1)}" if number <= count else f"d{number}"
        message = Message(
            id=key, at=at, speaker=partner if mine else she, role="user" if mine else "assistant",
            text=said,
        )  # fmt: skip
        yield DiaryLine(message=message, conversation="telegram/bot/7/", number=number)
    if count >= _CORRECTED:
        yield _a_correction(talks[0], sayings[1][0])
    yield Reminder(
        id=1, text=sayings[8][0], first_at=NOON + timedelta(days=1), zone="Asia/Shanghai",
        made_at=NOON,
    )  # fmt: skip


_CORRECTED: Final = 8


def _a_correction(before: str, after: str) -> Corrections:
    change = Correction(at=NOON - timedelta(days=2), reason="edit", before=before, after=after)
    return Corrections(memory_id=_CORRECTED, entries=(change,))


def _memory(number: int, text: str, kind: Kind, at: datetime, speaker: str, tier: Tier) -> Memory:
    rules = Laws().rules(AgentSettings())
    born = Memory(
        id=number,
        words=Words(text=text, phrase=text[:12], keywords=tuple(text.split()[:2])),
        nature=Nature(tier=tier, kind=kind),
        trace=rules.new_trace(Birth(at=at, tier=tier, salience=(number * 29 % 100) / 100)),
        origin=Origin(source=Source.USER, at=at, speaker=speaker, quote=text),
        passages=(Passage(text=text, source_ids=(f"s{number}",), at=at, speaker=speaker),),
    )
    return (
        rules.after_event(born, Event.ACCESS, min(at + timedelta(days=1), NOON))
        if number % 3 == 0
        else born
    )


@dataclass
class Browser:
    """Asks a site as a browser would, without a socket, and keeps its cookie."""

    site: PageSite
    cookie: str = ""
    host: str = BIND
    last: WebAnswer = field(default_factory=lambda: WebAnswer(HTTPStatus.OK))

    async def ask(
        self,
        target: str,
        body: bytes | None = None,
        *more: tuple[bytes, bytes],
        without: tuple[bytes, ...] = (),
        method: bytes = b"",
    ) -> WebAnswer:
        """Ask for a path; with a body, send a form."""
        form = b"application/x-www-form-urlencoded"
        headers = [(b"host", self.host.encode())]
        if self.cookie:
            headers.append((b"cookie", self.cookie.encode("latin-1")))
        if body is not None:
            headers += [(b"content-type", form), (b"sec-fetch-site", b"same-origin")]
            headers.append((b"content-length", str(len(body)).encode()))
        replaced = {name for name, _ in more} | set(without)
        headers = [each for each in headers if each[0] not in replaced] + list(more)
        verb = method or (b"GET" if body is None else b"POST")
        head = RequestHead(target.encode("latin-1"), verb, tuple(headers))
        refused = self.site.refusal(head)
        if isinstance(refused, HTTPStatus):
            refused = WebAnswer(refused)
        self.last = refused or await self.site.handle(head, body or b"")
        return self.last

    async def look(self, target: str, *more: tuple[bytes, bytes]) -> str:
        """Return a page that is there."""
        answer = await self.ask(target, None, *more)
        assert answer.status is HTTPStatus.OK, (target, answer.status)
        return answer.body.decode()

    async def enter(self, link: str) -> WebAnswer:
        """Press the button of a link."""
        key = link.partition("?key=")[2]
        answer = await self.ask("/enter", urlencode({"key": key}).encode())
        set_cookie = dict(answer.headers).get("Set-Cookie", "")
        self.cookie = set_cookie.partition(";")[0]
        return answer

    async def tell(self, line: str, text: str = "", path: str = "/do", **fields: str) -> str:
        """Send a form of a page that was just looked at; return what is answered."""
        seen = await self.look("/")
        form = {**hidden_fields(seen), "line": line, "text": text, **fields}
        answer = await self.ask(path, urlencode(form).encode(), (b"hx-request", b"true"))
        return answer.body.decode()

    async def bring(self, file: bytes, **fields: str) -> str:
        """Send a file by the form of the traffic room; return what is answered."""
        seen = await self.look("/traffic")
        (csrf,) = set(re.findall(r'name="csrf" value="([^"]*)"', seen))
        kind, body = a_form_with_a_file(file, {"csrf": csrf} | fields)
        answer = await self.ask("/import", body, (b"content-type", kind), (b"hx-request", b"true"))
        return answer.body.decode()

    async def press(self, seen: str, number: int = 0, path: str = "/do") -> str:
        """Press a button of an answer that is given, with all that its form holds."""
        form = re.findall(r"<form.*?</form>", seen, re.DOTALL)[number]
        answer = await self.ask(
            path, urlencode(hidden_fields(form)).encode(), (b"hx-request", b"true")
        )
        return answer.body.decode()


def hidden_fields(seen: str) -> dict[str, str]:
    """Return the hidden fields of the first form that gives a command."""
    forms = re.findall(r"<form.*?</form>", seen, re.DOTALL)
    form = next(each for each in forms if 'name="once"' in each)
    pairs = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    return {name: unescape(value) for name, value in pairs}


def a_form_with_a_file(file: bytes, fields: Mapping[str, str]) -> tuple[bytes, bytes]:
    """Return the kind and the body of a form that brings a file, as browsers write them."""
    mark = b"----WebKitFormBoundary7MA4YWxkTrZu0gW"
    heads = {
        f'Content-Disposition: form-data; name="{name}"': value.encode()
        for name, value in fields.items()
    }
    heads['Content-Disposition: form-data; name="file"; filename="r.json"'] = file
    parts = (head.encode() + b"\r\n\r\n" + value for head, value in heads.items())
    body = b"".join(b"--" + mark + b"\r\n" + part + b"\r\n" for part in parts)
    return b"multipart/form-data; boundary=" + mark, body + b"--" + mark + b"--\r\n"


def asked_line(line: str) -> str:
    """Return the address of a command that only looks."""
    return f"/ask?line={quote(line)}"


@dataclass
class PageWorld:
    """A page over a data folder, its clock, and a browser that was let in."""

    program: PageProgram
    site: PageSite
    clock: FakeClock
    browser: Browser
    bind: str = BIND

    async def state(self, agent_id: str = "local") -> MemoryState:
        return (await self.program.agents.get(agent_id)).state

    async def put(self, *records: Record, agent_id: str = "local") -> None:
        agent = await self.program.agents.get(agent_id)
        await agent.steer(lambda _state, _index: [Put(each) for each in records])

    async def new_browser(self, agent_id: str = "local") -> Browser:
        browser = Browser(self.site, host=self.bind)
        await browser.enter(self.program.door.link(Visitor(agent_id=agent_id)))
        return browser


@asynccontextmanager
async def page_world(
    data: Path,
    *,
    language: Language = "zh",
    count: int = 40,
    lines: int = 120,
    bind: str = BIND,
    key_file: Path | None = None,
) -> AsyncIterator[PageWorld]:
    """Open a page on a life of so many memories and lines."""
    settings = _settings(data, language, key_file)
    clock = FakeClock(NOON)
    if lived_before := key_file is None and count + lines > 0:
        await _live(data, language, count, lines)
    async with open_program(settings, "local", bind, clock) as program:
        site = PageSite(program, bind)
        world = PageWorld(program, site, clock, Browser(site), bind)
        if not lived_before:
            await world.put(*a_life(language, count, lines))
        world.browser = await world.new_browser()
        yield world


def _settings(data: Path, language: Language, key_file: Path | None = None) -> Settings:
    zone = "Asia/Shanghai" if language == "zh" else "Europe/Oslo"
    return Settings(data_dir=data, language=language, timezone=zone, memory_key_file=key_file)


_LIVED: Final[dict[tuple[Language, int, int], list[tuple[Path, int, bytes]]]] = {}
"""Of each life the files of its folder, with their rights."""


async def _live(data: Path, language: Language, count: int, lines: int) -> None:
    """Put such a life into a folder. It is lived once: to learn it again costs most of a test."""
    kept = _LIVED.get((language, count, lines))
    if kept is None:
        kept = _LIVED[language, count, lines] = await _kept_life(language, count, lines)
    for path, rights, content in kept:
        (data / path).parent.mkdir(parents=True, exist_ok=True)
        (data / path).write_bytes(content)
        (data / path).chmod(rights)


async def _kept_life(language: Language, count: int, lines: int) -> list[tuple[Path, int, bytes]]:
    life = a_life(language, count, lines)
    with TemporaryDirectory() as folder:
        data = Path(folder)
        settings = _settings(data, language)
        async with open_program(settings, "local", BIND, FakeClock(NOON)) as program:
            agent = await program.agents.get("local")
            await agent.steer(lambda _state, _index: [Put(each) for each in life])
        return [
            (each.relative_to(data), each.stat().st_mode, each.read_bytes())
            for each in sorted(data.rglob("*"))
            if each.is_file()
        ]
