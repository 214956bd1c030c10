"""Every kind of sender: Telegram's updates from each of them, through the whole program."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from bot.adapters.incoming import HandlerServices, Pairing
from bot.adapters.telegram.api import BotApi
from bot.adapters.telegram.reader import TelegramReader
from bot.adapters.telegram.updates import TelegramUpdateHandler
from bot.app import App, running
from bot.desk.caller import ButtonSigner
from bot.desk.documents import Document
from bot.identity import Access, PlatformId
from bot.settings import Settings
from bot.tasks import Supervisor
from bot.texts import desk_changes, desk_help, say, transfer
from bot.texts import desk_link as access_texts
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.desk import lines
from tests.fakes.group_program import Screen
from tests.fakes.owed import until_nothing_is_owed
from tests.fakes.platforms import IDENTITIES, adapters_of
from tests.fakes.waiting import unless_it_hangs

OWNER, USER, ADMIN, NAMESAKE = 42, 43, 45, 46
GROUP, ELSEWHERE = -100, -200
"""A group that is allowed, and one that is not."""

OWNER_NAME = "安安"
SENTENCES = {
    "N": (
        *(desk_help.NOT_ALLOWED, desk_help.ONLY_OWNER, desk_help.IN_PRIVATE),
        transfer.ONLY_TO_ITS_OWN,
    ),
    "O": (desk_changes.NOTHING_OF_IT, desk_changes.ONLY_YOURS),
}


class FakeGroupAdmins:
    """Telegram as far as it is asked who leads a group."""

    async def get_chat_member(self, chat: int, user: int) -> object:
        leads = chat == GROUP and user == ADMIN
        return SimpleNamespace(status="administrator" if leads else "member")


def person(number: int, name: str = "某人", **more: object) -> dict[str, Any]:
    return {"id": number, "is_bot": False, "first_name": name, **more}


def chat(number: int) -> dict[str, Any]:
    kind = {"type": "private"} if number > 0 else {"type": "supergroup", "title": "一群人"}
    return {"id": number, **kind}


@dataclass
class TelegramProgram:
    """The program behind its Telegram adapter: what comes in is an update, as Telegram has it."""

    app: App
    handler: TelegramUpdateHandler
    screen: Screen
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    async def outcome(self, who: str, line: str, *, private: bool) -> str:
        """Send a command as a kind of sender, and return what became of it.

        ``Y`` it was carried out, ``O`` on their own words only, ``N`` refused, ``T`` turned away,
        ``-`` no command was carried out.
        """
        before = len(self.screen.documents)
        update = self.update(who, line, private=private)
        (said,) = (update[kind] for kind in ("message", "edited_message") if kind in update)
        await self.handler.handle(update)
        await self._quiet()
        # An owner is told of a stranger; that is no answer to them.
        here, new = str(said["chat"]["id"]), self.screen.documents[before:]
        shown = [document for place, document in new if place.chat == here]
        assert len(shown) <= 1, "one command, one answer"
        if not shown:
            return "-"
        met = _outcome(shown[0])
        return "Y" if met == "O" and private else met

    async def shown(self, who: str, line: str, *, private: bool) -> Document:
        """Send a command and return what is answered."""
        await self.outcome(who, line, private=private)
        return self.screen.documents[-1][1]

    def update(self, who: str, line: str, *, private: bool) -> dict[str, Any]:
        """Return the update of a kind of sender who gives a command, however they try."""
        number = next(self.numbers)
        sender = _SENDERS.get(who) or person(OWNER, OWNER_NAME)
        if who.startswith("stranger"):
            sender = {**sender, "id": 9_000 + number}
        group = ELSEWHERE if who.startswith("stranger") else GROUP
        place = chat(sender["id"] if private else group)
        message = {
            "message_id": number,
            "date": 1_767_225_600 + number,
            "chat": place,
            "from": sender,
            "text": line,
            **_tricks(who, line, place, number),
        }
        kind = "edited_message" if who == "edited" else "message"
        return {"update_id": number, kind: message}

    async def _quiet(self) -> None:
        async with unless_it_hangs():
            await until_nothing_is_owed(self.app.intake, ["telegram"])
            while self.app.supervisor.running:
                await asyncio.sleep(0.001)
                await until_nothing_is_owed(self.app.intake, ["telegram"])


_SENDERS: dict[str, dict[str, Any]] = {
    "owner": person(OWNER, OWNER_NAME),
    "admin": person(ADMIN),
    "user": person(USER),
    "stranger": person(0),
    "stranger_namesake": person(0, OWNER_NAME),
    "namesake": person(NAMESAKE, OWNER_NAME),
    "anonymous": person(1087968824, "Group", is_bot=True),
    "channel": person(136817688, "Channel", is_bot=True),
    "bot": person(777001, "AnotherBot", is_bot=True),
}


def _tricks(who: str, line: str, place: dict[str, Any], number: int) -> dict[str, Any]:
    """Return what makes a message of the owner's no word of his, or a chat the sender."""
    owner, said = person(OWNER, OWNER_NAME), {"message_id": 1, "date": 1, "chat": place}
    tricks: dict[str, dict[str, Any]] = {
        "anonymous": {"sender_chat": place},
        "channel": {"sender_chat": {"id": -300, "type": "channel", "title": "频道"}},
        "forwarded": {"forward_origin": {"type": "user", "date": 1, "sender_user": owner}},
        "edited": {"edit_date": 1_767_225_601 + number},
        "quoted": {
            "text": "小祥你看这个",
            "reply_to_message": {**said, "from": owner, "text": line},
            "quote": {"text": line, "position": 0, "is_manual": True},
        },
        "via_bot": {"via_bot": person(777001, "AnotherBot", is_bot=True)},
    }
    return tricks.get(who, {})


def _outcome(document: Document) -> str:
    text = lines(document)
    for letter, sentences in SENTENCES.items():
        if any(say("zh", sentence) in text for sentence in sentences):
            return letter
    turned = say("zh", access_texts.STRANGER, person="")
    return "T" if text.startswith(turned[:10]) else "Y"


@asynccontextmanager
async def telegram_program(data: Path) -> AsyncIterator[TelegramProgram]:
    """Run the program with an owner, some who are allowed, and a group that is."""
    access = Access(
        {PlatformId("telegram", str(OWNER))},
        {PlatformId("telegram", str(each)) for each in (USER, ADMIN, NAMESAKE, GROUP)},
        IDENTITIES,
    )
    screen, clock = Screen(), FakeClock(NOON)
    platforms = adapters_of(screen, "telegram")
    settings = Settings(capture_notice=False, data_dir=data)
    async with running(
        settings, platforms, clock=clock, quiet_seconds=0.0, offline=True, access=access
    ) as app:
        tasks = Supervisor()
        services = HandlerServices(
            presenter=screen,
            signer=ButtonSigner(b"k" * 32, limit=64),
            pairing=Pairing(data, "telegram", wanted=False),
            access=access,
            clock=clock,
            tasks=tasks,
        )
        bot = cast(BotApi, FakeGroupAdmins())
        reader = TelegramReader(id=7, username="xiaoxiang_bot")
        yield TelegramProgram(app, TelegramUpdateHandler(bot, reader, app, services), screen)
        await tasks.stop(1)
