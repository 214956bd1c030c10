"""The memory page in a real browser: axe in every room, keys only, frames, and its pictures.

Run by ``make browser``. Needs Chromium (``apt install chromium``); Playwright drives it and brings
no browser of its own. Nothing but the page of this machine is asked for: any other request ends
the run. ``--pictures`` writes the screenshots of ``docs/page``.
"""

import argparse
import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import axe_playwright_python
from PIL import Image
from playwright.async_api import async_playwright

from bot.desk.page import Visitor
from bot.page import serve_page
from bot.web import WebServer
from memory.model import Language
from tests.fakes.page_world import PageWorld, page_world
from tests.fakes.ports import free_port
from tests.fakes.waiting import until_listening

ROOMS: Final = (
    ("today", "/"),
    ("search", "/search?q={query}"),
    ("list", "/search"),
    ("memory", "/memory/8"),
    ("the-network", "/network"),
    ("diary", "/diary?day=2026-03-04"),
    ("people", "/people"),
    ("settings", "/settings"),
    ("traffic", "/traffic"),
)
QUERIES: Final[dict[Language, str]] = {"zh": "花生", "en": "peanuts"}
PICTURES: Final = Path("docs/page")
LARGEST_PICTURE: Final = 40_000
LEAST_FRAMES: Final = 30
LONGEST_PAINT: Final = 1_000
GRAVE: Final = ("serious", "critical")


@dataclass
class Found:
    """What was found wrong, and what was measured."""

    wrong: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


