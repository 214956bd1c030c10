from dataclasses import replace
from datetime import timedelta
from itertools import takewhile
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.conversation.prompt_budget import TokenBudget, cost, crowding_lines, fitted, for_rules
from bot.llm.tokens import TokenCounter
from memory.changes import Turn, Window
from memory.diary import window_after
from prompts import PromptLine, PromptMemory, Reply, default_persona
from tests.builders import a_message
from tests.fakes.agent import FakeAgent
from tests.fakes.clock import NOON

WORDS = st.sampled_from(
    ["好", "我今天去了海边", "a longer line of English words", "👨‍👩‍👧", "مرحبا", "字" * 200]
)


def line(text: str, *, own: bool = False, minute: int = 0) -> PromptLine:
    return PromptLine(
        role="assistant" if own else "user",
        speaker="小祥" if own else "主人",
        at=NOON + timedelta(minutes=minute),
        text=text,
    )


def shown(number: int, text: str) -> PromptMemory:
    return PromptMemory(handle=f"m{number}", text=text, when=NOON)


def prompt(
    window: list[PromptLine],
    memories: tuple[PromptMemory, ...] = (),
    *,
    persona: str = "你是小祥。",
) -> Reply:
    return Reply(
        persona=persona,
        language="zh",
        partner="主人",
        now=NOON,
        window=tuple(window),
        memories=memories,
    )


def rounds(count: int) -> list[PromptLine]:
    return [
        line(f"第{n // 2}轮{'答' if n % 2 else '问'}", own=bool(n % 2)) for n in range(2 * count)
    ]


def leaving_lines(whole: Reply, *, said: int, budget: TokenBudget, ratio: float) -> int:
    total = cost(whole, budget.count)
    return crowding_lines(whole, total, said=said, budget=budget, ratio=ratio)


PROMPTS = st.builds(
    lambda texts, memories: prompt(
        [line(text, own=bool(n % 2)) for n, text in enumerate(texts)],
        tuple(shown(n, text) for n, text in enumerate(memories, start=1)),
    ),
    st.lists(WORDS, min_size=1, max_size=30),
    st.lists(WORDS, max_size=8),
)


def test_what_fits_is_left_as_it_is() -> None:
    whole = prompt(rounds(15), (shown(1, "主人喜欢拉面"),))

    assert fitted(whole, said=1, budget=TokenBudget(10_000, len)) is whole


def test_the_oldest_rounds_go_first_and_go_whole() -> None:
    whole = prompt([*rounds(5), line("现在呢")], (shown(1, "主人喜欢拉面"),))
    room = TokenBudget(cost(whole, len) - 1, len)

    cut = fitted(whole, said=1, budget=room)

    first, second, *_, last = [each.text for each in cut.window]
    assert first.removesuffix("问") == second.removesuffix("答") != "第0轮"
    assert len(cut.window) >= len(whole.window) // 2
    assert last == "现在呢"
    assert cut.memories == whole.memories


