"""How far each metric agrees with people: all of them beside each other, and pair by pair."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from scoring.views.correlation_frame import Asked, p_text

MAIN = ("pearson", "spearman", "kendall", "pairwise_accuracy")
FURTHER = {
    "kendall_c": "Kendall τ-c",
    "acc_eq": "acc_eq",
    "acc_eq_calibrated": gettext_lazy("acc_eq, ties calibrated"),
    "acc_eq_crossfit": gettext_lazy("acc_eq, cross-fitted"),
}
WITHIN = {
    "pearson": gettext_lazy("Pearson within items"),
    "spearman": gettext_lazy("Spearman within items"),
    "kendall": gettext_lazy("Kendall within items"),
    "kendall_pooled": gettext_lazy("Kendall, pairs of all items"),
}
BY_CLUSTER = {
    "permutation_p": "holm_p",
    "permutation_spearman_p": "holm_spearman_p",
    "permutation_accuracy_p": "holm_accuracy_p",
}
LITERATURE = ("williams_p", "steiger_p", "meng_p", "mcnemar_p")
Result = dict[str, Any]


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Plotly writes style elements.
def correlation(request: HttpRequest, slug: str) -> HttpResponse:
    """A table for each human column, the figure of its coefficients, and metric by metric."""
    asked = Asked(request, slug)
    view, found = asked.report("correlation")
    tables = [table_of(asked, found, human) for human in found["human"]] if found["runs"] else []
    return asked.page(
        "scoring/correlation.html", view=view, found=found, tables=tables,
        figures=_figures(asked, found) if tables else [],
    )  # fmt: skip


def table_of(asked: Asked, found: Result, human: str) -> Result:
    """A row for each metric, the best by Pearson first; a cell leads to the texts behind it."""
    numbers = found["human"][human]
    address = reverse("one-metric", args=[asked.slug])
    ceilings = numbers.get("against_ceiling", {})
    roc = found.get("roc", {})
    groups = numbers.get("significance_clusters", {}).get("pearson", [])
    told = groups if len(groups) > 1 else []  # One group of all says nothing.
    place = {label: at for at, group in enumerate(told, 1) for label in group}
    rows = []
    for run in found["runs"]:
        label = run["label"]
        query = urlencode([("run", run["key"]), ("scale", human), *asked.form.pairs])
        more = numbers.get("further", {}).get(label, {})
        within = numbers.get("within_originals", {}).get(label, {})
        rows.append(
            {
                "run": run,
                "cells": [numbers["metrics"][label][name] for name in MAIN],
                "more": [more[name] for name in FURTHER if name in more]
                + [within[name] for name in WITHIN if name in within],
                "free": ceilings.get(label, {}).get("pearson", {}).get("disattenuated"),
                "roc": roc.get(label, {}).get("area"),
                "group": place.get(label),
                "url": f"{address}?{query}",
            }
        )
    rows.sort(key=lambda row: -_value(row["cells"][0]))
    heads = [FURTHER[name] for name in FURTHER] + [WITHIN[name] for name in WITHIN]
    return {
        "human": human, "rows": rows, "ceiling": found["ceiling"].get(human), "heads": heads,
        "whole": bool(rows) and all(len(row["more"]) == len(heads) for row in rows),
    }  # fmt: skip


def _value(cell: Result) -> float:
    """Undefined ones stand last."""
    return -2.0 if cell["value"] is None else float(cell["value"])


def _figures(asked: Asked, found: Result) -> list[dict[str, str]]:
    figures = [
        {
            "name": "coefficients",
            "title": _("Pearson with people, by metric"),
            # xgettext:no-python-format
            "help": _("With 95 % intervals from drawing whole items again."),
            "query": urlencode(asked.form.pairs),
        }
    ]
    if len(found["runs"]) > 1:
        figures.append(
            {
                "name": "among",
                "title": _("How the metrics correlate with each other (Spearman)"),
                "help": _("Metrics whose sign is turned because lower is better stand turned here "
                          "too."),
                "query": urlencode(asked.form.pairs),
            }
        )  # fmt: skip
    return figures


@require_GET
def differences(request: HttpRequest, slug: str) -> HttpResponse:
    """Every pair of metrics on one human column, and the groups that no test parts."""
    asked = Asked(request, slug)
    view, found = asked.report("correlation")
    human = asked.scale(found)
    numbers = found["human"].get(human, {})
    groups = numbers.get("significance_clusters", {})
    ranked = [label for group in groups.get("pearson") or [] for label in group]
    return asked.page(
        "scoring/differences.html", view=view, found=found, scales=list(found["human"]),
        ranked=ranked, square=_square(ranked, numbers.get("comparisons", [])),
        scale=human, kept=[("scale", human)] if human else [],
        rows=compared(found, human),
        groups=[(_("Pearson"), groups.get("pearson")), (_("Spearman"), groups.get("spearman")),
                (_("Pairs in order"), groups.get("accuracy"))],
        warned=any(one.get("warnings") for one in numbers.get("comparisons", [])),
    )  # fmt: skip


def _square(names: list[str], rows: list[Result]) -> list[tuple[str, list[Result | None]]]:
    """Differences of Pearson, row minus column, and whether Holm's p is below .05."""
    known: dict[tuple[str, str], Result] = {}
    for one in rows:
        gap, clear = (one["difference"] or {}).get("value"), (one.get("holm_p") or 1) < 0.05
        known[one["a"], one["b"]] = {"gap": gap, "clear": clear}
        known[one["b"], one["a"]] = {"gap": None if gap is None else -gap, "clear": clear}
    return [(name, [known.get((name, other)) for other in names]) for name in names]


def compared(found: Result, human: str) -> list[Result]:
    """The pairs of metrics on one human column, p-values as texts."""
    return [_pair(one) for one in found["human"].get(human, {}).get("comparisons", [])]


def _pair(one: Result) -> Result:
    """A comparison with its p-values as texts."""
    reasons, warnings = one.get("reasons", {}), one.get("warnings", {})
    return {
        **one,
        "gaps": [
            {
                "gap": one.get(name), "p": p_text(one.get(test)), "holm": p_text(one.get(adjusted)),
                "clear": (one.get(adjusted) or 1) < 0.05, "reason": reasons.get(test, ""),
            }
            for name, (test, adjusted) in zip(
                ("difference", "difference_spearman", "difference_accuracy"),
                BY_CLUSTER.items(), strict=True,
            )
        ],
        "literature": [
            {
                "p": p_text(one.get(test)), "reason": reasons.get(test, ""),
                "warning": warnings.get(test, ""),
            }
            for test in LITERATURE
        ],
    }  # fmt: skip
