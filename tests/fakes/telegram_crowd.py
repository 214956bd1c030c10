"""Many people writing at once, to a model that takes its time and never answers one of them."""

import asyncio
import re
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

from aiohttp import web

from tests.fakes.openai_answers import Asked, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.telegram_program import on_telegram
from tests.fakes.telegram_server import TelegramServer
from tests.fakes.waiting import until

SLOWEST_SECONDS = 0.3
STUCK = 99
MARK = re.compile(r"m-(\d+)-(\d+)")


@dataclass
class Crowd:
    """What became of it: answers out of order, and the seconds each message waited for one."""

    inversions: int = 0
    missing: int = 0
    delays: list[float] = field(default_factory=list)

    def p95(self) -> float:
        return sorted(self.delays)[int(len(self.delays) * 0.95)]


class Moody:
    """Answers with the marks of what it was asked, after a while; one person is never answered."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    async def __call__(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        if "卡住" in asked.last:
            await asyncio.sleep(600)
        await asyncio.sleep(self._chance.random() * SLOWEST_SECONDS)
        # With a word of its own: what only repeats the partner is no answer.
        told = _told(asked)
        return await say("听到了 " + " ".join(told) if told else "[SKIP]")(request, asked)


def _told(asked: Asked) -> list[str]:
    told: list[str] = []
    for message in reversed(asked.messages):
        if message["role"] != "user":
            break
        told = [each.group() for each in MARK.finditer(str(message["content"]))] + told
    return list(dict.fromkeys(told))


async def crowd(
    data: Path, *, chats: int, messages: int, stuck: bool, pause: float = 0.0
) -> Crowd:
    """Let so many people write so many messages each, in turn, ``pause`` seconds apart."""
    people = range(101, 101 + chats)
    said: dict[tuple[str, str], float] = {}
    async with TelegramServer() as server, OpenAIServer() as model:
        model.always(Moody(Random(3)))
        allowed = ",".join(f"telegram:{chat}" for chat in (*people, STUCK))
        async with on_telegram(data, server, model=model, allowed=allowed):
            if stuck:
                server.says("卡住", sender=STUCK)
            for number in range(messages):
                for chat in people:
                    server.says(f"m-{chat}-{number}", sender=chat)
                    said[str(chat), str(number)] = time.monotonic()
                    await asyncio.sleep(pause)
            await until(lambda: len(_answers(server)) >= len(said))
    return _judged(server, said)


def _answers(server: TelegramServer) -> dict[tuple[str, str], float]:
    """Return when each message was first answered."""
    first: dict[tuple[str, str], float] = {}
    for call in server.calls:
        if call.method == "editMessageText":
            for chat, number in MARK.findall(call.params["text"]):
                first.setdefault((chat, number), call.at)
    return first


def _judged(server: TelegramServer, said: dict[tuple[str, str], float]) -> Crowd:
    answers = _answers(server)
    told = Crowd(missing=len(said.keys() - answers.keys()))
    told.delays = [answers[each] - at for each, at in said.items() if each in answers]
    for chat in {chat for chat, _ in said}:
        order = [int(n) for text in server.texts(int(chat)) for _, n in MARK.findall(text)]
        told.inversions += sum(b <= a for a, b in pairwise(order))
    return told
