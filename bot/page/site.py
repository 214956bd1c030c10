"""The page as a site of the web server: who is asked, what is refused, and which room answers.

Everything is checked here once: the name the page was called by, the session, and of what changes
something also the form's own words. Rooms get a :class:`~bot.page.rooms.Visit` and nothing of the
request.
"""

import asyncio
import hmac
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from bot.conversation.messages import ConversationKey
from bot.desk.documents import Document, Text
from bot.desk.page import PageSession, Visitor
from bot.identity import AccessLevel, Author
from bot.page import PageProgram
from bot.page.kept import Kept
from bot.page.rendering import (
    WITH_FILE,
    Form,
    Page,
    answer,
    fields_of,
    form_of,
    go,
    is_foreign,
    refused_kind,
    rendered,
)
from bot.page.rooms import (
    AHEAD_PATIENCE,
    PATIENCE,
    ROOMS,
    Visit,
    brought_in,
    carried_out,
    exported,
    memory_room,
    one_line,
    previewed,
    seal_asked,
)
from bot.texts import page, say
from bot.web import RequestHead, WebAnswer, host_and_port, is_loopback
from memory.errors import UnknownMemory

HTML: Final = "text/html; charset=utf-8"

LONGEST_TARGET: Final = 4_096
"""In bytes; the longest question that the field of the search takes fits, whatever its script."""

MOST_FIELDS: Final = 40

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)

