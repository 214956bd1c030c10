"""The memory page under attack: nobody gets in, no script runs, and nothing is done twice."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from html.parser import HTMLParser
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import quote, urlencode

import orjson
import pytest

import bot.page
from bot.conversation.messages import ConversationKey, Sender
from bot.desk.answers import document_text
from bot.desk.documents import Document
from bot.desk.page import MOST_WRONG, Visitor
from bot.page.site import static_files
from bot.texts import page, say
from memory.changes import Correction, Corrections, DiaryLine, Links, Put
from memory.lifecycle.partner_steps import plan_settings
from memory.model import Link, LinkType, Message
from memory.reminder import Reminder
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.ledger import incoming
from tests.fakes.page_world import (
    BIND,
    Browser,
    PageWorld,
    a_form_with_a_file,
    asked_line,
    hidden_fields,
    page_world,
)
from tests.fakes.waiting import until

ROOMS = (
    "/",
    "/search",
    "/search?q=%E8%8A%B1%E7%94%9F",
    "/memory/8",
    "/network",
    "/network.json",
    "/diary?day=2026-03-04",
    "/people",
    "/settings",
    "/traffic",
    "/ask?line=/memory%20review",
    "/file/xiaoxiang.json",
)
PRIVATE = ("花生", "团子", "小林", "手冲")
REFUSED = {400, 403, 404, 405, 411, 413, 414, 415, 421, 429}


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[PageWorld]:
    async with page_world(tmp_path) as opened:
        yield opened


async def link(world: PageWorld, agent_id: str = "local") -> str:
    return world.program.door.link(Visitor(agent_id=agent_id))


def tells_nothing(body: bytes) -> bool:
    return not any(word in body.decode() for word in PRIVATE)


async def test_whoever_came_in_waits_for_no_index_and_no_days(tmp_path: Path) -> None:
    async with page_world(tmp_path):
        pass
    async with page_world(tmp_path, count=0, lines=0) as world:
        await world.browser.look("/")
        await until(lambda: not world.program.supervisor.running)
        agent = await world.program.agents.get("local")
        built, days = agent._writer._recall, dict(world.site._kept._days)

        await world.browser.look("/search?q=%E8%8A%B1%E7%94%9F")

        assert built is not None
        assert agent._writer._recall is built
        assert [each.newest for each in days.values()] == [NOON.date()]
        assert world.site._kept._days == days


async def test_every_room_is_shown_to_whoever_was_let_in(world: PageWorld) -> None:
    for path in ROOMS:
        answer = await world.browser.ask(path)
        headers = dict(answer.headers)

        assert answer.status is HTTPStatus.OK, path
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]


async def test_no_room_is_open_without_a_session(world: PageWorld) -> None:
    for path in ROOMS:
        answer = await Browser(world.site).ask(path)

        assert answer.status is HTTPStatus.FORBIDDEN, path
        assert tells_nothing(answer.body), path


COOKIES = {
    "empty": "",
    "garbage": "xiaoxiang-8090=' OR 1=1 --",
    "another name": "xiaoxiang-8091=WORD",
    "cut short": "xiaoxiang-8090=CUT",
    "in capitals": "XIAOXIANG-8090=WORD",
    "given twice": "xiaoxiang-8090=WORD; xiaoxiang-8090=WORD",
    "very long": "xiaoxiang-8090=" + "a" * 9_000,
    "not text": "xiaoxiang-8090=\xff\xfe\x80",
    "its digest": "xiaoxiang-8090=DIGEST",
}


async def test_no_other_cookie_opens(world: PageWorld) -> None:
    for kind, template in COOKIES.items():
        word = world.browser.cookie.partition("=")[2]
        (digest,) = world.program.door._sessions
        given = template.replace("WORD", word).replace("CUT", word[:-1])
        stranger = Browser(world.site, given.replace("DIGEST", digest))

        answer = await stranger.ask("/")

        assert answer.status is HTTPStatus.FORBIDDEN, kind
        assert tells_nothing(answer.body)


async def test_a_link_works_once_and_only_by_its_button(world: PageWorld) -> None:
    given, one, other = await link(world), Browser(world.site), Browser(world.site)
    path = given.removeprefix(f"http://{BIND}")

    seen = [await one.look(path) for _ in range(3)]
    first = await one.enter(given)
    second = await other.enter(given)

    assert all("<form" in each for each in seen)
    assert first.status is HTTPStatus.SEE_OTHER
    kept = dict(first.headers)["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict"} <= set(kept.split("; "))
    assert second.status is HTTPStatus.FORBIDDEN
    assert not other.cookie
    assert await one.look("/")


@pytest.mark.parametrize("key", ["", "a", "../../", "%00", "' OR '1'='1", "a" * 2_000, "=&key=b"])
async def test_no_other_key_opens(world: PageWorld, key: str) -> None:
    await link(world)
    answer = await Browser(world.site).ask("/enter", f"key={key}".encode())

    assert answer.status is HTTPStatus.FORBIDDEN
    assert "Set-Cookie" not in dict(answer.headers)


async def test_links_and_sessions_end(world: PageWorld) -> None:
    soon, late = await link(world), await link(world)
    world.clock.tick(minutes=9, seconds=59)
    entered = await Browser(world.site).enter(soon)
    world.clock.tick(seconds=1)
    refused = await Browser(world.site).enter(late)
    world.clock.tick(hours=11, minutes=49, seconds=59)
    inside = await world.browser.ask("/")
    world.clock.tick(seconds=1)
    after = await world.browser.ask("/")

    assert entered.status is HTTPStatus.SEE_OTHER
    assert "Max-Age=43200" in dict(entered.headers)["Set-Cookie"].split("; ")
    assert refused.status is HTTPStatus.FORBIDDEN
    assert inside.status is HTTPStatus.OK
    assert after.status is HTTPStatus.FORBIDDEN


async def test_leaving_ends_the_session(world: PageWorld) -> None:
    csrf = hidden_fields(await world.browser.look("/"))["csrf"]
    left = await world.browser.ask("/leave", urlencode({"csrf": csrf}).encode())

    assert left.status is HTTPStatus.SEE_OTHER
    assert (await world.browser.ask("/")).status is HTTPStatus.FORBIDDEN
    assert not world.program.door.is_shut


async def test_guessing_shuts_the_door_to_old_links_only(world: PageWorld) -> None:
    old, thief = await link(world), Browser(world.site)
    for guess in range(MOST_WRONG):
        await thief.ask("/enter", f"key={guess}".encode())
    void = await Browser(world.site).enter(old)
    shut = world.program.door.is_shut
    new = await Browser(world.site).enter(await link(world))

    assert shut
    assert void.status is HTTPStatus.TOO_MANY_REQUESTS
    assert new.status is HTTPStatus.SEE_OTHER
    assert (await world.browser.ask("/")).status is HTTPStatus.OK


class ToldChats:
    """A platform that only keeps what is shown in its chats."""

    def __init__(self) -> None:
        self.shown: list[tuple[ConversationKey, str]] = []

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        self.shown.append((conversation, document_text(document)))


def heard_by(world: PageWorld) -> ToldChats:
    chats = ToldChats()
    world.program.services.platforms = cast("Any", {"telegram": SimpleNamespace(presenter=chats)})
    return chats


async def guess(world: PageWorld, count: int) -> None:
    thief = Browser(world.site)
    for number in range(count):
        await thief.ask("/enter", f"key={number}".encode())


HER_CHAT = ConversationKey(platform="telegram", account="bot", chat="7")
OTHER_CHAT = ConversationKey(platform="telegram", account="bot", chat="8")


async def test_guessing_is_told_once_where_pages_or_links_are_open(world: PageWorld) -> None:
    chats = heard_by(world)
    for number, chat in enumerate((HER_CHAT, HER_CHAT, OTHER_CHAT)):
        visitor = Visitor(agent_id="local", person=f"telegram:{number}", place=chat)
        given = world.program.door.link(visitor)
        if number == 0:
            await Browser(world.site).enter(given)
    await guess(world, MOST_WRONG - 1)
    before = list(chats.shown)
    await guess(world, 3 * MOST_WRONG)

    assert before == []
    assert {chat for chat, _ in chats.shown} == {HER_CHAT, OTHER_CHAT}
    assert len(chats.shown) == 2
    assert all(say("zh", page.TOO_MANY_WRONG) == text.strip() for _, text in chats.shown)


async def test_guessing_is_told_the_owners_where_no_page_is_open(world: PageWorld) -> None:
    chats, people = heard_by(world), world.program.services.ledger.people
    await people.note_owner(incoming("1", conversation=HER_CHAT), world.clock.now())
    await people.knock(
        incoming("2", conversation=OTHER_CHAT, sender=Sender(id="9", name="小王")),
        world.clock.now(),
    )
    world.program.door.end_all("local")
    await guess(world, MOST_WRONG)

    assert [chat for chat, _ in chats.shown] == [HER_CHAT]


async def test_guesses_over_a_long_time_shut_nothing(world: PageWorld) -> None:
    for _ in range(2 * MOST_WRONG):
        await guess(world, 1)
        world.clock.tick(minutes=2)

    assert not world.program.door.is_shut


async def test_forged_cookies_count_as_guesses_and_ended_sessions_do_not(world: PageWorld) -> None:
    kept = world.browser.cookie
    world.program.door.end_all("local")
    for _ in range(2 * MOST_WRONG):
        await Browser(world.site, kept).ask("/")
    shut_by_ended = world.program.door.is_shut
    for number in range(MOST_WRONG):
        await Browser(world.site, f"xiaoxiang-8090=w{number}").ask("/")

    assert not shut_by_ended
    assert world.program.door.is_shut


FORGED: dict[str, tuple[dict[str, str], tuple[tuple[bytes, bytes], ...]]] = {
    "no word": ({"csrf": ""}, ()),
    "a guessed word": ({"csrf": "a" * 43}, ()),
    "a word that is no text": ({"csrf": "\udcff密"}, ()),
    "another session's word": ({"csrf": "OTHER"}, ()),
    "from another site": ({}, ((b"sec-fetch-site", b"cross-site"),)),
    "from a sister site": ({}, ((b"sec-fetch-site", b"same-site"),)),
    "another origin": ({}, ((b"origin", b"https://evil.example"),)),
    "another port": ({}, ((b"origin", b"http://127.0.0.1:9999"),)),
    "an origin that is none": ({}, ((b"origin", b"http://["),)),
    "two origins": ({}, ((b"origin", b"http://127.0.0.1:8090"), (b"origin", b"http://evil"))),
    "as JSON": ({}, ((b"content-type", b"application/json"),)),
    "as plain text": ({}, ((b"content-type", b"text/plain"),)),
    "as parts": ({}, ((b"content-type", b"multipart/form-data; boundary=x"),)),
    "another host": ({}, ((b"host", b"evil.example"),)),
}


@pytest.mark.parametrize("kind", FORGED)
async def test_a_forged_form_changes_nothing(world: PageWorld, kind: str) -> None:
    fields, headers = FORGED[kind]
    other = await world.new_browser()
    stolen = hidden_fields(await other.look("/"))["csrf"]
    form = hidden_fields(await world.browser.look("/")) | {"line": "/memory pin #8"}
    form |= {name: value.replace("OTHER", stolen) for name, value in fields.items()}
    before = await world.state()

    sent = urlencode(form, errors="surrogatepass").encode()
    answer = await world.browser.ask("/do", sent, *headers)

    assert await world.state() is before
    assert int(answer.status) in REFUSED or "什么都没有做" in answer.body.decode()


async def test_a_word_given_twice_counts_for_none(world: PageWorld) -> None:
    form = hidden_fields(await world.browser.look("/")) | {"line": "/memory pin #8"}
    before = await world.state()
    await world.browser.ask("/do", f"{urlencode(form)}&csrf={form['csrf']}".encode())

    assert await world.state() is before


async def test_no_body_is_read_of_who_has_no_session(world: PageWorld) -> None:
    for path in ("/do", "/preview", "/leave", "/memory/8/open"):
        answer = await Browser(world.site).ask(path, b"line=/memory+pin+%238")
        assert answer.status is HTTPStatus.FORBIDDEN
        assert tells_nothing(answer.body)


async def test_a_button_pressed_after_the_session_says_that_the_door_is_closed(
    world: PageWorld,
) -> None:
    form = urlencode(hidden_fields(await world.browser.look("/"))).encode()
    world.program.door.end_all("local")
    for path in ("/do", "/preview", "/leave", "/memory/8/open"):
        whole = await world.browser.ask(path, form)
        part = await world.browser.ask(path, form, (b"hx-request", b"true"))

        assert "门关着" in whole.body.decode(), path
        assert "门关着" in part.body.decode(), path
        assert b"<!doctype" in whole.body
        assert b"<html" not in part.body


async def test_the_longest_question_of_the_field_is_searched_in_any_script(
    world: PageWorld,
) -> None:
    for sought in ("花" * 400, "👍🏽" * 100, "ü" * 400):
        assert (await world.browser.ask(f"/search?q={quote(sought)}")).status is HTTPStatus.OK
    longer = await world.browser.ask(f"/search?q={'a' * 5_000}")

    assert longer.status is HTTPStatus.REQUEST_URI_TOO_LONG
    assert "太长" in longer.body.decode()


@pytest.mark.parametrize("count", [5, 7, 8])
async def test_so_many_browsers_stay_in_as_may(world: PageWorld, count: int) -> None:
    browsers = [world.browser, *[await world.new_browser() for _ in range(count - 1)]]

    assert all([(await each.ask("/")).status is HTTPStatus.OK for each in browsers])


async def test_so_many_links_stay_open_as_may(world: PageWorld) -> None:
    given = [await link(world) for _ in range(7)]
    entered = [await Browser(world.site).enter(each) for each in given]

    assert {each.status for each in entered} == {HTTPStatus.SEE_OTHER}


HOSTS = (
    b"evil.example",
    b"127.0.0.1",
    b"127.0.0.1:80",
    b"localhost.evil.example:8090",
    b"127.0.0.1:8090.evil.example",
    b"user@127.0.0.1:8090",
    b"127.0.0.1:8090, evil.example",
    b"",
    b"[::]:8090",
    b"0.0.0.0:8090",
)


async def test_the_page_answers_to_its_own_name_only(world: PageWorld) -> None:
    for host in HOSTS:
        answer = await world.browser.ask("/", None, (b"host", host))

        assert answer.status is HTTPStatus.MISDIRECTED_REQUEST, host
        assert not answer.body


async def test_two_hosts_or_none_are_refused(world: PageWorld) -> None:
    two = await world.browser.ask("/", None, (b"host", BIND.encode()), (b"host", b"evil"))
    none = await world.browser.ask("/", without=(b"host",))

    assert {two.status, none.status} == {HTTPStatus.MISDIRECTED_REQUEST}


PATHS = (
    "/../../etc/passwd",
    "/static/../site.py",
    "/static/%2e%2e/site.py",
    "/static/..%2fsite.py",
    "/static/..\\site.py",
    "//evil.example/",
    "/static//page.css",
    "/static/page.css%00",
    "/static/page.css;x",
    "/static/",
    "/templates/base.html",
    "/site.py",
    "/memory/8/../9",
    "/memory/-1",
    "/memory/8 ",
    "/memory/９",
    "/memory/99999999999999999999",
    "/file/../../etc/passwd",
    "/file/x.py",
    "/admin",
    "/" + "a" * 3_000,
    "/search?" + "q=a&" * 900,
    "http://evil.example/",
    "*",
)


async def test_no_path_leads_elsewhere(world: PageWorld) -> None:
    for path in PATHS:
        answer = await world.browser.ask(path.encode("utf-8").decode("latin-1"))

        assert int(answer.status) in REFUSED, path
        assert b"root:" not in answer.body
        assert b"import " not in answer.body


async def test_only_what_is_served_is_served() -> None:
    kinds = {Path(name).suffix for name in static_files()}

    assert kinds == {".css", ".js", ".svg"}
    assert sum(len(content) for content, _ in static_files().values()) < 150_000


def test_what_was_brought_along_is_as_it_came() -> None:
    folder = Path(bot.page.__file__).parent / "static/vendor"
    listed = (folder / "SHA256SUMS").read_text("utf-8").split()
    sums = dict(zip(listed[1::2], listed[::2], strict=True))
    found = {each.name: sha256(each.read_bytes()).hexdigest() for each in folder.glob("*.js")}

    assert found == sums
    assert all(name in (folder / "LICENCES").read_text("utf-8") for name in sums)


@pytest.mark.parametrize(
    "line",
    [
        "/memory pin #8",
        "/forget #8",
        "/undo",
        "/agents",
        "/people",
        "/link",
        "/page",
        "/memory law network",
        "memory list",
        "/memory list\n/undo",
        "",
        "<script>",
    ],
)
async def test_a_link_cannot_change_anything(world: PageWorld, line: str) -> None:
    before = await world.state()
    answer = await world.browser.ask(asked_line(line))

    assert await world.state() is before
    assert int(answer.status) in REFUSED


@pytest.mark.parametrize("line", ["/agents", "/page", "/link", "/people", "/unlink", "/stop", "x"])
async def test_some_commands_are_for_the_chat_only(world: PageWorld, line: str) -> None:
    assert "在聊天里" in await world.browser.tell(line)


@pytest.mark.parametrize("path", ["/do", "/preview", "/leave", "/memory/8/open"])
async def test_a_form_is_not_followed_as_a_link(world: PageWorld, path: str) -> None:
    before = await world.state()
    answer = await world.browser.ask(f"{path}?line={quote('/memory pin #8')}")

    assert answer.status is HTTPStatus.NOT_FOUND
    assert await world.state() is before
    assert (await world.browser.ask("/")).status is HTTPStatus.OK


async def test_a_session_sees_its_own_agent_only(world: PageWorld) -> None:
    await world.put(a_memory(900, "另一个人的秘密计划"), agent_id="other")
    theirs = await world.new_browser("other")

    assert "秘密计划" in await theirs.look("/memory/900")
    assert (await world.browser.ask("/memory/900")).status is HTTPStatus.NOT_FOUND
    assert (await theirs.ask("/memory/8")).status is HTTPStatus.NOT_FOUND
    for path in (*ROOMS[:3], *ROOMS[4:11], "/search?q=%E7%A7%98%E5%AF%86%E8%AE%A1%E5%88%92"):
        assert "的秘密计划" not in await world.browser.look(path), path
    for path in ROOMS[4:11]:
        assert tells_nothing((await theirs.ask(path)).body), path
    await world.browser.tell("/memory pin #900")
    assert not (await world.state("other")).memory(900).nature.pinned


EVIL = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "{{ 7*7 }}{% raw %}<b>",
    "</title></style></textarea><script src=//evil.example></script>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a> hx-get=/leave",
)


class Reader(HTMLParser):
    """Notes whatever could run a script or ask another server."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.wrong += [f"{tag} {name}" for name in given if name.startswith("on")]
        self.wrong += [f"{tag} {name}" for name in given if name in {"style", "hx-on", "srcdoc"}]
        for name in ("href", "src", "action", "hx-post", "hx-get"):
            value = given.get(name, "/")
            inside = value.startswith(("/", "#")) and not value.startswith("//")
            if not inside and not value.startswith("data:image/svg+xml;base64,"):
                self.wrong.append(f"{tag} {name}={value}")
        if tag == "script":
            self.scripts.append(given.get("src", "inline"))
        if tag in {"iframe", "object", "embed", "base", "style"}:
            self.wrong.append(tag)


