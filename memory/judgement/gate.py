"""The gate: the only way into memory for anything a model wrote.

Whatever the model was told, and by whomever: what passes here was said by a person in this turn,
touches only memories that were shown in this prompt, stays within the caps, and can be undone
(docs/decisions/judgement.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, assert_never

from memory.changes import Change, Put
from memory.judgement import draft as drafts
from memory.judgement import own_words, permission
from memory.judgement.assertions import ParsedText
from memory.judgement.brackets import Malformed
from memory.judgement.case import Case
from memory.judgement.draft import Draft, Judgement
from memory.judgement.evidence import (
    Support,
    support_for,
    takes_something_back,
    who_denies,
    who_speaks_of,
    words_meant,
)
from memory.judgement.new_facts import (
    LONGEST,
    Provenance,
    as_kept_from,
    covers_all,
    details_of_new_version,
    new_fact,
    not_to_be_written,
)
from memory.judgement.news import is_same_matter, stands_beside, with_doubt
from memory.judgement.old_talk import is_settled_since
from memory.judgement.operations import (
    Add,
    Boost,
    Delete,
    MemoryDetails,
    Merge,
    Negate,
    NotMeant,
    Operation,
    Remind,
    Update,
    name_of,
)
from memory.judgement.permission import Refusal
from memory.judgement.reminding import decide_reminder
from memory.judgement.slots import with_slots_settled
from memory.judgement.what_is_over import leaves_out_finding, with_found, with_rest_kept
from memory.laws.law import Event
from memory.model import Memory, Sensitivity, Source
from memory.network.links import useful_link
from memory.offline import OFFLINE_NAME
from memory.privacy.sealing import new_secret_redactions
from memory.recall.slot_index import SlotIndex
from memory.revision import CreateNew, Trigger, revise, strategy_for
from memory.state import MemoryState, still_holds
from memory.text.correction_forms import tells_of_change

NOT_SAID: Final = "not said"


def admit(
    operations: Sequence[Operation | Malformed],
    case: Case,
    state: MemoryState,
    now: datetime,
) -> Judgement:
    """Return what of ``operations`` may happen to ``state`` at ``now``.

    Each is judged by itself, and refused with its reason. If one was, nothing is taken away by
    choice either (DELETE, UNSAID): a judge who is wrong once must not make memory lose.
    """
    # Without an index one is made: once for all operations, which change only the draft.
    tools = replace(case.tools, slots=case.tools.slots or SlotIndex.build(state))
    draft = Draft(state=state, now=now, tools=tools)
    draft = draft if case.episodes else with_found(draft, case.evidence.messages)
    refused = permission.formal_refusals(operations, case.shown, case.allowed)
    # What takes away comes last: it happens only if nothing before it was refused.
    order = sorted(
        range(len(operations)),
        key=lambda n: n not in refused and isinstance(operations[n], Delete | NotMeant),
    )
    for n in order:
        operation = operations[n]
        decided: Draft | Refusal
        if n in refused or isinstance(operation, Malformed):
            decided = refused[n]
        else:
            decided = _decide(operation, case, draft)
        if isinstance(decided, Refusal):
            refused[n] = decided
            draft = draft.with_refusal(f"{name_of(operation)}: {decided.why}")
            decided = _decide_in_own_words(operation, decided, case, draft)
        if isinstance(decided, Draft):
            draft = decided
    done = drafts.with_links_and_undo(draft, state, case.label, case.episodes)
    wrong = (
        permission.lines_to_mend(operations, refused) if len(refused) == len(operations) else ()
    )
    # After the entry for undo, and not part of it: an undo must not bring back a secret's traces.
    return replace(done.judgement(*_secrets_hidden(done, case, state, now)), wrong=wrong)


def _secrets_hidden(
    done: Draft, case: Case, before: MemoryState, now: datetime
) -> Iterator[Change]:
    """Yield what hides the new secrets: those kept in the clear are sealed, their traces go."""
    vault, language = case.tools.vault, before.agent_info.settings.language
    puts: list[Change] = []
    if vault is not None:
        puts = [Put(vault.seal(done.state.memories[each], language)) for each in done.hidden]
    sealed = [each for each in done.new if done.state.memories[each].sealed is not None]
    yield from puts
    if sealed or puts:
        yield from new_secret_redactions(
            [*sealed, *done.hidden], (*done.changes, *puts), before, now, vault
        )


def _decide(operation: Operation, case: Case, draft: Draft) -> Draft | Refusal:
    match operation:
        case Add(text, details):
            decided = _decide_add(ParsedText(text), details, case, draft)
        case Update(handle) | Negate(handle):
            decided = _decide_replace(operation, case.shown[handle], case, draft)
        case Boost(handle):
            decided = _decide_boost(case.shown[handle], case, draft)
        case Delete(handle):
            decided = _decide_delete(case.shown[handle], case, draft)
        case NotMeant(handle, reason):
            decided = _decide_unsaid(case.shown[handle], reason, case, draft)
        case Merge(handles, text, _):
            decided = _decide_merge([case.shown[handle] for handle in handles], text, case, draft)
        case Remind(text):
            decided = decide_reminder(text, case.evidence, case.doubt, draft)
        case never:
            assert_never(never)
    return decided


def _decide_in_own_words(
    operation: Operation | Malformed, refused: Refusal, case: Case, draft: Draft
) -> Draft | Refusal:
    """Return the draft with what the person said, where a model told it in words nobody said.

    That there is something to be kept is the model's finding; what it is stands in their words,
    and takes the place of nothing unless these tell of a change. A judge who may be obeying finds
    only what somebody says where nothing is shown, and replaces nothing; the rules find nothing,
    which know what they leave out. Of an old talk nothing is kept so: its episode holds the words.
    """
    settled = case.episodes or case.model == OFFLINE_NAME
    if refused.why != NOT_SAID or settled or not isinstance(operation, Add | Update | Negate):
        return refused
    sealed, details = case.tools.vault is not None, operation.details
    found = words_meant(ParsedText(operation.text), case.evidence)
    if found is None or not found[0] or not_to_be_written(found[0], details, sealed=sealed):
        return refused
    words, support = found
    if case.doubt and permission.doubt_about(support.messages, None, ()):
        return refused
    if not (isinstance(operation, Add) or case.doubt) and tells_of_change(words):
        own = replace(operation, text=own_words.told_of(words, support.speaker, case.evidence))
        return _with_new_version(own, case.shown[operation.handle], support, case, draft)
    beside = _beside(words, details, support, case, draft)
    if isinstance(operation, Add):
        return beside
    shown = case.shown[operation.handle]
    return with_doubt(beside, draft, shown.id, support.messages, case.doubt)


def _beside(
    words: str, details: MemoryDetails, support: Support, case: Case, draft: Draft
) -> Draft:
    """Return the draft with somebody's words in it, but for what is kept of them already."""
    for kept, text in own_words.beyond_kept(words, support.speaker, draft.state, case.evidence):
        if kept is None or details.sensitivity is Sensitivity.SECRET:
            draft = _with_new(ParsedText(text), details, support, case, draft)
        elif case.is_by_rule(kept):
            same = details_of_new_version(MemoryDetails(), kept)
            new = _new_memory(text, same, support, case, draft)
            within = own_words.kept_within(text, support.speaker, case, draft.state)
            draft = own_words.with_taken_in(draft, [kept, *(m for m in within if m != kept)], new)
    return draft


