"""Agreement between annotators."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.models import Annotator, Scale
from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from scoring.forms import ChoiceForm
from scoring.selectors.agreement import FEW, MOST_VOICES
from scoring.services.reports import report_get
from scoring.views.agreement_words import (
    FACTS,
    LABELS,
    NOT_OF_PASSES,
    STATISTICS,
    mean_sentence,
    sentence,
    why_form,
)
from scoring.views.bars import bars

FIRST = ("percent_agreement", "within_one", "gwet_ac2")  # Beside the alpha and ICC of the design.

RANGE = 200  # Width of the drawing of an alpha from 0 to 1.
FIRST_OF_PASSES = ("percent_agreement", "alpha_nominal", "gwet_ac1")


@require_GET
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """`scale`, `a` and `b` choose the two annotators whose answers are compared."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    form = ChoiceForm(request.GET, campaign=campaign, kind="agreement")
    view = report_get(campaign=campaign, kind="agreement", actor=request.user, choice=form.choice())
    found = view.result or {"scales": {}, "voices": []}
    levels = dict(campaign.scales.values_list("name", "level"))
    scales = []
    for name, numbers in found["scales"].items():
        chosen = ("", "")
        if request.GET.get("scale") == name:
            chosen = request.GET.get("a", ""), request.GET.get("b", "")
        pairs = _pairs(numbers, levels.get(name))
        scales.append(
            {
                "name": name,
                "numbers": numbers,
                "rows": statistics(numbers),
                "bars": bars(numbers["distribution"]),
                "course": _course(numbers.get("course", [])),
                **_answer(numbers),
                **pairs,
                "confusion": _confusion(numbers, pairs["pairs"], *chosen),
            }
        )
    passes = [
        {"name": name, "numbers": numbers, "rows": _of_passes(numbers)}
        for name, numbers in found.get("passes", {}).items()
    ]
    simulated = [
        voice["code"] for voice in found["voices"] if voice["origin"] == Annotator.Origin.SIMULATED
    ]
    return campaign_page(
        request, "scoring/agreement.html", campaign=campaign, rights=rights, view=view,
        scales=scales, passes=passes, simulated_codes=simulated, drawn=found.get("drawn"),
        cannot_judge=campaign.judgments.filter(status="counted", value=None).count(),
        choice_form=form,
    )  # fmt: skip


