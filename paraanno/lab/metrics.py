"""Scores of metrics, and metrics against people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from warnings import warn

import numpy as np
import pandas as pd

from paraanno.lab.frames import (
    ColumnError,
    Statistics,
    codes,
    estimate_row,
    joined_systems,
    numbers,
    of_units,
    one_each,
    rating_table,
    statistics,
    texts_of,
)

if TYPE_CHECKING:
    from scoring.metrics.scored import ScoredMetric
    from scoring.stats.table import IntArray, RatingTable


def score(
    df: pd.DataFrame,
    metrics: Sequence[str],
    *,
    original: str,
    paraphrase: str,
    references: str | Sequence[str] | None = None,
    language: str = "en",
) -> pd.DataFrame:
    """Return the scores of every row.

    Parameters
    ----------
    df :
        frame with a row for each paraphrase
    metrics :
        names as the command `score` takes them: `bleu`, `pinc:lowercase=yes`,
        `bleu:against=original,as=overlap`
    original, paraphrase :
        columns of texts
    references :
        column or columns of references; empty cells are left out
    language :
        of the texts, a tag of BCP 47

    Returns
    -------
    A frame with the index of `df` and a column for each metric, NaN where it gives no score.
    `attrs["signatures"]` says how each was computed. A metric that gives no row a score warns with
    the commonest reason, and so does an index that repeats, by which nothing can be joined.

    Raises ColumnError, which names the column, and ValueError for a metric that does not exist or
    whose files are not there.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"before": ["the cat sat down"], "after": ["the cat lay down"]})
    >>> lab.score(df, ["pinc"], original="before", paraphrase="after")["pinc"].round(3).to_list()
    [0.729]
    """
    from scoring.metrics.registry import from_spec, parse_spec
    from scoring.metrics.scored import scored, with_groups
    from scoring.metrics.values import Pair, mixture, reference_counts

    if isinstance(metrics, str):
        raise ValueError(f"metrics={metrics!r}: give a list, [{metrics!r}]")
    named = [references] if isinstance(references, str) else list(references or ())
    originals = texts_of(df, original)
    blank = [row for row, text in enumerate(originals) if not text.strip()]
    if blank:
        raise ColumnError(f"column {original!r} is empty in row {blank[0] + 1}")
    given = zip(*(texts_of(df, name) for name in named), strict=True) if named else [()] * len(df)
    pairs: Sequence[Pair] = [
        Pair(before, after, tuple(one for one in others if one.strip()), language=language)
        for before, after, others in zip(originals, texts_of(df, paraphrase), given, strict=True)
    ]
    by_key = {}
    for text in metrics:
        spec = parse_spec(text)
        if spec.key in by_key:
            raise ValueError(f"{text!r}: there is a metric {spec.key} already; add as=NAME")
        by_key[spec.key] = from_spec(spec, [language])
        by_key[spec.key].load()
    counts = reference_counts(pairs)
    if reason := mixture(counts):
        for key, one in by_key.items():
            if one.is_auto():
                raise ValueError(f"{key}: {reason}")
    if any(one.grouped for one in by_key.values()):
        pairs = with_groups(pairs)
    columns = scored(by_key, pairs, counts) if by_key and pairs else []
    frame = pd.DataFrame(
        {one.key: [score.value for score in one.scores] for one in columns},
        index=df.index,
        columns=list(by_key),
        dtype="float64",
    )
    frame.attrs["signatures"] = {one.key: one.signature for one in columns}
    for warning in _doubts(frame, columns):
        warn(warning, stacklevel=2)
    return frame


def _doubts(frame: pd.DataFrame, columns: Sequence[ScoredMetric]) -> Iterator[str]:
    for one in columns:
        if frame[one.key].isna().all():
            reasons = Counter(str(score.reason) for score in one.scores)
            yield f"{one.key}: no row has a score: {reasons.most_common(1)[0][0]}"
    if not frame.index.is_unique:
        yield "the index repeats: reset_index(drop=True) before, to join scores"


def correlate(
    df: pd.DataFrame,
    *,
    human: str,
    metrics: Sequence[str],
    cluster: str | None = None,
    item: str | None = None,
    system: str | None = None,
    lower: Sequence[str] = (),
    ratings: pd.DataFrame | None = None,
    text: str | None = None,
    annotator: str | None = None,
    value: str | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Statistics:
    """Return how far metrics agree with people and, from the ratings, how far people do.

    Parameters
    ----------
    df :
        frame with a row for each text
    human :
        column of the people's value of a text, such as the mean rating
    metrics :
        columns of metrics
    lower :
        those of `metrics` of which lower values are better, such as TER: their sign is reversed
    cluster :
        column of the original (or phrase), for the intervals
    item :
        column of the original where `cluster` is its phrase: pairs are compared within items
    system :
        column of the system that wrote the text; adds the correlations between systems
    ratings :
        frame with a row for each rating that `human` is the mean of; adds the human ceiling. Needs
        `text`, `annotator` and `value`
    text :
        column of the text, in `df` and in `ratings`
    annotator, value :
        columns of `ratings`
    bootstrap :
        how intervals are made; the values stay the same. 0: by leaving out one cluster at a time
        (the jackknife); N: from N random samples of clusters, often 1000
    seed :
        of random draws: the samples of `bootstrap`; with `ratings`, the halves of the annotators;
        with `system`, the swaps behind `soft_pairwise_accuracy`; and the groups of the jackknife,
        which puts more than 100 clusters into 100. Else it changes nothing

    Returns
    -------
    A row for each metric, level and statistic. Levels: `texts`; `systems`. With `ratings` also
    `ceiling`, where the metric is `leave_one_out` (one annotator with the mean of the others) or
    `split_half` (one half of the annotators with the other); `share`, the metric's coefficient
    divided by that of one more annotator, whom it equals at 1; and `disattenuated`, its coefficient
    with people's values that had no noise.

    Raises ColumnError, which names the column. Warns of a cell that seems to name several systems.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"text": list("abcde"), "metric": [.1, .2, .4, .3, .9]})
    >>> ratings = pd.DataFrame({"text": list("abcde") * 2, "who": list("xxxxxyyyyy"),
    ...                         "rating": [1, 2, 3, 4, 5, 1, 3, 3, 4, 5]})
    >>> df["people"] = df["text"].map(ratings.groupby("text")["rating"].mean())
    >>> rows = lab.correlate(df, human="people", metrics=["metric"], ratings=ratings,
    ...                      text="text", annotator="who", value="rating")
    >>> float(rows.loc[("metric", "texts", "spearman"), "value"].round(2))
    0.9
    >>> float(rows.loc[("leave_one_out", "ceiling", "pearson"), "value"].round(2))
    0.96
    """
    from scoring.stats.evaluation.ceiling import HumanCeiling
    from scoring.stats.evaluation.report import Compared, MetaOptions, meta_evaluation
    from scoring.stats.intervals import Bootstrap, clusters_behind, few_clusters
    from scoring.stats.systems.values import SystemTexts

    _lists(metrics=metrics, lower=lower)
    if strange := [name for name in lower if name not in metrics]:
        raise ColumnError(f"lower={strange!r}: not among `metrics`")
    if item is not None and cluster is None:
        raise ColumnError(f"item={item!r}: name the column of `cluster` too")
    systems = None
    if system is not None:
        if doubt := joined_systems(df, system):
            warn(doubt, stacklevel=2)
        made = codes(df, system)
        systems = SystemTexts(np.arange(len(df)), made.code, tuple(made.texts))
    plan = Bootstrap(bootstrap, seed)
    people = None
    if ratings is not None:
        table, units = _ratings(
            df, ratings, text=text, annotator=annotator, value=value, cluster=cluster
        )
        people = HumanCeiling.of(table, clusters=table.phrase, plan=plan).of_rows(units)
    report = meta_evaluation(
        Compared(
            {human: numbers(df, human)},
            {name: numbers(df, name) * (-1 if name in lower else 1) for name in metrics},
            clusters=None if cluster is None else codes(df, cluster).code,
            items=None if item is None else codes(df, item).code,
            systems=systems,
            ceilings={human: people} if people else {},
        ),
        MetaOptions(plan, parts=("coefficients", "systems")),
    ).human[human]
    rows: dict[Any, Mapping[str, Any]] = {}
    for metric in metrics:
        estimates = report.metrics[metric]
        rows |= {(metric, "texts", name): one.as_json() for name, one in estimates.items()}
        if metric in report.systems:
            estimates = report.systems[metric].estimates
            rows |= {(metric, "systems", name): one.as_json() for name, one in estimates.items()}
        beside = report.ceiling.get(metric, {})
        rows |= {(metric, "share", name): one["share"] for name, one in beside.items()}
        rows |= {
            (metric, "disattenuated", name): one["disattenuated"] for name, one in beside.items()
        }
    for kind, each in people.estimates.items() if people else ():
        rows |= {(kind, "ceiling", name): one.as_json() for name, one in each.items()}
    frame = statistics(
        {key: estimate_row(one) for key, one in rows.items()},
        ["metric", "level", "statistic"],
        few_clusters(clusters_behind(list(rows.values()))),
    )
    turned = frame.index.get_level_values("metric").isin(lower)
    frame.loc[turned, "method"] += "; of the metric with its sign reversed"
    return frame


def _ratings(
    df: pd.DataFrame,
    ratings: pd.DataFrame,
    *,
    text: str | None,
    annotator: str | None,
    value: str | None,
    cluster: str | None,
) -> tuple[RatingTable, IntArray]:
    """Return the ratings of the texts of `df`, and the unit of each of its rows: two systems may
    have written the same text. Ratings of other texts count nowhere."""
    if text is None or annotator is None or value is None:
        raise ColumnError("ratings: name the columns `text`, `annotator` and `value` too")
    one_each(ratings, value, annotator)
    texts, rated = codes(df, text), codes(ratings, text)
    place = {name: code for code, name in enumerate(texts.values)}
    unit = np.array([place.get(name, -1) for name in rated.values], dtype=np.int64)[rated.code]
    if (unit < 0).all():
        raise ColumnError(f"column {text!r}: the two frames have no value in common")
    table = rating_table(
        ratings,
        unit,
        texts.texts,
        annotator=annotator,
        value=value,
        phrase=None if cluster is None else of_units(df, cluster, texts.code, len(texts.values)),
    )
    return table, texts.code


def _lists(**given: Sequence[str]) -> None:
    """Refuse one name in place of a list of names."""
    for argument, names in given.items():
        if isinstance(names, str):
            raise ColumnError(f"{argument}={names!r}: give a list of columns, [{names!r}]")
