"""The diary: every message of both sides once, in the order it was said, whatever is forgotten.

Memories end, fade and are compressed by law; the lines they were cut from stay. Here is how lines
come into being, how they are marked when a memory goes, and how they are found in words that were
kept before there was a diary (docs/decisions/diary.md).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from memory.changes import (
    Change,
    DiaryLine,
    PreviousText,
    Put,
    Task,
    Turn,
    Window,
)
from memory.model import Deleted, DeletionPolicy, Memory, Message, Passage, Tier
from memory.state import MemoryState


def line_changes(
    conversation: str, messages: Iterable[Message], state: MemoryState
) -> list[Change]:
    """Return the lines of messages that the diary does not hold yet, in their order.

    The caller leaves out what was erased, and redacts what is secret.
    """
    new = {message.id: message for message in messages if message.id not in state.diary}
    return [
        Put(DiaryLine(message=message, conversation=conversation, number=number))
        for number, message in enumerate(new.values(), start=state.last_line + 1)
    ]


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


def is_hidden(memory: Memory) -> bool:
    """Whether the partner hid a memory: nothing it rests on comes up again until it is back."""
    standing = memory.standing
    return isinstance(standing, Deleted) and standing.policy is DeletionPolicy.USER_DELETE


def in_order(lines: Iterable[DiaryLine]) -> list[DiaryLine]:
    """Return lines in the order in which they were said."""
    return sorted(lines, key=lambda line: (line.message.at, line.number))


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
        yield from _uncut(turn.conversation, (*turn.said, turn.reply))
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
