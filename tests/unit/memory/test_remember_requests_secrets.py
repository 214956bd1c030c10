"""What may be written down of talk that holds a secret, and what is taken back of it later."""

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.adapters.console.prompt import DiscreetHistory
from memory.changes import Drop, Put, Undo, Window
from memory.learning.remember_requests import redacted_messages, redacted_text
from memory.privacy.redaction import known_secrets, redaction_changes
from memory.privacy.vault import KEY_BYTES, Keys, Vault
from memory.state import MemoryState
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.cost import times

VAULT = Vault(Keys([b"k" * KEY_BYTES]), "ann")
LETTERS = st.text(st.characters(categories=["L", "N"]), min_size=6, max_size=12)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("记住我的银行卡密码是abc123", "记住***"),
        ("我的银行卡密码是abc123，别告诉别人", "我的银行卡密码是***，别告诉别人"),
        ("Remember my password is correct horse battery staple", "Remember ***"),
        ("my PIN is 4321 but I like cats", "my PIN is *** but I like cats"),
        ("我喜欢猫，还有3只狗", "我喜欢猫，还有3只狗"),
        ("我忘了密码", "我忘了密码"),
        ("", ""),
    ],
)
def test_only_the_secret_is_left_out(said: str, kept: str) -> None:
    assert redacted_text(said) == kept


@settings(max_examples=times(50, hunting=500))
@given(st.lists(st.text(max_size=60), max_size=4))
def test_talk_without_secrets_is_left_alone_and_twice_is_once(texts: list[str]) -> None:
    said = [a_message(str(n), text) for n, text in enumerate(texts)]

    once = redacted_messages(said)

    assert redacted_messages(once) == once
    assert [message.id for message in once] == [message.id for message in said]


@settings(max_examples=times(50, hunting=500))
@given(LETTERS, st.sampled_from(["记住我的密码是{}", "我的银行卡密码是{}", "my password is {}"]))
def test_nobody_repeats_a_secret_that_was_told_in_the_same_breath(secret: str, way: str) -> None:
    # A Chinese word right behind 是 may say something about the password: 是被偷的.
    assume(not "一" <= secret[0] <= "鿿")
    said = [
        a_message("1", way.format(secret)),
        a_message("2", f"对，{secret}！", role="assistant"),
    ]

    assert all(secret not in message.text for message in redacted_messages(said))


def test_what_is_known_to_be_secret_is_masked_in_quoted_matter_too() -> None:
    (kept,) = redacted_messages([a_message("1", "看 Hunter7788")], ["Hunter7788"])

    assert kept.text == "看 ***"


def a_state_that_knows(text: str) -> MemoryState:
    window = Window(
        conversation="c", lines=(a_message("1", f"是 {text} 吗"), a_message("2", "嗯"))
    )
    undo = Undo(
        id=1, at=NOON, actor="partner", label="edit", inverse=(Put(a_memory(2, f"旧的 {text}")),)
    )
    sealed = VAULT.seal(a_memory(1, f"我的密码是{text}"), "zh")
    changes = [Put(each) for each in (window, undo, sealed, a_memory(2, "主人喜欢拉面"))]
    state, _ = MemoryState().apply(changes)
    return state


def test_what_is_sealed_is_taken_out_of_every_record_and_of_what_undo_would_bring() -> None:
    state = a_state_that_knows("Hunter7788")

    changes = tuple(redaction_changes(known_secrets(state, VAULT), state))
    after, _ = state.apply(changes)

    assert "Hunter7788" not in repr(after)
    assert after.windows["c"].lines[0].text == "是 *** 吗"
    assert after.memories == state.memories
    assert Drop(Undo, 1) in changes
    assert tuple(redaction_changes(known_secrets(after, VAULT), after)) == ()


def test_a_short_secret_is_not_looked_for_in_other_talk() -> None:
    assert not any(value == "42" for value in known_secrets(a_state_that_knows("42"), VAULT))


def test_without_a_key_nothing_is_known() -> None:
    state = a_state_that_knows("Hunter7788")

    assert known_secrets(state, None) == known_secrets(state, Vault(Keys(), "ann")) == ()


def test_the_history_of_the_terminal_keeps_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "history"

    DiscreetHistory(str(path)).store_string("记住我的银行卡密码是Hunter7788")

    assert "记住" in path.read_text(encoding="utf-8")
    assert "Hunter7788" not in path.read_text(encoding="utf-8")
