"""How far annotators agree, and what they say together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from paraanno.lab.columns import ColumnError, codes, rating_table
from paraanno.lab.frames import Statistics, statistics
from scoring.stats.agreement.report import agreement_statistics
from scoring.stats.resampling import Bootstrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

REPLICATES = 1000


def agreement(
    df: pd.DataFrame,
    *,
    item: str,
    annotator: str,
    value: str,
    cluster: str | None = None,
    levels: Sequence[float] | None = None,
    bootstrap: int = REPLICATES,
    seed: int = 0,
) -> Statistics:
    """Return every coefficient of agreement on one scale.

    Parameters
    ----------
    df : frame with a row for each rating; rows without a value are left out
    item, annotator, value : names of columns; one rating of an item by an annotator
    cluster : column of what makes items alike, such as the phrase; intervals then resample it
    levels : all values of the scale in ascending order; by default the whole numbers between the
        smallest and largest that occur, where all are whole
    bootstrap, seed : replicates of the intervals (0: analytic ones alone), and where they begin

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
    >>> found = lab.agreement(df, item="text", annotator="who", value="rating", bootstrap=0)
    >>> float(found.loc["alpha_ordinal", "value"].round(3))
    0.812
    """
    unit = codes(df, item)
    table = rating_table(
        df, unit.code, unit.texts, annotator=annotator, value=value, cluster=cluster
    )
    scale = None if levels is None else np.asarray(levels, dtype=np.float64)
    if scale is not None and not np.isin(table.value, scale).all():
        strange = table.value[~np.isin(table.value, scale)][0]
        raise ColumnError(f"column {value!r} has {strange:g}, which is not among `levels`")
    found = agreement_statistics(
        table, scale, clusters=table.phrase, plan=Bootstrap(bootstrap, seed)
    )
    rows = {name: one.as_json() for name, one in found.items()}
    return statistics({name: _plain(row) for name, row in rows.items()}, ["statistic"])


def _plain(row: object) -> dict[str, object]:
    kept = ("value", "ci_low", "ci_high", "n", "method", "reason")
    assert isinstance(row, dict)  # noqa: S101 (for the type)
    return {name: row[name] for name in kept}


def gold(
    df: pd.DataFrame, *, item: str, annotator: str, value: str, method: str = "mean"
) -> Statistics:
    """Return the gold value of every item.

    Parameters
    ----------
    df : frame with a row for each rating
    item, annotator, value : names of columns
    method : a method of docs/gold-and-results.md: mean, median, trimmed, majority, severity, z ...

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
    from scoring.stats.gold.catalogue import METHODS

    if method not in METHODS:
        raise ValueError(f"there is no method {method!r}: use one of {', '.join(METHODS)}")
    unit = codes(df, item)
    table = rating_table(df, unit.code, unit.texts, annotator=annotator, value=value)
    found = METHODS[method].compute(table)
    return statistics(
        {
            name: {
                "value": found.value[place],
                "low": found.low[place],
                "high": found.high[place],
                "n": int(found.n[place]),
                "method": found.method,
                "reason": found.reasons[found.reason[place]] if found.reason[place] else "",
                "spread": found.spread[place],
            }
            for place, name in enumerate(unit.values)
        },
        [item],
    )