@pytest.mark.parametrize(("tokens", "turns"), [(12_000, 0.85), (3_000, 0.6)])
def test_the_prompts_of_neighbouring_turns_begin_alike(tokens: int, turns: float) -> None:
    """Over 200 turns they share at least four fifths of what stands before the memories."""
    chance, window = Random(7), Window(conversation="c")
    counter, before, alike = TokenCounter(), "", 0
    for turn in range(200):
        told = "".join(chance.choices("今天去海边看了一场日落和你说话", k=30))
        said = a_message(f"u{turn}", told)
        memories = tuple(shown(n, f"第{turn}轮想起的第{n}件事" * 3) for n in range(1, 9))
        whole = prompt(
            [line(each.text, own=each.role == "assistant") for each in (*window.lines, said)],
            memories,
            persona=default_persona("zh"),
        )
        cut = fitted(whole, said=1, budget=TokenBudget(tokens, counter.count))
        text = "".join(message.content for message in cut.messages())
        stable = text[: text.index("（程序附注：现在是")]
        pairs = zip(before, stable, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        alike += shared >= 0.8 * max(len(before), len(stable))
        before = stable
        answer = a_message(
            f"a{turn}", "".join(chance.choices("好呀那很好我在听", k=30)), role="assistant"
        )
        window = window_after(window, [said, answer])

    assert alike >= turns * 200, alike


def test_memories_go_only_when_the_window_is_gone_and_the_least_fitting_first() -> None:
    whole = prompt([*rounds(5), line("现在呢")], tuple(shown(n, "记" * 50) for n in (1, 2, 3)))
    bare = prompt([line("现在呢")], whole.memories)

    cut = fitted(whole, said=1, budget=TokenBudget(cost(bare, len) - 1, len))

    assert [each.text for each in cut.window] == ["现在呢"]
    assert [each.handle for each in cut.memories] == ["m1", "m2"]


def test_what_was_said_in_several_messages_stays_together() -> None:
    whole = prompt([*rounds(3), line("一"), line("二"), line("三")])

    cut = fitted(whole, said=3, budget=TokenBudget(1, len))

    assert [each.text for each in cut.window] == ["一", "二", "三"]


def test_half_the_room_is_half_the_tokens() -> None:
    assert TokenBudget(1_001, len).halved() == TokenBudget(500, len)


@given(PROMPTS, st.integers(0, 12_000), st.integers(1, 4))
@example(prompt([line("好")]), 0, 4)
def test_the_budget_is_kept_or_nothing_is_left_to_drop(
    whole: Reply, tokens: int, said: int
) -> None:
    cut = fitted(whole, said=said, budget=TokenBudget(tokens, len))

    least = not cut.memories and len(cut.window) <= said
    assert cost(cut, len) <= tokens or least


@given(PROMPTS, st.integers(0, 12_000), st.integers(1, 4))
def test_the_newest_and_the_persona_always_stay(whole: Reply, tokens: int, said: int) -> None:
    cut = fitted(whole, said=said, budget=TokenBudget(tokens, len))

    assert cut.persona == whole.persona
    assert cut.window[-said:] == whole.window[-said:]
    assert whole.window[len(whole.window) - len(cut.window) :] == cut.window
    assert whole.memories[: len(cut.memories)] == cut.memories


@given(PROMPTS, st.integers(0, 12_000))
def test_a_cut_window_never_begins_with_an_answer(whole: Reply, tokens: int) -> None:
    cut = fitted(whole, said=1, budget=TokenBudget(tokens, len))

    if 1 < len(cut.window) < len(whole.window):
        assert cut.window[0].role == "user"


@given(PROMPTS, st.integers(0, 6_000), st.integers(0, 6_000))
def test_more_room_never_keeps_less(whole: Reply, smaller: int, more: int) -> None:
    little = fitted(whole, said=1, budget=TokenBudget(smaller, len))
    much = fitted(whole, said=1, budget=TokenBudget(smaller + more, len))

    assert len(much.window) >= len(little.window)
    assert len(much.memories) >= len(little.memories)


def test_nothing_leaves_while_the_prompt_is_below_its_share() -> None:
    whole = prompt([*rounds(10), line("现在呢")], (shown(1, "主人喜欢拉面"),))
    tokens = cost(whole, len) * 10 // 8 + 1

    assert leaving_lines(whole, said=1, budget=TokenBudget(tokens, len), ratio=0.8) == 0


def test_beyond_its_share_the_oldest_rounds_leave_whole_and_in_one_step() -> None:
    whole = prompt([*rounds(60), line("现在呢")], persona="")
    budget = TokenBudget(cost(whole, len) * 10 // 8 - 2, len)
    leaving = leaving_lines(whole, said=1, budget=budget, ratio=0.8)
    rest = replace(whole, window=whole.window[leaving:])

    assert leaving > 2
    assert rest.window[0].role == "user"
    assert len(rest.window) > 1
    assert leaving_lines(rest, said=1, budget=budget, ratio=0.8) == 0


def test_a_prompt_full_of_other_things_leaves_the_talk_a_quarter() -> None:
    few = prompt([*rounds(3), line("现在呢")], persona="说" * 3_000)
    many = replace(few, window=(*(rounds(40)), line("现在呢")))
    budget = TokenBudget(3_000, len)

    assert leaving_lines(few, said=1, budget=budget, ratio=0.8) == 0
    left = len(many.window) - leaving_lines(many, said=1, budget=budget, ratio=0.8)
    talk = cost(replace(many, window=many.window[-left:]), len) - cost(
        replace(many, window=many.window[-1:]), len
    )
    assert 0.1 * budget.tokens < talk <= 0.25 * budget.tokens


@given(whole=PROMPTS, tokens=st.integers(min_value=200, max_value=4_000))
def test_what_is_said_now_never_leaves(whole: Reply, tokens: int) -> None:
    leaving = leaving_lines(whole, said=1, budget=TokenBudget(tokens, len), ratio=0.8)

    assert 0 <= leaving < len(whole.window)
    assert leaving == 0 or cost(whole, len) > 0.8 * tokens


async def test_only_who_answers_by_rule_reads_what_she_said_lately() -> None:
    agent = FakeAgent()
    for number in (1, 2):
        reply = a_message(f"t{number}-reply", f"答{number}", role="assistant")
        at = NOON + timedelta(minutes=number)
        await agent.commit(Turn(id=f"t{number}", conversation="c", at=at, said=(), reply=reply))

    worded = prompt([line("在吗")])
    ruled = for_rules(worded, state=agent.state, now=NOON, private=True)

    assert ruled.said_lately == ("答1", "答2")
    assert ruled.messages() == worded.messages()
