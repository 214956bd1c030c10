"""The imported part of the SDK does what the whole of it does, and the whole is at hand."""

import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest
from aiohttp import web

from bot.adapters.lark.sdk import (
    KNOWN_VERSION,
    AppCredentials,
    LarkSdk,
    SdkRequest,
    SdkTransport,
    import_sdk,
    prepare_sdk,
)
from tests.architecture.sources import ROOT
from tests.fakes.lark_sdk import modules_apart, whole_sdk
from tests.fakes.lark_world import APP_ID, APP_SECRET

TOKEN = APP_ID
REQUESTS = (
    SdkRequest(method="GET", path="/open-apis/bot/v3/info", token=TOKEN),
    SdkRequest(method="GET", path="/open-apis/im/v1/x", query={"lang": "中文", "b": "&="}),
    SdkRequest(method="DELETE", path="/open-apis/im/v1/messages/om_1/reactions/r", token=TOKEN),
    SdkRequest(method="POST", path="/callback/ws/endpoint", body={"AppID": "a", "AppSecret": "s"}),
    SdkRequest(
        method="POST",
        path="/open-apis/im/v1/messages",
        query={"receive_id_type": "chat_id"},
        body={"content": '{"text": "你好\\n“世界”😀"}', "n": 1, "yes": True, "no": None},
        token=TOKEN,
    ),
    SdkRequest(
        method="PUT", path="/open-apis/cardkit/v1/cards/c", body={"sequence": 2}, token=TOKEN
    ),
    SdkRequest(method="PATCH", path="/open-apis/im/v1/messages/om_1", body={}, token=TOKEN),
    SdkRequest(
        method="POST",
        path="/open-apis/im/v1/images",
        body={"image_type": "message", "image": b"\x89PNG\r\n\x00"},
        token=TOKEN,
        large=True,
    ),
)
BOUNDARY = b"boundary="


@pytest.fixture
def by_parts() -> Iterator[LarkSdk]:
    with modules_apart("lark_oapi"):
        yield prepare_sdk(import_sdk())


async def written(sdk: LarkSdk) -> list[tuple[str, str, list[tuple[str, str]], bytes]]:
    """Return the requests as they arrive when they are sent with this SDK."""
    heard = []

    async def answer(asked: web.Request) -> web.Response:
        body = await asked.read()
        headers = {name.lower(): value for name, value in asked.headers.items()}
        kind = headers.get("content-type", "").encode()
        if BOUNDARY in kind:
            drawn = kind.partition(BOUNDARY)[2]
            body = body.replace(drawn, b"")
            headers["content-type"] = kind.replace(drawn, b"").decode()
        headers.pop("host")
        heard.append((asked.method, asked.raw_path, sorted(headers.items()), body))
        return web.json_response({"code": 0})

    async def load() -> LarkSdk:
        return sdk

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0]
    credentials = AppCredentials(APP_ID, APP_SECRET)
    transport = SdkTransport(credentials, f"http://{host}:{port}", seconds=5, load=load)
    answers = [await transport.send(request) for request in REQUESTS]
    await transport.close()
    await runner.cleanup()
    assert {each.content for each in answers} == {b'{"code": 0}'}
    return heard


async def test_the_parts_send_what_the_whole_sends(by_parts: LarkSdk) -> None:
    assert by_parts.whole is None
    assert whole_sdk().whole is not None

    sent = await written(by_parts)

    assert sent == await written(whole_sdk())
    assert len(sent) == len(REQUESTS)


def test_the_parts_hear_with_the_connection_of_the_whole(by_parts: LarkSdk) -> None:
    parts, whole = by_parts.connection, whole_sdk().connection

    assert parts.__file__ == whole.__file__
    assert vars(parts.Client).keys() == vars(whole.Client).keys()


def test_nothing_else_is_imported(by_parts: LarkSdk) -> None:
    imported = {name for name in sys.modules if name.startswith("lark_oapi.")}

    assert {name.split(".")[1] for name in imported} == {"core", "ws", "event"}
    assert {name for name in imported if ".event" in name} == {
        "lark_oapi.event.dispatcher_handler"
    }


WHOLE = "loaded = True\nfrom lark_oapi.ws import client\n"
COMPLETE = {
    "__init__.py": WHOLE,
    "core/__init__.py": "",
    "core/enum.py": "AccessTokenType = HttpMethod = LogLevel = object\n",
    "core/model.py": "BaseRequest = Config = RequestOption = object\n",
    "core/utils.py": "Files = object\n",
    "core/http/__init__.py": "",
    "core/http/transport.py": "Transport = httpx = object\n",
    "ws/__init__.py": "from lark_oapi import loaded\n",
    "ws/client.py": "Client = _new_ping_frame = loop = object\n",
}
"""A library of the version that is known, as far as its parts are concerned."""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in COMPLETE.items():
        path = tmp_path / "lark_oapi" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    invalidate_caches()
    with modules_apart("lark_oapi"):
        yield tmp_path / "lark_oapi"


def test_a_library_as_it_is_known_is_imported_by_its_parts(library: Path) -> None:
    sdk = import_sdk()

    assert sdk.whole is None
    assert Path(sdk.connection.__file__) == library / "ws/client.py"


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("core/model.py", "BaseRequest = RequestOption = object\n"),
        ("ws/client.py", "from lark_oapi import loaded\nClient = loop = object\n"),
        ("ws/client.py", "from lark_oapi.event.dispatcher_handler import Other\n"),
    ],
    ids=["a name is gone", "a part wants the rest", "a part wants more of the dispatcher"],
)
def test_where_a_part_is_not_as_known_the_whole_is_imported(
    library: Path, caplog: pytest.LogCaptureFixture, module: str, text: str
) -> None:
    (library / module).write_text(text, encoding="utf-8")
    (library / "event").mkdir()
    (library / "event/dispatcher_handler.py").write_text("Other = object\n", encoding="utf-8")

    sdk = import_sdk()

    assert sdk.whole.loaded
    assert sdk.connection is sdk.whole.ws.client
    assert "all of lark-oapi is imported" in caplog.text


def test_another_version_is_imported_whole(library: Path) -> None:
    sdk = import_sdk(known_version="1.7.4")

    assert sdk.whole.loaded


def test_what_is_imported_already_is_not_imported_by_parts(library: Path) -> None:
    whole = import_module("lark_oapi")

    assert import_sdk().whole is whole


def test_the_version_that_is_known_is_the_one_in_the_lock() -> None:
    lock = (ROOT / "requirements-all.lock").read_text(encoding="utf-8")

    assert f"lark-oapi=={KNOWN_VERSION} " in lock
