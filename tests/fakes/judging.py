"""A turn, a model's answer, and what the gate makes of it: for tests of judgement."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.changes import AgentInfo, Put, Turn, Used
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import Judgement
from memory.learning import monitor
from memory.model import AgentSettings, Language, Memory, Message
from memory.state import MemoryState
from tests.builders import a_message
from tests.fakes.clock import NOON


def a_turn(
    *said: str,
    quoted: str = "",
    used: Sequence[int] = (),
    reply: str = "好的",
    turn_id: str = "t1",
    at: datetime = NOON,
    speaker: str = "主人",
) -> Turn:
    """Return a finished turn in which ``speaker`` said these messages."""
    messages = tuple(
        replace(
            a_message(f"{turn_id}-{number}", text, at=at, speaker=speaker),
            quoted=quoted if number == 0 else "",
        )
        for number, text in enumerate(said)
    )
    return Turn(
        id=turn_id,
        conversation="c",
        at=at,
        said=messages,
        reply=a_message(f"{turn_id}-r", reply, at=at, speaker="小祥", role="assistant"),
        used=tuple(Used(memory_id=memory_id, score=1.0) for memory_id in used),
    )


def a_state(
    *records: Memory | Turn, language: Language = "zh", partner: str = "主人"
) -> MemoryState:
    """Return a state that holds these records."""
    agent_info = AgentInfo(settings=AgentSettings(language=language, partner=partner))
    state, _ = MemoryState().apply([Put(agent_info), *(Put(record) for record in records)])
    return state


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an answer came to: the state after it, and the judgement itself."""

    state: MemoryState
    judged: Judgement

    @property
    def texts(self) -> list[str]:
        """Return the texts of the active memories, by id."""
        return [m.words.text for _, m in sorted(self.state.memories.items()) if m.is_active]


def answered(
    state: MemoryState,
    turn: Turn,
    answer: str,
    *,
    now: datetime | None = None,
    model: str = "scripted",
) -> Verdict | Unreadable:
    """Return what the background's ``answer`` about ``turn`` makes of ``state``."""
    waiting, _ = state.apply([Put(turn)])
    asked = monitor.turn_question(turn, waiting)
    judged = monitor.judge(asked, answer, waiting, now or turn.at, model=model)
    if isinstance(judged, Unreadable):
        return judged
    after, _ = waiting.apply(judged.changes)
    return Verdict(state=after, judged=judged)


def learnt(state: MemoryState, turn: Turn, answer: str, *, model: str = "scripted") -> Verdict:
    """Return the verdict on an answer that must be readable."""
    verdict = answered(state, turn, answer, model=model)
    assert isinstance(verdict, Verdict), verdict
    return verdict


def messages_of(*texts: str, speaker: str = "主人") -> list[Message]:
    """Return messages of one speaker."""
    return [a_message(str(n), text, speaker=speaker) for n, text in enumerate(texts, start=1)]
