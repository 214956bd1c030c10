"""``/memory law LAW NAME VALUE`` and ``/memory settings``: shown first, then confirmed, undone."""

from contextlib import suppress

import pytest

from bot.desk.documents import Picture
from memory.errors import InputRefused
from memory.laws.registry import Laws
from memory.laws.settings import Setting, settings_of, with_written
from memory.model import AgentSettings, Language
from tests.fakes.cost import share
from tests.fakes.desk import DeskSession, commands, lines, remember, session_with


def chosen(session: DeskSession) -> dict[str, object]:
    return dict(session.agent.settings.parameters)


@pytest.mark.parametrize(
    "line",
    [
        "/memory law tiers fact_decay 0.97",
        "/memory law fact_decay=0.97",
        "/记忆 规律 三层 fact_decay 0.97",
        "/memory settings tiers.fact_decay 0.97",
        "/memory settings tiers fact_decay 0.97",
        "/记忆 设置 fact_decay 0.97",
    ],
)
async def test_a_parameter_is_shown_confirmed_undone_and_taken_back(line: str) -> None:
    async with session_with() as session:
        await remember(session, "我对花生过敏")
        preview = await session.ask(line)
        assert chosen(session) == {}
        done = await session.press(preview)
        assert chosen(session) == {"tiers.fact_decay": 0.97}
        assert "0.97" in lines(done)
        await session.press(await session.ask("/undo"))
        assert chosen(session) == {}
        await session.press(await session.ask(line))
        await session.press(await session.ask("/memory law tiers fact_decay default"))

        assert chosen(session) == {}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("zh", ("0.95", "0.5 到 1", "现在", "改后", "33% → 3%", "今晚会")),
        ("en", ("0.95", "0.5 to 1", "now", "then", "33% → 3%", "tonight would")),
    ],
)
async def test_the_preview_shows_range_curve_and_night(
    language: Language, said: tuple[str, ...]
) -> None:
    async with session_with(language=language) as session:
        await remember(session, "我对花生过敏")
        preview = await session.ask("/memory law tiers fact_decay 0.97")

        assert any(isinstance(block, Picture) for block in preview.blocks)
        for part in said:
            assert part in lines(preview), part


async def test_a_confirmation_is_for_what_was_shown_and_nothing_else() -> None:
    async with session_with() as session:
        await remember(session, "我对花生过敏")
        preview = await session.ask("/memory law tiers fact_decay 0.97")
        other = await session.ask("/memory law tiers boost 0.5")
        await session.press(other)
        again = await session.press(preview)

        assert chosen(session) == {"tiers.boost": 0.5}
        assert "有了变化" in lines(again)
        await session.press(again)
        assert chosen(session) == {"tiers.boost": 0.5, "tiers.fact_decay": 0.97}


@pytest.mark.parametrize(
    ("language", "line", "said"),
    [
        ("zh", "/memory law tiers fact_decay 2", "0.5 到 1"),
        ("en", "/memory law tiers fact_decay 2", "0.5 to 1"),
        ("zh", "/memory law disuse everyday 0.9", "disuse.full_from"),
        ("en", "/memory law disuse everyday 0.9", "may not exceed"),
        ("zh", "/memory settings fact_deca 1", "tiers.fact_decay"),
        ("en", "/memory settings zone Mars/Olympus", "Asia/Shanghai"),
        ("zh", "/memory law nonsense", "没有“nonsense”"),
        ("en", "/memory settings nonsense 1", "no law or setting nonsense"),
        ("zh", "/memory settings U 0.1", "0.5 到 2"),
    ],
)
async def test_what_cannot_be_is_refused_and_says_what_can(
    language: Language, line: str, said: str
) -> None:
    async with session_with(language=language) as session:
        answer = await session.ask(line)

        assert said in lines(answer)
        assert commands(answer) == []


@pytest.mark.parametrize(
    ("line", "shown", "settings"),
    [
        ("/memory settings U 0.8", "weights", AgentSettings(user_factor=0.8)),
        ("/memory settings 时区 Asia/Tokyo", "21:00", AgentSettings(time_zone="Asia/Tokyo")),
        ("/memory settings 称呼 小雨", "小雨", AgentSettings(partner="小雨")),
        ("/memory settings retention_floor 0", "0.00", AgentSettings(retention_floor=0.0)),
        ("/memory settings listening 关", "false", AgentSettings(listening=False)),
        ("/memory settings injected_tokens 500", "500", AgentSettings(injected_tokens=500)),
        (
            "/memory law network scheme a",
            "A",
            AgentSettings(parameters=(("network.scheme", "A"),)),
        ),
        (
            "/memory law network capacity 50",
            "曲线不变",
            AgentSettings(parameters=(("network.capacity", 50),)),
        ),
    ],
)
async def test_what_is_beside_the_law_is_set_the_same_way(
    line: str, shown: str, settings: AgentSettings
) -> None:
    async with session_with() as session:
        preview = await session.ask(line)
        assert shown in lines(preview)
        assert session.agent.settings == AgentSettings()
        await session.press(preview)

        assert session.agent.settings == settings


