"""The form that imports scores."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from scoring.runs.views import ScoresForm


def form(data, content=b"item,score\n"):
    file = SimpleUploadedFile("mine.csv", content)
    return ScoresForm(data, MultiValueDict({"file": [file]}))


@pytest.mark.parametrize(
    ("lower", "names"),
    [("", []), ("ter", ["ter"]), (" ter , wer,,", ["ter", "wer"]), ("ter, ,wer", ["ter", "wer"])],
)
def test_only_the_file_is_needed_and_names_are_split_at_commas(lower, names):
    filled = form({"lower": lower})
    assert filled.is_valid()
    data = filled.cleaned_data
    assert (data["lower"], data["label"], data["lower_is_better"]) == (names, "", False)
    assert data["format"] == ""
    assert list(ScoresForm({}, MultiValueDict()).errors) == ["file"]


@pytest.mark.parametrize("wrong", [{"format": "xlsx"}, {"format": "ccb"}, {"label": "x" * 201}])
def test_what_no_import_reads_is_refused(wrong):
    assert list(form(wrong).errors) == list(wrong)


def test_a_file_over_the_limit_is_refused(settings):
    settings.UPLOAD_MAX_BYTES = 10
    assert form({}, b"x" * 10).is_valid()
    assert list(form({}, b"x" * 11).errors) == ["file"]
