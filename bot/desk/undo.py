"""``/undo``: takes back the last change, or one step by its name, exactly.

A step stores the inverse of its changes (:class:`memory.changes.Undo`). Undoing it restores the
records it touched; if something touched them since, the preview says what would be overwritten.
"""

from collections.abc import Iterator
from typing import Final

from bot.desk import answers
from bot.desk.command import Call
from bot.desk.documents import Block, Document, Table, Text
from bot.desk.edits import redact_outside, vault_of
from bot.texts import Sentence, desk, desk_changes
from memory.changes import Change, Drop, Put, Undo, Window
from memory.lifecycle.undo import find_step, last_step, plan_undo, record_digest, touched_since
from memory.model import Memory
from memory.state import MemoryState
from memory.windows import resumed_window

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
    "consolidation": desk_changes.STEP_CONSOLIDATION,
}


async def undo(call: Call) -> Document:
    """Show what undoing the last step would restore, and restore it once confirmed.

    A step that is asked for by its name is undone at once, unless something touched it since.
    """
    name = call.given.text("step")
    entry = _requested_step(call.writer.state, name)
    if entry is None:
        line = desk_changes.NO_SUCH_STEP if name else desk_changes.NOTHING_TO_UNDO
        return answers.one_sentence(call, line, **({"name": name} if name else {}))
    # In a group, steps about sensitive memories are not in the caller's view of the state.
    if call.state.undos.get(entry.id) != entry:
        raise call.refusal(desk_changes.ONLY_IN_PRIVATE)
    touched = touched_since(call.state, entry)
    code = _undo_code(call, call.state, entry)
    if call.confirmed == code or (name and not touched):

        def plan(state: MemoryState, _: object) -> tuple[Change, ...]:
            same = _requested_step(state, name) == entry and _undo_code(call, state, entry) == code
            return plan_undo(state, entry) if same else ()

        # Before the memory is sealed again, for the same reason as when it was sealed first.
        for memory in _memories_to_reseal(call.state, entry):
            await redact_outside(call, memory, vault_of(call))
        await answers.apply_as_shown(call, plan)
        return answers.one_sentence(call, desk_changes.UNDONE, what=_step_label(call, entry))
    title = call.say(
        desk_changes.UNDO_PREVIEW, what=_step_label(call, entry), when=call.date_time(entry.at)
    )
    blocks: list[Block] = [Text(title, title=True), *_undo_preview(call, entry)]
    if touched:
        blocks.append(
            Text(call.say(desk_changes.TOUCHED_SINCE, what=_memory_numbers(call, touched)))
        )
    return answers.to_confirm(call, tuple(blocks), f"/undo {name}".rstrip(), code)


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
    """Return the code for a step and for the present records that it would overwrite."""
    present = [record_digest(state, change) for change in entry.inverse]
    return answers.confirmation_code(call.agent_id, repr(entry), repr(present))


def _undo_preview(call: Call, entry: Undo) -> Iterator[Block]:
    """Yield what undo would bring back and take away, memory by memory."""
    rows, others = [], 0
    for change in entry.inverse:
        match change:
            case Put(Memory() as memory):
                known = call.state.memories.get(memory.id)
                verb = desk_changes.COMES_BACK if known is None else desk_changes.AS_BEFORE
                rows.append(
                    (
                        f"#{memory.id}",
                        call.say(verb),
                        answers.brief(memory.words.text, answers.PREVIEW_LENGTH),
                    )
                )
            case Drop(table, int() as key) if table is Memory:
                known = call.state.memories.get(key)
                text = answers.brief(known.words.text, answers.PREVIEW_LENGTH) if known else ""
                rows.append((f"#{key}", call.say(desk_changes.GOES_AGAIN), text))
            case Put(Window() as before):
                again = {line.id for line in _resumed_window(call, before).lines}
                count = sum(line.id in again for line in before.lines)
                yield Text(call.say(desk_changes.LINES_COME_BACK, count=count))
            case _:
                others += 1
    if rows:
        columns = (call.say(desk.ID), call.say(desk_changes.WHAT_HAPPENS), call.say(desk.TEXT))
        yield Table(("id", "what", "text"), columns, tuple(rows), name="restores")
    if others:
        yield Text(call.say(desk_changes.AND_RECORDS, count=others))


def _resumed_window(call: Call, before: Window) -> Window:
    return resumed_window(call.state.windows.get(before.conversation, before), before)


def _memory_numbers(call: Call, changes: tuple[Change, ...]) -> str:
    """Return the numbers of the memories that undo would overwrite."""
    ids = {change.record.key if isinstance(change, Put) else change.key for change in changes}
    memories = sorted(each for each in ids if isinstance(each, int))
    return " ".join(f"#{each}" for each in memories) or call.say(desk_changes.STEP_SETTINGS)
