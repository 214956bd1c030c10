"""Random texts as Telegram messages: none may be refused, and nothing of them lost.

    python -m benchmarks.telegram_texts [--texts 20000] [--seed 1] [--delivered 500]

Every text is formatted and checked by the rules of the fake server; the first ``--delivered``
also travel to it through the library.
"""

import argparse
import asyncio
import json
import sys
import time
from random import Random

from bot.adapters.telegram.api import bot_api
from bot.adapters.telegram.delivery import TelegramChannel
from bot.adapters.telegram.formatting import FormattedMessage, formatted_messages, without_markup
from bot.adapters.telegram.writer import TelegramMessageWriter
from bot.conversation.delivery import Target
from bot.conversation.messages import ConversationKey
from bot.tasks import LoopTimer, Supervisor
from memory.text.segmentation import has_visible_text
from tests.fakes.telegram_rules import BadRequest, checked_text
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.texts import random_text


def lost(text: str, messages: tuple[FormattedMessage, ...]) -> int:
    """Return how many characters that are no markup are in no message."""
    shown = "".join(
        message.text + "".join(each.url or each.language or "" for each in message.entities)
        for message in messages
    )
    return sum(
        max(text.count(each) - shown.count(each), 0)
        for each in set(without_markup(text))
        if has_visible_text(each)
    )


def refused(message: FormattedMessage) -> bool:
    entities = json.dumps([each.to_dict() for each in message.entities])
    try:
        checked_text({"text": message.text, "entities": entities})
    except BadRequest:
        return True
    return False


async def delivered(texts: list[str]) -> int:
    """Send texts through the library; return how many are not on the screen as formatted."""
    wrong = 0

    async def keep(place: int, message: str) -> None:
        del place, message

    async with TelegramServer() as server:
        bot = bot_api(TOKEN, server.api_base)
        channel = TelegramChannel(TelegramMessageWriter(bot, LoopTimer()), Supervisor())
        place = ConversationKey(platform="telegram", account="1", chat=str(ANN))
        target = Target(turn_id="t", conversation=place, private=True, reply_to="")
        for text in texts:
            server.messages.clear()
            await channel.delivery(target, keep).finish(text)
            wrong += server.texts() != [each.text.strip() for each in formatted_messages(text)]
        await bot.disconnect()
    return wrong


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--texts", type=int, default=20_000)
    options.add_argument("--delivered", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    began = time.monotonic()
    chance = Random(given.seed)
    refusals = characters = messages = 0
    first: list[str] = []
    for number in range(given.texts):
        text = random_text(chance)
        if number < given.delivered:
            first.append(text)
        shown = formatted_messages(text)
        messages += len(shown)
        refusals += sum(map(refused, shown))
        characters += lost(text, shown)
    wrong = asyncio.run(delivered(first))
    print(
        f"seed {given.seed}: {given.texts} texts, {messages} messages, {refusals} refused, "
        f"{characters} characters lost; {len(first)} sent through the library, {wrong} wrong; "
        f"{time.monotonic() - began:.0f} s"
    )
    return 1 if refusals or characters or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
