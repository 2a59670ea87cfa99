"""What is pasted or uploaded is read once, and a file too large is told so."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.people.forms import BYTES, InviteManyForm


def test_a_file_goes_before_what_is_pasted():
    file = SimpleUploadedFile("list.csv", "\ufeffBob".encode())
    form = InviteManyForm({"days": "1", "people": "Ben"}, {"file": file})
    assert form.is_valid()
    assert (form.cleaned_data["text"], form.cleaned_data["source"]) == ("Bob", "list.csv")


@pytest.mark.parametrize("content", [b"\xff", b"x" * (BYTES + 1)])
def test_a_file_that_cannot_be_read_is_told_so(content):
    form = InviteManyForm({"days": "1"}, {"file": SimpleUploadedFile("list.csv", content)})
    assert list(form.errors) == ["file"]
