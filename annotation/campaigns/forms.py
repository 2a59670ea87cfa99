"""Forms of campaigns. They check what the form alone can tell; the services check the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from annotation.access import ScopeChoice
from annotation.campaigns.pilots import MOST_TEXTS
from annotation.campaigns.templating.queries import FIXED_ONCE_OPEN, language_read, template_choices
from annotation.errors import Invalid
from annotation.http.fields import FoldedForm, ScopeField, scope_offer
from annotation.importers.yaml_reader import MOST_BYTES
from annotation.models import Campaign, Scale
from paraanno.common.panel_links import SCALE_COLUMNS, ScaleTemplate


class CampaignForm(forms.ModelForm):
    """A campaign's settings."""

    class Meta:
        model = Campaign
        fields = [
            "name",
            "description",
            "language",
            "annotators_per_sheet",
            "max_per_sheet",
            "order",
            "shared_share",
            "lease_minutes",
            "allow_revision",
            "layout",
            "layout_choice",
            "run_metrics",
        ]
        labels = {
            "name": _("Name"),
            "description": _("Description"),
            "language": _("Language of the texts"),
            "order": _("Order"),
            "annotators_per_sheet": _("Annotators per sheet"),
            "max_per_sheet": _("Most paraphrases on a sheet"),
            "shared_share": _("Share of sheets that everybody judges"),
            "lease_minutes": _("Minutes a claimed sheet is reserved"),
            "layout": _("The sheet shows"),
            "layout_choice": _("Annotators may choose the other layout"),
            "allow_revision": _("Finished sheets may be changed while the campaign is open"),
            "run_metrics": _("Run metrics that need no file after each import"),
        }
        help_texts = {
            "language": _("A tag such as en, ko or pt-BR (BCP 47). Empty: unknown."),
            "annotators_per_sheet": _(
                "Raising it later opens more assignments; lowering takes free ones."
            ),
            "max_per_sheet": _("Empty: all paraphrases of an item together. 1: one by one."),
            "shared_share": _("From 0 to 1. They show how well all annotators agree."),
            "lease_minutes": _("After that it may go to another annotator."),
            "allow_revision": "",
            "layout_choice": "",
            "run_metrics": _("Those that read the language of the texts, such as BLEU and chrF."),
        }
        widgets = {
            "description": forms.Textarea(attrs={"rows": 3}),
            "language": forms.TextInput(
                attrs={
                    "list": "languages",
                    "autocomplete": "off",
                    "spellcheck": "false",
                    "autocapitalize": "none",
                }
            ),
        }

    # The limits of the constraints, shown at the field before submission.
    LEAST = {"annotators_per_sheet": 1, "max_per_sheet": 1, "lease_minutes": 1, "shared_share": 0}
    MOST = {"shared_share": 1}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, least in self.LEAST.items():
            self.fields[name].validators.append(MinValueValidator(least))
            self.fields[name].widget.attrs["min"] = least
        for name, most in self.MOST.items():
            self.fields[name].validators.append(MaxValueValidator(most))
            self.fields[name].widget.attrs["max"] = most
        if self.instance.pk and self.instance.opened_at is not None:
            self.fields["language"].help_text = _(
                "A tag such as en, ko or pt-BR (BCP 47). Correcting it changes no judgment; runs "
                "of metrics that depend on the language are marked as older."
            )
            for name in FIXED_ONCE_OPEN:
                self.fields[name].disabled = True
                self.fields[name].help_text = _("Fixed since the campaign was opened.")

    def clean_language(self) -> str:
        try:
            return language_read(self.cleaned_data["language"])
        except Invalid as error:
            raise forms.ValidationError(error.message) from error


