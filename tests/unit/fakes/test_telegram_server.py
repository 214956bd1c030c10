"""The server pushes as Telegram does."""

from aiohttp import web

from tests.fakes.telegram_server import TelegramServer


async def test_what_was_not_taken_is_pushed_again() -> None:
    answers = [503, 404, 200]

    async def hook(request: web.Request) -> web.Response:
        return web.Response(status=answers.pop(0))

    app = web.Application()
    app.router.add_post("/hook", hook)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        async with TelegramServer() as server:
            server.says("你好")
            await server.deliver_until_taken(
                f"http://127.0.0.1:{runner.addresses[0][1]}/hook", "s"
            )

            assert (answers, server.waiting, server.confirmed) == ([], 0, 1)
    finally:
        await runner.cleanup()
