"""``/forget``: erase for good, everywhere. Shown first, confirmed, carried out, and checked."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from bot.conversation.ledger.forgetting import ErasureRequest, TextMatcher
from bot.desk.answers import confirmation_code, one_sentence, to_confirm
from bot.desk.command import Call
from bot.desk.documents import Document
from bot.desk.erasing.shown import erasure_preview, erasure_receipt
from bot.desk.erasing.targets import target_name, target_of
from bot.texts import desk_erase
from memory.changes import Change, Put, Tombstone
from memory.errors import UnknownMemory
from memory.manager.burial import next_tombstone_id
from memory.manager.erasing import Erasure, former_state_without, plan_erasure
from memory.manager.reach import Everything, OneMemory, Target, TextMatch, text_matcher
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from memory.stores.backups import StateCleaner
from memory.stores.transfer import export_bytes

KEY_BYTES: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureScope:
    """What is to be erased, as it was asked for: in memory, and outside of it."""

    target: Target
    sought: ErasureRequest
    key_hex: str

    def plan(self, state: MemoryState, now: datetime) -> Erasure | None:
        """Return what it takes away of a state; raises :class:`UnknownMemory`."""
        return plan_erasure(
            state, self.target, now, key_hex=self.key_hex, person=self.sought.person
        )

    def backup_plan(self, erasure: Erasure | None) -> StateCleaner:
        """Return what takes it out of a former state, given what was found in the present one."""
        return partial(
            former_state_without, target=self.target, found=erasure, person=self.sought.person
        )

    def code(self, erasure: Erasure | None) -> str:
        """Return the name of what is shown, to be given back to confirm exactly that.

        It names the memories and the messages that go. Where all goes, it names the memories only:
        in a group somebody says something every moment.
        """
        told: list[object] = [self.sought.agent_id, self.sought.person, self.target]
        if erasure is not None:
            told.append(erasure.memories)
            told.append(() if isinstance(self.target, Everything) else erasure.messages)
        return confirmation_code(repr(told))


async def erase_for_good(call: Call) -> Document:
    """Show every place something stands in; confirmed, let it stand in none.

    Only the confirmed erasure lets the conversations stand still, for as long as it takes.
    """
    target = target_of(call)
    if not call.confirmed:
        return await _preview_document(call, target)
    async with call.caller.paused():
        return await _carry_out(call, target)


async def _preview_document(call: Call, target: Target) -> Document:
    aim, erasure, outside = await _survey(call, target)
    if erasure is None and not any(outside.values()):
        return one_sentence(call, desk_erase.NOTHING_OF_IT)
    blocks = erasure_preview(call, target, erasure, outside)
    return to_confirm(call, blocks, f"/forget {target_name(call, target)}", aim.code(erasure))


async def _carry_out(call: Call, target: Target) -> Document:
    """Erase what was confirmed: outside first, so that a crash finds the code still valid."""
    async with call.writer.erasing() as erase:
        # What was being written when all came to rest is in the state once something else is.
        await call.writer.steer(_no_changes)
        aim, erasure, outside = await _survey(call, target)
        if call.caller.resumed and erasure is None and not outside.get("files"):
            await _clean_outside(call, aim, None)
            return one_sentence(call, desk_erase.FINISHED)
        if call.confirmed != aim.code(erasure) or not (erasure or any(outside.values())):
            return await _preview_document(call, target)
        await _clean_outside(call, aim, erasure)
        whole = call.writer.state
        await erase(lambda state: _confirmed_changes(call, aim, state, (whole, erasure)))
        state = call.writer.state
        if erasure and any(each in state.memories for each in erasure.memories):
            raise call.refusal(desk_erase.CHANGED_MEANWHILE)
        return erasure_receipt(call, erasure, outside, await _count_left(call, aim, erasure))


def _no_changes(state: MemoryState, index: NetworkIndex) -> tuple[Change, ...]:
    del state, index
    return ()


async def _survey(
    call: Call, target: Target
) -> tuple[ErasureScope, Erasure | None, Mapping[str, int]]:
    """Return what there is to erase, in memory and outside of it."""
    state, key = call.writer.state, secrets.token_hex(KEY_BYTES)
    erasure = None
    if not (isinstance(target, OneMemory) and target.memory_id not in state.memories):
        plan = partial(plan_erasure, key_hex=key, person=call.only_words_of)
        erasure = await asyncio.to_thread(plan, state, target, call.now)
    sought = ErasureRequest(
        agent_id=call.agent_id,
        matches=_matcher_of(target, erasure),
        person=call.only_words_of,
        before=call.caller.message,
    )
    aim = ErasureScope(target=target, sought=sought, key_hex=key)
    if call.services is None:
        return aim, erasure, {}
    unheld = await _words_only_in_files(call, target) if erasure is None else ()
    return (
        aim,
        erasure,
        await call.services.count_outside(sought, aim.backup_plan(erasure), unheld),
    )


async def _words_only_in_files(call: Call, target: Target) -> tuple[str, ...]:
    """Return the words that are meant, if nothing present tells them: a former state may."""
    if call.only_words_of or not isinstance(target, TextMatch):
        return ()
    present = await asyncio.to_thread(export_bytes, call.writer.state, call.agent_id, call.now)
    return () if target.text.encode("utf-8", "replace") in present else (target.text,)


def _matcher_of(target: Target, erasure: Erasure | None) -> TextMatcher:
    if isinstance(target, Everything):
        return _any_text
    words = (target.text,) if isinstance(target, TextMatch) else ()
    return text_matcher(erasure.needles if erasure else words)


async def _clean_outside(call: Call, scope: ErasureScope, erasure: Erasure | None) -> None:
    if call.services is not None:
        await call.services.erase_outside(scope.sought, scope.backup_plan(erasure))


async def _count_left(call: Call, scope: ErasureScope, erasure: Erasure | None) -> int:
    """Look whether anything is left, and return in how many places."""
    if call.services is None:
        return 0
    told = (
        (scope.target.text,)
        if isinstance(scope.target, TextMatch) and not call.only_words_of
        else ()
    )
    return await call.services.count_left(scope.sought, erasure.texts if erasure else told)


def _any_text(text: str) -> bool:
    return bool(text)


def _confirmed_changes(
    call: Call,
    scope: ErasureScope,
    state: MemoryState,
    planned: tuple[MemoryState, Erasure | None],
) -> tuple[Change, ...]:
    """Return the changes of the erasure, if it is still exactly the one that was shown.

    Where only files and not the memory held it, they are cleaned of former states all the same.
    """
    whole, erasure = planned
    if erasure is None:
        tombstone = Tombstone(id=next_tombstone_id(state), at=call.now, key_hex=scope.key_hex)
        return (Put(tombstone),)
    if state is whole:
        return erasure.changes
    try:
        anew = scope.plan(state, call.now)
    except UnknownMemory:
        return ()
    return anew.changes if anew and scope.code(anew) == scope.code(erasure) else ()
