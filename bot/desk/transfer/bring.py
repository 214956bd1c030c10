"""``/memory import``: a file shown first, and taken in whole when that is confirmed."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Final

from bot.conversation.telegram_export import Chat, ChatFlaw, NotAChat, is_chat_export, read_chat
from bot.desk.answers import code_of, done_with_undo, said, to_confirm
from bot.desk.command import Call
from bot.desk.documents import Block, Document, Facts, Table, Text
from bot.desk.look import brief
from bot.desk.parcels import Parcel
from bot.desk.transfer.recorded import Recorded, recorded, stretches_of
from bot.texts import Sentence, desk, desk_steer
from bot.texts import bring as texts
from memory.changes import Change
from memory.errors import XiaoxiangError
from memory.manager.joining import Joining, plan_joining
from memory.manager.undo import LARGEST_STEP
from memory.model import Memory, Tier
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from memory.stores.transfer import Export, Flaw, Unfit, read_object, taken_apart

LARGEST: Final = 20 * 1024 * 1024
"""Bytes of a file that is taken from a chat: what Telegram hands over."""

SAMPLE: Final = 5
FLAWS: Final[Mapping[Flaw, Sentence]] = {
    Flaw.TOO_LARGE: texts.TOO_LARGE,
    Flaw.ARCHIVE: texts.ARCHIVE,
    Flaw.NOT_JSON: texts.NOT_JSON,
    Flaw.FOREIGN: texts.FOREIGN,
    Flaw.CHANGED: texts.CHANGED,
    Flaw.FUTURE: texts.FUTURE,
    Flaw.UNREADABLE: texts.UNREADABLE,
    Flaw.UNDATED: texts.UNDATED,
    Flaw.MISCOUNTED: texts.MISCOUNTED,
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


async def bring(call: Call) -> Document:
    """Show what a file would bring; confirmed, take exactly that in, all of it or nothing."""
    parcel = await _parcel(call)
    try:
        opened = await asyncio.to_thread(_opened, parcel.data)
    except Unfit as error:
        why = call.say(FLAWS[error.flaw])
        if error.detail:
            why = call.say(texts.DETAIL, why=why, detail=error.detail)
        raise call.refusal(texts.REFUSED, why=why) from error
    except NotAChat as error:
        why = call.say(CHAT_FLAWS[error.flaw])
        if error.place:
            why = call.say(texts.AT, why=why, place=error.place)
        raise call.refusal(texts.REFUSED, why=why) from error
    if isinstance(opened, Export):
        return await _export(call, parcel, opened)
    return await _chat(call, parcel, opened)


async def _parcel(call: Call) -> Parcel:
    """Return the file that came with the command, or was sent last."""
    person, me = call.asking.person, call.given.text("me")
    parcel = await _sent(call) or call.parcels.last(call.agent_id, person, call.now)
    if parcel is None:
        raise call.refusal(texts.SEND_FILE)
    parcel = replace(parcel, me=me or parcel.me)
    if len(parcel.data) <= LARGEST:
        call.parcels.keep(call.agent_id, person, parcel, call.now)
    return parcel


async def _sent(call: Call) -> Parcel | None:
    """Return the file that came with the command itself."""
    attached = call.asking.file
    if attached is None:
        return None
    try:
        data = await attached.read()
    except XiaoxiangError as error:
        raise call.refusal(texts.NOT_THERE) from error
    if data is None:
        raise call.refusal(texts.NOT_THERE)
    return Parcel(attached.name, data)


def _opened(data: bytes) -> Export | Chat:
    """Return what a file is; raises Unfit and NotAChat."""
    body = read_object(data, LARGEST)
    return read_chat(body) if is_chat_export(body) else taken_apart(body)


async def _export(call: Call, parcel: Parcel, export: Export) -> Document:
    seen, own = call.writer.state, export.agent == call.agent_id
    join = partial(plan_joining, other=export.state, now=call.now, own=own)
    plan = await asyncio.to_thread(join, seen)
    if not plan.changes or not plan.coming:
        return said(call, texts.NOTHING_NEW, known=plan.known, refused=plan.refused)
    code = _code(call, parcel, _told(plan))
    if call.confirmed != code:
        return to_confirm(call, tuple(_shown(call, export, plan)), "/memory import", code)

    def confirmed(state: MemoryState, _: NetworkIndex) -> Sequence[Change]:
        now = plan if state is seen else join(state)
        return now.changes if _code(call, parcel, _told(now)) == code else ()

    await _backed_up(call, seen)
    if not await call.writer.steer(confirmed):
        raise call.refusal(desk_steer.PREVIEW_CHANGED)
    call.parcels.drop(call.agent_id, call.asking.person)
    line = call.say(texts.TAKEN, count=plan.new)
    large = len(plan.changes) > LARGEST_STEP
    more = [Text(call.say(desk_steer.TOO_LARGE_IMPORT))] if large else []
    return Document((Text(line),)) if plan.whole else done_with_undo(call, line, *more)


async def _chat(call: Call, parcel: Parcel, chat: Chat) -> Document:
    found = await asyncio.to_thread(recorded, call, chat, parcel.me)
    if isinstance(found, Document):
        return found
    if not found.messages:
        return said(call, texts.NOTHING_NEW, known=found.known, refused=found.refused)
    code = _code(call, parcel, repr((found.me, [m.id for m in found.messages])))
    if call.confirmed != code:
        return to_confirm(call, tuple(_told_of(call, chat, found)), "/memory import", code)
    await _backed_up(call, call.writer.state)
    messages = call.writer.discreet(found.messages)
    await call.writer.steer(lambda state, _: stretches_of(messages, state, call.now))
    call.parcels.drop(call.agent_id, call.asking.person)
    return said(call, texts.TAKEN, count=len(messages))


async def _backed_up(call: Call, state: MemoryState) -> None:
    if call.premises is not None:
        backups = call.premises.backups(call.agent_id)
        await asyncio.to_thread(backups.write, state, call.now, "import")


def _shown(call: Call, export: Export, plan: Joining) -> Iterator[Block]:
    agent, when = export.agent[:64] or "?", call.day(export.at)
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
    yield Text(call.say(texts.SAFE))


def _samples(call: Call, told: Sequence[Memory], plan: Joining) -> Iterator[Block]:
    """Yield some of the texts: only where nobody else looks on."""
    if told:
        rows = tuple((call.date(m.trace.created_at), _words(m)) for m in told[:SAMPLE])
        columns = (call.say(desk.SINCE), call.say(desk.TEXT))
        yield Table(("at", "text"), columns, rows, name="coming")
    if plan.conflicts:
        yield Text(call.say(texts.BOTH_STAND))
        pairs = tuple((_words(here), _words(there)) for here, there in plan.conflicts[:SAMPLE])
        columns = (call.say(texts.HERE), call.say(texts.THERE))
        yield Table(("here", "there"), columns, pairs, name="differing")


def _told_of(call: Call, chat: Chat, found: Recorded) -> Iterator[Block]:
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
    yield Text(call.say(texts.STRETCHES, count=found.stretches))
    yield Text(call.say(texts.SAFE))


def _words(memory: Memory) -> str:
    return "" if memory.sealed else brief(memory.words.text, 60)


def _span(call: Call, times: Sequence[datetime]) -> str:
    return f"{call.date(min(times))} – {call.date(max(times))}" if times else "–"


def _told(plan: Joining) -> str:
    ids = [memory.id for memory in plan.coming]
    return repr((ids, plan.known, plan.refused, len(plan.conflicts), plan.whole))


def _code(call: Call, parcel: Parcel, told: str) -> str:
    """Return the name of exactly this file and what it would do here."""
    content = blake2b(parcel.data, digest_size=16).hexdigest()
    return code_of(call.agent_id, content, told)
