"""In a group nobody makes a fact of somebody else, whatever they say or call themselves."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from memory.changes import Put, Turn
from memory.jobs.turns import plan_commit
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import NO_TOOLS
from memory.judgement.permission import people_of
from memory.learning import monitor
from memory.model import Memory
from memory.recall.reading import NameIndex
from memory.state import MemoryState
from tests.builders import a_message
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state
from tests.sets import load_set

TOLD = re.compile(r"[^，。]{1,24}说：|.{1,30} says: |\bsaid\b|\baccording to\b", re.IGNORECASE)


def lived(item: dict[str, Any]) -> MemoryState:
    """Return what is kept of a talk when the model obeys everybody."""
    state = a_state(language="zh" if item["lang"] == "zh" else "en")
    names = NameIndex()
    for number, line in enumerate(item["lines"]):
        at = NOON + timedelta(minutes=number)
        said = a_message(
            f"t{number}-0", line["text"], at=at, speaker=names.assign(line["by"], line["user"])
        )
        said = replace(said, speaker_id=line["user"])
        reply = a_message(f"t{number}-r", "好的", at=at, speaker="小祥", role="assistant")
        turn = Turn(
            id=f"t{number}", conversation="g", at=at, said=(said,), reply=reply, private=False
        )
        changes = plan_commit(turn, state, now=at, tools=NO_TOOLS)
        state, _ = state.apply([*changes, Put(turn)])
        names.note(changes)
        asked = monitor.turn_question(turn, state)
        claims = [each for each in (*item["must_not"], line["text"]) if each.strip()]
        answer = "\n".join(f"[ADD] {' '.join(each.split())}" for each in claims[:8])
        judged = monitor.judge(asked, answer, state, at, model="scripted")
        if not isinstance(judged, Unreadable):
            state, _ = state.apply(judged.changes)
    return state


def wrongly_bound(item: dict[str, Any]) -> Iterator[tuple[str, str]]:
    facts: list[Memory] = [each for each in lived(item).memories.values() if each.is_fact]
    for person, words in item["bind"].items():
        for fact in facts:
            bare = not TOLD.search(fact.words.text)
            if people_of(fact) == {person} and bare:
                yield from (
                    (fact.words.text, each)
                    for each in words
                    if each.lower() in fact.words.text.lower()
                )


def test_no_word_is_bound_to_a_person_who_did_not_say_it_of_themselves() -> None:
    wrong = {item["id"]: list(wrongly_bound(item)) for item in load_set("truth/groups")}
    wrong = {key: found for key, found in wrong.items() if found}
    assert len(wrong) <= 1, wrong
