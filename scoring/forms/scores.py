"""The form that imports scores made elsewhere."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.campaigns import UploadForm


class ScoresForm(forms.Form):
    """A file and the names of its columns."""

    file = forms.FileField(label=_("File"), help_text=_("CSV, TSV or JSON Lines; UTF-8."))
    label = forms.CharField(
        label=_("Name of the metric"), required=False, max_length=200,
        help_text=_("For the column “score”; if empty, the file’s name. Other columns have their "
                    "own names."),
    )  # fmt: skip
    lower_is_better = forms.BooleanField(label=_("Lower is better"), required=False)
    lower = forms.CharField(
        label=_("Lower is better only in"), required=False,
        help_text=_("With several columns score.NAME: those names, separated by commas."),
    )  # fmt: skip
    format = forms.ChoiceField(
        label=_("Format"), required=False,
        choices=[("", _("By the file's name")), ("csv", "CSV"), ("tsv", "TSV"),
                 ("jsonl", "JSON Lines")],
    )  # fmt: skip
    clean_file = UploadForm.clean_file

    def clean_lower(self) -> list[str]:
        """The names, split at commas."""
        return [name.strip() for name in self.cleaned_data["lower"].split(",") if name.strip()]
