"""``/memory law LAW NAME VALUE`` and ``/memory settings``: everything that can be set, by name.

A change is shown before it holds: the value, what it does to a typical memory over time, and what
the coming night would do. One confirmation, then it holds; undo takes it back.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Final, assert_never

from bot import law_fit
from bot.desk import agent_settings, answers
from bot.desk.command import Call
from bot.desk.documents import Block, Document, Picture, Table, Term, Text
from bot.desk.pictures import Curve, curves_svg, sparkline
from bot.texts import Sentence, desk, desk_changes
from bot.texts import desk_help as h
from memory.laws import disuse
from memory.laws.contract import ParameterValue
from memory.laws.law import Event
from memory.laws.settings import (
    Setting,
    ShownEffect,
    TypicalLife,
    disordered,
    setting_named,
    settings_of,
    shown_effect,
)
from memory.laws.weights import LAW as WEIGHTS
from memory.lifecycle.night import plan_fates
from memory.model import AgentSettings, Kind, Tier

DEFAULT: Final = frozenset({"default", "默认"})

FIT: Final = frozenset({"fit", "拟合"})

_DAYS: Final = 90
_POINTS: Final = 46

_HAPPENS: Final[dict[Event, Sentence]] = {
    **answers.EVENTS,
    Event.ASSOCIATION_HIT: h.HAPPENS_ASSOCIATED,
    Event.MENTION: h.HAPPENS_TOLD,
    Event.BOOST: h.HAPPENS_USED,
    Event.KEEP: h.HAPPENS_KEPT,
    Event.PROMOTE: h.HAPPENS_PROMOTED,
    Event.NEGATE: h.HAPPENS_NEGATED,
}


async def law(call: Call) -> Document:
    """Show or choose the law; with the name of a parameter, show it, and with a value, set it."""
    given = call.given.text("law") or call.settings.law
    name, value = _name_and_value(call)
    if name in DEFAULT and not value:
        return await _reset_law(call, given)
    if name in FIT and not value:
        return await _fit(call, given)
    if name:
        return await _one(call, name, value, given)
    shown = await agent_settings.choose_law(call)
    match call.given.text("law"):
        case "":
            more: tuple[Block, ...] = (_hint(call),)
        case own if own == call.settings.law:
            more = _law_table(call, own)
        case _:
            more = ()
    return replace(shown, blocks=(*shown.blocks, *more))


async def settings(call: Call) -> Document:
    """Show what can be set; with a law, its parameters; with a name and a value, set it."""
    name, value = _name_and_value(call)
    if not name:
        return _overview(call)
    named = next((each for each in call.state.laws.each if name in {each.name, *each.also}), None)
    if named is None:
        return await _one(call, name, value, call.settings.law)
    if value in DEFAULT:
        return await _reset_law(call, named.name)
    if value:
        parameter, _, rest = value.partition(" ")
        return await _one(call, parameter, rest.strip(), named.name)
    return Document((*_law_table(call, named.name), _hint(call)))


def _name_and_value(call: Call) -> tuple[str, str]:
    """Return the name and the value that were written, also as ``name=value``."""
    name, joined, value = call.given.text("name").partition("=")
    return name.strip(), (value if joined else call.given.text("value")).strip()


def _overview(call: Call) -> Document:
    """Return what is beside the laws, and what differs from the defaults."""
    every = settings_of(call.state.laws)
    shown = [e for e in every if not e.law or e.value_in(call.settings) != e.default]
    title = Text(call.say(h.YOUR_SETTINGS), title=True)
    return Document((title, _table(call, shown), _hint(call)))


def _hint(call: Call) -> Text:
    return Text(call.say(h.SET_HOW, laws="|".join(call.state.laws.names)))


def _law_table(call: Call, name: str) -> tuple[Block, ...]:
    own = [each for each in settings_of(call.state.laws) if each.law == name]
    title = call.say(h.PARAMETERS_OF, law=answers.law_title(call, name))
    return Text(title, title=True), _table(call, own)


def _table(call: Call, shown: Sequence[Setting]) -> Table:
    columns = tuple(map(call.say, (h.SETTING, h.VALUE_NOW, h.USUAL, h.MAY_BE, h.MEANS)))
    rows = tuple(
        (
            each.name,
            _written(each.value_in(call.settings)),
            _written(each.default_in(call.settings)),
            Term(each.bound.in_language(call.language), str(each.bound)),
            _meaning(call, each),
        )
        for each in shown
    )
    return Table(("name", "value", "default", "range", "meaning"), columns, rows, name="settings")


def changed_back(call: Call, before: AgentSettings) -> Iterator[Table]:
    """Yield what going back to the settings of before would change, one row a setting."""
    now = call.settings
    found = [
        (each.name, _written(each.value_in(now)), _written(each.value_in(before)))
        for each in settings_of(call.state.laws)
        if each.value_in(now) != each.value_in(before)
    ]
    if before.law != now.law:
        left, again = (answers.law_title(call, each) for each in (now.law, before.law))
        found.insert(0, (call.say(desk.LAW), left, again))
    if found:
        rows = tuple((name, f"{left} → {again}") for name, left, again in found)
        columns = (call.say(h.SETTING), call.say(desk_changes.WHAT_HAPPENS))
        yield Table(("name", "what"), columns, rows, name="settings")


def _meaning(call: Call, setting: Setting) -> str:
    return setting.bound.zh if call.language == "zh" else setting.bound.en


def _written(value: ParameterValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


async def _one(call: Call, name: str, value: str, law_name: str) -> Document:
    """Show one setting; with a value, what it would do, and set it once that was confirmed."""
    setting = _setting(call, name, law_name)
    if not value:
        return Document((_table(call, [setting]), _hint(call)))
    wanted = setting.default_in(call.settings) if value in DEFAULT else setting.bound.read(value)
    if wanted is None:
        bound = setting.bound.in_language(call.language)
        raise call.refusal(h.NOT_IN_RANGE, name=setting.name, value=value, range=bound)
    before, after = setting.value_in(call.settings), setting.put_into(call.settings, wanted)
    if after == call.settings:
        return answers.one_sentence(call, h.SET_ALREADY, name=setting.name, value=_written(before))
    _refuse_disorder(call, after)
    texts = {"name": setting.name, "before": _written(before)}
    code = answers.confirmation_code(call.agent_id, repr(call.settings), repr(after))
    if call.confirmed == code:
        line = call.say(h.IS_SET, value=_written(wanted), **texts)
        return await agent_settings.save_settings(call, after, line)
    title = Text(call.say(h.SET_TO, after=_written(wanted), **texts), title=True)
    blocks = (title, _table(call, [setting]), *await _effect(call, setting, after))
    # The shortest of its names: on Telegram a button has room for some 40 characters.
    command = f"/memory set {setting.name} {_written(wanted)}"
    return answers.to_confirm(call, blocks, command, code)


async def _reset_law(call: Call, name: str) -> Document:
    """Bring every parameter of a law back to its default, once that was confirmed."""
    own = [each for each in settings_of(call.state.laws) if each.law == name]
    changed = [each for each in own if each.value_in(call.settings) != each.default]
    title = answers.law_title(call, name)
    after = call.settings
    for each in changed:
        after = each.put_into(after, each.default)
    code = answers.confirmation_code(call.agent_id, repr(call.settings), repr(after))
    if not changed or call.confirmed == code:
        return await agent_settings.save_settings(call, after, call.say(h.ALL_USUAL, law=title))
    blocks = (Text(call.say(h.ALL_TO_USUAL, law=title), title=True), _table(call, changed))
    more = await _effect(call, changed[0], after)
    return answers.to_confirm(call, (*blocks, *more), f"/memory law {name} default", code)


async def _fit(call: Call, name: str) -> Document:
    """Fit the curve to the partner's own recall history, and set it once that was confirmed."""
    law = answers.law_title(call, disuse.LAW.name)
    if name != disuse.LAW.name:
        raise call.refusal(h.ONLY_OURS, law=law, name=disuse.LAW.name)
    optimize = call.services.optimize if call.services else None
    match await law_fit.fit(call.state, optimize):
        case law_fit.TooFew(count):
            return answers.one_sentence(call, h.FIT_TOO_FEW, count=count, fewest=law_fit.FEWEST)
        case law_fit.NotInstalled():
            return answers.one_sentence(call, h.FIT_NOT_INSTALLED)
        case law_fit.Broken():
            return answers.one_sentence(call, h.FIT_BROKEN)
        case law_fit.NoBetter(now, then):
            return answers.one_sentence(
                call, h.FIT_NO_BETTER, now=f"{now:.3f}", then=f"{then:.3f}"
            )
        case law_fit.Better() as found:
            return await _fitted(call, found, law)
        case never:
            assert_never(never)


