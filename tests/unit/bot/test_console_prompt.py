"""The line typed in a terminal: what completes it, what ends it, what grows above it."""

import asyncio
import io
import os
import termios
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from bot.adapters.console.delivery import ConsoleChannel
from bot.adapters.console.prompt import DeskCompleter, TerminalPrompt, wrapped
from bot.conversation.delivery import Target
from bot.conversation.messages import ConversationKey
from bot.desk.registry import SPECS
from memory.model import Language, Memory, Sensitivity, Tier
from tests.builders import a_memory
from tests.fakes.waiting import unless_it_hangs, until

UP = "\x1b[A"
CTRL_C = "\x03"
CTRL_D = "\x04"
TAB = "\t"


def memories() -> list[Memory]:
    secret, name = a_memory(11, "银行卡"), a_memory(3, "小白")
    return [
        a_memory(1, "主人养了一只猫叫团子"),
        a_memory(2, "I live in Leeds \x1b[2J"),
        replace(name, nature=replace(name.nature, tier=Tier.ENTITY)),
        replace(secret, nature=replace(secret.nature, sensitivity=Sensitivity.SECRET)),
        a_memory(12, "喜欢乌龙茶 🍵"),
    ]


def completed(typed: str, language: str = "zh") -> list[str]:
    completer = DeskCompleter("en" if language == "en" else "zh", SPECS, memories)
    found = completer.get_completions(Document(typed), CompleteEvent())
    return [typed[: len(typed) + each.start_position] + each.text for each in found]


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


@pytest.fixture
def prompt(keyboard: PipeInput, tmp_path: Path) -> TerminalPrompt:
    return TerminalPrompt("zh", tmp_path / "history", specs=SPECS, memories=memories)


def seen(prompt: TerminalPrompt) -> str:
    return "".join(fragment[1] for fragment in prompt._message())


@pytest.mark.parametrize(
    ("begun", "whole"),
    [
        ("/memory sh", "/memory show"),
        ("/记忆 改", "/记忆 改正"),
        ("/und", "/undo"),
        ("／忘", "/忘掉"),
    ],
)
def test_a_command_is_completed_in_either_language(begun: str, whole: str) -> None:
    assert whole in completed(begun)


def test_ids_come_newest_first_without_names_and_secrets() -> None:
    assert completed("/memory show #") == [f"/memory show #{n}" for n in (12, 2, 1)]
    assert completed("/忘掉 #1") == ["/忘掉 #12", "/忘掉 #1"]
    assert completed("/memory pin ", "en") == [f"/memory pin #{n}" for n in (12, 2, 1)]
    assert completed("/memory search ") == []


@pytest.mark.parametrize("said", ["", "我喜欢 #", "and/or #1", "مرحبا"])
def test_talk_is_never_completed(said: str) -> None:
    assert completed(said) == []


def test_what_is_said_of_an_id_cannot_steer_the_terminal() -> None:
    completer = DeskCompleter("zh", SPECS, memories)
    found = completer.get_completions(Document("/memory show #2"), CompleteEvent())

    assert "\x1b" not in "".join(each.display_meta_text for each in found)


async def test_a_paste_is_one_message_and_a_return_ends_it(
    keyboard: PipeInput, prompt: TerminalPrompt
) -> None:
    lines = prompt.lines()
    keyboard.send_text("第一行\rsecond line\r第三行\r")

    async with unless_it_hangs():
        assert await anext(lines) == "第一行\nsecond line\n第三行"
        keyboard.send_text(CTRL_D)
        assert [line async for line in lines] == []


async def test_ctrl_c_keeps_what_was_typed_and_leaves_only_an_empty_line(
    keyboard: PipeInput, prompt: TerminalPrompt, tmp_path: Path
) -> None:
    keyboard.send_text("说了一半" + CTRL_C + UP + CTRL_C + CTRL_C)

    async with unless_it_hangs():
        assert [line async for line in prompt.lines()] == []
    assert "说了一半" in (tmp_path / "history").read_text("utf-8")
    assert (tmp_path / "history").stat().st_mode & 0o777 == 0o600