def what_runs(seen: str) -> list[str]:
    reader = Reader()
    reader.feed(seen)
    foreign = [each for each in reader.scripts if not each.startswith("/static/")]
    return reader.wrong + foreign


@pytest.mark.parametrize("evil", EVIL)
async def test_no_word_of_anybody_runs(world: PageWorld, evil: str) -> None:
    link = Link(target=8, strength=0.9, type=LinkType.KEYWORD, relation=evil)
    memory = a_memory(500, evil, keywords=(evil,))
    named = replace(memory, origin=replace(memory.origin, speaker=evil, quote=evil))
    said = Message(id="s500", at=NOON, speaker=evil, role="user", text=evil)
    corrected = Correction(at=NOON, reason=evil, before=evil, after=evil)
    await world.put(
        replace(named, passages=(replace(named.passages[0], text=evil, speaker=evil),)),
        Links(source=500, links=(link,)),
        Links(source=8, links=(replace(link, target=500),)),
        DiaryLine(message=said, conversation=evil, number=9_000),
        Corrections(memory_id=500, entries=(corrected,)),
        Reminder(id=9, text=evil, first_at=NOON + timedelta(days=2), zone="UTC", made_at=NOON),
    )
    agent = await world.program.agents.get("local")
    settings = replace(agent.settings, partner=evil[:20])
    await agent.steer(lambda state, _: plan_settings(state, settings, NOON, "settings"))
    looked = ["/memory/500", f"/search?q={quote(evil)}", f"/diary?day={quote(evil)}"]
    looked += [asked_line("/memory show #500"), asked_line("/memory graph #500")]
    looked += [asked_line(f"/memory search {evil}"), asked_line("/memory associations #8")]
    for path in (*ROOMS[:5], *ROOMS[6:11], *looked):
        assert not what_runs(await world.browser.look(path)), path
    for path in (
        f"/search?tier={quote(evil)}",
        f"/diary?month={quote(evil)}",
        f"/enter?key={quote(evil)}",
    ):
        assert not what_runs(await world.browser.look(path)), path
    assert not what_runs(await world.browser.tell("/remember", evil))
    assert not what_runs(await world.browser.tell(evil))
    assert not what_runs(await world.browser.tell("/memory set partner", evil[:12], "/preview"))


