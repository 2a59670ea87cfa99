"""Analyses of ratings: agreement and gold of rated texts, means of systems and their
differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple
from warnings import warn

import numpy as np

from paraanno.lab.frames import (
    ColumnError,
    Statistics,
    codes,
    ends_of,
    estimate_row,
    joined_systems,
    letters_by_mean,
    mean_row,
    of_units,
    one_each,
    rating_table,
    statistics,
)

if TYPE_CHECKING:
    import pandas as pd

    from scoring.stats.intervals import Bootstrap
    from scoring.stats.systems.values import ResultsReport

MOST_ORDINAL = 11  # values; a scale with more is numeric, as for "New campaign" (a test compares)


def agreement(
    df: pd.DataFrame,
    *,
    item: str,
    annotator: str,
    value: str,
    cluster: str | None = None,
    kind: Literal["nominal", "ordinal", "numeric"] | None = None,
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
        column of what makes items alike, such as the phrase, for the intervals
    kind :
        what the values are: `nominal` (numbers stand for categories), `ordinal`, or `numeric`
        (differences have a meaning). Decides which coefficients come first, and changes no number.
        By default a scale of 12 values or more is numeric, such as 0 to 100, any other ordinal
    levels :
        all values of the scale in ascending order; by default the whole numbers between the
        smallest and largest that occur, where all are whole
    bootstrap :
        how intervals are made; the values stay the same. 0: by leaving out one cluster at a time
        (the jackknife); N: from N random samples of clusters, often 1000
    seed :
        of random draws. There are none, and `seed` changes nothing, unless `bootstrap` is given or
        there are more than 100 clusters, which the jackknife puts into 100 random groups

    Returns
    -------
    A row for each coefficient, named as by the command `agreement --json` (`alpha_ordinal`,
    `icc_2_1` ...), with the same numbers. Those to report come first (`attrs["leads"]` has their
    names), those that do not fit the scale last.

    Raises ColumnError, which names the column.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"text": list("aabbccdd"), "who": list("xy") * 4,
    ...                    "rating": [3, 4, 2, 2, 5, 4, 1, 2]})
    >>> alphas = lab.agreement(df, item="text", annotator="who", value="rating")
    >>> float(alphas.loc["alpha_ordinal", "value"].round(3))
    0.812
    >>> alphas.attrs["leads"][:3]
    ['alpha_ordinal', 'icc_2_k', 'icc_2_1']
    """
    from scoring.stats.agreement.catalogue import fit_of, fitting, leading, unfit
    from scoring.stats.agreement.influence import ALPHA, icc_form
    from scoring.stats.agreement.report import agreement_statistics
    from scoring.stats.intervals import Bootstrap, clusters_behind, few_clusters
    from scoring.stats.table import default_levels

    if kind is not None and kind not in ALPHA:
        raise ValueError(f"kind={kind!r}: use one of {', '.join(ALPHA)}")
    one_each(df, value, annotator, cluster)
    unit = codes(df, item)
    table = rating_table(
        df,
        unit.code,
        unit.texts,
        annotator=annotator,
        value=value,
        phrase=None if cluster is None else of_units(df, cluster, unit.code, len(unit.values)),
    )
    scale = default_levels(table.value) if levels is None else np.asarray(levels, dtype=np.float64)
    if not np.isin(table.value, scale).all():
        strange = table.value[~np.isin(table.value, scale)][0]
        raise ColumnError(f"column {value!r} has {strange:g}, which is not among `levels`")
    estimates = agreement_statistics(
        table, scale, clusters=table.phrase, plan=Bootstrap(bootstrap, seed)
    )
    kind = kind or ("numeric" if scale.size > MOST_ORDINAL else "ordinal")
    order = {
        "fit": fit_of(kind, scale.size),
        "coefficient": ALPHA[kind],
        "icc": icc_form(estimates)[0],
    }
    made = {name: estimates[name].as_json() for name in (*fitting(order), *unfit(order))}
    frame = statistics(
        {name: estimate_row(one) for name, one in made.items()},
        ["statistic"],
        few_clusters(clusters_behind(made)),
    )
    frame.attrs["leads"] = list(leading(order))
    return frame


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
        `mean`, `median`, `trimmed`, `majority`, `z`, `severity`, `dawid-skene` or `mace`, as in
        docs/gold-and-results.md
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
    one_each(df, value, annotator)
    unit = codes(df, item)
    table = rating_table(df, unit.code, unit.texts, annotator=annotator, value=value)
    result = METHODS[method].compute(table)
    if table.value.size and METHODS[method].on_scale:
        result = result.within(*ends_of(table, levels))
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


