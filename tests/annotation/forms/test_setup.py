"""Forms of templates, copies and pilots."""

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.campaigns.forms import (
    PilotForm,
    TemplateFileForm,
)


def given(size=1):
    return {"file": SimpleUploadedFile("t.yaml", b"#" * size)}


def test_a_template_has_at_most_a_megabyte():
    for size, fine in ((1_000_000, True), (1_000_001, False)):
        assert TemplateFileForm({}, given(size)).is_valid() is fine


def test_people_of_a_pilot_are_members():
    for texts, people, fine in (("3", ["1"], True), ("3", ["2"], False), ("0", [], False)):
        form = PilotForm({"texts": texts, "people": people}, people=[("1", "bob")])
        assert form.is_valid() is fine
    assert PilotForm({"texts": "3"}, people=[]).is_valid()
