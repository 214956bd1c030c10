"""The shell as a person and a pipe use it: real processes, real folders."""

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import web

from benchmarks.kill_replay import hunt, recording
from bot.texts.dialogue import POSTPONED, POSTPONED_TOO
from memory.agents import folder_of
from memory.stores.disk import FolderLock
from memory.stores.recovery import read_agent_state
from tests.fakes import processes
from tests.fakes.openai_answers import Asked, error, say
from tests.fakes.openai_server import OpenAIServer, serving
from tests.fakes.processes import CLEAN


def run(
    *arguments: object,
    data: Path,
    said: str = "",
    env: dict[str, str] | None = None,
    whole: bool = False,
) -> "subprocess.CompletedProcess[str]":
    return processes.run(*arguments, "--data", data, said=said, env=env, whole=whole)


def test_one_line_in_is_one_answer_out_and_it_is_remembered(tmp_path: Path) -> None:
    first = run("chat", data=tmp_path, said="我叫李明\n记住：我对花生过敏\n")
    second = run("chat", data=tmp_path, said="我叫什么名字？\n我对什么过敏？\n")

    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert "李明" in second.stdout
    assert "花生" in second.stdout


def test_a_reminder_of_one_memory_is_said_in_no_other_ones_terminal(tmp_path: Path) -> None:
    said = {"p1": "2027-04-20T20:00+08:00", "p2": "2027-04-21T20:00+08:00"}
    run(
        "chat", "--agent", "p1", "--at", said["p1"], data=tmp_path, said="提醒我明天早上九点复查\n"
    )
    other = run("chat", "--agent", "p2", "--at", said["p2"], data=tmp_path, said="在吗\n你好\n")
    own = run("chat", "--agent", "p1", "--at", said["p2"], data=tmp_path, said="在吗\n你好\n")

    assert "复查" not in other.stdout
    assert "⏰ 提醒：复查" in own.stdout


def test_the_desk_in_the_shell_tells_people_and_programs_the_same(tmp_path: Path) -> None:
    run("chat", data=tmp_path, said="记住：我对花生过敏\n")

    for_people = run("memory", "list", "--agent", "local", data=tmp_path, whole=True)
    for_programs = run("memory", "list", "--agent", "local", "--json", data=tmp_path)
    shown = run("memory", "show", "#1", "--agent", "local", "--json", data=tmp_path)
    found = run("memory", "search", "花生", "--agent", "local", "--json", data=tmp_path)

    assert "我对花生过敏" in for_people.stdout
    assert json.loads(for_programs.stdout)["rows"][0]["tier"] == "fact"
    assert json.loads(shown.stdout)["quote"] == "记住：我对花生过敏"
    assert json.loads(found.stdout)["rows"][0]["id"] == "#1"


def test_a_replay_is_lived_once_and_repeats_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    turns = recording(path)
    first = run("replay", path, "--agent", "a", "-v", data=tmp_path / "d", whole=True)
    state = read_agent_state(folder_of(tmp_path / "d", "a"))

    second = run("replay", path, "--agent", "a", data=tmp_path / "d")

    assert first.stdout.splitlines()[:-1] == turns
    assert second.returncode == 0
    after = read_agent_state(folder_of(tmp_path / "d", "a"))
    assert after.memories == state.memories
    assert after.windows == state.windows


def test_a_killed_replay_loses_nothing_it_reported_and_repeats_nothing(tmp_path: Path) -> None:
    outcome = hunt(tmp_path, kills=5, seed=7, days=6, rounds=5, whole=False)

    assert outcome.kills == 5
    assert outcome.faults == []


