"""The rooms of the page: what each shows, and the commands they give the desk.

Nothing is changed here. Whatever changes something goes to the desk as a command line, exactly as
it would from a chat, and its document is shown: previews, codes, undo and receipts are the desk's.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from heapq import nlargest
from typing import Final

from bot.conversation.messages import ParsedCommand, read_command
from bot.desk.agent_settings import diary_kept_text
from bot.desk.caller import Caller, CommandRequest, file_from_bytes
from bot.desk.command import Call, ParsedArguments, Policy
from bot.desk.desk import permitted_commands, resolved, visible_state
from bot.desk.documents import Document, File, Text
from bot.desk.memory_details import present_blocks
from bot.desk.page import PageSession, seal_question
from bot.identity import AccessLevel
from bot.page import PageProgram
from bot.page.calendar import month_weeks, shown_month
from bot.page.kept import Kept
from bot.page.life import (
    curves_of,
    levels_of,
    once_said,
    reasons_sentence,
    says_other_now,
    timeline_of,
)
from bot.page.rendering import Form, Page, answer
from bot.tasks import Done, Pace, attempt
from bot.texts import Sentence, page, say
from memory.agent import AgentMemory
from memory.laws.settings import settings_of
from memory.model import Language, Memory, Tier
from memory.recall import DepthName, Hit
from memory.state import MemoryState

PATIENCE: Final = 1.0
"""The longest, in seconds, that each step of a room waits while somebody who talks is served."""

AHEAD_PATIENCE: Final = 30.0
"""The same for what is loaded ahead of the first search: nobody need have it at once."""

COMMAND_SECONDS: Final = 8.0
"""How long a page waits for a command; it goes on behind, and the answer says so."""

LATEST: Final = 12
WEAKEST: Final = 8
FOUND: Final = 10
MOST_PEOPLE: Final = 200
LINES_OF_A_DAY: Final = 200

NOT_HERE: Final = frozenset({"agents", "page", "link", "unlink", "people", "stop", "again"})
"""Commands that are for the chat only: they are about other agents, or about the door itself."""


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One request of a browser that was let in."""

    program: PageProgram
    kept: Kept
    session: PageSession
    agent: AgentMemory
    now: datetime
    level: AccessLevel
    query: Mapping[str, str] = field(default_factory=dict)
    form: Form = field(default_factory=Form)

    @cached_property
    def call(self) -> Call:
        """What the desk's own words and tables are made from; it can only look."""
        return Call(
            agent_id=self.session.visitor.agent_id,
            state=visible_state(self.agent.state, private=True),
            now=self.now,
            given=ParsedArguments(),
            specs=permitted_commands(self.level, private=True),
            services=self.program.services,
            unsealed=frozenset(),
        )

    @cached_property
    def pace(self) -> Pace:
        """How this visit's work in threads goes on beside turns."""
        return self.program.supervisor.turns.pace(PATIENCE)

    async def give_way(self) -> None:
        """Let whoever waits for an answer go first, between two steps that hold the loop."""
        await asyncio.sleep(0)
        await self.program.supervisor.turns.let_pass(PATIENCE)

    @property
    def state(self) -> MemoryState:
        """The state as it is now."""
        return self.call.state

    @property
    def language(self) -> Language:
        """The language of the agent."""
        return self.agent.settings.language

    def number(self, name: str, default: int) -> int:
        """Return a number of the query, from 1 to 100,000."""
        given = self.query.get(name, "")
        return (
            min(max(int(given[:6]), 1), 100_000)
            if given.isascii() and given.isdigit()
            else default
        )

    def may_look(self, line: str) -> bool:
        """Whether a command line only looks, so that following a link may give it."""
        spec = resolved(read_command(line) or ParsedCommand("")).spec
        return spec is not None and spec.policy is Policy.LOOK and spec.name not in NOT_HERE

    def new_word(self) -> str:
        """Return the word of one form, by which it counts once."""
        return secrets.token_urlsafe(9)


def one_line(visit: Visit, sentence: Sentence, status: int = 200) -> Page:
    """Return an answer of one sentence."""
    return answer(Document((Text(say(visit.language, sentence)),)), status)


async def ask_desk(visit: Visit, line: str) -> Document:
    """Give the desk a command line as its partner would, and return what it answers."""
    command = read_command(line)
    spec = resolved(command).spec if command is not None else None
    if command is None or spec is None or spec.name in NOT_HERE:
        return Document((Text(say(visit.language, page.NOT_ON_THE_PAGE)),))
    visitor, program, form = visit.session.visitor, visit.program, visit.form
    request = CommandRequest(
        command=command,
        agent_id=visitor.agent_id,
        access_level=visit.level,
        conversation="",
        caller=Caller(
            person=visitor.person,
            place=visitor.place,
            paused=partial(program.paused, visitor.agent_id),
            file=file_from_bytes(form.file_name, form.file) if form.file else None,
        ),
        unsealed=visit.session.may_open(visit.now),
    )
    return await program.desk.answer(request)


