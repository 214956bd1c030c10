"""The diary: every message of both sides once, in the order it was said, whatever is forgotten.

Memories end, fade and are compressed by law; the lines they were cut from stay. Here is how lines
come into being, how they are marked when a memory goes, and how they are found in words that were
kept before there was a diary (docs/decisions/diary.md).

The newest lines of a conversation are its window, verbatim: it grows to 46 and is then cut to 30
in one step, since a prompt that only grows at its end is one that a model's server need not read
again from the start. What left the window waits in its tail until it is cut into episodes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from operator import attrgetter
from typing import Any, Final

from memory.changes import (
    ELSEWHERE,
    Change,
    DiaryLine,
    PreviousText,
    Put,
    RememberedId,
    Task,
    Turn,
    Window,
)
from memory.model import Memory, Message, Passage, Tier
from memory.state import MemoryState, is_hidden
from memory.text.requests import asks_to_let_go


def line_changes(
    conversation: str, messages: Iterable[Message], state: MemoryState
) -> list[Change]:
    """Return the lines of messages that the diary does not hold yet, in their order.

    The caller leaves out what was erased, and redacts what is secret.
    """
    new = {message.id: message for message in messages if message.id not in state.diary}
    return [
        Put(_line_of(message, conversation, number))
        for number, message in enumerate(new.values(), start=state.last_line + 1)
    ]


def waiting_messages(task: Task, state: MemoryState) -> tuple[Message, ...]:
    """Return what of a task's messages is still there, as it reads now."""
    lines = (state.diary.get(key) for key in task.lines)
    return (*task.messages, *(line.message for line in lines if line is not None))


def _line_of(message: Message, conversation: str, number: int) -> DiaryLine:
    # Who asks for a matter to be let go names it: that is no news of it, and nothing to find.
    hidden = message.role == "user" and asks_to_let_go(message.text) is not None
    return DiaryLine(message=message, conversation=conversation, number=number, hidden=hidden)


def scene_changes(scene: int, messages: Iterable[Message], state: MemoryState) -> Iterator[Change]:
    """Yield the lines of ``messages`` as those from which the memory ``scene`` was cut."""
    for message in messages:
        line = state.diary.get(message.id)
        if line is not None:
            yield Put(replace(line, scene=scene))


def marks_after_purge(purged: Iterable[Memory], state: MemoryState) -> Iterator[Change]:
    """Yield the lines that have to tell by themselves what a memory that is purged told of them.

    What the partner hid stays hidden; what no longer held is told as past.
    """
    marked: dict[str, DiaryLine] = {}
    for memory in purged:
        hidden, past = is_hidden(memory), memory.is_fact and memory.is_past
        for source in memory.source_ids if hidden or past else ():
            line = marked.get(source) or state.diary.get(source)
            if line is not None:
                marked[source] = replace(
                    line, hidden=line.hidden or hidden, past=line.past or past
                )
    yield from (Put(line) for line in marked.values() if line != state.diary.get(line.key))


def in_order(lines: Iterable[DiaryLine]) -> list[DiaryLine]:
    """Return lines in the order in which they were said."""
    return sorted(lines, key=lambda line: (line.message.at, line.number))


def readable_lines(state: MemoryState) -> list[DiaryLine]:
    """Return every line as it may be read, in order: without what the partner hid."""
    hiding = (memory for memory in state.memories.values() if is_hidden(memory))
    hidden = {source for memory in hiding for source in memory.source_ids}
    return in_order(
        line for key, line in state.diary.items() if not line.hidden and key not in hidden
    )


def first_line(state: MemoryState) -> Message | None:
    """Return the first thing a partner ever said, as far as it may be read; None if nothing is.

    What stands in pages comes first and in order, so no more is read than is young at most.
    """
    hiding = (memory for memory in state.memories.values() if is_hidden(memory))
    hidden = {source for memory in hiding for source in memory.source_ids}
    told = (
        line.message
        for line in islice(state.diary.values(), _YOUNG_AT_MOST)
        if line.message.role == "user" and not line.hidden and line.key not in hidden
    )
    return min(told, key=attrgetter("at"), default=None)


_YOUNG_AT_MOST: Final = 1 << 14

Tables = Mapping[str, Mapping[Any, Any]]


def lines_of_kept_words(tables: Tables) -> list[DiaryLine]:
    """Return the lines of all words that are kept and stand in no diary yet.

    ``tables`` are those of a state from before there was a diary, by their names in the program.
    """
    found: dict[str, DiaryLine] = {}
    for line in _kept_lines(tables):
        known = found.get(line.key)
        if known is None:
            found[line.key] = line
        elif not known.scene and line.scene:
            found[line.key] = replace(known, scene=line.scene)
    known_here = tables["diary"]
    missing = (line for key, line in found.items() if key not in known_here)
    first = max((line.number for line in known_here.values()), default=0) + 1
    # Sorted by their instants only: what was said at one instant keeps the order it stands in.
    ordered = sorted(missing, key=lambda line: line.message.at)
    return [replace(line, number=number) for number, line in enumerate(ordered, start=first)]


