"""``/memory import``: takes in an export or a Telegram chat.

Import shows what would change before it changes anything. Once confirmed, all of it comes in or
nothing does, after a backup. An export brings memories as they are; a chat brings messages, which
the background then reads like a conversation.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Final

from bot.conversation.recordings import (
    Chat,
    ChatEntry,
    NotAChat,
    is_chat_export,
    read_chat,
)
from bot.desk import answers
from bot.desk.caller import LARGEST_UPLOAD, PendingUpload
from bot.desk.command import Call
from bot.desk.documents import Block, Button, Buttons, Document, Facts, Table, Text
from bot.desk.memory_export import named_items
from bot.texts import desk, desk_changes, dialogue, say
from bot.texts import transfer as texts
from memory.changes import Change, DiaryLine, Put, Task
from memory.erasing.scope import every_message
from memory.errors import XiaoxiangError
from memory.jobs.turns import plan_remember
from memory.laws.registry import Laws
from memory.learning.summarizer import IMPORTED
from memory.lifecycle.undo import LARGEST_STEP
from memory.merging.state_import import ImportPlan, plan_import
from memory.model import Memory, Message
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from memory.stores.exports import Export, ExportFlaw, InvalidExport, parse_export, read_json_object

# So many buttons "I am …" still fit under one message on a phone.
PEOPLE: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatImport:
    """What a chat would bring in.

    ``parts`` is the number of background tasks that read it. ``known`` messages are here already;
    ``refused`` ones were erased. ``me`` and ``name`` are the partner's id and name in the chat,
    both empty in a group.
    """

    messages: tuple[Message, ...]
    people: tuple[str, ...]
    parts: int
    known: int
    refused: int
    me: str = ""
    name: str = ""


def chat_import(call: Call, chat: Chat, named: str) -> ChatImport | Document:
    """Return what is new in a chat, or the question which of the people in it is the partner.

    ``named`` is the name or id by which the partner said to be found; empty if they did not say.
    """
    bot_ids = _bot_ids(call, chat)
    people = {e.sender: e.name for e in chat.entries if e.sender not in bot_ids}
    me = _partner_id(call, chat, people, named) if call.private else ""
    if me is None:
        return _ask_who(call, chat, people)
    state, known_lines = call.writer.state, _known_lines(call.writer.state)
    fresh: list[Message] = []
    known = refused = 0
    for entry in chat.entries:
        # In private only the partner's own lines may become facts about them. Everybody else's
        # come in under the role of the assistant, whose words are never learnt as facts.
        other = entry.sender in bot_ids or (call.private and entry.sender != me)
        message = _message_of(call, chat, entry, other=other)
        if state.is_erased(message.id):
            refused += 1
        elif message.id in state.remembered_ids or (entry.at, entry.text) in known_lines:
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
    """Return the tasks that make episodes of imported messages; secrets in them are redacted."""
    planned = plan_remember(messages, state, now, explicit=False, vault=None)
    return tuple(
        Put(replace(change.record, conversation=IMPORTED))
        if isinstance(change, Put) and isinstance(change.record, Task | DiaryLine)
        else change
        for change in planned
    )


def _bot_ids(call: Call, chat: Chat) -> set[str]:
    """Return the ids that the bot itself has in the chat, if it is in it."""
    place = call.caller.place
    ids = {_exported_id(call, place.platform, place.account)} - {""} if place else set()
    return ids | {chat.other} if chat.kind == "bot_chat" else ids


def _exported_id(call: Call, platform: str, identity: str) -> str:
    """Return the id somebody has in the exports of a platform, empty if it is not known."""
    return call.services.ledger.identities.exported_id(platform, identity) if call.services else ""


def _partner_id(call: Call, chat: Chat, people: dict[str, str], given: str) -> str | None:
    """Return the id of the partner: named, or known by the account; None if it has to be asked."""
    if given:
        named = [each for each, name in people.items() if given in {each, name}]
        if len(named) > 1:
            ids, name = ", ".join(named), answers.brief(given, 40)
            raise call.refusal(texts.SEVERAL_OF_NAME, count=len(named), name=name, ids=ids)
        if not named:
            raise call.refusal(texts.NO_SUCH_PERSON, name=answers.brief(given, 40))
        return named[0]
    platform, _, number = call.caller.person.partition(":")
    own = _exported_id(call, platform, number)
    if own in people:
        return own
    return next(iter(people)) if chat.kind == "bot_chat" and len(people) == 1 else None


def _ask_who(call: Call, chat: Chat, people: dict[str, str]) -> Document:
    counts = Counter(e.sender for e in chat.entries if e.sender in people).most_common(PEOPLE)
    rows = tuple((answers.brief(people[each], 40), str(count), each) for each, count in counts)
    columns = (call.say(texts.NAME), call.say(texts.SAID), "id")
    buttons = tuple(
        Button(
            call.say(texts.IS_ME, name=answers.brief(people[each], 30)),
            f"/memory import --me {each}",
        )
        for each, _ in counts
    )
    table = Table(("name", "messages", "id"), columns, rows, name="people")
    return Document((Text(call.say(texts.WHO_ARE_YOU)), table, Buttons(buttons, choice=True)))


def _message_of(call: Call, chat: Chat, entry: ChatEntry, *, other: bool) -> Message:
    text = say(call.language, dialogue.FORWARDED) if entry.forwarded else entry.text
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
    """Return the time and words of every message that is known here."""
    return {(m.at, m.text) for m in every_message(state)} | set(_verbatim_lines(state))


def _verbatim_lines(state: MemoryState) -> Iterator[tuple[object, str]]:
    for memory in state.memories.values():
        yield from ((p.at, p.text) for p in memory.passages if p.verbatim)


SAMPLE: Final = 5


async def import_file(call: Call) -> Document:
    """Show what a file would bring in; once confirmed, take exactly that in, all or nothing."""
    upload = await _take_upload(call)
    try:
        opened = await asyncio.to_thread(_file_contents, upload.data, call.state.laws)
    except InvalidExport as error:
        # What is no JSON object might have been meant for either.
        why = texts.FOREIGN if error.flaw is ExportFlaw.FOREIGN else error
        raise call.refusal(texts.FILE_REFUSED, why=why) from error
    except NotAChat as error:
        raise call.refusal(texts.FILE_REFUSED, why=error) from error
    if isinstance(opened, Export):
        return await _import_export(call, upload, opened)
    return await _import_chat(call, upload, opened)


async def _take_upload(call: Call) -> PendingUpload:
    """Return the file that came with the command, or the one that was sent last.

    Raises :class:`CommandRefused` if there is neither.
    """
    person, me = call.caller.person, call.given.text("me")
    upload = await _attached_upload(call) or call.uploads.last(call.agent_id, person, call.now)
    if upload is None:
        raise call.refusal(texts.SEND_FILE)
    upload = replace(upload, me=me or upload.me)
    # A larger one is refused in a moment; only what may be confirmed is kept in memory.
    if len(upload.data) <= LARGEST_UPLOAD:
        call.uploads.keep(call.agent_id, person, upload, call.now)
    return upload


async def _attached_upload(call: Call) -> PendingUpload | None:
    """Return the file that came with the command itself, if there is one."""
    attached = call.caller.file
    if attached is None:
        return None
    try:
        data = await attached.read()
    except XiaoxiangError as error:
        raise call.refusal(texts.NOT_THERE) from error
    if data is None:
        raise call.refusal(texts.NOT_THERE)
    return PendingUpload(attached.name, data)


def _file_contents(data: bytes, laws: Laws) -> Export | Chat:
    """Return what a file holds. Raises :class:`InvalidExport` or :class:`NotAChat`."""
    body = read_json_object(data, LARGEST_UPLOAD)
    return read_chat(body) if is_chat_export(body) else parse_export(body, laws=laws)


async def _import_export(call: Call, upload: PendingUpload, export: Export) -> Document:
    seen, own = call.writer.state, export.agent == call.agent_id
    join = partial(plan_import, other=export.state, now=call.now, own=own)
    plan = await asyncio.to_thread(join, seen)
    if not plan.changes or not plan.coming:
        return answers.one_sentence(
            call, texts.NOTHING_NEW, known=plan.known, refused=plan.refused
        )
    code = _import_code(call, upload, _plan_summary(plan))
    if call.confirmed != code:
        return answers.to_confirm(
            call, tuple(_export_preview(call, export, plan)), "/memory import", code
        )

    def confirmed(state: MemoryState, _: NetworkIndex) -> Sequence[Change]:
        now = plan if state is seen else join(state)
        return now.changes if _import_code(call, upload, _plan_summary(now)) == code else ()

    await _back_up(call, seen)
    await answers.apply_as_shown(call, confirmed)
    call.uploads.drop(call.agent_id, call.caller.person)
    line = call.say(texts.IMPORTED, count=plan.new)
    large = len(plan.changes) > LARGEST_STEP
    more = [Text(call.say(desk_changes.TOO_LARGE_IMPORT))] if large else []
    return Document((Text(line),)) if plan.whole else answers.with_undo_button(call, line, *more)


async def _import_chat(call: Call, upload: PendingUpload, chat: Chat) -> Document:
    found = await asyncio.to_thread(chat_import, call, chat, upload.me)
    if isinstance(found, Document):
        return found
    if not found.messages:
        return answers.one_sentence(
            call, texts.NOTHING_NEW, known=found.known, refused=found.refused
        )
    code = _import_code(call, upload, repr((found.me, [m.id for m in found.messages])))
    if call.confirmed != code:
        return answers.to_confirm(
            call, tuple(_chat_preview(call, chat, found)), "/memory import", code
        )
    await _back_up(call, call.writer.state)
    messages = call.writer.redacted(found.messages)
    await call.writer.steer(lambda state, _: import_tasks(messages, state, call.now))
    call.uploads.drop(call.agent_id, call.caller.person)
    return answers.one_sentence(call, texts.IMPORTED, count=len(messages))


async def _back_up(call: Call, state: MemoryState) -> None:
    if call.services is not None:
        backups = call.services.backups(call.agent_id)
        await asyncio.to_thread(backups.write, state, call.now, "import")


def _export_preview(call: Call, export: Export, plan: ImportPlan) -> Iterator[Block]:
    agent, when = export.agent[:64] or "?", call.date_time(export.at)
    yield Text(call.say(texts.FROM_EXPORT, agent=agent, when=when), title=True)
    counts = (
        ("new", texts.NEW, plan.new),
        ("known", texts.KNOWN, plan.known),
        ("conflicts", texts.CONFLICTS, len(plan.conflicts)),
        ("refused", texts.CANNOT, plan.refused),
    )
    people = sorted({m.origin.speaker for m in plan.told if m.origin.speaker})
    yield Facts(
        (
            *((key, call.say(name), str(count)) for key, name, count in counts),
            ("span", call.say(texts.SPAN), _span(call, [m.trace.created_at for m in plan.told])),
            ("people", call.say(texts.PEOPLE), answers.brief(" · ".join(people), 100)),
        )
    )
    if call.private:
        yield from _samples(call, plan)
    yield Text(call.say(texts.IMPORT_IS_SAFE))


def _items_table(call: Call, name: str, shown: Sequence[Memory]) -> Table:
    columns = (call.say(desk.SINCE), call.say(desk.SPEAKER), call.say(desk.TEXT))
    rows = tuple(
        (call.date(m.trace.created_at), m.origin.speaker, _sample_text(call, m)) for m in shown
    )
    return Table(("at", "speaker", "text"), columns, rows, name=name)


def _samples(call: Call, plan: ImportPlan) -> Iterator[Block]:
    """Yield some of the texts, for a preview that nobody else sees."""
    for name, line, found in named_items(plan):
        if line is not None:
            yield Text(call.say(line))
        yield from answers.first_of(call, found, partial(_items_table, call, name))
    if plan.names:
        yield Text(call.say(desk_changes.NAMES_TOO, names=answers.first_names(plan.names)))
    if plan.conflicts:
        yield Text(call.say(texts.BOTH_STAND))
    yield from answers.first_of(call, plan.conflicts, partial(_conflicts_table, call), SAMPLE)


def _conflicts_table(call: Call, shown: Sequence[tuple[Memory, Memory]]) -> Table:
    rows = tuple((_sample_text(call, here), _sample_text(call, there)) for here, there in shown)
    both = (call.say(texts.HERE), call.say(texts.THERE))
    return Table(("here", "there"), both, rows, name="differing")


def _chat_preview(call: Call, chat: Chat, found: ChatImport) -> Iterator[Block]:
    yield Text(
        call.say(texts.FROM_CHAT, name=answers.brief(chat.name or "?", answers.PREVIEW_LENGTH)),
        title=True,
    )
    facts = (
        ("new", call.say(texts.NEW), str(len(found.messages))),
        ("known", call.say(texts.KNOWN), str(found.known)),
        ("refused", call.say(texts.CANNOT), str(found.refused)),
        ("span", call.say(texts.SPAN), _span(call, [m.at for m in found.messages])),
        ("people", call.say(texts.PEOPLE), answers.brief(" · ".join(found.people), 100)),
    )
    you = (
        (("you", call.say(texts.YOU), answers.brief(found.name, answers.PREVIEW_LENGTH)),)
        if found.me
        else ()
    )
    yield Facts((*facts, *you))
    yield Text(call.say(texts.IMPORT_PARTS, count=found.parts))
    yield Text(call.say(texts.IMPORT_IS_SAFE))


def _sample_text(call: Call, memory: Memory) -> str:
    # Not what is sealed: it would be looked for among the memories that are here.
    return "" if memory.sealed else answers.memory_line(call, memory, answers.PREVIEW_LENGTH)


def _span(call: Call, times: Sequence[datetime]) -> str:
    return f"{call.date(min(times))} – {call.date(max(times))}" if times else "–"


def _plan_summary(plan: ImportPlan) -> str:
    ids = [memory.id for memory in plan.coming]
    return repr((ids, plan.known, plan.refused, len(plan.conflicts), plan.whole))


def _import_code(call: Call, upload: PendingUpload, effect: str) -> str:
    """Return the code that confirms exactly this file and what it would do here."""
    content = blake2b(upload.data, digest_size=16).hexdigest()
    return answers.confirmation_code(call.agent_id, content, effect)