async def _fitted(call: Call, found: law_fit.Better, law: str) -> Document:
    """Show what a fit would change and do, or let it hold."""
    after = law_fit.with_weights(call.settings, found.weights)
    code = answers.confirmation_code(call.agent_id, repr(call.settings), repr(after))
    if call.confirmed == code:
        return await agent_settings.save_settings(call, after, call.say(h.IS_FITTED, law=law))
    losses = {"now": f"{found.now:.3f}", "then": f"{found.then:.3f}"}
    title = Text(call.say(h.FIT_BETTER, count=found.counted, **losses), title=True)
    changed = [
        each
        for each in settings_of(call.state.laws)
        if each.value_in(call.settings) != each.value_in(after)
    ]
    columns = tuple(map(call.say, (h.SETTING, h.VALUE_NOW, h.VALUE_THEN, h.MEANS)))
    rows = tuple(
        (
            each.name,
            _written(each.value_in(call.settings)),
            _written(each.value_in(after)),
            _meaning(call, each),
        )
        for each in changed
    )
    table = Table(("name", "now", "then", "meaning"), columns, rows, name="settings")
    effect = await _effect(call, changed[0], after)
    return answers.to_confirm(
        call, (title, table, *effect), f"/memory law {disuse.LAW.name} fit", code
    )


