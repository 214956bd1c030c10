"""Reading a command off a text, and the message that carries one."""

from dataclasses import replace

import pytest

from bot.conversation.messages import (
    CHINESE_NAMES,
    ConversationKey,
    Incoming,
    ParsedCommand,
    Sender,
    read_command,
)
from tests.fakes.clock import NOON


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/memory", ParsedCommand("memory")),
        ("  /Memory list 3 ", ParsedCommand("memory", "list 3")),
        ("/memory@xiaoxiang_bot show 42", ParsedCommand("memory", "show 42")),
        ("/restore-backup latest", ParsedCommand("restore_backup", "latest")),
        ("/记忆 列表", ParsedCommand("memory", "列表")),
        ("／记忆", ParsedCommand("memory")),
        ("/记住明天交房租", ParsedCommand("remember", "明天交房租")),
        ("/记住：明天\n交房租", ParsedCommand("remember", "明天\n交房租")),
        ("/恢复备份", ParsedCommand("restore_backup")),
        ("/解除关联", ParsedCommand("unlink")),
        ("/唱歌 一首", ParsedCommand("唱歌", "一首")),
        ("/remember 两行\n都要", ParsedCommand("remember", "两行\n都要")),
    ],
)
def test_a_command_is_read_in_either_language(text: str, command: ParsedCommand) -> None:
    assert read_command(text) == command


@pytest.mark.parametrize(
    "text",
    ["", "/", "// 注释", "/usr/bin/python 报错了", "你好 /memory", "1/2", "/ memory", "/👋", "/1"],
)
def test_what_only_begins_like_a_command_is_something_said(text: str) -> None:
    assert read_command(text) is None


def test_every_chinese_name_is_read_whole() -> None:
    for latin, names in CHINESE_NAMES.items():
        for chinese in names:
            assert read_command(f"/{chinese}") == ParsedCommand(latin)


def test_a_message_knows_the_command_it_is_and_one_with_other_words_its_own() -> None:
    message = Incoming(
        dedupe_key="1",
        conversation=ConversationKey(platform="telegram", account="7", chat="42"),
        sender=Sender(id="42", name="安"),
        at=NOON,
        text="/memory list",
    )

    assert message.command == ParsedCommand("memory", "list")
    assert message.command is message.command
    assert message.is_command
    assert replace(message, text="你好").command is None
