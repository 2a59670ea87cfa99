"""The forward pass of BERT (Devlin et al. 2019), RoBERTa and XLM-RoBERTa in numpy.

Tokens of all texts of a batch are rows of one matrix, without padding; only attention looks at each
text apart. Equal to `transformers` within 1e-4 (float32 rounds in another order).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.resources.neural_models import ROBERTA
from scoring.metrics.resources.tensors import Floats, Tensors, dequantized

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
