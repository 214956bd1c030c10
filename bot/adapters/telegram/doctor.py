"""What the doctor asks Telegram: who the bot is, what it may read, where updates go."""

from dataclasses import dataclass
from typing import Final

from bot.adapters.calls import PlatformError, TokenRefused
from bot.adapters.telegram.api import bot_api, translated_errors

CHECK_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramCheck:
    """What Telegram says; ``trouble`` is the kind of failure if it says nothing."""

    name: str = ""
    reads_groups: bool = False
    webhook: str = ""
    failure: str = ""

    @property
    def token_refused(self) -> bool:
        """Say whether Telegram does not know the token."""
        return self.failure == TokenRefused.__name__


async def check_telegram(token: str, api_base: str) -> TelegramCheck:
    """Ask, without changing anything and without taking a single message."""
    bot = bot_api(token, api_base, seconds=CHECK_SECONDS)
    try:
        with translated_errors():
            me = await bot.get_me()
            hook = await bot.get_webhook_info()
    except PlatformError as error:
        return TelegramCheck(failure=type(error).__name__)
    finally:
        await bot.disconnect()
    return TelegramCheck(
        name=me.name,
        reads_groups=bool(me.can_read_all_group_messages),
        webhook=hook.url,
    )