class NewCampaignForm(FoldedForm, CampaignForm):
    """A new campaign: its short name and initial scales."""

    template = forms.ChoiceField(
        label=_("Task"),
        help_text=_(
            "The scales to start with. Until the campaign is opened you may change them, remove "
            "some and add your own."
        ),
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["template"].choices = template_choices(user=user)  # type: ignore[attr-defined]

    class Meta(CampaignForm.Meta):
        fields = ["name", "slug", *CampaignForm.Meta.fields[1:]]
        help_texts = {
            **CampaignForm.Meta.help_texts,
            "slug": _("For addresses and commands: letters, digits, - and _."),
        }
        labels = {**CampaignForm.Meta.labels, "slug": _("Short name")}

    field_order = ["name", "slug", "template", "language", "annotators_per_sheet"]

    FIRST = 5


class ScaleForm(forms.ModelForm):
    """A scale, before the campaign is opened."""

    class Meta:
        model = Scale
        fields = SCALE_COLUMNS
        labels = {
            "name": _("Name"),
            "question": _("Question"),
            "level": _("Level"),
            "minimum": _("Minimum"),
            "maximum": _("Maximum"),
            "step": _("Step"),
            "higher_is_better": _("Higher is better"),
            "copy_at_top": _("Exact copies should get the best value"),
            "required": _("Must be answered"),
            "threshold": _("Threshold to pass"),
        }
        help_texts = {
            "threshold": _("Empty: no threshold."),
            "copy_at_top": _(
                "Exact copies are checked on this scale. Not where only the sentence is judged: "
                "an original may be ungrammatical."
            ),
        }

    points = forms.CharField(
        label=_("Labelled points"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("One per line: value; label; anchor. For example: 5; Same; Nothing is lost."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["points"] = "\n".join(
                f"{point.value:g}; {point.label}; {point.anchor}"
                for point in self.instance.points.all()
            )

    def clean(self) -> dict[str, Any]:
        """Report each problem at a field: the constraints of that field then add nothing."""
        data = super().clean() or {}
        low: Any = data.get("minimum")
        high: Any = data.get("maximum")
        step = data.get("step")
        if low is not None and high is not None and low >= high:
            raise forms.ValidationError({"minimum": _("The minimum must be below the maximum.")})
        if step is not None and step <= 0:
            raise forms.ValidationError({"step": _("The step must be greater than 0.")})
        threshold: Any = data.get("threshold")
        inside = None in (threshold, low, high) or low <= threshold <= high
        if not inside:
            raise forms.ValidationError({"threshold": _("The threshold must be on the scale.")})
        return data

    def clean_points(self) -> tuple[tuple[float, str, str], ...]:
        points = []
        for number, line in enumerate(self.cleaned_data["points"].splitlines(), 1):
            if not line.strip():
                continue
            value, label, anchor = ([*line.split(";", 2), "", ""])[:3]
            try:
                points.append((float(value), label.strip()[:60], anchor.strip()[:300]))
            except ValueError:
                raise forms.ValidationError(
                    _("Line %(number)s does not begin with a number.") % {"number": number}
                ) from None
        return tuple(points)

    def as_template(self) -> ScaleTemplate:
        """Return the scale in the form the service expects."""
        return ScaleTemplate(
            **{name: self.cleaned_data[name] for name in [*self.Meta.fields, "points"]}
        )


class ThresholdForm(forms.Form):
    """The value from which a judgment passes."""

    threshold = forms.FloatField(label=_("Threshold"), required=False)


class GuidelineForm(forms.Form):
    """A new version of the guidelines."""

    text = forms.CharField(label=_("Text (Markdown)"), widget=forms.Textarea(attrs={"rows": 18}))


# Forms of templates, copies and pilots; the services check what the form cannot tell.


SHORT = _("For addresses and commands: letters, digits, - and _.")


class TemplateFileForm(forms.Form):
    """A template's file."""

    file = forms.FileField(label=_("File"), help_text=_("A template in YAML, at most 1 MB."))

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than %(most)s MB.") % {"most": 1})
        return file


class CampaignFromFileForm(TemplateFileForm):
    """A new campaign as a file says."""

    slug = forms.SlugField(label=_("Short name"), max_length=60, help_text=SHORT)
    name = forms.CharField(
        label=_("Name"), max_length=200, required=False, help_text=_("Empty: as the file says.")
    )

    field_order = ["slug", "name", "file"]


class SavedTemplateForm(TemplateFileForm):
    """A template to keep, and who may use it."""

    name = forms.SlugField(label=_("Short name"), max_length=60, help_text=SHORT)
    label = forms.CharField(label=_("The name that the list shows"), max_length=200)
    scope = ScopeField()

    field_order = ["name", "label", "scope", "file"]

    def __init__(self, *args: Any, choices: Sequence[ScopeChoice], **options: Any) -> None:
        super().__init__(*args, **options)
        scope_offer(self, choices)


class CopyForm(forms.Form):
    """A copy of a campaign."""

    slug = forms.SlugField(label=_("Short name"), max_length=60, help_text=SHORT)
    name = forms.CharField(
        label=_("Name"), max_length=200, required=False, help_text=_("Empty: the same name.")
    )
    texts = forms.BooleanField(
        label=_("With its texts"),
        required=False,
        initial=True,
        help_text=_("Scores of metrics are then taken over when a run needs them."),
    )
    people = forms.BooleanField(
        label=_("With its people"),
        required=False,
        help_text=_(
            "The same members, and annotators under the same codes. They are asked for consent "
            "again."
        ),
    )


class PilotForm(forms.Form):
    """A pilot: how many originals, and who judges them."""

    texts = forms.IntegerField(
        label=_("Originals"),
        min_value=1,
        max_value=MOST_TEXTS,
        initial=3,
        help_text=_("Drawn at random from the texts that are imported."),
    )
    people = forms.MultipleChoiceField(
        label=_("Annotators"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("More people can be invited on the pilot’s own page."),
    )

    def __init__(self, *args: Any, people: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["people"]
        field.choices = people
        if not people:
            field.widget = forms.MultipleHiddenInput()
