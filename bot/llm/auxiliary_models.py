"""The models beside the language model: vectors for texts, words for pictures and recordings.

The program works without any of them, so a failure is None and never an error. Vectors come from
a server, or are made on this machine by an ONNX model in a folder, by the extra ``meaning``.

Such a folder is what model pages offer for download: ``tokenizer.json`` and ``model.onnx`` (or
``onnx/model.onnx``), beside them how token vectors become one (``1_Pooling/config.json``) and how
much is read of a text (``sentence_bert_config.json``). Nothing is fetched and nothing leaves the
machine. The libraries are imported when the first vector is made.
"""

import asyncio
import json
import logging
import os
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from bot.llm.pace import Precedence, ServerPace
from bot.llm.provider import COMPLETIONS_PATH, Provider, answer_events
from bot.llm.streams import ServerDocument, closing, last_outcome, next_within
from bot.tasks import Failed, attempt
from memory.ports import Replied

EMBEDDINGS_PATH: Final = "/embeddings"

BATCH: Final = 64  # texts in one request

EMBEDDING_SECONDS: Final = 30.0

Vector = list[float]

log = logging.getLogger(__name__)


class OpenAIEmbedder:
    """One embedding model of one server, asked for ``batch`` texts at a time.

    A batch takes at most ``deadline_seconds``. The vectors are returned only if every one came
    and all have the same length.
    """

    def __init__(
        self,
        provider: Provider,
        model: str,
        *,
        batch: int = BATCH,
        deadline_seconds: float = EMBEDDING_SECONDS,
    ) -> None:
        self.name = model
        self._provider = provider
        self._batch = batch
        self._deadline_seconds = deadline_seconds

    async def embed(self, texts: Sequence[str]) -> list[Vector] | None:
        """Return one vector per text, in order, or None while the service cannot answer."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), self._batch):
            part = await self._embed(texts[start : start + self._batch])
            if part is None:
                return None
            vectors += part
        if len({len(vector) for vector in vectors}) > 1:
            log.warning("embeddings of %s differ in length", self.name)
            return None
        return vectors

    async def _embed(self, texts: Sequence[str]) -> list[Vector] | None:
        body = {
            "model": self.name,
            "input": [text or " " for text in texts],  # an empty text is refused
            "encoding_format": "float",
        }
        async with closing(self._provider.documents(EMBEDDINGS_PATH, body)) as documents:
            answer = await next_within(documents, self._deadline_seconds)
        vectors = _vectors_by_index(answer.content) if isinstance(answer, ServerDocument) else {}
        # Half of the vectors under the wrong texts would make wrong memories come up for ever.
        if sorted(vectors) != list(range(len(texts))):
            log.warning("embeddings of %s failed", self.name)
            return None
        return [vectors[index] for index in range(len(texts))]


def _vectors_by_index(content: object) -> dict[int, Vector]:
    """Return the vectors of an answer by their index: a server may send them in any order."""
    data = content.get("data") if isinstance(content, dict) else None
    vectors: dict[int, Vector] = {}
    for item in data if isinstance(data, list) else []:
        entry = cast("Mapping[str, object]", item) if isinstance(item, dict) else {}
        index, vector = entry.get("index"), _finite_vector(entry.get("embedding"))
        if isinstance(index, int) and vector:
            vectors[index] = vector
    return vectors


def _finite_vector(value: object) -> Vector | None:
    """Return ``value`` as a vector, None unless it is a list of finite numbers."""
    try:
        vector = [float(number) for number in value] if isinstance(value, list) else []
    except (TypeError, ValueError):
        return None
    return vector if all(map(isfinite, vector)) else None


MEDIA_SECONDS: Final = 60.0

PICTURE_TOKENS: Final = 1_500
"""What a picture and the question about it are taken to be, where a first word is waited for."""


class OpenAIImageReader:
    """A model that describes pictures; the partner waits for it as for an answer."""

    def __init__(
        self,
        provider: Provider,
        model: str,
        pace: ServerPace | None = None,
        precedence: Precedence | None = None,
    ) -> None:
        self._provider = provider
        self._model = model
        self._pace = pace or ServerPace()
        self._precedence = precedence or Precedence()

    async def describe(self, picture: bytes, question: str) -> str | None:
        """Return the model's answer to a question about a JPEG, None if there is none."""
        encoded = b64encode(picture).decode("ascii")
        shown = {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{encoded}"}}
        content = [{"type": "text", "text": question}, shown]
        body = {
            "model": self._model,
            "messages": [{"role": "user", "content": content}],
            "stream": True,
        }
        # Streamed like a reply, so that a silent server is noticed long before the deadline.
        documents = self._provider.documents(COMPLETIONS_PATH, body)
        events = answer_events(documents, self._model, self._pace, PICTURE_TOKENS)
        async with self._precedence.answering():
            outcome = await last_outcome(events)
        return outcome.text.strip() or None if isinstance(outcome, Replied) else None


class OpenAITranscriber:
    """A model that writes down recordings."""

    def __init__(self, provider: Provider, model: str) -> None:
        self._provider = provider
        self._model = model

    async def transcribe(self, name: str, voice: bytes) -> str | None:
        """Return the words of a recording with the file name ``name``, None if there are none."""
        try:
            async with asyncio.timeout(MEDIA_SECONDS):
                return await self._provider.transcribe(self._model, name, voice)
        except TimeoutError:
            return None


LIBRARIES: Final = ("onnxruntime", "tokenizers")

AT_ONCE: Final = 8
"""Texts of one step: a question waits for no more than one step of the background."""

LONGEST_TEXT: Final = 512
"""Tokens that are read of a text where the folder does not say."""

PER_TEXT: Final = 2
"""Dimensions of what holds one vector per text; one per token has another."""

Vectors: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.int64]
Embed: TypeAlias = Callable[[Sequence[str]], Vectors]
Problem: TypeAlias = Literal["libraries", "folder", "model.onnx", "tokenizer.json"]


