"""Encoding texts as vectors with a transformer model.

A process holds one model and a cache of the vectors of recent texts, shared by its metrics. BERT
(Devlin et al. 2019) and RoBERTa, in whose form most sentence encoders are published, are computed
in numpy; others by torch and transformers, which are imported with the first such model, in the
process that uses it: a fork after that could hang.
"""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.resources.neural_models import (
    ROBERTA,
    Floats,
    Tensors,
    dequantized,
    digests,
    runs_here,
)

# The forward pass of BERT, RoBERTa and XLM-RoBERTa in numpy.
#
# Tokens of all texts of a batch are rows of one matrix, without padding; only attention looks at
# each text apart. Equal to `transformers` within 1e-4 (float32 rounds in another order).


_PREFIXES = ("", "bert.", "roberta.", "model.")
_BLOCK = 2**15  # Numbers that stay in a CPU's cache while a function is computed step by step.


class _Linear:
    """x W^T + b for rows x."""

    def __init__(self, weights: Sequence[Floats], biases: Sequence[Floats]) -> None:
        self._matrix = np.ascontiguousarray(np.concatenate(weights).T)
        self._bias = np.concatenate(biases)

    def __call__(self, rows: Floats) -> Floats:
        output = rows @ self._matrix
        output += self._bias
        return output


class _Norm:
    """Layer normalisation (Ba et al. 2016), in place."""

    def __init__(self, scale: Floats, shift: Floats, least: float) -> None:
        self._scale, self._shift, self._least = scale, shift, np.float32(least)

    def __call__(self, rows: Floats) -> Floats:
        rows -= rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows)[:, None]
        variance /= rows.shape[1]
        rows /= np.sqrt(variance + self._least)
        rows *= self._scale
        rows += self._shift
        return rows


class _Words:
    """Vectors of token numbers, from a matrix in float32 or in four bits."""

    def __init__(self, tensors: Tensors, name: str) -> None:
        self._rows = None if tensors.is_packed(name) else tensors.floats(name)
        self._packed = tensors.packed(name) if tensors.is_packed(name) else None

    def __call__(self, ids: NDArray[np.int64]) -> Floats:
        if self._packed is not None:
            return dequantized(self._packed[0][ids], self._packed[1][ids])
        assert self._rows is not None  # noqa: S101 one of the two is there
        return self._rows[ids]


class _Layer:
    """Attention and a network of one hidden layer, each added to its input and normalised."""

    def __init__(self, tensors: Tensors, start: str, heads: int, least: float) -> None:
        def linear(*names: str) -> _Linear:
            return _Linear(
                [tensors.floats(f"{start}{name}.weight") for name in names],
                [tensors.floats(f"{start}{name}.bias") for name in names],
            )

        def norm(name: str) -> _Norm:
            return _norm(tensors, f"{start}{name}", least)

        self._heads = heads
        self._look = linear(*(f"attention.self.{name}" for name in ("query", "key", "value")))
        self._join = linear("attention.output.dense")
        self._first = norm("attention.output.LayerNorm")
        self._widen = linear("intermediate.dense")
        self._narrow = linear("output.dense")
        self._second = norm("output.LayerNorm")

    def __call__(self, rows: Floats, lengths: Sequence[int]) -> Floats:
        added = self._join(self._attended(self._look(rows), lengths))
        added += rows
        rows = self._first(added)
        added = self._narrow(gelu(self._widen(rows)))
        added += rows
        return self._second(added)

    def _attended(self, looked: Floats, lengths: Sequence[int]) -> Floats:
        """Each token's values of the tokens of its text, weighted; texts of equal length that are
        neighbours are computed together."""
        size = looked.shape[1] // 3
        each = size // self._heads
        attended = np.empty((len(looked), size), np.float32)
        for first, texts, length in _runs(lengths):
            last = first + texts * length
            parts = looked[first:last].reshape(texts, length, 3, self._heads, each)
            query, key, value = parts.transpose(2, 0, 3, 1, 4)
            weights = (query * np.float32(each**-0.5)) @ key.transpose(0, 1, 3, 2)
            weights -= weights.max(axis=-1, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=-1, keepdims=True)
            seen = (weights @ value).transpose(0, 2, 1, 3)
            attended[first:last] = seen.reshape(texts * length, size)
        return attended


