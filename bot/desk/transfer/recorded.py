"""Whose words are whose in the export of a Telegram chat, and which of them are new here."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.conversation.telegram_export import Chat, ChatEntry
from bot.desk.command import Call
from bot.desk.documents import Button, Buttons, Document, Table, Text
from bot.desk.look import brief
from bot.texts import bring as texts
from bot.texts import media, say
from memory.background.episodes import IMPORTED
from memory.changes import Change, Put, Task
from memory.filing import plan_remember
from memory.manager.burial import is_erased
from memory.manager.reach import every_message
from memory.model import Message
from memory.state import MemoryState

PEOPLE: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatImport:
    """What a chat brings: ``me`` is the partner's id in it, empty in a group, ``name`` theirs."""

    messages: tuple[Message, ...]
    people: tuple[str, ...]
    parts: int
    known: int
    refused: int
    me: str = ""
    name: str = ""


def chat_import(call: Call, chat: Chat, named: str) -> ChatImport | Document:
    """Return what is new in a chat, or the question which of those who talk is the partner.

    ``named`` is who the partner said to be, by name or id; empty if they did not say.

    What is hers, and in private whatever the partner did not write, is never the partner's.
    """
    hers = _bot_ids(call, chat)
    people = {e.sender: e.name for e in chat.entries if e.sender not in hers}
    me = _partner_id(call, chat, people, named) if call.private else ""
    if me is None:
        return _ask_who(call, chat, people)
    state, here = call.writer.state, _known_lines(call.writer.state)
    fresh: list[Message] = []
    known = refused = 0
    for entry in chat.entries:
        other = entry.sender in hers or (call.private and entry.sender != me)
        message = _message_of(call, chat, entry, other=other)
        if is_erased(message.id, state):
            refused += 1
        elif message.id in state.remembered_ids or (entry.at, entry.text) in here:
            known += 1
        else:
            fresh.append(message)
    return ChatImport(
        messages=tuple(fresh),
        people=tuple(people.values()),
        parts=len(import_tasks(fresh, state, call.now)),
        known=known,
        refused=refused,
        me=me,
        name=people.get(me, ""),
    )


def import_tasks(
    messages: Sequence[Message], state: MemoryState, now: datetime
) -> tuple[Change, ...]:
    """Return the tasks that make episodes of what was said elsewhere; secrets are blotted out."""
    planned = plan_remember(messages, state, now, explicit=False, vault=None)
    return tuple(
        Put(replace(change.record, conversation=IMPORTED))
        if isinstance(change, Put) and isinstance(change.record, Task)
        else change
        for change in planned
    )


def _bot_ids(call: Call, chat: Chat) -> set[str]:
    """Return the ids she has in the chat, if she is in it."""
    place = call.caller.place
    ids = {f"user{place.account}"} if place is not None and place.platform == "telegram" else set()
    return ids | {chat.other} if chat.kind == "bot_chat" else ids


def _partner_id(call: Call, chat: Chat, people: dict[str, str], given: str) -> str | None:
    """Return the id of the partner: named, or known by the account; None if it has to be asked."""
    if given:
        named = [each for each, name in people.items() if given in {each, name}]
        if len(named) != 1:
            raise call.refusal(texts.NO_SUCH_PERSON, name=brief(given, 40))
        return named[0]
    platform, _, number = call.caller.person.partition(":")
    if platform == "telegram" and f"user{number}" in people:
        return f"user{number}"
    return next(iter(people)) if chat.kind == "bot_chat" and len(people) == 1 else None


def _ask_who(call: Call, chat: Chat, people: dict[str, str]) -> Document:
    counts = Counter(e.sender for e in chat.entries if e.sender in people).most_common(PEOPLE)
    rows = tuple((brief(people[each], 40), str(count), each) for each, count in counts)
    columns = (call.say(texts.NAME), call.say(texts.SAID), "id")
    buttons = tuple(
        Button(call.say(texts.IS_ME, name=brief(people[each], 30)), f"/memory import --me {each}")
        for each, _ in counts
    )
    table = Table(("name", "messages", "id"), columns, rows, name="people")
    return Document((Text(call.say(texts.WHO_ARE_YOU)), table, Buttons(buttons)))


def _message_of(call: Call, chat: Chat, entry: ChatEntry, *, other: bool) -> Message:
    text = say(call.language, media.FORWARDED) if entry.forwarded else entry.text
    return Message(
        id=f"telegram-{chat.other.removeprefix('user')}-{entry.id}",
        at=entry.at,
        speaker=entry.name,
        role="assistant" if other else "user",
        text=text,
        quoted=entry.text if entry.forwarded else "",
        speaker_id="" if call.private else f"telegram:{entry.sender.removeprefix('user')}",
    )


def _known_lines(state: MemoryState) -> set[tuple[object, str]]:
    """Return what was said here itself: when, and in which words."""
    return {(m.at, m.text) for m in every_message(state)} | set(_verbatim_lines(state))


def _verbatim_lines(state: MemoryState) -> Iterator[tuple[object, str]]:
    for memory in state.memories.values():
        yield from ((p.at, p.text) for p in memory.passages if p.verbatim)
