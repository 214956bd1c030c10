"""``/help``: the topics, what belongs to one, how a command is used, what an unknown one means."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from bot.desk.command import Call, Example, Policy, Spec
from bot.desk.documents import Block, Button, Buttons, Document, Facts, Table, Text
from bot.texts import Sentence, desk_help
from memory.errors import InputRefused

TOPICS: Final[dict[Policy, Sentence]] = {
    Policy.ANSWER: desk_help.ANSWERING,
    Policy.LOOK: desk_help.LOOKING,
    Policy.STEER: desk_help.STEERING,
    Policy.ERASE: desk_help.ERASING,
    Policy.BIND: desk_help.BINDING,
    Policy.OPERATE: desk_help.OPERATING,
}
"""What ``/help`` is asked about; no name of a topic is that of a command."""


FIRST_STEPS: Final = (
    ("memory list", Example("/记忆 列表", "/memory list"), desk_help.FIRST_SEE),
    (
        "memory edit",
        Example("/记忆 改 #3 我住在上海", "/memory edit #3 I live in Bergen"),
        desk_help.FIRST_CORRECT,
    ),
    ("forget", Example("/忘掉 #3", "/forget #3"), desk_help.FIRST_ERASE),
    ("undo", Example("/撤销", "/undo"), desk_help.FIRST_UNDO),
)
"""What a newcomer needs first; shown as far as they may give these commands."""


async def show_help(call: Call) -> Document:
    """Show what is most used and the topics, the commands of a topic, or how one is used."""
    about = call.given.text("about").lstrip("/／").lower()
    if not about:
        return help_overview(call)
    for policy, topic in TOPICS.items():
        if about in {topic.zh, topic.en.lower()}:
            return help_topic(call, policy)
    found = spec_named(call.specs, about)
    if found is None:
        raise unknown_command(call, about)
    return help_page(call, found)


def help_overview(call: Call) -> Document:
    """Return what is most used, and the topics with the names of their commands."""
    may = {spec.path for spec in call.specs}
    first = [(example, does) for path, example, does in FIRST_STEPS if path in may]
    steps = tuple((each.in_language(call.language), call.say(does)) for each, does in first)
    topics = tuple(
        (f"/help {call.say(topic)}", _names_in_short(call, policy))
        for policy, topic in TOPICS.items()
        if any(spec.policy is policy for spec in call.specs)
    )
    does = call.say(desk_help.DOES)
    return Document(
        (
            Text(call.say(desk_help.TITLE), title=True),
            Table(("command", "help"), (call.say(desk_help.FIRST), does), steps, name="first"),
            Table(
                ("command", "names"),
                (call.say(desk_help.TOPIC), call.say(desk_help.COMMANDS)),
                topics,
                name="topics",
            ),
            Text(call.say(desk_help.HINT)),
            Buttons(tuple(Button(line.removeprefix("/help "), line) for line, _ in topics)),
        )
    )


def _names_in_short(call: Call, policy: Policy) -> str:
    specs = [spec for spec in call.specs if spec.policy is policy]
    if call.language == "zh":
        return "、".join(spec.chinese[0] for spec in specs)
    return ", ".join(spec.name for spec in specs)


def help_topic(call: Call, policy: Policy) -> Document:
    """Return the commands of one topic, each with what it does."""
    specs = [spec for spec in call.specs if spec.policy is policy]
    rows = tuple((_usage_line(call, spec), call.say(spec.help)) for spec in specs)
    columns = (call.say(TOPICS[policy]), call.say(desk_help.DOES))
    table = Table(("command", "help"), columns, rows, name=policy.value)
    return Document((table, Text(call.say(desk_help.HINT))))


def help_page(call: Call, spec: Spec) -> Document:
    """Return the page of one command: usage, names, choices and examples."""
    names = " · ".join(_chinese_names(spec))
    examples = [example.in_language(call.language) for example in spec.examples]
    lines: list[Block] = [
        Text(spec.usage(call.language), title=True),
        Text(call.say(spec.help)),
        Text(call.say(desk_help.ALSO, names=names)),
    ]
    choices = [
        (option.name, option.name, " · ".join(_choice_names(call, option.choices)))
        for option in (*spec.arguments, *spec.options)
        if option.kind == "choice"
    ]
    if choices:
        lines.append(Facts(tuple(choices)))
    if examples:
        lines.append(Text(call.say(desk_help.EXAMPLE, examples="　".join(examples))))
    return Document(tuple(lines))


def spec_named(specs: Sequence[Spec], name: str) -> Spec | None:
    """Return the command of that name in either language, with or without its parent.

    A command of its own comes before a verb of that name: ``/forget`` is not ``/memory forget``.
    """
    for spec in sorted(specs, key=lambda spec: bool(spec.parent)):
        if name in {spec.path, spec.name, *spec.chinese, *_chinese_names(spec)}:
            return spec
    return None


def unknown_command(call: Call, name: str) -> InputRefused:
    """Return the error for an unknown command, with the names that may have been meant."""
    whole = {spec.name: f"/{spec.path}" for spec in call.specs}
    whole |= {
        each: written
        for spec in call.specs
        for each, written in zip(spec.chinese, _chinese_names(spec), strict=True)
    }
    # 0.6 is difflib's own default: below it, unrelated short names begin to match.
    near = [whole[each] for each in get_close_matches(name, whole, n=3, cutoff=0.6)]
    if near:
        names = "、".join(near) if call.language == "zh" else ", ".join(near)
        return call.refusal(desk_help.PERHAPS, name=name, names=names)
    return call.refusal(desk_help.UNKNOWN, name=name)


def _usage_line(call: Call, spec: Spec) -> str:
    """Return a command with its required arguments, and its Chinese name beside it in Chinese."""
    usage = spec.usage(call.language).split(" [")[0]
    if call.language != "zh":
        return usage
    return f"{usage}　{_chinese_names(spec)[0]}"


def _chinese_names(spec: Spec) -> list[str]:
    return [f"/记忆 {name}" if spec.parent else f"/{name}" for name in spec.chinese]


def _choice_names(call: Call, choices: dict[str, tuple[str, ...]] | object) -> list[str]:
    if not isinstance(choices, dict):
        return []
    return [
        f"{value}（{other[0]}）" if other and call.language == "zh" else value
        for value, other in choices.items()
    ]
