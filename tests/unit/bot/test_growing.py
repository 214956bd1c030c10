"""Answers under way: how what was cut anywhere is closed."""

import pytest

from bot.conversation.growing import cut_with_line


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("说完了", "说完了"),
        ("所以**注意", "所以**注意**"),
        ("所以**", "所以"),
        ("所以**注意。*", "所以**注意。**"),
        ("所以**注意**，再", "所以**注意**，再"),
        ("先用 `git sta", "先用 `git sta`"),
        ("```py\nx = 1", "```py\nx = 1\n```"),
        ("~~~~\nx **", "~~~~\nx **\n~~~~"),
        ("```py\nx = 1\n```", "```py\nx = 1\n```"),
    ],
)
def test_what_a_cut_left_open_is_closed_above_the_line_that_says_so(
    text: str, closed: str
) -> None:
    assert cut_with_line(text, "（没说完）") == f"{closed}\n\n（没说完）"
