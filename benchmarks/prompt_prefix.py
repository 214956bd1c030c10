"""How much of a prompt is as it was the turn before, and how often the background asks.

    .venv/bin/python -m benchmarks.prompt_prefix [--turns 200] [--provider ollama]

The whole program talks with a server on loopback that answers at once; nearly every line leaves
something open, so that a model is asked about the turn, and learns nothing. Of what stands before
the memories of each reply's prompt, the share is taken that begins like the prompt before it: what
a server need not read again.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Final

from bot.app import running
from bot.conversation.messages import Incoming, Sender
from bot.sections import SecretStr
from bot.settings import Settings
from memory.model import Language
from tests.fakes.chat import FakeChat
from tests.fakes.clock import FakeMachineClock
from tests.fakes.openai_answers import Asked
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.platforms import adapters_of, only_a_terminal
from tests.fakes.slow_model import PLACE, has_answered, is_background
from tests.fakes.waiting import until

MUCH: Final = 0.8
WORDS: Final[dict[Language, Sequence[str]]] = {
    "zh": tuple("我今天去了河边散步看到白鹭真好玩明天想吃面条工作有点累猫又打碎了杯子妈妈来电话"),
    "en": (
        *("saw a heron", "walked by the river", "cooked noodles", "was late for the bus"),
        *("broke a cup again", "called my mother", "went home in the rain", "swept the yard"),
    ),
}
REPLIES: Final[dict[Language, str]] = {
    "zh": "嗯，听着就不错，多休息。",
    "en": "That sounds like a day; rest a little.",
}
NOTES: Final[dict[Language, str]] = {
    "zh": "（程序附注：现在是",
    "en": "(Note by the program: it is",
}
"""What stands before memories and the new line, and changes with every turn."""


def line(number: int, language: Language, chance: random.Random) -> str:
    """Return what is said in a turn; the first tells a name."""
    if language == "zh":
        said = "".join(chance.choices(WORDS["zh"], k=25))
        return f"第{number}天，{said}。" if number else "我叫陈远航，是个木匠。"
    said = " and ".join(chance.choices(WORDS["en"], k=4))
    return f"On day {number} I {said}." if number else "Hi, I am Ann, a nurse."


async def asked_in(language: Language, turns: int, provider: str) -> list[Asked]:
    """Return everything the server was asked in a talk of so many turns."""
    chance, chat, clock = random.Random(3), FakeChat(), FakeMachineClock()
    reply = REPLIES[language]
    async with OpenAIServer(lambda asked: "[SKIP]" if is_background(asked) else reply) as server:
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings.read(
                {
                    "capture_notice": False,
                    "data_dir": Path(folder),
                    "language": language,
                    "llm_provider": provider,
                    "llm_base_url": server.base_url,
                    "llm_model": "m",
                    "llm_api_key": SecretStr("k"),
                }
            )
            platforms = adapters_of(chat, "console")
            async with running(
                settings, platforms, only_a_terminal(), clock=clock, quiet_seconds=0.0
            ) as app:
                agent = await app.agents.get("local")
                for number in range(turns):
                    clock.tick(minutes=chance.choice([2, 3, 5, 9, 40, 200]))
                    before = len(chat.finals())
                    await app.intake.receive(
                        Incoming(
                            dedupe_key=str(number),
                            conversation=PLACE,
                            sender=Sender(id="local", name="x"),
                            at=clock.now(),
                            text=line(number, language, chance),
                        )
                    )
                    await until(partial(has_answered, chat, before))
                    await agent.background.wait_until_idle()
        return server.asked


def shares(prompts: Sequence[str], note: str) -> list[float]:
    """Return for each prompt how much of what stands before the note is as it was before."""
    found, before = [], ""
    for prompt in prompts:
        stable = prompt[: prompt.rindex(note)]
        pairs = zip(before, stable, strict=False)
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        found.append(alike / max(len(before), len(stable)))
        before = stable
    return found


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--provider", default="deepseek")
    options = parser.parse_args()
    sys.stdout.write("| talk | prompts | at least 80 % as before | background calls a turn |\n")
    sys.stdout.write("|---|---|---|---|\n")
    for language, note in NOTES.items():
        asked = await asked_in(language, options.turns, options.provider)
        replies = [each.prompt for each in asked if note in each.prompt]
        background = sum(map(is_background, asked))
        alike = sum(share >= MUCH for share in shares(replies, note))
        sys.stdout.write(
            f"| {language}, {options.provider} | {len(replies)} | {alike / len(replies):.1%} "
            f"| {background / options.turns:.2f} |\n"
        )


if __name__ == "__main__":
    asyncio.run(main())
