"""The commands that change one memory: add, edit, pin, merge, reinforce, hide, restore, seal.

Each one lets :mod:`memory.lifecycle.partner_steps` or :mod:`memory.privacy` plan the changes, has
the agent apply them, and says what was done. Erasing for good is in :mod:`bot.desk.erase`.
"""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from bot.conversation.ledger.erasure import ErasureRequest
from bot.desk import answers
from bot.desk.agent_settings import kept_nothing
from bot.desk.command import Call, ParsedArguments, active_memory
from bot.desk.documents import Bar, Bars, Document, Text
from bot.desk.search import list_memories
from bot.texts import desk_changes, desk_help, dialogue
from memory.changes import Change, Put
from memory.erasing.scope import text_matcher
from memory.judgement.draft import AgentTools, Judgement
from memory.laws.law import Event
from memory.learning.consolidation import plan_return
from memory.learning.remember_requests import RememberRequest, plan_explicit_memories
from memory.lifecycle.partner_steps import (
    plan_edit,
    plan_hide,
    plan_pin,
    plan_reinforce,
    plan_sensitivity,
    plan_system,
    shares_nothing,
)
from memory.merging.batch_merge import plan_merge, say_the_same
from memory.model import Memory, Message, Sensitivity, Tier
from memory.network.index import NetworkIndex
from memory.offline.utterances import in_third_person
from memory.privacy.redaction import is_secret, values_of
from memory.privacy.sealing import (
    former_state_redacted,
    former_state_sealed,
    plan_edit_sealed,
    plan_seal,
    plan_unseal,
)
from memory.privacy.vault import UnsealFailure, Vault
from memory.state import MemoryState
from memory.stores.backups import StateCleaner
from memory.views import view

_SEALABLE: Final = frozenset({Tier.FACT, Tier.CORE, Tier.EPISODE})


def vault_of(call: Call) -> Vault:
    """Return the vault to seal with.

    Raises :class:`CommandRefused` in a group, and without a key, where it says how to make one.
    """
    if not call.private:
        raise call.refusal(desk_changes.SECRETS_NOT_IN_GROUPS)
    vault = call.writer.vault
    if vault is None or not vault.can_seal:
        raise call.refusal(desk_changes.SECRETS_NEED_KEY)
    return vault


def changes_or_refusal(call: Call, found: Sequence[Change] | UnsealFailure) -> tuple[Change, ...]:
    """Return the changes of a plan. Raises :class:`CommandRefused` if a secret stays sealed."""
    if isinstance(found, UnsealFailure):
        raise call.refusal(
            desk_changes.SECRETS_NEED_KEY
            if found is UnsealFailure.NO_KEY
            else desk_changes.STAYS_SHUT
        )
    return tuple(found)


async def set_sensitivity(call: Call) -> Document:
    """Set how private a memory is: 3 seals it, and anything below opens it again."""
    memory, grade = call.memory(), Sensitivity(int(call.given.text("grade")))
    if memory.sealed is not None and grade is Sensitivity.SECRET:
        return answers.one_sentence(call, desk_changes.SEALED_ALREADY, id=memory.id)
    if memory.sealed is not None:
        return await _unseal(call, memory, grade)
    if grade is Sensitivity.SECRET:
        return await _seal(call, memory)
    await call.writer.steer(lambda state, _: plan_sensitivity(state, memory.id, grade, call.now))
    line = call.say(desk_changes.GRADED, id=memory.id, grade=int(grade))
    return answers.with_undo_button(call, line)


async def _seal(call: Call, memory: Memory) -> Document:
    """Seal a memory and redact its traces.

    It is previewed first, because what is redacted elsewhere does not come back.
    """
    vault = vault_of(call)
    if memory.nature.tier not in _SEALABLE:
        raise call.refusal(desk_changes.NOT_SEALABLE)
    code = answers.confirmation_code(call.agent_id, repr((memory.id, memory.words)))
    if call.confirmed != code:
        blocks = (
            Text(call.say(desk_changes.WILL_SEAL, id=memory.id), title=True),
            Text(answers.brief(memory.words.text)),
            Text(call.say(desk_changes.TRACES_GO)),
        )
        return answers.to_confirm(call, blocks, f"/memory sensitivity #{memory.id} 3", code)

    def plan(state: MemoryState) -> Sequence[Change]:
        if state.memories.get(memory.id) != memory:
            return ()
        return plan_seal(state, memory.id, call.now, vault)

    async with call.caller.paused(), call.writer.erasing() as erase:
        # The ledger and the backups first: if the process dies in between, the memory is still
        # open, and sealing it again finishes the work.
        await redact_outside(call, memory, vault)
        await erase(plan)
    if call.writer.state.memory(memory.id).sealed is None:
        raise call.refusal(desk_changes.PREVIEW_CHANGED)
    return answers.one_sentence(call, desk_changes.IS_SEALED, id=memory.id)


