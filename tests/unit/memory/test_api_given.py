"""What another program gives to the embedded memory that it should not: refused, or borne."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory import AgentSettings, InputRefused, Message, Replied, StoreError, open_memory
from tests.builders import a_message, a_stretch
from tests.fakes.clock import NOON, FakeClock


def a_bad(**fields: Any) -> Message:
    """Return a message with a field that no program should give."""
    usual: dict[str, Any] = {"id": "7", "at": NOON, "speaker": "ann", "role": "user"}
    return Message(**(usual | {"text": "I like tea"} | fields))


BAD: dict[str, tuple[Any, str, str]] = {
    "an id that is a number": (a_bad(id=7), "id must be str, not int", "id 要 str，不能是 int"),
    "no text": (a_bad(text=None), "text must be str, not NoneType", "text 要 str"),
    "bytes": (a_bad(text=b"tea"), "text must be str, not bytes", "不能是 bytes"),
    "half a character": (a_bad(text="tea \ud83c"), "half a character", "半个字符"),
    "half a character in the name": (a_bad(speaker="\udc8f"), "speaker holds", "speaker 里有"),
    "nobody": (a_bad(speaker=None), "speaker must be str, not NoneType", "speaker 要 str"),
    "nothing quoted": (a_bad(quoted=None), "quoted must be str", "quoted 要 str"),
    "a film": (a_bad(modality="video"), "modality must be one of text,", "modality 只能是 text"),
    "no date at all": (
        a_bad(at=datetime(9999, 12, 31, 23, 59, tzinfo=UTC)),
        "at is in the year 9999, it must be from 1900 to 2199",
        "at 是 9999 年，要在 1900 到 2199 年之间",
    ),
    "the first day": (a_bad(at=datetime(1, 1, 1, tzinfo=UTC)), "in the year 1,", "at 是 1 年"),
    "ten million characters": (a_bad(text="a" * 10_000_000), "has 10000000", "有 10000000 个字符"),
    "a line": ("I like tea", "message must be Message, not str", "message 要 Message"),
}


@pytest.mark.parametrize(("bad", "english", "chinese"), BAD.values(), ids=BAD)
async def test_a_message_that_cannot_be_kept_is_refused_by_name_and_costs_no_other(
    tmp_path: Path, bad: Any, english: str, chinese: str
) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        mem.remember([a_message("1", "我的狗叫旺财")], explicit=True)
        with pytest.raises(InputRefused, match="message 2 ") as refused:
            mem.remember(
                [a_message("2", "My cat is called Miso"), bad, a_message("3", "我对花生过敏")],
                explicit=True,
            )
        await mem.settled()
        before = {view.text for view in mem.memories()}

    assert english in str(refused.value)
    assert chinese in refused.value.in_language("zh")
    assert "第 2 条消息" in refused.value.in_language("zh")
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        assert before == {view.text for view in mem.memories()}
        assert {"我的狗叫旺财", "My cat is called Miso", "我对花生过敏"} <= before
        assert (await mem.search("What is my cat called?"))[0].source_ids == ("2",)


@pytest.mark.parametrize("given", ["hello", b"hi", {"1": "hello"}, a_message(), 7, None])
async def test_what_is_no_list_of_messages_is_refused(tmp_path: Path, given: Any) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        with pytest.raises(InputRefused, match="remember takes a list of Message"):
            mem.remember(given, explicit=True)
        await mem.settled()
        assert mem.memories(mode="debug") == ()


async def test_after_closing_nothing_is_taken_and_that_is_said(tmp_path: Path) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        pass

    with pytest.raises(StoreError, match="this memory is closed and nothing was taken"):
        mem.remember([a_message()])


@pytest.mark.parametrize(
    "parts", [{"model": "gpt-4"}, {"embedder": object()}, {"clock": lambda: 1}, {"settings": {}}]
)
async def test_what_cannot_be_a_part_is_refused_when_it_is_opened(
    tmp_path: Path, parts: dict[str, Any]
) -> None:
    with pytest.raises(InputRefused, match=f"{next(iter(parts))} must be "):
        async with open_memory(tmp_path, **parts):
            pass
    assert not (tmp_path / "agents").exists()


class RaisesOnce:
    """A model, or embedder, of which the first call fails as another program's may."""

    name = "mine"

    def __init__(self, error: BaseException, made: Any) -> None:
        self._errors = [error]
        self._made = made

    async def complete(self, prompt: object) -> Any:
        if self._errors:
            raise self._errors.pop()
        return Replied(self._made)

    async def embed(self, texts: Sequence[str]) -> Any:
        if self._errors:
            raise self._errors.pop()
        return self._made(texts)


