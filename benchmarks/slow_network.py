"""A slow network that loses answers: is everything shown exactly once?

    python -m benchmarks.slow_network [--delays 0.5 2 10 30] [--losses 0 0.1 0.25 0.5] [--seeds 1]

Every delay (seconds there and back) with every share of lost answers, on both platforms, for talk
that is seen growing, a command, and a document with a file. The network is bad for five minutes
and then well again; a time that jumps lets hours of waiting pass in seconds. Exits with 1 if
anything is missing, shown twice, or left over as "…".
"""

import argparse
import itertools
import logging
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from tests.fakes.slow_network import (
    KINDS,
    PLATFORMS,
    Case,
    expected_texts,
    in_jumping_time,
    outcome_of,
)


def main(options: argparse.Namespace) -> int:
    """Print a line for each cell that went wrong, and the sum."""
    logging.disable(logging.CRITICAL)
    began, wrong, cells, lost = time.monotonic(), 0, 0, 0
    for platform, kind in itertools.product(options.platforms, options.kinds):
        with tempfile.TemporaryDirectory() as folder:
            expected = in_jumping_time(partial(expected_texts, Path(folder), platform, kind))
        for delay, loss, seed in itertools.product(
            options.delays, options.losses, range(1, options.seeds + 1)
        ):
            case = Case(platform, kind, delay, loss, seed)
            with tempfile.TemporaryDirectory() as folder:
                outcome = in_jumping_time(partial(outcome_of, Path(folder), case, expected))
            cells += 1
            lost += outcome.lost_answers
            wrong += not outcome.is_right
            if not outcome.is_right or options.verbose:
                print(
                    f"{platform} {kind} delay {delay:g} s loss {loss:.0%} seed {seed}: "
                    f"{len(outcome.missing)} missing, {len(outcome.twice)} twice, "
                    f"{outcome.strays} stray, {outcome.lost_answers} answers lost, "
                    f"{outcome.seconds:.0f} s lived",
                    flush=True,
                )
    print(
        f"{cells} cells, {lost} answers lost: {wrong} not shown exactly once, "
        f"{time.monotonic() - began:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delays", type=float, nargs="+", default=[0.5, 2, 5, 10, 20, 30])
    parser.add_argument("--losses", type=float, nargs="+", default=[0, 0.1, 0.25, 0.5])
    parser.add_argument("--platforms", nargs="+", default=list(PLATFORMS))
    parser.add_argument("--kinds", nargs="+", default=list(KINDS))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    sys.exit(main(parser.parse_args()))
