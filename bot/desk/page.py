"""Who may enter the memory page: one-time links, sessions, and ``/page``, which hands them out.

A link opens once, for ten minutes, and only by a button on the page it leads to: a messenger that
looks at a link to show a preview does not use it up. Everything is kept in memory only, as digests
of random words, so a restart ends every session. Looking up a digest takes a time that says
nothing of the words.
"""

import secrets
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from bot.conversation.messages import CHINESE_NAMES, ConversationKey
from bot.desk.answers import one_sentence
from bot.desk.command import Argument, Call, Policy, Spec
from bot.desk.documents import Button, Buttons, Document, Text
from bot.texts import dialogue, page
from memory.ports import Clock

LINK_LIFE: Final = timedelta(minutes=10)
SESSION_LIFE: Final = timedelta(hours=12)
OPENED_FOR: Final = timedelta(minutes=5)
"""How long a sealed memory may be read on the page after a yes in the chat."""

MOST_WRONG: Final = 10
WRONG_SPAN: Final = timedelta(minutes=10)
"""After so many wrong keys within such a time every open link is void, for as long again."""

MOST_SESSIONS: Final = 8
MOST_LINKS: Final = 8
"""Of one agent; the oldest makes room."""

_MOST_ENDED: Final = 64
_MOST_USED: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Whose page it is: the agent, and who asked for it in which chat; no chat for the shell."""

    agent_id: str
    person: str = ""
    place: ConversationKey | None = None


@dataclass(eq=False, slots=True, kw_only=True)
class PageSession:
    """One browser that was let in. ``csrf`` stands in each of its forms.

    ``warmed`` says that what its first search needs is being loaded.
    """

    visitor: Visitor
    until: datetime
    csrf: str
    warmed: bool = False
    opened: dict[int, datetime] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    _used: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_USED))

    def use(self, once: str, said: str) -> bool:
        """Take a form's own word; False if it said the same before: nothing is done twice."""
        used = _digest(f"{once}\0{said}")
        if not once or used in self._used:
            return False
        self._used.append(used)
        return True

    def may_open(self, now: datetime) -> frozenset[int]:
        """Return the sealed memories whose words may be shown now."""
        return frozenset(each for each, until in self.opened.items() if now < until)


@dataclass(slots=True)
class _Link:
    visitor: Visitor
    until: datetime


class PageDoor:
    """Lets browsers in and out. ``address`` is what links begin with."""

    def __init__(self, clock: Clock, address: str) -> None:
        self._clock = clock
        self.address: Final = address
        self._links: dict[str, _Link] = {}
        self._sessions: dict[str, PageSession] = {}
        self._ended: deque[str] = deque(maxlen=_MOST_ENDED)
        self._wrong: deque[datetime] = deque(maxlen=MOST_WRONG)
        self._shut_until: datetime | None = None

    @property
    def is_shut(self) -> bool:
        """Whether too many wrong keys came; only a link made since then opens."""
        return self._shut_until is not None and self._clock.now() < self._shut_until

    def link(self, visitor: Visitor) -> str:
        """Return an address that opens the page once."""
        now, key = self._clock.now(), secrets.token_urlsafe(32)
        self._drop_stale(now)
        own = [n for n, each in self._links.items() if each.visitor.agent_id == visitor.agent_id]
        for name in own[: max(len(own) + 1 - MOST_LINKS, 0)]:
            del self._links[name]
        self._links[_digest(key)] = _Link(visitor, now + LINK_LIFE)
        return f"{self.address}/enter?key={key}"

    def enter(self, key: str) -> str | None:
        """Use up a link; return the word its browser keeps, None if it opens nothing."""
        now = self._clock.now()
        self._drop_stale(now)
        found = self._links.pop(_digest(key), None)
        if found is None:
            return None
        mine = [
            k for k, s in self._sessions.items() if s.visitor.agent_id == found.visitor.agent_id
        ]
        for name in mine[: max(len(mine) + 1 - MOST_SESSIONS, 0)]:
            self._forget(name)
        word = secrets.token_urlsafe(32)
        self._sessions[_digest(word)] = PageSession(
            visitor=found.visitor, until=now + SESSION_LIFE, csrf=secrets.token_urlsafe(32)
        )
        return word

    def session(self, word: str) -> PageSession | None:
        """Return the session of a browser, None if it has none."""
        self._drop_stale(self._clock.now())
        return self._sessions.get(_digest(word))

    def was_session(self, word: str) -> bool:
        """Whether a word is that of a session that ended: no attempt to guess."""
        return _digest(word) in self._ended

    def end(self, session: PageSession) -> None:
        """End one session."""
        for name in [name for name, each in self._sessions.items() if each is session]:
            self._forget(name)

    def end_all(self, agent_id: str) -> int:
        """End every session of an agent and void its links; return how many sessions."""
        links = [n for n, e in self._links.items() if e.visitor.agent_id == agent_id]
        for name in links:
            del self._links[name]
        own = [n for n, e in self._sessions.items() if e.visitor.agent_id == agent_id]
        for name in own:
            self._forget(name)
        return len(own)

    def note_wrong(self) -> tuple[ConversationKey, ...] | None:
        """Count a wrong key; when it is one too many, shut the door and return whom to tell."""
        now = self._clock.now()
        self._wrong.append(now)
        if len(self._wrong) < MOST_WRONG or now - self._wrong[0] > WRONG_SPAN or self.is_shut:
            return None
        visitors = [*(e.visitor for e in self._links.values())]
        visitors += [each.visitor for each in self._sessions.values()]
        self._links.clear()
        self._shut_until = now + WRONG_SPAN
        return tuple(dict.fromkeys(each.place for each in visitors if each.place is not None))

    def ask(self, session: PageSession, memory_id: int) -> str:
        """Note that a session wants to read a sealed memory; return the code that allows it."""
        code = secrets.token_hex(4)
        while len(session.asked) >= MOST_LINKS:
            session.asked.pop(next(iter(session.asked)))
        session.asked[code] = memory_id
        return code

    def decide(self, agent_id: str, code: str, *, opens: bool) -> int | None:
        """Let the session that asked read what it asked for, or not; None for an unknown code."""
        for session in self._sessions.values():
            if session.visitor.agent_id == agent_id and code in session.asked:
                memory_id = session.asked.pop(code)
                if opens:
                    session.opened[memory_id] = self._clock.now() + OPENED_FOR
                return memory_id
        return None

    def _forget(self, name: str) -> None:
        del self._sessions[name]
        self._ended.append(name)

    def _drop_stale(self, now: datetime) -> None:
        for name in [name for name, each in self._links.items() if each.until <= now]:
            del self._links[name]
        for name in [name for name, each in self._sessions.items() if each.until <= now]:
            self._forget(name)