async def carried_out(visit: Visit) -> Page:
    """Carry out the command of a form, once; what takes long goes on when nobody waits for it."""
    if not visit.session.use(visit.form.fields.get("once", "")[:64], _line(visit)):
        return one_line(visit, page.DONE_ALREADY)
    if says_other_now(visit.state, visit.form.fields):
        return one_line(visit, page.CHANGED_MEANWHILE)
    done: asyncio.Future[Document] = asyncio.get_running_loop().create_future()

    async def work() -> None:
        step = await attempt("a command of the page", lambda: ask_desk(visit, _line(visit)))
        failed = Document((Text(say(visit.language, page.FAILED)),))
        if not done.done():
            done.set_result(step.value if isinstance(step, Done) else failed)

    visit.program.supervisor.start("a command of the page", work())
    await asyncio.wait((done,), timeout=COMMAND_SECONDS)
    return answer(done.result()) if done.done() else one_line(visit, page.STILL_AT_IT)


def _line(visit: Visit) -> str:
    """Return the command of a form and what was typed behind it; who knows it may type it too."""
    fields = visit.form.fields
    typed = " ".join(fields.get("text", "").split())
    line = fields.get("line", "")
    return f"{line} {typed.removeprefix(f'{line} ')}".strip()


async def brought_in(visit: Visit) -> Page:
    """Show what a file would bring in; the desk keeps it until that is confirmed."""
    if not visit.form.file:
        return one_line(visit, page.NO_FILE)
    return answer(await ask_desk(visit, "/memory import"))


async def previewed(visit: Visit) -> Page:
    """Show what a setting would do. A confirmation is no value: it does nothing here."""
    words = _line(visit).split()
    if words[:2] not in (["/memory", "set"], ["/memory", "law"]) or "ok-" in "".join(words):
        return one_line(visit, page.NOT_ON_THE_PAGE)
    return answer(await ask_desk(visit, " ".join(words)))


async def today(visit: Visit) -> Page:
    """Show what she learnt, what she is about to forget, and what is planned."""
    standing = await asyncio.to_thread(visit.kept.standing, visit.call, visit.pace)
    latest = await asyncio.to_thread(_latest, visit.state)
    return Page(
        "today.html",
        {
            "standing": standing,
            "weak": standing.weakest[:WEAKEST],
            "latest": latest,
            "planned": await ask_desk(visit, "/reminders"),
            "now": visit.now,
        },
    )


def _latest(state: MemoryState) -> list[Memory]:
    """Return what was learnt last, the newest first."""
    told = (m for m in state.memories.values() if m.nature.tier is not Tier.ENTITY and m.is_active)
    return nlargest(LATEST, told, key=lambda m: (m.trace.created_at, m.id))


async def search(visit: Visit) -> Page:
    """Show what comes to mind of a question, and what can be looked up; without one, the list."""
    sought = visit.query.get("q", "").strip()[:400]
    if not sought:
        tier = visit.query.get("tier", "")
        known = tier if tier in {each.value for each in Tier} else ""
        line = f"/memory list {known} --standing active --page {visit.number('page', 1)}"
        document = await ask_desk(visit, " ".join(line.split()))
        return Page("search.html", {"sought": "", "document": document, "tier_chosen": known})
    everyday = await _hits(visit, sought, "everyday")
    shown = {(hit.memory_id, hit.source_ids[:1]) for hit in everyday}
    deep = await _hits(visit, sought, "deep")
    more = [hit for hit in deep if (hit.memory_id, hit.source_ids[:1]) not in shown]
    told = await asyncio.to_thread(_told, visit, [*everyday, *more])
    values = {"everyday": told[: len(everyday)], "deep": told[len(everyday) :]}
    return Page("search.html", {"sought": sought, **values})


async def _hits(visit: Visit, sought: str, depth: DepthName) -> list[Hit]:
    await visit.give_way()
    found = await visit.agent.search(sought, k=FOUND, depth=depth)
    memories = visit.state.memories
    return [hit for hit in found if not hit.memory_id or hit.memory_id in memories]


def _told(visit: Visit, hits: list[Hit]) -> list[dict[str, object]]:
    """Return hits with what was said around them and why they came up."""
    days = visit.kept.days(visit.call, visit.pace)
    return [
        {
            "hit": hit,
            "memory": visit.state.memories.get(hit.memory_id),
            "around": days.around(hit.source_ids[:1], visit.state),
            "because": reasons_sentence(visit.call, hit),
        }
        for hit in hits
    ]


async def memory_room(visit: Visit, memory_id: int) -> Page:
    """Show one memory: its words, life, curves and links, and what can be done."""
    memory = visit.state.memory(memory_id)
    values = await asyncio.to_thread(_memory_values, visit, memory)
    plain = visit.agent.unsealed(memory_id) if _may_read(visit, memory_id) else None
    words = plain.words.text if isinstance(plain, Memory) else None
    return Page("memory.html", {"memory": memory, "opened": words, **values})


