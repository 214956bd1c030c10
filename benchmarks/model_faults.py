"""Every fault of a model's server at every place that asks a model: what is lost, shown, changed.

    .venv/bin/python -m benchmarks.model_faults

The faults and places are those of ``tests/fakes/model_faults.py``; the server is a real one on
loopback. Prints one row a place, and every trial that went wrong; exits with 1 if any did.
"""

import asyncio
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from bot.llm.provider import Provider
from tests.fakes.model_faults import Place, Trial, trials, tried
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.waiting import IdleLoop


async def main() -> int:
    rows: dict[str, list[Trial]] = defaultdict(list)
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        async with OpenAIServer() as server:
            provider = Provider(server.base_url, "sk-key")
            place = Place(server, provider, Path(folder))
            for where, fault in trials():
                trial = await tried(where, fault, place)
                rows[where].append(trial)
                if trial != Trial():
                    bad.append(f"{where}, {fault}: {trial}")
            await provider.close()
    sys.stdout.write("| place | faults | lost | shown | changed |\n|---|---|---|---|---|\n")
    for where, found in rows.items():
        counts = (sum(map(bool, each)) for each in zip(*map(_kinds, found), strict=True))
        sys.stdout.write(f"| {where} | {len(found)} | {' | '.join(map(str, counts))} |\n")
    sys.stdout.write("".join(f"{each}\n" for each in bad))
    return 1 if bad else 0


def _kinds(trial: Trial) -> tuple[str, str, str]:
    return trial.lost, trial.shown, trial.changed


if __name__ == "__main__":
    # Its time stands still while there is work, so that no answer is late on a busy machine.
    with asyncio.Runner(loop_factory=IdleLoop) as runner:
        sys.exit(runner.run(main()))
