"""Joining two chats of one person into one memory, and separating them again.

One chat gives out a code, the other brings it, and both have to agree. A decision is recorded in
the ledger before it is carried out: a join that was cut short is finished at the next start, a
copy that was cut short is undone.
"""

import asyncio
import logging
import secrets
import unicodedata
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final

from bot.conversation.lanes import PauseConversations, pause_nothing
from bot.conversation.ledger import Ledger
from bot.conversation.ledger.ledger import Move, Offer
from bot.conversation.messages import ConversationKey
from bot.texts import desk_link
from memory.agents import Agents
from memory.errors import InputRefused, StoreError
from memory.ports import Clock

log = logging.getLogger(__name__)

ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The letters of codes, without those that look alike: 0 and O, 1 and I."""

LETTERS: Final = 8
"""Eight of 31 letters are 40 bits; at five guesses an hour nobody finds a code in ten minutes."""

CODE_LIFETIME: Final = timedelta(minutes=10)
MAX_GUESSES: Final = 5
GUESS_WINDOW: Final = timedelta(hours=1)
REMEMBERED_GUESSERS: Final = 1_000  # bounds the memory; the longest ago goes first
PAUSE_TIMEOUT_SECONDS: Final = 20.0
"""How long an answer under way may take to end before a join is given up."""


class TooManyGuesses(InputRefused):
    """A chat sent too many wrong codes; it may try again later."""


class UnknownCode(InputRefused):
    """There is no such code, or it is over, or somebody else used it first."""


class StillBusy(InputRefused):
    """One of the chats is busy, or another join is running."""


@asynccontextmanager
async def _nobody_else() -> AsyncIterator[bool]:
    yield True


class Linking:
    """Give out codes, take them, and carry out what both sides agreed on.

    ``pause`` lets conversations stand still while something is done with their memory; ``alone``
    is a block in which no other program links, which is told whether it is.
    """

    def __init__(
        self,
        ledger: Ledger,
        agents: Agents,
        clock: Clock,
        pause: PauseConversations = pause_nothing,
        alone: Callable[[], AbstractAsyncContextManager[bool]] = _nobody_else,
    ) -> None:
        self._identities = ledger.identities
        self._links = ledger.links
        self._turns = ledger.turns
        self._bindings = ledger.bindings
        self.agents: Final = agents
        self._clock = clock
        self._pause = pause
        self._alone = alone
        self._busy = asyncio.Lock()
        self._guesses: OrderedDict[ConversationKey, list[datetime]] = OrderedDict()

    async def offer(self, host: ConversationKey, name: str) -> str:
        """Return a new code for a chat, good once and for ten minutes; an earlier one ends."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
        await self._links.offer(_digest(code), host, name, self._clock.now() + CODE_LIFETIME)
        return f"{code[: LETTERS // 2]}-{code[LETTERS // 2 :]}"

    async def take(self, code: str, guest: ConversationKey, name: str) -> Offer:
        """Return the offer of a code; from now on nobody but ``guest`` can take it.

        The chat that gave the code gets its own offer back, without a guest. Raises
        :class:`UnknownCode` and :class:`TooManyGuesses`.
        """
        now = self._clock.now()
        # Counted before the code is looked up: a right code after too many wrong ones is refused
        # too, else the limit would not slow guessing down.
        guesses = self._recent_guesses(guest, now)
        if len(guesses) >= MAX_GUESSES:
            raise TooManyGuesses(desk_link.TOO_MANY)
        offer = await self._links.find(_digest(normalized_code(code)), now)
        if offer is None or offer.guest not in {None, guest}:
            guesses.append(now)
            raise UnknownCode(desk_link.UNKNOWN_CODE)
        if offer.host == guest:
            return offer
        if not await self._links.take(offer, guest, name):
            raise UnknownCode(desk_link.UNKNOWN_CODE)
        return replace(offer, guest=guest, guest_name=name)

    async def current_offer(self, place: ConversationKey) -> Offer | None:
        """Return the valid offer that a conversation gave or took, None if there is none."""
        return await self._links.find_for(place, self._clock.now())

    async def agree(self, offer: Offer) -> None:
        """Record that the guest agrees; the host has ten minutes to agree too."""
        await self._links.agree(offer, self._clock.now() + CODE_LIFETIME)

    async def withdraw(self, place: ConversationKey) -> bool:
        """Delete whatever a conversation offered or took; False if there was nothing."""
        return await self._links.withdraw(place)

    async def agents_of(self, one: ConversationKey, other: ConversationKey) -> tuple[str, str]:
        """Return the agents of two private chats, the older one first."""
        names = [await self._bindings.agent_id(each, private=True) for each in (one, other)]
        older = await self._bindings.older_agent(names[0], names[1])
        return older, names[1] if older == names[0] else names[0]

    async def chats(self, agent_id: str) -> tuple[ConversationKey, ...]:
        """Return the chats an agent remembers, the one it met first in front."""
        return await self._bindings.chats(agent_id)

    async def join(self, older: str, younger: str, asked_in: ConversationKey) -> None:
        """Move the younger agent's memory into the older one, once its chats are quiet.

        Once the join is recorded it will be carried out, if need be at the next start. Raises
        :class:`StillBusy`, and then nothing happened.
        """
        places = await self._bindings.conversations(younger)
        async with self._paused_chats(places, asked_in):
            if older == younger or not await self._bindings.chats(younger):
                raise StillBusy(desk_link.STILL_BUSY)
            move = Move(id=secrets.token_hex(8), kind="join", source=younger, target=older)
            await self._links.begin(move)
            await self._carry_out_join(move)

    async def separate(
        self, chat: ConversationKey, agent_id: str, asked_in: ConversationKey, *, copy: bool
    ) -> None:
        """Give a chat a memory of its own: a copy of the shared one, or an empty one."""
        conversations = await self._bindings.conversations(agent_id)
        places = [each for each in conversations if replace(each, thread="") == chat]
        async with self._paused_chats(places, asked_in):
            # The chat that was met first keeps the memory: only the others can leave it.
            if chat not in (await self._bindings.chats(agent_id))[1:]:
                raise StillBusy(desk_link.STILL_BUSY)
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
        """Finish joins that were cut short, and undo copies that were.

        A memory that another program has open is left alone; this is called again later.
        """
        if self._busy.locked():
            return
        async with self._busy, self._alone() as mine:
            for move in await self._links.unfinished() if mine else ():
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
        """Pause conversations for the block, except the asking one: its command runs this."""
        if self._busy.locked():
            raise StillBusy(desk_link.STILL_BUSY)
        others = [place for place in places if place != asked_in]
        async with self._busy, self._alone() as mine, AsyncExitStack() as holding:
            if not mine:
                raise StillBusy(desk_link.STILL_BUSY)
            try:
                async with asyncio.timeout(PAUSE_TIMEOUT_SECONDS):
                    await holding.enter_async_context(self._pause(others))
            except TimeoutError as error:
                raise StillBusy(desk_link.STILL_BUSY) from error
            # A stopped turn may still owe its commit to the memory that is about to move.
            for place in places:
                if any(turn.owes_commit for turn in await self._turns.unfinished(place)):
                    raise StillBusy(desk_link.STILL_BUSY)
            yield

    def _unused_agent_id(self, name: str) -> str:
        known = set(self.agents.known_ids())
        names = (name, *(f"{name[:60]}-{number}" for number in range(2, 1_000)))
        return next(each for each in names if each not in known)

    def _recent_guesses(self, guest: ConversationKey, now: datetime) -> list[datetime]:
        """Return a chat's recent wrong guesses, over all its threads; callers append to it."""
        chat = replace(guest, thread="")
        recent = [at for at in self._guesses.pop(chat, []) if now - at < GUESS_WINDOW]
        self._guesses[chat] = recent
        if len(self._guesses) > REMEMBERED_GUESSERS:
            self._guesses.popitem(last=False)
        return recent


def normalized_code(code: str) -> str:
    """Return a code as it is compared: without hyphens and blanks, in half-width capitals.

    >>> normalized_code(" ab2c－9xyz ")
    'AB2C9XYZ'
    """
    folded = unicodedata.normalize("NFKC", code).upper()
    return "".join(each for each in folded if each.isalnum())


def looks_like_a_code(text: str) -> bool:
    """Tell whether a text could be a code at all; one that cannot does not count as a guess."""
    code = normalized_code(text)
    return len(code) == LETTERS and set(code) <= set(ALPHABET)


# The ledger holds only digests: whoever reads its file cannot use the codes in it.
def _digest(code: str) -> str:
    return blake2b(code.encode(), digest_size=16, person=b"xiaoxiang link").hexdigest()