@pytest.mark.parametrize("error", [ConnectionError("secret"), asyncio.CancelledError()])
async def test_a_model_that_raises_is_one_that_is_away_and_what_it_was_asked_is_learnt(
    tmp_path: Path, error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    model: Any = RaisesOnce(error, "[SEGMENT:1-2 phrase=猫 keywords=猫 entities=团子:是] 说了猫")
    async with open_memory(tmp_path, clock=FakeClock(), model=model) as mem:
        mem.remember(a_stretch("我家的猫叫团子", "好可爱呀"))
        await mem.settled()
        await mem.nightly()
        mem.remember([a_message("9", "My dog is called Rex")], explicit=True)
        await mem.settled()

        assert {"1", "2"} <= set((await mem.search("团子"))[0].source_ids) | {"2"}
        assert "My dog is called Rex" in {view.text for view in mem.memories()}
        assert any(view.text.startswith("[2026-") for view in mem.memories(mode="debug"))
    assert "secret" not in caplog.text


VECTORS = {
    "an array": lambda texts: np.ones((len(texts), 4), np.float32),
    "tuples": lambda texts: tuple((1.0, 2.0) for _ in texts),
    "words": lambda texts: [["a", "b"] for _ in texts],
    "no numbers": lambda texts: [[float("nan")] * 4 for _ in texts],
    "a number": lambda _: 7,
    "too few": lambda _: [],
}


@pytest.mark.parametrize("made", VECTORS.values(), ids=VECTORS)
@pytest.mark.parametrize("error", [RuntimeError("secret"), asyncio.CancelledError()])
async def test_whatever_an_embedder_does_search_goes_on_by_words(
    tmp_path: Path, made: Any, error: BaseException
) -> None:
    embedder: Any = RaisesOnce(error, made)
    async with open_memory(tmp_path, clock=FakeClock(), embedder=embedder) as mem:
        mem.remember(a_stretch("我家的猫叫团子", "好可爱呀", "I moved to Oslo", "nice"))
        await mem.settled()
        for question, source in (("猫叫什么名字", "1"), ("Where did I move, Oslo?", "3")):
            assert (await mem.search(question))[0].source_ids == (source,)
        await mem.nightly()


async def test_an_english_memory_calls_its_partner_my_friend(tmp_path: Path) -> None:
    settings = AgentSettings(language="en")
    async with open_memory(tmp_path, clock=(clock := FakeClock()), settings=settings) as mem:
        mem.remember(a_stretch("I moved to Oslo", "nice", "My cat is called Miso", "cute"))
        await mem.settled()
        clock.tick(days=1)
        await mem.nightly()
        told = {view.text for view in mem.memories(mode="debug")}

    assert not any("主人" in text for text in told)
    assert any("my friend" in text.lower() for text in told)


OSLO = ("I moved to Oslo", "nice", "My cat is called Miso", "cute")


@pytest.mark.parametrize(
    ("settings", "said", "named"),
    [
        (None, OSLO, "my friend"),
        (None, ("我搬到杭州了", "好呀", "我家的猫叫团子", "可爱"), "主人"),
        (None, ("我搬到 Oslo 了", "nice", "我家的猫叫 Miso", "cute"), "主人"),
        (AgentSettings(), OSLO, "主人"),
        (AgentSettings(partner="Ann"), OSLO, "Ann"),
    ],
)
async def test_where_nobody_chose_a_language_it_is_that_of_the_first_talk(
    tmp_path: Path, settings: AgentSettings | None, said: tuple[str, ...], named: str
) -> None:
    async with open_memory(tmp_path, clock=(clock := FakeClock()), settings=settings) as mem:
        mem.remember(a_stretch(*said))
        await mem.settled()
    clock.tick(days=1)
    async with open_memory(tmp_path, clock=clock) as mem:
        # What is told in another language later changes nothing of it.
        mem.remember([a_message("later", "我喜欢拉面 I like ramen", at=clock.now())])
        await mem.settled()
        clock.tick(days=1)
        await mem.nightly()
        told = [view.text for view in mem.memories(mode="debug")]

    assert any(text.lower().startswith(named.lower()) for text in told)
    assert not [text for text in told if "主人" in text and named != "主人"]