async def test_a_form_counts_once(world: PageWorld) -> None:
    seen = await world.browser.look("/")
    form = hidden_fields(seen) | {"line": "/remember", "text": "我养了一只叫阿福的鹦鹉"}
    sent = urlencode(form).encode()
    await world.browser.ask("/do", sent)
    after = await world.state()
    again = await world.browser.ask("/do", sent)

    assert any("阿福" in m.words.text for m in after.memories.values())
    assert "已经做过了" in again.body.decode()
    assert await world.state() is after


async def test_a_preview_never_confirms(world: PageWorld) -> None:
    shown = await world.browser.tell("/memory set retention_floor", "0.5", "/preview")
    (confirm,) = re.findall(r'value="(/memory set [^"]*ok-[^"]*)"', shown)
    before = await world.state()
    refused = await world.browser.tell(confirm, path="/preview")

    assert "在聊天里" in refused
    assert await world.state() is before
    await world.browser.press(shown)
    assert (await world.state()).agent_info.settings.retention_floor == 0.5


@pytest.mark.parametrize(
    ("line", "refused"),
    [("/memory law network", False), ("/memory pin #8", True), ("/forget #8", True), ("", True)],
)
async def test_only_settings_are_previewed(world: PageWorld, line: str, *, refused: bool) -> None:
    before = await world.state()
    shown = await world.browser.tell(line, path="/preview")

    assert ("在聊天里" in shown) is refused
    assert await world.state() is before


