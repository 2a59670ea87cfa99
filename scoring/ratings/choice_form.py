"""The form that selects the judgments of a report."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from paraanno.template_filters import translated_lazy
from scoring.ratings.choice import Choice
from scoring.stats.gold.compare import FIRST
from scoring.stats.gold.latent import CATALOGUE


class ChoiceForm(forms.Form):
    """The fields of `Choice`, read from the query string, so that a report can be shared as a
    link."""

    USUAL = {"occasion": 1, "method": "mean"}

    systems = forms.MultipleChoiceField(
        label=_("Systems"), required=False, widget=forms.CheckboxSelectMultiple
    )
    annotators = forms.MultipleChoiceField(
        label=_("Annotators"), required=False, widget=forms.SelectMultiple(attrs={"size": 5})
    )
    phrases = forms.CharField(label=_("Phrase"), required=False, help_text=_("Its whole text."))
    batches = forms.MultipleChoiceField(
        label=_("Imports"), required=False, widget=forms.SelectMultiple(attrs={"size": 4})
    )
    attribute = forms.CharField(
        label=_("Attribute"),
        required=False,
        help_text=_(
            "For example item.topic=news: item, phrase or substitution, then a name and a value."
        ),
    )
    since = forms.DateField(
        label=_("Judged from"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("Judged up to"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    as_of = forms.DateField(
        label=_("As of"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("What counted at the end of that day, from the history."),
    )
    occasion = forms.IntegerField(
        label=_("Occasion"),
        required=False,
        min_value=1,
        max_value=32767,
        help_text=_("1 is the first judgment; 2 a hidden repeat."),
    )
    method = forms.ChoiceField(label=_("Gold by"), required=False)
    references = forms.ChoiceField(
        label=_("References"),
        required=False,
        choices=[
            ("", _("All items")),
            ("with", _("Items with references")),
            ("without", _("Items without references")),
        ],
    )
    blind_only = forms.BooleanField(label=_("Only blind judgments"), required=False)
    excluded = forms.BooleanField(label=_("Excluded ones too"), required=False)
    surplus = forms.BooleanField(label=_("Surplus ones too"), required=False)
    controls = forms.BooleanField(label=_("Controls instead of systems’ texts"), required=False)

    def __init__(self, data: Any, *, campaign: Campaign, kind: str, prefix: str = "") -> None:
        super().__init__(data or {}, prefix=prefix or None)
        if kind != "agreement":
            del self.fields["controls"]
        if kind not in ("agreement", "results"):
            del self.fields["as_of"]
        if kind == "correlation":
            self.fields["method"].choices = value_methods()  # type: ignore[attr-defined]
        else:
            del self.fields["method"], self.fields["references"]
        systems = campaign.systems.order_by("label").values_list("label", flat=True)
        codes = campaign.annotators.order_by("code").values_list("code", flat=True)
        batches = campaign.batches.filter(what="items").order_by("pk")
        self.fields["systems"].choices = [(label, label) for label in systems]  # type: ignore[attr-defined]
        self.fields["annotators"].choices = [(code, code) for code in codes]  # type: ignore[attr-defined]
        self.fields["batches"].choices = [  # type: ignore[attr-defined]
            (str(one.pk), f"{one.created_at:%Y-%m-%d} {one.file_name}") for one in batches
        ]
        for name in ("systems", "annotators", "batches"):
            if len(self.fields[name].choices) < 2:  # type: ignore[attr-defined]
                del self.fields[name]

    def choice(self, **more: Any) -> Choice:
        """Return the choice, the default one if the form is invalid. Raises Invalid for errors that
        only `Choice` itself detects."""
        if not self.is_valid():
            return Choice.from_json(more)
        data = dict(self.cleaned_data)
        phrase = data.pop("phrases")
        return Choice.from_json(
            {
                **data,
                **more,
                "occasion": data["occasion"] or 1,
                "phrases": [phrase] if phrase else [],
            }
        )

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The choice as query parameters, for links that keep it."""
        lists = self.data.lists() if hasattr(self.data, "lists") else []
        return [(name, one) for name, many in lists for one in many if name in self.fields and one]

    @property
    def query(self) -> str:
        """The same as a query string with a leading &; empty for the default choice."""
        return f"&{urlencode(self.pairs)}" if self.pairs else ""

    @property
    def chosen(self) -> list[tuple[str, str]]:
        """Label and value of every field that is set."""
        if not self.is_valid():
            return []
        pairs = []
        for field in self:
            value = self.cleaned_data.get(field.name)
            if field.name in ("systems", "annotators", "batches") and value:
                names = dict(self.fields[field.name].choices)  # type: ignore[attr-defined]
                value = ", ".join(names[one] for one in value)
            if field.name in ("method", "references") and value:
                value = dict(self.fields[field.name].choices)[value]  # type: ignore[attr-defined]
            if value and self.cleaned_data[field.name] != self.USUAL.get(field.name):
                pairs.append((str(field.label), "" if value is True else str(value)))
        return pairs


class RegionForm(forms.Form):
    """A rectangle of metric scores and human values; an empty end is open."""

    x0 = forms.FloatField(label=_("Metric from"), required=False)
    x1 = forms.FloatField(label=_("Metric to"), required=False)
    y0 = forms.FloatField(label=_("People from"), required=False)
    y1 = forms.FloatField(label=_("People to"), required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data or {})
        for field in self.fields.values():
            field.widget.attrs |= {"step": "any", "inputmode": "decimal"}

    @property
    def given(self) -> bool:
        """Whether any end is set."""
        return any(self.data.get(name) for name in self.fields)

    def ends(self) -> tuple[tuple[float | None, float | None], tuple[float | None, float | None]]:
        """The ends of both axes; open where a field is empty or not a number."""
        self.is_valid()
        x0, x1, y0, y1 = (self.cleaned_data.get(name) for name in ("x0", "x1", "y0", "y1"))
        return (x0, x1), (y0, y1)


def value_methods() -> list[tuple[str, Any]]:
    """The same for methods that give values on the scale, and for adjudicated values, which come
    first."""
    methods = [(one.key, translated_lazy(one.label)) for one in CATALOGUE if not one.decides]
    return [*methods, (FIRST, _("Adjudicated, else the mean"))]
