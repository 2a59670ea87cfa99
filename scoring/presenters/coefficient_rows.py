"""Rows of the tables of coefficients that fit the values of a scale, with words about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from django.utils.translation import gettext as _

from paraanno.minus import minus
from paraanno.translated import translated
from scoring.presenters.agreement import label, why_form
from scoring.stats.agreement import specific
from scoring.stats.agreement.catalogue import PAIRED, coefficients
from scoring.stats.agreement.json_types import Block, PassBlock, ScaleBlock, estimates_of
from scoring.stats.agreement.leading import fit_of_answer, fitting, leading
from scoring.stats.estimate import EstimateJson


class StatisticRow(EstimateJson):
    """A coefficient with the words about it."""

    key: str
    label: str
    text: str
    formula: str
    source: str
    missing: str
    first: bool
    speaks_of: str
    why: str


def coefficient_rows(numbers: Block, values: Mapping[str, str]) -> list[StatisticRow]:
    """The coefficients of a block that fit its values, in page order, with their numbers of units.

    Those that fit the design come first, then the agreement on each value; `first` marks these.
    `values`: names of the scale's values, by value.
    """
    named = {
        value: _("Agreement on %(value)s")
        % {"value": f"{minus(value)} ({values[value]})" if values.get(value) else minus(value)}
        for value in numbers.get("specific", {})
    }
    return _rows(numbers, named)


def decision_rows(numbers: PassBlock) -> list[StatisticRow]:
    """The coefficients of pass decisions."""
    return _rows(numbers, {"1": _("Positive agreement"), "0": _("Negative agreement")})


def not_shown(numbers: ScaleBlock) -> str:
    """Which coefficients are not shown because they do not fit the values, and why; "" if none."""
    answer = numbers.get("answer")
    if answer is None:
        return ""
    fit, shown = fit_of_answer(answer), fitting(answer)
    names = ", ".join(label(key) for key in estimates_of(numbers) if key not in shown)
    if fit == "ordered" or not names:
        return ""
    if fit == "names":
        return _(
            "Not shown, because nominal values have neither order nor distance: %(names)s."
        ) % {"names": names}
    return _("Not shown, because with two values they equal others: %(names)s.") % {"names": names}


def _rows(numbers: Block, named: Mapping[str, str]) -> list[StatisticRow]:
    answer = cast(ScaleBlock, numbers).get("answer")
    head, icc = leading(answer), answer["icc"] if answer else ""
    found = estimates_of(numbers)
    rows: list[StatisticRow] = []
    for key in fitting(answer):
        if key not in found:
            continue
        one, known = found[key], coefficients()[key]
        rows.append(
            {
                "key": key, "label": translated(known.label), "text": translated(known.says),
                "formula": known.formula, "source": known.source,
                "missing": translated(known.missing), "first": key in head,
                "speaks_of": _speaks_of(one),
                "why": why_form(answer["why"]) if answer and key == icc else "", **one,
            }
        )  # fmt: skip
    at = sum(row["first"] for row in rows)
    return rows[:at] + _specific(numbers, named) + rows[at:]


def _specific(numbers: Block, named: Mapping[str, str]) -> list[StatisticRow]:
    """The agreement on each value, which reports of the version before lack."""
    return [
        {
            "key": f"specific_{value}", "label": named[value],
            "text": _("of ratings paired with one that has the value, the share that have it too"),
            "formula": specific.FORMULA, "source": specific.SOURCE,
            "missing": translated(PAIRED), "first": True, "speaks_of": _speaks_of(one),
            "why": "", **one,
        }
        for value, one in numbers.get("specific", {}).items()
    ]  # fmt: skip


def _speaks_of(one: EstimateJson) -> str:
    return one.get("generalises_to") or one["options"].get("no_interval") or ""
