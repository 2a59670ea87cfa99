"""The form of a board's alarms."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import BoardWatch
from annotation.services.board.alarms import BOUNDS

OFF = _("Empty: off.")


class AlarmsForm(forms.Form):
    """Thresholds, and whom alarms are sent to."""

    quiet_hours = forms.IntegerField(
        label=_("Nobody judges for (hours)"), required=False, help_text=OFF
    )
    fast_seconds = forms.FloatField(
        label=_("A person is too fast: seconds per text"), required=False,
        help_text=_(
            "Below this in the last 24 hours, over 10 texts or more, and on at least half of the "
            "sheets. Empty: off."
        ),
    )  # fmt: skip
    agreement_fall = forms.FloatField(
        label=_("Agreement falls by"), required=False,
        help_text=_(
            "Alpha of the newest texts against those before; its interval must lie below them. "
            "Empty: off."
        ),
    )  # fmt: skip
    expired_times = forms.IntegerField(
        label=_("Places expire again and again: number of times"), required=False, help_text=OFF
    )
    mail_to = forms.CharField(
        label=_("Send alarms to these e-mail addresses"), required=False, max_length=500,
        help_text=_("Separated by commas."),
    )  # fmt: skip
    webhook_url = forms.CharField(
        label=_("Send alarms to this webhook"), required=False, max_length=500,
        help_text=_("An https address on the public internet; redirects are not followed."),
    )  # fmt: skip

    @classmethod
    def of(cls, watch: BoardWatch) -> AlarmsForm:
        """The form with what is set now."""
        names = (*BOUNDS, "mail_to", "webhook_url")
        return cls(initial={name: getattr(watch, name) for name in names})
