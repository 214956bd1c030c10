"""Answers as language models write them in chats: sound Markdown, and every odd spot of it."""

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.adapters.lark.formatting import answer_payload, message_kind, message_texts
from bot.adapters.telegram.formatting import FormattedMessage, formatted_messages

RAW: Final = re.compile(r"\*\*|^ {0,3}#{1,6} |\|\s*:?-{2,}", re.MULTILINE)
"""Markup that was meant to be read by a program."""

OPENINGS: Final = (
    "好的，我来整理一下：",
    "**结论：**可以去，但要早点出门。",
    "简单说，**“先睡够”**比什么都重要。",
    "Sure! Here's what I'd do:",
    "主人，这个问题分**三点**来看：",
    "** 注意 **：下面的数字是估算的。",
    "先说重点——**别空腹吃药！**然后再看时间。",
    "> **提醒：**周五要交材料\n> 地点在二楼",
    "##今日安排\n都在这里了。",
    "# 周末计划\n## 上午\n去公园走走。",
)
LISTS: Final = (
    "1. **早餐：**豆浆和油条\n2. **午餐：**面条\n3. **晚餐：**随便吃点",
    "1. 先备份\n1. 再升级\n1. **最后：**重启",
    "- **时间**：周六上午\n- **地点**：西湖边\n  - 带伞\n  - 带水",
    "* 第一条\n* **第二条（重要）**要记住\n* 第三条",
    "- [ ] 买菜\n- [x] 交电费\n- [ ] **洗车（周日）**再说",
    "1. ### 准备\n   - 纸和笔\n2. ### 开始\n   - 写下来",
    "5. 五月去\n7. 七月回",
    "1) **Check:**the logs\n2) Restart it",
)
TABLES: Final = (
    "| 名称 | 价格 |\n|---|---|\n| 茶 | 12 |\n| 咖啡 | 30 |",
    (
        "对比如下：\n| 项目 | **甲** | 乙 |\n|:---|:---:|---:|\n| 速度 | 快 | 慢 |\n"
        "| 说明 | [看这里](https://example.com/a?b=c) | 暂无 |"
    ),
    "| 天 | 安排 |\n|---|---|---|\n| 一 | 上班 |\n| 二 | **休息（补）**一天 |",
    "餐厅 | 人均\n-----|-----\n面馆 | 25\n火锅 | 90",
    (
        "| 步骤 | 说明 | 备注 |\n| --- | --- | --- |\n"
        "| 先打开设置里的通用选项 | 找到语言与地区这一项再点进去 | 可能要重启 |"
    ),
    "### 预算\n| 项 | 元 |\n|---|---|\n| 房 | 3000 |\n合计 3000 元。",
)
ODDITIES: Final = (
    "写成 <b>粗体</b> 也行，**但是：**别混着用。",
    "引用自报告[^1]，**仅供参考。**\n\n[^1]: 2024 年的数据",
    "公式是 $E=mc^2$，**即：**质能等价。",
    "用 `git push` 之后，**再看`main`：**有没有更新。",
    "```python\nx = 2 ** 10  # 不是标题\n```\n**说明：**幂运算。",
    "List<int> 和 a < b && c > d，**泛型：**见文档。",
    "~~原来的~~**新的：**都改了。",
    "***特别重要：***一定要看。",
    "见 [文档](https://example.com/x_(y))，**其余：**略。",
    "价格 5*3=15，**合计：**15 元 & 税",
    "### 小结 ###\n**一句话：**睡觉。",
    "---\n**附：**电话 010-1234 #话题 @某人",
    "“**引号里：**”也有，（**括号里！**）也有",
    "**甲：**1、**乙：**2、**丙：**3",
    "\\*不是斜体\\*，**是粗体。**对吧？",
    "第一行  \n第二行\n\n    缩进的代码 ** 不算\n\n**完。**好了",
    "**Note:**this and **that.**And so on.",
    "😀**表情：**好👨‍👩‍👧‍👦**家（三口）**出门",
)
CLOSINGS: Final = (
    "需要我再**细说（比如花费）**吗？",
    "祝顺利！",
    "#### 下一步\n告诉我你的想法。",
    "Let me know **if it works!**Thanks.",
    "",
)


WRITTEN: Final = Path(__file__).parents[1] / "sets" / "answers"
MASKED: Final = re.compile(r"(?<=\w)\*{3,}(?=\w)")
"""Stars in place of digits are what was meant: ``138****0000``."""


def written_answers(language: str) -> list[str]:
    """Return the 150 answers of a language that were written by hand, one for one."""
    return (WRITTEN / f"{language}.txt").read_text("utf-8").strip("\n").split("\n%\n")


def shows_raw(shown: str) -> bool:
    """Whether somebody sees markup."""
    return bool(RAW.search(MASKED.sub("", shown)))


def model_answers(count: int, seed: int = 0) -> list[str]:
    """Return so many answers, the same for the same seed; every odd spot is in several."""
    chance = Random(seed)
    answers = []
    for number in range(count):
        middle = [
            LISTS[number % len(LISTS)],
            TABLES[number % len(TABLES)],
            ODDITIES[number % len(ODDITIES)],
            chance.choice(ODDITIES),
        ]
        chance.shuffle(middle)
        parts = [chance.choice(OPENINGS), *middle[: chance.randint(1, 4)], chance.choice(CLOSINGS)]
        answers.append(chance.choice(["\n\n", "\n\n", "\n\n\n"]).join(filter(None, parts)))
    return answers


def prose_of(message: FormattedMessage) -> str:
    """Return what a message says outside code."""
    units = message.text.encode("utf-16-le")
    for each in message.entities:
        if each.type in {"code", "pre"}:
            start, end = 2 * each.offset, 2 * (each.offset + each.length)
            units = units[:start] + ".".encode("utf-16-le") * each.length + units[end:]
    return units.decode("utf-16-le", "replace")


@cache
def reader() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def read_prose(markdown: str) -> str:
    """Return what somebody reads of Markdown outside code."""

    def words(tokens: list[Token]) -> str:
        return "".join(
            words(each.children) + "\n" if each.children is not None else each.content
            for each in tokens
            if each.type in {"inline", "text"}
        )

    return words(reader().parse(markdown))


def shown_on_lark(answer: str) -> str:
    kind = message_kind(answer)
    shown = ""
    for text in message_texts(answer, kind):
        content = json.loads(answer_payload(kind, text).content)
        if kind == "text":
            shown += content["text"]
        elif kind == "post":
            shown += read_prose(content["zh_cn"]["content"][0][0]["text"])
        else:
            shown += read_prose(content["body"]["elements"][0]["content"])
    return shown


def shown_on_telegram(answer: str) -> str:
    return "\n".join(map(prose_of, formatted_messages(answer)))
