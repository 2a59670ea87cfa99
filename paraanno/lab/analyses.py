"""Agreement, gold, results, differences of systems, and metrics against people."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from warnings import warn

import numpy as np

from paraanno.lab.frames import (
    ColumnError,
    Statistics,
    codes,
    column,
    numbers,
    of_units,
    rating_table,
    statistics,
)

if TYPE_CHECKING:
    import pandas as pd

    from scoring.metrics.scored import ScoredMetric
    from scoring.stats.intervals import Bootstrap
    from scoring.stats.systems.values import ResultsReport
    from scoring.stats.table import RatingTable


NO_DIFFERENCE = (
    "No pair of systems differs: is %(item)r what was paraphrased, which systems share, and not "
    "the text that was rated?"
)
ESTIMATE = ("value", "ci_low", "ci_high", "n", "method", "reason")  # of a report's estimate


def agreement(
    df: pd.DataFrame,
    *,
    item: str,
    annotator: str,
    value: str,
    cluster: str | None = None,
    levels: Sequence[float] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Statistics:
    """Return every coefficient of agreement on one scale.

    Parameters
    ----------
    df :
        frame with a row for each rating; rows without a value are left out
    item, annotator, value :
        names of columns; one rating of an item by an annotator
    cluster :
        column of what makes items alike, such as the phrase; intervals then leave it out whole
    levels :
        all values of the scale in ascending order; by default the whole numbers between the
        smallest and largest that occur, where all are whole
    bootstrap, seed :
        0: intervals by the jackknife; else as many draws, and where they begin

    Returns
    -------
    A row for each coefficient, named as by the command `agreement --json` (`alpha_ordinal`,
    `icc_2_1` ...), with the same numbers.

    Raises ColumnError, which names the column.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"text": list("aabbccdd"), "who": list("xy") * 4,
    ...                    "rating": [3, 4, 2, 2, 5, 4, 1, 2]})
    >>> found = lab.agreement(df, item="text", annotator="who", value="rating")
    >>> float(found.loc["alpha_ordinal", "value"].round(3))
    0.812
    """
    from scoring.stats.agreement.report import agreement_statistics
    from scoring.stats.intervals import Bootstrap, clusters_behind, few_clusters

    unit = codes(df, item)
    table = rating_table(
        df, unit.code, unit.texts, annotator=annotator, value=value, cluster=cluster
    )
    scale = None if levels is None else np.asarray(levels, dtype=np.float64)
    if scale is not None and not np.isin(table.value, scale).all():
        strange = table.value[~np.isin(table.value, scale)][0]
        raise ColumnError(f"column {value!r} has {strange:g}, which is not among `levels`")
    estimates = agreement_statistics(
        table, scale, clusters=table.phrase, plan=Bootstrap(bootstrap, seed)
    )
    made = {name: one.as_json() for name, one in estimates.items()}
    return statistics(
        {name: estimate_row(one) for name, one in made.items()},
        ["statistic"],
        few_clusters(clusters_behind(made)),
    )


def gold(
    df: pd.DataFrame,
    *,
    item: str,
    annotator: str,
    value: str,
    method: str = "mean",
    levels: Sequence[float] | None = None,
) -> Statistics:
    """Return the gold value of every item.

    Parameters
    ----------
    df :
        frame with a row for each rating
    item, annotator, value :
        names of columns
    method :
        a method of docs/gold-and-results.md: mean, median, trimmed, majority, severity, z ...
    levels :
        all values of the scale, at whose ends intervals of values on it end; by default those that
        occur

    Returns
    -------
    A row for each item in order of its first rating: `n` its ratings, `low` and `high` an interval
    where the method has one, `spread` the standard deviation of its ratings.

    Raises ColumnError, and ValueError for a method that does not exist.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"text": ["a", "a", "b"], "who": ["x", "y", "x"], "rating": [3, 4, 2]})
    >>> lab.gold(df, item="text", annotator="who", value="rating")["value"].to_dict()
    {'a': 3.5, 'b': 2.0}
    """
    from scoring.stats.gold.latent import METHODS

    if method not in METHODS:
        raise ValueError(f"there is no method {method!r}: use one of {', '.join(METHODS)}")
    unit = codes(df, item)
    table = rating_table(df, unit.code, unit.texts, annotator=annotator, value=value)
    result = METHODS[method].compute(table)
    if table.value.size and METHODS[method].on_scale:
        result = result.within(*_ends(table, levels))
    return statistics(
        {
            name: {
                "value": result.value[place],
                "low": result.low[place],
                "high": result.high[place],
                "n": int(result.n[place]),
                "method": result.method,
                "reason": result.reasons[result.reason[place]] if result.reason[place] else "",
                "spread": result.spread[place],
            }
            for place, name in enumerate(unit.values)
        },
        [item],
    )


def results(
    df: pd.DataFrame,
    *,
    system: str,
    item: str,
    annotator: str,
    value: str,
    text: str | None = None,
    cluster: str | None = None,
    levels: Sequence[float] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Statistics:
    """Return the mean rating of every system, with an interval by original.

    Parameters
    ----------
    df :
        frame with a row for each rating of one system's text for one item
    system, item, annotator, value :
        names of columns; an item is what was paraphrased, the same for all systems
    text :
        column of what was rated, where a system has several texts for one item
    cluster :
        column of what makes items alike, such as the phrase; by default the item
    levels :
        all values of the scale, at whose ends intervals end; by default those that occur
    bootstrap, seed :
        0: intervals by the jackknife; else as many draws, and where they begin

    Returns
    -------
    A row for each system, the best first; `n` counts its judgments.

    Raises ColumnError, which names the column.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"system": list("sstt"), "text": ["1", "2"] * 2, "who": ["x"] * 4,
    ...                    "rating": [5, 4, 2, 3]})
    >>> lab.results(df, system="system", item="text", annotator="who", value="rating")["value"]
    system
    s    4.5
    t    2.5
    Name: value, dtype: float64
    """
    from scoring.stats.intervals import Bootstrap

    names = Columns(system, item, annotator, value, text, cluster)
    report = _results(df, names, levels, Bootstrap(bootstrap, seed), swaps=None)
    rows = {name: mean_row(one["scales"][value]) for name, one in report["systems"].items()}
    best = sorted(rows, key=lambda name: -np.inf if (v := rows[name]["value"]) is None else v)
    return statistics({name: rows[name] for name in reversed(best)}, [system], report["warning"])


def compare(
    df: pd.DataFrame,
    *,
    system: str,
    item: str,
    annotator: str,
    value: str,
    text: str | None = None,
    cluster: str | None = None,
    levels: Sequence[float] | None = None,
    bootstrap: int = 0,
    permutations: int = 10_000,
    seed: int = 0,
) -> Statistics:
    """Return the difference of every two of 2 to 40 systems on the items that both have.

    Parameters are those of `results`; `permutations` of every test, which exchanges the systems
    within clusters. `item` is what was paraphrased: with the rated text in its place only texts
    that two systems have in common are compared, and all differences are 0.

    Returns
    -------
    A row for each pair (a, b), in order of their first rows: `value` the mean of a less that of b,
    `n` the items with values of both, `p` of the permutation test, and `p_max_t`, adjusted over all
    pairs by step-down max-T. `attrs["warning"]` asks about `item` where no pair differs.

    Raises ColumnError, which names the column.
    """
    from scoring.stats.intervals import TWO_SYSTEMS, Bootstrap, cannot_tell

    names = Columns(system, item, annotator, value, text, cluster)
    report = _results(df, names, levels, Bootstrap(bootstrap, seed), swaps=permutations)
    cannot = cannot_tell(report["phrases"], TWO_SYSTEMS)
    rows = {
        (one["a"], one["b"]): {
            "value": one["difference"],
            "low": one["interval"]["low"],
            "high": one["interval"]["high"],
            "n": one["n"],
            "method": f"{one['method']}; {one['interval']['method']}",
            "reason": one["reason"] or one["interval"]["reason"] or cannot,
            "p": one["p_value"],
            "p_max_t": one["p_max_t"],
        }
        for one in report["pairs"]
        if one["outcome"] == "mean"
    }
    if not rows and report["pairs_reason"]:
        raise ColumnError(f"column {system!r}: {report['pairs_reason']}")
    warning = report["warning"]
    if rows and not any(one["value"] for one in rows.values()):
        warning = " ".join(filter(None, (str(warning or ""), NO_DIFFERENCE % {"item": item})))
    return statistics(rows, ["a", "b"], warning)


def correlate(
    df: pd.DataFrame,
    *,
    human: str,
    metrics: Sequence[str],
    cluster: str | None = None,
    item: str | None = None,
    system: str | None = None,
    lower: Sequence[str] = (),
    bootstrap: int = 0,
    seed: int = 0,
) -> Statistics:
    """Return how far metrics agree with people.

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
        column of the original (or phrase); intervals then leave it out whole
    item :
        column of the original where `cluster` is its phrase: pairs are compared within items
    system :
        column of the system that wrote the text; adds the correlations between systems
    bootstrap, seed :
        0: intervals by the jackknife; else as many draws, and where they begin

    Returns
    -------
    A row for each metric, level ("texts", or "systems") and statistic.

    Raises ColumnError, which names the column.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"people": [1, 2, 3, 4, 5], "metric": [.1, .2, .4, .3, .9]})
    >>> found = lab.correlate(df, human="people", metrics=["metric"])
    >>> float(found.loc[("metric", "texts", "spearman"), "value"].round(2))
    0.9
    """
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
        made = codes(df, system)
        systems = SystemTexts(np.arange(len(df)), made.code, tuple(made.texts))
    report = meta_evaluation(
        Compared(
            {human: numbers(df, human)},
            {name: numbers(df, name) * (-1 if name in lower else 1) for name in metrics},
            clusters=None if cluster is None else codes(df, cluster).code,
            items=None if item is None else codes(df, item).code,
            systems=systems,
        ),
        MetaOptions(Bootstrap(bootstrap, seed), parts=("coefficients", "systems")),
    ).human[human]
    warning = few_clusters(clusters_behind(report.to_json()))
    rows: dict[Any, dict[str, Any]] = {}
    for metric in metrics:
        levels = {"texts": report.metrics[metric]}
        if metric in report.systems:
            levels["systems"] = report.systems[metric].estimates
        for level, estimates in levels.items():
            for name, one in estimates.items():
                row = estimate_row(one.as_json())
                if metric in lower:
                    row["method"] += "; of the metric with its sign reversed"
                rows[metric, level, name] = row
    return statistics(rows, ["metric", "level", "statistic"], warning)


def _lists(**given: Sequence[str]) -> None:
    """Refuse one name in place of a list of names."""
    for argument, names in given.items():
        if isinstance(names, str):
            raise ColumnError(f"{argument}={names!r}: give a list of columns, [{names!r}]")


class Columns(NamedTuple):
    """The columns of ratings of systems."""

    system: str
    item: str
    annotator: str
    value: str
    text: str | None
    cluster: str | None


def _results(
    df: pd.DataFrame,
    names: Columns,
    levels: Sequence[float] | None,
    plan: Bootstrap,
    *,
    swaps: int | None,
) -> ResultsReport:
    from scoring.stats.systems.results import results as report
    from scoring.stats.systems.values import SystemTexts
    from scoring.stats.table import CLUSTERS

    made, source = codes(df, names.system), codes(df, names.item)
    rated = source if names.text is None else codes(df, names.text)
    column(df, names.value)
    pairs, unit = np.unique(rated.code * len(made.values) + made.code, return_inverse=True)
    unit = unit.astype(np.int64)
    labels = [
        f"{rated.texts[pair // len(made.values)]} by {made.texts[pair % len(made.values)]}"
        for pair in pairs
    ]
    table = rating_table(
        df,
        unit,
        labels,
        annotator=names.annotator,
        value=names.value,
        item=of_units(df, names.item, unit, len(pairs)),
        cluster=names.cluster,
    )
    systems = SystemTexts(
        np.arange(len(pairs)),
        pairs % len(made.values),
        tuple(made.texts),
        len(source.values),
        CLUSTERS,
    )
    return report(
        {names.value: table},
        systems,
        plan=plan,
        permutations=swaps or 1,
        compare=swaps is not None,
        ends={names.value: _ends(table, levels)} if table.value.size else {},
    )


def _ends(table: RatingTable, levels: Sequence[float] | None) -> tuple[float, float]:
    """The ends of the scale, by default of the values that occur."""
    scale = table.value if levels is None else np.asarray(levels, dtype=np.float64)
    return float(scale.min()), float(scale.max())


def estimate_row(estimate: Any) -> dict[str, Any]:
    """The row of an estimate in a report: with how its interval was made, or why there is none."""
    options = estimate.get("options") or {}
    how = [estimate["method"], *([options["interval"]] if "interval" in options else [])]
    return {
        **{name: estimate[name] for name in ESTIMATE},
        "method": "; ".join(map(str, how)),
        "reason": estimate["reason"] or options.get("no_interval"),
    }


def mean_row(part: Any) -> dict[str, Any]:
    """The row of a system's mean on one scale, of what a report says of both."""
    mean = part.get("mean")
    interval = part.get("mean_bootstrap") or {"low": None, "high": None, "method": ""}
    return {
        "value": mean,
        "low": interval["low"],
        "high": interval["high"],
        "n": part["n"],
        "method": f"mean of judgments; {interval['method']}".removesuffix("; "),
        "reason": "no judgment" if mean is None else interval.get("reason"),
    }