def test_a_replay_with_a_model_and_a_question_after_it_show_the_model_the_right_day(
    tmp_path: Path,
) -> None:
    path = tmp_path / "r.jsonl"
    recording(path, days=6, rounds=8)

    def judge(asked: Asked) -> str:
        if "SEGMENT" in asked.prompt:
            return "[SEGMENT:1-30 phrase=闲聊 keywords=面试,拉面 entities=面试:关于] 聊了很多"
        return "[SKIP]" if "[SKIP]" in asked.prompt else "我想想……"

    with serving(OpenAIServer(judge)) as server:
        env = {"LLM_BASE_URL": server.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "k"}
        lived = run("replay", path, "--agent", "a", data=tmp_path / "d", env=env)
        before = len(server.asked)
        told = run(
            "chat",
            "--agent",
            "a",
            "--at",
            "2026-01-09T12:00+08:00",
            data=tmp_path / "d",
            said="我们哪天聊过钢琴？\n",
            env=env,
        )
        question = next(each for each in server.asked[before:] if "哪天聊过钢琴" in each.last)

    assert lived.returncode == told.returncode == 0, lived.stderr + told.stderr
    assert told.stdout.strip() == "我想想……"
    assert "钢琴" in question.prompt.replace("我们哪天聊过钢琴", "")
    assert "2026-01-0" in question.prompt


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("zh", ["你还记得它吗", "在吗在吗", "喂", "我姐不肯来", "她四十一了", "吵了一架"]),
        (
            "en",
            ["I told you of him", "still there?", "hello", "my sister is mad", "shes 41", "ugh"],
        ),
    ],
)
def test_a_pipe_reads_and_answers_on_while_the_model_is_away_behind_an_empty_answer(
    tmp_path: Path, language: str, lines: list[str]
) -> None:
    replies = 0

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        nonlocal replies
        answering = "程序附注" in asked.prompt or "Note by the program" in asked.prompt
        replies += answering
        answer = say("[SKIP]") if not answering else say("") if replies <= 2 else error(500, "no")
        return await answer(request, asked)

    with serving(OpenAIServer()) as server:
        server.always(behave)
        env = {"LLM_BASE_URL": server.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "k"}
        said = "\n".join([*lines, "/status"]) + "\n"
        told = run("chat", data=tmp_path, said=said, env={**env, "LANGUAGE": language})

    notices = [getattr(each, language) for each in (POSTPONED, *[POSTPONED_TOO] * 5)]
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[: len(lines)] == notices
    assert re.search(rf"console .* {len(lines)} +0 +0", told.stdout)
    (window,) = read_agent_state(folder_of(tmp_path, "local")).windows.values()
    assert [line.text for line in window.lines] == lines


@pytest.mark.parametrize(
    ("language", "told", "asked", "answered"),
    [
        (
            "zh",
            "我姐养了条蛇 叫阿翠 我怕蛇\n我妈叫林秀兰\n",
            ["好累", "我怕什么", "我妈叫啥", "我弟叫什么", "我怕不怕黑"],
            ["", "我怕蛇", "林秀兰", "", ""],
        ),
        (
            "en",
            "my sister Grainne wont visit mum\nmy sister is called Grainne\nim coeliac\n",
            ["so tired", "what cant i eat", "whats my sister called", "what does my sister do"],
            ["", "you are coeliac", "is called Grainne", ""],
        ),
    ],
)
def test_what_was_told_is_answered_at_once_while_the_model_is_away_however_it_is_typed(
    tmp_path: Path, language: str, told: str, asked: list[str], answered: list[str]
) -> None:
    run("chat", "--offline", data=tmp_path, said=told, env={"LANGUAGE": language})
    with serving(OpenAIServer()) as server:
        server.always(error(500, "no"))
        env = {"LLM_BASE_URL": server.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "k"}
        env |= {"LANGUAGE": language}
        heard = run("chat", data=tmp_path, said="\n".join(asked) + "\n", env=env)

    notices = {getattr(each, language) for each in (POSTPONED, POSTPONED_TOO)}
    for line, known in zip(heard.stdout.splitlines(), answered, strict=True):
        assert known in line
        assert (line in notices) == (not known)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(
            ["memory", "list", "--agent", "nobody"], "没有叫 'nobody' 的记忆", id="no agent"
        ),
        pytest.param(["memory", "list", "--agent", "../x"], "'../x'", id="a path for a name"),
        pytest.param(["replay", "missing.jsonl", "--agent", "a"], "missing.jsonl", id="no file"),
        pytest.param(["chat", "--agent", "A B"], "'A B'", id="a name with a space"),
    ],
)
def test_bad_input_is_one_line_that_names_it(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    result = run(*arguments, data=tmp_path)

    assert result.returncode == 1
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "agents").exists()


def test_arguments_that_make_no_sense_are_explained(tmp_path: Path) -> None:
    for arguments in (["memory", "show", "x", "--agent", "a"], ["chat", "--at", "noon"], ["fly"]):
        result = run(*arguments, data=tmp_path)

        assert result.returncode == 2
        assert arguments[-1 if arguments[0] != "memory" else 2] in result.stderr


