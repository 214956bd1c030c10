"""The memory page: the desk in a browser, served where ``WEB_BIND`` is set and nowhere else.

What stands here is light. :mod:`bot.page.site` and its templates are loaded when the page is
served.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, Never

from bot.desk.desk import Desk
from bot.desk.page import PageDoor
from bot.desk.services import DeskServices
from bot.tasks import Supervisor
from bot.web import WebServer
from memory.agents import Agents
from memory.model import Language
from memory.ports import Clock

SETTING: Final = "WEB_BIND"


@dataclass(frozen=True, kw_only=True)
class PageProgram:
    """What the page needs of the running program; ``paused`` lets an agent's chats stand still."""

    agents: Agents
    desk: Desk
    door: PageDoor
    services: DeskServices
    clock: Clock
    supervisor: Supervisor
    paused: Callable[[str], AbstractAsyncContextManager[None]]
    language: Language = "zh"


async def serve_page(program: PageProgram, web: WebServer, bind: str) -> Never:
    """Serve the page until cancelled; raises as :meth:`WebServer.serve`."""
    from bot.page.rendering import LONGEST_FORM, compile_templates
    from bot.page.site import PageSite

    # Now and aside, or the first visitor would wait for it.
    await asyncio.to_thread(compile_templates)
    await web.serve(bind, PageSite(program, bind), setting=SETTING, longest_body=LONGEST_FORM)
