"""Count the answers that show raw markup, of 300 that look like those of language models.

    python -m benchmarks.markdown_answers [--answers N]

An answer is raw where ``**``, a heading's ``#`` or the line of a table is left outside code: on
Telegram in the text of its messages, on Lark in what CommonMark with tables makes of its cards.
"""

import argparse
import sys

from tests.fakes.model_answers import (
    RAW,
    model_answers,
    read_prose,
    shown_on_lark,
    shown_on_telegram,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=300)
    answers = model_answers(parser.parse_args().answers)
    counts = {
        name: sum(bool(RAW.search(show(each))) for each in answers)
        for name, show in (
            ("as they are", read_prose),
            ("telegram", shown_on_telegram),
            ("lark", shown_on_lark),
        )
    }
    for name, count in counts.items():
        sys.stdout.write(f"{name}: {count} of {len(answers)} answers show raw markup\n")
    sys.exit(bool(counts["telegram"] or counts["lark"]))


if __name__ == "__main__":
    main()
