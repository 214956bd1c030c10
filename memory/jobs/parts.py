"""What one agent is given by whoever opens it: its clock, its models, its keys.

Opening an agent, its background worker, the work runner and the compression slices all need the
same few things. They are one frozen value, so that a new one is named in a single place.
"""

from dataclasses import dataclass, field
from random import Random

from memory.laws.registry import Laws
from memory.learning.outcomes import OnLearnt, ignore_learnt
from memory.offline import OfflineModel
from memory.ports import Clock, Embedder, LanguageModel
from memory.privacy.vault import Vault
from memory.writer import Fairness


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentParts:
    """Everything an agent works with besides its store.

    ``model`` None means that none is configured: the background judges by rule. Without an
    ``embedder`` search goes by words alone, without a ``vault`` nothing is sealed. Agents of one
    process share their ``fairness``. ``on_learnt`` is called with what a turn taught the agent.
    ``laws`` are those the agent may live by.
    """

    clock: Clock
    model: LanguageModel | None = None
    embedder: Embedder | None = None
    vault: Vault | None = None
    fairness: Fairness = field(default_factory=Fairness)
    # Draws which memories are compared when a fixed capacity makes room; it guards nothing, so
    # an unseeded generator is enough. Tests give a seeded one.
    random: Random = field(default_factory=Random)
    on_learnt: OnLearnt = ignore_learnt
    laws: Laws = field(default=Laws())

    @property
    def working_model(self) -> LanguageModel:
        """Return the model that does the background work: the configured one, else the rules."""
        return self.model or OfflineModel()