def with_diary(state: MemoryState) -> MemoryState:
    """Return a state from before there was a diary with a line for everything it has in words."""
    tables = {name: getattr(state, name) for name in (*_TABLES_WITH_WORDS, "diary")}
    return state.apply(map(Put, lines_of_kept_words(tables)))[0]


_TABLES_WITH_WORDS: Final = ("windows", "tasks", "turns", "memories", "previous_texts")


def _kept_lines(tables: Tables) -> Iterator[DiaryLine]:
    """Yield every message that stands anywhere; first where it stands whole, as it was said."""
    windows: Iterable[Window] = tables["windows"].values()
    for window in windows:
        yield from _uncut(window.conversation, (*window.tail, *window.lines))
    tasks: Iterable[Task] = tables["tasks"].values()
    for task in tasks:
        yield from _uncut(task.conversation, task.messages)
    turns: Iterable[Turn] = tables["turns"].values()
    for turn in turns:
        yield from _uncut(turn.conversation, turn.messages)
    memories: Mapping[int, Memory] = tables["memories"]
    for _, memory in sorted(memories.items()):
        yield from _lines_cut_into(memory, memory.passages)
    previous: Iterable[PreviousText] = tables["previous_texts"].values()
    for text in previous:
        about = memories.get(text.memory_id)
        if about is not None:
            yield from _lines_cut_into(about, text.passages)


def _uncut(conversation: str, messages: Iterable[Message]) -> Iterator[DiaryLine]:
    for message in messages:
        yield DiaryLine(message=message, conversation=conversation)


def _lines_cut_into(memory: Memory, passages: Sequence[Passage]) -> Iterator[DiaryLine]:
    """Yield the lines of an episode, from its verbatim passages."""
    if memory.sealed is not None or memory.nature.tier is not Tier.EPISODE:
        return
    said: dict[str, list[Passage]] = {}
    for passage in passages:
        if passage.verbatim and len(passage.source_ids) == 1:
            said.setdefault(passage.source_ids[0], []).append(passage)
    for message_id, parts in said.items():
        first = parts[0]
        # What was shown and not said is a passage without a speaker, behind what was said.
        shown = "\n".join(part.text for part in parts if not part.speaker)
        text = "\n".join(part.text for part in parts if part.speaker)
        speaker = next((part.speaker for part in parts if part.speaker), "")
        message = Message(
            id=message_id,
            at=first.at,
            speaker=speaker,
            role=first.role,
            text=text,
            quoted=shown,
            speaker_id=first.speaker_id,
        )
        yield DiaryLine(message=message, conversation=memory.origin.conversation, scene=memory.id)


# 15 rounds of one message and one reply: the first tier of source document 003.
WINDOW_MESSAGES: Final = 30
"""Messages in a window that was just cut; it never holds fewer if more were said."""

LARGEST_WINDOW: Final = 46
"""Messages a window may grow to: of nine prompts in a row eight begin like the one before."""

TAIL_MESSAGES: Final = 30
"""Messages in the tail that are worth a summary."""

# 80 % of what one summary call is given; characters are a safe stand-in for tokens everywhere.
TAIL_CHARACTERS: Final = 12_000
"""Characters in the tail that are worth a summary, however few messages they are."""

TAIL_SILENCE: Final = timedelta(hours=6)
"""After so long a silence the tail is summarised, however short."""


def window_after(window: Window, messages: Sequence[Message]) -> Window:
    """Return the window after ``messages``: beyond 46 lines all but 30 move to the tail.

    A message with a known id is ignored. ``tail + lines`` is everything said and not yet
    summarised, in order.
    """
    known = {line.id for line in (*window.lines, *window.tail)}
    fresh = [message for message in messages if message.id not in known]
    lines = (*window.lines, *fresh)
    spilled = len(lines) - WINDOW_MESSAGES if len(lines) > LARGEST_WINDOW else 0
    return replace(window, lines=lines[spilled:], tail=(*window.tail, *lines[:spilled]))


def window_lines(conversation: str, state: MemoryState) -> tuple[Message, ...]:
    """Return what was said in a conversation and is not yet an episode, oldest first."""
    window = state.windows.get(conversation)
    return (*window.tail, *window.lines) if window else ()


def shown_lines(conversation: str, state: MemoryState) -> tuple[Message, ...]:
    """Return the lines of a window, without those put right since: they are not said again."""
    window = state.windows.get(conversation)
    told = ((each, state.diary.get(each.id)) for each in (window.lines if window else ()))
    return tuple(each for each, line in told if line is None or not line.hidden)


def tail_is_due(window: Window, now: datetime) -> bool:
    """Whether the tail is worth a summary: 30 messages, 12,000 characters, or 6 h of silence.

    What left because the model has no room for it is worth one at once.
    """
    if not window.tail:
        return False
    if window.due or len(window.tail) >= TAIL_MESSAGES:
        return True
    if sum(len(line.text) + len(line.quoted) for line in window.tail) >= TAIL_CHARACTERS:
        return True
    last = window.lines[-1] if window.lines else window.tail[-1]
    return now - last.at >= TAIL_SILENCE


