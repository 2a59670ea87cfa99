"""LaTeX tables in booktabs style."""

from __future__ import annotations

from collections.abc import Sequence

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip
TABLE = str.maketrans(SPECIAL)


def escape(text: str) -> str:
    """Escape plain text for LaTeX; line breaks become spaces."""
    return " ".join(text.split()).translate(TABLE)


def number(value: float | None, digits: int = 2) -> str:
    """Format 0.715 as .72 (APA style for statistics bounded by 1), and None as --."""
    if value is None:
        return "--"
    text = f"{value:.{digits}f}"
    if abs(value) <= 1 and text.lstrip("-").startswith("0."):
        return ("-" if text.startswith("-") and float(text) else "") + text.lstrip("-")[1:]
    return text


def with_interval(
    value: float | None, low: float | None, high: float | None, digits: int = 2
) -> str:
    """Format a value with its interval, as .72 [.69, .75], or alone without an interval."""
    if value is None or low is None or high is None:
        return number(value, digits)
    ends = f"{number(low, digits)}, {number(high, digits)}"
    return f"{number(value, digits)} {{\\scriptsize [{ends}]}}"


def latex_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    label: str,
    source: str,
) -> str:
    """Return a table environment for `\\input`; it needs the package booktabs.

    The first column is left-aligned, the others right-aligned. Cells must be LaTeX already (see
    `escape`); header, caption and `source` (written as a comment) are plain text. Raises
    ValueError if a row and the header differ in length.
    """
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"a row has {len(row)} cells, the header {len(header)}")
    lines = [
        *(f"% {line}" for line in source.splitlines()),
        r"\begin{table}",
        r"\centering\small",
        rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
        r"\toprule",
        " & ".join(map(escape, header)) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{escape(caption)}}}",
        rf"\label{{{label}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"