def _digest(word: str) -> str:
    return sha256(word.encode("utf-8", "surrogatepass")).hexdigest()


_ENDS: Final = frozenset({"end", "off", "close", "结束", "关", "关掉"})


async def show_page(call: Call) -> Document:
    """Hand out a one-time link to the page; with a word, end its sessions or open what is sealed.

    Raises :class:`CommandRefused` where the program serves no page.
    """
    door = call.services.page if call.services is not None else None
    if door is None:
        raise call.refusal(page.NOT_SERVED)
    verb, _, code = call.given.text("what").strip().partition(" ")
    if verb in _ENDS:
        return one_sentence(call, page.ENDED, count=door.end_all(call.agent_id))
    if verb in {"open", "shut"}:
        return _answered(call, door, verb, code.strip())
    if call.caller.place is None:
        raise call.refusal(dialogue.ONLY_IN_CHAT)
    visitor = Visitor(agent_id=call.agent_id, person=call.caller.person, place=call.caller.place)
    return Document(tuple(_link_blocks(call, door.link(visitor))), secret=True)


def _link_blocks(call: Call, link: str) -> Iterator[Text | Buttons]:
    yield Text(call.say(page.LINK, link=link))
    yield Buttons((Button(call.say(page.END), "/page end"),))


def _answered(call: Call, door: PageDoor, verb: str, code: str) -> Document:
    decided = door.decide(call.agent_id, code, opens=verb == "open")
    if decided is None:
        return one_sentence(call, page.NOTHING_ASKED)
    if verb == "shut":
        return one_sentence(call, page.STAYS_SEALED)
    return one_sentence(call, page.OPENED, id=decided)


def seal_question(call: Call, memory_id: int, code: str) -> Document:
    """Return what the chat is asked before a sealed memory is shown on the page."""
    buttons = (
        Button(call.say(page.OPEN_IT), f"/page open {code}"),
        Button(call.say(page.LEAVE_SEALED), f"/page shut {code}"),
    )
    return Document(
        (Text(call.say(page.WANTS_SEALED, id=memory_id)), Buttons(buttons, choice=True))
    )


SPEC: Final = Spec(
    name="page",
    parent="",
    chinese=CHINESE_NAMES["page"],
    policy=Policy.BIND,
    help=page.PAGE_HELP,
    run=show_page,
    arguments=(Argument(name="what", shown=page.A_WORD, kind="words", required=False),),
)
