"""The figures of the zip for a paper: each as PDF, and its numbers as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.errors import NotFound
from annotation.models import Campaign
from scoring.figures import Figure, draw, numbers_csv
from scoring.selectors.correlation.figures import FigureRequest, figure_get
from scoring.selectors.correlation.one_metric import points_for
from scoring.selectors.ratings.tables import Choice

Reports = Mapping[str, Any]
OF_A_METRIC = ("scatter", "values", "roc", "systems", "per-system")


def figure_files(*, campaign: Campaign, reports: Reports) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content): coefficients, metrics among each other, systems, and for each human
    column the metric that is closest to it. What has nothing to draw is left out."""
    for name, figure in _figures(campaign, reports):
        yield f"figures/{name}.pdf", draw(figure, "pdf")
        yield f"figures/{name}.csv", numbers_csv(figure)


def _figures(campaign: Campaign, reports: Reports) -> Iterator[tuple[str, Figure]]:
    runs = {run["label"]: run["key"] for run in reports["correlation"]["runs"]}
    asked: list[tuple[str, str, dict[str, str]]] = [
        ("coefficients", "coefficients", {}),
        ("among", "among", {}),
    ]
    for number, (human, block) in enumerate(reports["correlation"]["human"].items(), 1):
        best = _closest(block["metrics"])
        if best is not None:
            about = {"run": runs[best], "scale": human, "metric": best}
            asked += [(f"{name}-{number}", name, about) for name in OF_A_METRIC]

    def report(kind: str, about: Mapping[str, str] | None = None) -> Any:
        if kind == "one-metric":  # Not stored: this file is made by a worker or a command.
            return points_for(campaign=campaign, choice=Choice(), asked=about)
        return reports[kind]

    for file, name, data in asked:
        request = FigureRequest(campaign, Choice(), data, report)
        try:
            yield file, figure_get(name=name, asked=request)
        except NotFound:
            continue


def _closest(metrics: Mapping[str, Any]) -> str | None:
    """The metric with the greatest Pearson correlation; None if none is defined."""
    known = {
        label: found["pearson"]["value"]
        for label, found in metrics.items()
        if found["pearson"]["value"] is not None
    }
    return max(known, key=lambda label: (known[label], label)) if known else None
