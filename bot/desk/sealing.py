"""What the partner seals or opens by hand; only in private, and only with a key (DESIGN §8)."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from bot.conversation.ledger.forgetting import ErasureRequest
from bot.desk.answers import confirmation_code, one_sentence, to_confirm, with_undo_button
from bot.desk.command import Call
from bot.desk.documents import Document, Text
from bot.desk.look import brief
from bot.texts import desk_secrets, desk_steer
from memory.background.privacy import is_secret
from memory.background.sealing import former_state_sealed, plan_seal, plan_unseal
from memory.background.steering import plan_sensitivity
from memory.changes import Change
from memory.manager.reach import text_matcher
from memory.model import Memory, Sensitivity, Tier
from memory.state import MemoryState
from memory.vault import UnsealFailure, Vault

_SEALABLE: Final = frozenset({Tier.FACT, Tier.CORE, Tier.EPISODE})


def vault_of(call: Call) -> Vault:
    """Return the vault to seal with; refuses in a group, and without a key says what to do."""
    if not call.private:
        raise call.refusal(desk_secrets.SECRETS_NOT_IN_GROUPS)
    vault = call.writer.vault
    if vault is None or not vault.can_seal:
        raise call.refusal(desk_secrets.SECRETS_NEED_KEY)
    return vault


def changes_or_refusal(call: Call, found: Sequence[Change] | UnsealFailure) -> tuple[Change, ...]:
    """Return the changes of a plan; refuses where what is sealed stays shut."""
    if isinstance(found, UnsealFailure):
        raise call.refusal(
            desk_secrets.SECRETS_NEED_KEY
            if found is UnsealFailure.NO_KEY
            else desk_secrets.STAYS_SHUT
        )
    return tuple(found)


async def set_sensitivity(call: Call) -> Document:
    """Make a memory more or less private; 3 seals it, and anything below opens it again."""
    memory, grade = call.memory(), Sensitivity(int(call.given.text("grade")))
    if memory.sealed is not None and grade is Sensitivity.SECRET:
        return one_sentence(call, desk_secrets.SEALED_ALREADY, id=memory.id)
    if memory.sealed is not None:
        return await _unseal(call, memory, grade)
    if grade is Sensitivity.SECRET:
        return await _seal(call, memory)
    await call.writer.steer(lambda state, _: plan_sensitivity(state, memory.id, grade, call.now))
    line = call.say(desk_steer.GRADED, id=memory.id, grade=int(grade))
    return with_undo_button(call, line)


async def _seal(call: Call, memory: Memory) -> Document:
    """Seal a memory and its traces; shown first, for what is blotted out does not come back."""
    vault = vault_of(call)
    if memory.nature.tier not in _SEALABLE:
        raise call.refusal(desk_secrets.NOT_SEALABLE)
    code = confirmation_code(call.agent_id, repr((memory.id, memory.words)))
    if call.confirmed != code:
        blocks = (
            Text(call.say(desk_secrets.WILL_SEAL, id=memory.id), title=True),
            Text(brief(memory.words.text)),
            Text(call.say(desk_secrets.TRACES_GO)),
        )
        return to_confirm(call, blocks, f"/memory sensitivity #{memory.id} 3", code)

    def plan(state: MemoryState) -> Sequence[Change]:
        if state.memories.get(memory.id) != memory:
            return ()
        return plan_seal(state, memory.id, call.now, vault)

    async with call.caller.paused(), call.writer.erasing() as erase:
        await redact_outside(call, memory, vault)
        await erase(plan)
    if call.writer.state.memory(memory.id).sealed is None:
        raise call.refusal(desk_steer.PREVIEW_CHANGED)
    return one_sentence(call, desk_secrets.IS_SEALED, id=memory.id)


async def redact_outside(call: Call, memory: Memory, vault: Vault) -> None:
    """Let the ledger tell nothing of what is being sealed, and hold it sealed in every backup."""
    if call.services is None:
        return
    tells = text_matcher([memory.words.text])
    sought = ErasureRequest(agent_id=call.agent_id, matches=tells, before=call.caller.message)
    await call.services.erase_outside(
        sought, partial(former_state_sealed, memory=memory, now=call.now, vault=vault)
    )


async def _unseal(call: Call, memory: Memory, grade: Sensitivity) -> Document:
    vault = vault_of(call)
    plain = vault.open(memory)
    if isinstance(plain, UnsealFailure):
        raise call.refusal(desk_secrets.STAYS_SHUT)
    code = confirmation_code(call.agent_id, repr((memory.id, memory.sealed, grade)))
    if call.confirmed != code:
        warning = (
            desk_secrets.OPENING_SECRET_MEANS
            if is_secret(plain.words.text)
            else desk_secrets.OPENING_MEANS
        )
        blocks = (
            Text(call.say(desk_secrets.WILL_OPEN, id=memory.id, grade=int(grade)), title=True),
            Text(brief(plain.words.text)),
            Text(call.say(warning)),
        )
        return to_confirm(call, blocks, f"/memory sensitivity #{memory.id} {int(grade)}", code)

    def plan(state: MemoryState) -> tuple[Change, ...]:
        if state.memories.get(memory.id) != memory:
            return ()
        return changes_or_refusal(call, plan_unseal(state, memory.id, grade, call.now, vault))

    if not await call.writer.steer(lambda state, _: plan(state)):
        raise call.refusal(desk_steer.PREVIEW_CHANGED)
    line = call.say(desk_steer.GRADED, id=memory.id, grade=int(grade))
    return with_undo_button(call, line)
