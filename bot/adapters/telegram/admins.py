"""Who leads a group: asked of Telegram when a command depends on it, and known for minutes."""

from collections import OrderedDict
from datetime import datetime, timedelta
from typing import Final

from telegram.constants import ChatMemberStatus

from bot.adapters.calls import Trouble
from bot.adapters.telegram.api import BotApi, translated
from memory.ports import Clock

KNOWN_FOR: Final = timedelta(minutes=5)
"""So long an answer holds; whoever leads no more can steer for that long at most."""

KNOWN: Final = 1_000
"""So many answers are kept; the eldest is asked for again."""

LEADERS: Final = frozenset({ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR})


class Admins:
    """Say whether somebody leads a group. No answer means no, and is not remembered."""

    def __init__(self, bot: BotApi, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._known: OrderedDict[tuple[int, int], tuple[bool, datetime]] = OrderedDict()

    async def leads(self, chat: int, user: int) -> bool:
        """Whether Telegram names the user among the group's admins, as of some minutes ago."""
        now = self._clock.now()
        leads, until = self._known.get((chat, user), (False, now))
        if until > now:
            return leads
        try:
            with translated():
                member = await self._bot.get_chat_member(chat, user)
        except Trouble:
            return False
        self._known[chat, user] = (member.status in LEADERS, now + KNOWN_FOR)
        self._known.move_to_end((chat, user))
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)
        return member.status in LEADERS