@pytest.mark.parametrize(("language", "said"), [("zh", "先升级程序"), ("en", "please update it")])
def test_data_of_a_newer_program_is_refused_and_left_alone(
    tmp_path: Path, language: str, said: str
) -> None:
    run("chat", data=tmp_path, said="你好\n")
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite3")) as ledger:
        ledger.execute("PRAGMA user_version = 99")
    (tmp_path / "ledger.sqlite3.sums").unlink()
    before = (tmp_path / "ledger.sqlite3").read_bytes()

    result = run("chat", data=tmp_path, said="你好\n", env={"LANGUAGE": language})

    assert result.returncode == 1
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert (tmp_path / "ledger.sqlite3").read_bytes() == before


@pytest.mark.parametrize("command", ["replay", "chat"])
def test_a_folder_in_use_by_another_process_is_refused(tmp_path: Path, command: str) -> None:
    run("chat", data=tmp_path, said="你好\n")
    recording(tmp_path / "r.jsonl")
    lock = FolderLock.take(folder_of(tmp_path, "local"))
    try:
        of_what = [tmp_path / "r.jsonl"] if command == "replay" else []
        result = run(command, *of_what, "--agent", "local", data=tmp_path, said="你好\n")
    finally:
        lock.release()

    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert "另一个程序" in result.stderr


def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "data"
    place.write_text("not a folder")

    for arguments in (["chat"], ["doctor"]):
        result = run(*arguments, data=place)

        assert result.returncode == 1
        assert str(place) in result.stderr + result.stdout
        assert "Traceback" not in result.stderr


def test_a_wrong_setting_is_refused_by_its_name(tmp_path: Path) -> None:
    wrong = {"MEMORY_LAW": "forever", "LLM_API_KEY": "sk-hidden"}
    result = run("doctor", data=tmp_path, env=wrong)

    assert result.returncode == 1
    assert "MEMORY_LAW" in result.stderr
    assert "sk-hidden" not in result.stderr


def test_a_wrong_setting_is_told_in_plain_words(tmp_path: Path) -> None:
    zone = run("doctor", data=tmp_path, env={"TIMEZONE": "Mars"})
    half = run("doctor", data=tmp_path, env={"LARK_APP_ID": "cli_a1b2c3d4e5f6"})

    assert zone.stderr.startswith("xiaoxiang: 设置有误：TIMEZONE: 'Mars' 不是时区")
    assert half.stderr.startswith("xiaoxiang: 设置有误：LARK_APP_ID 和 LARK_APP_SECRET 要一起写")
    zone = run("doctor", data=tmp_path, env={"TIMEZONE": "Mars", "LANGUAGE": "en"})
    assert zone.stderr.startswith("xiaoxiang: wrong setting: TIMEZONE: 'Mars' is no time zone")


def test_the_doctor_does_not_break_a_command_into_two_lines(tmp_path: Path) -> None:
    assert "xiaoxiang key new\n" in run("doctor", data=tmp_path).stdout


def test_the_doctor_is_content_with_an_empty_place(tmp_path: Path) -> None:
    result = run("doctor", data=tmp_path)

    assert result.returncode == 0
    assert "离线模式" in result.stdout


