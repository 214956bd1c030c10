"""The checklist of docs/guides/write-a-law.md."""

import ast
from collections import Counter
from dataclasses import fields, is_dataclass

from memory.laws.contract import bounds_of
from memory.laws.registry import LAWS
from tests.architecture.sources import PRODUCT, ROOT, name, nodes, refuse, text

OTHER_USES = {
    # Settings lie below the laws, and say by name which one holds unless another is chosen.
    "memory/model.py",
    # Its "tiers" are the tiers of memories, the name of a block in JSON.
    "bot/desk/overview.py",
}


def test_a_law_is_a_whole_value() -> None:
    for law in LAWS:
        assert law.name.isascii(), law.name
        assert law.name.islower(), law.name
        assert all((*law.title, *law.quantity.title)), law.name
        assert law.quantity.full > 0, law.name
        assert law.quantity.format(law.quantity.full), law.name


def test_every_parameter_of_a_law_is_declared() -> None:
    for law in LAWS:
        declared = list(bounds_of(law.parameters))

        assert is_dataclass(law.parameters), law.name
        assert len(declared) == len(fields(law.parameters)), law.name
        refuse(
            [
                f"{law.name}.{field}"
                for field, bound, default in declared
                if not (bound.zh and bound.en and bound.admits(default))
            ]
        )
        names = {bound.name for _, bound, _ in declared}
        assert {each for pair in law.ordered for each in pair} <= names, law.name


def test_laws_share_no_name() -> None:
    words = Counter(word for law in LAWS for word in {law.name, *law.also})
    keys = Counter(law.quantity.key for law in LAWS)

    refuse([word for word, count in (words + keys).items() if count > 1])


def test_a_law_is_documented() -> None:
    refuse(
        [
            f"{page}: {law.name}.{bound.name}"
            for page in ("docs/settings.md", "docs/zh/settings.md")
            for law in LAWS
            for _, bound, _ in bounds_of(law.parameters)
            if f"`{law.name}.{bound.name}`" not in text(ROOT / page)
        ]
    )


def test_a_law_has_its_decision() -> None:
    pages = [f"docs/decisions/law-{law.name}.md" for law in LAWS]

    refuse([page for page in pages if not (ROOT / page).exists()])


def test_a_law_has_its_tests() -> None:
    files = [f"tests/unit/memory/test_law_{law.name}.py" for law in LAWS]

    refuse([file for file in files if not (ROOT / file).exists()])


def test_no_law_is_named_outside_its_module() -> None:
    """A law is asked through its value; a branch on its name would be missed by the next law."""
    names = {law.name for law in LAWS}
    homes = {*OTHER_USES, *(f"memory/laws/{each}.py" for each in names)}
    refuse(
        [
            f"{name(path)}:{node.lineno}: {node.value!r}"
            for path in PRODUCT
            if name(path) not in homes
            for node in nodes(path)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value in names
        ]
    )
