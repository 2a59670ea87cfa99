"""Files of people and ids that cannot be read are told so; people of a pilot are members."""

import pytest

from annotation.campaigns.forms import (
    PilotForm,
    TemplateFileForm,
)
from annotation.models import Panel
from annotation.panels.forms import EndedForm, PanelForm
from annotation.people.forms import BYTES, InviteManyForm
from tests.clients import upload


def test_a_file_goes_before_what_is_pasted():
    file = upload("list.csv", "\ufeffBob".encode())
    form = InviteManyForm({"days": "1", "people": "Ben"}, {"file": file})
    assert form.is_valid()
    assert (form.cleaned_data["text"], form.cleaned_data["source"]) == ("Bob", "list.csv")


@pytest.mark.parametrize("content", [b"\xff", b"x" * (BYTES + 1)])
def test_a_file_that_cannot_be_read_is_told_so(content):
    form = InviteManyForm({"days": "1"}, {"file": upload("list.csv", content)})
    assert list(form.errors) == ["file"]


@pytest.mark.parametrize(
    ("content", "field"), [(b"\xff\xfe", "file"), (b" \n", "ids"), (b"x" * 5_000_001, "file")]
)
def test_what_is_no_list_of_ids_is_refused(content, field):
    file = upload("ids.txt", content)
    form = EndedForm({"outcome": "withdrawn"}, {"file": file})
    assert list(form.errors) == [field]


def test_a_stored_panel_shows_its_codes():
    panel = Panel(pk=1, name="Crowd", codes={"complete": "C1"})
    form = PanelForm(instance=panel)
    assert form.fields["code_complete"].initial == "C1"
    assert "event_secret" in form.fields
    assert "event_secret" not in PanelForm().fields


def given(size=1):
    return {"file": upload("t.yaml", b"#" * size)}


def test_a_template_has_at_most_a_megabyte():
    for size, fine in ((1_000_000, True), (1_000_001, False)):
        assert TemplateFileForm({}, given(size)).is_valid() is fine


def test_people_of_a_pilot_are_members():
    for texts, people, fine in (("3", ["1"], True), ("3", ["2"], False), ("0", [], False)):
        form = PilotForm({"texts": texts, "people": people}, people=[("1", "bob")])
        assert form.is_valid() is fine
    assert PilotForm({"texts": "3"}, people=[]).is_valid()
