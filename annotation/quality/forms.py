"""Forms of quality control and practice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NotRequired, TypedDict

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from annotation.models import QualityPlan, Scale
from annotation.models.quality import Part
from annotation.quality.expected import Band
from annotation.quality.rules import BOUNDS

CHECKS = [
    ("control", _("Controls outside their band")),
    ("degraded", _("Degraded copies not below their original")),
    ("copy", _("Exact copies not at the top")),
    ("repeat", _("Repeats more than one point off")),
    ("fast", _("Sheets done too fast")),
    ("straight", _("Answers in overlong runs of one value")),
]
ACTS = [
    ("note", _("Note it for researchers")),
    ("warn", _("Ask the annotator to read the guidelines again")),
    ("pause", _("Pause the annotator until a researcher lifts it")),
    ("exclude", _("Exclude the annotator and open their assignments to others")),
]


class PlanForm(forms.ModelForm):
    """The quality plan."""

    class Meta:
        model = QualityPlan
        fields = ["repeat_share", "repeat_after", "fast_seconds", "delay_least", "delay_most"]
        labels = {
            "repeat_share": _("Share of sheets that are repeated"),
            "repeat_after": _("After at least this many further sheets"),
            "fast_seconds": _("Too fast below this many seconds per answer"),
            "delay_least": _("Actions follow after at least this many sheets"),
            "delay_most": _("And at most this many"),
        }
        help_texts = {
            "repeat_share": _("From 0 to 1, for each annotator. 0: no hidden repeats."),
            "repeat_after": "",
            "fast_seconds": _("The mean over a sheet, by the server's clock."),
            "delay_least": _("Never on the sheet that caused them."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (least, most) in BOUNDS.items():
            field = self.fields[name]
            field.validators += [MinValueValidator(least), MaxValueValidator(most)]
            field.widget.attrs |= {"min": least, "max": most}

    def clean(self) -> dict[str, Any]:
        """Report the problem at a field: the constraint of that field then adds nothing."""
        data = super().clean() or {}
        if data.get("delay_least", 0) > data.get("delay_most", float("inf")):
            message = _("The minimum delay must not exceed the maximum.")
            raise forms.ValidationError({"delay_least": message})
        return data


class RuleForm(forms.Form):
    """The failed share of a check that leads to an action."""

    check = forms.ChoiceField(label=_("Check"), choices=CHECKS)
    least = forms.IntegerField(
        label=_("Minimum number of checks"), min_value=1, max_value=100_000, initial=10
    )
    percent = forms.FloatField(
        label=_("When this percentage of them fails"), min_value=0.1, max_value=100, initial=50
    )
    act = forms.ChoiceField(label=_("Do this"), choices=ACTS)


class CopiesForm(forms.Form):
    """Copies of texts in a sample of items."""

    kind = forms.ChoiceField(
        label=_("What"),
        choices=[
            ("drop", _("Degraded: words dropped")),
            ("shuffle", _("Degraded: words shuffled")),
            ("copy", _("Exact copies of the phrase")),
        ],
    )
    items = forms.IntegerField(
        label=_("For how many items"), min_value=1, max_value=10_000, initial=10
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        initial=1,
        min_value=0,
        max_value=2**31 - 1,
        help_text=_("The same seed draws the same items and makes the same texts."),
    )


class ExpectedFileForm(forms.Form):
    """A file of expected values."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "CSV, TSV or JSON Lines: sentence, phrase, paraphrase (or item), role (control or "
            "practice), scale, low, high, explanation, part."
        ),
    )


