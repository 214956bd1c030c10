"""Write the law parameters into docs/settings.md and docs/zh/settings.md.

``python -m benchmarks.settings_page`` writes what stands between the two markers and nothing else;
a test compares it with the declarations.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from memory.laws.contract import USER_FACTOR, Bound, bounds_of
from memory.laws.law import Law
from memory.laws.registry import LAWS, ordered_pairs
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
""",
    "zh": """\
## 遗忘法则的参数

每个智能体各自选择法则（`law`）和参数，写成 `法则.名称`，例如 `ebbinghaus.initialStability`。
名称沿用[来源文档](../decisions/sources.md)（英文）；超出范围或不认识的名称会被拒绝，
并一次列出所有问题。改变参数不改写任何记忆，下一次查看或下一个夜晚按新值计算。
""",
}
COLUMNS: Final[dict[Language, str]] = {
    "en": "| name | default | range | meaning |",
    "zh": "| 名称 | 默认 | 范围 | 含义 |",
}
BESIDES: Final[dict[Language, str]] = {"en": "### Besides", "zh": "### 此外"}
USER_FACTOR_LINE: Final[dict[Language, str]] = {
    "en": "- `user_factor` (U): {low:g} to {high:g}; 0.8 forgets slowly, 1.3 fast",
    "zh": "- `user_factor`（U）：{low:g} 到 {high:g}；0.8 忘得慢，1.3 忘得快",
}


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
        f"| `{law.name}.{bound.name}` | {str(default).lower()} | {_range(bound, language)} "
        f"| {bound.zh if language == 'zh' else bound.en} |"
        for _, bound, default in bounds_of(law.parameters)
    ]
    return "\n".join([f"### `{law.name}`", "", COLUMNS[language], "|---|---|---|---|", *rows, ""])


def _range(bound: Bound, language: Language) -> str:
    text = str(bound).replace(" | ", " / ")
    return text.replace(" to ", " 到 ").replace(", whole", "，整数") if language == "zh" else text


def _rules(language: Language, laws: Sequence[Law[Any]]) -> str:
    low, high = USER_FACTOR
    rules = [f"- `{first}` ≤ `{second}`" for first, second in ordered_pairs(laws)]
    user = USER_FACTOR_LINE[language].format(low=low, high=high)
    return "\n".join([BESIDES[language], "", user, *rules, ""])


def main() -> None:
    """Write the pages, and the laws into ``.env.example``."""
    EXAMPLE.write_text(example_with(EXAMPLE.read_text(encoding="utf-8")), encoding="utf-8")
    for language, page in PAGES.items():
        page.write_text(page_with(page.read_text(encoding="utf-8"), language), encoding="utf-8")


if __name__ == "__main__":
    main()