def _decide_add(
    text: ParsedText, details: MemoryDetails, case: Case, draft: Draft
) -> Draft | Refusal:
    support = _support_or_refusal(text, details, case)
    if isinstance(support, Refusal):
        return support
    said, since = case.evidence, case.since
    if case.episodes and is_settled_since(text.text, support, said, draft, since):
        return draft
    return _with_new(text, details, support, case, draft)


def _with_new(
    text: ParsedText, details: MemoryDetails, support: Support, case: Case, draft: Draft
) -> Draft:
    """Return the draft with something new, or with a mention if it is known already."""
    written, known = _told_and_known(text, support, case, draft)
    settings, vault = draft.state.agent_info.settings, case.tools.vault
    secret = details.sensitivity is Sensitivity.SECRET and vault is not None
    if known is not None and secret and case.is_by_rule(known):
        hidden = (*draft.hidden, known.id)
        return replace(draft, hidden=hidden, learnt=(*draft.learnt, f"SEAL #{known.id}"))
    if known is None and details.sensitivity is Sensitivity.SECRET and vault is not None:
        new = _new_memory(written.text, details, support, case, draft)
        return drafts.with_added(draft, vault.seal(new, settings.language), f"ADD #{new.id}")
    match revise(Trigger.MENTION, known, case.evidence.at, draft.state.rules):
        case CreateNew():
            return _with_kept_in_it(written, details, support, case, draft)
        # 记住… was kept when the turn was committed; judging the same turn is no second mention.
        case _ if known is None or case.holds_already(known) or not still_holds(known):
            return draft
        case _:
            return own_words.told_again(draft, known, written.text, support)


