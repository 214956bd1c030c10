"""Write the law parameters into docs/settings.md and docs/zh/settings.md.

``python -m benchmarks.settings_page`` writes what stands between the two markers and nothing else;
a test compares it with the declarations.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from memory.laws.contract import Bound, ParameterValue, bounds_of
from memory.laws.law import Law
from memory.laws.registry import LAWS, ordered_pairs
from memory.laws.settings import BESIDE_THE_LAWS
from memory.model import AgentSettings, Language

ROOT: Final = Path(__file__).resolve().parents[1]
DOCS: Final = ROOT / "docs"
EXAMPLE: Final = ROOT / ".env.example"
_EXAMPLE_LINES: Final = re.compile(r"# How memories fade:.*\n#MEMORY_LAW=.*")
PAGES: Final[dict[Language, Path]] = {
    "en": DOCS / "settings.md",
    "zh": DOCS / "zh" / "settings.md",
}
BEGIN: Final = "<!-- law parameters: begin (python -m benchmarks.settings_page) -->"
END: Final = "<!-- law parameters: end -->"

INTRODUCTION: Final[dict[Language, str]] = {
    "en": """\
## Law parameters

Each agent chooses its law and the law's parameters, written `law.name`, as in
`ebbinghaus.initialStability`. The names are those of the [source documents](decisions/sources.md).
A value out of range or an unknown name is refused, all faults at once. Changing a parameter
rewrites no memory: from then on the new value is used.

In a chat, and behind `xiaoxiang memory` in the shell, `/memory law tiers fact_decay 0.97` and
`/memory settings tiers.fact_decay 0.97` both show what the value would do: the curve of a typical
memory now and then, and what tonight would do. It holds once you confirm, `/undo` takes it back,
and the value `default` goes back to what stands here. `/memory settings` shows what is set.
`MEMORY_SETTINGS` in `.env` says what a new agent starts with.

```
MEMORY_SETTINGS=tiers.fact_decay=0.97; user_factor=0.8
```
""",
    "zh": """\
## 遗忘法则的参数

每个智能体各自选择法则（`law`）和参数，写成 `法则.名称`，例如 `ebbinghaus.initialStability`。
名称沿用[来源文档](../decisions/sources.md)（英文）；超出范围或不认识的名称会被拒绝，
并一次列出所有问题。改变参数不改写任何记忆，下一次查看或下一个夜晚按新值计算。

在聊天里，或者在命令行的 `xiaoxiang memory` 后面，`/memory law tiers fact_decay 0.97` 和
`/memory settings tiers.fact_decay 0.97` 都先给你看效果：一条典型的记忆，现在和改后各怎样淡忘，
今晚又会做什么。确认了才算数，`/undo` 撤回；值写成 `default` 就回到这里的默认。
`/memory settings` 看现在是什么。`.env` 里的 `MEMORY_SETTINGS` 是新的记忆从什么开始。

```
MEMORY_SETTINGS=tiers.fact_decay=0.97; user_factor=0.8
```
""",
}
COLUMNS: Final[dict[Language, str]] = {
    "en": "| name | default | range | meaning |",
    "zh": "| 名称 | 默认 | 范围 | 含义 |",
}
BESIDES: Final[dict[Language, str]] = {"en": "### Besides", "zh": "### 此外"}


def law_parameters(language: Language, laws: Sequence[Law[Any]] = LAWS) -> str:
    """Return the part of the page that is generated."""
    tables = [_table(law, language) for law in laws]
    return "\n".join([INTRODUCTION[language], *tables, _rules(language, laws)])


def page_with(text: str, language: Language, laws: Sequence[Law[Any]] = LAWS) -> str:
    """Return ``text`` with the generated part in place, at its end if it had none."""
    part = law_parameters(language, laws)
    if BEGIN not in text:
        return f"{text.rstrip()}\n\n{BEGIN}\n{part}{END}\n".lstrip()
    before, rest = text.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n{part}{END}{after}"


def example_with(text: str, laws: Sequence[Law[Any]] = LAWS) -> str:
    """Return ``.env.example`` with the laws that MEMORY_LAW may name, and its default."""
    *first, last = (law.name for law in laws)
    line = f"# How memories fade: {', '.join(first)} or {last}."
    return _EXAMPLE_LINES.sub(f"{line}\n#MEMORY_LAW={AgentSettings().law}", text)


def _table(law: Law[Any], language: Language) -> str:
    rows = [
        f"| `{law.name}.{bound.name}` | {_default(default)} | {_range(bound, language)} "
        f"| {bound.zh if language == 'zh' else bound.en} |"
        for _, bound, default in bounds_of(law.parameters)
    ]
    return "\n".join([f"### `{law.name}`", "", COLUMNS[language], "|---|---|---|---|", *rows, ""])


def _default(value: ParameterValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _range(bound: Bound, language: Language) -> str:
    return bound.in_language(language).replace(" | ", " / ")


def _rules(language: Language, laws: Sequence[Law[Any]]) -> str:
    plain = AgentSettings(language=language, partner="主人" if language == "zh" else "my friend")
    rows = [
        f"| `{each.name}` | {_default(getattr(plain, each.name))} | {_range(each, language)} "
        f"| {each.zh if language == 'zh' else each.en} |"
        for each in BESIDE_THE_LAWS
    ]
    rules = [f"- `{first}` ≤ `{second}`" for first, second in ordered_pairs(laws)]
    table = [COLUMNS[language], "|---|---|---|---|", *rows]
    return "\n".join([BESIDES[language], "", *table, "", *rules, ""])


def main() -> None:
    """Write the pages, and the laws into ``.env.example``."""
    EXAMPLE.write_text(example_with(EXAMPLE.read_text(encoding="utf-8")), encoding="utf-8")
    for language, page in PAGES.items():
        page.write_text(page_with(page.read_text(encoding="utf-8"), language), encoding="utf-8")


if __name__ == "__main__":
    main()
