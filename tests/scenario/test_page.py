"""The memory page of a running program: asked for in the chat, and besieged by strangers."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

import pytest
from aiohttp import ClientSession

from bot.page import serve_page
from bot.web import WebLimits, WebServer, host_and_port, page_address
from memory.errors import InputRefused
from memory.privacy.vault import Keys
from tests.fakes.cost import share
from tests.fakes.page_world import PageWorld, hidden_fields, page_world
from tests.fakes.ports import free_port
from tests.fakes.processes import running_program
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.waiting import unless_it_hangs, until, until_listening

LISTENS = "0A"
"""The state of a socket that waits for callers, in Linux's tables."""


_FORM = b"Content-Type: application/x-www-form-urlencoded"
_HOST = b"Host: HOST"

SIEGE = (
    (),
    (b"GET / HT",),
    (b"GET / HTTP/1.1", _HOST, b"Cookie: xiaoxiang-1=" + b"a" * 9_000, b"", b""),
    (b"POST /enter HTTP/1.1", _HOST, _FORM, b"Content-Length: 400000", b"", b"key="),
    (b"POST /import HTTP/1.1", _HOST, b"Content-Length: 10485760", b"", b"a" * 65_536),
    (b"GET /search?q=a HTTP/1.1", b"Host: evil.example", b"", b""),
)
"""What strangers send and then wait: nothing, half a head, much, slowly."""


@asynccontextmanager
async def siege(bind: str, count: int) -> AsyncIterator[list[asyncio.StreamReader]]:
    """Let so many strangers send something, and then wait."""
    crowd = [await asyncio.open_connection(*host_and_port(bind)) for _ in range(count)]
    for number, (_, writer) in enumerate(crowd):
        lines = SIEGE[number % len(SIEGE)]
        writer.write(b"\r\n".join(lines).replace(b"HOST", bind.encode()))
    yield [reader for reader, _ in crowd]
    for _, writer in crowd:
        writer.close()


async def key_from_the_chat(server: TelegramServer, bind: str) -> str:
    address = re.compile(rf"http://{bind}/enter\?key=([\w-]+)")
    server.says("/页面")
    await until(lambda: address.search("\n".join(server.texts())))
    found = address.search("\n".join(server.texts()))
    assert found
    return found[1]


async def test_the_chat_hands_out_a_link_that_opens_the_page(tmp_path: Path) -> None:
    bind = f"127.0.0.1:{free_port()}"
    async with TelegramServer() as server, ClientSession() as session:
        env = {
            "OWNER_IDS": f"telegram:{ANN}",
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_BASE": server.api_base,
            "WEB_BIND": bind,
        }
        async with running_program("run", "--data", str(tmp_path), env=env) as process:
            server.says("/记住 我对花生过敏")
            await until(lambda: any("花生" in text for text in server.texts()))
            key = await key_from_the_chat(server, bind)
            await until_listening(bind)
            stranger = await session.get(f"http://{bind}/")
            come_in = await session.post(
                f"http://{bind}/enter", data={"key": key}, allow_redirects=False
            )
            cookie = come_in.headers["Set-Cookie"].partition(";")[0]
            seen = await session.get(f"http://{bind}/search", headers={"Cookie": cookie})
            text = await seen.text()
            async with siege(bind, 120) as strangers:
                server.says("/记住 我在学潜水")
                await until(lambda: any("潜水" in text for text in server.texts()))
                waiting = sum(not each.at_eof() for each in strangers)
            server.says("/页面 结束")
            await until(lambda: any("已经退出 1 个" in each for each in server.texts()))
            after = await session.get(f"http://{bind}/", headers={"Cookie": cookie})
            await process.stopped()

    assert stranger.status == HTTPStatus.FORBIDDEN
    assert "我对花生过敏" in text
    assert after.status == HTTPStatus.FORBIDDEN
    assert waiting
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert key.encode() not in kept