async def test_an_answer_that_began_again_leaves_nothing_of_the_first(
    prompt: TerminalPrompt, capsys: pytest.CaptureFixture[str]
) -> None:
    async def record_piece(place: int, platform_id: str) -> None:
        del place, platform_id

    place = ConversationKey(platform="console", account="local", chat="x")
    target = Target(turn_id="1", conversation=place, private=True, reply_to="")
    delivery = ConsoleChannel(prompt, streaming=True).delivery(target, record_piece)
    await delivery.show("火锅好啊。火锅好啊。火锅")
    await delivery.finish("火锅好啊。")

    assert capsys.readouterr().out.count("火锅") == 1


async def test_an_answer_grows_above_the_line_and_stays_there_whole(
    prompt: TerminalPrompt, capsys: pytest.CaptureFixture[str]
) -> None:
    assert seen(prompt) == "你> "

    prompt.thinking()
    assert "小祥在想" in seen(prompt)
    prompt.begin()
    prompt.write("今天\x1b[2J")
    prompt.write("天气" * 200)
    assert seen(prompt).endswith("天气\n\n你> ")
    assert max(map(len, seen(prompt).splitlines())) <= 80
    prompt.end()

    assert seen(prompt) == "你> "
    whole = capsys.readouterr().out
    assert whole.endswith("天气\n\n")
    assert whole.replace("\n", "") == "小祥> 今天␛[2J" + "天气" * 200


@pytest.fixture
def screen() -> Iterator[int]:
    """A real terminal of 24 lines, at whose other end prompts are shown and read."""
    typing, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    with (
        os.fdopen(terminal, "r+b", buffering=0) as device,
        io.TextIOWrapper(device, write_through=True) as keys,
        create_app_session(
            input=Vt100Input(keys), output=Vt100_Output(keys, lambda: Size(24, 80))
        ),
    ):
        yield typing
    os.close(typing)


@pytest.mark.parametrize(
    ("language", "begun", "command"), [("zh", "/撤", "/撤销"), ("en", "/und", "/undo")]
)
async def test_a_real_terminal_completes_keeps_and_takes_a_paste_for_one_message(
    screen: int, tmp_path: Path, language: Language, begun: str, command: str
) -> None:
    prompt = TerminalPrompt(language, tmp_path / "history", specs=SPECS, memories=memories)
    lines, buffer = prompt.lines(), prompt._session.default_buffer
    # What is shown is thrown away, or the terminal would be full and wait.
    asyncio.get_running_loop().add_reader(screen, os.read, screen, 1 << 16)

    async def typed(*steps: tuple[str, str]) -> str:
        said = asyncio.ensure_future(anext(lines))
        await until(lambda: prompt._session.app.is_running)
        for keys, shown in steps:
            # The menu and what was typed before are looked up while one goes on typing.
            if keys == TAB:
                await until(lambda: buffer.complete_state)
            if keys == UP:
                await until(lambda: len(buffer._working_lines) > 1)
            os.write(screen, keys.encode())
            await until(lambda: buffer.text == shown)  # noqa: B023
        os.write(screen, b"\r")
        return await said

    async with unless_it_hangs():
        assert await typed((begun, begun), (TAB, command)) == command
        # Many terminals send a paste bare, its line ends like the return that ends a message.
        assert (
            await typed(("第一行\rrow two\r第三行", "第一行\nrow two\n第三行"))
            == "第一行\nrow two\n第三行"
        )
        half = ("half of it", "half of it")
        assert await typed(half, (CTRL_C, ""), (UP, half[1])) == half[1]
        prompt.begin()
        prompt.write("an answer that grows")
        half, whole = ("typed", "typed"), (" meanwhile", "typed meanwhile")
        assert await typed(half, whole) == "typed meanwhile"
    asyncio.get_running_loop().remove_reader(screen)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "小祥> 今天我读了《百年孤独》，hello world 好看！对呀对呀对呀",
            ["小祥> 今天我读了《百", "年孤独》，hello", "world 好看！对呀对呀", "对呀"],
        ),
        ("she> one two three four five", ["she> one two three", "four five"]),
        ("a\n\n- b\n  - c", ["a", "", "- b", "  - c"]),
    ],
)
def test_an_answer_is_folded_where_its_language_is(text: str, lines: list[str]) -> None:
    assert wrapped(text, 20).splitlines() == lines
