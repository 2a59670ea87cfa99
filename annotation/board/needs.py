"""What needs attention in collecting: people paused by a rule, remarks, work that has stopped."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.board.alarms import alarm_need
from annotation.board.queries import alarms_in_force
from annotation.campaigns.overview import Courses, Need, day_told, missing_told
from annotation.models import BoardAlarm, Campaign
from annotation.quality.overview import paused_codes
from annotation.sheets.own_work import remarks_since
from annotation.sheets.progress import WorkCourse
from paraanno import clock
from paraanno.common.forecast import LEAST_DAYS

QUIET = timedelta(days=7)
NAMED = 5


def collecting_needs(courses: Courses) -> Iterator[tuple[Campaign, Need]]:
    """Four queries."""
    alarms = alarms_in_force(campaigns=courses)
    paused = paused_codes(campaigns=courses)
    remarks = remarks_since(campaigns=courses, since=clock.now() - QUIET)
    for campaign, course in courses.items():
        pk = campaign.pk
        for need in _needs(campaign, course, alarms[pk], paused[pk], remarks.get(pk)):
            yield campaign, need


def _needs(
    campaign: Campaign,
    course: WorkCourse,
    alarms: list[BoardAlarm],
    codes: list[str],
    remarks: tuple[int, datetime] | None,
) -> Iterator[Need]:
    yield from (alarm_need(alarm) for alarm in alarms)
    is_quiet = any(alarm.kind == BoardAlarm.Kind.QUIET for alarm in alarms)
    if codes:
        yield Need(
            "now",
            ngettext(
                "%(n)s person is paused by a rule", "%(n)s people are paused by a rule", len(codes)
            )
            % {"n": len(codes)},
            ", ".join(codes[:NAMED]) + ("…" if len(codes) > NAMED else ""),
            "quality",
            _("Decide"),
            "research",
        )
    if campaign.status == Campaign.Status.OPEN:
        yield from _work(course, is_quiet)
    if remarks is not None:
        n, newest = remarks
        yield Need(
            "later",
            ngettext("%(n)s remark of the last 7 days", "%(n)s remarks of the last 7 days", n)
            % {"n": n},
            _("newest: %(day)s") % {"day": day_told(timezone.localtime(newest))},
            "remarks",
            _("Read"),
        )


def _work(course: WorkCourse, has_alarm: bool) -> Iterator[Need]:
    """`has_alarm`: an alarm says already that nobody judges."""
    if not course.left:
        yield Need(
            "soon",
            _("All assignments are done"),
            _("the campaign can be closed"),
            "board",
            _("Look"),
        )
    elif course.missing and len(course.last_days()) >= LEAST_DAYS:
        yield Need(
            "soon",
            _("Too few annotators to finish"),
            missing_told(course.missing, course.per_sheet),
            "people",
            _("Invite"),
            "research",
        )
    elif has_alarm:
        return
    elif course.newest is None:
        imported = ngettext(
            "%(n)s judgment was imported", "%(n)s judgments were imported", course.imported
        )
        yield Need(
            "soon",
            _("Nobody has judged here yet"),
            imported % {"n": course.imported} if course.imported else _("the campaign is open"),
            "people",
            _("Invite"),
            "research",
        )
    elif course.now - course.newest > QUIET:
        days = (course.now - course.newest).days
        yield Need(
            "soon",
            ngettext("Nobody has judged for %(n)s day", "Nobody has judged for %(n)s days", days)
            % {"n": days},
            ngettext("%(n)s assignment is left", "%(n)s assignments are left", course.left)
            % {"n": course.left},
            "people",
            _("Invite"),
            "research",
        )
