"""May a metric be used in place of people? Verdicts by intervals, with the floors in one place.

A metric is measured by what one more annotator would reach: `share` of `report.py`. If the
errors of both are independent and favour no system, 1 / share² texts of the metric tell two systems
apart as well as one text that a person judges.
"""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import NamedTuple

from paraanno.common.texts import NOTHING, Sentence, joined, say
from scoring.stats.evaluation.json_types import CorrelationReport
from scoring.stats.table import EstimateJson

# Floors of the share, both ours: one metric score costs nearly nothing, so ten of them may stand
# for one judgment; and a metric that stands for a person agrees with people as a person does.
MOST_TEXTS = 10
COMPARES, AS_A_PERSON = sqrt(1 / MOST_TEXTS), 1.0
NO_SHARE = say(
    "how well one person agrees with the others is unknown, and metrics have no measure."
)


class MetricVerdict(NamedTuple):
    """code: a key of ANSWERS; `reason` says why, in numbers."""

    code: str
    reason: Sentence

    @property
    def answer(self) -> Sentence:
        return ANSWERS[self.code].answer

    @property
    def short(self) -> Sentence:
        return ANSWERS[self.code].short


class VerdictWords(NamedTuple):
    """May it be used? `short` stands beside the name of the metric."""

    answer: Sentence
    short: Sentence


ANSWERS = {
    "person": VerdictWords(
        say("It may stand for one more annotator"),
        say("as one more person"),
    ),
    "open": VerdictWords(
        say("It is good enough to compare systems; whether it can stand for a person is open"),
        say("compares systems, perhaps more"),
    ),
    "compares": VerdictWords(
        say("It is good enough to compare systems, not to replace people"),
        say("compares systems"),
    ),
    "unsure": VerdictWords(say("Whether it may be used is undecided"), say("undecided")),
    "no": VerdictWords(say("It is not to be used alone"), say("not alone")),
}


def metric_verdict(report: CorrelationReport, human: str, label: str) -> MetricVerdict:
    """The verdict on a metric and a human column of the report."""
    part = report["human"][human]
    own = part["metrics"][label]["pearson"]
    person = report["ceiling"].get(human, {}).get("leave_one_out", {}).get("pearson")
    beside = part.get("against_ceiling", {}).get(label, {}).get("pearson")
    share = beside["share"] if beside else None
    why = _why_none(own, person, share)
    if why or share is None:
        return MetricVerdict("unsure", why or NO_SHARE)
    verdict = _by_interval(share)
    if verdict.code in ("unsure", "no") or not (but := _other_first(report, human, label)):
        return verdict
    return verdict._replace(reason=joined(" ", [verdict.reason, but]))


def _other_first(report: CorrelationReport, human: str, label: str) -> Sentence:
    """That the metric puts another system first than people do: what it reaches over texts does
    not say that its errors favour no system."""
    first = report["human"][human].get("other_first", {}).get(label)
    if first is None:
        return NOTHING
    sign = -1 if human in report.get("turned", ()) else 1
    low, high = (f"{sign * one:.2f}".replace("-", "−") for one in first["means"])
    return say(
        "But of these systems it puts %(metric)s first, people %(human)s (means of people: "
        "%(low)s and %(high)s).",
        metric=first["metric"],
        human=first["human"],
        low=low,
        high=high,
    )


def _why_none(
    own: EstimateJson, person: EstimateJson | None, share: EstimateJson | None
) -> Sentence:
    """Why there is no verdict, or ""."""
    if own["value"] is None or own["ci_low"] is None:
        return _no_interval(own) or say("there are too few texts for an interval.")
    if person is None or person["value"] is None or share is None or share["value"] is None:
        return NO_SHARE
    if person["ci_low"] is not None and person["ci_low"] <= 0:
        return say("people do not clearly agree with each other, and metrics have no measure.")
    for one in (person, share):
        if one["ci_low"] is None:
            why = _no_interval(one)
            return joined(
                " ", [say("How well people agree with each other is too uncertain:"), why]
            )
    return NOTHING


def _no_interval(estimate: EstimateJson) -> Sentence:
    """Why it has no interval, as a sentence, or ""."""
    why = estimate.get("options", {}).get("no_interval")
    return joined("", [why, "."]) if why else NOTHING


def _by_interval(share: EstimateJson) -> MetricVerdict:
    value, low, high = (float(share[name] or 0.0) for name in ("value", "ci_low", "ci_high"))
    # Rounded away from each other: 99.6 % does not reach 100.
    numbers = {
        "share": f"{100 * value:.0f}",
        "low": f"{floor(round(100 * low, 6))}".replace("-", "−"),
        "high": f"{ceil(round(100 * high, 6))}",
    }
    reached = say(
        "it reaches %(share)s %% (95 %% interval: %(low)s to %(high)s) of the agreement of one "
        "more annotator.",
        **numbers,
    )
    if low >= AS_A_PERSON:
        return MetricVerdict("person", reached)
    if low >= COMPARES and high >= AS_A_PERSON:
        return MetricVerdict("open", reached)
    if low >= COMPARES:
        text = say(
            "it reaches %(share)s %% (95 %% interval: %(low)s to %(high)s) of the agreement of one "
            "more annotator, so that %(texts)s of its scores say about as much as one judgment.",
            **numbers,
            texts=f"{1 / value**2:.0f}",
        )
        return MetricVerdict("compares", text)
    text = say(
        "it reaches %(share)s %% (95 %% interval: %(low)s to %(high)s) of the agreement of one "
        "more annotator. From 32 %% on, ten of its scores would say as much as one judgment.",
        **numbers,
    )
    return MetricVerdict("no" if high < COMPARES else "unsure", text)