async def test_correct_undo_and_erase_are_the_desks_own(world: PageWorld) -> None:
    before = (await world.state()).memory(8).words.text
    corrected = await world.browser.tell("/memory edit #8", "我住在青岛")
    assert "我住在青岛" in corrected
    await world.browser.press(await world.browser.press(corrected))
    assert (await world.state()).memory(8).words.text == before
    preview = await world.browser.tell("/forget #8")
    assert 8 in (await world.state()).memories
    assert "ok-" in preview
    receipt = await world.browser.press(preview)
    assert 8 not in (await world.state()).memories
    assert "重新检查了所有文件" in receipt
    assert (await world.browser.ask("/memory/8")).status is HTTPStatus.NOT_FOUND


async def test_an_answer_is_a_whole_page_without_script(world: PageWorld) -> None:
    form = hidden_fields(await world.browser.look("/")) | {"line": "/memory pin #8", "text": ""}
    answer = await world.browser.ask("/do", urlencode(form).encode())

    assert answer.body.startswith(b"<!doctype html>")
    assert (await world.state()).memory(8).nature.pinned


async def test_the_network_holds_numbers_and_short_labels_only(world: PageWorld) -> None:
    secret = "很长的一句话" * 30
    await world.put(a_memory(700, secret))
    agent = await world.program.agents.get("local")
    await agent.steer(lambda _state, _index: [Put(a_memory(701, "后来"))])
    seen = await world.browser.look("/network.json")

    assert secret not in seen
    assert '"nodes":[[' in seen
    assert len(seen) < 20_000


