"""What the forms of a campaign refuse by themselves, and what they hand to services."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.campaigns.forms import CampaignForm, ScaleForm
from annotation.importing.forms import UploadForm
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db
SCALE = {
    "name": "STYLE",
    "question": "Is the tone kept?",
    "level": "ordinal",
    "minimum": "1",
    "maximum": "7",
    "step": "1",
    "threshold": "",
}


def scale(**changes):
    form = ScaleForm({**SCALE, **changes})
    form.full_clean()
    return form


def test_points_are_read_line_by_line():
    form = scale(points="7; Same; Nothing is lost; really\n\n 1 \n2.5;Half")
    assert form.as_template().points == (
        (7, "Same", "Nothing is lost; really"),
        (1, "", ""),
        (2.5, "Half", ""),
    )
    [(_, *long)] = scale(points=f"1; {'l' * 99}; {'a' * 999}").cleaned_data["points"]
    assert [len(text) for text in long] == [60, 300]
    wrong = scale(points="7; Same\n\nmany; Good").errors
    assert wrong == {"points": ["Line 3 does not begin with a number."]}


def test_a_stored_scale_fills_the_form_that_stores_it_again(campaign):
    stored = campaign.scales.get(name="MEANING")
    again = ScaleForm(ScaleForm(instance=stored).initial)
    assert again.is_valid(), again.errors
    template = again.as_template()
    assert (template.name, template.threshold) == (stored.name, stored.threshold)
    assert list(template.points) == [
        (one.value, one.label, one.anchor) for one in stored.points.all()
    ]


@pytest.mark.parametrize("fixed", [{"order", "max_per_sheet", "shared_share"}, set()])
def test_what_an_open_campaign_fixes_cannot_be_typed(fixed):
    fields = CampaignForm(instance=make_campaign(items=1, open_it=bool(fixed))).fields
    assert {name for name, field in fields.items() if field.disabled} == fixed


def test_a_file_that_is_too_large_is_refused(settings):
    settings.UPLOAD_MAX_BYTES = 2**20
    for size, fine in ((2**20, True), (2**20 + 1, False)):
        form = UploadForm({"what": "items"}, {"file": SimpleUploadedFile("a.csv", b"a" * size)})
        assert form.is_valid() is fine
    assert form.errors["file"] == ["The file is larger than 1 MB."]
