"""Write docs/commands.md and docs/zh/commands.md: ``python -m benchmarks.commands_page``.

They are made from the declarations of the desk. Between the two markers stands what is generated,
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
from bot.desk.caller import CommandRequest
from bot.desk.command import Policy, Spec
from bot.desk.desk import Desk
from bot.desk.documents import Document
from bot.desk.registry import SPECS
from bot.identity import AccessLevel
from bot.texts import Sentence, say
from memory.agent import AgentMemory
from memory.jobs.steps import AgentParts
from memory.model import AgentSettings, Language, Message
from tests.fakes.in_memory_store import InMemoryStore

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"
PAGES: Final[dict[Language, Path]] = {
    "en": DOCS / "commands.md",
    "zh": DOCS / "zh" / "commands.md",
}
BEGIN: Final = "<!-- commands: begin (python -m benchmarks.commands_page) -->"
END: Final = "<!-- commands: end -->"
START: Final = datetime(2026, 1, 3, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
WIDTH: Final = 88

HEADINGS: Final[dict[Policy, Sentence]] = {
    Policy.LOOK: Sentence(
        zh="看：能聊天的人都可以；群里只看得到不敏感的",
        en="Look: everybody who may talk with her; in a group only what is not sensitive",
    ),
    Policy.ANSWER: Sentence(
        zh="回答：任何能和我说话的人都可以；在群里，只能停下、重说答给自己的话",
        en="Answers: everybody who may talk with me; in a group, only those to oneself",
    ),
    Policy.STEER: Sentence(
        zh="改：私聊里每个人；群里管理员和主人",
        en="Change: everybody in private; in a group, admins and owners",
    ),
    Policy.ERASE: Sentence(
        zh="抹去：每个人；群里的成员只抹自己的话",
        en="Erase: everybody; in a group, members erase their own words only",
    ),
    Policy.BIND: Sentence(zh="接起来：只在私聊", en="Join: in private only"),
    Policy.OPERATE: Sentence(zh="管理：主人，且只在私聊", en="Operate: owners, in private only"),
}
COLUMNS: Final[dict[Language, str]] = {
    "en": "| command | Chinese names | what it does | example |",
    "zh": "| 命令 | 中文名 | 做什么 | 例子 |",
}
SAMPLES_HEADING: Final = Sentence(zh="样子", en="Samples")
SAID: Final[dict[Language, tuple[str, ...]]] = {
    "zh": ("我对花生过敏", "我住在北京，养了一只猫叫团子", "我每天早上喝手冲咖啡"),
    "en": ("I am allergic to peanuts", "I live in Oslo with a cat called Miso", "I brew coffee"),
}
SAMPLES: Final = ("", "list", "show #1", "reinforce #2", "law ebbinghaus", "forget #4")


class _Clock:
    def __init__(self) -> None:
        self.at = START

    def now(self) -> datetime:
        return self.at


def generated(language: Language) -> str:
    """Return the part of the page that is generated."""
    policies = [policy for policy in Policy if any(spec.policy is policy for spec in SPECS)]
    parts = [_table(policy, language) for policy in policies]
    parts += [f"## {say(language, SAMPLES_HEADING)}\n", *asyncio.run(_samples(language))]
    return "\n".join(parts)


def page_with(text: str, language: Language) -> str:
    """Return ``text`` with the generated part in place, at its end if it had none."""
    part = generated(language)
    if BEGIN not in text:
        return f"{text.rstrip()}\n\n{BEGIN}\n{part}{END}\n".lstrip()
    before, rest = text.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n{part}{END}{after}"


def _table(policy: Policy, language: Language) -> str:
    rows = [_row(spec, language) for spec in SPECS if spec.policy is policy]
    heading = f"## {say(language, HEADINGS[policy])}"
    return "\n".join([heading, "", COLUMNS[language], "|---|---|---|---|", *rows, ""])


def _row(spec: Spec, language: Language) -> str:
    prefix = "/记忆 " if spec.parent else "/"
    chinese = " · ".join(f"`{prefix}{name}`" for name in spec.chinese)
    examples = "<br>".join(f"`{each.in_language(language)}`" for each in spec.examples)
    usage = spec.usage(language).replace("|", "\\|")
    return f"| `{usage}` | {chinese} | {say(language, spec.help)} | {examples} |"


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
    agent.background.enqueue(said, explicit=True)
    await agent.background.wait_until_idle()
    clock.at = START + timedelta(days=5)
    desk = Desk(the_agent, clock)
    parts = []
    for words in SAMPLES:
        request = CommandRequest(
            command=ParsedCommand("memory", words), agent_id="a", access_level=AccessLevel.OWNER
        )
        shown = "\n".join(_lines(await desk.answer(request)))
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
    """Write the pages."""
    for language, page in PAGES.items():
        page.write_text(page_with(page.read_text(encoding="utf-8"), language), encoding="utf-8")


if __name__ == "__main__":
    main()
