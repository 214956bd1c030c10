"""Write the law parameters into docs/settings.md: ``python -m benchmarks.settings_page``.

Only what stands between the two markers is written, and the lines about MEMORY_LAW in
``.env.example``; a test compares both with the declarations.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from memory.laws.law import Law
from memory.laws.parameters import USER_FACTOR, bounds_of
from memory.laws.registry import LAWS, ordered_pairs
from memory.model import AgentSettings

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "settings.md"
EXAMPLE: Final = ROOT / ".env.example"
_EXAMPLE_LINES: Final = re.compile(r"# How memories fade:.*\n#MEMORY_LAW=.*")
BEGIN: Final = "<!-- law parameters: begin (python -m benchmarks.settings_page) -->"
END: Final = "<!-- law parameters: end -->"

INTRODUCTION: Final = """\
## 遗忘法则的参数 · Law parameters

每个智能体各自选择法则（`law`）和参数，写成 `法则.名称`，例如 `ebbinghaus.initialStability`。
名称沿用来源文档；超出范围或不认识的名称会被拒绝，并一次列出所有问题。改变参数不改写任何记忆，
下一次查看或下一个夜晚按新值计算。

Each agent chooses its law and parameters, written `law.name`, as in `ebbinghaus.initialStability`.
Names are those of the source documents. A value out of range or an unknown name is refused, all
faults at once. Changing a parameter rewrites no memory: from then on the new value is used.
"""


def law_parameters(laws: Sequence[Law[Any]] = LAWS) -> str:
    """Return the part of the page that is generated."""
    parts = [INTRODUCTION, *map(_table, laws), _rules(laws)]
    return "\n".join(parts)


def page_with(text: str, laws: Sequence[Law[Any]] = LAWS) -> str:
    """Return ``text`` with the generated part in place, at its end if it had none."""
    if BEGIN not in text:
        return f"{text.rstrip()}\n\n{BEGIN}\n{law_parameters(laws)}{END}\n".lstrip()
    before, rest = text.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n{law_parameters(laws)}{END}{after}"


def example_with(text: str, laws: Sequence[Law[Any]] = LAWS) -> str:
    """Return ``.env.example`` with the laws that MEMORY_LAW may name, and its default."""
    *first, last = (law.name for law in laws)
    line = f"# How memories fade: {', '.join(first)} or {last}."
    return _EXAMPLE_LINES.sub(f"{line}\n#MEMORY_LAW={AgentSettings().law}", text)


def _table(law: Law[Any]) -> str:
    rows = [
        f"| `{law.name}.{bound.name}` | {str(default).lower()} | {_range(str(bound))} "
        f"| {bound.zh} | {bound.en} |"
        for _, bound, default in bounds_of(law.parameters)
    ]
    head = [
        "| 名称 · name | 默认 · default | 范围 · range | 含义 | meaning |",
        "|---|---|---|---|---|",
    ]
    return "\n".join([f"### `{law.name}`", "", *head, *rows, ""])


def _range(text: str) -> str:
    return text.replace(" | ", " / ")


def _rules(laws: Sequence[Law[Any]]) -> str:
    low, high = USER_FACTOR
    u = f"- `user_factor` (U): {low:g} to {high:g}; 0.8 忘得慢 (slowly), 1.3 忘得快 (fast)"
    rules = [f"- `{first}` ≤ `{second}`" for first, second in ordered_pairs(laws)]
    return "\n".join(["### 此外 · Besides", "", u, *rules, ""])


def main() -> None:
    """Write the page, and the laws into ``.env.example``."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else "# 设置 · Settings\n"
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page_with(text), encoding="utf-8")
    EXAMPLE.write_text(example_with(EXAMPLE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
