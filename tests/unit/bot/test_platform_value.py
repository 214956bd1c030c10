"""A platform is one value: whatever wires the program knows one that is only handed in."""

import asyncio
import re
from argparse import Namespace
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

import pytest

from bot.adapters import PLATFORMS, identities_of, read_all_settings
from bot.adapters.platform import Finding, Platform, PlatformAdapter
from bot.app import App
from bot.cli.run import open_program
from bot.cli.upkeep import run_doctor
from bot.conversation.delivery import ChannelHealth, RecordPiece, Target
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.desk.documents import Document, Table
from bot.identity import Access, AccessLevel, Author, PlatformIdentity, owner_file
from bot.sections import fields_of
from bot.settings import PlatformSettings, Settings
from bot.texts import Sentence
from memory.errors import InputRefused
from tests.fakes.chat import FakeChat
from tests.fakes.clock import NOON
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")

ROOT = Path(__file__).resolve().parents[3]
ANN = "t-1"
PLACE = ConversationKey(platform="toy", account="7", chat="t-9")


class ToySettings(PlatformSettings, frozen=True, kw_only=True):
    toy_key: str = ""
    toy_bind: str = "127.0.0.1:8081"

    bind_key: ClassVar[str] = "TOY_BIND"

    @property
    def is_configured(self) -> bool:
        return bool(self.toy_key)

    def listens_at(self) -> str:
        return f"{self.toy_bind}/lark" if self.toy_key else ""


class ToyScreen(FakeChat):
    """A screen that keeps the documents it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.documents: list[Document] = []

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        self.documents.append(document)
        await super().present(conversation, document, reply_to=reply_to)

    async def deliver(self, document: Document, target: Target, record_piece: RecordPiece) -> None:
        self.documents.append(document)
        await super().deliver(document, target, record_piece)


@dataclass
class ToyAdapter:
    """A platform without a network."""

    access: Access
    channel: ToyScreen = field(default_factory=ToyScreen)
    platform: str = "toy"
    health: ChannelHealth = field(default_factory=lambda: ChannelHealth("well", 0.0))
    entered: int = 0

    @property
    def presenter(self) -> ToyScreen:
        return self.channel

    async def fetch(self, incoming: Incoming) -> bytes | None:
        return None

    async def complete(self, incoming: Incoming) -> Incoming:
        return incoming

    def link(self, conversation: ConversationKey, message: str) -> str:
        return ""

    def shows(self, conversation: ConversationKey) -> bool:
        return True

    async def serve(self, program: Any) -> object:
        return await asyncio.Event().wait()

    async def __aenter__(self) -> Self:
        self.entered += 1
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.entered -= 1


def build(
    settings: Settings, access: Access, announce: Callable[[str], object]
) -> PlatformAdapter:
    return ToyAdapter(access)


def check(settings: Settings, owners: Collection[str]) -> Iterator[Finding]:
    key = settings.section(ToySettings).toy_key
    yield Finding(good=bool(owners), text=f"toy {key!r} of {sorted(owners)}")


TOY = Platform(
    identity=PlatformIdentity(
        name="toy",
        title=Sentence(zh="玩具", en="the toy"),
        agent_prefix="ty",
        id_pattern=re.compile(r"t-[0-9]{1,5}"),
        id_example="toy:t-1",
        shared_ids={"t-0": "everybody at the toy"},
    ),
    settings=ToySettings,
    setup=Sentence(zh="TOY_KEY（玩具）", en="TOY_KEY (any)"),
    build=build,
    check=check,
)
ALL = (*PLATFORMS, TOY)


class GameSettings(PlatformSettings, frozen=True, kw_only=True):
    @property
    def is_configured(self) -> bool:
        return True


GAME = replace(
    TOY,
    identity=replace(
        TOY.identity, name="game", agent_prefix="gm", title=Sentence(zh="游戏", en="the game")
    ),
    settings=GameSettings,
    build=lambda settings, access, announce: ToyAdapter(access, platform="game"),
)
"""Another one, for what takes two platforms."""


def settings(data: Path, **more: object) -> Settings:
    given: dict[str, object] = {"toy_key": "k", "owner_ids": f"toy:{ANN}", **more}
    return read_all_settings(
        (*ALL, GAME), env_file=None, data_dir=data, capture_notice=False, **given
    )


async def ask(app: App, adapter: PlatformAdapter, text: str) -> str:
    """Write something in the platform's chat, and return what is answered."""
    assert isinstance(adapter, ToyAdapter)
    before = len(adapter.channel.finals())
    await app.receive(
        Incoming(
            dedupe_key=text,
            conversation=ConversationKey(platform=adapter.platform, account="7", chat="t-9"),
            sender=Sender(id=ANN, name="Ann"),
            at=NOON,
            text=text,
        )
    )
    await until(lambda: len(adapter.channel.finals()) > before)
    return adapter.channel.finals()[-1]


