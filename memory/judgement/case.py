"""What one answer of a judge is judged by."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.judgement.draft import NO_TOOLS, AgentTools
from memory.judgement.evidence import Evidence
from memory.judgement.old_talk import TalkSince
from memory.judgement.operations import CAPS
from memory.judgement.permission import Doubt
from memory.model import Memory, Source
from memory.offline import OFFLINE_NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What one answer is judged by: what was said, what was shown, which model answered.

    ``shown`` maps each handle of the prompt to the memory as it stood when it was shown.
    ``doubt`` says how far the prompt held matter that could speak to the model. ``episodes`` are
    given when old talk is judged once more: in which episode each message stands. What memory
    holds already is then no new mention, and what it lacked is kept from now on, unless what was
    said ``since`` ended it. ``brought_by``
    names for each memory that association brought the one that brought it. ``learnt`` is what this
    turn taught already (``BOOST #3``): saying so again is no second event. With a vault in
    ``tools`` what the model takes for a secret is sealed, without one it is refused.
    """

    evidence: Evidence
    shown: Mapping[str, Memory]
    model: str = ""
    label: str = "monitor"
    doubt: Doubt = Doubt.NONE
    allowed: frozenset[type] = frozenset(CAPS)
    episodes: Mapping[str, int] = field(default_factory=dict)
    brought_by: Mapping[int, int] = field(default_factory=dict)
    learnt: tuple[str, ...] = ()
    tools: AgentTools = NO_TOOLS
    since: TalkSince = field(default_factory=TalkSince)

    def holds_already(self, known: Memory) -> bool:
        """Tell whether it is known from these very words, so that saying it is no new mention."""
        heard = f"MENTION #{known.id}" in self.learnt
        return bool(self.episodes) or heard or known.origin.turn_id == self.evidence.turn_id != ""

    def is_by_rule(self, memory: Memory) -> bool:
        """Tell whether the rules learnt it from this very turn, and nobody asked for it."""
        origin, by_rule = memory.origin, (OFFLINE_NAME, Source.BACKGROUND, self.evidence.turn_id)
        return bool(by_rule[-1]) and (origin.model, origin.source, origin.turn_id) == by_rule