class Transformer:
    """An encoder with its weights. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        """Raises ValueError if the files are not those of a model that is run here."""
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        tensors = Tensors(folder / "model.safetensors")
        self.layers = int(config["num_hidden_layers"])
        padding = int(config.get("pad_token_id") or 0)
        self._offset = padding + 1 if config["model_type"] in ROBERTA else 0
        prefix = next((one for one in _PREFIXES if f"{one}{_WORDS}" in tensors), "")
        heads, least = int(config["num_attention_heads"]), float(config["layer_norm_eps"])
        try:
            self._words = _Words(tensors, prefix + _WORDS)
            self._places = tensors.floats(f"{prefix}embeddings.position_embeddings.weight")
            kinds = tensors.floats(f"{prefix}embeddings.token_type_embeddings.weight")
            self._kind = kinds[0]  # Texts are never given in pairs.
            self._norm = _norm(tensors, f"{prefix}embeddings.LayerNorm", least)
            self._layers = [
                _Layer(tensors, f"{prefix}encoder.layer.{n}.", heads, least)
                for n in range(self.layers)
            ]
        except KeyError as error:
            raise ValueError(
                say(
                    "The model %(name)s has no weights for %(part)s: download it again.",
                    name=folder.name,
                    part=str(error.args[0]).removeprefix(prefix),
                )
            ) from error
        self.most = len(self._places) - self._offset

    def run(self, texts: Sequence[Sequence[int]], layer: int) -> list[Floats]:
        """For each text (token numbers) its (tokens, size) vectors after a layer; 0 is the input
        layer, a negative number the last one."""
        lengths = list(map(len, texts))
        ids = np.concatenate([np.asarray(one, np.int64) for one in texts])
        places = np.concatenate([np.arange(one) for one in lengths]) + self._offset
        rows = self._words(ids)
        rows += self._places[places]
        rows += self._kind
        rows = self._norm(rows)
        for one in self._layers[: self.layers if layer < 0 else layer]:
            rows = one(rows, lengths)
        return np.split(rows, np.cumsum(lengths)[:-1])


_WORDS = "embeddings.word_embeddings.weight"


def _norm(tensors: Tensors, name: str, least: float) -> _Norm:
    # Files converted from TensorFlow call the two gamma and beta.
    old = f"{name}.gamma" in tensors
    scale, shift = ("gamma", "beta") if old else ("weight", "bias")
    return _Norm(tensors.floats(f"{name}.{scale}"), tensors.floats(f"{name}.{shift}"), least)


def _runs(lengths: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Runs of equal lengths: the first row, how many texts, their length."""
    first = 0
    for length, texts in groupby(lengths):
        number = sum(1 for _ in texts)
        yield first, number, length
        first += number * length


def gelu(values: Floats) -> Floats:
    """x (1 + erf(x / sqrt 2)) / 2 (Hendrycks and Gimpel 2016), in place.

    erf by Abramowitz and Stegun (1964), 7.1.26, whose error is below 1.5e-7: with numpy alone it is
    three times as fast as an exact one.
    """
    flat = values.reshape(-1)
    for start in range(0, len(flat), _BLOCK):
        x = flat[start : start + _BLOCK]
        size = np.abs(x)
        size *= np.float32(0.5**0.5)
        t = np.float32(1) / (size * np.float32(0.3275911) + np.float32(1))
        tail = t * np.float32(1.061405429)
        for number in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
            tail += np.float32(number)
            tail *= t
        size *= size
        np.negative(size, out=size)
        tail *= np.exp(size, out=size)  # 1 - erf of the positive half.
        tail *= np.float32(0.5)
        # x Phi(x): for positive x, x (1 - tail); for negative, x tail.
        np.subtract(np.float32(1), tail, out=tail, where=x > 0)
        x *= tail
    return values


# Models with their tokenizers, and vectors of texts.


