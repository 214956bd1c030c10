"""What the doctor asks Telegram: who the bot is, what it may read, where updates go."""

from dataclasses import dataclass
from typing import Final

from bot.adapters.calls import TokenRefused, Trouble
from bot.adapters.telegram.api import bot_api, translated

SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckUp:
    """What Telegram says; ``trouble`` is the kind of failure if it says nothing."""

    name: str = ""
    reads_groups: bool = False
    webhook: str = ""
    trouble: str = ""

    @property
    def token_refused(self) -> bool:
        """Say whether Telegram does not know the token."""
        return self.trouble == TokenRefused.__name__


async def checkup(token: str, api_base: str) -> CheckUp:
    """Ask, without changing anything and without taking a single message."""
    bot = bot_api(token, api_base, seconds=SECONDS)
    try:
        with translated():
            me = await bot.get_me()
            hook = await bot.get_webhook_info()
    except Trouble as error:
        return CheckUp(trouble=type(error).__name__)
    finally:
        await bot.disconnect()
    return CheckUp(
        name=me.name,
        reads_groups=bool(me.can_read_all_group_messages),
        webhook=hook.url,
    )