def statistics(numbers: dict[str, Any]) -> list[dict[str, Any]]:
    """The coefficients of a block of the report in the order of the page, with what they rest on.

    What the design calls for comes first; `first` says which rows those are.
    """
    answer = numbers.get("answer", {})
    icc = answer.get("icc", "")
    head = [answer.get("coefficient"), icc, icc.replace("k", "1"), *FIRST]
    if not answer:
        head = list(FIRST_OF_PASSES)
    rows = []
    for key, label, text in STATISTICS:
        if key not in numbers:
            continue
        formula, source, missing = FACTS[key]
        one = numbers[key]
        speaks_of = one.get("generalises_to") or one["options"].get("no_interval") or ""
        rows.append(
            {
                "key": key, "label": label, "text": text, "formula": formula, "source": source,
                "missing": missing, "first": key in head, "speaks_of": speaks_of,
                "why": why_form(answer["why"]) if key == icc else "", **one,
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: head.index(row["key"]) if row["first"] else len(head))


def _course(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts of the course of time with days, and alpha from 0 to 1 drawn on 0 to 200."""
    rows = []
    for part in parts:
        alpha = part["alpha"]
        places = {"dot": alpha["value"], "low": alpha["ci_low"], "high": alpha["ci_high"]}
        drawn = {
            name: f"{RANGE * min(max(at, 0), 1):.1f}"
            for name, at in places.items()
            if at is not None
        }
        days = {name: datetime.fromtimestamp(part[name], UTC) for name in ("start", "end")}
        rows.append({"n": part["n"], "alpha": alpha, "drawn": drawn, **days})
    return rows


def _of_passes(numbers: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for row in statistics(numbers) if row["key"] not in NOT_OF_PASSES]


def _answer(numbers: dict[str, Any]) -> dict[str, str]:
    """The sentences of a scale; none of a report that was made before there were any."""
    if "answer" not in numbers:
        return {}
    return {"sentence": sentence(numbers), "mean_sentence": mean_sentence(numbers)}


def _pairs(numbers: dict[str, Any], level: str | None) -> dict[str, Any]:
    """Kappas of pairs of annotators: a square table, or a list where there are many."""
    weighted = level != Scale.Level.NOMINAL
    entry = numbers["cohen_kappa_quadratic" if weighted else "cohen_kappa"]
    pairs = [{**pair, "few": pair["n"] < FEW} for pair in entry.get("pairs", [])]
    names = list(dict.fromkeys(name for pair in pairs for name in (pair["a"], pair["b"])))
    square = []
    if len(names) <= MOST_VOICES and not entry.get("pairs_left_out"):
        square = pair_square(names, pairs)
    return {
        "weighted": weighted, "names": names, "square": square, "pairs": pairs,
        "pairs_left_out": entry.get("pairs_left_out", 0),
    }  # fmt: skip


def pair_square(names: list[str], pairs: list[dict[str, Any]]) -> list[Any]:
    """(name, cells) per row; a cell is None on the diagonal and {} where nothing is shared."""
    cells = {(pair["a"], pair["b"]): pair for pair in pairs}
    cells |= {(pair["b"], pair["a"]): pair for pair in pairs}
    return [
        (one, [None if one == other else cells.get((one, other), {}) for other in names])
        for one in names
    ]


def _confusion(
    numbers: dict[str, Any], pairs: list[dict[str, Any]], a: str, b: str
) -> dict[str, Any] | None:
    """What two annotators said of the same texts: those asked for, else the pair that agrees
    least on enough of them. None where there are no tables."""
    tables = numbers.get("confusions")
    if not tables or not tables["pairs"]:
        return None
    known = {(one["a"], one["b"]): one["cells"] for one in tables["pairs"]}
    asked = bool(a or b)
    if not asked:
        a, b = _least(pairs)
    cells = known.get((a, b))
    if cells is None and (b, a) in known:
        cells = [list(row) for row in zip(*known[b, a], strict=True)]
    kappa = next((pair for pair in pairs if {pair["a"], pair["b"]} == {a, b}), None)
    rows = [] if cells is None else list(zip(tables["levels"], cells, strict=True))
    return {
        "a": a, "b": b, "rows": rows, "levels": tables["levels"], "asked": asked, "kappa": kappa,
    }  # fmt: skip


def _least(pairs: list[dict[str, Any]]) -> tuple[str, str]:
    enough = [pair for pair in pairs if not pair["few"] and pair["value"] is not None]
    if enough:
        found = min(enough, key=lambda pair: pair["value"])
    else:
        found = max(pairs, key=lambda pair: pair["n"])
    return found["a"], found["b"]


@require_GET
def influence(request: HttpRequest, slug: str) -> HttpResponse:
    """What single annotators do to the coefficients; about single people, so for researchers."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    view = report_get(campaign=campaign, kind="influence", actor=request.user)
    found = view.result or {"scales": {}}
    scales = [
        {"name": name, "reason": block["influence"]["reason"], "chance": block["chance"],
         **_influence(block)}
        for name, block in found["scales"].items()
    ]  # fmt: skip
    return campaign_page(
        request, "scoring/influence.html", campaign=campaign, rights=rights, view=view,
        scales=scales,
    )  # fmt: skip


def _influence(block: dict[str, Any]) -> dict[str, Any]:
    """Rows of both tables in the order of the coefficients."""
    found = block["influence"]
    names = found["names"]
    coefficients = [
        {
            "label": LABELS[name],
            "value": found.get("values", {}).get(name),
            "new": found["new_annotators"].get(name, {}),
            "test": block["chance"]["tests"].get(name),
        }
        for name in names
    ]
    voices = [
        {**row, "cells": [(row["values"][name], row["change"][name]) for name in names]}
        for row in found["annotators"]
    ]
    return {"coefficients": coefficients, "voices": voices}