def _told_and_known(
    text: ParsedText, support: Support, case: Case, draft: Draft
) -> tuple[ParsedText, Memory | None]:
    """Return a text in the name of whoever said it, and what is known already that says so."""
    told = text.rewritten(own_words.with_attribution(text.text, support.speaker, case.evidence))
    return told, own_words.known_now(told, support, draft)


def _with_kept_in_it(
    text: ParsedText, details: MemoryDetails, support: Support, case: Case, draft: Draft
) -> Draft:
    """Return the draft with something new, which takes in what the rules kept of it this turn."""
    kept = [*own_words.kept_within(text.text, support.speaker, case, draft.state)]
    details = details_of_new_version(details, kept[0]) if kept else details
    told = own_words.led_as(text.text, kept, case.evidence)
    new = _new_memory(told, details, support, case, draft)
    draft = own_words.with_taken_in(draft, kept, new) if kept else drafts.with_added(draft, new)
    return with_slots_settled(draft, new.id, support.messages)


def _decide_replace(
    operation: Update | Negate, shown: Memory, case: Case, draft: Draft
) -> Draft | Refusal:
    """Return the draft with a newer version of a memory, or of what it says, in its place."""
    text, held = ParsedText(operation.text), ParsedText(shown.words.text)
    # What an UPDATE words anew may keep what the memory says; a NEGATE says what holds instead.
    standing = held if isinstance(operation, Update) else None
    support = _support_or_refusal(text, operation.details, case, standing)
    if isinstance(support, Refusal):
        return support
    return _with_new_version(operation, shown, support, case, draft)


def _with_new_version(
    operation: Update | Negate, shown: Memory, support: Support, case: Case, draft: Draft
) -> Draft | Refusal:
    """Return the draft with what was said in the place of a memory, or beside it."""
    text, held = ParsedText(operation.text), ParsedText(shown.words.text)
    near = None if is_same_matter(shown, text.text, support.messages, case.doubt) else text
    old = permission.replaceable_memory(shown, held, near, support, case.evidence, draft.state)
    apart = isinstance(operation, Update) and stands_beside(
        shown, text, support.messages, by_rule=case.model == OFFLINE_NAME
    )
    if apart and isinstance(old, Memory):
        old = Refusal(permission.OTHER_MATTER)
    if isinstance(old, Refusal):
        if old.why not in permission.STANDS_APART:
            return old
        refused = draft.with_refusal(f"{name_of(operation)}: {old.why}")
        beside = _with_new(text, operation.details, support, case, refused)
        if apart or old.why != permission.OTHER_MATTER:
            return beside
        return with_doubt(beside, draft, shown.id, support.messages, case.doubt)
    written, known = _told_and_known(text, support, case, draft)
    if known is None and case.is_by_rule(old) and own_words.is_wording_of(operation, held):
        # Another wording of this turn, and no news of it: what it does not tell stays beside it.
        return _with_kept_in_it(written, operation.details, support, case, draft)
    if known is not None:
        if known != old and known.is_living_fact:
            draft, old = with_rest_kept(draft, old, written.text, support.messages)
            draft = drafts.with_known_instead(draft, old, known)
        heard = case.holds_already(known) or not still_holds(known)
        return draft if heard else own_words.told_again(draft, known, written.text, support)
    draft, old = with_rest_kept(draft, old, written.text, support.messages)
    details = details_of_new_version(operation.details, old)
    new = _new_memory(written.text, details, support, case, draft)
    draft = _with_successor(operation, old, new, draft)
    # What the judge did not name may be over as well: she lived in two places by mistake.
    return with_slots_settled(draft, new.id, support.messages)


def _with_successor(operation: Update | Negate, old: Memory, new: Memory, draft: Draft) -> Draft:
    if isinstance(operation, Negate):
        return drafts.with_negation(draft, old, new)
    refines = covers_all(ParsedText(new.words.text), ParsedText(old.words.text))
    strategy = strategy_for(old, new.trace.confidence)
    return drafts.with_replacement(draft, old, new, strategy, refines=refines)