async def test_run_serves_it_and_its_chats_have_agents_of_its_own(tmp_path: Path) -> None:
    async with open_program(settings(tmp_path), ALL) as (app, (toy,)):
        assert isinstance(toy, ToyAdapter)
        assert toy.entered == 1
        assert await ask(app, toy, "记住：我喜欢猫")
        agent_id = await app.bindings.agent_id(PLACE, private=True)

    assert re.fullmatch("ty-p-[0-9a-f]{20}", agent_id)
    assert toy.entered == 0


async def test_the_status_lists_it_and_a_link_calls_it_by_its_title(tmp_path: Path) -> None:
    both = (*ALL, GAME)
    asked_for = settings(tmp_path, owner_ids="toy:t-1,game:t-1")
    async with open_program(asked_for, both) as (app, (toy, other)):
        code = (await ask(app, toy, "/link")).split("：")[1].split()[0]
        await ask(app, other, f"/link {code}")
        await ask(app, toy, "/status")

    assert isinstance(toy, ToyAdapter)
    assert isinstance(other, ToyAdapter)
    assert "玩具" in repr(other.channel.documents[-1])
    (table,) = (
        block
        for document in toy.channel.documents
        for block in document.blocks
        if isinstance(block, Table) and block.name == "channels"
    )
    assert {str(row[0]) for row in table.rows} == {"toy", "game"}


def test_the_doctor_checks_it_with_its_owners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOY_KEY", "abc")
    owner_file(tmp_path, "toy").write_text('{"owner": "t-5"}', encoding="utf-8")

    status = run_doctor(Namespace(data=tmp_path), ALL)

    assert "toy 'abc' of ['t-5']" in capsys.readouterr().out
    assert status == 0


async def test_run_says_how_each_platform_is_configured(tmp_path: Path) -> None:
    with pytest.raises(InputRefused) as refused:
        async with open_program(settings(tmp_path, toy_key=""), ALL):
            pass

    said = refused.value.in_language("zh")
    assert all(each.setup is None or each.setup.zh in said for each in ALL), said


def test_its_settings_are_read_and_its_address_is_its_own(tmp_path: Path) -> None:
    lark = {
        "lark_app_id": "cli_a1b2c3",
        "lark_app_secret": "s",
        "lark_mode": "webhook",
        "lark_encrypt_key": "e",
        "lark_verification_token": "v",
    }

    assert settings(tmp_path).section(ToySettings).toy_key == "k"
    with pytest.raises(InputRefused, match="LARK_WEBHOOK_BIND and TOY_BIND"):
        settings(tmp_path, **lark)
    # One server answers several paths of one address.
    other = settings(tmp_path, **lark, lark_webhook_path="/other")
    assert other.section(ToySettings).toy_key == "k"


def test_its_ids_are_people_and_chats_like_any_other() -> None:
    identities = identities_of(ALL)
    access = Access(identities.parsed_ids("toy:t-1"), identities.parsed_ids("toy:t-2"), identities)

    levels = [access.level_of(Author("toy", each, "t-9")) for each in ("t-1", "t-2", "t-3", "t-0")]
    assert levels == [
        AccessLevel.OWNER,
        AccessLevel.ALLOWED,
        AccessLevel.STRANGER,
        AccessLevel.MACHINE,
    ]
    assert identities.default_agent_id("toy", "12", private=False) == "ty-g-12"
    with pytest.raises(InputRefused, match="toy:t-1"):
        identities.parsed_ids("toy:Ann")
    with pytest.raises(InputRefused, match="everybody at the toy"):
        identities.parsed_ids("toy:t-0")


@pytest.mark.parametrize("same", [{"name": "toy"}, {"agent_prefix": "ty"}], ids=str)
def test_two_platforms_never_share_a_name_or_the_agents_of_their_chats(
    same: dict[str, str],
) -> None:
    other = replace(GAME, identity=replace(GAME.identity, **same))  # type: ignore[arg-type]

    with pytest.raises(ValueError, match="of its own"):
        identities_of((*ALL, other))


def test_a_platform_that_nobody_knows_any_more_still_has_a_name() -> None:
    assert identities_of().title("toy") == Sentence(zh="toy", en="toy")


@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda each: each.name)
def test_every_key_is_in_the_example_and_every_platform_has_its_page(platform: Platform) -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    missing = [
        key.upper()
        for key in fields_of(platform.settings)
        if not re.search(rf"^#{key.upper()}=", example, re.MULTILINE)
    ]

    assert not missing
    assert platform.build is None or (ROOT / "docs" / f"{platform.name}.md").is_file()


def test_nothing_outside_its_package_names_a_platform() -> None:
    names = "|".join(each.name for each in PLATFORMS)
    named = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in ("bot", "memory", "prompts")
        for path in (ROOT / package).rglob("*.py")
        if path.relative_to(ROOT).parts[:2] != ("bot", "adapters")
        or path.relative_to(ROOT).parts[2] not in {each.name for each in PLATFORMS}
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(rf"""["']({names})["']""", line)
    ]

    assert not named, "\n".join(named)
