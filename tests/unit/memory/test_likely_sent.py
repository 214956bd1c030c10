"""What came without words: she says that she cannot open it, and what it was if that is asked."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.model import Language
from memory.offline.replies import reply_to
from memory.offline.vocabulary import EN, ZH
from prompts import PromptLine, PromptMemory, Reply

AT = datetime(2026, 11, 28, 16, 44, tzinfo=ZoneInfo("Asia/Shanghai"))
VOICE = "（发来一段语音，我还听不了）"
PICTURE = "（发来一张图片，我还看不了）"
FILE = "（发来一个文件：体检报告2026.pdf，我还打不开）"


def answers(
    *lines: str, language: Language = "zh", memories: tuple[PromptMemory, ...] = ()
) -> list[str]:
    """Return what she says to each of some lines, a minute apart."""
    window: list[PromptLine] = [
        PromptLine("user", "主人", AT, "在"),
        PromptLine("assistant", "小祥", AT, "我在。"),
    ]
    told = []
    for place, line in enumerate(lines):
        now = AT + timedelta(minutes=place)
        window.append(PromptLine("user", "主人", now, line))
        prompt = Reply(
            persona="", language=language, partner="主人", now=now, window=tuple(window),
            memories=memories,
        )  # fmt: skip
        told.append(reply_to(prompt))
        window.append(PromptLine("assistant", "小祥", now, told[-1]))
    return told


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("picture", PICTURE),
        ("picture", f"我家年糕今天的样子\n{PICTURE}"),
        ("picture", f"这是什么花\n{PICTURE}"),
        ("picture", f"周末去西湖拍的\n{PICTURE}\n{PICTURE}"),
        ("voice", VOICE),
        ("file", FILE),
        ("video", "（发来一段视频，我还看不了）"),
        ("sticker", "（发来一个贴纸：😂）"),
        ("sticker", "（发来一个表情）"),
        ("place", "（发来一个地点：西湖，龙井路1号）"),
        ("contact", "（发来一张名片：王医生，138）"),
        ("contact", "（分享了一个群）"),
        ("vote", "（发起投票：去哪 选项：山；海）"),
        ("plan", "（发来一个日程：评审会，– 到 –）"),
        ("forward", "（转来一张卡片）"),
        ("thing", "（发来一样我还打不开的东西）"),
        ("several", f"{VOICE}\n{FILE}"),
    ],
)
def test_she_says_that_she_cannot_open_it(kind: str, line: str) -> None:
    # Also when every way of saying so was used.
    for said in answers(*[line] * 5):
        assert said in [each.replace("{name}", "主人") for each in ZH.openings[f"sent_{kind}"]]


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("picture", "(sent a picture I cannot see yet)"),
        ("voice", "(sent a voice note I cannot hear yet)"),
        ("file", "(sent a file I cannot open yet: bloodtest.pdf)"),
        ("sticker", "(sent a sticker: 😂)"),
        ("thing", "(sent something I cannot open yet)"),
    ],
)
def test_she_says_so_in_english(kind: str, line: str) -> None:
    for said in answers(*[line] * 3, language="en"):
        assert said in EN.openings[f"sent_{kind}"]


def test_what_was_said_with_it_is_answered() -> None:
    told = answers(f"我妹妹叫林夏\n{PICTURE}", f"我妹妹叫什么\n{PICTURE}")

    assert "你妹妹叫林夏" in told[0]
    assert "林夏" in told[1]
    assert any("图片" in each for each in told)
    assert all(re.search("看不[了见]", each) for each in told)


@pytest.mark.parametrize(
    ("asked", "came"),
    [
        ("刚才我给你发了啥来着", ["语音", "体检报告2026.pdf", "图片"]),
        ("我刚刚发了什么？", ["语音", "体检报告2026.pdf", "图片"]),
        ("我刚发的语音你听得到吗", ["语音"]),
        ("你听到我发的语音了吗", ["语音"]),
        ("刚才发的文件你看了吗", ["体检报告2026.pdf"]),
        ("刚才那张照片看到了吗", ["图片"]),
        ("你收到我给你发的图片没", ["图片"]),
        ("what did I just send you?", ["语音", "体检报告2026.pdf", "图片"]),
        ("did you get the picture i sent?", ["图片"]),
        ("can you open my file?", ["体检报告2026.pdf"]),
    ],
)
def test_asked_what_came_she_says_what_it_was(asked: str, came: list[str]) -> None:
    *_, said = answers(VOICE, FILE, PICTURE, asked)

    assert [each for each in ("语音", "体检报告2026.pdf", "图片") if each in said] == came
    assert "说过" not in said
    assert "said" not in said


@pytest.mark.parametrize(
    "asked",
    [
        "我给老板发了什么文件来着",
        "我昨天发了什么朋友圈",
        "我刚才给我妈发了什么",
        "老王刚才说了什么",
        "我妹妹叫什么",
        "年糕像什么",
        "what did i send my mum?",
        "公司什么时候发工资",
    ],
)
def test_who_asks_something_else_is_told_nothing_of_it(asked: str) -> None:
    memory = PromptMemory("", VOICE, AT, "diary", "主人")
    *_, said = answers(VOICE, FILE, asked, memories=(memory,))

    assert "发来" not in said
    assert "sent" not in said


def test_it_is_never_told_as_said() -> None:
    came = PromptMemory(
        "m1", "[2026-11-27 10:00] 聊了几句", AT - timedelta(days=1), "episode",
        quote=f"{FILE} … {VOICE}",
        said=(PromptLine("user", "主人", AT - timedelta(days=1), FILE),),
    )  # fmt: skip
    for asked in ("我的体检报告怎么样", "我有什么语音", "昨天我们聊了什么", "刚才聊了什么"):
        *_, said = answers(VOICE, asked, memories=(came,))
        assert "说过：「（" not in said
        assert "你说：「（" not in said
