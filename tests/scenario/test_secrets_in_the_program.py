"""A secret told to the whole program: the model, the ledger and the files never keep it."""

import logging
from pathlib import Path

import pytest

from bot.app import running
from bot.cli import shell_parser
from bot.cli.upkeep import _key_finding, _storage_findings, run_key
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.settings import Settings
from memory.agents import AgentResources, Agents
from memory.errors import InputRefused, StoreLocked
from memory.model import AgentSettings, Language, Memory
from memory.privacy.vault import Keys
from memory.rotation import rotate
from memory.stores.file_store import FileStore
from tests.fakes.chat import FakeChat
from tests.fakes.clock import FakeClock
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.platforms import adapters_of, only_a_terminal
from tests.fakes.stolen_folder import found_in, found_under
from tests.fakes.two_chats import TELEGRAM, two_chats
from tests.scenario.test_sealing import ASKED, SECRET, a_turn_of
from tests.scenario.test_whole_program import PLACE, Partner


def the_settings(
    data: Path,
    key: Path | None,
    server: OpenAIServer | None = None,
    language: Language = "zh",
) -> Settings:
    return Settings(
        capture_notice=False,
        language=language,
        data_dir=data,
        memory_key_file=key,
        llm_base_url=server.base_url if server else "",
        llm_model="test-model" if server else "",
    )


@pytest.mark.parametrize("with_key", [True, False])
async def test_no_model_no_file_and_no_log_ever_holds_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, *, with_key: bool
) -> None:
    caplog.set_level(logging.DEBUG)
    data, key = tmp_path / "data", tmp_path / "key"
    if with_key:
        Keys.create(key, data=data)
    clock, chat = FakeClock(), FakeChat()
    platforms = adapters_of(chat, "console")
    async with OpenAIServer(lambda asked: "[SKIP]") as server:
        settings = the_settings(data, key if with_key else None, server)
        async with running(
            settings, platforms, only_a_terminal(), clock=clock, quiet_seconds=0.0
        ) as app:
            ann = Partner(app, chat, clock)
            answer = await ann.say(ASKED)
            await ann.say(f"我的密码是{SECRET}，好记吗？")
            await ann.say("我喜欢拉面")
            await ann.settled()
            await ann.app.intake.receive(
                Incoming(
                    dedupe_key="show",
                    conversation=PLACE,
                    sender=Sender(id="local", name="主人"),
                    at=clock.now(),
                    text="/memory show 1",
                )
            )
            await ann.settled()
            sealed = [
                memory
                for memory in (await app.agents.get("local")).state.memories.values()
                if memory.sealed
            ]
            assert found_under(data, SECRET) == []  # also while it runs
        asked = server.asked

    assert found_under(data, SECRET) == []
    assert found_in(caplog.text.encode(), SECRET) == []
    assert asked
    assert all(found_in(repr(each).encode(), SECRET) == [] for each in asked)
    assert answer.startswith("记住了，也锁好了" if with_key else "这样的秘密我只肯锁起来记")
    assert len(sealed) == with_key
    shown = any(f"#1 我的银行卡密码是{SECRET}" in text for text in chat.history)
    assert shown == with_key  # to its owner, in private


CUT, NEEDS_KEY = "这里面的秘密我不明着留", "这样的秘密我只肯锁起来记"
KEY_EN, NOT_KEPT_EN = "I keep such a secret only sealed", "All right, I am not keeping that"


@pytest.mark.parametrize(
    ("said", "secret", "with_key", "told"),
    [
        ("wifi密码是 nian-gao-2026", "nian-gao-2026", False, NEEDS_KEY),
        ("wifi密码是 nian-gao-2026", "nian-gao-2026", True, CUT),
        ("wifi密码是 nian-gao-2026，你说好记吗？", "nian-gao-2026", False, NEEDS_KEY),
        ("my bank card PIN is 4471", "4471", False, KEY_EN),
        ("别记这个：我欠我哥五万块", "五万块", True, "好，这句我不记"),
        ("off the record, I hate my job", "hate my job", True, NOT_KEPT_EN),
    ],
)
async def test_what_becomes_of_words_that_are_cut_is_said_at_once(
    tmp_path: Path, said: str, secret: str, *, with_key: bool, told: str
) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    if with_key:
        Keys.create(key, data=data)
    chat, clock = FakeChat(), FakeClock()
    async with OpenAIServer(lambda asked: "好，我记住了") as server:
        language: Language = "en" if said.isascii() else "zh"
        settings = the_settings(data, key if with_key else None, server, language)
        async with running(
            settings,
            adapters_of(chat, "console"),
            only_a_terminal(),
            clock=clock,
            quiet_seconds=0.0,
        ) as app:
            answer = await Partner(app, chat, clock).say(said)
        asked = server.asked

    assert told in answer
    assert answer.startswith(told) or said.endswith("？")
    assert found_under(data, secret) == []
    assert all(found_in(repr(each).encode(), secret) == [] for each in asked)


