"""Who leads a group: asked of Telegram when a command depends on it, and known for minutes."""

from collections import OrderedDict
from datetime import datetime, timedelta
from typing import Final

from telegram.constants import ChatMemberStatus

from bot.adapters.calls import PlatformError
from bot.adapters.telegram.api import BotApi, translated_errors
from memory.ports import Clock

ADMIN_CACHED_FOR: Final = timedelta(minutes=5)
"""So long an answer holds; whoever leads no more can steer for that long at most."""

ADMINS_CACHED: Final = 1_000
"""So many answers are kept; the eldest is asked for again."""

ADMIN_STATUSES: Final = frozenset({ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR})


class GroupAdmins:
    """Say whether somebody leads a group. No answer means no, and is not remembered."""

    def __init__(self, bot: BotApi, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._cached: OrderedDict[tuple[int, int], tuple[bool, datetime]] = OrderedDict()

    async def is_admin(self, chat: int, user: int) -> bool:
        """Whether Telegram names the user among the group's admins, as of some minutes ago."""
        now = self._clock.now()
        leads, until = self._cached.get((chat, user), (False, now))
        if until > now:
            return leads
        try:
            with translated_errors():
                member = await self._bot.get_chat_member(chat, user)
        except PlatformError:
            return False
        self._cached[chat, user] = (member.status in ADMIN_STATUSES, now + ADMIN_CACHED_FOR)
        self._cached.move_to_end((chat, user))
        if len(self._cached) > ADMINS_CACHED:
            self._cached.popitem(last=False)
        return member.status in ADMIN_STATUSES
