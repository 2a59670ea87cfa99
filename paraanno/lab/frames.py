"""The frame that every analysis answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import pandas as pd

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
