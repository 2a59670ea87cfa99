"""Texts of the agreement page: the verdict of each scale, and the labels of coefficients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, TypedDict, cast

from django.utils.translation import gettext as _

from annotation.http.charts import ChartAxis, DotChart, DotRow, axis_for
from paraanno.template_filters import minus, translated
from scoring.metrics.registry import printed
from scoring.stats.agreement import catalogue
from scoring.stats.agreement.catalogue import PAIRED, coefficients, fit_of_answer, fitting, leading
from scoring.stats.agreement.coefficients import (
    AgreementReport,
    Block,
    Disputed,
    PassBlock,
    ScaleBlock,
    estimates_of,
)
from scoring.stats.agreement.influence import ALPHA, RELIABLE, TENTATIVE, cannot_grade, is_graded
from scoring.stats.agreement.verdicts import VERDICTS
from scoring.stats.evaluation.json_types import CorrelationReport
from scoring.stats.table import EstimateJson


def label(key: str) -> str:
    """The label of a coefficient; its key if its package is no longer installed."""
    coefficient = coefficients().get(key)
    return translated(coefficient.label) if coefficient else key


class Trust(NamedTuple):
    """An answer in a sentence, and the numbers behind it in another."""

    text: str
    why: str


def verdict(block: ScaleBlock) -> Trust:
    """The verdict of the agreement page: "can I trust these judgments?" """
    answer = block["answer"]
    alpha = estimates_of(block)[answer["coefficient"]]
    named = {"alpha": label(answer["coefficient"])}
    if alpha["value"] is not None:
        named["value"] = minus(f"{alpha['value']:.3f}")
    if alpha["ci_low"] is not None:
        named["interval"] = minus(f"{alpha['ci_low']:.3f} – {alpha['ci_high']:.3f}")
    named["why"] = translated(alpha["options"].get("no_interval") or "")
    if answer.get("agreed") is not None:
        named["share"] = f"{100 * (answer['agreed'] or 0):.0f}"
    words = VERDICTS[answer["verdict"]]
    return Trust(translated(words.page) % named, translated(words.why) % named)


def gold_answer(block: ScaleBlock) -> Trust | None:
    """The reliability of gold, by the intraclass correlation that fits the design; None without
    an interval."""
    answer = block["answer"]
    if answer["bands"] is None:
        return None
    bands = {
        "poor": _("poor"),
        "moderate": _("moderate"),
        "good": _("good"),
        "excellent": _("excellent"),
    }
    low, high = (bands[one] for one in answer["bands"])
    ends = {"low": low, "high": high}
    band = low if low == high else _("%(low)s to %(high)s") % ends
    text = _("Gold, the mean of a text’s ratings: %(band)s reliability.") % {"band": band}
    gold = answer.get("gold")
    if cannot_grade(answer["bands"]):
        few = _(
            "Too few phrases or annotators to say how reliable gold is: anything from %(low)s to "
            "%(high)s."
        )
        if gold and not gold["new_annotators"]:
            few = _(
                "Too few phrases to say how reliable gold is: anything from %(low)s to %(high)s."
            )
        elif is_graded(estimates_of(block)[answer["icc"]]):
            few = _(
                "Too few annotators to say how reliable the gold of others would be: anything from "
                "%(low)s to %(high)s."
            )
        text = few % ends
    value = minus(f"{estimates_of(block)[answer['icc']]['value']:.2f}")
    why = _("%(icc)s of gold is %(value)s.") % {"icc": label(answer["icc"]), "value": value}
    if gold is None:
        return Trust(text, why)  # A report of the version before does not say whom it speaks of.
    more = _("Interval for new phrases and new annotators: %(ends)s.")
    if not gold["new_annotators"]:
        more = _(
            "Interval for new phrases and these annotators: %(ends)s. What other annotators would "
            "give cannot be said here."
        )
    shown = minus(f"{gold['ci_low']:.2f} – {gold['ci_high']:.2f}")
    return Trust(text, f"{why} {more % {'ends': shown}}")


def extra_sentence(block: ScaleBlock) -> str:
    """That texts on which annotators disagree have more ratings, and what that does; or ""."""
    extra_ratings = block.get("extra_ratings")
    if extra_ratings is None or not extra_ratings["notice"]:
        return ""
    return _(
        "Annotators disagree more on texts with more ratings: %(more)s of the pairs of ratings "
        "differ there, %(fewer)s where there are fewer ratings. If more ratings were requested "
        "where annotators disagreed, every coefficient is biased, percent agreement upwards: "
        "compute agreement on the first ratings alone."
    ) % {"more": f"{extra_ratings['more']:.2f}", "fewer": f"{extra_ratings['fewer']:.2f}"}


def why_form(code: str) -> str:
    """The reason why this intraclass correlation fits the design (Koo and Li 2016)."""
    reasons = {
        "crossed": _(
            "fits the design: annotators are a sample of possible annotators, and gold is the "
            "mean of their ratings"
        ),
        "anonymous": _(
            "fits the design: it is unknown which annotator gave which rating, so severity "
            "cannot be separated from noise"
        ),
        "not crossed": _(
            "the only form possible: annotators share too few texts to separate their severity "
            "from the texts"
        ),
    }
    return reasons[code]


# Coefficients as pictures: alpha of each scale, and metrics beside the human ceiling.


CEILING = "leave_one_out"


def estimate_dot(
    name: str, estimate: EstimateJson, url: str = "", *, hollow: bool = False
) -> DotRow:
    """A coefficient of at most 1 as a row."""
    return DotRow(
        name,
        estimate["value"],
        estimate["ci_low"],
        estimate["ci_high"],
        hollow,
        url,
        bounded=True,
        reason=estimate["reason"] or "",
    )


def alphas_chart(
    report: AgreementReport, levels: Mapping[str, str], url: str = ""
) -> DotChart | None:
    """Krippendorff's alpha of each scale, at its level of measurement, with the conventional
    bounds .667 and .800. None without a scale."""
    rows = [
        estimate_dot(
            name,
            estimates_of(block)[ALPHA[levels.get(name, "ordinal")]],
            f"{url}#scale-{at}" if url else "",
        )
        for at, (name, block) in enumerate(report["scales"].items(), 1)
    ]
    return DotChart.of(rows, refs=(TENTATIVE, RELIABLE), most=1.0) if rows else None


DECISIONS = (
    "alpha_nominal",
    "cohen_kappa_pooled",
    "gwet_ac1",
    "percent_agreement",
    "specific_1",
    "specific_0",
)


class DecisionsChart(TypedDict):
    """Statistics of pass decisions on one axis: a chart for each decision, and its row in each."""

    heads: list[tuple[str, str, DotChart]]
    rows: list[tuple[str, list[tuple[DotChart, DotRow]]]]


def decisions_chart(passes: Mapping[str, PassBlock]) -> DecisionsChart | None:
    """The leading statistics of every decision, chance-corrected first. None without a decision."""
    dots: dict[str, dict[str, DotRow]] = {
        name: {row["key"]: estimate_dot(row["label"], row) for row in decision_rows(block)}
        for name, block in passes.items()
    }
    keys = [key for key in DECISIONS if any(key in own for own in dots.values())]
    if not keys:
        return None
    every = [own[key] for own in dots.values() for key in keys if key in own]
    axis = DotChart.of(every, most=1.0).axis
    charts = {
        name: DotChart(axis, tuple(own.get(key, DotRow(key, None)) for key in keys))
        for name, own in dots.items()
    }
    labels = {key: row.name for own in dots.values() for key, row in own.items()}
    return {
        "heads": [(name, _share(passes[name]), chart) for name, chart in charts.items()],
        "rows": [
            (labels[key], [(chart, chart.rows[at]) for chart in charts.values()])
            for at, key in enumerate(keys)
        ],
    }


def _share(block: PassBlock) -> str:
    if block["share"] is None:
        return ""
    return _("%(share)s %% pass") % {"share": f"{100 * block['share']:.0f}"}


MOST_DISPUTED = 5
SIDE = 9  # px between dots of the same value, and the room that many of them share.


class DisputedRow(TypedDict):
    """A text and its ratings as dots: (place, px to the side)."""

    text: Disputed
    dots: list[tuple[str, int]]
    values: str


class DisputedChart(TypedDict):
    """The texts that annotators disagree on most, on the axis of the values that were given."""

    scale: str
    axis: ChartAxis
    grid: list[str]
    rows: list[DisputedRow]


def disputed_chart(report: AgreementReport) -> DisputedChart | None:
    """The texts of the first scale on which any text is disputed."""
    for scale, block in report["scales"].items():
        texts = block.get("disputed", [])[:MOST_DISPUTED]
        if texts:
            given = [float(value) for value in block["distribution"]]
            axis = axis_for(given, least=min(given), most=max(given), steps=4)
            return {
                "scale": scale,
                "axis": axis,
                "grid": [axis.at(tick) for tick in axis.ticks],
                "rows": [_disputed(text, axis) for text in texts],
            }
    return None


def _disputed(text: Disputed, axis: ChartAxis) -> DisputedRow:
    counts = Counter(text["values"])
    dots = [
        (axis.at(value), round(min(SIDE, 5 * SIDE / n) * (at - (n - 1) / 2)))
        for value, n in counts.items()
        for at in range(n)
    ]
    values = ", ".join(minus(f"{value:g}") for value in text["values"])
    return {"text": text, "dots": dots, "values": values}


def metrics_chart(
    report: CorrelationReport, human: str, urls: Mapping[str, str], *, most: int | None = None
) -> DotChart | None:
    """The Pearson correlation of each metric with people, the best first, below the ceiling: one
    annotator with the mean of the others. None without a metric."""
    part = report["human"].get(human)
    if part is None or not part["metrics"]:
        return None
    rows = [
        estimate_dot(printed(label), one["pearson"], urls.get(label, ""))
        for label, one in part["metrics"].items()
    ]
    rows.sort(key=lambda row: (row.value is None, -(row.value or 0.0)))
    return DotChart.of(rows[:most], ceiling=ceiling_dot(report, human), most=1.0)


def ceiling_dot(
    report: CorrelationReport, human: str, coefficient: str = "pearson"
) -> DotRow | None:
    """The human ceiling by a coefficient; None where there is none."""
    top = report["ceiling"].get(human, {}).get(CEILING, {}).get(coefficient)
    if top is None or top["value"] is None:
        return None
    return estimate_dot(_("human ceiling"), top, hollow=True)


# Rows of the tables of coefficients that fit the values of a scale, with words about them.


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
    estimates = estimates_of(numbers)
    rows: list[StatisticRow] = []
    for key in fitting(answer):
        if key not in estimates:
            continue
        one, coefficient = estimates[key], coefficients()[key]
        rows.append(
            {
                "key": key,
                "label": translated(coefficient.label),
                "text": translated(coefficient.says),
                "formula": coefficient.formula,
                "source": coefficient.source,
                "missing": translated(coefficient.missing),
                "first": key in head,
                "speaks_of": _speaks_of(one),
                "why": why_form(answer["why"]) if answer and key == icc else "",
                **one,
            }
        )
    at = sum(row["first"] for row in rows)
    return rows[:at] + _specific(numbers, named) + rows[at:]


def _specific(numbers: Block, named: Mapping[str, str]) -> list[StatisticRow]:
    """The agreement on each value, which reports of the version before lack."""
    return [
        {
            "key": f"specific_{value}",
            "label": named[value],
            "text": _("of ratings paired with one that has the value, the share that have it too"),
            "formula": catalogue.FORMULA,
            "source": catalogue.SOURCE,
            "missing": translated(PAIRED),
            "first": True,
            "speaks_of": _speaks_of(one),
            "why": "",
            **one,
        }
        for value, one in numbers.get("specific", {}).items()
    ]


def _speaks_of(one: EstimateJson) -> str:
    return one.get("generalises_to") or one["options"].get("no_interval") or ""
