"""Metrics over many pairs at once, as the command `score` and `paraanno.lab` score them; and the
reader of files of pairs: id, original, paraphrase, reference, reference_2, ..., language.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from paraanno.common.cells import Cells, Columns, LanguageTagError, read_tag
from paraanno.common.progress import steps
from paraanno.common.records import format_of, read_records
from paraanno.common.texts import FIRST_PROBLEMS, Problem, ProblemLog, say, shown
from scoring.metrics.base import NOT_SCORED, Metric, by_original
from scoring.metrics.values import Counts, Met, Pair, Score, Vector, add_vectors, mean_score

REQUIRED = ("id", "original", "paraphrase")
LANGUAGE = "language"
_REFERENCE = re.compile(r"reference(_[1-9][0-9]{0,3})?")


@dataclass(frozen=True, slots=True)
class PairsFile:
    """The pairs in file order and their ids; if there are problems, no pair should be used."""

    ids: tuple[str, ...]
    pairs: tuple[Pair, ...]
    problems: tuple[Problem, ...]


def read_pairs(path: Path, *, also: Sequence[str] = ()) -> PairsFile:
    """Read a CSV file of pairs (or TSV or JSONL, by its name) in UTF-8.

    Texts are normalised to NFC. The original must not be blank; a blank paraphrase gets no score;
    blank references are left out; a language is a tag of BCP 47. The columns in `also` are
    required. Problems are returned, not raised.
    """
    log = ProblemLog(str(path), limit=FIRST_PROBLEMS)
    needed = tuple(dict.fromkeys((*REQUIRED, *also)))
    columns = Columns(
        words=needed,
        knows=lambda name: name in (*needed, LANGUAGE) or _REFERENCE.fullmatch(name) is not None,
        needed=needed,
        strict=False,
    )
    seen: dict[str, int] = {}
    pairs: list[Pair] = []
    for cells in read_records(path, log=log, columns=columns, format=format_of(path.name, "csv")):
        key, pair = cells.label("id"), _pair(cells)
        if key is None or pair is None:
            continue
        key = key.strip()
        line = seen.setdefault(key, cells.line)
        if line != cells.line:
            cells.fail(
                "id",
                say(
                    "%(id)s is already on line %(line)s: give each pair its own",
                    id=shown(key),
                    line=line,
                ),
            )
        pairs.append(pair)
    return PairsFile(tuple(seen), tuple(pairs), log.problems())


def _pair(cells: Cells) -> Pair | None:
    original, paraphrase = cells.filled("original"), cells.text("paraphrase")
    texts = [cells.text(column) for column in _references(tuple(cells.values))]
    language = _language(cells)
    if cells.failed or original is None:
        return None
    references = tuple(text for text in texts if text and text.strip())
    return Pair(original, paraphrase or "", references, language=language)


def _language(cells: Cells) -> str:
    try:
        return _tag(cells.name(LANGUAGE) or "")
    except LanguageTagError as error:
        cells.fail(LANGUAGE, error.message)
        return ""


_tag = lru_cache(maxsize=256)(read_tag)


@lru_cache(maxsize=4096)
def _references(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of references, in order of their numbers."""
    references = [column for column in columns if _REFERENCE.fullmatch(column)]
    return tuple(sorted(references, key=lambda column: int(column.partition("_")[2] or 1)))


def with_groups(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs, each with all distinct paraphrases of its original in the file as `group`."""
    groups: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        groups[pair.original].add(pair.paraphrase)
    together = {original: tuple(sorted(group)) for original, group in groups.items()}
    return tuple(replace(pair, group=together[pair.original]) for pair in pairs)


# Scores of many pairs.


@dataclass(frozen=True)
class ScoredMetric:
    """One metric over all pairs."""

    key: str
    metric: Metric[Any]
    met: Met
    scores: list[Score]
    total: Vector  # Statistics of each text for the corpus score; empty if the metric has none.

    @cached_property
    def signature(self) -> str:
        """The metric's signature with what the texts were compared with."""
        return f"{self.metric.signature()}|{self.met}"

    @cached_property
    def mean(self) -> tuple[Score, int]:
        """The mean of the texts that have a score, and their number."""
        return mean_score(self.scores)

    @cached_property
    def corpus(self) -> Score | None:
        """The score of all texts as one corpus; None if the metric has none."""
        if self.metric.system_kind != "corpus":
            return None
        return self.metric.corpus_value(self.total)


def scored(
    metrics: Mapping[str, Metric[Any]], pairs: Sequence[Pair], counts: Counts
) -> list[ScoredMetric]:
    """Score block by block, all metrics on each block, so that they share cached analyses of a
    text. A block keeps the pairs of one original together, wherever they are."""
    order = [place for places in by_original(pairs) for place in places]
    scores = {key: [NOT_SCORED] * len(order) for key in metrics}
    totals: dict[str, Vector] = dict.fromkeys(metrics, ())
    for metric in metrics.values():
        metric.use(metric.prepare(pairs))
    size = min(metric.chunk_size for metric in metrics.values())
    for start in steps(range(0, len(order), size)):
        places = order[start : start + size]
        block = [pairs[place] for place in places]
        for key, metric in metrics.items():
            block_scores, statistics = metric.score_and_statistics(block)
            totals[key] = add_vectors((totals[key] or None, *statistics))
            for place, score in zip(places, block_scores, strict=True):
                scores[key][place] = score
    return [
        ScoredMetric(key, metric, metric.met(counts), scores[key], totals[key])
        for key, metric in metrics.items()
    ]
