"""Days with a companion, in the shape of MemoryBank and in words of our own, learnt by rule."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from benchmarks.learnt import Learnt, audit, learn, report
from benchmarks.memorybank import ZONE, recording
from memory.changes import Put

PERSON: dict[str, Any] = {
    "name": "林小满",
    "history": {
        "2026-03-01": [
            {
                "query": "你好，我叫林小满，在苏州一家花店上班，很高兴认识你。",
                "response": "你好小满！我叫小祥，我喜欢听故事，我住在云端。",
            },
            {
                "query": "我喜欢逛菜市场和做手账，你有什么爱好吗？",
                "response": "我也喜欢手账！我最喜欢蓝色的胶带，我养了一只电子猫。",
            },
        ],
        "2026-03-02": [
            {
                "query": "今天好累，店里来了好多客人。怎么放松呢？",
                "response": "辛苦了，可以泡个脚。",
            },
            {"query": "如果我会弹钢琴就好了。", "response": "想学的话现在也不晚。"},
            {"query": "我养了一只狗，叫豆包，它总咬我的拖鞋。", "response": "豆包真调皮。"},
        ],
        "2026-03-03": [
            {"query": "我喜欢逛菜市场和做手账。", "response": "你前天也说过，逛得开心就好。"},
            {"query": "后天我要去南京参加同学的婚礼。", "response": "路上小心。"},
            {"query": "我同事喜欢蛇，我怕蛇。", "response": "我不怕蛇，我喜欢蛇。"},
        ],
        "2026-03-04": [
            {"query": "我搬到杭州了，新家离西湖很近！", "response": "恭喜搬家。"},
            {"query": "我不喜欢做手账了，没时间。", "response": "那就歇一歇。"},
            {"query": "请记住备用钥匙在邻居王阿姨家", "response": "好的。"},
            {"query": "明天就是我的生日啦🎂", "response": "提前祝你生日快乐！"},
        ],
    },
}


@pytest.fixture
async def learnt() -> Learnt:
    return await learn(PERSON["name"], recording(PERSON))


def texts(learnt: Learnt, *, past: bool = False) -> list[str]:
    return [m.words.text for m in learnt.facts if (m.trace.negated_at is not None) == past]


async def test_every_plain_statement_is_stored_once_in_the_words_it_was_said_in(
    learnt: Learnt,
) -> None:
    assert texts(learnt) == [
        "主人叫林小满",
        "主人在苏州一家花店上班",
        "主人养了一只狗，叫豆包",
        "主人后天（2026-03-05）要去南京参加同学的婚礼",
        "主人怕蛇",
        "主人搬到杭州了",
        "主人不喜欢做手账了",
        "备用钥匙在邻居王阿姨家",
        "明天（2026-03-05）就是主人的生日啦",
    ]


async def test_each_fact_knows_who_said_it_when_and_in_which_words(learnt: Learnt) -> None:
    said = {turn["query"] for day in PERSON["history"].values() for turn in day}
    dog = next(m for m in learnt.facts if "豆包" in m.words.text)

    assert {memory.origin.speaker for memory in learnt.facts} == {"林小满"}
    assert all(memory.origin.quote in said for memory in learnt.facts)
    assert dog.origin.at.astimezone(ZONE).date() == date(2026, 3, 2)
    assert dog.source_ids == ("2026-03-02-03-user",)


async def test_nothing_comes_from_the_words_of_the_companion(learnt: Learnt) -> None:
    everything = " ".join(memory.words.text for memory in learnt.facts)

    assert not any(word in everything for word in ("小祥", "胶带", "云端", "电子猫", "喜欢蛇"))


async def test_what_was_said_again_is_a_mention_and_what_ended_is_past(learnt: Learnt) -> None:
    assert learnt.done["MENTION"] == 1
    assert learnt.done["NEGATE"] == 1
    assert texts(learnt, past=True) == ["主人喜欢逛菜市场和做手账"]


async def test_the_gate_refuses_nothing_the_rules_wrote(learnt: Learnt) -> None:
    assert learnt.refused == []


async def test_the_report_shows_each_fact_with_the_words_it_rests_on(learnt: Learnt) -> None:
    lines = list(report(learnt))

    assert lines[0].startswith("## 林小满: 12 turns, ")
    assert any("主人搬到杭州了" in line for line in lines)
    assert any(line.endswith("← 林小满：我搬到杭州了，新家离西湖很近！") for line in lines)


async def test_the_audit_finds_nothing_wrong(learnt: Learnt) -> None:
    assert list(audit(learnt, recording(PERSON))) == []


@pytest.mark.parametrize("what", ["owner", "date", "language", "role", "twice"])
async def test_the_audit_finds_what_is_wrong(learnt: Learnt, what: str) -> None:
    messages = [dict(each) for each in recording(PERSON)]
    first = learnt.facts[0]
    (source,) = (each for each in messages if each["id"] == first.source_ids[0])
    match what:
        case "owner":
            source["speaker"] = "小美"
        case "date":
            source["at"] = "2020-01-01T12:00:00+08:00"
        case "language":
            source["text"] = "my name is Lin Xiaoman"
        case "role":
            source["role"] = "assistant"
        case _:
            twin = replace(first, id=learnt.state.next_id)
            learnt.state, _ = learnt.state.apply([Put(twin)])

    assert len(list(audit(learnt, messages))) >= 1