class BandsForm(forms.Form):
    """The expected values on each scale, with an explanation."""

    def __init__(self, *args: Any, scales: Iterable[Scale], explain: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.scales = list(scales)
        self.explain = explain
        for scale in self.scales:
            for end, label in (("low", _("From")), ("high", _("To"))):
                self.fields[f"{scale.key}-{end}"] = forms.FloatField(
                    label=label,
                    required=False,
                    min_value=scale.minimum,
                    max_value=scale.maximum,
                    widget=forms.NumberInput(attrs={"step": f"{scale.step:g}"}),
                )
            if explain:
                self.fields[f"{scale.key}-why"] = forms.CharField(
                    label=_("Why, for the annotator"),
                    required=False,
                    max_length=500,
                    widget=forms.Textarea(attrs={"rows": 2}),
                )

    def groups(self) -> list[tuple[Scale, list[BoundField]]]:
        """Return each scale with its fields."""
        ends = ["low", "high", *(["why"] if self.explain else [])]
        return [(scale, [self[f"{scale.key}-{end}"] for end in ends]) for scale in self.scales]

    def own_fields(self) -> list[BoundField]:
        """Return the fields that belong to no scale."""
        names = [name for name in self.fields if not name.rpartition("-")[0]]
        return [self[name] for name in names]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not self._given(data):
            raise forms.ValidationError(_("Give the right values for at least one scale."))
        return data

    def _given(self, data: Mapping[str, Any]) -> dict[Scale, Band]:
        bands = {}
        for scale in self.scales:
            given = [data.get(f"{scale.key}-low"), data.get(f"{scale.key}-high")]
            ends = [value for value in given if value is not None]
            if ends:
                bands[scale] = Band(ends[0], ends[-1], data.get(f"{scale.key}-why") or "")
        return bands

    def bands(self) -> dict[Scale, Band]:
        """Return the bands by scale; if only one end is given, exactly that value is expected."""
        return self._given(self.cleaned_data)


class NewText(TypedDict):
    """A control or practice text; a practice text says in which part it is."""

    sentence: str
    phrase: str
    paraphrase: str
    bands: dict[str, Band]
    part: NotRequired[str]


class PracticeRuleData(TypedDict):
    """What the test asks for."""

    required: bool
    share: float
    tries: int
    tolerance: dict[Scale, float]


class TextForm(BandsForm):
    """A control or practice text with its expected values."""

    sentence = forms.CharField(
        label=_("Sentence"), max_length=5000, widget=forms.Textarea(attrs={"rows": 2})
    )
    phrase = forms.CharField(
        label=_("Phrase in it to be replaced"),
        required=False,
        max_length=2000,
        help_text=_("Empty: the whole sentence."),
    )
    paraphrase = forms.CharField(label=_("Paraphrase"), max_length=5000)

    def as_text(self) -> NewText:
        """Return the arguments of `text_add`."""
        data = self.cleaned_data
        return {
            "sentence": data["sentence"],
            "phrase": data["phrase"],
            "paraphrase": data["paraphrase"],
            "bands": {scale.name: band for scale, band in self.bands().items()},
        }


class PracticeTextForm(TextForm):
    """A practice text with its part."""

    part = forms.ChoiceField(label=_("Part"), choices=Part.choices)

    def as_text(self) -> NewText:
        text = super().as_text()
        text["part"] = self.cleaned_data["part"]
        return text


class PracticeRuleForm(forms.Form):
    """Whether annotators must qualify first, and the passing share."""

    required = forms.BooleanField(
        label=_("Nobody gets a sheet before they have practised and passed"), required=False
    )
    percent = forms.FloatField(
        label=_("Right answers that pass the test, in percent"), min_value=1, max_value=100
    )
    tries = forms.IntegerField(label=_("Tries"), min_value=1, max_value=100)

    def __init__(
        self, *args: Any, scales: Iterable[Scale], tolerances: dict[int, float], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.scales = list(scales)
        for scale in self.scales:
            self.fields[f"tolerance-{scale.key}"] = forms.FloatField(
                label=_("%(name)s: distance that still counts as right") % {"name": scale.name},
                min_value=0,
                max_value=scale.maximum - scale.minimum,
                initial=f"{tolerances.get(scale.pk, 0):g}",
            )

    def as_rule(self) -> PracticeRuleData:
        """Return the arguments of `practice_set`."""
        data = self.cleaned_data
        return {
            "required": data["required"],
            "share": data["percent"] / 100,
            "tries": data["tries"],
            "tolerance": {scale: data[f"tolerance-{scale.key}"] for scale in self.scales},
        }
