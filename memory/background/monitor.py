"""KnowledgeMonitor, the background 小祥: after every turn, what it means for memory (003)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memory.background.evidence import Evidence
from memory.background.gate import Case, admit
from memory.background.grammar import Unreadable
from memory.background.judged import Judged
from memory.background.material import lines, people_in, shown, under_handles, zone_of
from memory.background.operations import parse_operations
from memory.background.quoting import own
from memory.changes import Turn
from memory.model import Memory, Message
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from prompts import Monitor

_ADDRESSES_A_MODEL: Final = re.compile(
    r"\bm[1-9][0-9]{0,3}\b|\b(?:ADD|UPDATE|BOOST|DELETE|NEGATE|MERGE)\b|指令|提示词"
    r"|system prompt|\bignore\b|\binstructions?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTurn:
    """One turn put before the model, and what its answer has to be judged by."""

    prompt: Monitor
    turn_id: str
    evidence: Evidence
    shown: Mapping[str, Memory]
    tainted: bool


def ask(turn: Turn, state: MemoryState) -> AskedTurn:
    """Return what to ask about ``turn``: who said what and when, and what was recalled for it.

    ``now`` in the prompt is when the turn took place, however late it is judged, so that
    "tomorrow" means the day it meant.
    """
    settings = state.household.settings
    zone = zone_of(settings)
    evidence = evidence_of(turn, state)
    recalled = (state.memories.get(used.memory_id) for used in turn.used)
    handles = under_handles(memory for memory in recalled if memory is not None)
    prompt = Monitor(
        language=settings.language,
        partner=settings.partner,
        now=turn.at.astimezone(zone),
        turn=lines((*turn.said, turn.reply), zone),
        memories=shown(handles, zone),
    )
    return AskedTurn(
        prompt=prompt,
        turn_id=turn.id,
        evidence=evidence,
        shown=handles,
        tainted=is_tainted(evidence.said, turn.reply, handles.values()),
    )


def judge(
    asked: AskedTurn,
    answer: str,
    state: MemoryState,
    now: datetime,
    *,
    model: str = "",
    index: NetworkIndex | None = None,
) -> Judged | Unreadable:
    """Return what the answer changes in ``state``, as it is by now.

    Of a turn that was erased meanwhile nothing is learnt.
    """
    if asked.turn_id not in state.turns:
        return Judged(refused=("turn gone",))
    operations = parse_operations(answer)
    if isinstance(operations, Unreadable):
        return operations
    case = Case(evidence=asked.evidence, shown=asked.shown, model=model, tainted=asked.tainted)
    return admit(operations, case, state, now, index=index)


def evidence_of(turn: Turn, state: MemoryState) -> Evidence:
    """Return what people said in a turn; 小祥's own words are evidence for nothing."""
    settings = state.household.settings
    return Evidence(
        turn_id=turn.id,
        conversation=turn.conversation,
        at=turn.at,
        zone=zone_of(settings),
        partner=settings.partner,
        said=tuple(own(message) for message in turn.said if message.role == "user"),
        others=people_in(turn.conversation, state, turn.said),
    )


def is_tainted(said: Iterable[Message], reply: Message | None, known: Iterable[Memory]) -> bool:
    """Tell whether the prompt holds matter that may have spoken to the model.

    Something quoted or forwarded, or words that name an operation or a handle, wherever they are.
    """
    messages = [*said, *([reply] if reply else [])]
    written = [*(text for m in messages for text in (m.text, m.speaker))]
    written += [memory.words.text for memory in known]
    return any(message.quoted for message in messages) or any(
        _ADDRESSES_A_MODEL.search(text) for text in written
    )
