"""The program dies at every single step of an answer on Lark; the answer is seen exactly once."""

from contextlib import suppress
from dataclasses import dataclass

import pytest

from bot.adapters.lark import delivery as deliveries
from bot.adapters.lark.sdk import SdkRequest, SdkResponse, SdkTransport
from tests.fakes.cost import share
from tests.fakes.lark_sender import Sender, sender
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")

SENTENCE = "今天我们去了海边，看了很久的海，然后慢慢走回家，路上买了一点水果和花。"
WHOLE = SENTENCE * 3
TWO_PARTS = "**好**，" + SENTENCE * 400
STEPS = 40
"""More than any of these answers takes."""


class Killed(BaseException):
    """The program is no more."""


@dataclass
class Death:
    """Kills at the ``step``-th thing that leaves the program, before or after it happened."""

    step: int
    after: bool
    taken: int = 0

    @property
    def is_over(self) -> bool:
        return self.taken > self.step

    def begin(self) -> None:
        self.taken += 1
        if self.is_over or (self.taken == self.step and not self.after):
            self.taken = self.step + 1
            raise Killed

    def end(self) -> None:
        if self.taken >= self.step:
            self.taken = self.step + 1
            raise Killed


class DyingWire(SdkTransport):
    """Calls as long as the program lives."""

    def __init__(self, wire: SdkTransport, death: Death) -> None:
        self.__dict__.update(wire.__dict__)
        self._death = death

    async def send(self, request: SdkRequest) -> SdkResponse:
        self._death.begin()
        answer = await super().send(request)
        self._death.end()
        return answer


async def answered(she: Sender, question: str, text: str, *, grows: bool) -> bool:
    """Answer as a turn does; whether the whole answer was known, and so durable."""
    delivery = she.delivery(question)
    known = not grows
    with suppress(Killed):
        if grows:
            await delivery.show_thinking()
            for end in (len(text) // 3, len(text) // 2, len(text)):
                await delivery.show(text[:end])
                await she.settled()
        known = True
        await delivery.finish(text)
        await delivery.stop_showing()
        await until(lambda: not she.tasks.running)
    return known


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "GAP", 0.0)
    monkeypatch.setattr(deliveries, "WORTH", 1)


async def dies_and_returns(she: Sender, text: str, *, step: int, after: bool, pause: float) -> int:
    """Answer, die at a step, and answer again in another life; returns the steps it takes."""
    question = she.platform.say("在吗")
    await she.api.call("GET", "/open-apis/bot/v3/info")
    death = Death(step, after)
    she.api.transport = DyingWire(she.api.transport, death)

    async def keep(place: int, message: str) -> None:
        death.begin()
        await Sender.keep(she, place, message)
        death.end()

    she.keep = keep  # type: ignore[method-assign]
    known = await answered(she, question, text, grows=True)
    del she.keep
    await she.crash()
    she.platform.advance(pause)
    if death.is_over:
        # Without a kept answer the model is asked again, and may say something else.
        again = text if known else f"再想一想：{text}"
        await answered(she, question, again, grows=not known)
    else:
        again = text
    seen = "".join(she.platform.texts())
    # Hours later nobody can say where a card is that was sent and not kept: it says no more.
    assert (seen.removeprefix("…") if pause > 3600 else seen) == again
    asked, *shown = she.platform.shown(she.platform.private())
    assert not any(each.streaming for each in shown)
    assert asked.reactions == ()
    return death.taken


KINDS = {
    "card": (True, WHOLE, 5.0),
    "card after hours": (True, WHOLE, 5000.0),
    "two cards": (True, TWO_PARTS, 5.0),
    "plain": (False, WHOLE, 5.0),
    "two plain": (False, TWO_PARTS, 5.0),
}
DEATHS = [
    # Of each kind one in the suite, in turns before and after a step.
    pytest.param(*kind, after, id=f"{name}-{'after' if after else 'before'}")
    for number, (name, kind) in enumerate(KINDS.items())
    for after in share([False, True], of=2, first=number % 2)
]


@pytest.mark.hunted
@pytest.mark.parametrize(("streaming", "text", "pause", "after"), DEATHS)
async def test_whatever_step_it_dies_at_the_answer_is_seen_once(
    *, streaming: bool, text: str, pause: float, after: bool
) -> None:
    taken = STEPS
    for step in range(1, STEPS):
        async with sender(streaming=streaming) as she:
            taken = await dies_and_returns(she, text, step=step, after=after, pause=pause)
        if taken < step:
            break
    else:
        pytest.fail("not every step was tried")
    assert taken >= (7 if streaming else 3)
