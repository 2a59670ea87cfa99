"""Alarms of a board in words: what happened, in which numbers, and where to look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import AlarmSending, BoardAlarm
from annotation.presenters.charts import interval, number
from annotation.presenters.letters import letters_state
from annotation.presenters.overview import Need, Urgency

Kind = BoardAlarm.Kind
URGENCY: dict[str, Urgency] = {
    Kind.QUIET: "soon", Kind.FAST: "now", Kind.FALLING: "soon", Kind.EXPIRED: "soon"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShownAlarm:
    """`need` has its sentence, fact and way; `since` and `sent` are shown only on the board."""

    kind: str
    need: Need
    since: datetime
    sent: str
    annotator_key: str = ""


def alarm_need(alarm: BoardAlarm) -> Need:
    """What an alarm asks for. The name of a page leads on with the campaign's slug alone."""
    facts = alarm.facts
    urgency = URGENCY[alarm.kind]
    if alarm.kind == Kind.QUIET:
        since = timezone.localtime(datetime.fromisoformat(facts["since"]))
        return Need(
            urgency, _("Nobody has judged since %(time)s") % {"time": f"{since:%Y-%m-%d %H:%M}"},
            ngettext("%(n)s place is left", "%(n)s places are left", facts["left"])
            % {"n": f"{facts['left']:,}"},
            "people", _("Invite"), "research",
        )  # fmt: skip
    if alarm.kind == Kind.FAST:
        code = alarm.annotator.code if alarm.annotator is not None else ""
        return Need(
            urgency, _("%(code)s is too fast") % {"code": code},
            _("%(s)s s per text, %(n)s texts in 24 hours; the limit is %(least)s s") % {
                "s": f"{facts['seconds']:g}", "n": facts["texts"], "least": f"{facts['least']:g}",
            },
            "board", _("Look"), "research",
        )  # fmt: skip
    if alarm.kind == Kind.FALLING:
        ends = interval(facts["low"], facts["high"], bounded=True)
        return Need(
            urgency, _("Agreement on %(scale)s falls") % {"scale": alarm.about},
            _("alpha of the newest %(n)s texts: %(value)s %(ends)s; before: %(before)s") % {
                "n": facts["n"], "value": number(facts["value"], bounded=True), "ends": ends,
                "before": number(facts["before"], bounded=True),
            },
            "agreement", _("Look"),
        )  # fmt: skip
    return Need(
        urgency,
        ngettext("%(n)s place expires again and again", "%(n)s places expire again and again",
                 facts["places"]) % {"n": f"{facts['places']:,}"},
        _("lost %(n)s times or more, and not done") % {"n": facts["times"]},
        "board", _("Look"), "research",
    )  # fmt: skip


def alarm_shown(alarm: BoardAlarm) -> ShownAlarm:
    """An alarm for the board."""
    by_mail, by_hook = _("by e-mail"), _("to the webhook")
    sent = [f"{by_mail}: {state}" for state in letters_state(alarm.letters.all())]
    if alarm.hook:
        sent.append(f"{by_hook}: {AlarmSending(alarm.hook).label}")
    key = str(alarm.annotator.key) if alarm.annotator is not None else ""
    return ShownAlarm(alarm.kind, alarm_need(alarm), alarm.began_at, "; ".join(sent), key)
