"""Erasing while people talk, the model dawdles and the background learns: nothing comes back."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from aiohttp import web

from bot.conversation.messages import ConversationKey, Sender
from tests.fakes.canaries import found
from tests.fakes.cost import share
from tests.fakes.desk import commands, lines
from tests.fakes.group_program import ANN, BEN, GroupProgram, group_program, in_group
from tests.fakes.openai_answers import Asked, Behaviour, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.waiting import until

ROUNDS = 4
PLACES = (None, in_group(), in_group("1"))


def dawdling(chance: Random) -> Behaviour:
    """Repeat what was said last, some time later: also to the background, which learns nothing."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        await asyncio.sleep(chance.random() * 0.08)
        return await say(f"你说的是{asked.last[-30:]}")(request, asked)

    return behave


async def talk(
    place: GroupProgram, who: Sender, word: str, where: ConversationKey | None, chance: Random
) -> None:
    """Say something with the word in it a few times, without waiting for any answer."""
    for number in range(chance.randint(1, 5)):
        begun = chance.choice(["记住：", "我家有", "昨天看到"])
        await place.hear(who, f"{begun}{word}{'！' * number}", where=where)
        await asyncio.sleep(chance.random() * 0.04)


async def erased(
    place: GroupProgram, who: Sender, word: str, where: ConversationKey | None, chance: Random
) -> bool:
    """Preview and confirm until nothing changed in between; False if it always did."""
    for _ in range(6):
        what = chance.choice([word, word, "all"])
        preview = await place.order(who, f"/forget {what}", where=where, admin=True)
        if not commands(preview):
            return True
        answer = await place.order(who, commands(preview)[-1], where=where, admin=True)
        if "残留" in lines(answer):
            assert "0 处残留" in lines(answer)
            return True
    return False


@pytest.mark.hunted
@pytest.mark.parametrize("seed", share(range(4), of=2))
async def test_what_was_erased_amid_talk_stays_erased(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    gone: list[str] = []
    async with OpenAIServer() as server, group_program(tmp_path, model=server) as place:
        server.always(dawdling(chance))
        for number in range(ROUNDS):
            word, where = f"琥珀{seed}之{number}号", chance.choice(PLACES)
            who = chance.choice([ANN, BEN]) if where else ANN
            await talk(place, who, word, where, chance)
            if await erased(place, who, word, where, chance):
                gone.append(word)
        await place.settled()

        assert gone
        # The last order itself leaves the ledger a moment after its receipt was shown.
        await until(lambda: not found(tmp_path, gone))
        await until(lambda: not place.screen.unfinished())
    assert found(tmp_path, gone) == []
