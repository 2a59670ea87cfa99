"""The form for restoring a campaign."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.errors import Invalid


class RestoreForm(forms.Form):
    """An archive, and the short name of the campaign that is made of it."""

    file = forms.FileField(
        label=gettext_lazy("Archive"), help_text=gettext_lazy("The zip file of an archive.")
    )
    slug = forms.SlugField(
        label=gettext_lazy("Short name"), required=False, max_length=60,
        help_text=gettext_lazy("Empty: as in the archive."),
    )  # fmt: skip

    def clean_file(self) -> UploadedFile:
        """Refuse what this site does not take."""
        file: Any = self.cleaned_data["file"]
        check_size(file.size)
        return file


def check_size(size: int) -> None:
    """Raise a ValidationError for a file that is too large."""
    if size > settings.ARCHIVE_MAX_BYTES:
        raise forms.ValidationError(too_large())


def too_large() -> str:
    return _("The file is larger than %(most)s, the most this site takes.") % {
        "most": filesizeformat(settings.ARCHIVE_MAX_BYTES)
    }


def refuse_large(size: int) -> None:
    """The same for the API: raises Invalid."""
    if size > settings.ARCHIVE_MAX_BYTES:
        raise Invalid(too_large())
