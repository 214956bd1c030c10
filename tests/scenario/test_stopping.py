"""``run`` ends within eight seconds of SIGTERM, whatever it is in the middle of.

Who stops a service waits ten seconds at most, then kills: what is under way must be put away by
then. The seconds are those in which the program waited: what the machine keeps it waiting for a
processor is not its own doing.
"""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from aiohttp import web

from bot.web import host_and_port
from tests.fakes import faults, lark_program
from tests.fakes import openai_answers as model_answers
from tests.fakes.kills import MARK, marks
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import ANN as LARK_ANN
from tests.fakes.lark_world import APP_ID, APP_SECRET, BOT, ENCRYPT_KEY, VERIFICATION_TOKEN
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.ports import free_port
from tests.fakes.processes import RunningProgram, running_program
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.waiting import unless_it_hangs, until, until_listening

LONGEST_STOP = 8.0
SECRET = "s" * 32
IDLE_REQUEST = b"POST /hook HTTP/1.1\r\nContent-Length: 50\r\n\r\nhalf"


@dataclass
class Place:
    """A platform of ours that a program is on: how to talk there, and what the program asks."""

    settings: dict[str, str]
    say: Callable[..., object]
    texts: Callable[[], list[str]]
    unconfirmed: Callable[[], object]
    fail: Callable[[str, faults.Fault], object]
    asked: Callable[[str], object]
    sends: Collection[str]
    greets: str
    bind: str = ""
    connected: Callable[[], Awaitable[object]] | None = None


@asynccontextmanager
async def telegram(*, webhook: bool) -> AsyncIterator[Place]:
    bind = f"127.0.0.1:{free_port()}" if webhook else ""
    async with TelegramServer() as server, asyncio.TaskGroup() as group:
        settings = {
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_BASE": server.api_base,
            "OWNER_IDS": f"telegram:{ANN}",
        }
        if webhook:
            settings |= {
                "TELEGRAM_WEBHOOK_URL": "https://example.com/hook",
                "TELEGRAM_WEBHOOK_SECRET": SECRET,
                "WEBHOOK_BIND": bind,
            }

        def say(text: str = "你好") -> None:
            server.says(text)
            if webhook:
                # A program that is held up answers that it has not kept it.
                group.create_task(server.deliver_until_taken(f"http://{bind}/hook", SECRET))

        sends = ("sendMessage",)
        yield Place(
            settings,
            say,
            server.texts,
            lambda: server.waiting,
            server.always,
            server.made,
            sends,
            "getMe",
            bind,
        )


@asynccontextmanager
async def lark(*, webhook: bool) -> AsyncIterator[Place]:
    where = lark_program.hook()
    async with LarkPlatform() as platform:
        settings = {
            "LARK_APP_ID": APP_ID,
            "LARK_APP_SECRET": APP_SECRET,
            "LARK_DOMAIN": platform.url,
            "OWNER_IDS": f"lark:{LARK_ANN}",
        }
        if webhook:
            settings |= {
                "LARK_MODE": "webhook",
                "LARK_ENCRYPT_KEY": ENCRYPT_KEY,
                "LARK_VERIFICATION_TOKEN": VERIFICATION_TOKEN,
                "LARK_WEBHOOK_BIND": where.bind,
                "LARK_WEBHOOK_PATH": where.path,
            }
            platform.push_to(f"http://{where.bind}{where.path}")

        def say(text: str = "你好") -> None:
            platform.say(text)

        def texts() -> list[str]:
            shown = platform.shown(platform.private())
            return [each.text for each in shown if each.sender == BOT]

        bind = where.bind if webhook else ""
        yield Place(
            settings,
            say,
            texts,
            lambda: platform.pushes.open,
            platform.always,
            platform.made,
            ("create", "reply", "card"),
            "token",
            bind,
            None if webhook else platform.connected,
        )


PLACES = {
    "telegram-polling": lambda: telegram(webhook=False),
    "telegram-webhook": lambda: telegram(webhook=True),
    "lark-connection": lambda: lark(webhook=False),
    "lark-webhook": lambda: lark(webhook=True),
}


async def at_each(
    names: Iterable[str], work: Callable[[Place, Path], Awaitable[None]], folder: Path
) -> None:
    """Do the same at several places side by side: each waits seconds for its program's end."""

    async def there(name: str) -> None:
        try:
            async with PLACES[name]() as place:
                await work(place, folder / name)
        except Exception as failure:  # it goes on: whatever failed says at which place
            failure.add_note(f"at {name}")
            raise

    async with asyncio.TaskGroup() as group:
        for name in names:
            group.create_task(there(name))


@asynccontextmanager
async def started(
    data: Path, place: Place, env: Mapping[str, str] | None = None, *, module: str = "bot"
) -> AsyncIterator[RunningProgram]:
    settings = {**place.settings, **(env or {})}
    async with running_program("run", "--data", data, env=settings, module=module) as process:
        yield process