def _may_read(visit: Visit, memory_id: int) -> bool:
    return memory_id in visit.session.may_open(visit.now)


def _memory_values(visit: Visit, memory: Memory) -> dict[str, object]:
    call = visit.call
    return {
        "document": Document(tuple(present_blocks(call, memory))),
        "levels": levels_of(call, memory),
        "timeline": timeline_of(call, memory),
        "curves": curves_of(call, memory),
        "former": once_said(call, memory),
        "around": visit.kept.days(call, visit.pace).around(memory.source_ids, visit.state),
    }


async def seal_asked(visit: Visit, memory_id: int) -> Page:
    """Ask in the chat whether a sealed memory may be shown here."""
    visit.state.memory(memory_id)
    session, program = visit.session, visit.program
    place = session.visitor.place
    if place is None:
        return one_line(visit, page.NO_CHAT_TO_ASK)
    code = program.door.ask(session, memory_id)
    question = seal_question(visit.call, memory_id, code)
    asked = await program.services.show_in(place, question)
    return one_line(visit, page.ASKED_IN_CHAT if asked else page.NO_CHAT_TO_ASK)


async def network(visit: Visit) -> Page:
    """Show the network; drawn by the browser from ``/network.json``."""
    return Page("network.html", {"chosen": visit.number("id", 0)})


async def diary(visit: Visit) -> Page:
    """Show a month of the diary, and one of its days."""

    def read() -> dict[str, object]:
        days = visit.kept.days(visit.call, visit.pace)
        newest = days.newest or visit.now.astimezone(visit.call.zone).date()
        chosen = days.named(visit.query.get("day", ""))
        month = shown_month(visit.query.get("month", ""), chosen or newest)
        lines = days.lines(chosen, visit.state) if chosen else []
        part = visit.number("page", 1)
        first = (part - 1) * LINES_OF_A_DAY
        return {
            "month": month,
            "weeks": month_weeks(month, days.counts),
            "day": chosen,
            "count": len(lines),
            "lines": lines[first : first + LINES_OF_A_DAY],
            "part": part,
            "further": len(lines) > first + LINES_OF_A_DAY,
            "whole": len(visit.state.diary),
        }

    values = await asyncio.to_thread(read)
    return Page("diary.html", {"kept": diary_kept_text(visit.call), **values})


async def people(visit: Visit) -> Page:
    """Show the people and names she knows of, those with the most links first."""

    def read() -> list[tuple[Memory, int]]:
        state = visit.state
        names = (
            m for m in state.memories.values() if m.nature.tier is Tier.ENTITY and m.is_active
        )
        counted = ((each, len(state.links_of(each.id))) for each in names)
        return nlargest(MOST_PEOPLE, counted, key=lambda pair: (pair[1], -pair[0].id))

    return Page("people.html", {"names": await asyncio.to_thread(read)})


async def settings(visit: Visit) -> Page:
    """Show the law with a live curve for each parameter, the diary, what she may begin with."""
    every = settings_of(visit.state.laws)
    law = visit.agent.settings.law
    vault = visit.agent.vault
    return Page(
        "settings.html",
        {
            "laws": visit.state.laws.each,
            "own": [each for each in every if each.law == law],
            "beside": [each for each in every if not each.law],
            "others": [each for each in every if each.law not in {"", law}],
            "sealed": sum(m.sealed is not None for m in visit.state.memories.values()),
            "can_seal": vault is not None and vault.can_seal,
            "diary_kept": diary_kept_text(visit.call),
            "begins": await ask_desk(visit, "/initiative"),
        },
    )


async def traffic(visit: Visit) -> Page:
    """Show how platforms and model do, for an owner; backups, and what can be taken along."""
    owner = visit.level is AccessLevel.OWNER
    lines = ("/status", "/limits", "/restore_backup") if owner else ()
    *shown, backups = [await ask_desk(visit, line) for line in lines] or [Document(())]
    return Page("traffic.html", {"owner": owner, "documents": shown, "kept": backups})


async def looked_up(visit: Visit) -> Page:
    """Show the answer of any command that only looks."""
    line = visit.query.get("line", "")
    if not visit.may_look(line):
        return one_line(visit, page.NOT_ON_THE_PAGE, 403)
    return answer(await ask_desk(visit, line))


async def exported(visit: Visit, name: str) -> Page:
    """Return one of the files of an export, to be saved."""
    document = await ask_desk(visit, "/memory export")
    files = [block for block in document.blocks if isinstance(block, File)]
    ending = name.rpartition(".")[2]
    found = next((each for each in files if each.name.rpartition(".")[2] == ending), None)
    if found is None:
        return answer(document, 404)
    return Page(data=found.data, name=f"xiaoxiang.{ending}")


ROOMS: Final[Mapping[str, Callable[[Visit], Awaitable[Page]]]] = {
    "/": today,
    "/search": search,
    "/network": network,
    "/diary": diary,
    "/people": people,
    "/settings": settings,
    "/traffic": traffic,
    "/ask": looked_up,
}
