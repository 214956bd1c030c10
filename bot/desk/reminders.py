"""``/reminders``: what she will remind of, listed, changed, put off and ended; and its wording."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.conversation.messages import CHINESE_NAMES
from bot.desk import answers, parser
from bot.desk.command import Argument, Call, Example, Policy, Spec
from bot.desk.documents import Block, Button, Buttons, Document, Table, Text
from bot.texts import Sentence, desk, say
from bot.texts import reminders as texts
from memory.initiative.reminders import (
    DueReminder,
    next_at,
    of_token,
    plan_ended,
    plan_moved,
    plan_reminders,
    plan_reopened,
    plan_snoozed,
    plan_zone,
)
from memory.initiative.requests import AskedReminder, ReminderRequest, matter_beside
from memory.model import Language, Message
from memory.reminder import Reminder
from memory.text.times import Missing, TimeDoubt, TimeSaid, read_time

_VERBS: Final = {
    "end": ("结束", "取消", "删除", "删掉", "停", "stop", "cancel", "delete", "remove"),
    "done": ("办好了", "完成", "好了", "做完了", "ok"),
    "later": ("推迟", "过会儿", "稍后", "snooze", "晚点"),
    "tomorrow": ("明天再说",),
    "change": ("改", "改到", "修改", "move", "edit", "set"),
    "undo": ("撤销",),
    "again": ("恢复", "重新", "restore", "reopen"),
    "zone": ("时区",),
    "list": ("列表", "全部", "all", "ls"),
}
_VERB_OF: Final = {word: verb for verb, words in _VERBS.items() for word in (verb, *words)}
_NUMBER: Final = re.compile(r"#?(?P<id>[0-9]{1,9})(?![0-9点:：月号日])(?P<rest>.*)", re.DOTALL)
_TOKEN: Final = re.compile(r"t[0-9a-f]{8}")

LATER: Final = timedelta(minutes=30)
"""How much later "later" is, where no time is named."""

_SHOWN: Final = 60
_NEAR: Final = {0: "today", 1: "tomorrow", 2: "after"}
_WORKDAYS: Final = "MO,TU,WE,TH,FR"


async def reminders(call: Call) -> Document:
    """Carry out ``/reminders``: list them, or do what the first word says."""
    words = call.given.text("what").strip()
    first, _, rest = words.partition(" ")
    verb = _VERB_OF.get(first.lower())
    if verb is None or re.match("(?i)tomorrow (?!#?[0-9])", words):
        found = next((w for w in sorted(_VERB_OF, key=len, reverse=True) if _begins(words, w)), "")
        verb, rest = (_VERB_OF[found], words[len(found) :]) if found else (None, words)
    if not words or verb == "list":
        return _listed(call)
    if verb is None:
        return await _asked_here(call, words)
    return await _with_verb(call, verb, rest.strip())


async def _with_verb(call: Call, verb: str, rest: str) -> Document:
    if verb == "zone":
        return await _by_this_zone(call)
    chosen, when = _chosen(call, rest)
    match verb:
        case "end" | "undo":
            return await _end(call, chosen)
        case "done" | "again":
            return await _done_or_again(call, chosen, done=verb == "done")
        case "change":
            return await _change(call, chosen, when)
        case _:
            return await _put_off(call, chosen, when, tomorrow=verb == "tomorrow")


def _begins(words: str, verb: str) -> bool:
    """Whether words begin with a Chinese verb that no space follows: 结束3."""
    return not verb.isascii() and bool(re.match(rf"{verb}\s*#?[0-9]", words))


def _own(call: Call) -> list[Reminder]:
    """Return the open reminders the caller may see, the next first."""
    mine = [e for e in call.state.reminders.values() if e.is_open and _may_see(call, e)]
    far = datetime.max.replace(tzinfo=call.now.tzinfo)
    return sorted(mine, key=lambda each: (next_at(each) or far, each.id))


def _may_see(call: Call, reminder: Reminder) -> bool:
    # A group sees what was asked there; whose it is, the list says.
    return call.private or not reminder.private


def _listed(call: Call) -> Document:
    own = _own(call)
    if not own:
        return answers.one_sentence(call, texts.NONE)
    shown, further = answers.page_of(call, own, "/reminders list")
    rows = tuple(
        (
            f"#{each.id}",
            moment_text(next_at(each) or each.first_at, call.language, _now(call)),
            answers.brief(matter_text(each, call.language, named=not call.private), _SHOWN),
            rule_text(each.rule, call.language) if each.rule else "",
        )
        for each in shown
    )
    columns = tuple(map(call.say, (desk.ID, texts.NEXT, texts.MATTER, texts.RULE)))
    table = Table(("id", "next", "text", "rule"), columns, rows, name="reminders")
    blocks: list[Block] = [Text(call.say(texts.TITLE), title=True), table, *further]
    blocks += [Text(call.say(texts.HOW, one=shown[0].id)), *_zone_question(call, own)]
    return Document(tuple(blocks))


def _zone_question(call: Call, own: Sequence[Reminder]) -> tuple[Block, ...]:
    """Return the question whether reminders move along with the partner; nothing if all do."""
    apart = [each for each in own if each.zone != call.settings.time_zone]
    if not apart:
        return ()
    asked = call.say(
        texts.ANOTHER_ZONE,
        count=len(apart),
        former=apart[0].zone,
        zone=call.settings.time_zone,
    )
    return Text(asked), Buttons((Button(call.say(texts.MOVE_ZONE), "/reminders zone"),))


async def _by_this_zone(call: Call) -> Document:
    zone = call.settings.time_zone
    count = sum(each.zone != zone for each in _own(call))
    await call.writer.steer(lambda state, _: plan_zone(state, zone, call.now))
    return answers.with_undo_button(call, call.say(texts.ZONE_MOVED, count=count, zone=zone))


async def _asked_here(call: Call, words: str) -> Document:
    """Keep a reminder that was given as a command: /提醒 明天八点 交房租."""
    when = read_time(words, call.now, call.zone)
    what = matter_beside(words, when.spans)
    if isinstance(when, TimeDoubt):
        if not when.spans:
            raise call.refusal(texts.NOT_READ, when=answers.brief(words, _SHOWN))
        return Document((Text(asked_back_text(when.missing, what, call.language)),))
    message = Message(
        id=call.caller.message or f"desk:{call.now.isoformat()}",
        at=call.now,
        speaker=call.caller.name or call.settings.partner,
        role="user",
        text=words,
        speaker_id="" if call.private else call.caller.person,
    )
    asked = AskedReminder(ReminderRequest(what, when), message, (message.id,))
    place = call.conversation
    await call.writer.steer(
        lambda state, _: plan_reminders(
            (asked,), state, call.now, conversation=place, turn_id="", private=call.private
        )
    )
    line = kept_text(when.at, when.rule, what, call.language, _now(call))
    return answers.with_undo_button(call, line)


def _chosen(call: Call, words: str) -> tuple[tuple[Reminder, ...], str]:
    """Return the reminders that are meant, and the words behind their number.

    Raises :class:`~bot.desk.command.CommandRefused` where there is none, or it is another's.
    """
    state = call.state
    token = _TOKEN.match(words)
    if token:
        ids, rest = of_token(state, token[0]), words[token.end() :]
    elif found := _NUMBER.fullmatch(words):
        ids, rest = (int(found["id"]),), found["rest"]
    else:
        own = _own(call)
        if len(own) != 1:
            raise call.refusal(texts.WHICH_ONE)
        ids, rest = (own[0].id,), words
    known = tuple(state.reminders[key] for key in ids if key in state.reminders)
    if not known or not all(_may_see(call, each) for each in known):
        which = str(ids[0]) if ids and not token else "?"
        raise call.refusal(texts.NOT_THERE, which=which)
    if call.only_words_of and any(e.speaker_id != call.only_words_of for e in known):
        raise call.refusal(texts.NOT_YOURS)
    return known, rest.strip()


async def _end(call: Call, chosen: Sequence[Reminder]) -> Document:
    ids = [each.id for each in chosen]
    await call.writer.steer(lambda state, _: plan_ended(state, ids, "stopped", call.now))
    what = "；".join(matter_text(each, call.language) for each in chosen)
    told = texts.ENDED if any(each.is_open for each in chosen) else texts.ENDED_BEFORE
    return answers.with_undo_button(call, call.say(told, what=what))


async def _done_or_again(call: Call, chosen: Sequence[Reminder], *, done: bool) -> Document:
    """Take this time as done, or let what ended come again; say what comes next."""
    ids = [each.id for each in chosen]
    await call.writer.steer(
        lambda state, _: (
            plan_ended(state, ids, "done", call.now)
            if done
            else plan_reopened(state, ids, call.now)
        )
    )
    one = call.writer.state.reminders.get(chosen[0].id, chosen[0])
    coming, what = next_at(one), matter_text(one, call.language)
    if coming is None:
        return answers.one_sentence(call, texts.IS_DONE if done else texts.IS_OVER, what=what)
    when = moment_text(coming, call.language, _now(call))
    sentence = texts.DONE_AND_NEXT if done else texts.MOVED
    return answers.one_sentence(call, sentence, what=what, when=when)


async def _put_off(
    call: Call, chosen: Sequence[Reminder], words: str, *, tomorrow: bool
) -> Document:
    """Let a reminder come once more: at a time that is named, in half an hour, or tomorrow."""
    one = chosen[0]
    until = call.now + LATER
    if words:
        until = _time_in(call, words).at
    elif tomorrow:
        # The same hour of the clock, also over a change of the clocks.
        wall = (one.rung_at or one.first_at).astimezone(call.zone)
        day = call.now.astimezone(call.zone).date() + timedelta(days=1)
        until = datetime.combine(day, wall.time(), call.zone)
    await call.writer.steer(lambda state, _: plan_snoozed(state, one.id, until, call.now))
    return _moved(call, one, until)


async def _change(call: Call, chosen: Sequence[Reminder], words: str) -> Document:
    if not words:
        raise call.refusal(texts.NOT_READ, when="")
    one, when = chosen[0], _time_in(call, words)
    await call.writer.steer(lambda state, _: plan_moved(state, one.id, when, call.now))
    return _moved(call, one, when.at, when.rule)


def _time_in(call: Call, words: str) -> TimeSaid:
    """Return the time that words mean; raises CommandRefused where it is not clear."""
    when = read_time(words, call.now, call.zone)
    if isinstance(when, TimeDoubt):
        raise call.refusal(texts.NOT_READ, when=answers.brief(words, _SHOWN))
    return when


def _moved(call: Call, one: Reminder, at: datetime, rule: str = "") -> Document:
    when = time_text(at, rule, call.language, _now(call))
    line = call.say(texts.MOVED, when=when, what=matter_text(one, call.language))
    return answers.with_undo_button(call, line)


def _now(call: Call) -> datetime:
    return call.now.astimezone(call.zone)


def matter_text(reminder: Reminder, language: Language, *, named: bool = False) -> str:
    """Return what a reminder is about, with who asked for it if ``named``."""
    what = reminder.text or say(language, texts.WITHOUT_MATTER)
    return f"{reminder.speaker}: {what}" if named and reminder.speaker else what


SPEC: Final = Spec(
    name="reminders",
    parent="",
    chinese=CHINESE_NAMES["reminders"],
    policy=Policy.ANSWER,
    help=texts.REMINDERS,
    run=reminders,
    arguments=(Argument(name="what", shown=texts.A_REQUEST, kind="words", required=False),),
    options=(parser.PAGE, parser.LIMIT),
    examples=(
        Example("/提醒", "/reminders"),
        Example("/提醒 推迟 3 明天早上九点", "/reminders later 3 tomorrow at 9 am"),
        Example("/提醒 结束 3", "/reminders end 3"),
    ),
)
"""The declaration of ``/reminders``."""


def kept_text(at: datetime, rule: str, what: str, language: Language, now: datetime) -> str:
    """Return what is said of a reminder that was kept: exactly when, and of what."""
    when = time_text(at, rule, language, now)
    return say(language, texts.KEPT, when=when, what=what or say(language, texts.WITHOUT_MATTER))


def asked_back_text(missing: Missing, what: str, language: Language) -> str:
    """Return the question for what is missing of a time."""
    return say(language, texts.ASK[missing], what=what or say(language, texts.REMIND_OF))


def ringing_text(due: DueReminder, language: Language, now: datetime) -> str:
    """Return what a due reminder says; a late one says so, and how many it stands for."""
    one = due.reminder
    what = one.text or say(language, texts.NOTHING_NAMED)
    if one.private or not one.speaker:
        line = say(language, texts.RINGS, what=what)
    else:
        line = say(language, texts.RINGS_FOR, name=one.speaker, what=what)
    if not due.is_late(now):
        return line
    when = moment_text(due.at, language, now.astimezone(ZoneInfo(one.zone)))
    if due.missed:
        return f"{line}\n{say(language, texts.WAS_MISSED, when=when, count=due.missed + 1)}"
    return f"{line}\n{say(language, texts.WAS_LATE, when=when)}"


def time_text(at: datetime, rule: str, language: Language, now: datetime) -> str:
    """Return a time in words: one instant, or a rule with its first one."""
    first = moment_text(at, language, now)
    if not rule:
        return first
    return say(language, texts.KEPT_FIRST, rule=rule_text(rule, language), when=first)


def moment_text(at: datetime, language: Language, now: datetime) -> str:
    """Return an instant as a clock on the wall of ``now`` shows it, with day and weekday."""
    local = at.astimezone(now.tzinfo)
    names = list(texts.WEEKDAYS.values())
    weekday = say(language, names[local.weekday()])
    near = _NEAR.get((local.date() - now.date()).days)
    hour = f"{local:%H:%M}"
    day = f"{local:%Y-%m-%d}"
    if near is None:
        return f"{day}（{weekday}）{hour}" if language == "zh" else f"{weekday} {day} at {hour}"
    named = say(language, texts.NEAR_DAYS[near])
    if language == "zh":
        return f"{named}（{day} {weekday}）{hour}"
    return f"{named} ({weekday} {day}) at {hour}"


def rule_text(rule: str, language: Language) -> str:
    """Return a rule in words: 每周（周一、周三）08:00."""
    return " · ".join(_one_rule_text(each, language) for each in rule.split("|"))


def _one_rule_text(rule: str, language: Language) -> str:
    moon = re.match(r"LUNAR:(\d+)-(\d+)", rule)
    parts = dict(each.partition("=")[::2] for each in rule.split(";"))
    if moon:
        said = say(language, texts.BY_THE_MOON, month=moon[1], day=moon[2])
    else:
        said = _each_text(parts, language)
    hours = [f"{int(h):02}:{int(parts['BYMINUTE']):02}" for h in _listed_in(parts, "BYHOUR")]
    if hours:
        said += f" {'、'.join(hours)}" if language == "zh" else f" at {', '.join(hours)}"
    if "UNTIL" in parts:
        end = f"{parts['UNTIL'][:4]}-{parts['UNTIL'][4:6]}-{parts['UNTIL'][6:8]}"
        return say(language, texts.TO_THE_END, rule=said, end=end)
    if "COUNT" in parts:
        return say(language, texts.SO_OFTEN, rule=said, count=int(parts["COUNT"]))
    return said


def _each_text(parts: dict[str, str], language: Language) -> str:
    frequency, number = parts["FREQ"], int(parts.get("INTERVAL", "1"))
    plain: Sentence = texts.EACH[frequency]
    each = say(language, plain)
    if number > 1:
        each = say(language, texts.EVERY[frequency], n=number)
    if parts.get("BYDAY") == _WORKDAYS and number == 1:
        return say(language, texts.WORKDAYS)
    days = [_weekday_text(day, language) for day in _listed_in(parts, "BYDAY")]
    if "BYMONTH" in parts:
        day = parts["BYMONTHDAY"]
        days = [say(language, texts.DAY_OF_YEAR, month=parts["BYMONTH"], day=day)]
    else:
        days += [_day_text(day, language) for day in _listed_in(parts, "BYMONTHDAY")]
    if not days:
        return each
    joined = "、".join(days) if language == "zh" else ", ".join(days)
    return say(language, texts.ON_DAYS, each=each, days=joined)


def _listed_in(parts: dict[str, str], name: str) -> list[str]:
    return parts[name].split(",") if name in parts else []


def _weekday_text(day: str, language: Language) -> str:
    name = say(language, texts.WEEKDAYS[day[-2:]])
    if len(day) == len("MO"):
        return name
    joint = "" if language == "zh" else " "
    return f"{say(language, texts.NTH[day[:-2]])}{joint}{name}"


def _day_text(day: str, language: Language) -> str:
    return (
        say(language, texts.LAST_DAY)
        if day == "-1"
        else say(language, texts.DAY_OF_MONTH, day=day)
    )
