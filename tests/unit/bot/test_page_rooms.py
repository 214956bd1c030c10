"""What the rooms of the page say while learning is paused, of stale forms, and of what is past."""

import re
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode

import pytest

from memory.model import Language, Sensitivity
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.page_world import PageWorld, hidden_fields, page_world


async def forms_of(world: PageWorld, path: str, **fields: str) -> bytes:
    return urlencode(hidden_fields(await world.browser.look(path)) | fields).encode()


@pytest.mark.parametrize(
    ("language", "told", "paused", "kept"),
    [
        ("zh", "我会吹口琴", "没有记", "暂停记新的事"),
        ("en", "I play the mouth organ", "not keeping this", "keeps nothing"),
    ],
)
async def test_the_page_says_that_learning_is_paused_and_keeps_nothing(
    tmp_path: Path, language: Language, told: str, paused: str, kept: str
) -> None:
    async with page_world(tmp_path, language=language, count=9, lines=0) as world:
        before_it = await world.browser.look("/")
        await world.browser.tell("/memory pause")
        today = await world.browser.look("/")
        answer = await world.browser.tell("/remember", told)
        nothing = all(told not in m.words.text for m in (await world.state()).memories.values())
        await world.browser.press(answer)
        again = await world.browser.tell("/remember", told)

    assert kept not in before_it
    assert kept in today
    assert paused in answer
    assert nothing
    assert paused not in again


@pytest.mark.parametrize(
    ("language", "first", "second", "said"),
    [
        ("zh", "我对花生和虾过敏", "我对芝麻过敏", "改过了"),
        ("en", "I am allergic to peanuts and prawns", "I am allergic to sesame", "was changed"),
    ],
)
async def test_a_correction_of_other_words_than_were_seen_changes_nothing(
    tmp_path: Path, language: Language, first: str, second: str, said: str
) -> None:
    async with page_world(tmp_path, language=language, count=9, lines=0) as world:
        old = await forms_of(world, "/memory/7", text=second)
        await world.browser.tell("/memory edit #7", first)
        stale = await world.browser.ask("/do", old)
        after = (await world.state()).memory(7).words.text
        fresh = await world.browser.ask("/do", await forms_of(world, "/memory/7", text=second))

    assert said in stale.body.decode()
    assert after == first
    assert fresh.status is HTTPStatus.OK
    assert said not in fresh.body.decode()


async def test_another_text_in_the_form_that_was_sent_is_done_as_well(tmp_path: Path) -> None:
    async with page_world(tmp_path, count=9, lines=0) as world:
        form = hidden_fields(await world.browser.look("/")) | {"line": "/remember"}
        told = ("我在合唱团唱歌", "我说话有点结巴", "我说话有点结巴")
        sent = (urlencode(form | {"text": each}).encode() for each in told)
        *_, answer = [await world.browser.ask("/do", each) for each in sent]
        said = [m.words.text for m in (await world.state()).memories.values()]

    assert sum("结巴" in each for each in said) == 1
    assert any("合唱团" in each for each in said)
    assert "已经做过了" in answer.body.decode()


@pytest.mark.parametrize(
    ("language", "words", "what"),
    [
        ("zh", "明天早上八点 游泳", "游泳"),
        ("zh", "明天早上八点提醒我游泳", "游泳"),
        ("en", "tomorrow at 8 am: swim", "swim"),
        ("en", "Remind me tomorrow at 8 am to swim", "swim"),
    ],
)
async def test_today_takes_a_reminder(
    tmp_path: Path, language: Language, words: str, what: str
) -> None:
    async with page_world(tmp_path, language=language, count=9, lines=0) as world:
        today = await world.browser.look("/")
        before = set((await world.state()).reminders)
        await world.browser.tell("/reminders", words)
        after = (await world.state()).reminders
        (new,) = set(after) - before
        await world.browser.tell("/reminders", f"/reminders end {new}")
        ended = (await world.state()).reminders[new]

    assert 'name="line" value="/reminders"' in today
    assert after[new].text == what
    assert not ended.is_open


@pytest.mark.parametrize(
    ("language", "button"), [("zh", "现在还是这样"), ("en", "it still holds")]
)
async def test_what_was_taken_for_past_can_hold_again(
    tmp_path: Path, language: Language, button: str
) -> None:
    async with page_world(tmp_path, language=language, count=9, lines=0) as world:
        memory = (await world.state()).memory(7)
        await world.put(replace(memory, lineage=replace(memory.lineage, valid_until=NOON)))
        seen = await world.browser.look("/memory/7")
        corrected = await world.browser.tell("/memory edit #7", f"{memory.words.text}.")
        await world.browser.tell("/memory restore #7")
        after = (await world.state()).memory(7)
        present = await world.browser.look("/memory/7")
        await world.browser.press(await world.browser.tell("/undo"))
        undone = (await world.state()).memory(7)

    assert button in seen
    assert corrected.count("以前：" if language == "zh" else "before: ") == 2
    assert not after.is_past
    assert button not in present
    assert undone.is_past


async def test_counts_are_of_what_is_left_after_everything_was_erased(tmp_path: Path) -> None:
    async with page_world(tmp_path, count=9, lines=0) as world:
        await world.browser.look("/")
        await world.browser.press(await world.browser.tell("/forget", "all"))
        today = await world.browser.look("/")

    assert " 0 条记忆" in today


@pytest.mark.parametrize(
    ("language", "told"), [("zh", "我对青霉素过敏"), ("en", "I am allergic to penicillin")]
)
async def test_no_curve_falls_where_it_is_said_not_to_fade(
    tmp_path: Path, language: Language, told: str
) -> None:
    async with page_world(tmp_path, language=language, count=0, lines=0) as world:
        health = a_memory(50, told)
        nature = replace(health.nature, sensitivity=Sensitivity.SENSITIVE)
        await world.put(replace(health, nature=nature))
        shown = await world.browser.look("/memory/50")
        (own,) = re.findall(r"\((?:its law|现在的规律)\) (\d+)% → (\d+)%", shown)

    assert own[0] == own[1]


@pytest.mark.parametrize(("language", "keep"), [("zh", "留住"), ("en", "keep")])
async def test_each_button_of_many_names_what_it_is_about(
    tmp_path: Path, language: Language, keep: str
) -> None:
    async with page_world(tmp_path, language=language) as world:
        pages = [await world.browser.look(each) for each in ("/", "/settings")]
        kept = re.findall(rf'aria-label="({keep}: [^"]+)"', pages[0])
        seen = re.findall(r'<button class="quiet" aria-label="([^"]+)"', pages[1])
        no_file = await world.browser.bring(b"")

    assert len(kept) > 1
    assert len({*seen}) > 90
    assert "import" not in no_file


@pytest.mark.parametrize(("language", "told"), [("zh", "茶 " * 1_500), ("en", "tea " * 1_000)])
async def test_a_long_memory_fits_the_field_that_corrects_it(
    tmp_path: Path, language: Language, told: str
) -> None:
    async with page_world(tmp_path, language=language, count=0, lines=0) as world:
        await world.put(a_memory(50, told.strip()))
        seen = await world.browser.look("/memory/50")
        most = int(re.findall(r'id="text" name="text" required maxlength="(\d+)"', seen)[0])

    assert most > len(told)
