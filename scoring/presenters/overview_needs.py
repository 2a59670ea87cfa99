"""What needs attention in the analysis: low or falling agreement, metrics without scores."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Campaign
from annotation.presenters.charts import interval, number
from annotation.presenters.overview import Need, day_told
from annotation.selectors.campaigns.course import WorkCourse
from scoring.models import TrendPoint
from scoring.selectors.stored import failed_runs, texts_without_scores, trend_of
from scoring.stats.agreement.verdict import TENTATIVE

FALL = 0.05  # Less than that is noise of any interval that a campaign has.
WITHIN = timedelta(days=7)


def analysis_needs(campaign: Campaign, course: WorkCourse) -> Iterator[Need]:
    """Five queries."""
    yield from _agreement(trend_of(campaign=campaign, kind="agreement"))
    failed = failed_runs(campaign=campaign)
    if failed:
        yield Need(
            "soon",
            ngettext("%(n)s metric run failed", "%(n)s metric runs failed", failed) % {"n": failed},
            _("the run says why"), "runs", _("See"),
        )  # fmt: skip
    runs, later = texts_without_scores(campaign=campaign)
    if later:
        yield Need(
            "later",
            ngettext("%(n)s new text has no scores", "%(n)s new texts have no scores", later)
            % {"n": later},
            ngettext("%(n)s metric is to be updated", "%(n)s metrics are to be updated", runs)
            % {"n": runs},
            "runs", _("Run"), "research",
        )  # fmt: skip
    elif not runs and not failed and course.done:
        yield Need("later", _("No metric was run"), _("scores need no judgments"), "runs",
                   _("Run"), "research")  # fmt: skip


def _agreement(points: list[TrendPoint]) -> Iterator[Need]:
    if not points:
        return
    newest = points[-1]
    for scale, (value, low, high, _name) in newest.numbers.items():
        if value is None:
            continue
        ends = interval(low, high, bounded=True)
        before = [
            (point.numbers[scale][0], point.day)
            for point in points[:-1]
            if newest.day - point.day <= WITHIN and scale in point.numbers
        ]
        known = [(one, day) for one, day in before if one is not None]
        if known and max(known)[0] - value >= FALL:
            best, day = max(known)
            yield Need(
                "soon",
                _("Agreement on %(scale)s fell by %(fall)s since %(day)s") % {
                    "scale": scale, "fall": number(best - value, bounded=True),
                    "day": day_told(day),
                },
                _("now %(value)s %(ends)s")
                % {"value": number(value, bounded=True), "ends": ends},
                "agreement", _("Look"),
            )  # fmt: skip
        elif value < TENTATIVE:
            yield Need(
                "soon",
                _("Agreement on %(scale)s is low") % {"scale": scale},
                _("%(value)s %(ends)s; .667 is the minimum for tentative conclusions")
                % {"value": number(value, bounded=True), "ends": ends},
                "agreement", _("Look"),
            )  # fmt: skip
