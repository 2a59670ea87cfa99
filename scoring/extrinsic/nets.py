"""The four nets of Hailu, Yu and Fantaye (2020), table 2, with torch (extra `neural`).

A simple net (SMPNN: embedding, flatten, dense), a multichannel CNN (kernels of 4, 6 and 8 words, 32
filters each), and recurrent nets of GRU and LSTM units. The paper leaves out some sizes; those are
ours. torch is imported when a net is trained.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NETS = ("smpnn", "mcnn", "gru", "lstm")
NET_TOLD = {
    "smpnn": "embedding, flatten, dense",
    "mcnn": "three channels of 32 filters over 4, 6 and 8 words, maximum of two, dense 10",
    "gru": "100 gated recurrent units",
    "lstm": "100 LSTM units",
}
_KERNELS, _FILTERS, _DENSE, _UNITS = (4, 6, 8), 32, 10, 100
_WORD = re.compile(r"\w+")
_UNKNOWN, _FIRST = 1, 2  # 0 is padding.


@dataclass(frozen=True, slots=True)
class NetSizes:
    """`words` of the vocabulary, `length` words of a text (its last ones), `size` values of a word,
    `epochs` at most, of which the best by the validation part is kept; training stops after
    `patience` epochs without a better one (0: never)."""

    words: int = 5000
    length: int = 200
    size: int = 100
    epochs: int = 10
    patience: int = 3


SMALL = NetSizes()
SIZES = {"small": SMALL, "paper": NetSizes(length=500, size=300, epochs=30, patience=0)}


def has_torch() -> bool:
    """Whether the extra `neural` is installed."""
    return find_spec("torch") is not None


# Seconds of one core for an epoch over 1,000 training texts and 800 of validation, measured
# (docs/extrinsic.md says how). Longer texts and more values cost less than their product: a part of
# each step depends on the vocabulary and the units alone.
_SECONDS = {
    "small": {"smpnn": 0.12, "mcnn": 2.7, "gru": 2.0, "lstm": 1.7},
    "paper": {"smpnn": 1.4, "mcnn": 20.0, "gru": 11.0, "lstm": 9.0},
}


def seconds(net: str, size: str, training: int) -> float:
    """About how long the training of a net of a size on so many texts takes one core, at most."""
    return _SECONDS[size][net] * training / 1000 * SIZES[size].epochs


class Sequences:
    """Texts as rows of word numbers of one length: padded and cut in front, as Keras does."""

    def __init__(self, training: Sequence[str], sizes: NetSizes) -> None:
        counts = Counter(word for text in training for word in _words(text))
        often = sorted(counts, key=lambda word: (-counts[word], word))[: sizes.words - _FIRST]
        self._numbers = {word: number for number, word in enumerate(often, _FIRST)}
        self._sizes = sizes
        self.training = self.of(training)

    def of(self, texts: Sequence[str]) -> Ints:
        """(texts, length) int64."""
        rows = np.zeros((len(texts), self._sizes.length), dtype=np.int64)
        get = self._numbers.get
        for row, text in zip(rows, texts, strict=True):
            found = [get(word, _UNKNOWN) for word in _words(text)][-self._sizes.length :]
            if found:
                row[-len(found) :] = found
        return rows


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def train_net(
    net: str, rows: Ints, classes: Ints, *, validation: tuple[Ints, Ints] | None, seed: int,
    sizes: NetSizes, progress: Callable[[float], None] = lambda share: None,
) -> TrainedNet:  # fmt: skip
    """Train a net with Adam on cross entropy; without a validation part for all epochs. The same
    seed gives the same net on one machine. ValueError for an unknown net."""
    import torch

    if net not in NETS:
        raise ValueError(f"There is no net {net}: use one of {', '.join(NETS)}.")
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    model = _model(net, sizes, int(classes.max()) + 1)
    adam = torch.optim.Adam(model.parameters())
    loss = torch.nn.CrossEntropyLoss()
    batch = 16 if net == "mcnn" else 128
    x, y = torch.from_numpy(rows), torch.from_numpy(classes)
    order = torch.Generator().manual_seed(seed)
    best, kept, waited = -1.0, None, 0
    for epoch in range(sizes.epochs):
        model.train()
        for part in torch.randperm(len(x), generator=order).split(batch):
            adam.zero_grad()
            loss(model(x[part]), y[part]).backward()
            adam.step()
        progress((epoch + 1) / sizes.epochs)
        if validation is None:
            continue
        right = TrainedNet(model).probabilities(validation[0]).argmax(axis=1) == validation[1]
        accuracy = float(right.mean())
        waited += 1
        if accuracy > best:
            best, waited = accuracy, 0
            kept = {name: value.clone() for name, value in model.state_dict().items()}
        elif waited == sizes.patience:
            break
    if kept is not None:
        model.load_state_dict(kept)
    return TrainedNet(model)


class TrainedNet:
    """A net that was trained."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def probabilities(self, rows: Ints) -> Floats:
        """(texts, classes); each row sums to 1."""
        import torch

        self._model.eval()
        with torch.no_grad():
            parts = [
                torch.softmax(self._model(part), dim=1)
                for part in torch.from_numpy(rows).split(256)
            ]
        return np.asarray(torch.cat(parts).numpy(), dtype=np.float64)


def _model(net: str, sizes: NetSizes, classes: int) -> Any:
    import torch
    from torch import nn

    def embedding() -> Any:
        return nn.Embedding(sizes.words, sizes.size)

    if net == "smpnn":
        return nn.Sequential(
            embedding(), nn.Flatten(), nn.Linear(sizes.length * sizes.size, classes)
        )

    class Channels(nn.Module):  # type: ignore[misc, unused-ignore]
        """A convolution for each kernel, over an embedding of its own."""

        def __init__(self) -> None:
            super().__init__()
            self.embeddings = nn.ModuleList(embedding() for _ in _KERNELS)
            self.filters = nn.ModuleList(nn.Conv1d(sizes.size, _FILTERS, k) for k in _KERNELS)
            wide = sum((sizes.length - k + 1) // 2 for k in _KERNELS) * _FILTERS
            self.dense, self.out = nn.Linear(wide, _DENSE), nn.Linear(_DENSE, classes)
            self.drop = nn.Dropout(0.5)

        def forward(self, x: Any) -> Any:
            found = []
            for vectors, filters in zip(self.embeddings, self.filters, strict=True):
                seen = filters(self.drop(vectors(x)).transpose(1, 2)).relu()
                found.append(nn.functional.max_pool1d(seen, 2).flatten(1))
            return self.out(self.dense(torch.cat(found, dim=1)).relu())

    class Recurrent(nn.Module):  # type: ignore[misc, unused-ignore]
        """Recurrent units, of which the last state counts."""

        def __init__(self) -> None:
            super().__init__()
            self.embedding = embedding()
            kind = nn.GRU if net == "gru" else nn.LSTM
            self.units = kind(sizes.size, _UNITS, batch_first=True)
            self.out = nn.Linear(_UNITS, classes)

        def forward(self, x: Any) -> Any:
            states, _last = self.units(self.embedding(x))
            return self.out(states[:, -1])

    return Channels() if net == "mcnn" else Recurrent()
