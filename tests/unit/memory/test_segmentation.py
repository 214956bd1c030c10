"""Words are loaded as texts need them, and the cuts are those of the whole dictionary."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import rjieba

from memory.text import segmentation
from memory.text.segmentation import ALL_FREQUENCIES, Dictionary, Segmenter
from memory.text.tokens import script_runs
from tests.fakes.cost import share, times

ROOT = Path(__file__).resolve().parents[3]
SEEDS = times(4, hunting=12)


def written_texts() -> Iterator[str]:
    """Yield the Chinese lines of this repository: talk, rules, and explanations."""
    for path in sorted(ROOT.glob("docs/zh/*.md")) + sorted(ROOT.glob("tests/sets/*/*.[jt]*")):
        yield from path.read_text(encoding="utf-8").splitlines()


def runs(texts: Iterator[str]) -> list[str]:
    """Return what is written without spaces, each once, in order."""
    found = (run for text in texts for script, run in script_runs(text) if script == "dense")
    return [*dict.fromkeys(found)]


@pytest.mark.hunted
def test_every_text_is_cut_and_tagged_as_by_the_whole_dictionary() -> None:
    segmenter = Segmenter(Dictionary())
    told = share(runs(written_texts()))
    assert len(told) > 1_000

    for text in told:
        assert segmenter.cut(text, guess=True) == tuple(rjieba.cut(text)), text
        assert segmenter.cut(text, guess=False) == tuple(rjieba.cut(text, False)), text
    for text in told[::5]:
        assert segmenter.tag(text) == rjieba.tag(text), text


@pytest.mark.hunted
@pytest.mark.parametrize("seed", range(SEEDS))
def test_words_of_the_dictionary_thrown_together_are_cut_alike(seed: int) -> None:
    chance = Random(seed)
    lines = segmentation.DICTIONARY_FILE.read_text(encoding="utf-8").splitlines()
    segmenter = Segmenter(Dictionary())

    for _ in range(50):
        some = chance.sample(lines, chance.randint(1, 6))
        text = "".join(line.split()[0] for line in some)
        assert segmenter.cut(text, guess=True) == tuple(rjieba.cut(text)), text
        assert segmenter.tag(text) == rjieba.tag(text), text


def test_forgetting_which_pairs_were_met_changes_no_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "_PAIRS_KEPT", 40)
    segmenter = Segmenter(Dictionary())
    told = runs(written_texts())[:200]

    for text in told + told[::-1]:
        assert segmenter.cut(text, guess=True) == tuple(rjieba.cut(text)), text


def test_the_dictionary_has_every_word_once_and_finds_it() -> None:
    lines = segmentation.DICTIONARY_FILE.read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines]
    dictionary = Dictionary()

    assert len({word for word, _, _ in words}) == len(words) == 349_045
    # The source has one word twice, and rjieba counts both.
    assert sum(int(frequency) for _, frequency, _ in words) == ALL_FREQUENCIES - 3
    for word, frequency, part in words[::997] + words[:1] + words[-1:]:
        assert (word, int(frequency), part) in dictionary.beginning_with(word)
    assert not [*dictionary.beginning_with("團團團")]
    assert not [*dictionary.beginning_with("\U0010fffe")]
