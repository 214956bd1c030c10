"""Every template fits its prompt, and what is shown stays in its place."""

import re
from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest
from jinja2 import UndefinedError, meta, nodes

from prompts import (
    Compress,
    Consolidate,
    Monitor,
    Prompt,
    PromptLine,
    PromptMemory,
    Reply,
    Review,
    Summarize,
    default_persona,
)
from prompts.values import LANGUAGES, render, template_environment, template_sources
from tests.fakes.prompts import EVENING, MEMORIES, TURN

PROMPTS: dict[str, type[Prompt]] = {
    "reply": Reply,
    "monitor": Monitor,
    "summarize": Summarize,
    "review": Review,
    "compress": Compress,
    "consolidate": Consolidate,
}


def a_reply(
    language: str = "zh", *said: PromptLine, memories: tuple[PromptMemory, ...] = MEMORIES
) -> Reply:
    return Reply(
        persona=default_persona(language),
        language=language,
        partner="主人",
        now=EVENING,
        window=said or TURN[:1],
        memories=memories,
    )


def material(prompt: Prompt) -> str:
    return prompt.messages()[-1].content


def test_every_template_exists_in_both_languages() -> None:
    names = {
        language: {n for n in template_sources() if n.startswith(language)}
        for language in LANGUAGES
    }

    assert {n.removeprefix("zh/") for n in names["zh"]} == {
        n.removeprefix("en/") for n in names["en"]
    }


@pytest.mark.parametrize("name", sorted(template_sources()))
def test_every_field_a_template_reads_is_a_field_of_its_prompt(name: str) -> None:
    tree = template_environment().parse(template_sources()[name])
    read = {
        found.attr
        for found in tree.find_all(nodes.Getattr)
        if isinstance(found.node, nodes.Name) and found.node.name == "p"
    }
    kind = PROMPTS.get(re.sub("^../|_.*$", "", name))
    known = {field.name for field in fields(kind)} if kind else {"partner", "now"}

    assert read <= known
    assert meta.find_undeclared_variables(tree) <= {"p", "line"}


def test_a_field_that_is_not_there_is_an_error_and_not_a_gap() -> None:
    with pytest.raises(UndefinedError, match="persona"):
        render("reply_instructions", "zh", p=object())


def test_a_language_we_do_not_write_is_served_in_english() -> None:
    assert (
        a_reply("fr").messages()
        == replace(a_reply("en"), persona=default_persona("fr")).messages()
    )


def test_a_reply_needs_a_line_to_answer() -> None:
    with pytest.raises(ValueError, match="line to answer"):
        Reply(persona="", language="zh", partner="主人", now=EVENING, window=())


def test_a_prompt_is_worded_once_and_equal_to_one_that_was_not() -> None:
    prompt = a_reply("zh", *TURN)

    assert prompt.messages() is prompt.messages()
    assert prompt == a_reply("zh", *TURN)
    assert replace(prompt, persona="别人").messages() != prompt.messages()


def test_what_was_remembered_stands_with_the_new_line_and_never_among_the_rules() -> None:
    rules, *said = a_reply("zh", *TURN, TURN[0]).messages()

    assert [message.role for message in said] == ["user", "assistant", "user"]
    assert "拉面" not in rules.content
    assert "拉面" not in said[0].content
    assert "拉面" in said[-1].content


def test_a_burst_of_lines_is_one_message_behind_what_came_to_mind() -> None:
    burst = (TURN[0], TURN[0]._replace(text="还没吃饭"))

    said = a_reply("zh", *TURN, *burst).messages()[-1].content

    assert said.index("</记忆") < said.index("我明天要去面试") < said.index("还没吃饭")


def test_what_was_said_is_a_value_and_never_a_template() -> None:
    hostile = PromptLine(
        "user", "{{ p.persona }}", EVENING, "{{ 7*7 }}{% for x in range(9) %}{{ x }}"
    )

    for prompt in (a_reply("zh", hostile), Monitor(
        language="zh", partner="{{ 1+1 }}", now=EVENING, turn=(hostile,)
    )):  # fmt: skip
        text = "\n".join(message.content for message in prompt.messages())
        assert "{{ 7*7 }}{% for x in range(9) %}{{ x }}" in text


def test_instants_are_told_in_the_zone_of_the_partner() -> None:
    at = datetime(2026, 3, 4, 20, 30, tzinfo=UTC)

    said = a_reply("zh", PromptLine("user", "主人", at, "在吗"), memories=())

    assert "[2026-03-05 04:30] 在吗" in material(said)


def test_an_unknown_speaker_and_what_was_only_passed_on_are_told_apart() -> None:
    line = PromptLine("user", "小明", EVENING, "看这个", quoted="我喜欢榴莲")

    for language in LANGUAGES:
        prompt = a_reply(language, line)
        said, passed_on = render("line", language, p=prompt, line=line).splitlines()

        assert material(prompt).endswith(f"{said}\n{passed_on}")
        assert line.text in said
        assert line.speaker in said
        assert line.quoted not in said
        assert line.quoted in passed_on
        assert {"zh": "不是自己说的", "en": "not said by them"}[language] in passed_on
        # Whose words they are is said around them, by the template and by nothing else.
        own = render("line", language, p=prompt, line=line._replace(quoted="")).splitlines()
        assert own == [said]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_persona_is_warm_brief_and_calls_the_partner_by_name(language: str) -> None:
    persona = default_persona(language)

    assert "小祥" in persona
    assert "主人" in persona
    assert persona in a_reply(language).messages()[0].content