# Automatic metrics of paraphrases.


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
    import pandas

    from scoring.metrics.pairs import with_groups
    from scoring.metrics.registry import from_spec, parse_spec
    from scoring.metrics.scored import scored
    from scoring.metrics.values import Pair, mixture, reference_counts

    if isinstance(metrics, str):
        raise ValueError(f"metrics={metrics!r}: give a list, [{metrics!r}]")
    named = [references] if isinstance(references, str) else list(references or ())
    originals = _texts(df, original)
    blank = [row for row, text in enumerate(originals) if not text.strip()]
    if blank:
        raise ColumnError(f"column {original!r} is empty in row {blank[0] + 1}")
    given = zip(*(_texts(df, name) for name in named), strict=True) if named else [()] * len(df)
    pairs: Sequence[Pair] = [
        Pair(before, after, tuple(one for one in others if one.strip()), language=language)
        for before, after, others in zip(originals, _texts(df, paraphrase), given, strict=True)
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
    frame = pandas.DataFrame(
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


def _texts(df: pd.DataFrame, name: str) -> list[str]:
    """A column of texts in NFC, "" for empty cells."""
    series = column(df, name)
    texts = series.where(series.notna(), "").tolist()
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise ColumnError(f"column {name!r} has {text!r} in row {row + 1}, no text")
    return [unicodedata.normalize("NFC", text) for text in texts]
