"""Forms of templates, copies and pilots; the services check what the form cannot tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.scope import ScopeField, scope_offer
from annotation.importers.yaml_lines import MOST_BYTES
from annotation.selectors.scope import ScopeChoice
from annotation.services.campaigns.pilots import MOST_TEXTS

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
        label=_("With its texts"), required=False, initial=True,
        help_text=_("Scores of metrics are then taken over when a run needs them."),
    )  # fmt: skip
    people = forms.BooleanField(
        label=_("With its people"), required=False,
        help_text=_(
            "The same members, and annotators under the same codes. They are asked for consent "
            "again."
        ),
    )  # fmt: skip


class PilotForm(forms.Form):
    """A pilot: how many originals, and who judges them."""

    texts = forms.IntegerField(
        label=_("Originals"), min_value=1, max_value=MOST_TEXTS, initial=3,
        help_text=_("Drawn at random from the texts that are imported."),
    )  # fmt: skip
    people = forms.MultipleChoiceField(
        label=_("Annotators"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("More people can be invited on the pilot’s own page."),
    )  # fmt: skip

    def __init__(self, *args: Any, people: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["people"]
        field.choices = people
        if not people:
            field.widget = forms.MultipleHiddenInput()