async def test_she_is_let_begin_on_the_page_of_settings(world: PageWorld) -> None:
    seen = await world.browser.look("/settings")
    forms = re.findall(r"<form.*?</form>", seen, re.DOTALL)
    (number,) = (n for n, form in enumerate(forms) if 'value="/initiative on"' in form)

    answer = await world.browser.press(seen, number)

    assert "别主动找我" in answer
    assert 'value="/initiative off"' in await world.browser.look("/settings")


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_outside_among_several_workers_it_is_said_whose_links_count(
    world: PageWorld, monkeypatch: pytest.MonkeyPatch, language: Any
) -> None:
    monkeypatch.setattr(world.site, "_program", replace(world.program, language=language))
    world.program.door.end_all("local")
    told = say(language, page.LABELS["outside_together"])
    alone = await world.browser.ask("/")
    monkeypatch.setattr(world.program.services, "worker", lambda: (3, 1))

    assert told not in alone.body.decode()
    assert told in (await world.browser.ask("/")).body.decode()


async def test_what_was_taken_along_is_brought_in_again(tmp_path: Path) -> None:
    async with page_world(tmp_path / "a", count=9, lines=0) as one:
        taken = (await one.browser.ask("/file/xiaoxiang.json")).body
    async with page_world(tmp_path / "b", count=0, lines=0) as other:
        shown = await other.browser.bring(taken)
        before = await other.state()
        done = await other.browser.press(shown)
        after = await other.state()
        undone = await other.browser.press(await other.browser.press(done))

    assert "ok-" in shown
    assert not before.memories
    assert {each.words.text for each in after.memories.values()} >= {"我对花生过敏，吃一点就会喘"}
    assert "变回原样" in undone or "撤销" in undone