async def test_in_a_group_it_is_not_kept_and_said_so(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    Keys.create(key, data=data)
    clock, chat = FakeClock(), FakeChat()
    platforms = adapters_of(chat, "console")
    async with running(
        the_settings(data, key),
        platforms,
        only_a_terminal(),
        clock=clock,
        quiet_seconds=0.0,
        offline=True,
    ) as app:
        ann = Partner(app, chat, clock)
        place = ConversationKey(platform="console", account="local", chat="local")
        assert place == PLACE
        await app.intake.receive(
            Incoming(
                dedupe_key="1",
                conversation=place,
                sender=Sender(id="local", name="安"),
                at=clock.now(),
                text=ASKED,
                private=False,
            )
        )
        answer = await ann.hears(1)
        await ann.settled()
        agent = await app.agents.get("local")

        assert answer.startswith("密码、证件号这样的秘密我不在群里记")
        assert not any(memory.sealed for memory in agent.state.memories.values())
    assert found_under(data, SECRET) == []


async def told(data: Path, key: Path, *names: str) -> None:
    """Let each agent be told a secret."""
    agents = Agents(
        data,
        AgentResources(
            clock=FakeClock(),
            model=None,
            defaults=AgentSettings(),
            keys=Keys.read(key, data=data),
        ),
    )
    for name in names:
        await (await agents.get(name)).commit(a_turn_of(ASKED))
    await agents.close()


async def opened(data: Path, key: Path, name: str) -> str:
    """Return what the one secret of an agent says to whoever has the key."""
    keys = Keys.read(key, data=data)
    agents = Agents(
        data, AgentResources(clock=FakeClock(), model=None, defaults=AgentSettings(), keys=keys)
    )
    agent = await agents.get(name)
    (sealed,) = (memory for memory in agent.state.memories.values() if memory.sealed)
    plain = agent.unsealed(sealed.id)
    await agents.close()
    return plain.words.text if isinstance(plain, Memory) else plain.value


async def test_rotation_reaches_every_agent_and_lets_the_former_key_go(tmp_path: Path) -> None:
    data, key, copy = tmp_path / "data", tmp_path / "key", tmp_path / "copy"
    former = Keys.create(key, data=data)
    await told(data, key, "ann", "ben")
    copy.touch(mode=0o600)
    copy.write_bytes(key.read_bytes())

    done = await rotate(data, key)

    assert (done.sealed, done.unopened) == (2, 0)
    now = Keys.read(key, data=data)
    assert len(now) == 1
    assert now.newest != former.newest
    assert found_under(data, former.newest) == []  # nothing is left that the old key opens
    for name in ("ann", "ben"):
        assert await opened(data, key, name) == f"我的银行卡密码是{SECRET}"
        assert await opened(data, copy, name) == "other_key"


async def test_a_rotation_that_was_cut_short_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    Keys.create(key, data=data)
    await told(data, key, "ann", "ben", "cat")
    scrub = FileStore.scrub
    for stop in range(1, 5):
        calls = 0

        async def dies(self: FileStore, stop: int = stop) -> None:
            nonlocal calls
            calls += 1
            if calls == stop:
                raise KeyboardInterrupt
            await scrub(self)

        with monkeypatch.context() as patched:
            patched.setattr(FileStore, "scrub", dies)
            if stop < 4:
                with pytest.raises(KeyboardInterrupt):
                    await rotate(data, key)
            else:
                await rotate(data, key)
        for name in ("ann", "ben", "cat"):
            assert await opened(data, key, name) == f"我的银行卡密码是{SECRET}"

    assert len(Keys.read(key, data=data)) == 1


async def test_a_key_is_not_let_go_while_something_stays_shut(tmp_path: Path) -> None:
    data, key, lost = tmp_path / "data", tmp_path / "key", tmp_path / "lost"
    Keys.create(lost, data=data)
    Keys.create(key, data=data)
    await told(data, lost, "ann")
    await told(data, key, "ben")

    done = await rotate(data, key)

    assert (done.sealed, done.unopened) == (1, 1)
    assert len(Keys.read(key, data=data)) == 2
    assert await opened(data, lost, "ann") == f"我的银行卡密码是{SECRET}"


async def test_rotation_leaves_a_running_program_alone(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    Keys.create(key, data=data)
    await told(data, key, "ann")
    agents = Agents(data, AgentResources(clock=FakeClock(), model=None, defaults=AgentSettings()))
    await agents.get("ann")
    with pytest.raises(StoreLocked):
        await rotate(data, key)
    await agents.close()

    assert await opened(data, key, "ann") == f"我的银行卡密码是{SECRET}"


def test_the_shell_makes_a_key_and_refuses_a_bad_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEMORY_KEY_FILE", raising=False)
    order = ["key", "new", str(key), "--data", str(data)]

    assert run_key(shell_parser().parse_args(order)) == 0
    assert f"MEMORY_KEY_FILE={key}" in capsys.readouterr().out
    assert key.stat().st_mode & 0o777 == 0o600
    with pytest.raises(InputRefused, match="never written over"):
        run_key(shell_parser().parse_args(order))
    with pytest.raises(InputRefused, match="inside the data folder"):
        run_key(shell_parser().parse_args(["key", "new", str(data / "key"), "--data", str(data)]))
    with pytest.raises(InputRefused, match="MEMORY_KEY_FILE"):
        run_key(shell_parser().parse_args(["key", "rotate", "--data", str(data)]))
    monkeypatch.setenv("MEMORY_KEY_FILE", str(key))
    assert run_key(shell_parser().parse_args(["key", "rotate", "--data", str(data)])) == 0


def test_the_doctor_says_how_the_key_is(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    none = _key_finding(the_settings(data, None))
    away = _key_finding(the_settings(data, key))
    Keys.create(key, data=data)
    there = _key_finding(the_settings(data, key))
    key.chmod(0o640)
    open_to_others = _key_finding(the_settings(data, key))

    assert (none.good, away.good, there.good, open_to_others.good) == (True, False, True, False)
    assert "xiaoxiang key new" in none.text
    assert "chmod 600" in open_to_others.text


async def test_a_correction_that_tells_a_secret_says_that_it_is_sealed_from_now_on(
    tmp_path: Path,
) -> None:
    async with two_chats(tmp_path / "d", FakeClock(), key=tmp_path / "k.key") as ann:
        await ann.says(TELEGRAM, "/remember 我有一张银行卡")
        first = await ann.told(TELEGRAM, "/memory edit #1 我的银行卡密码是 834921")
        second = await ann.told(TELEGRAM, "/memory edit #1 我的银行卡密码是 834922")
        shown = await ann.told(TELEGRAM, "/memory show #1")

    assert "从现在起锁着" in first
    assert "还是锁着" in second
    first_line = shown.splitlines()[0]
    assert first_line.endswith("834922"), "nothing stands behind the words"


SHUT = {
    "no key is set, in Chinese": (None, "zh", "钥匙不在"),
    "the key is away, in English": ("away", "en", "its key is not there"),
    "another key, in Chinese": ("other", "zh", "它是用另一把钥匙封的"),
    "another key, in English": ("other", "en", "it was sealed with another key"),
}


@pytest.mark.parametrize(("now", "language", "why"), SHUT.values(), ids=SHUT)
async def test_what_is_sealed_and_does_not_open_is_told_and_never_denied(
    tmp_path: Path, now: str | None, language: Language, why: str
) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    Keys.create(key, data=data)
    Keys.create(tmp_path / "other", data=data)
    clock, chat = FakeClock(), FakeChat()
    zh = language == "zh"
    ask = ASKED if zh else "Remember my bank password is Tulip-Harbor-9931"
    question = "我的银行卡密码是多少？" if zh else "What is my bank password?"
    answer, settings = "", the_settings(data, key)
    for place in (key, None if now is None else tmp_path / now):
        settings = the_settings(data, place, language=language)
        async with running(
            settings, adapters_of(chat, "console"), only_a_terminal(), clock=clock, quiet_seconds=0
        ) as app:
            ann = Partner(app, chat, clock)
            clock.tick(hours=1)
            if place == key:
                await ann.say(ask)
                await ann.settled()
                continue
            answer = await ann.say(question)
            await app.intake.receive(
                Incoming(
                    dedupe_key="show",
                    conversation=PLACE,
                    sender=Sender(id="local", name="主人"),
                    at=clock.now(),
                    text="/memory show 1",
                )
            )
            await ann.settled()

    assert why in answer
    assert "#1" in answer
    shown = "\n".join(chat.history)
    assert (f"打不开：{why}" if zh else f"does not open: {why}") in shown
    found = [each for each in await _storage_findings(settings) if not each.good]
    [said] = found
    assert ("1 条封存的记忆打不开" if zh else "1 sealed memories") in said.text
    assert all(each.good for each in await _storage_findings(the_settings(data, key)))
