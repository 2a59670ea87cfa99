"""The scores of metrics for the folder of mt-metrics-eval."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotation.models import Campaign
from scoring.metrics.base import Metric, Vector, add_vectors
from scoring.metrics.registry import metric_class, names
from scoring.models import Run, Score, SystemScore
from scoring.models.run import EXTERNAL
from scoring.paper import MetricScores, Segments
from scoring.paper.mtme import Corpus
from scoring.selectors.exports.segments import SegmentTexts
from scoring.selectors.ratings.tables import Ratings
from scoring.selectors.runs import newest_done_runs, run_columns, run_labels
from scoring.services.runs.resources import metric_of_run


def with_metrics(*, campaign: Campaign, ratings: Ratings, texts: SegmentTexts) -> Segments:
    """The segments with the newest finished run of each metric and option."""
    runs = newest_done_runs(campaign=campaign)
    labels = run_labels(runs)
    columns = run_columns(runs=runs, substitutions=ratings.units)
    found = {}
    for run in runs:
        metric = _metric(run)
        corpus = None
        if metric is not None and metric.system_kind == "corpus":
            corpus = _corpus(metric, _statistics(run, ratings), texts.units)
        elif metric is None:
            corpus = _stored(run, len(texts.whole))
        found[labels[run.pk]] = MetricScores(
            texts.of_units(columns[run.pk]),
            run.full_signature,
            _read_references(run, metric, texts),
            corpus,
            run.higher_is_better,
        )
    return replace(texts.segments, metrics=found)


def _metric(run: Run) -> Metric[Any] | None:
    """The metric of a run; None if it is not ours, or if one of its files is gone."""
    if run.metric == EXTERNAL:
        return None
    try:
        return metric_of_run(run)
    except ValueError:
        return None


def _statistics(run: Run, ratings: Ratings) -> list[Vector | None]:
    """What each unit adds to a corpus score; None where it could not be compared."""
    rows = Score.objects.filter(run=run).values_list("substitution_id", "statistics")
    known = {pk: tuple(found) for pk, found in rows.iterator(chunk_size=5000) if found is not None}
    return [known.get(pk) for pk in ratings.units.tolist()]


def _corpus(
    metric: Metric[Any],
    statistics: Sequence[Vector | None],
    units: Mapping[str, Sequence[int | None]],
) -> Corpus:
    """The metric's own score of a system over some segments, from what runs stored of each text.

    A run's stored score of a system covers all its texts of every rank, the excluded ones too: the
    score here is that of the texts in the folder.
    """

    def score(system: str, segments: Sequence[int]) -> float | None:
        chosen = [unit for at in segments if (unit := units[system][at]) is not None]
        return metric.corpus_value(add_vectors(statistics[unit] for unit in chosen)).value

    return score


def _stored(run: Run, every: int) -> Corpus | None:
    """Scores of whole systems that were imported, or that a metric gave whose files are gone; they
    are not known for a part of the segments."""
    rows = run.system_scores.filter(kind=SystemScore.Kind.CORPUS)
    known = dict(rows.values_list("system__label", "value"))
    if not known:
        return None
    return lambda system, segments: known.get(system) if len(segments) == every else None


def _read_references(run: Run, metric: Metric[Any] | None, texts: SegmentTexts) -> tuple[str, ...]:
    """The sets of references of which the run read a text that a system of the folder met."""
    reads = run.options.get("against", "original") != "original"
    if metric is not None:
        reads = metric.reads_references()
    if not reads:
        return ()
    met = [
        (run.scope == Run.Scope.SENTENCE or texts.whole[at])
        and any(
            column[at] is not None and column[at] not in texts.own_context
            for column in texts.units.values()
        )
        for at in range(len(texts.whole))
    ]
    return tuple(
        name
        for name, column in texts.references.items()
        if any(
            pk is not None and met[at] and (run.last_reference is None or pk <= run.last_reference)
            for at, pk in enumerate(column)
        )
    )


def printed_names(labels: Iterable[str]) -> dict[str, str]:
    """What a paper calls the runs: `bleu:lowercase=yes` is BLEU (lowercase=yes).

    A label that does not begin with the name of a metric is somebody's own, and stays.
    """
    known = set(names())
    found = {}
    for label in labels:
        name, rest = re.fullmatch(r"(\w*)(.*)", label, re.DOTALL).groups()  # type: ignore[union-attr]
        if name in known and rest[:1] in ("", ":", " "):
            title, rest = metric_class(name).title, rest.removeprefix(":").strip()
            inside = rest.removeprefix("(").removesuffix(")") if rest.startswith("(") else rest
            label_printed = f"{title} ({inside})" if inside else title
        else:
            label_printed = label
        found[label] = label_printed
    return found


def signed_metrics(signature: str) -> list[str]:
    """The metrics named in a signature: its own, and those that it is made of."""
    known = set(names())
    return [word for word in dict.fromkeys(re.findall(r"\w+", signature)) if word in known]