def test_help_loads_next_to_nothing() -> None:
    code = (
        "import sys; from bot.__main__ import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'openai', 'numpy', 'msgspec', 'rich', 'prompt_toolkit', 'tinydb', 'jinja2'}\n"
        "sys.exit(bool(heavy & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False, env=CLEAN).returncode == 0


def test_english_talk_never_loads_the_chinese_dictionary_nor_larks_library(tmp_path: Path) -> None:
    code = (
        "import sys; from bot.__main__ import main\n"
        f"main(['chat', '--offline', '--data', {str(tmp_path)!r}])\n"
        "from memory.text import segmentation\n"
        "sys.exit(segmentation.is_loaded() or 'lark_oapi' in sys.modules)"
    )
    said = "My name is Ann and I work as a nurse.\nWhere do I work?\n"
    talk = [sys.executable, "-c", code]

    assert (
        subprocess.run(
            talk, check=False, env={**CLEAN, "LANGUAGE": "en"}, input=said, text=True
        ).returncode
        == 0
    )


@pytest.mark.parametrize(
    ("language", "said", "meant"),
    [
        ("zh", "/memory statu", "/status"),
        ("en", "/memory lst", "/memory list"),
        ("zh", "/记忆 搜", "/记忆 搜索"),
    ],
)
def test_what_may_have_been_meant_is_shown_as_it_is_written(
    tmp_path: Path, language: str, said: str, meant: str
) -> None:
    out = run("chat", data=tmp_path, said=f"{said}\n", env={"LANGUAGE": language}).stdout

    assert f" {meant}？" in out or f" {meant}?" in out


@pytest.mark.parametrize(
    ("env", "zh", "en"),
    [
        (
            {"DATA_DIR": "/proc/x"},
            "写不进去（那里建不了）",
            "cannot be written (it cannot be made",
        ),
        ({"DATA_DIR": "/etc/passwd/x"}, "那不是文件夹", "that is no folder"),
        ({"EXPORTS_DIR": "/proc/x"}, "EXPORTS_DIR=/proc/x 写不进去", "cannot be written"),
        ({"BACKUP_COPY_DIR": "/proc/x"}, "BACKUP_COPY_DIR=/proc/x 写不进去", "cannot be written"),
        ({"PERSONA_FILE": "/nope"}, "PERSONA_FILE 的 /nope", "PERSONA_FILE /nope"),
        ({"WEB_BIND": "0.0.0.0:8090"}, "WEB_ADDRESS", "set WEB_ADDRESS"),
        (
            {"WEB_BIND": "127.0.0.1:8090", "HEALTH_BIND": "localhost:8090"},
            "HEALTH_BIND",
            "cannot be the same address",
        ),
        (
            {"WEB_BIND": "127.0.0.1:8090", "HEALTH_BIND": "0.0.0.0:8090"},
            "HEALTH_BIND",
            "cannot be the same address",
        ),
        ({"WEB_ADDRESS": "https://a.example"}, "没有 WEB_BIND", "WEB_BIND is not"),
        ({"BACKUP_COMMAND": "/no/such -v"}, "命令找不到：/no/such", "cannot be found: /no/such"),
        ({"LLM_API_KEY": "sk-1"}, "没有 LLM_MODEL", "LLM_MODEL is not"),
    ],
    ids=lambda value: "+".join(map("=".join, value.items())) if isinstance(value, dict) else "",
)
def test_the_doctor_says_what_a_start_or_a_night_would_refuse(
    tmp_path: Path, env: dict[str, str], zh: str, en: str
) -> None:
    for language, wanted in (("zh", zh), ("en", en)):
        more = {"XIAOXIANG_HOME": str(tmp_path), "LANGUAGE": language, **env}
        result = processes.run("doctor", env=more)
        assert result.returncode == 1
        (fault,) = [line for line in result.stdout.splitlines() if line.startswith("✗")]
        assert wanted in fault
        assert "sk-1" not in result.stdout


@pytest.mark.parametrize(
    "env",
    [
        {"EXPORTS_DIR": "new/exports", "BACKUP_COPY_DIR": "new/copies"},
        {"WEB_BIND": "127.0.0.1:8090", "HEALTH_BIND": "127.0.0.1:8091"},
        {"WEB_BIND": "0.0.0.0:8090", "WEB_ADDRESS": "https://a.example"},
        {"BACKUP_COMMAND": "true 'with a word'"},
    ],
    ids=" ".join,
)
def test_the_doctor_is_content_with_what_can_be_used(tmp_path: Path, env: dict[str, str]) -> None:
    result = processes.run("doctor", env={"XIAOXIANG_HOME": str(tmp_path), **env})
    assert result.returncode == 0, result.stdout
    assert ("还不存在" in result.stdout) == ("BACKUP_COPY_DIR" in env)
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_names_lines_of_the_file_that_set_nothing(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.touch(mode=0o600)
    env = {"XIAOXIANG_HOME": str(tmp_path)}
    file.write_text(
        "# 说明\nsk-secret 这是什么\n\n\nexport LANGUAGE=en\nTIMEZONE\n", encoding="utf-8"
    )
    result = processes.run("doctor", env=env)
    assert [x for x in result.stdout.splitlines() if x.startswith("✗")] == [
        "✗ line 2 of .env is not KEY=value: it does nothing",
        "✗ line 6 of .env is not KEY=value: it does nothing",
    ]
    assert "settings in" in result.stdout
    file.unlink()
    assert "还没有设置文件" in processes.run("doctor", env=env).stdout
