"""The frame that every analysis answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scoring.stats.table import IntArray, RatingTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SHOWN = 60  # characters of a text in a message
NAMED = 40  # characters of a name in a report
PARTS = re.compile(r"; (?![^(]*\))")  # Between the parts of a method, not in brackets.
TESTS = {"p": "$p$", "p_max_t": "$p$ (max-T)"}  # Columns that only some frames have.
COLUMNS = ["value", "low", "high", "n", "method", "reason"]


class Statistics(pd.DataFrame):
    """A row for each statistic, system, pair or text.

    value       NaN where the statistic is undefined; `reason` then says why
    low, high   95 % interval; NaN without one; `reason` then says why
    n           what was counted
    method      formula and variant, worded for a paper, and how the interval was made

    `attrs["warning"]` warns of intervals from few clusters, where there are any.
    """

    @property
    def _constructor(self) -> type[Statistics]:
        return Statistics

    def report(self, digits: int = 2) -> str:
        """Return the rows as aligned text: name, value [interval], n, p, and method or reason.

        Long names are cut. What the notes of several rows share stands once, below all rows.
        """
        parts = [_notes(row) for _, row in self.iterrows()]
        often = [one for one, n in Counter(chain.from_iterable(parts)).items() if n > 1]
        marks = {one: f"[{number}]" for number, one in enumerate(often, 1)}
        tests = {name: TESTS[name] for name in TESTS if name in self}
        lines = [
            (
                _cut(_name(name)),
                _with_interval(row, digits),
                f"n = {row['n']}",
                *(
                    f"{sign.replace('$', '')} {_p_value(row[test], '= ')}"
                    for test, sign in tests.items()
                ),
                "; ".join(marks.get(one, one) for one in notes),
            )
            for (name, row), notes in zip(self.iterrows(), parts, strict=True)
        ]
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        rows = [
            "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        below = [f"{mark} {one}" for one, mark in marks.items()]
        return "\n".join([*rows, *below, *filter(None, (str(self.attrs.get("warning") or ""),))])

    def to_latex(  # type: ignore[override]
        self, buf: Any = None, *, digits: int = 2, caption: str = ""
    ) -> Any:
        """Return a table in booktabs style: name, value, interval, n, p; or write it to `buf`."""
        from scoring.paper.tables import escape

        tests = {name: TESTS[name] for name in TESTS if name in self}
        names = "".join(f" & {sign}" for sign in tests.values())
        head = ["\\toprule", f" & value & 95 \\% interval & $n${names} \\\\", "\\midrule"]
        body = [
            " & ".join(
                (
                    escape(_name(name)),
                    _math(row["value"], digits),
                    _span(row, digits),
                    str(row["n"]),
                    *(
                        _p_value(row[test]).join("$$" if row[test] >= 0 else ["", ""])
                        for test in tests
                    ),
                )
            )
            + " \\\\"
            for name, row in self.iterrows()
        ]
        table = [
            f"\\begin{{tabular}}{{lrrr{'r' * len(tests)}}}",
            *head,
            *body,
            "\\bottomrule",
            "\\end{tabular}",
        ]
        if caption:
            table = [
                "\\begin{table}",
                "\\centering",
                *table,
                f"\\caption{{{escape(caption)}}}",
                "\\end{table}",
            ]
        text = "\n".join(table) + "\n"
        if buf is None:
            return text
        if hasattr(buf, "write"):
            buf.write(text)
        else:
            with open(buf, "w", encoding="utf-8") as file:
                file.write(text)
        return None

    def plot(self, ax: Axes | None = None) -> Axes:  # type: ignore[override]
        """Draw every value as a dot with its interval, the first row on top; return the axes."""
        if ax is None:
            from matplotlib.figure import Figure

            ax = Figure(figsize=(6, 0.6 + 0.3 * len(self)), layout="constrained").subplots()
        drawn = self[self["value"].notna()]
        places = range(len(drawn))
        ax.hlines(places, drawn["low"], drawn["high"], color="#64748b", linewidth=1.5)
        ax.plot(drawn["value"], places, "o", color="#0f5f8c")
        ax.set_yticks(list(places), [_name(name) for name in drawn.index])
        ax.invert_yaxis()
        ax.set_xlabel("value, with 95 % interval")
        return ax


def statistics(
    rows: Mapping[Any, Mapping[str, Any]], names: list[str], warning: str | None = None
) -> Statistics:
    """Return a frame of rows by their key; `names` are those of the levels of the index.

    A row has the fields of an estimate in a report: value, ci_low and ci_high or low and high, n,
    method, reason; further fields become further columns.
    """
    table = [_row(row) for row in rows.values()]
    index: pd.Index
    if len(names) > 1:
        index = pd.MultiIndex.from_tuples(list(rows), names=names)
    else:
        index = pd.Index(list(rows), name=names[0])
    frame = Statistics(table, index=index)
    if not table:
        frame = frame.reindex(columns=COLUMNS)
    for name in ("value", "low", "high"):
        frame[name] = frame[name].astype("float64")
    if warning:
        frame.attrs["warning"] = str(warning)
    return frame


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    fields = {
        "value": row["value"],
        "low": row.get("ci_low", row.get("low")),
        "high": row.get("ci_high", row.get("high")),
        "n": row["n"],
        "method": str(row["method"]),
        "reason": str(row["reason"] or ""),
    }
    taken = {*fields, "ci_low", "ci_high"}
    return fields | {name: value for name, value in row.items() if name not in taken}


def _name(name: Any) -> str:
    return " / ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _with_interval(row: pd.Series, digits: int) -> str:
    if pd.isna(row["value"]):
        return "undefined"
    if pd.isna(row["low"]):
        return f"{row['value']:.{digits}f}"
    return f"{row['value']:.{digits}f} [{row['low']:.{digits}f}, {row['high']:.{digits}f}]"


def _notes(row: pd.Series) -> list[str]:
    """The parts of the method; why there is no value, or no interval."""
    if pd.isna(row["value"]):
        return [str(row["reason"] or row["method"])]
    return [*PARTS.split(str(row["method"])), *filter(None, (str(row["reason"]),))]


def _cut(text: str) -> str:
    return text if len(text) <= NAMED else f"{text[: NAMED - 1]}…"


def _p_value(value: float, equal: str = "") -> str:
    if pd.isna(value):
        return "--"
    if value < 0.001:
        return "< .001"
    return equal + (f"{value:.3f}".lstrip("0") if value < 1 else "1")


def _math(value: float, digits: int) -> str:
    return "--" if pd.isna(value) else f"${value:.{digits}f}$"


def _span(row: pd.Series, digits: int) -> str:
    return "" if pd.isna(row["low"]) else f"$[{row['low']:.{digits}f}, {row['high']:.{digits}f}]$"


# Columns of a frame as codes and numbers, refused by name if they are not what they should be.


class ColumnError(ValueError):
    """A column that is missing, or does not hold what is asked of it; the text names it."""


@dataclass(frozen=True, eq=False)
class Codes:
    """A column as codes, -1 where it is empty, and the values in order of their first row."""

    code: IntArray
    values: list[object]

    @property
    def texts(self) -> list[str]:
        return [str(value) for value in self.values]


def column(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return one column. Raises ColumnError if there is none of this name, or more than one."""
    if name not in frame.columns:
        names = ", ".join(map(repr, frame.columns[:20])) or "no columns"
        raise ColumnError(f"there is no column {name!r}; the frame has {names}")
    series = frame[name]
    if isinstance(series, pd.DataFrame):
        raise ColumnError(f"there are {series.shape[1]} columns {name!r}: rename all but one")
    return series


