"""How long one spread takes: ``python -m benchmarks.spreading`` (target: milliseconds).

10,000 memories with 200,000 links; five seeds a search, as in every turn.
"""

import random
import statistics
import time

from memory.model import Link, LinkType
from memory.network.walk import Ways, spread

NODES, DEGREE, SEEDS, ROUNDS = 10_000, 20, 5, 500


def a_network(chance: random.Random) -> dict[int, tuple[Link, ...]]:
    """Return a network of mixed strengths, a tenth of it weak temporal links."""
    network: dict[int, tuple[Link, ...]] = {}
    for node in range(1, NODES + 1):
        targets = chance.sample(range(1, NODES + 1), DEGREE + 1)
        links = [
            Link(
                target=t, strength=chance.choice((0.2, 0.35, 0.5, 0.8, 1.0)), type=LinkType.KEYWORD
            )
            for t in targets
            if t != node
        ][:DEGREE]
        network[node] = tuple(sorted(links, key=lambda link: (-link.strength, link.target)))
    return network


def main() -> None:
    chance = random.Random(4)
    network = a_network(chance)
    milliseconds = []
    for _ in range(ROUNDS):
        seeds = {n: chance.uniform(0.4, 1.0) for n in chance.sample(range(1, NODES + 1), SEEDS)}
        seeds[next(iter(seeds))] = 1.0
        began = time.perf_counter()
        spread(seeds, Ways(network.__getitem__))
        milliseconds.append((time.perf_counter() - began) * 1000)
    cuts = statistics.quantiles(milliseconds, n=20)
    links = sum(map(len, network.values()))
    print(f"{NODES} memories, {links} links, {SEEDS} seeds, {ROUNDS} rounds")
    print(f"p50 {cuts[9]:.2f} ms   p95 {cuts[18]:.2f} ms   worst {max(milliseconds):.2f} ms")


if __name__ == "__main__":
    main()