def _decide_boost(shown: Memory, case: Case, draft: Draft) -> Draft | Refusal:
    memory = permission.unchanged_memory(shown, draft.state)
    if isinstance(memory, Refusal):
        return memory
    if not permission.may_choose((memory,), case.evidence, case.doubt):
        return Refusal("not seen to be used")
    if f"BOOST #{memory.id}" in case.learnt:
        return draft
    # A turn may be judged late, after newer ones; no date of a memory moves backwards.
    at = max(case.evidence.at, memory.trace.reinforced_at)
    draft = drafts.with_event(draft, memory.id, Event.BOOST, at, f"BOOST #{memory.id}")
    source = case.brought_by.get(memory.id)
    return draft if source is None else draft.then(*useful_link(source, memory.id, draft.state))


def _decide_delete(shown: Memory, case: Case, draft: Draft) -> Draft | Refusal:
    """Return the draft without a wrong memory: its owner took it back, and all else was sound."""
    if draft.refused:
        return Refusal("the rest of the answer was refused")
    # The words a memory was made from cannot take it back as well; that is what UNSAID is for.
    if case.evidence.turn_id and shown.origin.turn_id == case.evidence.turn_id:
        return Refusal("learnt from this turn")
    held = ParsedText(shown.words.text)
    # In doubt it is not enough to speak of the thing: one clause has to take back just that.
    speaks_of = permission.who_takes_back if case.doubt else who_speaks_of
    denied = who_denies(held, case.evidence)
    speaker = denied or speaks_of(held, case.evidence)
    if speaker is None or not (denied or takes_something_back(case.evidence)):
        return Refusal("not taken back by anyone")
    said = tuple(each.message for each in case.evidence.by(speaker))
    support = Support(speaker=speaker, messages=said)
    memory = permission.replaceable_memory(
        shown, held, None if denied else ParsedText(""), support, case.evidence, draft.state
    )
    if isinstance(memory, Refusal):
        return memory
    return Refusal("pinned") if memory.nature.pinned else drafts.with_deletion(draft, memory)


def _decide_unsaid(shown: Memory, reason: str, case: Case, draft: Draft) -> Draft | Refusal:
    """Return the draft without what the rules took a joke, a role or a quotation for."""
    if draft.refused:
        return Refusal("the rest of the answer was refused")
    memory = permission.unchanged_memory(shown, draft.state)
    if isinstance(memory, Refusal):
        return memory
    # What was asked for outright is never lost to a judgement, nor what another turn told.
    jest = permission.is_taken_back_in_jest(memory, case.evidence)
    if not (jest or case.is_by_rule(memory)):
        return Refusal("not learnt by rule from this turn")
    if memory.nature.pinned or not memory.is_living_fact:
        return Refusal("pinned" if memory.nature.pinned else "gone meanwhile")
    if not jest and not permission.may_be_unmeant(case.evidence, memory, case.doubt):
        return Refusal("not taken back by anyone")
    return drafts.with_unsaid(draft, memory, f"UNSAID #{memory.id} {reason}")


def _decide_merge(shown: Sequence[Memory], text: str, case: Case, draft: Draft) -> Draft | Refusal:
    if not permission.may_choose(shown, case.evidence, case.doubt):
        return Refusal("not spoken of")
    wrong = permission.merge_refusal(shown, text, case.evidence, draft.state)
    if wrong is not None or len(text) > LONGEST:
        return wrong or Refusal("too long")
    # As they are by now: an operation before this one may have changed their numbers.
    memories = [draft.state.memories[memory.id] for memory in shown]
    return drafts.with_merge(draft, memories, text, Source.BACKGROUND)


def _support_or_refusal(
    text: ParsedText, details: MemoryDetails, case: Case, standing: ParsedText | None = None
) -> Support | Refusal:
    """Return who said it, unless nobody did, or it is nothing to be written down."""
    sealed = case.tools.vault is not None and not (standing and standing.text)
    if why := not_to_be_written(text.text, details, sealed=sealed):
        return Refusal(why)
    support = support_for(text, case.evidence, standing)
    if not isinstance(support, Support):
        return Refusal(NOT_SAID, support.word)
    return Refusal(NOT_SAID) if leaves_out_finding(text.text, support.messages) else support


def _new_memory(
    text: str, details: MemoryDetails, support: Support, case: Case, draft: Draft
) -> Memory:
    provenance = Provenance(
        source=Source.BACKGROUND,
        conversation=case.evidence.conversation,
        turn_id=case.evidence.turn_id,
        model=case.model,
    )
    new = new_fact(
        draft.state.next_id, text, support, details, provenance=provenance, state=draft.state
    )
    return as_kept_from(new, draft.now) if case.episodes else new