def codes(frame: pd.DataFrame, name: str, *, needed: bool = True) -> Codes:
    """Return a column of names. Raises ColumnError for an empty cell, if values are `needed`."""
    code, values = pd.factorize(column(frame, name))
    if needed and (code < 0).any():
        raise ColumnError(f"column {name!r} is empty in row {int(np.argmin(code)) + 1}")
    return Codes(code.astype(np.int64), list(values))


def numbers(frame: pd.DataFrame, name: str) -> npt.NDArray[np.float64]:
    """Return a column of numbers, NaN where it is empty. Raises ColumnError for anything else."""
    series = column(frame, name)
    read = pd.to_numeric(series, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~np.isfinite(read) & series.notna().to_numpy())
    if wrong.size:
        row = int(wrong[0])
        raise ColumnError(f"column {name!r} has {series.iloc[row]!r} in row {row + 1}, no number")
    return read


def of_units(frame: pd.DataFrame, name: str, unit: IntArray, size: int) -> IntArray:
    """Return (size,) the code in a column of each unit, which must have one throughout."""
    code = codes(frame, name).code
    unit_codes = np.full(size, -1, dtype=np.int64)
    unit_codes[unit[::-1]] = code[::-1]
    wrong = np.flatnonzero(unit_codes[unit] != code)
    if wrong.size:
        raise ColumnError(
            f"column {name!r} differs between rows of one item (row {int(wrong[0]) + 1})"
        )
    return unit_codes


def rating_table(
    frame: pd.DataFrame,
    unit: IntArray,
    labels: Sequence[str],
    *,
    annotator: str,
    value: str,
    item: IntArray | None = None,
    cluster: str | None = None,
) -> RatingTable:
    """Return the ratings of a frame in long format; rows without a value are left out.

    unit    (rows,) codes of the rated texts, whose names are `labels`
    item    (units,) codes of what was paraphrased, if texts of several systems are rated
    """
    who, given = codes(frame, annotator), numbers(frame, value)
    observed = ~np.isnan(given)
    key = unit[observed] * max(len(who.values), 1) + who.code[observed]
    _first, counts = np.unique(key, return_counts=True)
    if (counts > 1).any():
        place = int(_first[np.argmax(counts > 1)])
        text, person = labels[place // len(who.values)], who.texts[place % len(who.values)]
        text = text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."
        raise ColumnError(
            f"columns {annotator!r} and {value!r}: annotator {person!r} rated {text!r} twice; keep "
            "one rating, as drop_duplicates does"
        )
    return RatingTable(
        unit[observed],
        who.code[observed],
        given[observed],
        len(labels),
        len(who.values),
        item=item,
        phrase=None if cluster is None else of_units(frame, cluster, unit, len(labels)),
        unit_labels=labels,
        annotator_labels=who.texts,
    )
