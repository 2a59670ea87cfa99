"""Encoding texts as vectors with a transformer model, on one CPU thread.

A process holds one model and a cache of the vectors of recent texts, shared by its metrics. torch
and transformers are imported with the first model, in the process that uses it: a fork after that
could hang.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.resources.neural_models import digests

LAST = -1  # The output layer of a model.
MOST_TOKENS = 512  # Longer texts would hold up a chunk, and most models take no more.
_BATCH = 512  # Tokens per batch, with padding; larger batches are up to twice as slow per token.
_KEPT = 64 * 2**20  # Bytes of vectors.


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """An encoded text.

    `hidden` has one row for each token, including special tokens; `words` marks the rows of the
    text itself. If there is no such token, or more than the model takes, `hidden` is empty;
    `length` is always the number of tokens.
    """

    hidden: NDArray[np.float32]
    words: NDArray[np.bool_]
    length: int


class Encoder:
    """A model and its tokenizer. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        """Raises ValueError if the files are not those of an encoder."""
        import torch
        from tokenizers import Tokenizer
        from transformers import AutoModel
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # Progress bars would fill the worker's log.
        torch.set_num_threads(1)  # Each process of a worker uses one CPU.
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._model, loading = AutoModel.from_pretrained(
                str(folder),
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                dtype=torch.float32,
                output_loading_info=True,
            )
        except Exception as error:
            raise ValueError(
                say("The model %(name)s cannot be read: %(why)s", name=folder.name, why=str(error))
            ) from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._model.eval()
        _check(folder.name, self._model, loading["missing_keys"])
        self.layers = int(self._model.config.num_hidden_layers)
        self.most = _most_tokens(self._model)
        self._kept: OrderedDict[tuple[int, str], Encoded] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def encode(self, texts: Iterable[str], layer: int = LAST) -> dict[str, Encoded]:
        """Each distinct text with its vectors after a layer: 0 is the input layer, LAST the
        last."""
        with self._lock:
            found: dict[str, Encoded] = {}
            new = []
            for text in dict.fromkeys(texts):
                if (layer, text) in self._kept:
                    self._kept.move_to_end((layer, text))
                    found[text] = self._kept[layer, text]
                else:
                    new.append(text)
            for text, encoded in self._encode(new, layer):
                found[text] = encoded
                self._keep((layer, text), encoded)
            return found

    def _keep(self, key: tuple[int, str], encoded: Encoded) -> None:
        self._kept[key] = encoded
        self._size += encoded.hidden.nbytes
        while self._size > _KEPT:
            self._size -= self._kept.popitem(last=False)[1].hidden.nbytes

    def _encode(self, texts: list[str], layer: int) -> Iterator[tuple[str, Encoded]]:
        # One call per text: a batch call starts threads, which do not survive a fork.
        cut = [(text, self._tokenizer.encode(_sound(text))) for text in texts]
        fit = []
        for text, tokens in cut:
            words = ~np.array(tokens.special_tokens_mask, dtype=bool)
            if words.any() and len(tokens) <= self.most:
                fit.append((text, tokens.ids, words))
            else:
                yield text, Encoded(np.empty((0, 0), np.float32), words, len(tokens))
        fit.sort(key=lambda one: len(one[1]))  # Texts of similar length need little padding.
        while fit:
            # Longest first, as many as fit with padding.
            batch = fit[-max(1, _BATCH // len(fit[-1][1])) :]
            del fit[-len(batch) :]
            rows = self._run([ids for _, ids, _ in batch], layer)
            for (text, ids, words), hidden in zip(batch, rows, strict=True):
                # A copy, or the entire batch would stay in memory.
                yield text, Encoded(hidden[: len(ids)].copy(), words, len(ids))

    def _run(self, batch: list[list[int]], layer: int) -> NDArray[np.float32]:
        """(texts, tokens, size) of vectors for token numbers."""
        import torch

        longest = max(map(len, batch))
        padding = self._model.config.pad_token_id or 0
        ids = torch.tensor([one + [padding] * (longest - len(one)) for one in batch])
        mask = torch.tensor([[1] * len(one) + [0] * (longest - len(one)) for one in batch])
        with torch.inference_mode():
            out = self._model(
                input_ids=ids, attention_mask=mask, output_hidden_states=layer != LAST
            )
        hidden = out.last_hidden_state if layer == LAST else out.hidden_states[layer]
        found: NDArray[np.float32] = hidden.numpy()
        return found


def load_encoder(folder: Path) -> Encoder:
    """The model of a folder, cached until its files change or another model is requested."""
    return _loaded(folder, tuple(digests(folder).values()))


@lru_cache(maxsize=1)
def _loaded(folder: Path, content: tuple[str, ...]) -> Encoder:
    return Encoder(folder)


def _check(name: str, model: Any, missing: Iterable[str]) -> None:
    """Raise ValueError if the model is of another kind or would have random weights."""
    if model.config.is_encoder_decoder:
        raise ValueError(
            say("The model %(name)s is no encoder: use one such as BERT or RoBERTa.", name=name)
        )
    # The pooling layer is not used, and many files lack it.
    absent = sorted(key for key in missing if not key.startswith("pooler."))
    if absent:
        raise ValueError(
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
    return min(MOST_TOKENS, int(most) - (0 if offset is None else int(offset) + 1))


def _sound(text: str) -> str:
    """The text with U+FFFD for lone surrogates, which tokenizers reject."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