async def seconds_to_stop(process: RunningProgram) -> float:
    """Stop a program, and return how long it waited for anything but a processor until its end."""
    worked_before, begun = worked(process), perf_counter()
    worked_last = worked_before
    process.program.send_signal(signal.SIGTERM)
    async with unless_it_hangs():
        while process.returncode is None:
            worked_last = max(worked(process), worked_last)
            await asyncio.sleep(0.01)
    return perf_counter() - begun - (worked_last - worked_before)


def worked(process: RunningProgram) -> float:
    """Return for how many seconds a program ran, or could have run."""
    try:
        ran, queued, _ = Path(f"/proc/{process.program.pid}/schedstat").read_text("ascii").split()
    except OSError:
        return 0.0
    return (int(ran) + int(queued)) / 1e9


@asynccontextmanager
async def hanging_model() -> AsyncIterator[tuple[OpenAIServer, dict[str, str]]]:
    async with OpenAIServer() as model:
        model.always(model_answers.hang())
        yield model, {"LLM_BASE_URL": model.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "sk-none"}


async def listening(place: Place, process: RunningProgram) -> None:
    await until(lambda: "\n" in process.out)
    if place.bind:
        await until_listening(place.bind)
    if place.connected is not None:
        # What is pushed to nobody is pushed again only after a quarter of a minute.
        await place.connected()


async def test_a_model_that_never_answers_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async def work(place: Place, folder: Path) -> None:
        async with hanging_model() as (model, keys), started(folder, place, keys) as process:
            await listening(place, process)
            place.say()
            await until(lambda: model.asked)
            seconds = await seconds_to_stop(process)

        assert process.returncode == 0
        assert seconds <= LONGEST_STOP

    await at_each(PLACES, work, tmp_path)


async def test_a_platform_that_never_answers_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async def work(place: Place, folder: Path) -> None:
        async with started(folder, place) as process:
            await listening(place, process)
            for each in place.sends:
                place.fail(each, faults.hang)
            place.say()
            await until(lambda: any(place.asked(each) for each in place.sends))
            seconds = await seconds_to_stop(process)

        assert process.returncode == 0
        assert seconds <= LONGEST_STOP

    await at_each(PLACES, work, tmp_path)


async def test_it_can_be_stopped_before_the_platform_has_greeted_it(tmp_path: Path) -> None:
    async def work(place: Place, folder: Path) -> None:
        place.fail(place.greets, faults.hang)
        async with started(folder, place) as process:
            await until(lambda: place.asked(place.greets))
            seconds = await seconds_to_stop(process)

        assert process.returncode == 0
        assert seconds <= LONGEST_STOP

    await at_each(PLACES, work, tmp_path)


async def fifty_messages(place: Place, folder: Path) -> None:
    """Let fifty messages wait for a model that hangs, stop, and see the next run answer them."""

    def told() -> Counter[str]:
        return Counter(mark for text in place.texts() for mark in MARK.findall(text))

    async def answer(request: web.Request, asked: model_answers.Asked) -> web.StreamResponse:
        return await model_answers.say(marks(asked))(request, asked)

    sent = [f"m-{number}" for number in range(1, 51)]
    async with hanging_model() as (model, keys):
        async with started(folder, place, keys) as process:
            await listening(place, process)
            for each in sent:
                place.say(each)
            # What is not confirmed by then comes again, on Lark after a quarter of a minute.
            await until(lambda: model.asked and not place.unconfirmed())
            seconds = await seconds_to_stop(process)
        model.always(answer)
        async with started(folder, place, keys) as process:
            await listening(place, process)
            await until(lambda: len(told()) == len(sent))
            second_stop = await seconds_to_stop(process)

    assert told() == Counter(sent)
    assert not [text for text in place.texts() if text == "…"]
    assert max(seconds, second_stop) <= LONGEST_STOP


async def test_fifty_messages_that_wait_are_answered_once_by_the_next_run(tmp_path: Path) -> None:
    await at_each(["telegram-polling", "lark-connection"], fifty_messages, tmp_path)


async def test_connections_that_say_nothing_do_not_hold_up_the_end(tmp_path: Path) -> None:
    async def work(place: Place, folder: Path) -> None:
        async with started(folder, place) as process, AsyncExitStack() as opened:
            await listening(place, process)
            for said in (b"", IDLE_REQUEST):
                _, writer = await asyncio.open_connection(*host_and_port(place.bind))
                opened.callback(writer.close)
                writer.write(said)
                await writer.drain()
            seconds = await seconds_to_stop(process)

        assert process.returncode == 0
        assert seconds <= LONGEST_STOP

    await at_each((name for name in PLACES if "webhook" in name), work, tmp_path)


async def test_a_thread_that_hangs_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async with (
        PLACES["telegram-polling"]() as place,
        started(tmp_path, place, module="tests.fakes.stuck_program") as process,
    ):
        await listening(place, process)
        seconds = await seconds_to_stop(process)

    assert process.returncode == 1, "it was ended by force"
    assert seconds <= LONGEST_STOP