def chromium() -> str:
    """Return where Chromium is; ends the program, saying what to do, where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        sys.exit("No Chromium here. On Debian or Ubuntu: apt install chromium")
    return found


@contextlib.asynccontextmanager
async def served(
    language: Language, count: int = 60, lines: int = 400, *, reopened: bool = False
) -> AsyncIterator[tuple[PageWorld, str]]:
    """Serve a life on this machine, on wish as after a start: read from the disk."""
    bind = f"127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory(prefix="page-") as folder:
        if reopened:
            async with page_world(
                Path(folder), language=language, count=count, lines=lines
            ) as world:
                # So that there is an index to be kept.
                await world.browser.look("/search?q=a")
            count = lines = 0
        async with page_world(
            Path(folder), language=language, count=count, lines=lines, bind=bind
        ) as world:
            task = asyncio.ensure_future(serve_page(world.program, WebServer(), bind))
            await until_listening(bind)
            yield world, bind
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


async def let_in(world: PageWorld, context: Any) -> Any:
    """Return a browser page that came in by the button of a link."""
    page = await context.new_page()
    await page.goto(world.program.door.link(Visitor(agent_id="local")))
    await page.keyboard.press("Tab")
    await page.get_by_role("button").press("Enter")
    await page.wait_for_load_state()
    return page


def watched(page: Any, bind: str, found: Found) -> None:
    """Note every error of a script, every refused policy, and every request to elsewhere."""
    page.on("pageerror", lambda error: found.wrong.append(f"script: {error}"))

    def note(line: Any) -> None:
        if line.type == "error" and "status of 404" not in line.text:
            found.wrong.append(f"console: {line.text[:160]} ({page.url})")

    def check(asked: Any) -> None:
        if not asked.url.startswith((f"http://{bind}/", "data:")):
            found.wrong.append(f"asked elsewhere: {asked.url[:80]}")

    page.on("console", note)
    page.on("request", check)


async def look_at_rooms(browser: Any, language: Language, found: Found, *, pictures: bool) -> None:
    """Run axe in every room, light and dark, narrow and wide; write the pictures."""
    axe = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
    async with served(language) as (world, bind):
        for theme in ("light", "dark"):
            for width, height in ((360, 740), (1200, 800)):
                context = await browser.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme=theme,
                    reduced_motion="reduce",
                    bypass_csp=False,
                )
                page = await let_in(world, context)
                watched(page, bind, found)
                for name, path in ROOMS:
                    where = path.format(query=QUERIES[language])
                    await page.goto(f"http://{bind}{where}")
                    if name == "the-network":
                        await page.wait_for_selector("#network[data-ready]", timeout=60_000)
                    label = f"{name}-{language}-{width}-{theme}"
                    await _no_sideways(page, label, found)
                    if pictures:
                        await _picture(page, PICTURES / f"{label}.png", found)
                    await _axe(page, axe, label, found)
                    if name == "settings":
                        await _try_value(page, label, found)
                        await _axe(page, axe, f"{label}-tried", found)
                        if pictures:
                            await _picture(page, PICTURES / f"{label}-tried.png", found)
                await context.close()


_FIELD: Final = "#tiers-fact_decay"


async def _try_value(page: Any, label: str, found: Found) -> None:
    """Change a parameter: its curve and its field must both be in sight."""
    await page.fill(_FIELD, "0.8")
    await page.press(_FIELD, "Enter")
    await page.wait_for_selector("#answer figure img")
    await page.wait_for_function("() => document.querySelector('#answer img').complete")
    places = [await page.locator(e).bounding_box() for e in (_FIELD, "#answer", "#answer img")]
    field, answer, curve = ((e["y"], e["y"] + e["height"]) for e in places)
    if not (field[0] > 0 and field[1] <= answer[0] < curve[0] < curve[1] <= answer[1]):
        found.wrong.append(f"{label}: field, answer, curve are at {field}, {answer}, {curve}")


async def _no_sideways(page: Any, label: str, found: Found) -> None:
    wide = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    if wide > 0:
        found.wrong.append(f"{label}: {wide} pixels too wide")


async def _axe(page: Any, axe: str, label: str, found: Found) -> None:
    # By the debugger, not the page: the policy lets no script in but the page's own.
    session = await page.context.new_cdp_session(page)
    await session.send("Runtime.evaluate", {"expression": axe})
    told = await session.send(
        "Runtime.evaluate",
        {
            "expression": "axe.run(document).then((r) => r.violations.map((v) =>"
            " `${v.impact} ${v.id}: ${v.nodes[0].target} ${v.nodes[0].failureSummary}`))",
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    violations = told["result"].get("value")
    if violations is None:
        found.wrong.append(f"{label}: axe did not run: {str(told)[:200]}")
        return
    for each in violations:
        line = f"{label}: {' '.join(each.split())[:260]}"
        (found.wrong if each.split()[0] in GRAVE else found.told).append(line)


async def _picture(page: Any, path: Path, found: Found) -> None:
    image = Image.open(BytesIO(await page.screenshot())).convert("RGB")
    path.parent.mkdir(exist_ok=True)
    for share in (1.0, 0.8, 0.65, 0.5):
        smaller = image.resize((int(image.width * share), int(image.height * share)))
        smaller.quantize(64, Image.Quantize.MAXCOVERAGE, 3, dither=Image.Dither.NONE).save(
            path, optimize=True
        )
        if path.stat().st_size <= LARGEST_PICTURE:
            return
    found.wrong.append(f"{path}: {path.stat().st_size} bytes")


@dataclass
class Keys:
    """Somebody without a pointer; ``steps`` says how far each thing was."""

    page: Any
    steps: list[str] = field(default_factory=list)

    async def tab_to(self, name: str, most: int = 60) -> None:
        """Press Tab until what is named so has the focus."""
        for pressed in range(most):
            if await self.page.evaluate(
                "(name) => { const one = document.activeElement; return !!one &&"
                " one !== document.body && (one.innerText || one.getAttribute('aria-label') ||"
                " one.id || '').trim().startsWith(name); }",
                name,
            ):
                self.steps.append(f"{name}: {pressed} × Tab")
                return
            await self.page.keyboard.press("Tab")
        raise AssertionError(f"not reached by Tab: {name}; {self.steps}")

    async def enter(self, name: str, where: str = "") -> None:
        """Go to what is named so and press Enter; wait for the address, if one is given."""
        await self.tab_to(name)
        await self.page.keyboard.press("Enter")
        if where:
            await self.page.wait_for_url(where)

    async def type_into(self, name: str, text: str) -> None:
        """Write a text in place of what stands in a field, and send it."""
        await self.tab_to(name)
        await self.page.keyboard.press("Control+a")
        await self.page.keyboard.type(text)
        await self.page.keyboard.press("Enter")

    async def answered(self, text: str, *, gone: bool = False) -> None:
        """Wait until the answer has a text, or has it no more."""
        await self.page.wait_for_function(
            "([id, text, gone]) => document.getElementById(id).innerText.includes(text) !== gone",
            arg=["answer", text, gone],
        )


async def by_keys_only(browser: Any, found: Found) -> None:
    """Search, correct, undo and erase one memory without a pointer."""
    async with served("zh") as (world, bind):
        context = await browser.new_context(viewport={"width": 900, "height": 800})
        page = await let_in(world, context)
        watched(page, bind, found)
        keys = Keys(page)
        await keys.enter("搜索", "**/search")
        await keys.type_into("q", "手冲咖啡")
        await page.wait_for_url("**/search?q=**")
        await keys.enter("我喜欢喝手冲咖啡", "**/memory/**")
        number = int(page.url.rpartition("/")[2])
        await keys.type_into("text", "我喜欢喝红茶")
        await keys.answered("我喜欢喝红茶")
        if (await world.state()).memory(number).words.text != "我喜欢喝红茶":
            found.wrong.append("keys: the correction did not arrive")
        await keys.enter("撤销")
        await keys.answered("变回原样")
        await keys.enter("确认")
        await keys.answered("确认", gone=True)
        if (await world.state()).memory(number).words.text == "我喜欢喝红茶":
            found.wrong.append("keys: undo did nothing")
        await page.reload()
        await keys.enter("抹去")
        await keys.answered("确认")
        await keys.enter("确认")
        await keys.answered("重新检查了所有文件")
        if number in (await world.state()).memories:
            found.wrong.append("keys: what was erased is still there")
        found.told.append(f"keys only: {'; '.join(keys.steps)}")
        await context.close()


async def without_script(browser: Any, found: Found) -> None:
    """Do the same without any script: every room, a pin, and the way back."""
    async with served("en") as (world, bind):
        context = await browser.new_context(java_script_enabled=False)
        page = await let_in(world, context)
        for _, path in ROOMS:
            answer = await page.goto(f"http://{bind}{path.format(query='peanuts')}")
            if answer.status != 200:
                found.wrong.append(f"without script: {path} is {answer.status}")
        await page.goto(f"http://{bind}/memory/8")
        await page.get_by_role("button", name="pin", exact=True).click()
        await page.wait_for_load_state()
        if not (await world.state()).memory(8).nature.pinned:
            found.wrong.append("without script: pin did nothing")
        await context.close()


DRAG: Final = """async () => {
  const canvas = document.getElementById("canvas"), box = canvas.getBoundingClientRect();
  const frames = window.networkFrames, before = frames.count, spent = frames.spent;
  const at = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, {
    pointerId: 1, clientX: box.x + x, clientY: box.y + y, bubbles: true }));
  canvas.setPointerCapture = () => {};
  at("pointerdown", 300, 300);
  const begun = performance.now();
  let turn = 0;
  while (performance.now() - begun < 3000) {
    turn += 0.2;
    at("pointermove", 300 + 80 * Math.cos(turn), 300 + 80 * Math.sin(turn));
    await new Promise(requestAnimationFrame);
  }
  at("pointerup", 300, 300);
  const drawn = frames.count - before;
  return [drawn / ((performance.now() - begun) / 1000), (frames.spent - spent) / drawn];
}"""


FIRST_PAINT: Final = """new Promise((found) => new PerformanceObserver((list) =>
  list.getEntriesByName("first-contentful-paint").forEach((each) => found(each.startTime)))
  .observe({ type: "paint", buffered: true }))"""


async def frames(browser: Any, found: Found, nodes: int = 2_000) -> None:
    """Drag the network of so many nodes for three seconds and count the frames."""
    async with served("zh", count=nodes, lines=10) as (world, bind):
        context = await browser.new_context(viewport={"width": 1200, "height": 900})
        page = await let_in(world, context)
        await page.goto(f"http://{bind}/network")
        await page.wait_for_selector("#network[data-ready]", timeout=120_000)
        shown = await page.evaluate(
            "fetch('/network.json').then((r) => r.json()).then((r) => r.nodes.length)"
        )
        rate, drawn = await page.evaluate(DRAG)
        paint = await page.evaluate(FIRST_PAINT)
        found.told.append(
            f"network: {shown} nodes, {rate:.0f} frames a second, {drawn:.1f} ms each to draw;"
            f" first paint {paint:.0f} ms"
        )
        if rate < LEAST_FRAMES:
            found.wrong.append(f"network: only {rate:.0f} frames a second")
        await context.close()


async def first_paints(browser: Any, found: Found) -> None:
    """Look into every room of a long life twice; note how long nothing is to be seen."""
    async with served("zh", count=10_000, lines=100_000, reopened=True) as (world, bind):
        context = await browser.new_context(viewport={"width": 360, "height": 740})
        page = await let_in(world, context)
        for again in (False, True):
            told: list[str] = []
            for name, path in ROOMS:
                await page.goto(f"http://{bind}{path.format(query=QUERIES['zh'])}")
                paint = await page.evaluate(FIRST_PAINT)
                told.append(f"{name} {paint:.0f}")
                if paint > LONGEST_PAINT:
                    found.wrong.append(f"{name}: first paint after {paint:.0f} ms")
            when = "again" if again else "the first look"
            found.told.append(f"first paint, ms, {when}: {', '.join(told)}")
        await context.close()


async def main() -> int:
    """Look at everything; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    found = Found()
    flags = [*(("--no-sandbox",) if os.geteuid() == 0 else ()), "--disable-gpu", "--disable-quic"]
    flags += ["--no-first-run", "--disable-background-networking", "--disable-component-update"]
    opened: Any = async_playwright
    async with opened() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=flags)
        looks: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "rooms-zh": lambda: look_at_rooms(browser, "zh", found, pictures=given.pictures),
            "rooms-en": lambda: look_at_rooms(browser, "en", found, pictures=given.pictures),
            "keys": lambda: by_keys_only(browser, found),
            "script": lambda: without_script(browser, found),
            "frames": lambda: frames(browser, found),
            "paint": lambda: first_paints(browser, found),
        }
        for name, look in looks.items():
            if given.only in name:
                await look()
        await browser.close()
    for line in (*found.told, *(f"WRONG {each}" for each in found.wrong)):
        print(line)
    print(f"{len(found.wrong)} wrong")
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