LAST = -1  # The output layer of a model.
MOST_TOKENS = 512  # Longer texts would hold up a chunk, and most models take no more.
UNKNOWN = ("[UNK]", "<unk>")
_BATCH = 1024  # Tokens per batch; larger ones are no faster and take more memory.
_CACHE_BYTES = 64 * 2**20  # Bytes of vectors.


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """An encoded text.

    `hidden` has one row for each token, including special tokens; `words` marks the rows of the
    text itself, `ids` has the number of each token. If there is no such token, or more than the
    model takes, `hidden` is empty; `length` is always the number of tokens. `foreign`: the model
    has one and the same token for all that the text is made of, its token for the unknown.
    """

    hidden: Floats
    words: NDArray[np.bool_]
    length: int
    ids: tuple[int, ...] = ()
    foreign: bool = False


class Network(Protocol):
    """A model without its tokenizer. Threads may share it."""

    layers: int
    most: int

    def run(self, texts: Sequence[Sequence[int]], layer: int) -> list[Floats]:
        """The (tokens, size) vectors of each text after a layer, LAST for the last."""


class Encoder:
    """A model and its tokenizer. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        """Raises ValueError if the files are not those of an encoder."""
        from tokenizers import Tokenizer

        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            network: Network = Transformer(folder) if runs_here(config) else _Borrowed(folder)
        except _UnfitModel:
            raise
        except Exception as error:
            raise ValueError(
                say("The model %(name)s cannot be read: %(why)s", name=folder.name, why=str(error))
            ) from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        unknown = map(self._tokenizer.token_to_id, UNKNOWN)
        self._unknown = {number for number in unknown if number is not None}
        self._network = network
        self.layers = network.layers
        self.most = min(MOST_TOKENS, network.most)
        # What a model was trained to see before every text.
        self._prefix = str(config.get("text_prefix", ""))
        self._encoded: OrderedDict[tuple[int, str], Encoded] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def encode(self, texts: Iterable[str], layer: int = LAST) -> dict[str, Encoded]:
        """Each distinct text with its vectors after a layer: 0 is the input layer, LAST the
        last."""
        with self._lock:
            encodings: dict[str, Encoded] = {}
            new = []
            for text in dict.fromkeys(texts):
                if (layer, text) in self._encoded:
                    self._encoded.move_to_end((layer, text))
                    encodings[text] = self._encoded[layer, text]
                else:
                    new.append(text)
            for text, encoded in self._encode(new, layer):
                encodings[text] = encoded
                self._keep((layer, text), encoded)
            return encodings

    def _keep(self, key: tuple[int, str], encoded: Encoded) -> None:
        self._encoded[key] = encoded
        self._size += encoded.hidden.nbytes
        while self._size > _CACHE_BYTES:
            self._size -= self._encoded.popitem(last=False)[1].hidden.nbytes

    def _encode(self, texts: list[str], layer: int) -> Iterator[tuple[str, Encoded]]:
        fit = []
        for text in texts:
            ids, words = self.cut(text)
            if words.any() and len(ids) <= self.most:
                fit.append((text, ids, words))
            else:
                yield text, Encoded(np.empty((0, 0), np.float32), words, len(ids), ids)
        # Texts of equal length are computed together. Longest first, as many as fill a batch.
        fit.sort(key=lambda one: len(one[1]))
        batches = []
        while fit:
            batches.append(fit[-max(1, _BATCH // len(fit[-1][1])) :])
            del fit[-len(batches[-1]) :]
        numbers = [[ids for _, ids, _ in batch] for batch in batches]
        for batch, rows in zip(batches, self._run_all(numbers, layer), strict=True):
            for (text, ids, words), hidden in zip(batch, rows, strict=True):
                # A copy, or the entire batch would stay in memory.
                foreign = {ids[at] for at in np.flatnonzero(words)} <= self._unknown
                yield text, Encoded(hidden.copy(), words, len(ids), ids, foreign)

    def cut(self, text: str) -> tuple[tuple[int, ...], NDArray[np.bool_]]:
        """The token numbers of a text, and which are of the text itself."""
        # One call per text: a batch call starts threads, which do not survive a fork.
        tokens = self._tokenizer.encode(self._prefix + _sound(text))
        special = np.array(tokens.special_tokens_mask, dtype=bool)
        ends = np.array([end for _, end in tokens.offsets])
        return tuple(tokens.ids), ~special & (ends > len(self._prefix))

    def _run_all(self, batches: list[list[tuple[int, ...]]], layer: int) -> Iterator[list[Floats]]:
        """The vectors of each batch. A batch is computed by one thread, so that its numbers do not
        depend on how many there are."""
        threads = min(_threads(), len(batches))
        if threads < 2:
            yield from (self._run(one, layer) for one in batches)
            return
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
            # A few at a time: results that wait take memory.
            for start in range(0, len(batches), 4 * threads):
                part = batches[start : start + 4 * threads]
                yield from pool.map(lambda one: self._run(one, layer), part)

    def _run(self, batch: Sequence[Sequence[int]], layer: int) -> list[Floats]:
        """The vectors of each text of a batch."""
        return self._network.run(batch, layer)


class _UnfitModel(ValueError):
    """A model that is readable and not what is needed."""


class _Borrowed:
    """A model that torch and transformers compute, on one thread."""

    def __init__(self, folder: Path) -> None:
        import torch
        from transformers import AutoModel
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # Progress bars would fill the worker's log.
        torch.set_num_threads(1)  # Each process of a worker uses one CPU.
        self._model, loading = AutoModel.from_pretrained(
            str(folder),
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            dtype=torch.float32,
            output_loading_info=True,
        )
        self._model.eval()
        _check(folder.name, self._model, loading["missing_keys"])
        self.layers = int(self._model.config.num_hidden_layers)
        self.most = _most_tokens(self._model)

    def run(self, texts: Sequence[Sequence[int]], layer: int) -> list[Floats]:
        import torch

        longest = max(map(len, texts))
        padding = self._model.config.pad_token_id or 0
        ids = torch.tensor([[*one, *[padding] * (longest - len(one))] for one in texts])
        mask = torch.tensor([[1] * len(one) + [0] * (longest - len(one)) for one in texts])
        with torch.inference_mode():
            out = self._model(
                input_ids=ids, attention_mask=mask, output_hidden_states=layer != LAST
            )
        hidden = out.last_hidden_state if layer == LAST else out.hidden_states[layer]
        return [rows[: len(one)] for rows, one in zip(hidden.numpy(), texts, strict=True)]


def _threads() -> int:
    """How many threads may compute: as many as those of numpy's matrix products, one in workers."""
    allowed = os.environ.get("OPENBLAS_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS") or ""
    return int(allowed) if allowed.isdigit() else os.cpu_count() or 1


