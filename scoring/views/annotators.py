"""What is known of every annotator: a table of all, and a page for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Annotator
from annotation.selectors.access import campaign_get
from annotation.services.errors import NotFound
from annotation.views.pages import campaign_page
from paraanno.numbers import minus
from scoring.services.reports import report_get
from scoring.views.annotators_figure import Axis, trend_figure

Numbers = dict[str, Any]
ON_A_PAGE = 100
DASH = "–"  # noqa: RUF001


def plain(value: float) -> str:
    return minus(f"{value:.2f}")


def signed(value: float) -> str:
    return minus(f"{value:+.2f}")


def share(value: float) -> str:
    return f"{100 * value:.0f} %"


def bare(value: float) -> str:
    return f"{100 * value:.0f}"


def tenth(value: float) -> str:
    return f"{value:.1f}"


# (key, short name, name, what it says, how it is written)
STATISTICS: list[tuple[str, Any, Any, Any, Callable[[float], str]]] = [
    ("severity", gettext_lazy("Severity"), gettext_lazy("Severity"), gettext_lazy(
        "Points above (+) or below (−) what the average annotator of the panel would give the same "
        "texts. Where more is better, minus is strict."), signed),
    ("spread", gettext_lazy("Spread"), gettext_lazy("Spread"), gettext_lazy(
        "How much of the scale is used, against the others on the same texts: 1 is as much, below "
        "1 less, above 1 more."), plain),
    ("agreement", gettext_lazy("Equal"), gettext_lazy("Agreement, equal"), gettext_lazy(
        "Share of the others who give the same text the same value."), share),
    ("within_one", gettext_lazy("Within 1"), gettext_lazy("Agreement, within one point"),
     gettext_lazy("Share of the others who are at most one point away (a step, or a tenth of a "
                  "fine scale)."), share),
    ("correlation", gettext_lazy("r with rest"), gettext_lazy("Correlation with the rest"),
     gettext_lazy("Whether texts are put in the same order as by the mean of the others; severity "
                  "and spread do not matter here."), plain),
    ("trend", gettext_lazy("Trend"), gettext_lazy("Trend over time"), gettext_lazy(
        "How the difference to the mean of the others changes per 100 judgments, in the order of "
        "judging. An interval around 0: no drift can be told."), signed),
    ("repeat_exact", gettext_lazy("Repeats equal"), gettext_lazy("Repeats, equal"), gettext_lazy(
        "Hidden repeats that got the value of the first time again."), share),
    ("repeat_within", gettext_lazy("Repeats"), gettext_lazy("Repeats, within one point"),
     gettext_lazy("Hidden repeats at most one point from the first time."), share),
    ("repeat_correlation", gettext_lazy("Repeats r"), gettext_lazy("Repeats, correlation"),
     gettext_lazy("Of the first and the later values (test-retest)."), plain),
    ("repeat_change", gettext_lazy("Repeats change"), gettext_lazy("Repeats, change"),
     gettext_lazy("Mean of later minus first value."), signed),
    ("controls", gettext_lazy("Controls"), gettext_lazy("Controls"), gettext_lazy(
        "Share of judgments of controls inside the band of right values."), share),
    ("equal_neighbours", gettext_lazy("Same again"), gettext_lazy("Same value again"), gettext_lazy(
        "How often the next judgment has the same value. Texts of one item can rightly be alike, "
        "so much of it is a reason to look and no proof."), share),
    ("longest_run", gettext_lazy("Longest run"), gettext_lazy("Longest run"), gettext_lazy(
        "Judgments in a row with one value."), lambda value: f"{value:.0f}"),
    ("seconds", gettext_lazy("Seconds"), gettext_lazy("Seconds a judgment"), gettext_lazy(
        "Median over sheets, all scales together; by the server’s clock, or the times that an "
        "imported file gives."), tenth),
    ("too_fast", gettext_lazy("Too fast"), gettext_lazy("Sheets too fast"), gettext_lazy(
        "Share of sheets below the campaign’s seconds for each judgment."), share),
]  # fmt: skip
COLUMNS = (
    "severity", "spread", "within_one", "correlation", "trend", "repeat_within",
    "controls", "equal_neighbours", "seconds",
)  # fmt: skip


@never_cache
@require_safe
def annotators(request: HttpRequest, slug: str) -> HttpResponse:
    """All annotators on one scale; `sort` names a column, `down` turns the order."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    view = report_get(campaign=campaign, kind="annotators", actor=request.user)
    found = view.result or {"scales": {}, "voices": [], "pace": {"voices": {}}}
    names = list(found["scales"])
    scale = request.GET.get("scale", "")
    scale = scale if scale in names else next(iter(names), "")
    block = found["scales"].get(scale, {"voices": {}, "reason": None, "methods": {}})
    columns = [one for one in STATISTICS if one[0] in COLUMNS and (
        one[0] in block["methods"] or one[0] in found["pace"].get("methods", {}))]  # fmt: skip
    sort, down = request.GET.get("sort", "code"), bool(request.GET.get("down"))
    rows = _sorted(_rows(found, block), sort, down)
    axis = Axis.of([row["numbers"].get("severity", {}) for row in rows])
    page = Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page"))
    for row in page:
        row["cells"] = [_cell(one, row["numbers"]) for one in columns]
        row["drawing"] = axis.drawing(row["numbers"].get("severity", {}))
    here = {"scale": scale} | ({"sort": sort} if sort != "code" else {})
    return campaign_page(
        request, "scoring/annotators.html", campaign=campaign, rights=rights, view=view,
        scale=scale, reason=block["reason"], page=page, axis=axis,
        scales=[(name, urlencode({**here, "scale": name})) for name in names],
        heads=_heads(columns, scale, sort, down),
    )  # fmt: skip


