"""Every template fits its prompt, and what is shown stays in its place."""

import re
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from jinja2 import UndefinedError, meta, nodes

from prompts import (
    Ability,
    Begin,
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
    rendering,
)
from prompts.rendering import LANGUAGES, render, template_environment, template_sources
from prompts.values import LONG_PAUSE, example_prompt, worked_example
from tests.fakes.prompts import EVENING, MEMORIES, TURN

PROMPTS: dict[str, type[Prompt]] = {
    "reply": Reply,
    "monitor": Monitor,
    "summarize": Summarize,
    "review": Review,
    "compress": Compress,
    "consolidate": Consolidate,
    "begin": Begin,
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
    assert meta.find_undeclared_variables(tree) <= {"p", "lines", "line_end", "memories"}


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

    line = PromptLine("user", "主人", at, "在吗")
    said = replace(a_reply("zh", line, memories=()), now=EVENING + timedelta(days=2))

    assert "（2026-03-05 04:30 说的：）\n在吗" in material(said)


def test_an_unknown_speaker_and_what_was_only_passed_on_are_told_apart() -> None:
    line = PromptLine("user", "小明", EVENING, "看这个", quoted="我喜欢榴莲")

    for language in LANGUAGES:
        prompt = a_reply(language, line)
        said, passed_on = worded(prompt, line).splitlines()

        assert material(prompt).endswith(f"{said}\n{passed_on}")
        assert line.text in said
        assert line.speaker in said
        assert line.quoted not in said
        assert line.quoted in passed_on
        assert {"zh": "不是自己说的", "en": "not said by them"}[language] in passed_on
        # Whose words they are is said around them, by the template and by nothing else.
        assert worded(prompt, line._replace(quoted="")) == said


def worded(prompt: Reply, line: PromptLine) -> str:
    return render("lines", prompt.language, p=prompt, lines=[(line, False)], line_end="")


def test_no_line_of_a_talk_can_hold_what_parts_lines() -> None:
    said = [
        PromptLine("user", "主人", EVENING, "一\x01二"),
        PromptLine("assistant", "小祥", EVENING, "three\x01\x01"),
        PromptLine("user", "小\x01明", EVENING, "\x01", quoted="\x01 four"),
    ]

    for language in LANGUAGES:
        first, answer, last = a_reply(language, *said).messages()[1:]
        assert (first.role, answer.role, last.role) == ("user", "assistant", "user")
        assert answer.content == "three"
        assert first.content.endswith("一二")
        assert "four" in last.content


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_persona_is_warm_brief_and_calls_the_partner_by_name(language: str) -> None:
    persona = default_persona(language)

    assert "小祥" in persona
    assert ("主人" in persona) == (language == "zh")
    assert persona in a_reply(language).messages()[0].content


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_that_is_known_is_what_the_partner_is_called(language: str) -> None:
    rules = replace(a_reply(language), name="安安").messages()[0].content

    assert "安安" in rules
    assert "安安" not in a_reply(language).messages()[0].content


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ability", get_args(Ability))
def test_each_thing_she_can_do_is_one_line_and_differs_from_not_being_able_to(
    language: str, ability: Ability
) -> None:
    cannot = a_reply(language).messages()[0].content.splitlines()
    can = replace(a_reply(language), abilities=(ability,)).messages()[0].content.splitlines()

    assert len(can) == len(cannot)
    assert sum(one != other for one, other in zip(can, cannot, strict=True)) == 1


@pytest.mark.parametrize(
    ("language", "partner", "name", "text", "told"),
    [
        ("en", "my friend", "Ann", "my friend is a nurse", "Ann is a nurse"),
        ("en", "my friend", "Ann", "my friend's name is Ann", "your partner's name is Ann"),
        ("en", "my friend", "Ann", "my friends are all nurses", "my friends are all nurses"),
        ("en", "my friend", "Ann", "I met my friend Tom", "I met my friend Tom"),
        ("en", "my friend", "", "my friend is a nurse", "my friend is a nurse"),
        ("zh", "主人", "陈远航", "主人是个木匠", "陈远航是个木匠"),
        ("zh", "主人", "陈远航", "主人叫陈远航", "对方叫陈远航"),
        ("zh", "主人", "", "主人是个木匠", "主人是个木匠"),
    ],
)
def test_once_a_name_is_known_memories_tell_of_the_partner_by_it(
    language: str, partner: str, name: str, text: str, told: str
) -> None:
    known = PromptMemory("m1", text, EVENING, speaker=partner)
    prompt = replace(a_reply(language, memories=(known,)), partner=partner, name=name)

    assert told in material(prompt)
    assert (partner in material(prompt)) == (partner in told or not name)
    # What rules read, when they answer instead, is as it was learnt.
    assert prompt.memories == (known,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_hour_stands_in_front_of_what_is_said_without_a_pause(language: str) -> None:
    said = a_reply(language, *TURN, TURN[0]._replace(at=EVENING + timedelta(minutes=2)))

    first, *others = (message.content for message in said.messages()[1:])
    assert first.count("2026-03-04 20:00") == 1
    assert first.splitlines()[1].endswith("我明天要去面试，")
    assert all("20:02" not in each for each in others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_a_long_pause_the_hour_stands_on_a_line_of_its_own(language: str) -> None:
    later = TURN[0]._replace(at=EVENING + LONG_PAUSE + timedelta(minutes=1), text="回来了")
    last = TURN[0]._replace(at=later.at + timedelta(minutes=1), text="在吗")
    prompt = a_reply(language, *TURN, later, TURN[1], last)
    prompt = replace(prompt, now=last.at)

    mark, said = prompt.messages()[3].content.splitlines()

    assert "2026-03-04 23:01" in mark
    assert said.endswith("回来了")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["monitor", "consolidate", "summarize"])
def test_an_example_is_a_turn_of_somebody_else_and_stays_the_same(
    kind: str, language: str
) -> None:
    asked = example_prompt(kind, language)
    rules, question, answer, material = asked.messages()

    assert [m.role for m in (rules, question, answer)] == ["system", "user", "assistant"]
    assert material.content == question.content
    assert not set("〔〕") & set(answer.content)
    assert worked_example(kind, language) is worked_example(kind, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_that_said_nothing_is_asked_for_again_behind_the_same_prompt(
    language: str,
) -> None:
    first = a_reply(language, *TURN, TURN[0])
    again = replace(first, again=True)

    assert again.messages()[:-1] == first.messages()[:-1]
    assert again.messages()[-1].content.startswith(first.messages()[-1].content)
    assert again.messages()[-1] != first.messages()[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_worded_before_is_worded_as_if_it_were_new(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = PromptLine("user", "Ann", EVENING - timedelta(days=2), "我喜欢拉面")
    seen = [a_reply(language, line, line._replace(text="I like ramen"))]
    seen += [replace(seen[0], partner="Ann"), replace(seen[0], name="Ann")]
    seen += [replace(seen[0], now=EVENING.astimezone(UTC))]
    again = [replace(each).messages() for each in seen]

    monkeypatch.setattr(rendering, "_WORDED", {})
    monkeypatch.setattr(rendering, "_MOST_WORDED", 1)
    rendering.reply_instructions.cache_clear()
    assert [each.messages() for each in seen] == again
    assert len(set(again)) == len(seen)


@pytest.mark.parametrize(
    ("language", "notes", "nothing"),
    [
        ("zh", "对方请你记住时，说会记下", "这会儿什么都不记"),
        ("en", "say you will note it", "you note nothing new"),
    ],
)
def test_who_is_paused_is_told_that_nothing_is_noted(
    language: str, notes: str, nothing: str
) -> None:
    learns = a_reply(language).messages()[0].content
    paused = replace(a_reply(language), paused=True).messages()[0].content

    assert notes in learns
    assert nothing not in learns
    assert nothing in paused
    assert notes not in paused
    assert "\n\n\n" not in paused


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_group_nobody_is_the_one_partner_and_only_what_was_said_to_her_waits(
    language: str,
) -> None:
    overheard = PromptLine("user", "王磊", EVENING, "我的爬山鞋是43码")
    asked = PromptLine("user", "阿梅", EVENING, "记住我花店叫拾光")
    alone = a_reply(language, overheard, asked)
    group = replace(alone, group=True, new=1)

    rules = group.messages()[0].content
    assert {"zh": "群聊", "en": "group"}[language] in rules
    assert {"zh": "对方叫“主人”", "en": 'talking with "主人"'}[language] not in rules
    told = material(group)
    assert told.index(overheard.text) < told.index(MEMORIES[0].text[:4]) < told.index(asked.text)
    waits = {"zh": "阿梅对你说了下面的话", "en": "阿梅 says this to you"}[language]
    assert waits in told

    # In private all that is unanswered waits, and they are named as ever.
    assert {"zh": "群聊", "en": "a group"}[language] not in alone.messages()[0].content
    assert material(alone).index(MEMORIES[0].text[:4]) < material(alone).index(overheard.text)
