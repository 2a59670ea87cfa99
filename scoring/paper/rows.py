"""Reports as rows in long format (one statistic per row, with interval, n and method), and tables
in Markdown (the pipe tables of GitHub and pandoc).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scoring.paper.tables import Report, letters_of
from scoring.stats.systems.catalogue import PLAIN, PLAIN_OF_SCALES

LongRow = Mapping[str, object]

AGREEMENT = (
    "about",
    "name",
    "statistic",
    "value",
    "ci_low",
    "ci_high",
    "generalises_to",
    "interval",
    "clusters",
    "n",
    "method",
    "reason",
)
RESULTS = (
    "system",
    "scale",
    "outcome",
    "value",
    "ci_low",
    "ci_high",
    "ci_method",
    "clusters",
    "independent_low",
    "independent_high",
    "independent_method",
    "n",
    "letters",
)
CORRELATION = (
    "human",
    "metric",
    "coefficient",
    "value",
    "ci_low",
    "ci_high",
    "interval",
    "clusters",
    "p_independent",
    "n",
    "reason",
    "letters",
)
# The key of a coefficient by the name under which metrics are compared by it.
COMPARED = {"pearson": "pearson", "spearman": "spearman", "pairwise_accuracy": "accuracy"}


def agreement_rows(report: Report) -> Iterator[LongRow]:
    """Yield the coefficients of `agreement`, of each scale ("ratings") and decision ("passes")."""
    for about, part in (("ratings", "scales"), ("passes", "passes")):
        for name, block in report.get(part, {}).items():
            for statistic, estimate in block.items():
                if not isinstance(estimate, Mapping) or "reason" not in estimate:
                    continue
                cells = {
                    **{key: estimate.get(key) for key in AGREEMENT[3:]},
                    **interval_cells(estimate),
                }
                yield {"about": about, "name": name, "statistic": statistic, **cells}


def results_rows(report: Report) -> Iterator[LongRow]:
    """Yield the statistics of `results`: coverage, and the mean and pass rate of each scale.

    Systems that share none of the `letters` of an outcome are told apart by it.
    """
    letters = letters_of(report)
    for label, system in report["systems"].items():
        for one in PLAIN:
            if one.plain == "share":
                yield _result(label, "", one.key, system, one.key, system["n"])
        for scale, block in system["scales"].items():
            for one in PLAIN_OF_SCALES:
                row = _result(label, scale, one.key, block, one.key, block["n"])
                yield {**row, "letters": letters.get((one.key, scale), {}).get(label)}
            if block.get("pass") is not None:
                yield _result(label, scale, "pass", block, "pass", block.get("pass_n"))
        row = _result(label, "", "pass_all", system, "pass_all", system.get("pass_all_n"))
        yield {**row, "letters": letters.get(("pass_all", None), {}).get(label)}


def _result(
    system: str, scale: str, outcome: str, block: Report, key: str, n: int | None
) -> LongRow:
    """`_bootstrap` is by cluster, and its `method` says how; `_interval` takes rows for
    independent."""
    exact, own = block.get(f"{key}_interval") or {}, block.get(f"{key}_bootstrap") or {}
    return {
        "system": system,
        "scale": scale,
        "outcome": outcome,
        "value": block.get(key),
        "ci_low": own.get("low"),
        "ci_high": own.get("high"),
        "ci_method": own.get("reason") or own.get("method"),
        "clusters": own.get("clusters"),
        "independent_low": exact.get("low"),
        "independent_high": exact.get("high"),
        "independent_method": exact.get("method"),
        "n": n,
        "letters": None,
    }


def correlation_rows(report: Report) -> Iterator[LongRow]:
    """Yield the coefficients of `correlate` for every human column and metric."""
    for human, block in report.get("human", {}).items():
        letters = block.get("significance_letters", {})
        for metric, coefficients in block["metrics"].items():
            for name, estimate in coefficients.items():
                cells = {
                    **{key: estimate.get(key) for key in CORRELATION[3:]},
                    **interval_cells(estimate),
                }
                cells["p_independent"] = estimate.get("p_value")
                cells["letters"] = letters.get(COMPARED.get(name, ""), {}).get(metric)
                yield {"human": human, "metric": metric, "coefficient": name, **cells}


def interval_cells(estimate: Report) -> dict[str, object]:
    """How the interval of an estimate was made, or why there is none; from how many clusters."""
    options = estimate.get("options") or {}
    return {
        "interval": options.get("no_interval") or options.get("interval"),
        "clusters": options.get("clusters"),
    }


# Tables in Markdown (the pipe tables of GitHub and pandoc).


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str) -> str:
    """Return a table with the first column left-aligned and the others right-aligned.

    Raises ValueError if a row and the header differ in length.
    """
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"a row has {len(row)} cells, the header {len(header)}")
    lines = [
        f"**{_markdown_cell(caption)}**",
        "",
        _markdown_line(header),
        _markdown_line(["---", *("---:" for _ in header[1:])]),
        *(_markdown_line(row) for row in rows),
    ]
    return "\n".join(lines) + "\n"


def _markdown_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_markdown_cell(cell) for cell in cells)} |"


def _markdown_cell(text: str) -> str:
    """Return a cell on one line, with pipes escaped."""
    return " ".join(text.split()).replace("|", "\\|")