def crowded_window(window: Window, last: str, state: MemoryState) -> Window:
    """Return the window whose lines up to the message ``last`` wait in the tail, which is due.

    So source document 002 §9.1 has it: what is over the model's context is given to memory now. A
    window without that message stays as it is.
    """
    ids = [line.id for line in window.lines]
    if last not in ids:
        return window
    leaving = ids.index(last) + 1
    tail = (*window.tail, *window.lines[:leaving])
    tail = without_unkept(tail, state)
    return replace(window, lines=window.lines[leaving:], tail=tail, due=bool(tail))


def emptied_window(window: Window, state: MemoryState) -> Window:
    """Return the window of a conversation that begins anew: its lines wait in the tail."""
    return replace(window, lines=(), tail=without_unkept((*window.tail, *window.lines), state))


def is_unkept(message_id: str, state: MemoryState) -> bool:
    """Whether a message was said in a pause; true as well of what the diary kept no longer."""
    return message_id in state.remembered_ids and message_id not in state.diary


def without_unkept(lines: Sequence[Message], state: MemoryState) -> tuple[Message, ...]:
    """Return lines of a window without what was said in a pause: nothing is kept of that.

    While the window shows it, it is answered; its id stands among those that are dealt with.
    """
    return tuple(line for line in lines if line.id not in state.remembered_ids)


def said_in_pause(state: MemoryState) -> Iterator[Message]:
    """Yield what windows hold that was said in a pause."""
    for window in state.windows.values():
        yield from (m for m in (*window.tail, *window.lines) if m.id in state.remembered_ids)


def unkept_dropped(state: MemoryState) -> Iterator[Change]:
    """Yield what takes all that was said in a pause out of windows, also of former ones."""
    for window in state.windows.values():
        if (kept := _window_kept(window, state)) != window:
            yield Put(kept)
    for undo in state.undos.values():
        inverse = tuple(
            Put(_window_kept(each.record, state))
            if isinstance(each, Put) and isinstance(each.record, Window)
            else each
            for each in undo.inverse
        )
        if inverse != undo.inverse:
            yield Put(replace(undo, inverse=inverse))


def _window_kept(window: Window, state: MemoryState) -> Window:
    lines, tail = (without_unkept(part, state) for part in (window.lines, window.tail))
    return replace(window, lines=lines, tail=tail)


def resumed_window(window: Window, before: Window) -> Window:
    """Return the window with the lines it had ``before`` it began anew, and what was said since.

    Lines that became an episode meanwhile stay there; nothing is lost and nothing is there twice.
    """
    lines = {line.id for line in before.lines}
    said = (*window.tail, *window.lines)
    first = next((place for place, line in enumerate(said) if line.id in lines), len(said))
    # Never a line said since moved into the tail, and never more lines than a window has.
    first = min(first, len(window.tail))
    if len(said) - first > LARGEST_WINDOW:
        first = len(said) - WINDOW_MESSAGES
    return replace(window, tail=said[:first], lines=said[first:])


def window_changes(
    conversation: str,
    messages: Sequence[Message],
    state: MemoryState,
    replaced: str = "",
) -> tuple[Change, ...]:
    """Return what keeps messages without secrets, in a conversation's window and in the diary.

    What was given before, or erased, changes nothing; what is said in a pause is in no diary. The
    message ``replaced`` leaves the window; the diary has said that it was said.
    """
    before = state.windows.get(conversation) or Window(conversation=conversation)
    new = [m for m in messages if m.id not in state.remembered_ids and not state.is_erased(m.id)]
    after = window_after(without_line(before, replaced) if replaced else before, new)
    unsaid = [m for m in new if m.id not in state.diary]
    lines: list[Change] = [Put(RememberedId(message_id=each.id)) for each in unsaid]
    unkept = {replaced, *(each.id for each in messages)}
    if state.agent_info.settings.learning and not any(is_unkept(m, state) for m in unkept):
        lines, unsaid = line_changes(conversation, new, state), []
    gone = {each.id for each in unsaid}
    tail = (line for line in without_unkept(after.tail, state) if line.id not in gone)
    after = replace(after, tail=tuple(tail))
    told = state.diary.get(replaced)
    if told is not None and not told.scene:
        # It reaches no episode any more, so nothing is to be cut from it.
        lines = [*lines, Put(replace(told, scene=ELSEWHERE))]
    return (*lines, Put(after)) if after != before else tuple(lines)


def without_line(window: Window, message_id: str) -> Window:
    """Return the window without one message, wherever in it that stands."""
    lines, tail = (
        tuple(line for line in part if line.id != message_id)
        for part in (window.lines, window.tail)
    )
    return replace(window, lines=lines, tail=tail)


def without_tail(window: Window, taken: Sequence[Message]) -> Window:
    """Return the window after the messages ``taken`` from its tail became episodes."""
    gone = {message.id for message in taken}
    left = tuple(line for line in window.tail if line.id not in gone)
    return replace(window, tail=left, due=window.due and bool(left))
