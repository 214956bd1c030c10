"""Write docs/commands.md: ``python -m benchmarks.commands_page``.

It is made from the declarations of the desk. Between the two markers stands what is generated,
samples of the terminal included; a test compares it with the program.
"""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from rich.console import Console

from bot.adapters.console.presenter import show_document
from bot.conversation.messages import ParsedCommand
from bot.desk.caller import ShellRequest
from bot.desk.command import Policy, Spec
from bot.desk.desk import Desk
from bot.desk.documents import Document
from bot.desk.registry import SPECS
from bot.identity import AccessLevel
from memory.agent import AgentMemory
from memory.jobs.parts import AgentParts
from memory.model import AgentSettings, Language, Message
from memory.stores.in_memory import InMemoryStore

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
BEGIN: Final = "<!-- commands: begin (python -m benchmarks.commands_page) -->"
END: Final = "<!-- commands: end -->"
START: Final = datetime(2026, 1, 3, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
WIDTH: Final = 88

HEADINGS: Final = {
    Policy.LOOK: "看 · Look — 每个人都可以；群里只看得到不敏感的 (everyone who may talk)",
    Policy.STEER: "改 · Change — 私聊里每个人；群里管理员和主人 (in a group admins and owners)",
    Policy.ERASE: "抹去 · Erase — 每个人；群里的成员只抹自己的话 (members: their own words)",
    Policy.BIND: "接起来 · Join — 只在私聊 (in private only)",
    Policy.OPERATE: "管理 · Operate — 主人，且只在私聊 (owners, in private only)",
}
SAID: Final[dict[Language, tuple[str, ...]]] = {
    "zh": ("我对花生过敏", "我住在北京，养了一只猫叫团子", "我每天早上喝手冲咖啡"),
    "en": ("I am allergic to peanuts", "I live in Oslo with a cat called Miso", "I brew coffee"),
}
SAMPLES: Final[dict[Language, tuple[str, ...]]] = {
    "zh": ("", "show #1", "reinforce #2", "forget #3"),
    "en": ("", "list", "law ebbinghaus"),
}


class _Clock:
    def __init__(self) -> None:
        self.at = START

    def now(self) -> datetime:
        return self.at


def generated() -> str:
    """Return the part of the page that is generated."""
    parts = [_table(policy) for policy in Policy if any(s.policy is policy for s in SPECS)]
    parts += ["## 样子 · Samples\n"]
    for language in SAMPLES:
        parts += asyncio.run(_samples(language))
    return "\n".join(parts)


def page_with(text: str) -> str:
    """Return ``text`` with the generated part in place, at its end if it had none."""
    if BEGIN not in text:
        return f"{text.rstrip()}\n\n{BEGIN}\n{generated()}{END}\n".lstrip()
    before, rest = text.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n{generated()}{END}{after}"


def _table(policy: Policy) -> str:
    rows = [_row(spec) for spec in SPECS if spec.policy is policy]
    head = [
        "| 命令 · command | 中文 | 做什么 · what it does | 例子 · example |",
        "|---|---|---|---|",
    ]
    return "\n".join([f"## {HEADINGS[policy]}", "", *head, *rows, ""])


def _row(spec: Spec) -> str:
    prefix = "/记忆 " if spec.parent else "/"
    chinese = " · ".join(f"`{prefix}{name}`" for name in spec.chinese)
    examples = "<br>".join(f"`{e.zh}` · `{e.en}`" for e in spec.examples)
    usage = spec.usage("en").replace("|", "\\|")
    return f"| `{usage}` | {chinese} | {spec.help.zh}<br>{spec.help.en} | {examples} |"


async def _samples(language: Language) -> list[str]:
    """Return what the terminal shows of a small memory, five days after it was made."""
    clock = _Clock()
    agent = await AgentMemory.open(
        InMemoryStore(),
        AgentParts(clock=clock),
        choose_settings=lambda _: AgentSettings(
            language=language, partner="主人" if language == "zh" else "Ann"
        ),
    )

    async def the_agent(_: str) -> AgentMemory:
        return agent

    said = [
        Message(
            id=f"{n}",
            at=START + timedelta(days=n),
            speaker=agent.settings.partner,
            role="user",
            text=text,
        )
        for n, text in enumerate(SAID[language])
    ]
    agent.worker.enqueue(said, explicit=True)
    await agent.worker.wait_until_idle()
    clock.at = START + timedelta(days=5)
    desk = Desk(the_agent, clock)
    parts = []
    for words in SAMPLES[language]:
        order = ShellRequest(ParsedCommand("memory", words), "a", AccessLevel.OWNER)
        shown = "\n".join(_lines(await desk.answer(order)))
        parts.append(f"`{f'/memory {words}'.strip()}`\n\n```\n{shown}\n```\n")
    await agent.close()
    return parts


def _lines(document: Document) -> Iterator[str]:
    """Yield what the terminal shows, without colours."""
    out = StringIO()
    show_document(document, Console(file=out, width=WIDTH, color_system=None, highlight=False))
    for line in out.getvalue().rstrip().splitlines():
        yield line.rstrip()


def main() -> None:
    """Write the page."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else "# 命令 · Commands\n"
    PAGE.write_text(page_with(text), encoding="utf-8")


if __name__ == "__main__":
    main()
