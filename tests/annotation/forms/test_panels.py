"""Files of ids that cannot be read are told so."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Panel
from annotation.panels.forms import EndedForm, PanelForm


@pytest.mark.parametrize(
    ("content", "field"), [(b"\xff\xfe", "file"), (b" \n", "ids"), (b"x" * 5_000_001, "file")]
)
def test_what_is_no_list_of_ids_is_refused(content, field):
    file = SimpleUploadedFile("ids.txt", content)
    form = EndedForm({"outcome": "withdrawn"}, {"file": file})
    assert list(form.errors) == [field]


def test_a_stored_panel_shows_its_codes():
    panel = Panel(pk=1, name="Crowd", codes={"complete": "C1"})
    form = PanelForm(instance=panel)
    assert form.fields["code_complete"].initial == "C1"
    assert "event_secret" in form.fields
    assert "event_secret" not in PanelForm().fields