async def test_a_chat_that_telegram_exported_is_brought_in(world: PageWorld) -> None:
    line = {"id": 1, "type": "message", "date_unixtime": "1760000000", "from": "阿May",
            "from_id": "user7", "text": "我在学潜水"}  # fmt: skip
    chat = {"name": "小祥", "type": "personal_chat", "id": 7, "messages": [line]}
    asked = await world.browser.bring(orjson.dumps(chat))
    shown = await world.browser.press(asked)
    brought = await world.browser.press(shown)

    assert "阿May" in asked
    assert "ok-" in shown
    assert "1" in brought
    assert any(each.message.text == "我在学潜水" for each in (await world.state()).diary.values())


FILES_REFUSED = {
    "no JSON": b"\x89PNG\r\n\x1a\n",
    "nothing": b"",
    "a bomb": b"[" * 500_000,
    "of somebody else": b'{"a": 1}',
    "script": b"<script>alert(1)</script>",
    "its own boundary": b"\r\n------WebKitFormBoundary7MA4YWxkTrZu0gW--\r\n",
}


@pytest.mark.parametrize("kind", FILES_REFUSED)
async def test_no_other_file_comes_in(world: PageWorld, kind: str) -> None:
    before = await world.state()
    shown = await world.browser.bring(FILES_REFUSED[kind])

    assert "ok-" not in shown
    assert not what_runs(shown)
    assert await world.state() is before