NO_DIFFERENCE = (
    "No pair of systems differs: is %(item)r what was paraphrased, which systems share, and not "
    "the text that was rated?"
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
    permutations: int = 10_000,
    seed: int = 0,
) -> Statistics:
    """Return the mean rating of every system, with an interval, and which cannot be told apart.

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
    bootstrap :
        how intervals are made; the means stay the same. 0: by leaving out one cluster at a time
        (the jackknife); N: from N random samples of clusters, often 1000
    permutations :
        number of random swaps in the test behind the letters; up to 13 clusters it goes through all
        swaps instead
    seed :
        of random draws: the samples of `bootstrap`; the swaps, with more than 13 clusters; and the
        groups of the jackknife, which puts more than 100 clusters into 100. Else it changes nothing

    Returns
    -------
    A row for each system, the best first; `n` counts its judgments. Systems that share one of the
    `letters` cannot be told apart: `p_max_t` of `compare` is not below .05. There are none for a
    single system, for more than 40, and where there are too few clusters to tell any two apart.

    Raises ColumnError, which names the column. Warns of a cell that seems to name several systems.

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

    one_each(df, value, annotator, system, cluster)
    if doubt := joined_systems(df, system):
        warn(doubt, stacklevel=2)
    names = Columns(system, item, annotator, value, text, cluster)
    report = _report(df, names, levels, Bootstrap(bootstrap, seed), permutations)
    letters = letters_by_mean(report, value)
    rows = {
        name: mean_row(one["scales"][value], letters.get(name, ""))
        for name, one in report["systems"].items()
    }
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

    Parameters are those of `results`. `item` is what was paraphrased: with the rated text in its
    place only texts that two systems have in common are compared, and all differences are 0.

    Returns
    -------
    A row for each pair (a, b), in order of their first rows: `value` the mean of a less that of b,
    `n` the items with values of both, `p` of the permutation test, which swaps the two systems
    within clusters, and `p_max_t`, adjusted over all pairs by step-down max-T. `attrs["letters"]`
    has the letters of each system as in `results`; `attrs["warning"]` asks about `item` where no
    pair differs.

    Raises ColumnError, which names the column. Warns of a cell that seems to name several systems.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"system": ["s"] * 6 + ["t"] * 6, "text": list("123456") * 2,
    ...                    "who": ["x"] * 12, "rating": [5, 4, 5, 5, 4, 5, 2, 3, 2, 1, 3, 2]})
    >>> pairs = lab.compare(df, system="system", item="text", annotator="who", value="rating")
    >>> pairs[["value", "n", "p", "p_max_t"]].loc[("s", "t")].to_dict()
    {'value': 2.5, 'n': 6.0, 'p': 0.03125, 'p_max_t': 0.03125}
    >>> pairs.attrs["letters"]
    {'s': 'a', 't': 'b'}
    """
    from scoring.stats.intervals import TWO_SYSTEMS, Bootstrap, cannot_tell

    one_each(df, value, annotator, system, cluster)
    if doubt := joined_systems(df, system):
        warn(doubt, stacklevel=2)
    names = Columns(system, item, annotator, value, text, cluster)
    report = _report(df, names, levels, Bootstrap(bootstrap, seed), permutations)
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
    frame = statistics(rows, ["a", "b"], warning)
    frame.attrs["letters"] = letters_by_mean(report, value)
    return frame


class Columns(NamedTuple):
    """The columns of ratings of systems."""

    system: str
    item: str
    annotator: str
    value: str
    text: str | None
    cluster: str | None


def _report(
    df: pd.DataFrame,
    names: Columns,
    levels: Sequence[float] | None,
    plan: Bootstrap,
    permutations: int,
) -> ResultsReport:
    from scoring.stats.systems.results import results as report
    from scoring.stats.systems.values import SystemTexts
    from scoring.stats.table import CLUSTERS

    made, source = codes(df, names.system), codes(df, names.item)
    rated = source if names.text is None else codes(df, names.text)
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
        phrase=None if names.cluster is None else of_units(df, names.cluster, unit, len(pairs)),
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
        permutations=permutations,
        ends={names.value: ends_of(table, levels)} if table.value.size else {},
    )