async def test_the_page_is_off_unless_it_is_asked_for(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        env = {
            "OWNER_IDS": f"telegram:{ANN}",
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_BASE": server.api_base,
        }
        async with running_program("run", "--data", str(tmp_path), env=env) as process:
            server.says("/page")
            await until(lambda: any("WEB_BIND" in text for text in server.texts()))
            await process.stopped()


def listening_sockets(pid: int) -> set[str]:
    """Return the addresses at which a process listens, as the kernel writes them."""
    own = {str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTENS and f"socket:[{fields[9]}]" in own:
                found.add(fields[1])
    return found


@pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="read from Linux's /proc")
@pytest.mark.hunted
@pytest.mark.parametrize("bound", share([False, True], of=2))
async def test_without_an_address_nothing_of_it_is_loaded_and_no_port_is_open(
    tmp_path: Path, *, bound: bool
) -> None:
    async with TelegramServer() as server:
        env = {
            "OWNER_IDS": f"telegram:{ANN}",
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_BASE": server.api_base,
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        bind = f"127.0.0.1:{free_port()}"
        words = ("run", "--data", str(tmp_path))
        async with running_program(
            *words,
            env=env | ({"WEB_BIND": bind} if bound else {}),
            module="tests.fakes.loaded_modules",
            whole=True,
        ) as process:
            server.says("/记住 我对花生过敏")
            await until(lambda: any("花生" in text for text in server.texts()))
            if bound:
                await until_listening(bind)
            ports = listening_sockets(process.program.pid)
            out, _ = await process.stopped()

    loaded = set(out.partition("loaded:\n")[2].split())
    assert {"bot.cli.run", "bot.adapters.telegram.adapter"} <= loaded
    # Whoever does not use Lark does not pay for it.
    assert "lark_oapi" not in loaded
    assert (loaded >= {"bot.page.site", "uvicorn", "starlette"}) is bound
    heavy = {"bot.page", "bot.page.site", "uvicorn", "starlette", "prometheus_client"}
    assert bool(loaded & heavy) is bound
    assert len(ports) == bound


async def test_the_shell_serves_its_own_agent(tmp_path: Path) -> None:
    bind = f"127.0.0.1:{free_port()}"
    words = ("page", "--data", str(tmp_path), "--bind", bind, "--no-open")
    async with running_program(*words) as process, ClientSession() as session:
        await until_listening(bind)
        closed = await session.get(f"http://{bind}/")
        await process.stopped()

    assert closed.status == HTTPStatus.FORBIDDEN
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("bind", "public"),
    [
        ("0.0.0.0:8090", ""),
        ("192.168.1.2:8090", ""),
        ("127.0.0.1:8090", "http://page.example"),
        ("127.0.0.1:8090", "https://page.example/inside"),
        ("127.0.0.1:8090", "https://user@page.example"),
        ("127.0.0.1:8090", "page.example"),
    ],
)
def test_others_reach_it_only_by_an_https_name(bind: str, public: str) -> None:
    with pytest.raises(InputRefused, match="WEB_ADDRESS"):
        page_address(bind, public)


def test_an_address_is_named_as_browsers_write_it() -> None:
    assert page_address("[::1]:80") == "http://[::1]:80"
    assert page_address("127.0.0.1:8090") == "http://127.0.0.1:8090"
    assert page_address("0.0.0.0:1", "https://Page.example/") == "https://page.example"


async def test_what_is_sealed_opens_after_a_yes_only(tmp_path: Path) -> None:
    key = tmp_path / "keys" / "k"
    key.parent.mkdir()
    Keys.create(key, data=tmp_path / "data")
    async with page_world(tmp_path / "data", key_file=key) as world:
        await world.browser.press(await world.browser.tell("/memory sensitivity #8 3"))
        sealed = await world.state()
        plain = (await world.program.agents.get("local")).unsealed(8)
        words = getattr(plain, "words", None)
        assert words is not None
        assert sealed.memory(8).sealed is not None
        door, (session,) = world.program.door, world.program.door._sessions.values()
        rooms = ("/memory/8", "/search", "/network.json")
        shut = [await world.browser.look(path) for path in rooms]
        shut.append(await world.browser.look("/ask?line=/memory%20show%20%238"))
        shut.append(await world.browser.tell("/memory sensitivity #8 1"))
        shut.append(await world.browser.tell(f"/forget {words.text}"))
        code = door.ask(session, 8)
        assert door.decide("other", code, opens=True) is None
        assert door.decide("local", "00000000", opens=True) is None
        shut.append(await world.browser.look("/memory/8"))
        assert door.decide("local", code, opens=True) == 8
        opened = await world.browser.look("/memory/8")
        world.clock.tick(minutes=6)
        shut.append(await world.browser.look("/memory/8"))

    assert words.text in opened
    assert not [n for n, seen in enumerate(shut) if words.text in seen and n != 5]
    assert '<td><a href="/memory/8">' not in shut[5]


async def test_without_a_chat_nobody_can_say_yes(tmp_path: Path) -> None:
    async with page_world(tmp_path) as world:
        csrf = hidden_fields(await world.browser.look("/"))["csrf"]
        answer = await world.browser.ask("/memory/8/open", f"csrf={csrf}".encode())

    assert "没有可以确认的聊天" in answer.body.decode()


@asynccontextmanager
async def besieged(folder: Path) -> AsyncIterator[tuple[PageWorld, str]]:
    bind = f"127.0.0.1:{free_port()}"
    brisk = WebLimits(request_seconds=0.4, head_seconds=0.2, linger_seconds=0.2)
    async with page_world(folder, bind=bind) as world, asyncio.TaskGroup() as group:
        task = group.create_task(serve_page(world.program, WebServer(brisk), bind))
        await until_listening(bind)
        yield world, bind
        task.cancel()


async def exchanged(bind: str, *pieces: bytes, pause: float = 0.0) -> bytes:
    reader, writer = await asyncio.open_connection(*host_and_port(bind))
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        async with unless_it_hangs():
            return await reader.read()
    except (ConnectionError, BrokenPipeError):
        return b""
    finally:
        writer.close()


def asking(bind: str, method: str, path: str, *more: str) -> bytes:
    lines = (f"{method} {path} HTTP/1.1", f"Host: {bind}", *more)
    return "\r\n".join((*lines, "", "")).encode()


async def test_strangers_at_the_socket_get_nothing_and_stop_nobody(tmp_path: Path) -> None:
    async with besieged(tmp_path) as (world, bind):
        cookie = f"Cookie: {world.browser.cookie}"
        form = "Content-Type: application/x-www-form-urlencoded"
        large = asking(bind, "POST", "/do", cookie, form, "Content-Length: 10485760")
        slow = asking(bind, "POST", "/enter", form, "Content-Length: 400000")
        chunked = asking(bind, "POST", "/do", cookie, form, "Transfer-Encoding: chunked")
        smuggled = asking(
            bind, "POST", "/enter", form, "Content-Length: 4", "Transfer-Encoding: chunked"
        )
        told = {
            "large": await exchanged(bind, large, b"a" * 10_485_760),
            "slow": await exchanged(bind, slow, *[b"k"] * 40, pause=0.02),
            "many pieces": await exchanged(bind, chunked, b"1\r\na\r\n" * 6_000),
            "smuggled": await exchanged(bind, smuggled, b"0\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
            "no form": await exchanged(bind, asking(bind, "POST", "/do", "Content-Length: 0")),
            "no host": await exchanged(bind, b"GET / HTTP/1.1\r\n\r\n"),
            "nonsense": await exchanged(bind, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
            "half a head": await exchanged(bind, b"GET / HTTP/1.1\r\nHost:"),
        }
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"):
            told[method] = await exchanged(bind, asking(bind, method, "/memory/8", cookie))
        statuses = {name: int((said.split() or [b"", b"0"])[1]) for name, said in told.items()}
        crowd = [await asyncio.open_connection(*host_and_port(bind)) for _ in range(500)]
        seen = await exchanged(bind, asking(bind, "GET", "/search", cookie))
        for _, writer in crowd:
            writer.close()

    assert not [name for name, status in statuses.items() if 200 <= status < 400]
    assert not [name for name, said in told.items() if "花生".encode() in said]
    assert seen.startswith(b"HTTP/1.1 200")


async def test_at_the_socket_too_a_button_of_an_ended_session_is_answered(tmp_path: Path) -> None:
    async with besieged(tmp_path) as (_, bind):
        form = ("Content-Type: application/x-www-form-urlencoded", "Content-Length: 6")
        pressed = await exchanged(bind, asking(bind, "POST", "/do", *form), b"line=x")
        script = asking(bind, "POST", "/do", *form, "HX-Request: true")
        in_place = await exchanged(bind, script, b"line=x")
        longer = await exchanged(bind, asking(bind, "GET", f"/search?q={'a' * 5_000}"))

    assert "门关着".encode() in pressed
    assert "门关着".encode() in in_place
    assert b"<html" not in in_place
    assert "太长".encode() in longer
