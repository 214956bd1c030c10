"""A model finds that somebody asks to be reminded, where no rule did; the gate decides by rule.

Only the finding is the model's. That it is asked for, when it is meant and every word of it have
to stand in one message of the partner, and the time is read from that message by the same rules.
"""

import re
from typing import Final

from memory.changes import Put
from memory.initiative.reminder_forms import matter_beside
from memory.initiative.reminders import new_reminders
from memory.initiative.requests import AskedReminder, ReminderRequest, reminder_request
from memory.judgement.draft import Draft
from memory.judgement.evidence import Evidence
from memory.judgement.permission import Doubt, Refusal
from memory.model import Message
from memory.text.times import TimeSaid, read_time
from memory.text.tokens import tokens
from memory.text.word_forms import SIMPLIFIED

LONGEST: Final = 120
"""So many characters a matter has at most."""

_ASKS: Final = re.compile(
    r"提醒|闹钟|闹铃|(?:叫|喊|催|告诉|通知|提)(?:一?下|一声)?我|(?:叫|喊|催|说|吱)一声|让我忘|我(?:怕|会|老|总)(?:会|是)?忘"
    r"|\b(?:remind|alarm|nudge|poke|ping|buzz|wake|shout|tell me|let me know|don['’]?t let me"
    r"|make sure i|keep me|i(?:['’]ll| will| always)? forget|help me remember)\b",
    re.IGNORECASE,
)
_REFUSES: Final = re.compile(
    r"(?:不用|不要|不必|别|甭)(?:再|你)?(?:提醒|叫我|喊我|催我)|提醒(?:了|过)"
    r"|\b(?:don['’]?t|no need to|stop) remind",
    re.IGNORECASE,
)


def may_ask_for_reminder(evidence: Evidence) -> bool:
    """Whether a message may ask for a reminder that no rule knew, so that a model is asked."""
    if evidence.in_group:
        return False
    return any(_time_asked(each, evidence) is not None for each in evidence.messages)


def _time_asked(message: Message, evidence: Evidence) -> TimeSaid | None:
    """Return the time of a message that may ask to be reminded; None if it does not."""
    plain = message.text.translate(SIMPLIFIED)
    if not _ASKS.search(plain) or _REFUSES.search(plain):
        return None
    if reminder_request(message.text, message.at, evidence.zone) is not None:
        # The rules knew it, and confirmed it or asked back.
        return None
    found = read_time(message.text, message.at, evidence.zone)
    return found if isinstance(found, TimeSaid) else None


def decide_reminder(text: str, evidence: Evidence, doubt: Doubt, draft: Draft) -> Draft | Refusal:
    """Return the draft with the reminder a partner asked for, or why there is none."""
    if evidence.in_group or doubt is not Doubt.NONE:
        return Refusal("in doubt")
    for message in evidence.messages:
        when = _time_asked(message, evidence)
        if when is None or when.at <= draft.now:
            continue
        what = _matter(text, message, evidence)
        known = any(message.id in each.message_ids for each in draft.state.reminders.values())
        if known or not what:
            continue
        asked = AskedReminder(ReminderRequest(what, when), message, (message.id,))
        made = new_reminders(
            [asked],
            draft.state,
            draft.now,
            conversation=evidence.conversation,
            turn_id=evidence.turn_id,
            private=True,
        )
        return draft.then(*map(Put, made))
    return Refusal("not asked for")


def _matter(text: str, message: Message, evidence: Evidence) -> str:
    """Return what to be reminded of; empty if it is not all in the words of the message."""
    spans = read_time(text, message.at, evidence.zone).spans
    what = matter_beside(text, spans)[:LONGEST]
    said = set(tokens(message.text))
    return what if tokens(what) and set(tokens(what)) <= said else ""