SAFE_HEADERS: Final = (
    (
        "Content-Security-Policy",
        _POLICY,
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)

PRIVATE: Final = (*SAFE_HEADERS, ("Cache-Control", "no-store"))

_STATIC: Final = Path(__file__).parent / "static"

_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

_PATH: Final = re.compile(r"/[A-Za-z0-9._/-]*")
_MEMORY: Final = re.compile(r"/memory/([0-9]{1,18})(/open)?")

Room: TypeAlias = Callable[[Visit], Awaitable[Page]]

FORMS: Final[Mapping[str, Room]] = {
    "/do": carried_out,
    "/preview": previewed,
    WITH_FILE: brought_in,
}


def static_files() -> dict[str, tuple[bytes, str]]:
    """Return what may be asked for by name: content and kind; never a path of the disk."""
    found = (each for each in sorted(_STATIC.rglob("*")) if each.suffix in _KINDS)
    return {
        f"/static/{each.relative_to(_STATIC).as_posix()}": (each.read_bytes(), _KINDS[each.suffix])
        for each in found
    }


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request as far as it was read."""

    path: str
    query: Mapping[str, str]
    cookie: str
    by_script: bool


class PageSite:
    """Every path of the page; as a :class:`bot.web.WebSite`."""

    path: Final = "/{rest:path}"
    method: Final = "GET HEAD POST"
    proven_by_head: Final = False

    def __init__(self, program: PageProgram, bind: str) -> None:
        self._program = program
        self._kept = Kept()
        self._static = static_files()
        everything = b"".join(content for content, _ in self._static.values())
        self._version = sha256(everything).hexdigest()[:12]
        address = urlsplit(program.door.address)
        self._secure = address.scheme == "https"
        port = host_and_port(bind)[1]
        self._cookie = f"__Host-xiaoxiang-{port}" if self._secure else f"xiaoxiang-{port}"
        self._hosts = {address.netloc}
        if is_loopback(address.hostname):
            self._hosts |= {f"{name}:{port}" for name in ("localhost", "127.0.0.1", "[::1]")}
        self._origins = frozenset(f"{address.scheme}://{host}" for host in self._hosts)

    def refusal(self, head: RequestHead) -> HTTPStatus | WebAnswer | None:
        """Refuse what no browser of the partner's sends, before its body is read."""
        host = head.header(b"host")
        if host is None or host.decode("latin-1").lower() not in self._hosts:
            return HTTPStatus.MISDIRECTED_REQUEST
        path, _, _ = head.target.partition(b"?")
        readable = _PATH.fullmatch(path.decode("latin-1"))
        fields = head.target.count(b"&")
        if not readable or b".." in path or b"//" in path or fields > MOST_FIELDS:
            return HTTPStatus.BAD_REQUEST
        if len(head.target) > LONGEST_TARGET:
            status = HTTPStatus.REQUEST_URI_TOO_LONG
            return self._outside("outside.html", status, title="answer", said="long_address")
        return self._refused_post(head, path) if head.method == b"POST" else None

    def _refused_post(self, head: RequestHead, path: bytes) -> HTTPStatus | WebAnswer | None:
        refused = refused_kind(head, path)
        if refused is not None:
            return refused
        if is_foreign(head, self._origins):
            return HTTPStatus.FORBIDDEN
        if path != b"/enter" and self._program.door.session(self._word(head)) is None:
            return self._outside("outside.html", HTTPStatus.FORBIDDEN, partial=_by_script(head))
        return None

    async def handle(self, head: RequestHead, body: bytes) -> WebAnswer:
        """Answer a request that was not refused by its head."""
        path, _, query = head.target.decode("latin-1").partition("?")
        if path in self._static:
            content, kind = self._static[path]
            headers = (*SAFE_HEADERS, ("Cache-Control", "max-age=86400"))
            return WebAnswer(HTTPStatus.OK, content, kind, headers)
        await self._program.supervisor.turns.let_pass(PATIENCE)
        asked = _Asked(path, fields_of(query), self._word(head), _by_script(head))
        form = form_of(head, body) if head.method == b"POST" else None
        if path == "/enter":
            return await self._enter(asked, form)
        session = self._program.door.session(asked.cookie)
        if session is None or not await self._may_stay(session):
            return await self._no_session(asked)
        return await self._inside(asked, session, form)

    def _word(self, head: RequestHead) -> str:
        """Return what the browser keeps; empty unless it is there exactly once."""
        given = (head.header(b"cookie") or b"").decode("latin-1")
        pairs = [each.strip().partition("=") for each in given.split(";")]
        found = [value for name, _, value in pairs if name == self._cookie]
        return found[0] if len(found) == 1 else ""

    async def _enter(self, asked: _Asked, form: Form | None) -> WebAnswer:
        if form is None:
            return self._outside("enter.html", HTTPStatus.OK, key=asked.query.get("key", ""))
        word = self._program.door.enter(form.fields.get("key", ""))
        if word is None:
            await self._note_wrong()
            shut = self._program.door.is_shut
            status = HTTPStatus.TOO_MANY_REQUESTS if shut else HTTPStatus.FORBIDDEN
            return self._outside("outside.html", status, said="outside_wrong")
        return WebAnswer(
            HTTPStatus.SEE_OTHER,
            headers=(*PRIVATE, ("Location", "/"), ("Set-Cookie", self._set_cookie(word, 43_200))),
        )

    def _set_cookie(self, word: str, seconds: int) -> str:
        secure = "; Secure" if self._secure else ""
        kept = f"Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        return f"{self._cookie}={word}; {kept}"

    async def _no_session(self, asked: _Asked) -> WebAnswer:
        cookie = asked.cookie
        if cookie and not self._program.door.was_session(cookie):
            await self._note_wrong()
        clear = (("Set-Cookie", self._set_cookie("", 0)),) if cookie else ()
        status = HTTPStatus.FORBIDDEN
        return self._outside("outside.html", status, clear, partial=asked.by_script)

    async def _note_wrong(self) -> None:
        """Count a wrong key; who has a page open, or else the owners, are told of too many."""
        places = self._program.door.note_wrong()
        if places is None:
            return
        told = Document((Text(say(self._program.language, page.TOO_MANY_WRONG)),))
        for place in places or await _homes(self._program):
            await self._program.services.show_in(place, told)

    def _outside(
        self,
        template: str,
        status: HTTPStatus,
        more: tuple[tuple[str, str], ...] = (),
        **values: object,
    ) -> WebAnswer:
        """Answer whoever is not inside; nothing of anybody's memory is in it."""
        values["together"] = self._program.services.worker() is not None
        values["in_chat"] = bool(self._program.services.platforms)
        text = rendered(template, language=self._program.language, version=self._version, **values)
        return WebAnswer(status, text, HTML, (*PRIVATE, *more))

    async def _may_stay(self, session: PageSession) -> bool:
        """Whether whoever was let in may still talk, in a chat that still has that memory."""
        visitor, services = session.visitor, self._program.services
        if visitor.place is None:
            return True
        bound = await services.ledger.bindings.agent_id(visitor.place, private=True)
        if bound == visitor.agent_id and level_of(visitor, self._program) is not None:
            return True
        self._program.door.end(session)
        return False

    async def _inside(self, asked: _Asked, session: PageSession, form: Form | None) -> WebAnswer:
        agent = await self._program.agents.get(session.visitor.agent_id)
        visit = Visit(
            program=self._program,
            kept=self._kept,
            session=session,
            agent=agent,
            now=self._program.clock.now(),
            level=level_of(session.visitor, self._program) or AccessLevel.ALLOWED,
            query=asked.query,
            form=form or Form(),
        )
        if form is not None and not _has_token(form.fields, session):
            return self._shown(visit, one_line(visit, page.FORM_TOO_OLD), asked)
        try:
            found = await self._room(asked, visit, posts=form is not None)
        except UnknownMemory as error:
            line = say(visit.language, page.NO_SUCH_MEMORY, id=error.memory_id)
            found = answer(Document((Text(line),)), 404)
        await visit.give_way()
        if not session.warmed:  # now and not before: the first room would wait for it
            session.warmed = True
            self._program.supervisor.start("warming the page", _warm(visit))
        return self._shown(visit, found, asked)

    async def _room(self, asked: _Asked, visit: Visit, *, posts: bool) -> Page:
        if posts:
            return await self._changed(asked.path, visit)
        named = _MEMORY.fullmatch(asked.path)
        if named is not None and not named[2]:
            return await memory_room(visit, int(named[1]))
        if asked.path == "/network.json":
            drawn = await asyncio.to_thread(visit.kept.network, visit.call, visit.pace)
            return Page(data=drawn)
        if asked.path.startswith("/file/"):
            return await exported(visit, asked.path.removeprefix("/file/"))
        found = ROOMS.get(asked.path)
        return one_line(visit, page.NO_SUCH_ROOM, 404) if found is None else await found(visit)

    async def _changed(self, path: str, visit: Visit) -> Page:
        """Answer a form."""
        if path == "/leave":
            self._program.door.end(visit.session)
            return go("/")
        named = _MEMORY.fullmatch(path)
        if named is not None and named[2]:
            return await seal_asked(visit, int(named[1]))
        form = FORMS.get(path)
        return one_line(visit, page.NO_SUCH_ROOM, 405) if form is None else await form(visit)

    def _shown(self, visit: Visit, found: Page, asked: _Asked) -> WebAnswer:
        if found.location:
            return WebAnswer(
                HTTPStatus.SEE_OTHER, headers=(*PRIVATE, ("Location", found.location))
            )
        if found.data is not None:
            name = (("Content-Disposition", f'attachment; filename="{found.name}"'),)
            more = name if found.name else ()
            kind = "application/octet-stream" if found.name else "application/json"
            return WebAnswer(HTTPStatus.OK, found.data, kind, (*PRIVATE, *more))
        text = rendered(
            found.template,
            language=visit.language,
            version=self._version,
            visit=visit,
            partial=asked.by_script,
            **found.values,
        )
        return WebAnswer(HTTPStatus(found.status), text, HTML, PRIVATE)


async def _warm(visit: Visit) -> None:
    """Load what the first search would wait for, in threads, while the visitor looks around.

    What changes meanwhile is taken in by whoever asks next.
    """
    # Asked for what it is read off: every index, that of the search first.
    await visit.agent.name_of_partner()
    await visit.give_way()
    pace = visit.program.supervisor.turns.pace(AHEAD_PATIENCE)
    await asyncio.to_thread(visit.kept.days, visit.call, pace)


def level_of(visitor: Visitor, program: PageProgram) -> AccessLevel | None:
    """Return what a visitor may do now; None if they may talk no more."""
    access, place = program.services.access, visitor.place
    if access is None or place is None:
        return AccessLevel.OWNER
    sender = visitor.person.removeprefix(f"{place.platform}:")
    level = access.level_of(Author(place.platform, sender, place.chat))
    return None if level in {AccessLevel.STRANGER, AccessLevel.MACHINE} else level


async def _homes(program: PageProgram) -> tuple[ConversationKey, ...]:
    found = await program.services.ledger.people.everybody()
    return tuple(e.home for e in found if e.state == "owner" and e.home is not None)


def _by_script(head: RequestHead) -> bool:
    """Whether the answer is put into the page that asks for it."""
    return head.header(b"hx-request") == b"true"


def _has_token(form: Mapping[str, str], session: PageSession) -> bool:
    given = form.get("csrf", "").encode("utf-8", "replace")
    return hmac.compare_digest(given, session.csrf.encode())
