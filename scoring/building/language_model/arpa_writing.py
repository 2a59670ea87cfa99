"""Writing of language models in the ARPA format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from scoring.metrics.resources.language_model import LanguageModel

_AT_ONCE = 100_000


def write_arpa(model: LanguageModel, stream: BinaryIO) -> None:
    """Write a model: seven digits, n-grams in the order of the store, back-off weights for all
    orders but the highest."""
    stream.write(b"\\data\\\n")
    for order, level in enumerate(model.levels, 1):
        stream.write(f"ngram {order}={len(level)}\n".encode())
    texts = [model.words[at] for at in range(len(model.words))]
    for order in range(1, model.order + 1):
        stream.write(f"\n\\{order}-grams:\n".encode())
        for lines in _lines(model, order, texts):
            stream.write(lines.encode("utf-8", "surrogatepass"))
    stream.write(b"\n\\end\\\n")


def _lines(model: LanguageModel, order: int, texts: list[str]) -> Iterator[str]:
    level = model.levels[order - 1]
    for start in range(0, len(level), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        columns = [[texts[at] for at in column] for column in _columns(model, order, part)]
        ngrams = map(" ".join, zip(*columns, strict=True))
        logs = level.probability[part].tolist()
        if order < model.order:
            rows = zip(logs, ngrams, level.backoff[part].tolist(), strict=True)
            yield "".join([f"{log:.7g}\t{ngram}\t{back:.7g}\n" for log, ngram, back in rows])
        else:
            yield "".join(
                [f"{log:.7g}\t{ngram}\n" for log, ngram in zip(logs, ngrams, strict=True)]
            )


def _columns(model: LanguageModel, order: int, part: slice) -> list[list[int]]:
    """The words of some n-grams, a list for each place."""
    size, found = len(model.words), []
    keys = model.levels[order - 1].keys[part]
    for below in range(order - 1, 0, -1):
        found.append((keys % size).tolist())
        keys = model.levels[below - 1].keys[keys // size]
    return [keys.tolist(), *reversed(found)]
