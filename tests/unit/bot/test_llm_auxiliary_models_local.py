"""A model in a folder: what is missing is said, nothing is loaded early, a broken one is None."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bot.cli.checks import model_findings
from bot.llm import auxiliary_models
from bot.llm.auxiliary_models import (
    AT_ONCE,
    LocalEmbedder,
    Vectors,
    longest_text,
    missing_for,
    pooled,
    pools_by_first,
)
from bot.settings import Settings
from memory.model import Language


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The libraries of the extra can be found, whether or not they are here."""
    monkeypatch.setattr(auxiliary_models, "LIBRARIES", ("json",))


def a_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "small-model"
    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx" / "model.onnx").write_bytes(b"not a model")
    (folder / "tokenizer.json").write_text("{}")
    return folder


@pytest.mark.usefixtures("installed")
def test_it_says_what_the_folder_lacks(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)

    assert missing_for(folder) is None
    (folder / "tokenizer.json").unlink()
    assert missing_for(folder) == "tokenizer.json"
    (folder / "onnx" / "model.onnx").unlink()
    assert missing_for(folder) == "model.onnx"
    assert missing_for(tmp_path / "nowhere") == "folder"


def test_it_says_that_the_libraries_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auxiliary_models, "LIBRARIES", ("no_such_library",))

    assert missing_for(a_folder(tmp_path)) == "libraries"


def test_vectors_come_in_the_order_of_the_texts(tmp_path: Path) -> None:
    steps: list[int] = []

    def load(folder: Path) -> auxiliary_models.Embed:
        del folder

        def embed(texts: Sequence[str]) -> Vectors:
            steps.append(len(texts))
            return np.array([[len(text), 1.0] for text in texts], np.float32)

        return embed

    embedder = LocalEmbedder(a_folder(tmp_path), load)
    texts = ["x" * (7 * place % 19) for place in range(2 * AT_ONCE + 1)]
    vectors = asyncio.run(embedder.embed(texts))

    assert vectors == [[float(len(text)), 1.0] for text in texts]
    assert steps == [AT_ONCE, AT_ONCE, 1]


@pytest.mark.parametrize("shape", [(1,), (3, 2), (1, 2, 2)])
def test_what_makes_no_vectors_of_texts_is_none(tmp_path: Path, shape: tuple[int, ...]) -> None:
    embedder = LocalEmbedder(a_folder(tmp_path), lambda _: lambda _: np.ones(shape, np.float32))

    assert asyncio.run(embedder.embed(["one"])) is None


def test_a_model_that_cannot_be_read_is_tried_once(tmp_path: Path) -> None:
    tried: list[Path] = []

    def load(folder: Path) -> auxiliary_models.Embed:
        tried.append(folder)
        raise ValueError("broken")

    embedder = LocalEmbedder(a_folder(tmp_path), load)

    assert asyncio.run(embedder.embed(["one"])) is None
    assert asyncio.run(embedder.embed(["two"])) is None
    assert len(tried) == 1


def test_another_model_in_the_same_folder_has_another_name(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    before = LocalEmbedder(folder).name
    (folder / "onnx" / "model.onnx").write_bytes(b"another model")

    assert LocalEmbedder(folder).name != before


def test_tokens_become_one_vector_as_the_folder_says() -> None:
    tokens = np.array([[[3.0, 4.0], [1.0, 0.0], [9.0, 9.0]]], np.float32)
    mask = np.array([[1, 1, 0]], np.int64)

    mean = pooled(tokens, mask, by_first=False)
    assert mean[0] == pytest.approx(np.array([4.0, 4.0]) / np.sqrt(32.0))
    assert pooled(tokens, mask, by_first=True)[0] == pytest.approx([0.6, 0.8])
    assert pooled(np.array([[3.0, 4.0]], np.float32), mask, by_first=True)[0] == pytest.approx(
        [0.6, 0.8]
    )


def test_the_folder_says_how_it_is_read(tmp_path: Path) -> None:
    assert not pools_by_first(tmp_path)
    assert longest_text(tmp_path) == 512
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 128}))

    assert pools_by_first(tmp_path)
    assert longest_text(tmp_path) == 128
    (tmp_path / "sentence_bert_config.json").write_text("[broken")
    assert longest_text(tmp_path) == 512


@pytest.mark.parametrize(
    ("libraries", "language", "words"),
    [
        (("no_such_library",), "zh", "pip install"),
        (("no_such_library",), "en", "pip install"),
        (("json",), "zh", "缺少 model.onnx"),
        (("json",), "en", "has no model.onnx"),
    ],
)
async def test_the_doctor_says_what_is_missing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    libraries: tuple[str, ...],
    language: Language,
    words: str,
) -> None:
    monkeypatch.setattr(auxiliary_models, "LIBRARIES", libraries)
    settings = Settings(embedding_local=tmp_path, language=language)
    *_, found = await model_findings(settings)

    assert not found.good
    assert words in found.text


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("language", "words"), [("zh", "读不出来"), ("en", "cannot be used")])
async def test_the_doctor_tries_the_model(tmp_path: Path, language: Language, words: str) -> None:
    folder = a_folder(tmp_path)  # whose model is none
    settings = Settings(embedding_local=folder, language=language)
    *_, found = await model_findings(settings)

    assert not found.good
    assert words in found.text


def test_nothing_heavier_is_imported() -> None:
    code = (
        "import sys, bot.models; print({'onnxruntime', 'tokenizers'} & set(sys.modules) or 'none')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "none"
