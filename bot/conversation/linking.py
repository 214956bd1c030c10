"""Joining two chats of one person into one memory, and parting them again (DESIGN §9).

A chat gives out a code, another one brings it, and both have to agree. What is decided is in the
ledger before it begins: a join that was cut short is finished at the next start, a copy that was
cut short never happened.
"""

import asyncio
import logging
import secrets
import unicodedata
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final

from bot.conversation.ledger import Ledger
from bot.conversation.ledger.bindings import Move, Offer
from bot.conversation.messages import ConversationKey
from bot.conversation.pauses import PauseConversations, pause_nothing
from memory.agents import Agents
from memory.errors import InputRefused, StoreError
from memory.ports import Clock

log = logging.getLogger(__name__)

ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What codes are made of: nothing that is taken for something else when it is read aloud."""

LETTERS: Final = 8
"""Of 31 letters each: 40 bits, and five guesses an hour."""

CODE_LIFETIME: Final = timedelta(minutes=10)
MAX_GUESSES: Final = 5
GUESS_WINDOW: Final = timedelta(hours=1)
REMEMBERED_GUESSERS: Final = 1_000
PAUSE_TIMEOUT_SECONDS: Final = 20.0
"""How long what is under way in a chat may take to end before nothing is joined."""


class TooManyGuesses(InputRefused):
    """A chat brought too many wrong codes; it may try again later."""


class UnknownCode(InputRefused):
    """No such code, or not any more, or somebody else brought it first."""


class StillBusy(InputRefused):
    """Something is under way in one of the chats, or another join is."""


class Linking:
    """Give out codes, take them, and carry out what both sides agreed on.

    ``pause`` lets conversations stand still while something is done with their memory.
    """

    def __init__(
        self,
        ledger: Ledger,
        agents: Agents,
        clock: Clock,
        pause: PauseConversations = pause_nothing,
    ) -> None:
        self._identities = ledger.identities
        self._links = ledger.links
        self._turns = ledger.turns
        self._bindings = ledger.bindings
        self.agents: Final = agents
        self._clock = clock
        self._pause = pause
        self._busy = asyncio.Lock()
        self._guesses: OrderedDict[ConversationKey, list[datetime]] = OrderedDict()

    async def offer(self, host: ConversationKey, name: str) -> str:
        """Return a new code for a chat, good once and for ten minutes; a former one is over."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
        await self._links.offer(_digest(code), host, name, self._clock.now() + CODE_LIFETIME)
        return f"{code[: LETTERS // 2]}-{code[LETTERS // 2 :]}"

    async def take(self, code: str, guest: ConversationKey, name: str) -> Offer:
        """Return the offer of a code, taken by ``guest`` and by nobody else from now on.

        Its own chat may not take it, and stays its host. Raises :class:`UnknownCode` and
        :class:`TooManyGuesses`.
        """
        now = self._clock.now()
        guesses = self._recent_guesses(guest, now)
        if len(guesses) >= MAX_GUESSES:
            raise TooManyGuesses("too many wrong codes: wait an hour")
        offer = await self._links.find(_digest(normalized_code(code)), now)
        if offer is None or offer.guest not in {None, guest}:
            guesses.append(now)
            raise UnknownCode("there is no such code, or not any more")
        if offer.host == guest:
            return offer
        if not await self._links.take(offer, guest, name):
            raise UnknownCode("there is no such code, or not any more")
        return replace(offer, guest=guest, guest_name=name)

    async def current_offer(self, place: ConversationKey) -> Offer | None:
        """Return the offer that a conversation gave or took and that is not over."""
        return await self._links.find_for(place, self._clock.now())

    async def agree(self, offer: Offer) -> None:
        """Note that the guest wants it; the host has ten minutes to want it too."""
        await self._links.agree(offer, self._clock.now() + CODE_LIFETIME)

    async def withdraw(self, place: ConversationKey) -> bool:
        """Let go of whatever a conversation gave or took."""
        return await self._links.withdraw(place)

    async def agents_of(self, one: ConversationKey, other: ConversationKey) -> tuple[str, str]:
        """Return the agents of two private chats, the elder one first."""
        names = [await self._bindings.agent_id(each, private=True) for each in (one, other)]
        elder = await self._bindings.older_agent(names[0], names[1])
        return elder, names[1] if elder == names[0] else names[0]

    async def chats(self, agent_id: str) -> tuple[ConversationKey, ...]:
        """Return the chats an agent remembers, the eldest first."""
        return await self._bindings.chats(agent_id)

    async def join(self, older: str, younger: str, asked_in: ConversationKey) -> None:
        """Make one agent of two, once the younger one's chats are quiet.

        From the moment it is noted it will be carried out, if need be at the next start. Raises
        :class:`StillBusy`, and then nothing happened.
        """
        places = await self._bindings.conversations(younger)
        async with self._paused_chats(places, asked_in):
            if older == younger or not await self._bindings.chats(younger):
                raise StillBusy("they share one memory already")
            move = Move(id=secrets.token_hex(8), kind="join", source=younger, target=older)
            await self._links.begin(move)
            await self._carry_out_join(move)

    async def separate(
        self, chat: ConversationKey, agent_id: str, asked_in: ConversationKey, *, copy: bool
    ) -> None:
        """Let a chat go on by itself: with a copy of the memory, or with an empty one."""
        conversations = await self._bindings.conversations(agent_id)
        places = [each for each in conversations if replace(each, thread="") == chat]
        async with self._paused_chats(places, asked_in):
            if chat not in (await self._bindings.chats(agent_id))[1:]:
                raise StillBusy("it has a memory of its own already")
            name = self._identities.default_agent_id(chat.platform, chat.chat, private=True)
            new = self._unused_agent_id(name)
            if not copy:
                await self._bindings.bind_chat(chat, new)
                return
            move = Move(id=secrets.token_hex(8), kind="copy", source=agent_id, target=new)
            await self._links.begin(move)
            try:
                await self.agents.copy(agent_id, new)
            except InputRefused:
                await self._undo_copy(move)
                raise
            await self._links.finish(move, chat)

    async def resume(self) -> None:
        """Finish the joins that were cut short, and take back such copies.

        What belongs to another running program is left to that.
        """
        if self._busy.locked():
            return
        async with self._busy:
            for move in await self._links.unfinished():
                try:
                    await (
                        self._carry_out_join(move)
                        if move.kind == "join"
                        else self._undo_copy(move)
                    )
                except (StoreError, InputRefused) as error:
                    log.warning("a %s waits: %s", move.kind, type(error).__name__)

    async def _carry_out_join(self, move: Move) -> None:
        await self.agents.unite(move.target, move.source, mark=f"link:{move.id}")
        await self.agents.discard(move.source)
        await self._links.finish(move)

    async def _undo_copy(self, move: Move) -> None:
        await self.agents.discard(move.target)
        await self._links.finish(move)

    @asynccontextmanager
    async def _paused_chats(
        self, places: Collection[ConversationKey], asked_in: ConversationKey
    ) -> AsyncIterator[None]:
        """Hold conversations until it is done; the one that asks stands still by itself."""
        if self._busy.locked():
            raise StillBusy("another chat is being joined just now")
        others = [place for place in places if place != asked_in]
        async with self._busy, AsyncExitStack() as holding:
            try:
                async with asyncio.timeout(PAUSE_TIMEOUT_SECONDS):
                    await holding.enter_async_context(self._pause(others))
            except TimeoutError as error:
                raise StillBusy("an answer is still under way in the other chat") from error
            for place in places:
                if any(turn.owes_commit for turn in await self._turns.unfinished(place)):
                    raise StillBusy("an answer is still under way in the other chat")
            yield

    def _unused_agent_id(self, name: str) -> str:
        known = set(self.agents.known_ids())
        names = (name, *(f"{name[:60]}-{number}" for number in range(2, 1_000)))
        return next(each for each in names if each not in known)

    def _recent_guesses(self, guest: ConversationKey, now: datetime) -> list[datetime]:
        """Return when a chat, in whichever thread, brought wrong codes lately, to be added to."""
        chat = replace(guest, thread="")
        recent = [at for at in self._guesses.pop(chat, []) if now - at < GUESS_WINDOW]
        self._guesses[chat] = recent
        if len(self._guesses) > REMEMBERED_GUESSERS:
            self._guesses.popitem(last=False)
        return recent


def normalized_code(code: str) -> str:
    """Return a code as it is compared: without hyphens and blanks, in capitals, half width.

    >>> plain(" ab2c－9xyz ")
    'AB2C9XYZ'
    """
    folded = unicodedata.normalize("NFKC", code).upper()
    return "".join(each for each in folded if each.isalnum())


def looks_like_a_code(text: str) -> bool:
    """Tell whether a text could be a code at all; whatever cannot is no guess."""
    code = normalized_code(text)
    return len(code) == LETTERS and set(code) <= set(ALPHABET)


def _digest(code: str) -> str:
    return blake2b(code.encode(), digest_size=16, person=b"xiaoxiang link").hexdigest()
