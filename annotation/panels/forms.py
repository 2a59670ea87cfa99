"""Forms of the pages about panels."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Panel, PartOutcome
from annotation.panels.services import CODE_LENGTH, FIELDS, NAMES

CODE = "code_"
RARE_CODES = ("code_*",)
# Title, fields, and whether the group is rarely needed.
PARTS: tuple[tuple[Any, tuple[str, ...], bool], ...] = (
    (_("What is asked"), ("name", "sheets_per_person", "max_participants", "minutes"), False),
    (_("The way back"), ("code_complete", "return_url", "contact"), False),
    (_("Pay"), ("pay", "currency", "pay_floor", "bonus"), False),
    (_("Codes of other outcomes"), RARE_CODES, True),
    (
        _("What the platform sends"),
        ("parameter", "session_parameter", "id_pattern", "event_secret"),
        True,
    ),
)


class PanelForm(forms.ModelForm):
    """A panel; the completion codes have a field for each outcome."""

    def add_error(self, field: str | None, error: Any) -> None:
        """An error of the codes stands at the first of them, one of no field above the form."""
        name = "code_complete" if field == "codes" else field
        super().add_error(name if name in self.fields else None, error)

    class Meta:
        model = Panel
        fields = [
            "name",
            "sheets_per_person",
            "max_participants",
            "minutes",
            "parameter",
            "session_parameter",
            "id_pattern",
            "return_url",
            "event_secret",
            "pay",
            "pay_floor",
            "bonus",
            "currency",
            "contact",
        ]
        labels = {
            "name": _("Name"),
            "sheets_per_person": _("Sheets per person"),
            "max_participants": _("People at most"),
            "minutes": _("Minutes at most"),
            "parameter": _("Parameter with the person’s id"),
            "session_parameter": _("Parameter with the submission’s id"),
            "id_pattern": _("Pattern of ids"),
            "return_url": _("Return address"),
            "event_secret": _("Secret of events"),
            "pay": _("Pay for complete participation"),
            "pay_floor": _("Minimum pay per hour"),
            "bonus": _("Bonus"),
            "currency": _("Currency"),
            "contact": _("Whom to ask"),
        }
        help_texts = {
            "minutes": _("From entering. Empty: as long as it takes."),
            "parameter": _("PROLIFIC_PID at Prolific, workerId at Mechanical Turk."),
            "session_parameter": _("SESSION_ID at Prolific, assignmentId at Mechanical Turk."),
            "id_pattern": _("A regular expression for the whole id, as [0-9a-f]{24} at Prolific."),
            "return_url": _("{code} is replaced by the code, {id} by the person’s id."),
            "event_secret": _("As the platform gave it for its events."),
            "pay": "",
            "pay_floor": _("Empty: the campaign’s. The payment list says how much is missing."),
            "bonus": _("For complete participation without a failed check."),
            "contact": _("A name and an e-mail address, shown on the last page."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk:
            self.fields.pop("event_secret")
        self.fields["sheets_per_person"].min_value = 1  # type: ignore[attr-defined]
        for name in NAMES:  # A blank is a mistake that somebody should see.
            self.fields[name].strip = False  # type: ignore[attr-defined]
        for outcome in PartOutcome:
            self.fields[f"{CODE}{outcome.value}"] = forms.CharField(
                label=_("Code: %(outcome)s") % {"outcome": outcome.label},
                required=False,
                max_length=CODE_LENGTH,
                initial=self.instance.codes.get(outcome.value, ""),
            )

    def parts(self) -> list[dict[str, Any]]:
        """Return the fields in their groups: the title, the fields, and whether the group is
        folded."""
        names = [name for _title, group, _folded in PARTS for name in group]
        codes = [name for name in self.fields if name.startswith(CODE)]
        if set(self.fields) - {*names, *codes}:
            raise TypeError("a field of the panel is in no group")
        return [
            {
                "title": title,
                "fields": (
                    fields := [
                        self[name]
                        for name in (codes[1:] if group == RARE_CODES else group)
                        if name in self.fields
                    ]
                ),
                "folded": folded and not any(field.errors for field in fields),
                "rare": folded,
            }
            for title, group, folded in PARTS
        ]

    def as_fields(self) -> dict[str, Any]:
        """Return what the services take."""
        data = self.cleaned_data
        given = {name: data[name] for name in FIELDS if name in data}
        codes = {one.value: data[f"{CODE}{one.value}"] for one in PartOutcome}
        return {**given, "codes": {name: code for name, code in codes.items() if code}}


class PayFloorForm(forms.Form):
    """The least pay per hour of a campaign."""

    pay_floor = forms.DecimalField(
        label=_("Minimum pay per hour"), required=False, min_value=0, max_digits=8, decimal_places=2
    )
    currency = forms.CharField(label=_("Currency"), required=False, max_length=12)


class EndedForm(forms.Form):
    """Ids of people whose part has ended on the platform, pasted or as a file."""

    outcome = forms.ChoiceField(
        label=_("What happened"),
        choices=[
            (PartOutcome.WITHDRAWN.value, _("They returned it")),
            (PartOutcome.TIMED_OUT.value, _("Their time was up")),
        ],
    )
    ids = forms.CharField(
        label=_("Ids"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One per line."),
        max_length=2_000_000,
    )
    file = forms.FileField(
        label=_("Or a file of ids"), required=False, help_text=_("UTF-8, one per line.")
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        text = data.get("ids") or ""
        file = data.get("file")
        if file is not None:
            if file.size > 5_000_000:
                self.add_error("file", _("The file is larger than %(most)s MB.") % {"most": 5})
                return data
            try:
                text += "\n" + file.read().decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", _("The file is not UTF-8."))
        data["found"] = [one.strip().strip('",;') for one in text.splitlines() if one.strip()]
        if not data["found"] and not self.errors:
            self.add_error("ids", _("Give at least one id."))
        return data