def load_encoder(folder: Path) -> Encoder:
    """The model of a folder, cached until its files change or another model is requested."""
    return _loaded(folder, tuple(digests(folder).values()))


@lru_cache(maxsize=1)
def _loaded(folder: Path, content: tuple[str, ...]) -> Encoder:
    return Encoder(folder)


def _check(name: str, model: Any, missing: Iterable[str]) -> None:
    """Raise ValueError if the model is of another kind or would have random weights."""
    if model.config.is_encoder_decoder:
        raise _UnfitModel(
            say("The model %(name)s is no encoder: use one such as BERT or RoBERTa.", name=name)
        )
    # The pooling layer is not used, and many files lack it.
    absent = sorted(key for key in missing if not key.startswith("pooler."))
    if absent:
        raise _UnfitModel(
            say(
                "The model %(name)s has no weights for %(part)s: download it again.",
                name=name,
                part=absent[0],
            )
        )


def _most_tokens(model: Any) -> int:
    """The most tokens that the model takes; RoBERTa-like models count positions after the padding
    id."""
    places = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    offset = getattr(places, "padding_idx", None)
    most = getattr(model.config, "max_position_embeddings", None) or MOST_TOKENS
    return int(most) - (0 if offset is None else int(offset) + 1)


def _sound(text: str) -> str:
    """The text with U+FFFD for lone surrogates, which tokenizers reject."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