async def test_a_whole_law_goes_back_to_its_defaults() -> None:
    async with session_with() as session:
        for line in ("/memory law tiers boost 0.5", "/memory law tiers rest_days 9"):
            await session.press(await session.ask(line))
        preview = await session.ask("/memory law tiers default")
        assert "tiers.boost" in lines(preview)
        await session.press(preview)

        assert chosen(session) == {}
        assert "都回到了默认" in await session.says("/memory law tiers default")


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_settings_tell_what_is_set_and_a_law_what_it_takes(language: Language) -> None:
    async with session_with(language=language) as session:
        await session.press(await session.ask("/memory law tiers boost 0.5"))
        said = await session.says("/memory settings")
        law = await session.says("/memory settings weights")

        assert "tiers.boost · 0.5 · 0.3" in said
        assert "tiers.fact_decay" not in said
        assert "retention_floor" in said
        assert "weights.ALPHA_BASE" in law
        assert "tiers.boost" in await session.says("/memory law tiers")
        assert "tiers.boost" not in await session.says("/memory law")


def other_values(setting: Setting) -> list[str]:
    """Return values that a setting might take instead of its default; some break an order."""
    bound, default = setting.bound, setting.default
    if bound.choices:
        others = [each for each in bound.choices if each != default]
        return [str(each).lower() if isinstance(each, bool) else str(each) for each in others]
    if bound.form != "number":
        return [{"zone": "Europe/Berlin", "hours": "23-7"}.get(bound.form, "小雨")]
    middle = float(default)
    ways = [(share, border) for share in (0.5, 0.1) for border in (bound.high, bound.low)]
    middles = [middle + share * (border - middle) for share, border in ways]
    written = [str(round(each)) if bound.whole else f"{each:.4f}" for each in middles]
    return [each for each in written if float(each) != default]


@pytest.mark.hunted
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_everything_that_can_be_set_is_set_from_the_chat_and_taken_back(
    language: Language,
) -> None:
    async with session_with(language=language) as session:
        await remember(session, "我对花生过敏")
        before = session.agent.settings
        # Half of them in one language and half in the other, and all in both in a hunt.
        for setting in share(settings_of(Laws()), of=2, first=("zh", "en").index(language)):
            command = "/memory settings" if not setting.law else f"/memory law {setting.law}"
            name = setting.name.removeprefix(f"{setting.law}.")
            for value in other_values(setting):
                preview = await session.ask(f"{command} {name} {value}")
                if commands(preview):
                    break
            else:
                raise AssertionError(setting.name)
            assert setting.bound.in_language(language) in lines(preview), setting.name
            await session.press(preview)
            assert setting.value_in(session.agent.settings) != setting.default, setting.name
            await session.press(await session.ask("/undo"))
            assert session.agent.settings == before, setting.name


def test_everything_that_can_be_set_is_set_by_the_file_of_settings() -> None:
    for setting in settings_of(Laws()):
        set_to = []
        for value in other_values(setting):
            with suppress(InputRefused):
                set_to.append(with_written(AgentSettings(), f"{setting.name}={value}", Laws()))
        assert set_to, setting.name
        assert all(setting.value_in(each) != setting.default for each in set_to), setting.name


@pytest.mark.parametrize(
    ("language", "laws"),
    [
        ("zh", "权重（weights） → 三层（tiers）"),
        ("en", "weighted factors (weights) → three tiers (tiers)"),
    ],
)
async def test_undo_names_the_setting_that_goes_back(language: Language, laws: str) -> None:
    async with session_with(language=language) as session:
        await session.press(await session.ask("/memory law tiers fact_decay 0.97"))
        preview = lines(await session.ask("/undo"))
        assert "tiers.fact_decay" in preview
        assert "0.97 → 0.95" in preview
        await session.press(await session.ask("/memory law weights"))
        preview = lines(await session.ask("/undo"))

        assert laws in preview
        assert "tiers.fact_decay" not in preview
