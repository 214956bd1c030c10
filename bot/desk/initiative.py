"""``/initiative``: what she has in mind, when and why; and how she words it when she begins.

Also in words why anything came up: ``/why`` and a search say it too.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.conversation.messages import CHINESE_NAMES
from bot.desk import agent_settings, answers
from bot.desk.command import Argument, Call, Example, Policy, Spec
from bot.desk.documents import Block, Button, Buttons, Document, Facts, Table, Term, Text
from bot.texts import Sentence, desk, desk_changes, desk_help, reminders, say
from bot.texts import initiative as texts
from memory.initiative.consent import Choice
from memory.initiative.intentions import (
    KINDS,
    Beginning,
    manners_of,
    plan_stopped,
    planned,
)
from memory.initiative.manners import SILENT_AFTER, hours_of
from memory.initiative.occasions import is_of_another
from memory.initiative.steps import plan_answer, plan_choice
from memory.laws.settings import setting_named
from memory.model import Language
from memory.recall.telling import OF_TALK
from memory.reminder import Intention, IntentionKind
from memory.text.tokens import segmented_words, tokens

_VERBS: Final = {
    "on": ("yes", "start", "开", "打开", "可以", "开启", "可以主动找我"),
    "off": ("no", "关", "关闭", "关掉", "不用", "别", "别主动找我"),
    "stop": ("end", "停", "停掉", "别提", "取消", "删", "不提"),
    "show": ("open", "看", "打开看", "看看"),
    "so": ("still", "还是", "是"),
    "over": ("past", "不是了", "过去了"),
    "quiet": ("hours", "安静", "免打扰", "安静时间"),
}
_VERB_OF: Final = {word: verb for verb, words in _VERBS.items() for word in (verb, *words)}
_KIND_OF: Final[dict[str, IntentionKind]] = {
    word: kind
    for kind in KINDS
    for word in (kind, kind.replace("_", "-"), texts.KINDS[kind].zh, texts.KINDS[kind].en)
}
_SWITCHES: Final = {"on": True, "开": True, "打开": True, "off": False, "关": False, "关掉": False}
_NUMBER: Final = re.compile(r"#?([0-9]{1,9})")
_SHOWN: Final = 60
_QUOTED: Final = 80
_LONGEST_QUOTED: Final = 120


async def initiative(call: Call) -> Document:
    """Carry out ``/initiative``: show what is planned, or do what the first word says."""
    words = call.given.text("what").split()
    if not words:
        return _listed(call)
    first, rest = words[0].lower(), words[1:]
    # "quiet" is a kind as well: with on or off the kind is meant, with hours they are.
    if first in _KIND_OF and rest and rest[-1].lower() in _SWITCHES:
        return await _switch_kind(call, _KIND_OF[first], on=_SWITCHES[rest[-1].lower()])
    match _VERB_OF.get(first):
        case "on":
            return await _choose(call, may=True)
        case "off":
            return await _choose(call, may=False)
        case "quiet" if rest:
            return await _set_quiet_hours(call, "".join(rest))
        case "stop" | "show" | "so" | "over" as verb if rest:
            return await _about_one(call, verb, rest[0])
        case _:
            raise call.refusal(texts.NOT_KNOWN, how=call.say(texts.HOW))


async def _choose(call: Call, *, may: bool) -> Document:
    choice: Choice = "yes" if may else "no"
    await call.writer.steer(lambda state, _: plan_choice(state, choice, call.now))
    line = choice_text(call.settings.quiet_hours, call.language, may=may)
    return answers.with_undo_button(call, line)


def choice_text(quiet_hours: str, language: Language, *, may: bool) -> str:
    """Return what she says once she may begin, or may not."""
    begin, end = hours_of(quiet_hours)
    if may:
        return say(language, texts.WILL_BEGIN, begin=begin, end=end)
    return say(language, texts.WILL_NOT_BEGIN)


def quiet_text(quiet_hours: str, language: Language) -> str:
    """Return what she says to quiet hours that were told in words, and how to change them."""
    begin, end = hours_of(quiet_hours)
    return say(language, texts.QUIET_TOLD, begin=begin, end=end)


async def _switch_kind(call: Call, kind: IntentionKind, *, on: bool) -> Document:
    off = set(call.settings.not_begun) - {kind} | ({kind} if not on else set())
    settings = replace(call.settings, not_begun=tuple(sorted(off)))
    names = {each: call.say(which[kind]) for each, which in _NAMES.items()}
    line = call.say(texts.KIND_ON if on else texts.KIND_OFF, **names)
    return await agent_settings.save_settings(call, settings, line)


_NAMES: Final = {"kind": texts.KINDS, "meaning": texts.MEANINGS}


async def _set_quiet_hours(call: Call, written: str) -> Document:
    setting = setting_named(call.state.laws, "quiet_hours")
    plain = re.sub(r"[点时到至~～–—]+|:00", "-", written).strip("-").replace("--", "-")
    value = setting.bound.read(plain) if setting else None
    if setting is None or value is None:
        raise call.refusal(texts.BAD_HOURS)
    begin, end = hours_of(str(value))
    sentence = call.say(texts.NO_QUIET) if begin == end else None
    line = sentence or call.say(texts.QUIET_SET, begin=begin, end=end)
    return await agent_settings.save_settings(call, setting.put_into(call.settings, value), line)


async def _about_one(call: Call, verb: str, which: str) -> Document:
    found = _NUMBER.fullmatch(which)
    number = int(found[1]) if found else 0
    one = call.state.intentions.get(number)
    if one is None or (verb == "stop" and one not in planned(call.state, call.now)):
        raise call.refusal(texts.NOT_THERE, which=which[:_SHOWN])
    match verb:
        case "stop":
            await call.writer.steer(
                lambda state, _: plan_stopped(state, (number,), "stopped", call.now)
            )
            what = answers.brief(one.text, _SHOWN)
            return answers.with_undo_button(call, call.say(texts.STOPPED, what=what))
        case "show":
            text = opening_text(one, call.language, call.now.astimezone(call.zone))
            why = why_text(one, call.language, call.date(one.told_at))
            return Document((Text(text), Text(why)))
        case _:
            return await _answer(call, one, so=verb == "so")


async def _answer(call: Call, one: Intention, *, so: bool) -> Document:
    """Take the answer to whether something still holds."""
    if one.kind != "review":
        raise call.refusal(texts.NOT_KNOWN, how=call.say(texts.HOW))
    choice: Choice = "yes" if so else "no"
    await call.writer.steer(lambda state, _: plan_answer(state, one, choice, call.now))
    line = call.say(texts.IS_STILL_SO if so else texts.IS_NO_LONGER)
    return answers.with_undo_button(call, line)


def _listed(call: Call) -> Document:
    settings, now = call.settings, call.now.astimezone(call.zone)
    begin, end = hours_of(settings.quiet_hours)
    may = settings.begins == "yes"
    standing = texts.MAY if may else texts.MAY_NOT
    told = call.say(standing, begin=begin, end=end) if may else call.say(standing)
    blocks: list[Block] = [Text(call.say(texts.TITLE), title=True), Text(told)]
    manners = manners_of(call.state, call.now)
    if may and manners.unanswered >= SILENT_AFTER:
        blocks.append(Text(call.say(texts.SILENT, count=manners.unanswered)))
    coming = planned(call.state, call.now)
    rows = tuple(
        (
            f"#{one.id}" if one.id else "·",
            reminders.moment_text(
                manners.first_moment(max(one.at, call.now), one.until) or one.at,
                call.language,
                now,
            ),
            call.say(texts.KINDS[one.kind]),
            answers.brief(_because(call, one), _QUOTED),
        )
        for one in coming
    )
    columns = tuple(map(call.say, (desk.ID, texts.EARLIEST, texts.KIND, texts.BECAUSE)))
    if rows:
        blocks.append(Table(("id", "at", "kind", "because"), columns, rows, name="intentions"))
    else:
        blocks.append(Text(call.say(texts.NOTHING)))
    blocks += [_kinds(call), Text(call.say(texts.HOW)), Buttons((_switch(call, may=may),))]
    return Document(tuple(blocks))


def _kinds(call: Call) -> Facts:
    """Return which kinds are on, each in a line: a table of words would be long on a phone."""
    off = call.settings.not_begun

    def line(kind: IntentionKind) -> str:
        standing = call.say(texts.OFF if kind in off else texts.ON)
        return f"{standing} · {call.say(texts.MEANINGS[kind])}"

    return Facts(tuple((each, call.say(texts.KINDS[each]), line(each)) for each in KINDS))


def _switch(call: Call, *, may: bool) -> Button:
    if may:
        return Button(call.say(texts.SWITCH_OFF), "/initiative off")
    return Button(call.say(texts.SWITCH_ON), "/initiative on")


def _because(call: Call, one: Intention) -> str:
    when = call.date(one.told_at)
    if one.kind == "quiet":
        return call.say(texts.SILENCE_SINCE, when=when)
    return call.say(texts.SAID_ON, when=when, text=one.text)


SPEC: Final = Spec(
    name="initiative",
    parent="",
    chinese=CHINESE_NAMES["initiative"],
    policy=Policy.BIND,
    help=texts.INITIATIVE,
    run=initiative,
    arguments=(Argument(name="what", shown=texts.A_WISH, kind="words", required=False),),
    examples=(
        Example("/主动", "/initiative"),
        Example("/主动 开", "/initiative on"),
        Example("/主动 停 3", "/initiative stop 3"),
        Example("/主动 核对 关", "/initiative review off"),
        Example("/主动 安静 23-8", "/initiative quiet 23-8"),
    ),
)
"""The declaration of ``/initiative``."""


def why_text(one: Intention, language: Language, when: str) -> str:
    """Return why she began with something: what was said, and on which day."""
    if one.kind == "quiet":
        return say(language, texts.WHY_QUIET, when=when)
    sentence = texts.WHY_HERS if one.about == "hers" else texts.WHY
    return say(language, sentence, when=when, text=answers.brief(one.text, _QUOTED))


def why_begun(call: Call, turn_id: str) -> str:
    """Return why she began with a message; empty if it is none she began by herself."""
    said = (each for each in call.state.intentions.values() if each.said_at is not None)
    one = next((each for each in said if Beginning(each, each.at).turn_id == turn_id), None)
    return "" if one is None else why_text(one, call.language, call.date(one.told_at))


def opening_text(one: Intention, language: Language, now: datetime) -> str:
    """Return the words with which she brings something up, where no model words them.

    ``now`` is in the zone of the agent.
    """
    values = {
        "day": _day_text(one, language, now),
        "what": one.what,
        "text": answers.brief(one.text, _LONGEST_QUOTED),
    }
    sentence = _sentence_of(one)
    wanted = {name: values[name] for name in sentence.placeholders}
    return " ".join(say(language, sentence, **wanted).split())


def _sentence_of(one: Intention) -> Sentence:
    match one.kind:
        case "follow_up":
            others = is_of_another(one.text, one.about)
            return texts.OF_ANOTHER if others else texts.FOLLOW_UP[one.about]
        case "promise":
            return texts.PROMISE_OF_HERS if one.about == "hers" else texts.PROMISE
        case "day":
            return texts.DAY[one.about]
        case "review":
            return texts.REVIEW
        case "quiet":
            return texts.QUIET


def _day_text(one: Intention, language: Language, now: datetime) -> str:
    away = (one.day - now.date()).days if one.day else 0
    named = {0: "today", -1: "yesterday", 1: "tomorrow"}.get(away, "then")
    return say(language, texts.WHEN[named])


def opening_buttons(one: Intention, language: Language, *, hidden: bool) -> tuple[Button, ...]:
    """Return what can be pressed below it: what it is where its words are hidden, or an answer."""
    if hidden:
        return (Button(say(language, texts.OPEN), f"/initiative show {one.id}"),)
    if one.kind != "review":
        return ()
    pressed: Sequence[tuple[Sentence, str]] = (
        (texts.STILL_SO, f"/initiative so {one.id}"),
        (texts.NO_LONGER, f"/initiative over {one.id}"),
        (texts.FORGET_IT, f"/forget #{one.memory_ids[0]}"),
    )
    return tuple(Button(say(language, label), command) for label, command in pressed)


# Reasons are stored in receipts as ``kind:what``. What is not known here, from an older or newer
# version, is shown as it is stored.
REASON_SENTENCES: Final[dict[str, Sentence]] = {
    "word": desk.FOUND_WORD,
    "character": desk.FOUND_CHARACTER,
    "cosine": desk.FOUND_COSINE,
    "date": desk.FOUND_DATE,
    "speaker": desk.FOUND_SPEAKER,
    "path": desk.FOUND_PATH,
    "beside": desk.FOUND_BESIDE,
    "deep": desk.FOUND_DEEP,
    "let-go": desk_changes.FOUND_LET_GO,
    OF_TALK: desk_help.FOUND_IN_TALK,
}


def reasons_term(call: Call, reasons: Sequence[str], told: str = "") -> Term:
    """Return why a memory came up, in words for people and as it is stored for programs.

    A word is shown as it stands in what was ``told``, and not as the stem it is found by.
    """
    shown = []
    for reason in reasons:
        kind, _, what = reason.partition(":")
        known = REASON_SENTENCES.get(kind)
        what = _as_it_stands(what, told) if kind == "word" else what
        if kind == "character":
            known, what = _of_character(what, told)
        shown.append(call.say(known, what=what) if known else reason)
    return Term(" ".join(dict.fromkeys(shown)), " ".join(reasons))


def _of_character(shared: str, told: str) -> tuple[Sentence, str]:
    """Return why one shared character is a reason: the word it stands in, as people read it."""
    word = next((x for x in segmented_words(told) if shared in x and len(x) > 1), "")
    return (desk.FOUND_WORD, word) if word else (desk.FOUND_CHARACTER, "")


def _as_it_stands(stem: str, told: str) -> str:
    """Return the first word of a text that has a stem: January of januari; the stem if none."""
    if not stem.isascii():
        return stem
    return next((each for each in _LATIN.findall(told) if stem in tokens(each)), stem)


_LATIN: Final = re.compile(r"[A-Za-z][\w'’-]*")