async def redact_outside(call: Call, memory: Memory, vault: Vault) -> None:
    """Remove the words that are being sealed from the ledger, and seal them in every backup."""
    cleaned = partial(former_state_sealed, memory=memory, now=call.now, vault=vault)
    await _erase_outside(call, [memory.words.text], cleaned)


async def _redact_text_outside(call: Call, text: str, vault: Vault, *, memory_id: int = 0) -> None:
    """Remove what a new sealed text tells from the ledger and from every backup."""
    cleaned = partial(
        former_state_redacted, text=text, memory_id=memory_id, now=call.now, vault=vault
    )
    await _erase_outside(call, values_of(text), cleaned)


async def _erase_outside(call: Call, values: Sequence[str], cleaned: StateCleaner) -> None:
    if call.services is None or not values:
        return
    matches = text_matcher(values)
    sought = ErasureRequest(agent_id=call.agent_id, matches=matches, before=call.caller.message)
    await call.services.erase_outside(sought, cleaned)


async def _unseal(call: Call, memory: Memory, grade: Sensitivity) -> Document:
    """Open a sealed memory again, after a preview that says what that means."""
    vault = vault_of(call)
    if not call.may_unseal(memory.id):
        raise call.refusal(desk_changes.STAYS_SHUT)
    plain = vault.open(memory)
    if isinstance(plain, UnsealFailure):
        raise call.refusal(desk_changes.STAYS_SHUT)
    code = answers.confirmation_code(call.agent_id, repr((memory.id, memory.sealed, grade)))
    if call.confirmed != code:
        warning = (
            desk_changes.OPENING_SECRET_MEANS
            if is_secret(plain.words.text)
            else desk_changes.OPENING_MEANS
        )
        blocks = (
            Text(call.say(desk_changes.WILL_OPEN, id=memory.id, grade=int(grade)), title=True),
            Text(answers.brief(plain.words.text)),
            Text(call.say(warning)),
        )
        return answers.to_confirm(
            call, blocks, f"/memory sensitivity #{memory.id} {int(grade)}", code
        )

    def plan(state: MemoryState, _: NetworkIndex) -> tuple[Change, ...]:
        if state.memories.get(memory.id) != memory:
            return ()
        return changes_or_refusal(call, plan_unseal(state, memory.id, grade, call.now, vault))

    await answers.apply_as_shown(call, plan)
    line = call.say(desk_changes.GRADED, id=memory.id, grade=int(grade))
    return answers.with_undo_button(call, line)


_MERGED_AT_LEAST: Final = 2


async def add(call: Call) -> Document:
    """Remember a text word for word; one that is known already counts as a mention."""
    text = call.given.text("text")
    if not call.settings.learning:
        return kept_nothing(call)
    vault = vault_of(call) if is_secret(text) else None
    # A command is no message of the conversation; the prefix keeps its id apart from theirs.
    message = Message(
        id=f"desk:{secrets.token_hex(8)}",
        at=call.now,
        speaker=call.settings.partner,
        role="user",
        text=text,
        speaker_id="" if call.private else call.caller.person,
    )
    asked = RememberRequest(text, message)
    if not call.private:
        asked = asked.in_group(call.caller.name)
    # The planner runs inside the agent's commit, so what it judged has to be handed out of it.
    judged: list[Judgement] = []

    def plan(state: MemoryState, index: NetworkIndex) -> tuple[Change, ...]:
        tools = AgentTools(index=index, vault=vault)
        judged[:] = [plan_explicit_memories([asked], state, call.now, tools=tools)]
        return judged[0].changes

    if vault is not None:
        await _redact_text_outside(call, text, vault)
    await call.writer.steer(plan)
    labels = judged[0].learnt if judged else ()
    known = next((label.split("#")[-1] for label in labels if label.startswith("MENTION")), "")
    if known:
        return answers.one_sentence(call, desk_changes.KNOWN_ALREADY, id=known)
    new = next((label.split("#")[-1] for label in labels), "")
    if not new:
        raise call.refusal(desk_changes.NOTHING_TO_KEEP)
    if vault is not None:
        return answers.with_undo_button(call, call.say(desk_changes.SEALED, id=new))
    return answers.with_undo_button(
        call, call.say(desk_changes.KEPT, id=new, text=answers.brief(text))
    )