@pytest.mark.parametrize("kind", ["no word", "a guessed word", "twice", "another line"])
async def test_a_forged_form_brings_no_file(world: PageWorld, kind: str) -> None:
    csrf = hidden_fields(await world.browser.look("/"))["csrf"]
    fields = {
        "no word": {},
        "a guessed word": {"csrf": "a" * 43},
        "twice": {"csrf": csrf},
        "another line": {"csrf": csrf, "line": "/memory pin #8"},
    }[kind]
    content, body = a_form_with_a_file(b"{}", fields)
    if kind == "twice":
        body = body.replace(b'name="file"; filename="r.json"', b'name="csrf"')
    before = await world.state()
    answer = await world.browser.ask("/import", body, (b"content-type", content))

    assert "ok-" not in answer.body.decode()
    assert await world.state() is before


HEADS_OF_FORMS: dict[str, tuple[str, bytes, dict[bytes, bytes]]] = {
    "a long form that brings no file": ("/do", b"", {b"content-length": b"1048577"}),
    "a file where none is taken": ("/do", b"multipart/form-data; boundary=x", {}),
    "too large a file": (
        "/import", b"multipart/form-data; boundary=x", {b"content-length": b"21037057"},
    ),
    "endless digits": ("/do", b"", {b"content-length": b"9" * 400}),
    "no length": ("/do", b"", {b"content-length": b""}),
    "a length below nothing": ("/do", b"", {b"content-length": b"-1"}),
    "fields as a file": ("/import", b"application/x-www-form-urlencoded", {}),
}  # fmt: skip


@pytest.mark.parametrize("kind", HEADS_OF_FORMS)
async def test_a_form_is_refused_by_its_head(world: PageWorld, kind: str) -> None:
    path, content, replaced = HEADS_OF_FORMS[kind]
    headers = [(b"content-type", content)] if content else []
    answer = await world.browser.ask(path, b"line=x", *headers, *replaced.items())

    assert int(answer.status) in REFUSED
    assert not answer.body
