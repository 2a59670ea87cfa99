"""Forms of templates, copies and pilots."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.forms.setup import (
    CampaignFromFileForm,
    CopyForm,
    PilotForm,
    SiteTemplateForm,
    TemplateFileForm,
)


def given(size: int = 1) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("t.yaml", b"#" * size)}


def test_a_template_has_at_most_a_megabyte() -> None:
    assert TemplateFileForm({}, given(1_000_000)).is_valid()
    assert not TemplateFileForm({}, given(1_000_001)).is_valid()


def test_short_names_are_asked_for_first() -> None:
    assert CampaignFromFileForm({"slug": "a"}, given()).is_valid()
    assert not CampaignFromFileForm({"slug": "a b"}, given()).is_valid()
    assert not SiteTemplateForm({"name": "a b", "label": "A"}, given()).is_valid()
    assert list(SiteTemplateForm().fields) == ["name", "label", "file"]
    assert CopyForm({"slug": "a"}).is_valid()


def test_people_of_a_pilot_are_members() -> None:
    people = [("1", "bob")]
    assert PilotForm({"texts": "3", "people": ["1"]}, people=people).is_valid()
    assert not PilotForm({"texts": "3", "people": ["2"]}, people=people).is_valid()
    assert not PilotForm({"texts": "0"}, people=people).is_valid()
    assert PilotForm({"texts": "3"}, people=[]).is_valid()
