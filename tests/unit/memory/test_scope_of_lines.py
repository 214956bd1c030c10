"""What is erased with a line: everything that rests on that line alone, and nothing besides."""

from dataclasses import replace

from memory.changes import DiaryLine, Put, Receipt, Record, Turn, Used
from memory.erasing.erasure import former_state_without, plan_erasure
from memory.erasing.scope import OneMemory, Target, TextMatch
from memory.model import Memory, Message, Passage, Role, Tier
from memory.state import MemoryState
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON

WORDS = "老吴叫吴德全，四十五岁，老婆前年走了"


def line(number: int, text: str) -> Passage:
    return Passage(text=text, source_ids=(f"m{number}",), at=NOON, verbatim=True)


def resting_on(memory: Memory, *messages: int) -> Memory:
    sources = tuple(f"m{each}" for each in messages)
    gist = Passage(text=memory.words.text, source_ids=sources, at=NOON)
    return replace(memory, passages=(gist, *(p for p in memory.passages if p.verbatim)))


def episode(number: int, gist: str, *lines: Passage) -> Memory:
    text = f"[2026-03-04 20:00] {gist}"
    made = replace(a_memory(number, text, tier=Tier.EPISODE), passages=lines)
    return resting_on(made, *(int(each.source_ids[0][1:]) for each in lines))


def said(*texts: str) -> list[DiaryLine]:
    found = []
    for number, text in enumerate(texts):
        who: Role = "assistant" if text.startswith("小祥：") else "user"
        message = a_message(f"m{number}", text.removeprefix("小祥："), at=NOON, role=who)
        found.append(DiaryLine(message=message, conversation="a", number=number))
    return found


def puts(*records: Record) -> list[Put]:
    return [Put(each) for each in records]


def after(target: Target, *records: Record) -> MemoryState:
    state, _ = MemoryState().apply(puts(*records))
    erasure = plan_erasure(state, target, NOON, key_hex="00" * 16)
    return state.apply(erasure.changes)[0] if erasure else state


def test_what_was_learnt_from_an_erased_line_goes_though_it_does_not_hold_the_word() -> None:
    wife = resting_on(a_memory(1, "主人：老婆前年走了"), 0)
    other = resting_on(a_memory(2, "主人对花生过敏"), 1)
    left = after(TextMatch("老吴"), *said(WORDS, "我对花生过敏"), wife, other)

    assert set(left.memories) == {2}
    assert left.memories[2] == other


def test_of_one_memory_only_its_own_goes() -> None:
    wife, age = resting_on(a_memory(1, "老婆前年走了"), 0), resting_on(a_memory(2, "四十五岁"), 0)
    left = after(OneMemory(1), *said(WORDS), wife, age)
    assert set(left.memories) == {2}


def test_the_self_scan_looks_for_what_was_learnt() -> None:
    wife = resting_on(a_memory(1, "主人：老婆前年走了"), 0)
    state, _ = MemoryState().apply(puts(*said(WORDS), wife))
    erasure = plan_erasure(state, TextMatch("老吴"), NOON, key_hex="00" * 16)
    assert erasure is not None
    assert "主人：老婆前年走了" in erasure.texts


def test_a_former_state_loses_it_as_well() -> None:
    wife = resting_on(a_memory(1, "主人：老婆前年走了"), 0)
    age = resting_on(a_memory(2, "主人四十五岁"), 0)
    state, _ = MemoryState().apply(puts(*said(WORDS), wife))
    former, _ = MemoryState().apply(puts(*said(WORDS), wife, age))
    erasure = plan_erasure(state, TextMatch("老吴"), NOON, key_hex="00" * 16)

    cleaned = former_state_without(former, TextMatch("老吴"), erasure)

    assert cleaned is not None
    assert not cleaned.memories


def test_what_a_line_that_stays_says_too_is_kept_and_rests_on_it() -> None:
    fact = resting_on(a_memory(1, "主人对花生过敏"), 0, 1)
    left = after(TextMatch("老吴"), *said("老吴和我都对花生过敏", "我对花生过敏"), fact)

    assert left.memories[1].words.text == "主人对花生过敏"
    assert left.memories[1].source_ids == ("m1",)


def test_what_a_line_that_stays_says_in_part_is_told_anew_from_it() -> None:
    fact = resting_on(a_memory(1, "主人对花生和芒果过敏"), 0, 1)
    unsaid = resting_on(a_memory(2, "主人送了一盆兰花"), 0, 1)
    left = after(
        TextMatch("老吴"), *said("送老吴一盆兰花，对芒果过敏", "我对花生过敏"), fact, unsaid
    )

    assert left.memories[1].words.text == "主人对花生过敏"
    assert "芒果" not in repr(left)
    assert "兰花" not in repr(left)


def test_a_gist_is_told_anew_without_the_lines_that_go() -> None:
    whole = episode(
        1, "聊了摄护腺、确定、心情", line(0, "老蔡確定是攝護腺癌"), line(1, "今天去爬象山")
    )
    whole = replace(whole, words=replace(whole.words, keywords=("摄护腺", "生病")))
    left = after(TextMatch("老蔡"), *said("老蔡確定是攝護腺癌", "今天去爬象山"), whole)

    told = left.memories[1]
    assert "摄护腺" not in repr(told)
    assert "象山" in told.words.text
    assert told.words.text.startswith("[2026-03-04 20:00] ")


def test_a_gist_without_lines_is_told_anew_from_the_diary() -> None:
    short = resting_on(a_memory(1, "[2026-03-04 20:00] 聊了摄护腺", tier=Tier.EPISODE), 0, 1)
    left = after(TextMatch("老蔡"), *said("老蔡確定是攝護腺癌", "今天去爬象山"), short)

    assert "摄护腺" not in repr(left.memories[1])
    assert "象山" in left.memories[1].words.text


def test_an_episode_of_which_nobodys_line_is_left_goes() -> None:
    whole = episode(1, "聊了摄护腺", line(0, "老蔡確定是攝護腺癌"))
    assert not after(TextMatch("老蔡"), *said("老蔡確定是攝護腺癌"), whole).memories


def test_an_answer_that_repeats_what_was_learnt_goes() -> None:
    wife = resting_on(a_memory(1, "主人：老婆前年走了"), 0)
    talk = said(WORDS, "我跟谁分手了", "小祥：我记得：老婆前年走了（5月12日）。", "今天下雨")
    left = after(TextMatch("老吴"), *talk, wife)
    assert set(left.diary) == {"m1", "m3"}


def test_names_that_only_erased_lines_say_go() -> None:
    names = [a_memory(each, name, tier=Tier.ENTITY) for each, name in ((1, "吴德全"), (2, "阿福"))]
    left = after(TextMatch("老吴"), *said(f"{WORDS}，喜欢阿福", "阿福是我的狗"), *names)
    assert set(left.memories) == {2}


def test_reasons_that_quote_an_erased_word_go_from_turns_and_receipts() -> None:
    used = (Used(memory_id=7, score=1.0, reasons=("word:老吴",)),)
    turn = Turn(id="t", conversation="a", at=NOON, said=(_message("今天下雨"),), used=used)
    receipt = Receipt(turn_id="t", at=NOON, used=used)
    left = after(TextMatch("老吴"), *said(WORDS), a_memory(7, "爱喝茶"), turn, receipt)
    assert "老吴" not in repr((left.turns, left.receipts))


def _message(text: str) -> Message:
    return a_message("m9", text, at=NOON)
