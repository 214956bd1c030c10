"""The checklist of docs/guides/write-a-platform.md."""

import json
import subprocess
import sys
from pathlib import Path

from bot.adapters import PLATFORMS
from bot.sections import fields_of
from tests.architecture.sources import (
    PRODUCT,
    ROOT,
    imported_modules,
    name,
    python_files,
    refuse,
    text,
)

ADAPTERS = ROOT / "bot/adapters"
SERVED = tuple(platform for platform in PLATFORMS if platform.build is not None)
"""Those that `xiaoxiang run` serves; the terminal has no settings and no page of its own."""

CONTRACTS = python_files("tests/contract")
LIBRARIES = ("telegram", "telegramify_markdown", "lark_oapi")


def test_a_platform_is_a_package_that_exports_one_value() -> None:
    packages = {path.parent.name for path in ADAPTERS.glob("*/__init__.py")}

    assert packages == {platform.name for platform in PLATFORMS}


def test_a_platform_has_a_whole_identity() -> None:
    prefixes = [platform.identity.agent_prefix for platform in SERVED]

    assert all(prefixes)
    assert len(set(prefixes)) == len(prefixes)
    for platform in PLATFORMS:
        assert platform.identity.title.zh, platform.name
        assert platform.identity.title.en, platform.name
    for platform in SERVED:
        known, _, example = platform.identity.id_example.partition(":")
        assert known == platform.name
        assert platform.identity.id_pattern is not None
        assert example.endswith("…") or platform.identity.id_pattern.fullmatch(example)


def test_an_unused_platform_costs_nothing() -> None:
    asked = "import bot.adapters, json, sys; print(json.dumps(list(sys.modules)))"
    ran = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert not set(LIBRARIES) & set(json.loads(ran.stdout))


def test_the_settings_of_a_platform_are_described() -> None:
    described = text(ROOT / ".env.example")
    refuse(
        [
            f"{platform.name}: {field.upper()}"
            for platform in SERVED
            for field in fields_of(platform.settings)
            if f"#{field.upper()}=" not in described
        ]
    )


def test_a_platform_has_a_page_for_operators() -> None:
    pages = [f"docs/{each}{platform.name}.md" for platform in SERVED for each in ("", "zh/")]

    refuse([page for page in pages if not (ROOT / page).exists()])


def test_a_platform_runs_through_the_contract_tests() -> None:
    refuse(
        [
            f"{platform.name}: {part}"
            for platform in PLATFORMS
            for part in ("presenter", "delivery")
            if not any(_tests(path, platform.name, part) for path in CONTRACTS)
        ]
    )


def _tests(path: Path, platform: str, part: str) -> bool:
    """Whether a contract test imports that part of the platform; cards are Lark's documents."""
    parts = {part, "cards"} if part == "presenter" else {part}
    return any(
        module.startswith(f"bot.adapters.{platform}.") and module.rpartition(".")[2] in parts
        for module in imported_modules(path)
    )


def test_nobody_reaches_into_a_platform() -> None:
    refuse(
        [
            f"{name(path)}: {module}"
            for path in PRODUCT
            for module in imported_modules(path)
            for platform in SERVED
            if module.startswith(f"bot.adapters.{platform.name}")
            and not name(path).startswith(
                (f"bot/adapters/{platform.name}/", "bot/adapters/__init__.py")
            )
        ]
    )