def _setting(call: Call, name: str, law_name: str) -> Setting:
    found = setting_named(call.state.laws, name, law_name)
    if found is not None:
        return found
    known = {each.name: each.name for each in settings_of(call.state.laws)}
    known |= {each.rpartition(".")[2]: each for each in known}
    near = [known[each] for each in get_close_matches(name, known, n=3, cutoff=0.6)]
    if not near:
        raise call.refusal(h.NO_SETTING_AT_ALL, name=name)
    raise call.refusal(h.NO_SETTING, name=name, near=", ".join(dict.fromkeys(near)))


def _refuse_disorder(call: Call, settings: AgentSettings) -> None:
    wrong = disordered(call.state.laws, settings)
    if wrong is not None:
        low, high = wrong
        raise call.refusal(
            h.NOT_IN_ORDER,
            low=low.name,
            low_value=_written(low.value_in(settings)),
            high=high.name,
            high_value=_written(high.value_in(settings)),
        )


async def _effect(call: Call, setting: Setting, after: AgentSettings) -> tuple[Block, ...]:
    """Return what a change does: over time, to the order of a search, tonight."""
    acting = WEIGHTS.name if setting.name == "user_factor" else setting.law
    if setting.name == "retention_floor":
        return (_scores(call, after),)
    if setting.name == "time_zone":
        return (
            Text(f"{call.say(h.CLOCK_SHOWS)} {call.now.astimezone(after.zone):%Y-%m-%d %H:%M}"),
        )
    if acting not in call.state.laws.names:
        return ()
    return await asyncio.to_thread(lambda: tuple(_law_effect(call, setting, after, acting)))


def _law_effect(
    call: Call, setting: Setting, after: AgentSettings, acting: str
) -> Iterator[Block]:
    laws = call.state.laws
    if acting != call.settings.law:
        now, then = (answers.law_title(call, each) for each in (call.settings.law, acting))
        yield Text(call.say(h.OTHER_LAW, now=now, law=then, name=acting))
    rules = [laws.rules(replace(each, law=acting)) for each in (call.settings, after)]
    days = [_DAYS * n / (_POINTS - 1) for n in range(_POINTS)]
    shown = shown_effect(rules[0], rules[1], days, call.now)
    if shown is None:
        yield Text(call.say(h.NO_CURVE, meaning=_meaning(call, setting)))
    else:
        cycles = rules[0].law.by_cycle is not None
        yield from _curves(call, shown, cycles=cycles)
    if acting == call.settings.law:
        under = agent_settings.state_with(call.state, after)
        yield Text(call.say(h.NIGHT_NOW), title=True)
        yield from agent_settings.night_preview(call, plan_fates(under, call.now))


def _curves(call: Call, shown: ShownEffect, *, cycles: bool) -> Iterator[Block]:
    life = call.say(h.BY_CYCLES) if cycles else _life_text(call, shown.life)
    title = call.say(h.EFFECT_ON, life=life, days=_DAYS)
    lines = [
        Curve(call.say(h.VALUE_NOW), shown.now, fading=True),
        Curve(call.say(h.VALUE_THEN), shown.then),
    ]
    ends = (call.say(desk.TODAY), call.say(desk.IN_DAYS, days=_DAYS))
    alt = "\n".join(
        f"{line.label}  {sparkline(line.values)}  {line.values[0]:.0%} → {line.values[-1]:.0%}"
        for line in lines
    )
    yield Text(title)
    yield Picture(curves_svg(title, lines, subtitle=life, ends=ends), alt, name="curve")


def _life_text(call: Call, life: TypicalLife) -> str:
    """Return what sort of memory it is, and what happens to it."""
    plain = TypicalLife()
    sort: Sentence = answers.TIERS[life.tier]
    if life.tier is Tier.FACT and life.kind is not Kind.FACT:
        sort = answers.KINDS[life.kind]
    said = [call.say(sort)]
    said += [call.say(h.ASKED_TO_KEEP)] * life.explicit
    said += [call.say(h.SURE)] * (life.confidence > plain.confidence)
    said += [call.say(h.LIKE_CHATTER)] * (life.salience < plain.salience)
    said += [call.say(h.LIKE_IT_MATTERS)] * (life.salience > plain.salience)
    if life.event is not None:
        said.append(call.say(h.ON_DAY_TEN, event=call.say(_HAPPENS[life.event])))
    return ("，" if call.language == "zh" else ", ").join(said)


def _scores(call: Call, after: AgentSettings) -> Table:
    """Return by how much a search multiplies the score of what is more or less forgotten."""
    rows = []
    for left in (1.0, 0.5, 0.0):
        factors = (
            each.retention_floor + (1.0 - each.retention_floor) * left
            for each in (call.settings, after)
        )
        label = call.say(h.SCORE_LEFT, left=f"{left:.0%}")
        rows.append((label, *(f"{factor:.2f}" for factor in factors)))
    columns = ("", call.say(h.VALUE_NOW), call.say(h.VALUE_THEN))
    return Table(("retention", "now", "then"), columns, tuple(rows), name="scores")
