"""Export in the layout of mt-metrics-eval (github.com/google-research/mt-metrics-eval, README), so
that its tools read a campaign like a WMT test set.

A segment is an item, a document its phrase, the source the original sentence, and a system's output
the sentence with the system's rank-1 paraphrase substituted. A missing output is an empty line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

Scores = Mapping[str, Sequence[float | None]]


@dataclass(frozen=True, slots=True)
class Segments:
    """Segments in order, those of one document adjacent.

    documents, sources   one text per segment
    references           complete sets: name -> one text per segment
    outputs              system -> one text per segment, None for a missing output
    human, metrics       name -> system -> one score per segment, None for a missing score
    """

    documents: Sequence[str]
    sources: Sequence[str]
    references: Mapping[str, Sequence[str]]
    outputs: Mapping[str, Sequence[str | None]]
    human: Mapping[str, Scores]
    metrics: Mapping[str, Scores]


def mtme_files(segments: Segments, *, pair: str) -> Iterator[tuple[str, str]]:
    """Yield (name, content) of every file; `pair` is the language pair in the names, as `en-en`.

    A metric with a missing score gets no file, because the layout allows no gaps in metric scores.
    The score of a system is the mean over its segments with a score.
    """
    systems = _names(segments.outputs)
    documents = _names(dict.fromkeys(segments.documents))
    yield f"sources/{pair}.txt", _lines(map(_line, segments.sources))
    yield (
        f"documents/{pair}.docs",
        _lines(f"phrase {documents[name]}" for name in segments.documents),
    )
    for name, texts in segments.references.items():
        yield f"references/{pair}.{name}.txt", _lines(map(_line, texts))
    for label, texts_or_none in segments.outputs.items():
        yield (
            f"system-outputs/{pair}/{systems[label]}.txt",
            _lines(_line(text or "") for text in texts_or_none),
        )
    for name, scores in segments.human.items():
        where = f"human-scores/{pair}.{_plain(name)}"
        yield from _scores(where, scores, systems)
    files = _names(segments.metrics, _plain)
    for name, scores in segments.metrics.items():
        if all(value is not None for column in scores.values() for value in column):
            yield from _scores(f"metric-scores/{pair}/{files[name]}-src", scores, systems)


def _scores(where: str, scores: Scores, systems: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    single = [
        f"{systems[label]}\t{_number(value)}"
        for label, column in scores.items()
        for value in column
    ]
    yield f"{where}.seg.score", _lines(single)
    whole = [f"{systems[label]}\t{_number(_mean(column))}" for label, column in scores.items()]
    yield f"{where}.sys.score", _lines(whole)


def _mean(column: Sequence[float | None]) -> float | None:
    there = [value for value in column if value is not None]
    return sum(there) / len(there) if there else None


def _number(value: float | None) -> str:
    return "None" if value is None else f"{value:.10g}"


def _line(text: str) -> str:
    """Return a text on one line: line breaks become spaces."""
    return " ".join(text.splitlines())


def _lines(lines: Iterator[str] | Sequence[str] | map[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _plain(name: str) -> str:
    """Return a name without spaces, dots, hyphens and slashes, which the layout reserves."""
    return re.sub(r"[\s./\\-]+", "_", name).strip("_") or "_"


def _solid(name: str) -> str:
    """Return a name without spaces and slashes."""
    return re.sub(r"[\s/\\]+", "_", name).strip("_.") or "_"


def _names(labels: Mapping[str, object], written: Callable[[str], str] = _solid) -> dict[str, str]:
    """Map each label to a unique name that is valid in the layout."""
    names: dict[str, str] = {}
    for label in labels:
        name = written(label)
        while name in names.values():
            name += "_"
        names[label] = name
    return names
