"""Count the answers that show raw markup, of 300 written by hand and of 300 put together.

    python -m benchmarks.markdown_answers [--answers N]

An answer is raw where ``**``, a heading's ``#`` or the line of a table is left outside code: on
Telegram in the text of its messages, on Lark in what CommonMark with tables makes of its cards.
Those written by hand (``tests/sets/answers``) look like those of models in chats, half of them
Chinese; the others are put together of odd spots. Each of the first is also cut in its middle, as
a limit does, with the line below it that says so.
"""

import argparse
import sys

from bot.conversation.footnotes import cut_with_line
from tests.fakes.model_answers import (
    model_answers,
    read_prose,
    shown_on_lark,
    shown_on_telegram,
    shows_raw,
    written_answers,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=300)
    written = [*written_answers("zh"), *written_answers("en")]
    sets = {
        "written by hand": written,
        "put together": model_answers(parser.parse_args().answers),
        "cut in the middle": [
            cut_with_line(each[: len(each) // 2], "（没说完）") for each in written
        ],
    }
    bad = 0
    for kind, answers in sets.items():
        for name, show in (
            ("as they are", read_prose),
            ("telegram", shown_on_telegram),
            ("lark", shown_on_lark),
        ):
            count = sum(shows_raw(show(each)) for each in answers)
            bad += count if name != "as they are" else 0
            sys.stdout.write(f"{kind}, {name}: {count} of {len(answers)} show raw markup\n")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