async def lay_down(call: Call) -> Document:
    """Lay down a system memory, which is in every prompt; without a text, list those there are."""
    text = call.given.text("text")
    if not text:
        return list_memories(replace(call, given=ParsedArguments({"tier": Tier.SYSTEM.value})))
    if is_secret(text):
        raise call.refusal(desk_changes.NOT_SEALABLE)
    source = f"desk:{secrets.token_hex(8)}"
    changes = await call.writer.steer(
        lambda state, index: plan_system(state, text, source, call.now, index=index)
    )
    made = [each.record for each in changes if isinstance(each, Put)]
    new = next((each.id for each in made if isinstance(each, Memory)), None)
    if new is None:
        return answers.one_sentence(call, desk_changes.LAID_DOWN_ALREADY)
    line = call.say(desk_changes.LAID_DOWN, id=new, text=answers.brief(text))
    return answers.with_undo_button(call, line)


async def edit(call: Call) -> Document:
    """Correct what a memory says; the former text is kept for undo."""
    memory, text = active_memory(call), call.given.text("text")
    partner = call.state.agent_info.settings.partner
    # What is told of the partner is found as that, whoever words it anew.
    if memory.is_fact and partner in memory.words.text and partner not in text:
        text = in_third_person(text, partner)
    if memory.sealed is not None or is_secret(text):
        return await _edit_sealed(call, memory, text)
    told: dict[str, str | int] = {"id": memory.id, "before": answers.memory_line(call, memory)}
    code = answers.confirmation_code(call.agent_id, repr((memory.id, memory.words, text)))
    if call.confirmed != code and shares_nothing(memory, text, partner):
        asked = Text(call.say(desk_help.QUITE_ANOTHER, **told, after=answers.brief(text)))
        return answers.to_confirm(call, (asked,), f"/memory edit #{memory.id} {text}", code)
    changes = await call.writer.steer(lambda state, _: plan_edit(state, memory.id, text, call.now))
    if not changes:
        return answers.one_sentence(call, desk_changes.SAYS_SO_ALREADY, id=memory.id)
    after = answers.memory_line(call, call.writer.state.memory(memory.id))
    line = call.say(desk_changes.EDITED, **told, after=after)
    if facts := sum(isinstance(x, Put) and isinstance(x.record, Memory) for x in changes) - 1:
        line += f"\n{call.say(desk_help.NAMED_ANEW, count=facts)}"
    return answers.with_undo_button(call, line)


async def _edit_sealed(call: Call, memory: Memory, text: str) -> Document:
    """Let a memory say something that is sealed, and let it stand nowhere else."""
    vault = vault_of(call)

    def plan(state: MemoryState) -> tuple[Change, ...]:
        return changes_or_refusal(call, plan_edit_sealed(state, memory.id, text, call.now, vault))

    # Looked at first: nothing is redacted for a memory that stays as it is.
    if not plan(call.writer.state):
        same = answers.one_sentence(call, desk_changes.SAYS_SO_ALREADY, id=memory.id)
        return replace(same, secret=True)
    async with call.caller.paused(), call.writer.erasing() as erase:
        await _redact_text_outside(call, text, vault, memory_id=memory.id)
        await erase(plan)
    told = desk_changes.EDITED_SEALED if memory.sealed else desk_help.EDITED_AND_SEALED
    return replace(answers.with_undo_button(call, call.say(told, id=memory.id)), secret=True)


async def pin(call: Call) -> Document:
    """Pin a memory, so that no law lets it fade."""
    return await _set_pinned(call, pinned=True)


async def unpin(call: Call) -> Document:
    """Let a memory fade again under its law."""
    return await _set_pinned(call, pinned=False)