def _rows(found: Numbers, block: Numbers) -> list[Numbers]:
    """The annotators who judged on the scale, with the numbers of it and of their pace."""
    return [
        {**voice, "numbers": {**found["pace"]["voices"].get(voice["code"], {}),
                              **block["voices"][voice["code"]]}}
        for voice in found["voices"]
        if voice["code"] in block["voices"]
    ]  # fmt: skip


def _sorted(rows: list[Numbers], sort: str, down: bool) -> list[Numbers]:
    """By code, number of judgments or a statistic; what is undefined stands last either way."""
    by_code = sorted(rows, key=lambda row: str(row["code"]), reverse=down and sort == "code")
    if sort == "code":
        return by_code

    def value(row: Numbers) -> float | None:
        number = row["numbers"].get(sort)
        return number.get("value") if isinstance(number, dict) else number

    known = [row for row in by_code if value(row) is not None]
    known.sort(key=lambda row: value(row) or 0.0, reverse=down)
    return known + [row for row in by_code if value(row) is None]


def _heads(columns: list[Any], scale: str, sort: str, down: bool) -> list[Numbers]:
    """Links that sort by a column; by the present one they turn the order."""
    named = [("code", _("Annotator"), ""), ("n_ratings", "n", _("Judgments"))]
    named += [(one[0], one[1], one[3]) for one in columns]
    return [
        {
            "key": key,
            "label": label,
            "text": text,
            "query": urlencode({"scale": scale, "sort": key}
                               | ({"down": 1} if key == sort and not down else {})),
            "now": ("descending" if down else "ascending") if key == sort else "",
        }
        for key, label, text in named
    ]  # fmt: skip


def _cell(statistic: Any, numbers: Numbers) -> Numbers:
    """How a number and its interval are written."""
    key, *_names, written = statistic
    found = numbers.get(key) or {"value": None, "reason": "", "n": 0, "options": {}}
    ends = [found[end] for end in ("ci_low", "ci_high") if found.get(end) is not None]
    short = bare if written is share else written
    return {
        **found,
        "key": key,
        "shown": DASH if found["value"] is None else written(found["value"]),
        "ends": f"[{', '.join(map(short, ends))}]" if ends else "",
        "no_interval": found.get("options", {}).get("no_interval", ""),
        "beside": _beside(key, found),
    }


def _beside(key: str, found: Numbers) -> str:
    """What the number is compared with."""
    if found["value"] is None:
        return ""
    if key == "equal_neighbours" and found.get("expected") is not None:
        return _("By chance: %(share)s") % {"share": share(found["expected"])}
    if key == "longest_run" and found.get("chance_high") is not None:
        ends = {"low": f"{found['chance_low']:.0f}", "high": f"{found['chance_high']:.0f}"}
        return _("By chance: %(low)s to %(high)s") % ends
    if key == "spread":
        ends = {"own": plain(found["own_sd"]), "others": plain(found["others_sd"])}
        return _("SD %(own)s, others %(others)s") % ends
    return ""


@never_cache
@require_safe
def annotator(request: HttpRequest, slug: str, voice: UUID) -> HttpResponse:
    """One annotator on every scale, each number with what it means."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    who = Annotator.objects.filter(campaign=campaign, key=voice).first()
    if who is None:
        raise NotFound(_("There is no such annotator."))
    view = report_get(campaign=campaign, kind="annotators", actor=request.user)
    found = view.result or {"scales": {}, "pace": {"voices": {}, "methods": {}}}
    blocks = {name: block for name, block in found["scales"].items() if who.code in block["voices"]}
    figures = {name: _figure(block["voices"][who.code]) for name, block in blocks.items()}
    pace = {"": found["pace"]} if who.code in found["pace"]["voices"] else {}
    reasons = [block["reason"] for block in found["scales"].values() if block["reason"]]
    return campaign_page(
        request, "scoring/annotator.html", campaign=campaign, rights=rights, view=view, voice=who,
        names=[(name, block["voices"][who.code]["n_ratings"]) for name, block in blocks.items()],
        rows=_explained(blocks, who.code), pace=_explained(pace, who.code),
        figures=[(name, figure) for name, figure in figures.items() if figure],
        reason=next(iter(reasons), ""), excluded=who.exclusions.filter(ends_at=None).exists(),
    )  # fmt: skip


def _explained(blocks: dict[str, Numbers], code: str) -> list[Numbers]:
    """A row per statistic with what it says and a cell for each of the blocks."""
    return [
        {
            "key": one[0],
            "label": one[2],
            "text": one[3],
            "method": next(b["methods"][one[0]] for b in blocks.values() if one[0] in b["methods"]),
            "cells": [
                {**_cell(one, block["voices"][code]), "scale": name}
                for name, block in blocks.items()
            ],
        }
        for one in STATISTICS
        if any(one[0] in block["methods"] for block in blocks.values())
    ]


def _figure(numbers: Numbers) -> Numbers | None:
    return trend_figure(numbers.get("trend"), numbers["n_ratings"])
