"""Random texts of the kind a model writes: Chinese, emoji families, code, broken Markdown."""

from random import Random

PIECES = (
    "今天的天气很好，我们出去走走吧。",
    "我记得你说过喜欢冰茶",
    "「引号」与《书名》——还有……省略",
    "A plain English sentence, with *stars* and _lines_. ",
    "👨‍👩‍👧‍👦",
    "👩🏽‍🚀🇨🇳🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "é́́",
    "مرحبا بالعالم",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠮷野家",
    "\n",
    "\n\n",
    "   ",
    "**粗体**",
    "**没有关的粗体",
    "*斜*_体_",
    "~~删除~~ ||剧透||",
    "`代码`",
    "`没有关的代码",
    "\n```python\ndef f(x: list[int]) -> None:\n    return x**2\n```\n",
    "\n```\n没有关的代码块\n",
    "\n# 标题\n",
    "\n- 一\n- 二\n  - 三\n",
    "\n1. 甲\n2. 乙\n",
    "\n5. 从五开始\n7. 跳到七\n",
    "\n> 引用\n>> 更深\n",
    "\n| 列 | b |\n|---|:-:|\n| 1 | 值 |\n",
    "[链接](https://example.com/a?b=c&d=e)",
    "[坏链接](没有地址)",
    "[ref][1]\n\n[1]: https://example.org\n",
    "![图](https://example.com/x.png)",
    "<b>HTML</b> & &amp; <script>alert(1)</script>",
    "List<Map<String, int>> x = y < z > w;",
    "\\* \\_ \\` \\\\",
    "$x^2$ \\(a+b\\) $$\\sum$$",
    "https://example.com/snake_case_path?x=1*2*3",
    "@someone #话题 /command",
    "- [ ] 待办\n- [x] 做了\n",
    "\n---\n",
    "***",
    "____",
    "\u200b\u200d\u2060",
    "\t制表",
    "a" * 300,
    "长" * 700,
    "``` 行内 ```",
    "[^1] 脚注\n\n[^1]: 在这里\n",
)


def random_text(chance: Random) -> str:
    """Return a text with something to see in it, up to some 15,000 UTF-16 units long."""
    count = chance.choice((1, 3, 10, 40, 150))
    return "好" + "".join(chance.choice(PIECES) for _ in range(count))