async def merge_memories(call: Call) -> Document:
    """Merge several memories that say the same into one."""
    ids, text = call.given.numbers("ids"), call.given.text("text")
    memories = [call.state.memory(each) for each in ids]
    # The words of a merged memory are made of its parts: sealed ones would stand in the clear.
    if any(memory.sealed is not None for memory in memories):
        raise call.refusal(desk_changes.SEALED_NOT_MERGED)
    if not _can_be_merged(memories):
        raise call.refusal(desk_changes.NOT_MERGED)
    if not text and not say_the_same(memories):
        named = " ".join(f"#{each}" for each in ids)
        raise call.refusal(dialogue.NOT_THE_SAME, ids=named)
    made: list[int] = []

    def plan(state: MemoryState, index: NetworkIndex) -> tuple[Change, ...]:
        made[:] = [state.next_id]
        return plan_merge(ids, state, call.now, text=text, tools=AgentTools(index=index)).changes

    await call.writer.steer(plan)
    one = call.writer.state.memory(made[0])
    named = " ".join(f"#{each}" for each in ids)
    line = call.say(desk_changes.MERGED, ids=named, id=one.id, text=answers.brief(one.words.text))
    return answers.with_undo_button(call, line)


async def reinforce(call: Call) -> Document:
    """Apply an event to a memory and show what it changed, before and after."""
    memory = call.memory()
    event = Event(call.given.text("event") or Event.MANUAL.value)
    await call.writer.steer(lambda state, _: plan_reinforce(state, memory.id, event, call.now))
    after = call.writer.state.memory(memory.id)
    title = call.say(desk_changes.REINFORCED, id=memory.id, event=call.say(answers.EVENTS[event]))
    blocks = (Text(title, title=True), _before_and_after(call, memory, after))
    return answers.with_undo_button(call, "", *blocks)


async def hide(call: Call) -> Document:
    """Hide a memory: it is out of every recall and can be restored for 30 days."""
    memory = call.memory()
    changes = await call.writer.steer(lambda state, _: plan_hide(state, memory.id, call.now))
    if not changes:
        return answers.one_sentence(call, desk_changes.HIDDEN_ALREADY, id=memory.id)
    return answers.with_undo_button(
        call,
        call.say(desk_changes.HIDDEN, id=memory.id, text=answers.memory_line(call, memory)),
        Text(call.say(desk_changes.HIDDEN_IS_NOT_ERASED, id=memory.id)),
    )


async def restore(call: Call) -> Document:
    """Bring back a memory that was hidden, archived, merged or shortened."""
    memory = call.memory()
    changes = await call.writer.steer(lambda state, _: plan_return(state, memory.id, call.now))
    if not changes:
        return answers.one_sentence(call, desk_changes.LACKS_NOTHING, id=memory.id)
    back = call.writer.state.memory(memory.id)
    return answers.with_undo_button(
        call, call.say(desk_changes.IS_BACK, id=memory.id, text=answers.memory_line(call, back))
    )


async def _set_pinned(call: Call, *, pinned: bool) -> Document:
    memory = active_memory(call)
    if memory.nature.pinned == pinned:
        known = desk_help.PINNED_ALREADY if pinned else desk_help.NOT_PINNED
        return answers.one_sentence(call, known, id=memory.id)
    await call.writer.steer(lambda state, _: plan_pin(state, memory.id, call.now, pinned=pinned))
    sentence = desk_changes.PINNED if pinned else desk_changes.UNPINNED
    return answers.with_undo_button(
        call, call.say(sentence, id=memory.id, text=answers.memory_line(call, memory))
    )


def _can_be_merged(memories: list[Memory]) -> bool:
    # Episodes stay as they are: two talks about one thing were two talks. And nobody's words may
    # become part of what somebody else said.
    facts = all(m.nature.tier in {Tier.FACT, Tier.CORE} and m.is_active for m in memories)
    one_speaker = len({memory.origin.speaker for memory in memories}) == 1
    return len(memories) >= _MERGED_AT_LEAST and facts and one_speaker


def _before_and_after(call: Call, before: Memory, after: Memory) -> Bars:
    """Return retention, and the quantity of the agent's law, before and after."""
    law = call.state.rules.law
    bars = []
    for key, name, memory in (
        ("before", desk_changes.WAS_BEFORE, before),
        ("after", desk_changes.IS_AFTER, after),
    ):
        state = call.state if memory is before else call.writer.state
        seen = view(memory, state, call.now)
        amount = law.quantity.format(seen.amount_of(law.name))
        quantity = law.quantity.title.in_language(call.language)
        bars.append(
            Bar(
                key=key,
                label=call.say(name),
                share=seen.retention,
                value=f"{quantity} {amount} · {memory.trace.stability_hours:.0f} h",
                colour=answers.COLOURS[seen.colour],
            )
        )
    return Bars(tuple(bars), name="compared")
