"""``/memory import``: a file shown first, and taken in whole when that is confirmed."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Final

from bot.conversation.telegram_export import Chat, ChatFlaw, NotAChat, is_chat_export, read_chat
from bot.desk.answers import confirmation_code, one_sentence, to_confirm, with_undo_button
from bot.desk.command import Call
from bot.desk.documents import Block, Document, Facts, Table, Text
from bot.desk.look import brief
from bot.desk.parcels import PendingUpload
from bot.desk.transfer.recorded import ChatImport, chat_import, import_tasks
from bot.texts import Sentence, desk, desk_steer
from bot.texts import bring as texts
from memory.changes import Change
from memory.errors import XiaoxiangError
from memory.manager.joining import ImportPlan, plan_import
from memory.manager.undo import LARGEST_STEP
from memory.model import Memory, Tier
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from memory.stores.transfer import (
    Export,
    ExportFlaw,
    InvalidExport,
    parse_export,
    read_json_object,
)

LARGEST_UPLOAD: Final = 20 * 1024 * 1024
"""Bytes of a file that is taken from a chat: what Telegram hands over."""

SAMPLE: Final = 5
FLAWS: Final[Mapping[ExportFlaw, Sentence]] = {
    ExportFlaw.TOO_LARGE: texts.TOO_LARGE,
    ExportFlaw.ARCHIVE: texts.ARCHIVE,
    ExportFlaw.NOT_JSON: texts.NOT_JSON,
    ExportFlaw.FOREIGN: texts.FOREIGN,
    ExportFlaw.CHANGED: texts.CHANGED,
    ExportFlaw.FUTURE: texts.FUTURE,
    ExportFlaw.UNREADABLE: texts.UNREADABLE,
    ExportFlaw.UNDATED: texts.UNDATED,
    ExportFlaw.MISCOUNTED: texts.MISCOUNTED,
}
CHAT_FLAWS: Final[Mapping[ChatFlaw, Sentence]] = {
    ChatFlaw.NO_CHAT: texts.FOREIGN,
    ChatFlaw.ACCOUNT: texts.ACCOUNT,
    ChatFlaw.EMPTY: texts.EMPTY,
    ChatFlaw.TOO_MANY: texts.TOO_MANY,
    ChatFlaw.WRONG: texts.WRONG,
    ChatFlaw.UNDATED: texts.NO_DATE,
    ChatFlaw.TWICE: texts.TWICE,
}


async def import_file(call: Call) -> Document:
    """Show what a file would bring; confirmed, take exactly that in, all of it or nothing."""
    parcel = await _take_upload(call)
    try:
        opened = await asyncio.to_thread(_file_contents, parcel.data)
    except InvalidExport as error:
        why = call.say(FLAWS[error.flaw])
        if error.detail:
            why = call.say(texts.FLAW_DETAIL, why=why, detail=error.detail)
        raise call.refusal(texts.FILE_REFUSED, why=why) from error
    except NotAChat as error:
        why = call.say(CHAT_FLAWS[error.flaw])
        if error.place:
            why = call.say(texts.FLAW_AT, why=why, place=error.place)
        raise call.refusal(texts.FILE_REFUSED, why=why) from error
    if isinstance(opened, Export):
        return await _import_export(call, parcel, opened)
    return await _import_chat(call, parcel, opened)


async def _take_upload(call: Call) -> PendingUpload:
    """Return the file that came with the command, or was sent last."""
    person, me = call.caller.person, call.given.text("me")
    parcel = await _attached_upload(call) or call.uploads.last(call.agent_id, person, call.now)
    if parcel is None:
        raise call.refusal(texts.SEND_FILE)
    parcel = replace(parcel, me=me or parcel.me)
    if len(parcel.data) <= LARGEST_UPLOAD:
        call.uploads.keep(call.agent_id, person, parcel, call.now)
    return parcel


async def _attached_upload(call: Call) -> PendingUpload | None:
    """Return the file that came with the command itself."""
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


def _file_contents(data: bytes) -> Export | Chat:
    """Return what a file is; raises Unfit and NotAChat."""
    body = read_json_object(data, LARGEST_UPLOAD)
    return read_chat(body) if is_chat_export(body) else parse_export(body)


async def _import_export(call: Call, upload: PendingUpload, export: Export) -> Document:
    seen, own = call.writer.state, export.agent == call.agent_id
    join = partial(plan_import, other=export.state, now=call.now, own=own)
    plan = await asyncio.to_thread(join, seen)
    if not plan.changes or not plan.coming:
        return one_sentence(call, texts.NOTHING_NEW, known=plan.known, refused=plan.refused)
    code = _import_code(call, upload, _plan_summary(plan))
    if call.confirmed != code:
        return to_confirm(call, tuple(_export_preview(call, export, plan)), "/memory import", code)

    def confirmed(state: MemoryState, _: NetworkIndex) -> Sequence[Change]:
        now = plan if state is seen else join(state)
        return now.changes if _import_code(call, upload, _plan_summary(now)) == code else ()

    await _back_up(call, seen)
    if not await call.writer.steer(confirmed):
        raise call.refusal(desk_steer.PREVIEW_CHANGED)
    call.uploads.drop(call.agent_id, call.caller.person)
    line = call.say(texts.IMPORTED, count=plan.new)
    large = len(plan.changes) > LARGEST_STEP
    more = [Text(call.say(desk_steer.TOO_LARGE_IMPORT))] if large else []
    return Document((Text(line),)) if plan.whole else with_undo_button(call, line, *more)


async def _import_chat(call: Call, upload: PendingUpload, chat: Chat) -> Document:
    found = await asyncio.to_thread(chat_import, call, chat, upload.me)
    if isinstance(found, Document):
        return found
    if not found.messages:
        return one_sentence(call, texts.NOTHING_NEW, known=found.known, refused=found.refused)
    code = _import_code(call, upload, repr((found.me, [m.id for m in found.messages])))
    if call.confirmed != code:
        return to_confirm(call, tuple(_chat_preview(call, chat, found)), "/memory import", code)
    await _back_up(call, call.writer.state)
    messages = call.writer.redacted(found.messages)
    await call.writer.steer(lambda state, _: import_tasks(messages, state, call.now))
    call.uploads.drop(call.agent_id, call.caller.person)
    return one_sentence(call, texts.IMPORTED, count=len(messages))


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
    told = [m for m in plan.coming if m.nature.tier is not Tier.ENTITY]
    people = sorted({m.origin.speaker for m in told if m.origin.speaker})
    yield Facts(
        (
            *((key, call.say(name), str(count)) for key, name, count in counts),
            ("span", call.say(texts.SPAN), _span(call, [m.trace.created_at for m in told])),
            ("people", call.say(texts.PEOPLE), brief(" · ".join(people), 100)),
        )
    )
    if call.private:
        yield from _samples(call, told, plan)
    yield Text(call.say(texts.IMPORT_IS_SAFE))


def _samples(call: Call, told: Sequence[Memory], plan: ImportPlan) -> Iterator[Block]:
    """Yield some of the texts: only where nobody else looks on."""
    if told:
        rows = tuple((call.date(m.trace.created_at), _sample_text(m)) for m in told[:SAMPLE])
        columns = (call.say(desk.SINCE), call.say(desk.TEXT))
        yield Table(("at", "text"), columns, rows, name="coming")
    if plan.conflicts:
        yield Text(call.say(texts.BOTH_STAND))
        pairs = tuple(
            (_sample_text(here), _sample_text(there)) for here, there in plan.conflicts[:SAMPLE]
        )
        columns = (call.say(texts.HERE), call.say(texts.THERE))
        yield Table(("here", "there"), columns, pairs, name="differing")


def _chat_preview(call: Call, chat: Chat, found: ChatImport) -> Iterator[Block]:
    yield Text(call.say(texts.FROM_CHAT, name=brief(chat.name or "?", 60)), title=True)
    facts = (
        ("new", call.say(texts.NEW), str(len(found.messages))),
        ("known", call.say(texts.KNOWN), str(found.known)),
        ("refused", call.say(texts.CANNOT), str(found.refused)),
        ("span", call.say(texts.SPAN), _span(call, [m.at for m in found.messages])),
        ("people", call.say(texts.PEOPLE), brief(" · ".join(found.people), 100)),
    )
    you = (("you", call.say(texts.YOU), brief(found.name, 60)),) if found.me else ()
    yield Facts((*facts, *you))
    yield Text(call.say(texts.IMPORT_PARTS, count=found.parts))
    yield Text(call.say(texts.IMPORT_IS_SAFE))


def _sample_text(memory: Memory) -> str:
    return "" if memory.sealed else brief(memory.words.text, 60)


def _span(call: Call, times: Sequence[datetime]) -> str:
    return f"{call.date(min(times))} – {call.date(max(times))}" if times else "–"


def _plan_summary(plan: ImportPlan) -> str:
    ids = [memory.id for memory in plan.coming]
    return repr((ids, plan.known, plan.refused, len(plan.conflicts), plan.whole))


def _import_code(call: Call, upload: PendingUpload, told: str) -> str:
    """Return the name of exactly this file and what it would do here."""
    content = blake2b(upload.data, digest_size=16).hexdigest()
    return confirmation_code(call.agent_id, content, told)
