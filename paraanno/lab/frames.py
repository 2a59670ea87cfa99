"""Frames of the laboratory: the frame that every analysis answers, and columns as codes and
numbers, refused by name if they are not what they should be.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scoring.stats.table import IntArray, RatingTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED = 40  # characters of a name in a report
PARTS = re.compile(r"; (?![^(]*\))")  # Between the parts of a method, not in brackets.
TESTS = {"p": "$p$", "p_max_t": "$p$ (max-T)"}  # Columns that only some frames have.
COLUMNS = ["value", "low", "high", "n", "method", "reason"]
ESTIMATE = ("value", "ci_low", "ci_high", "n", "method", "reason")  # of a report's estimate
LETTERS = (
    "Systems that share a letter cannot be told apart (permutation by cluster, p < .05 by max-T "
    "over all pairs)."
)


class OwnNames(type):
    """The type of classes whose `help` shows what they add themselves: of all that a frame has,
    pandas' own help has 20,000 lines."""

    def __dir__(cls) -> list[str]:
        return [name for name in vars(cls) if not name.startswith("_")]


class Statistics(pd.DataFrame, metaclass=OwnNames):
    """The answer of an analysis: a pandas DataFrame with a row for each statistic, system, pair,
    metric or text, and three methods more.

    value       NaN where the statistic is undefined; `reason` then says why
    low, high   95 % interval; NaN without one; `reason` then says why
    n           what was counted
    method      formula and variant, worded for a paper, and how the interval was made
    reason      why there is no value, or no interval

    `attrs["warning"]` warns of intervals from few clusters, where there are any.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"text": list("aabbcc"), "who": list("xy") * 3,
    ...                    "rating": [3, 4, 2, 2, 5, 5]})
    >>> gold = lab.gold(df, item="text", annotator="who", value="rating")
    >>> print(gold.report(digits=1))
    a  3.5 [2.6, 4.4]  n = 2  [1]
    b  2.0 [2.0, 2.9]  n = 2  [1]
    c  5.0 [4.1, 5.0]  n = 2  [1]
    [1] mean of the ratings
    """

    @property
    def _constructor(self) -> type[Statistics]:
        return Statistics

    def report(self, digits: int = 2) -> str:
        """Return the rows as aligned text: name, value [interval], letters, n, p, and method or
        reason.

        Long names are cut. What the notes of several rows share stands once, below all rows.
        """
        parts = [_notes(row) for _, row in self.iterrows()]
        often = [one for one, n in Counter(chain.from_iterable(parts)).items() if n > 1]
        marks = {one: f"[{number}]" for number, one in enumerate(often, 1)}
        tests = {name: TESTS[name] for name in TESTS if name in self}
        letters = "letters" in self and bool((self["letters"] != "").any())
        lines = [
            (
                _cut(_name(name)),
                _with_interval(row, digits),
                *([row["letters"]] if letters else []),
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
        of_pairs = self.attrs.get("letters", {})
        below += [", ".join(map(" ".join, of_pairs.items()))] if of_pairs else []
        below += [LETTERS] if letters or of_pairs else []
        return "\n".join([*rows, *below, *filter(None, (str(self.attrs.get("warning") or ""),))])

    def to_latex(  # type: ignore[override]
        self, buf: Any = None, *, digits: int = 2, caption: str = ""
    ) -> Any:
        """Return a table in booktabs style: name, value with raised letters, interval, n, p; or
        write it to `buf`, a path or an open file."""
        from scoring.paper.tables import escape

        tests = {name: TESTS[name] for name in TESTS if name in self}
        names = "".join(f" & {sign}" for sign in tests.values())
        head = ["\\toprule", f" & value & 95 \\% interval & $n${names} \\\\", "\\midrule"]
        body = [
            " & ".join(
                (
                    escape(_name(name)),
                    _math(row["value"], digits) + _raised(row.get("letters", "")),
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


def _raised(letters: str) -> str:
    return f"\\textsuperscript{{{letters}}}" if letters else ""


def _span(row: pd.Series, digits: int) -> str:
    return "" if pd.isna(row["low"]) else f"$[{row['low']:.{digits}f}, {row['high']:.{digits}f}]$"


def estimate_row(estimate: Any) -> dict[str, Any]:
    """The row of an estimate in a report: with how its interval was made, or why there is none."""
    options = estimate.get("options") or {}
    how = [estimate["method"], *([options["interval"]] if "interval" in options else [])]
    return {
        **{name: estimate[name] for name in ESTIMATE},
        "method": "; ".join(map(str, how)),
        "reason": estimate["reason"] or options.get("no_interval"),
    }


def mean_row(part: Any, letters: str) -> dict[str, Any]:
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
        "letters": letters,
    }


def letters_by_mean(report: Any, scale: str) -> dict[str, str]:
    """The letters of systems by their mean on a scale in a report; empty where it compares none,
    and where so few clusters can tell no two apart."""
    from scoring.stats.intervals import TWO_SYSTEMS, cannot_tell

    if cannot_tell(report.get("phrases", 0), TWO_SYSTEMS):
        return {}
    each = [one for one in report.get("clusters", ()) if one["outcome"] == "mean"]
    return next((dict(one.get("letters", {})) for one in each if one["scale"] == scale), {})


SHOWN = 60  # characters of a text in a message
# Between the systems of one cell. A system may be called "T5, large" or "BART large", so the others
# count only where each part is a system by itself in other rows.
SURE = re.compile(r"\s*[;|\n\t]\s*")
FURTHER = tuple(
    re.compile(sign) for sign in (r"\s*,\s*", r"\s*/\s*", r"\s*\+\s*", r"\s*&\s*", r"\s+")
)


class ColumnError(ValueError, metaclass=OwnNames):
    """A column that is missing, or does not hold what is asked of it; the text names it."""


@dataclass(frozen=True, eq=False)
class Codes:
    """A column as codes, -1 where it is empty, and the values in order of their first row."""

    code: IntArray
    values: list[object]

    @cached_property
    def texts(self) -> list[str]:
        return [str(value) for value in self.values]


def column(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return one column. Raises ColumnError if there is none of this name, or more than one."""
    if name not in frame.columns:
        if name in frame.index.names:
            raise ColumnError(f"{name!r} is the index, no column: give frame.reset_index()")
        names = ", ".join(map(repr, frame.columns[:20])) or "no columns"
        raise ColumnError(f"there is no column {name!r}; the frame has {names}")
    series = frame[name]
    if isinstance(series, pd.DataFrame):
        raise ColumnError(f"there are {series.shape[1]} columns {name!r}: rename all but one")
    return series


def one_each(frame: pd.DataFrame, name: str, *beside: str | None) -> None:
    """Refuse cells of a column that hold several values. The columns `beside` are named with it if
    they hold several too: only together can they become rows."""
    row = _first_list(column(frame, name))
    if row is None:
        return
    also = [one for one in beside if one and _first_list(column(frame, one)) is not None]
    raise ColumnError(
        f"column {name!r} has several values in row {row + 1}, {_short(frame[name].iloc[row])}"
        f"{''.join(f', and so has {one!r}' for one in also)}: make a row of each, as "
        f"frame.explode({[*also, name] if also else name!r}) does"
    )


def _first_list(series: pd.Series) -> int | None:
    if series.dtype != object:
        return None
    return next((row for row, cell in enumerate(series) if pd.api.types.is_list_like(cell)), None)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."


def codes(frame: pd.DataFrame, name: str, *, needed: bool = True) -> Codes:
    """Return a column of names. Raises ColumnError for an empty cell, if values are `needed`, and
    for one with several."""
    one_each(frame, name)
    code, values = pd.factorize(column(frame, name))
    if needed and (code < 0).any():
        raise ColumnError(f"column {name!r} is empty in row {int(np.argmin(code)) + 1}")
    return Codes(code.astype(np.int64), list(values))


def joined_systems(frame: pd.DataFrame, name: str) -> str | None:
    """Return what to warn of where a cell looks as if it names several systems."""
    cell, sign = next(_with_several(codes(frame, name).texts), ("", ""))
    if not cell:
        return None
    return (
        f"column {name!r} has {_short(cell)}, which looks like several systems and is taken for "
        f"one. To make a row of each: frame[{name!r}] = frame[{name!r}].str.split({sign!r}), then "
        f"frame.explode({name!r}, ignore_index=True)"
    )


def _with_several(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    alone = set(names)
    for one, sign in product(names, (SURE, *FURTHER)):
        parts, between = sign.split(one), sign.search(one)
        if between and all(parts) and (sign is SURE or alone.issuperset(parts)):
            yield one, between.group()


def numbers(frame: pd.DataFrame, name: str) -> npt.NDArray[np.float64]:
    """Return a column of numbers, NaN where it is empty. Raises ColumnError for anything else."""
    one_each(frame, name)
    series = column(frame, name)
    read = pd.to_numeric(series, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~np.isfinite(read) & series.notna().to_numpy())
    if wrong.size:
        row = int(wrong[0])
        raise ColumnError(
            f"column {name!r} has {_short(series.iloc[row])} in row {row + 1}, no number: give "
            "numbers, and no value where there is none"
        )
    return read


def texts_of(frame: pd.DataFrame, name: str) -> list[str]:
    """Return a column of texts in NFC, "" for empty cells. Raises ColumnError for anything else."""
    one_each(frame, name)
    series = column(frame, name)
    texts: list[Any] = series.where(series.notna(), "").tolist()
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise ColumnError(f"column {name!r} has {_short(text)} in row {row + 1}, no text")
    return [unicodedata.normalize("NFC", text) for text in texts]


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
    phrase: IntArray | None = None,
) -> RatingTable:
    """Return the ratings of a frame in long format; rows without a value are left out.

    unit          (rows,) codes of the rated texts, whose names are `labels`; -1 counts nowhere
    item, phrase  (units,) codes of what was paraphrased, and of what makes texts alike
    """
    who, given = codes(frame, annotator), numbers(frame, value)
    observed = ~np.isnan(given) & (unit >= 0)
    key = unit[observed] * max(len(who.values), 1) + who.code[observed]
    _first, counts = np.unique(key, return_counts=True)
    if (counts > 1).any():
        place = int(_first[np.argmax(counts > 1)])
        text, person = labels[place // len(who.values)], who.texts[place % len(who.values)]
        raise ColumnError(
            f"columns {annotator!r} and {value!r}: annotator {person!r} rated {_short(text)} "
            "twice; keep one rating, as drop_duplicates does"
        )
    return RatingTable(
        unit[observed],
        who.code[observed],
        given[observed],
        len(labels),
        len(who.values),
        item=item,
        phrase=phrase,
        unit_labels=labels,
        annotator_labels=who.texts,
    )


def ends_of(table: RatingTable, levels: Sequence[float] | None) -> tuple[float, float]:
    """Return the ends of the scale, by default of the values that occur."""
    scale = table.value if levels is None else np.asarray(levels, dtype=np.float64)
    return float(scale.min()), float(scale.max())