def missing_for(folder: Path) -> Problem | None:
    """Return what the model of a folder lacks to be used, None if nothing; imports nothing."""
    if any(find_spec(name) is None for name in LIBRARIES):
        return "libraries"
    if not folder.is_dir():
        return "folder"
    if model_file(folder) is None:
        return "model.onnx"
    return None if (folder / "tokenizer.json").is_file() else "tokenizer.json"


def model_file(folder: Path) -> Path | None:
    """Return the ONNX file of a folder as model pages lay it out, None without one."""
    places = (folder / "model.onnx", folder / "onnx" / "model.onnx")
    return next((place for place in places if place.is_file()), None)


class LocalEmbedder:
    """The model of one folder behind the port ``Embedder``. It is loaded by the first text.

    A folder that cannot be read is None from every call, with one line in the log: search goes by
    words. ``load`` makes what turns at most 8 texts into their vectors; it runs in a thread.
    """

    def __init__(self, folder: Path, load: Callable[[Path], Embed] | None = None) -> None:
        # Another model in the same folder is another name, so that its vectors are made anew.
        file = model_file(folder)
        size = file.stat().st_size if file is not None else 0
        self.name = f"local:{folder.name}:{size}"
        self._folder = folder
        self._load = load or load_model
        self._embed: Embed | None = None
        self._failed = False
        self._one_at_a_time = asyncio.Lock()

    async def embed(self, texts: Sequence[str]) -> list[Vector] | None:
        """Return one vector per text, in order; None if the model cannot be used."""
        vectors: list[Vector] = []
        # A step pads its texts to the longest: texts of like length cost least together.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), AT_ONCE):
            step = [texts[place] for place in order[start : start + AT_ONCE]]
            made = await self._step(step)
            if made is None:
                return None
            vectors += made
        by_place = dict(zip(order, vectors, strict=True))
        return [by_place[place] for place in range(len(texts))]

    async def _step(self, texts: Sequence[str]) -> list[Vector] | None:
        async with self._one_at_a_time:
            if self._failed:
                return None
            # The libraries raise classes of their own, some of them bare exceptions.
            done = await attempt("local embeddings", lambda: asyncio.to_thread(self._made, texts))
        if isinstance(done, Failed):
            self._failed = True
            return None
        made = done.value
        if made.ndim != PER_TEXT or len(made) != len(texts) or not bool(np.isfinite(made).all()):
            log.warning("local embeddings: the model of the folder makes no vectors of texts")
            self._failed = True
            return None
        return [[float(number) for number in row] for row in made]

    def _made(self, texts: Sequence[str]) -> Vectors:
        self._embed = self._embed or self._load(self._folder)
        return self._embed(texts)


def load_model(folder: Path) -> Embed:
    """Return what turns texts into vectors of length 1 by the model of a folder.

    Raises what the libraries raise if one of its files is missing or broken.
    """
    runtime: Any = import_module("onnxruntime")
    tokenizer: Any = import_module("tokenizers").Tokenizer.from_file(
        str(folder / "tokenizer.json")
    )
    tokenizer.enable_truncation(longest_text(folder))
    tokenizer.enable_padding()
    options = runtime.SessionOptions()
    # Half of the machine: whoever talks needs the rest.
    options.intra_op_num_threads = max(1, (os.cpu_count() or 1) // 2)
    file = model_file(folder) or folder / "model.onnx"
    session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    wanted = {each.name for each in session.get_inputs()}
    by_first = pools_by_first(folder)

    def embed(texts: Sequence[str]) -> Vectors:
        read = tokenizer.encode_batch([text or " " for text in texts])
        ids = np.array([each.ids for each in read], np.int64)
        mask = np.array([each.attention_mask for each in read], np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        made = session.run(None, {name: each for name, each in given.items() if name in wanted})
        return pooled(np.asarray(made[0], np.float32), mask, by_first=by_first)

    return embed


def pooled(tokens: Vectors, mask: Numbers, *, by_first: bool) -> Vectors:
    """Return one vector of length 1 per text: of its first token, or the mean of all of them.

    A model that has done so itself gives one vector per text already.
    """
    if tokens.ndim == PER_TEXT:
        made = tokens
    elif by_first:
        made = tokens[:, 0]
    else:
        counts = mask[..., None].astype(np.float32)
        made = (tokens * counts).sum(axis=1) / np.maximum(counts.sum(axis=1), 1.0)
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    return np.asarray(made / np.maximum(lengths, 1e-12), np.float32)


def pools_by_first(folder: Path) -> bool:
    """Return whether the first token speaks for a text; else it is the mean, as most models do."""
    return bool(_settings(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token"))


def longest_text(folder: Path) -> int:
    """Return how many tokens of a text the model reads."""
    said = _settings(folder / "sentence_bert_config.json").get("max_seq_length")
    return min(said, LONGEST_TEXT) if isinstance(said, int) and said > 0 else LONGEST_TEXT


def _settings(file: Path) -> Mapping[str, object]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
