"""Agreement and gold of rated texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from paraanno.lab.columns import ColumnError, codes, ends_of, of_units, one_each, rating_table
from paraanno.lab.frames import Statistics, estimate_row, statistics

if TYPE_CHECKING:
    import pandas as pd

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
