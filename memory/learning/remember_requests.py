"""记住…: what the partner asks outright to be remembered, word for word and without any model.

It works while no model can be reached, and what was asked outright is never lost to a judgement.
What somebody asks to be kept and must be sealed is taken out of the talk as a whole; of anything
else only the secret values are masked, in every message of the talk (docs/decisions/secrets.md).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from memory.changes import Change, Turn
from memory.judgement import own_words
from memory.judgement.assertions import ParsedText
from memory.judgement.draft import (
    NO_TOOLS,
    AgentTools,
    Draft,
    Judgement,
    with_added,
    with_links_and_undo,
    with_mention,
)
from memory.judgement.evidence import Support
from memory.judgement.new_facts import Provenance, birth_of, new_fact
from memory.judgement.operations import MemoryDetails
from memory.judgement.own_words import told_by, told_by_whoever_said_it
from memory.judgement.slots import with_slots_settled
from memory.learning.reviewer import keeping_answered
from memory.model import Kind, Memory, Message, Source
from memory.offline.utterances import asks_to_keep_what_is_shown, requested_lines
from memory.privacy.redaction import (
    REDACTED,
    is_secret,
    longest_first,
    masked,
    recognizable,
    redacted,
    without_places,
    without_unkept,
)
from memory.privacy.sealing import known_secret_redactions
from memory.privacy.shapes import Place
from memory.privacy.talk import places_in, places_in_talk
from memory.privacy.vault import Vault
from memory.state import MemoryState
from memory.text.passed_on import own_words_of

_KINDS: Final = {
    Kind.IDENTITY: re.compile(
        r"我(?:叫|的名字|姓|的?生日|是.{1,8}人)|\bmy (?:name|birthday)\b", re.IGNORECASE
    ),
    Kind.LASTING_PREFERENCE: re.compile(
        r"喜欢|讨厌|最爱|不吃|爱吃|\b(?:like|love|hate|prefer|favou?rite)\b", re.IGNORECASE
    ),
}


@dataclass(frozen=True, slots=True)
class RememberRequest:
    """One thing somebody asked to be remembered: its exact words, and the message.

    Asked by the partner alone it is ``verified``. ``secret`` if the talk around it says so; its
    words may say so as well. What was ``shown`` is told as the words of whoever said it.
    """

    text: str
    message: Message
    verified: bool = True
    secret: bool = False
    shown: bool = False

    def in_group(self, name: str) -> "RememberRequest":
        """Return what was asked where several people talk, as told by ``name``.

        It proves nothing about anybody, and never says who somebody is.
        """
        text = told_by(name, self.text) if name and not self.shown else self.text
        return replace(self, text=text, verified=False)


def explicit_requests(
    said: Sequence[Message], before: Sequence[Message] = ()
) -> tuple[RememberRequest, ...]:
    """Return what people asked outright to be remembered, in their own words only.

    ``before`` are the lines of the conversation before ``said``. A question (你记住了吗), a memory
    shared (remember when we…) and what was quoted ask nothing.
    """
    # Whose words they are is dearer to tell, and asked only where there may be a request at all.
    if not any(KEEPS.search(each.text) for each in said):
        return ()
    found: list[RememberRequest] = []
    # In their own words only: a forwarded "remember that …" must not write into memory.
    for message, own in zip(said, own_words_of(said, before), strict=True):
        if message.role != "user":
            continue
        found += [RememberRequest(what, message) for what in requested_lines(own.text)]
        if message.quoted and asks_to_keep_what_is_shown(own.text):
            words = told_by_whoever_said_it(message, before)
            found.append(RememberRequest(words, message, verified=False, shown=True))
    return tuple(found)


KEEPS: Final = re.compile(
    r"[存记記写寫刻印放收录錄加装裝塞搁擱揣登备備忘留注註心库庫彔]|re?me?m?be?r|memori|later|forget|now|slip|go"
    r"|h[oa](?:ld|ng)|fyi|mind|note|save|store|keep|file|log|record|put|jot|write|tuck|stash|lock|pop"
    r"|stick|add|commit|burn|etch|bank|scribble|pin|retain|register|enter|stow|squirrel|pencil|get"
    r"|take|reference|mark",
    re.IGNORECASE,
)
"""What no request is without (memory.text.requests)."""


def redacted_messages(
    messages: Sequence[Message], known: Iterable[str] = (), *, before: Sequence[Message] = ()
) -> tuple[Message, ...]:
    """Return the messages of one talk with every secret value masked in all of them.

    So is what is ``known`` to be secret already. ``before`` is what was said just before: an
    answer is a secret because of what was asked. Anything else comes back as it is; doing it twice
    changes nothing more.
    """
    messages = without_unkept(messages, before)
    near = before[-LINES_BEFORE:]
    places = places_in_talk((*near, *messages))
    earlier = [
        value
        for message, found in zip(near, places, strict=False)
        for value in recognizable(message.text, found)
    ]
    read = [
        _without_secrets(message, found)
        for message, found in zip(messages, places[len(near) :], strict=True)
    ]
    # Whoever is told a password may repeat it without the word that gave it away, so a value
    # found in one message is looked for in all of them.
    values = longest_first([*known, *earlier, *(value for _, found in read for value in found)])
    return tuple(
        replace(
            message,
            text=redacted(message.text, values),
            quoted=redacted(message.quoted, values),
        )
        for message, _ in read
    )


LINES_BEFORE: Final = 6
"""How many lines before a talk may tell what it answers."""


def redacted_window(
    window: Sequence[Message], messages: Sequence[Message]
) -> tuple[tuple[Message, ...], Mapping[str, tuple[str, ...]]]:
    """Return the lines before ``messages`` without what these show to be secret, and that by id.

    The lines were kept without what was secret in them by itself.
    """
    far, near = window[:-LINES_BEFORE], window[-LINES_BEFORE:]
    places = places_in_talk((*near, *messages))[: len(near)]
    lines = (*far, *map(_line_without, near, places))
    found = {
        line.id: tuple(line.text[a:b] for a, b in told)
        for line, told in zip(near, places, strict=True)
        if told
    }
    return lines, found


def _line_without(line: Message, places: Sequence[Place]) -> Message:
    return replace(line, text=without_places(line.text, places)) if places else line


def asks_to_keep_a_secret(said: Sequence[Message], before: Sequence[Message]) -> bool:
    """Tell whether anybody asks outright for something to be kept that must be sealed."""
    return any(request.secret for request in requests_in_talk(said, before))


def requests_in_talk(
    said: Sequence[Message], before: Sequence[Message]
) -> tuple[RememberRequest, ...]:
    """Return what people ask to be remembered, with what the talk ``before`` says is secret."""
    requests = explicit_requests(said, before)
    if not requests:
        return ()
    places = places_in_talk((*before[-LINES_BEFORE:], *said))[-len(said) :]
    told = {
        message.id: tuple(message.text[a:b] for a, b in found)
        for message, found in zip(said, places, strict=True)
    }
    return tuple(
        replace(
            request,
            secret=is_secret(request.text)
            or any(value in request.text for value in told[request.message.id]),
        )
        for request in requests
    )


def redacted_text(text: str) -> str:
    """Return something somebody said without what is secret in it."""
    # Masking reads neither the time nor the speaker, so any will do.
    at = datetime.fromtimestamp(0, UTC)
    (message,) = redacted_messages([Message(id="-", at=at, speaker="", role="user", text=text)])
    return message.text


def redacted_turn(turn: Turn, known: Iterable[str], *, before: Sequence[Message]) -> Turn:
    """Return a turn without what is secret in it, in what was said and in the reply."""
    messages = redacted_messages(turn.messages, known, before=before)
    number = len(turn.said)
    return replace(turn, said=messages[:number], reply=next(iter(messages[number:]), None))


def _without_secrets(message: Message, places: Sequence[Place]) -> tuple[Message, list[str]]:
    """Return a message without the secrets that show in it, and these."""
    quoted = places_in(message.quoted) if message.quoted else ()
    if not places and not quoted:
        return message, []
    values = [*recognizable(message.text, places), *recognizable(message.quoted, quoted)]
    shown = tuple(message.text[a:b] for a, b in places)
    requests = explicit_requests([message])
    asked = [each.text for each in requests if any(value in each.text for value in shown)]
    text = message.text
    if asked:
        text = masked(_without_requests(text, asked))
        # What the talk alone tells to be secret may stand beside the request.
        text = redacted(text, longest_first(recognizable(message.text, places)))
    else:
        text = without_places(text, places)
    cut = replace(message, text=text, quoted=without_places(message.quoted, quoted))
    return cut, [*asked, *values]


def _without_requests(text: str, asked: Iterable[str]) -> str:
    for request in asked:
        if request not in text:
            # The request was read across a quotation that was cut out: nothing to replace exactly.
            return REDACTED
        text = text.replace(request, REDACTED)
    return text


def plan_requests(
    turn: Turn,
    before: Sequence[Message],
    state: MemoryState,
    now: datetime,
    *,
    tools: AgentTools = NO_TOOLS,
) -> Judgement:
    """Return what keeps all that a turn asks to be remembered, after the lines ``before`` it."""
    learning = state.agent_info.settings.learning
    requests = requests_in_talk(turn.said, before) if learning else ()
    if not turn.private:
        requests = tuple(each.in_group(each.message.speaker) for each in requests)
    if not requests:
        return keeping_answered(turn, before, state, now) if learning else Judgement()
    return plan_explicit_memories(
        requests,
        state,
        now,
        conversation=turn.conversation,
        turn_id=turn.id,
        # In a group nothing is sealed: everybody there has read it.
        tools=tools if turn.private else replace(tools, vault=None),
    )


def plan_explicit_memories(
    requests: Sequence[RememberRequest],
    state: MemoryState,
    now: datetime,
    *,
    conversation: str = "",
    turn_id: str = "",
    tools: AgentTools = NO_TOOLS,
) -> Judgement:
    """Return the changes that keep each request word for word: importance 1.5, 168 h, verified.

    The same words again are a mention. What must be sealed goes into the vault of ``tools``;
    without one that can seal, it is refused: it is never kept in the clear. Where more people
    than the partner hear it, the caller gives no vault.
    """
    vault = tools.vault
    draft = Draft(state=state, now=now, tools=tools)
    provenance = Provenance(
        source=Source.USER, conversation=conversation, turn_id=turn_id, verified=True
    )
    for request in requests:
        if not request.secret and not is_secret(request.text):
            draft = _with_request(draft, request, provenance)
        elif vault is not None and vault.can_seal:
            draft = _with_sealed_request(draft, request, provenance, vault)
        else:
            draft = draft.with_refusal("REMEMBER: secret")
    done = with_links_and_undo(draft, state, "remember")
    return done.judgement(*_redactions(done, state, vault))


def _with_request(draft: Draft, request: RememberRequest, provenance: Provenance) -> Draft:
    support = _support_of(request)
    said = support.messages
    text = ParsedText(request.text)
    new = _explicit_memory(request, provenance, draft.state)
    known = own_words.known_as_asked(text, support, new, draft)
    if known is not None:
        return own_words.asked_again(draft, known, new, support)
    return with_slots_settled(with_added(draft, new, f"REMEMBER #{new.id}"), new.id, said)


def _with_sealed_request(
    draft: Draft, request: RememberRequest, provenance: Provenance, vault: Vault
) -> Draft:
    """Return the draft with a secret in it that only the vault can open."""
    new = _explicit_memory(request, provenance, draft.state)
    # The quote of a new fact is masked; sealed with the memory it may stand whole.
    new = replace(new, origin=replace(new.origin, quote=request.message.text))
    # Sealed texts are in no index: to find the same secret again, each has to be opened.
    for memory in draft.state.memories.values():
        if memory.sealed is None or not memory.is_active:
            continue
        plain = vault.open(memory)
        if isinstance(plain, Memory) and plain.words.text == new.words.text:
            return with_mention(draft, memory, _support_of(request))
    language = draft.state.agent_info.settings.language
    return with_added(draft, vault.seal(new, language), f"REMEMBER #{new.id}")


def _redactions(done: Draft, before: MemoryState, vault: Vault | None) -> Iterator[Change]:
    """Yield what held a new secret before it was sealed, without it; no undo brings it back."""
    if any(done.state.memories[each].sealed for each in done.new):
        after, _ = before.apply(done.changes)
        yield from known_secret_redactions(after, done.now, vault)


def _support_of(request: RememberRequest) -> Support:
    return Support(speaker=request.message.speaker, messages=(request.message,))


def _explicit_memory(
    request: RememberRequest, provenance: Provenance, state: MemoryState
) -> Memory:
    """Return the new memory, as firm as what was told explicitly starts out.

    See source document 003, and source document 000 §4.2.
    """
    new = new_fact(
        state.next_id,
        request.text,
        _support_of(request),
        MemoryDetails(kind=_kind_of(request.text) if request.verified else Kind.FACT),
        provenance=replace(provenance, verified=request.verified),
        state=state,
    )
    settings = state.agent_info.settings
    birth = birth_of((new.words.text,), new.trace.created_at, settings, explicit=True)
    trace = state.rules.new_trace(birth, confidence=new.trace.confidence)
    return replace(new, trace=trace)


def _kind_of(text: str) -> Kind:
    """Return the kind the words themselves tell; a plain fact if they tell nothing."""
    for kind, words in _KINDS.items():
        if words.search(text):
            return kind
    return Kind.FACT
