"""``/forget``: erase for good, everywhere. Shown first, confirmed, carried out, and checked."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from bot.conversation.ledger.forgetting import Sought, Tells
from bot.desk.answers import code_of, said, to_confirm
from bot.desk.command import Call
from bot.desk.documents import Document
from bot.desk.erasing.shown import preview, receipt
from bot.desk.erasing.targets import name_of, target_of
from bot.texts import desk_erase
from memory.changes import Change, Put, Tombstone
from memory.errors import UnknownMemory
from memory.manager.burial import next_tombstone
from memory.manager.erasing import Erasure, plan_erasure, plan_former
from memory.manager.reach import Everything, OneMemory, Target, Wording, teller
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from memory.stores.backups import Cleaned
from memory.stores.transfer import exported

KEY_BYTES: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What is to be erased, as it was asked for: in memory, and outside of it."""

    target: Target
    sought: Sought
    key_hex: str

    def plan(self, state: MemoryState, now: datetime) -> Erasure | None:
        """Return what it takes away of a state; raises :class:`UnknownMemory`."""
        return plan_erasure(
            state, self.target, now, key_hex=self.key_hex, person=self.sought.person
        )

    def former(self, erasure: Erasure | None) -> Cleaned:
        """Return what takes it out of a former state, given what was found in the present one."""
        return partial(plan_former, target=self.target, found=erasure, person=self.sought.person)

    def code(self, erasure: Erasure | None) -> str:
        """Return the name of what is shown, to be given back to confirm exactly that.

        It names the memories and the messages that go. Where all goes, it names the memories only:
        in a group somebody says something every moment.
        """
        told: list[object] = [self.sought.agent_id, self.sought.person, self.target]
        if erasure is not None:
            told.append(erasure.memories)
            told.append(() if isinstance(self.target, Everything) else erasure.messages)
        return code_of(repr(told))


async def forget(call: Call) -> Document:
    """Show every place something stands in; confirmed, let it stand in none.

    Only the confirmed erasure lets the conversations stand still, for as long as it takes.
    """
    target = target_of(call)
    if not call.confirmed:
        return await _shown(call, target)
    async with call.asking.still():
        return await _erased(call, target)


async def _shown(call: Call, target: Target) -> Document:
    aim, erasure, outside = await _found(call, target)
    if erasure is None and not any(outside.values()):
        return said(call, desk_erase.NOTHING_OF_IT)
    blocks = preview(call, target, erasure, outside)
    return to_confirm(call, blocks, f"/forget {name_of(call, target)}", aim.code(erasure))


async def _erased(call: Call, target: Target) -> Document:
    """Erase what was confirmed: outside first, so that a crash finds the code still valid."""
    async with call.writer.erasing() as erase:
        # What was being written when all came to rest is in the state once something else is.
        await call.writer.steer(_nothing)
        aim, erasure, outside = await _found(call, target)
        if call.asking.again and erasure is None and not outside.get("files"):
            await _outside_cleaned(call, aim, None)
            return said(call, desk_erase.FINISHED)
        if call.confirmed != aim.code(erasure) or not (erasure or any(outside.values())):
            return await _shown(call, target)
        await _outside_cleaned(call, aim, erasure)
        whole = call.writer.state
        await erase(lambda state: _again(call, aim, state, (whole, erasure)))
        state = call.writer.state
        if erasure and any(each in state.memories for each in erasure.memories):
            raise call.refusal(desk_erase.CHANGED_MEANWHILE)
        return receipt(call, erasure, outside, await _left(call, aim, erasure))


def _nothing(state: MemoryState, index: NetworkIndex) -> tuple[Change, ...]:
    del state, index
    return ()


async def _found(call: Call, target: Target) -> tuple[Aim, Erasure | None, Mapping[str, int]]:
    """Return what there is to erase, in memory and outside of it."""
    state, key = call.writer.state, secrets.token_hex(KEY_BYTES)
    erasure = None
    if not (isinstance(target, OneMemory) and target.memory_id not in state.memories):
        plan = partial(plan_erasure, key_hex=key, person=call.whose)
        erasure = await asyncio.to_thread(plan, state, target, call.now)
    sought = Sought(
        agent_id=call.agent_id,
        tells=_tells(target, erasure),
        person=call.whose,
        before=call.asking.message,
    )
    aim = Aim(target=target, sought=sought, key_hex=key)
    if call.premises is None:
        return aim, erasure, {}
    unheld = await _unheld(call, target) if erasure is None else ()
    return aim, erasure, await call.premises.count(sought, aim.former(erasure), unheld)


async def _unheld(call: Call, target: Target) -> tuple[str, ...]:
    """Return the words that are meant, if nothing present tells them: a former state may."""
    if call.whose or not isinstance(target, Wording):
        return ()
    present = await asyncio.to_thread(exported, call.writer.state, call.agent_id, call.now)
    return () if target.words.encode("utf-8", "replace") in present else (target.words,)


def _tells(target: Target, erasure: Erasure | None) -> Tells:
    if isinstance(target, Everything):
        return _anything
    words = (target.words,) if isinstance(target, Wording) else ()
    return teller(erasure.needles if erasure else words)


async def _outside_cleaned(call: Call, aim: Aim, erasure: Erasure | None) -> None:
    if call.premises is not None:
        await call.premises.forget(aim.sought, aim.former(erasure))


async def _left(call: Call, aim: Aim, erasure: Erasure | None) -> int:
    """Look whether anything is left, and return in how many places."""
    if call.premises is None:
        return 0
    told = (aim.target.words,) if isinstance(aim.target, Wording) and not call.whose else ()
    return await call.premises.left(aim.sought, erasure.texts if erasure else told)


def _anything(text: str) -> bool:
    return bool(text)


def _again(
    call: Call, aim: Aim, state: MemoryState, planned: tuple[MemoryState, Erasure | None]
) -> tuple[Change, ...]:
    """Return the changes of the erasure, if it is still exactly the one that was shown.

    Where only files and not the memory held it, they are cleaned of former states all the same.
    """
    whole, erasure = planned
    if erasure is None:
        stone = Tombstone(id=next_tombstone(state), at=call.now, key_hex=aim.key_hex)
        return (Put(stone),)
    if state is whole:
        return erasure.changes
    try:
        anew = aim.plan(state, call.now)
    except UnknownMemory:
        return ()
    return anew.changes if anew and aim.code(anew) == aim.code(erasure) else ()
