"""Forms of templates, copies and pilots."""

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.access import ScopeChoice
from annotation.campaigns.forms import (
    CampaignFromFileForm,
    CopyForm,
    PilotForm,
    SavedTemplateForm,
    TemplateFileForm,
)

MINE = [ScopeChoice("mine", "Only I")]


def given(size=1):
    return {"file": SimpleUploadedFile("t.yaml", b"#" * size)}


def test_a_template_has_at_most_a_megabyte():
    for size, fine in ((1_000_000, True), (1_000_001, False)):
        assert TemplateFileForm({}, given(size)).is_valid() is fine


def test_short_names_are_asked_for_first():
    for slug, fine in (("a", True), ("a b", False)):
        assert CampaignFromFileForm({"slug": slug}, given()).is_valid() is fine
        assert (
            SavedTemplateForm({"name": slug, "label": "A"}, given(), choices=MINE).is_valid()
            is fine
        )
        assert CopyForm({"slug": slug}).is_valid() is fine
    fields = SavedTemplateForm(choices=MINE).fields
    assert list(fields) == ["name", "label", "scope", "file"]


def test_people_of_a_pilot_are_members():
    for texts, people, fine in (("3", ["1"], True), ("3", ["2"], False), ("0", [], False)):
        form = PilotForm({"texts": texts, "people": people}, people=[("1", "bob")])
        assert form.is_valid() is fine
    assert PilotForm({"texts": "3"}, people=[]).is_valid()
