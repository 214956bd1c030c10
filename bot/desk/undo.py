"""``/undo``, and the notice that says what was just learnt, with a button that undoes it.

A step stores the inverse of its changes (:class:`memory.changes.Undo`). Undoing it restores the
records it touched; if something touched them since, the preview says what would be overwritten.
A notice comes without being asked for, so it waits until the conversation is quiet, disturbs
nobody, and names nothing private.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Final, Never, Protocol
from zoneinfo import ZoneInfo

from bot.conversation.ledger.inbox import Bindings
from bot.conversation.messages import ConversationKey
from bot.desk import answers
from bot.desk.answers import brief
from bot.desk.command import Call, last_spoken
from bot.desk.documents import Adapters, Block, Button, Buttons, Document, Table, Text
from bot.desk.edits import redact_outside, vault_of
from bot.desk.parameters import changed_back
from bot.tasks import Supervisor
from bot.texts import Sentence, desk, desk_changes, desk_help, reminders, say, transfer
from memory.changes import AgentInfo, Change, Drop, Put, Undo, Window
from memory.diary import resumed_window
from memory.learning.outcomes import Judging, LearntNotice
from memory.lifecycle.effects import let_go_since
from memory.lifecycle.undo import (
    find_step,
    is_overtaken,
    last_step,
    plan_undo,
    shown_digests,
    step_name,
    touched_since,
)
from memory.model import Deleted, Language, Memory, Sensitivity, Tier
from memory.offline.phrasing import spoken_to
from memory.reminder import Reminder
from memory.state import MemoryState

# The keys are stored with every step (``Undo.label``). A label that is missing here is read as
# something learnt from the conversation.
STEPS: Final[dict[str, Sentence]] = {
    "hide": desk_changes.STEP_HIDE,
    "restore": desk_changes.STEP_RESTORE,
    "review": desk_changes.STEP_REVIEW,
    "remember": desk_changes.STEP_REMEMBER,
    "merge": desk_changes.STEP_MERGE,
    "edit": desk_changes.STEP_EDIT,
    "pin": desk_changes.STEP_PIN,
    "unpin": desk_changes.STEP_UNPIN,
    "sensitivity": desk_changes.STEP_SENSITIVITY,
    "reinforce": desk_changes.STEP_REINFORCE,
    "settings": desk_changes.STEP_SETTINGS,
    "import": desk_changes.STEP_IMPORT,
    "cleanup": desk_changes.STEP_CLEANUP,
    "rebuild": desk_changes.STEP_REBUILD,
    "reset": desk_changes.STEP_RESET,
    "remind": desk_changes.STEP_REMIND,
    "initiative": desk_changes.STEP_INITIATIVE,
    "consolidation": desk_changes.STEP_CONSOLIDATION,
}


STEP_NAME: Final = re.compile("[0-9a-f]{8}")
"""How a step is named (:func:`memory.lifecycle.undo.step_name`)."""

_SAYS_WHAT: Final = frozenset({"edit", "settings"})
"""Steps after which it is said what changed, from → to, also where no preview was shown."""


async def undo(call: Call) -> Document:
    """Show what undoing the last step would restore, and restore it once confirmed.

    A step that is asked for by its name is undone at once, unless something touched it since.
    """
    name = call.given.text("step")
    entry = _requested_step(call.writer.state, name)
    if entry is None:
        return _no_step(call, name)
    if name and is_overtaken(call.writer.state, entry):
        return answers.one_sentence(call, desk_changes.STEP_OVERTAKEN)
    # In a group, steps about sensitive memories are not in the caller's view of the state.
    if call.state.undos.get(entry.id) != entry:
        raise call.refusal(desk_changes.ONLY_IN_PRIVATE)
    touched = touched_since(call.state, entry)
    code = _undo_code(call, call.writer.state, entry)
    if call.confirmed == code or (name and not touched):

        def plan(state: MemoryState, _: object) -> tuple[Change, ...]:
            same = _requested_step(state, name) == entry and _undo_code(call, state, entry) == code
            return plan_undo(state, entry) if same else ()

        # Before the memory is sealed again, for the same reason as when it was sealed first.
        for memory in _memories_to_reseal(call.state, entry):
            await redact_outside(call, memory, vault_of(call))
        undone = desk_help.SETTINGS_UNDONE if entry.label == "settings" else desk_changes.UNDONE
        done = Text(call.say(undone, what=_step_label(call, entry)))
        changed = (done, *_undo_preview(call, entry)) if entry.label in _SAYS_WHAT else (done,)
        await answers.apply_as_shown(call, plan)
        return Document(changed)
    title = call.say(
        desk_changes.UNDO_PREVIEW, what=_step_label(call, entry), when=call.date_time(entry.at)
    )
    blocks: list[Block] = [Text(title, title=True), *_undo_preview(call, entry)]
    if touched:
        blocks.append(
            Text(call.say(desk_changes.TOUCHED_SINCE, what=_memory_numbers(call, touched)))
        )
    return answers.to_confirm(call, tuple(blocks), f"/undo {name}".rstrip(), code)


def _no_step(call: Call, name: str) -> Document:
    """Return that there is nothing to undo, or not by this name."""
    if name and not STEP_NAME.fullmatch(name):
        return answers.one_sentence(call, desk_help.NO_STEP_OF_THAT_NAME, name=answers.brief(name))
    line = desk_changes.NO_SUCH_STEP if name else desk_changes.NOTHING_TO_UNDO
    return answers.one_sentence(call, line)


def _memories_to_reseal(state: MemoryState, entry: Undo) -> Iterator[Memory]:
    """Yield the memories that are open now and that undo would seal again."""
    for change in entry.inverse:
        if isinstance(change, Put) and isinstance(change.record, Memory) and change.record.sealed:
            present = state.memories.get(change.record.id)
            if present is not None and present.sealed is None:
                yield present


def _requested_step(state: MemoryState, name: str) -> Undo | None:
    return find_step(state, name) if name else last_step(state)


def _step_label(call: Call, entry: Undo) -> str:
    known = STEPS.get(entry.label)
    return call.say(known or desk_changes.STEP_LEARNT)


def _undo_code(call: Call, state: MemoryState, entry: Undo) -> str:
    """Return the code for a step, the present records it would overwrite, and what comes back."""
    present = (shown_digests(state, entry), [each.id for each in let_go_since(state, entry)])
    return answers.confirmation_code(call.agent_id, repr(entry), repr(present))


def _undo_preview(call: Call, entry: Undo) -> Iterator[Block]:
    """Yield what undo would bring back and take away, memory by memory."""
    rows, others = [], 0
    for change in entry.inverse:
        match change:
            case Put(Memory() as memory):
                known = call.state.memories.get(memory.id)
                verb = desk_changes.COMES_BACK if known is None else desk_changes.AS_BEFORE
                rows.append((f"#{memory.id}", call.say(verb), from_to(known, memory)))
            case Drop(table, int() as key) if table is Memory:
                known = call.state.memories.get(key)
                text = answers.brief(known.words.text, answers.PREVIEW_LENGTH) if known else ""
                rows.append((f"#{key}", call.say(desk_changes.GOES_AGAIN), text))
            case Put(Window() as before):
                again = {line.id for line in _resumed_window(call, before).lines}
                count = sum(line.id in again for line in before.lines)
                yield Text(call.say(desk_changes.LINES_COME_BACK, count=count))
            case Put(AgentInfo(settings=before)) if shown := [*changed_back(call, before)]:
                yield from shown
            case _:
                others += 1
    if rows:
        columns = (call.say(desk.ID), call.say(desk_changes.WHAT_HAPPENS), call.say(desk.TEXT))
        yield Table(("id", "what", "text"), columns, tuple(rows), name="restores")
    if others:
        yield Text(call.say(desk_changes.AND_RECORDS, count=others))
    yield from _back_with_a_law(call, entry)


def _back_with_a_law(call: Call, entry: Undo) -> Iterator[Block]:
    """Yield what went by the law since it was chosen and comes back with it, and what does not."""
    back = let_go_since(call.state, entry)
    if back:
        yield Text(call.say(desk_help.LET_GO_COMES_BACK, count=len(back)))
    yield from answers.first_of(call, back, partial(answers.preview_table, call, name="let_go"))
    chosen = [c.record for c in entry.inverse if isinstance(c, Put)]
    laws = [each.settings.law for each in chosen if isinstance(each, AgentInfo)]
    if call.state.rules.law.reads_links and laws not in ([], [call.settings.law]):
        yield Text(call.say(desk_help.LINKS_STAY_WEAK))


def from_to(known: Memory | None, then: Memory) -> str:
    """Return what a memory says, and what it would say again: from → to, if that differs."""
    text = answers.brief(then.words.text, answers.PREVIEW_LENGTH)
    if known is None or known.words.text == then.words.text:
        return text
    return f"{answers.brief(known.words.text, answers.PREVIEW_LENGTH)} → {text}"


def altered_blocks(call: Call, altered: Sequence[Memory]) -> Iterator[Block]:
    """Yield what memories would say again, from → to, and how many say the same."""
    known = call.writer.state.memories
    told = [m for m in altered if known[m.id].words.text != m.words.text]

    def table(shown: Sequence[Memory]) -> Table:
        rows = tuple((f"#{m.id}", from_to(known[m.id], m)) for m in shown)
        return Table(("id", "text"), (call.say(desk.ID), call.say(desk.TEXT)), rows, name="other")

    if altered:
        yield Text(call.say(transfer.RESTORE_CHANGES, count=len(altered)))
    yield from answers.first_of(call, told, table)
    if len(altered) > len(told):
        yield Text(call.say(desk_help.ONLY_NUMBERS, count=len(altered) - len(told)))


def _resumed_window(call: Call, before: Window) -> Window:
    return resumed_window(call.state.windows.get(before.conversation, before), before)


def _memory_numbers(call: Call, changes: tuple[Change, ...]) -> str:
    """Return the numbers of the memories that undo would overwrite."""
    ids = {change.record.key if isinstance(change, Put) else change.key for change in changes}
    memories = sorted(each for each in ids if isinstance(each, int))
    return " ".join(f"#{each}" for each in memories) or call.say(desk_changes.STEP_SETTINGS)


LONGEST: Final = 60


class HasState(Protocol):
    """An agent, as far as a notice needs one."""

    @property
    def state(self) -> MemoryState: ...


class LearntQueue:
    """What agents learnt, each with its id, until somebody notices it.

    Agents and notices need each other; this lies between, and is made before both.
    """

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[tuple[str, LearntNotice]] = asyncio.Queue()

    def put(self, agent_id: str, learnt: LearntNotice) -> None:
        """Add what an agent learnt; returns at once."""
        self._waiting.put_nowait((agent_id, learnt))

    async def get(self) -> tuple[str, LearntNotice]:
        """Wait for the next one and take it out."""
        return await self._waiting.get()


class NoticeSender:
    """Sends a notice once the conversation is quiet: in private only, and only if it is wanted.

    Memory reports what it learnt exactly once, when that is durable. A failure after that loses
    the notice; it is never sent twice.
    """

    def __init__(
        self,
        agents: Callable[[str], Awaitable[HasState]],
        bindings: Bindings,
        platforms: Adapters,
        quiet: Callable[[ConversationKey], Awaitable[None]],
        supervisor: Supervisor,
        is_owners: Callable[[ConversationKey], bool],
    ) -> None:
        self._agents = agents
        self._bindings = bindings
        self._platforms = platforms
        self._quiet = quiet
        self._supervisor = supervisor
        self._is_owners = is_owners

    async def follow(self, learnt: LearntQueue) -> Never:
        """Notice everything that is put into the queue, until cancelled."""
        while True:
            self.on_learnt(*await learnt.get())

    def on_learnt(self, agent_id: str, learnt: LearntNotice) -> None:
        """Send the notice of what an agent learnt, in a task of its own; returns at once."""
        if learnt.private:
            self._supervisor.start("noticing", self._send_notice(agent_id, learnt))

    async def _send_notice(self, agent_id: str, learnt: LearntNotice) -> None:
        # The report names the conversation as text, which holds no unambiguous separator; the
        # bindings have the key. None fits if the chat was unlinked meanwhile.
        places = await self._bindings.conversations(agent_id)
        place = next((each for each in places if str(each) == learnt.conversation), None)
        platform = self._platforms.get(place.platform) if place else None
        if place is None or platform is None:
            return
        await self._quiet(place)
        # Read only now: while the chat was busy the step may have been undone or erased.
        state = (await self._agents(agent_id)).state
        notice = notice_of(learnt.step, state) if learnt.step else None
        if notice is not None:
            await platform.presenter.present(place, notice, reply_to="")
        # What is wrong with the model is the owner's business, and only they can change it.
        if learnt.doubted and self._is_owners(place):
            warning = doubt_notice(learnt.doubted, state.agent_info.settings.language)
            await platform.presenter.present(place, warning, reply_to="")


def doubt_notice(fared: Judging, language: Language) -> Document:
    """Return what the owner is told of a model whose answers are refused more often than not."""
    bad, every = fared.refused + fared.unreadable, sum(fared)
    text = say(language, desk_changes.MODEL_DOUBTED, bad=bad, every=every)
    return Document((Text(text),), quiet=True)


def notice_of(step: Undo, state: MemoryState) -> Document | None:
    """Return the notice of a step, or None if it taught nothing, was undone, or is not wanted.

    It is read from what undoing the step would restore, so that it says neither more nor less.
    """
    settings, language = state.agent_info.settings, last_spoken(state)
    if state.undos.get(step.id) != step:
        return None
    # What was asked for is confirmed also to those who want no notices.
    lines = list(_reminder_lines(step, state, language))
    news = list(_news_lines(step, state)) if settings.notices else []
    if len(news) == 1:
        lines.append(say(language, desk_changes.NOTICE_ONE, what=news[0]))
    elif news:
        lines.append(say(language, desk_changes.NOTICE_SEVERAL))
        lines += [f"· {each}" for each in news]
    if not lines:
        return None
    text = "\n".join(lines)
    undo = Button(say(language, desk_changes.UNDO), f"/undo {step_name(step)}")
    return Document((Text(text), Buttons((undo,))), quiet=True)


def _reminder_lines(step: Undo, state: MemoryState, language: Language) -> Iterator[str]:
    """Yield the exact time of each reminder that a model found to be asked for."""
    if step.actor != "background":
        return  # the rules confirmed theirs in the reply itself
    made = [c.key for c in step.inverse if isinstance(c, Drop) and c.table is Reminder]
    for one in (state.reminders[int(key)] for key in made if key in state.reminders):
        now = one.made_at.astimezone(ZoneInfo(one.zone))
        yield reminders.kept_text(one.first_at, one.rule, one.text, language, now)


def _news_lines(step: Undo, state: MemoryState) -> Iterator[str]:
    """Yield what is new, in words: first what was learnt, then what no longer holds."""
    put = [change.record for change in step.inverse if isinstance(change, Put)]
    before = [record for record in put if isinstance(record, Memory)]
    made = [c.key for c in step.inverse if isinstance(c, Drop) and c.table is Memory]
    # An older memory that a new one replaces or contains is named beside the new one, not again.
    mentioned: set[int] = set()
    for new in (state.memories[int(key)] for key in sorted(made) if key in state.memories):
        if new.nature.tier is not Tier.ENTITY:
            mentioned |= {new.lineage.replaces or 0, *new.lineage.merged_from}
            yield _new_memory_text(new, state)
    for old in before:
        now = state.memories.get(old.id)
        if now is None or old.id in mentioned:
            continue
        if isinstance(now.standing, Deleted) and old.is_active:
            yield _notice_text(state, desk_changes.NOTICE_HIDDEN, text=old)
        elif now.is_past and not old.is_past:
            yield _notice_text(state, desk_changes.NOTICE_PAST, text=old)


def _new_memory_text(new: Memory, state: MemoryState) -> str:
    """Return what a new memory says, and what it replaced."""
    old = state.memories.get(new.lineage.replaces or 0)
    if old is not None:
        negated = old.trace.negated_at is not None
        sentence = desk_changes.NOTICE_PAST_AND_NOW if negated else desk_changes.NOTICE_CHANGED
        return _notice_text(state, sentence, after=new, before=old)
    return _notice_text(
        state, desk_changes.NOTICE_MERGED if new.lineage.merged_from else None, text=new
    )


def _notice_text(state: MemoryState, sentence: Sentence | None, **subjects: Memory) -> str:
    """Return a sentence about memories, or what they say; private words are not spelled out.

    It is said to the partner, who may be a guest: told of a "partner" they would look for another.
    """
    settings, language = state.agent_info.settings, last_spoken(state)
    # A notice appears unasked, perhaps on a lock screen that others see.
    memories = list(subjects.values())
    if any(each.nature.sensitivity >= Sensitivity.SENSITIVE for each in memories):
        return say(language, desk_changes.NOTICE_PRIVATE, id=memories[0].id)
    told = partial(spoken_to, partner=settings.partner, english=False)
    texts = {name: brief(told(each.words.text), LONGEST) for name, each in subjects.items()}
    return say(language, sentence, **texts) if sentence else "".join(texts.values())
