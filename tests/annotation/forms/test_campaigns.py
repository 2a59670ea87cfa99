"""What the forms of a campaign and of quality control refuse by themselves."""

from datetime import date

import pytest

from annotation.accounts.forms import ConfirmForm, LogForm
from annotation.campaigns.forms import CampaignForm, ScaleForm
from annotation.importing.forms import UploadForm
from annotation.quality.expected import Band
from annotation.quality.forms import (
    BandsForm,
    PracticeRuleForm,
)
from tests.clients import upload
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
        form = UploadForm({"what": "items"}, {"file": upload("a.csv", b"a" * size)})
        assert form.is_valid() is fine
    assert form.errors["file"] == ["The file is larger than 1 MB."]


@pytest.fixture
def scales():
    return {scale.name: scale for scale in make_campaign(items=1).scales.all()}


def bands(scales, explain=False, **typed):
    """`bands(scales, MEANING_low=1)`"""
    data = {f"{scales[name[:7]].key}-{name[8:]}": value for name, value in typed.items()}
    form = BandsForm(data, scales=scales.values(), explain=explain)
    form.full_clean()
    return form


def test_one_end_alone_is_the_only_right_value(scales):
    found = bands(scales, MEANING_low=2, MEANING_high=4, GRAMMAR_high=5).bands()
    assert found == {scales["MEANING"]: Band(2, 4), scales["GRAMMAR"]: Band(5, 5)}


def test_at_least_one_scale_has_values(scales):
    for nothing in (bands(scales), bands(scales, explain=True, MEANING_why="So.")):
        assert nothing.non_field_errors() == ["Give the right values for at least one scale."]
    # A wrong value is reported once, at its field.
    wrong = bands(scales, MEANING_low=9)
    assert not wrong.non_field_errors() and list(wrong.errors) == [f"{scales['MEANING'].key}-low"]


def test_an_explanation_is_asked_for_practice_alone(scales):
    for explain, why, fields in ((True, "Nearly the same.", 3), (False, "", 2)):
        form = bands(scales, explain, MEANING_low=2, MEANING_why="Nearly the same.")
        assert form.bands() == {scales["MEANING"]: Band(2, 2, why)}
        assert [len(group) for _scale, group in form.groups()] == [fields] * 2


def test_percent_and_tolerances_become_a_rule(scales):
    meaning, grammar = scales["MEANING"], scales["GRAMMAR"]
    typed = {
        "percent": "70",
        "tries": "3",
        f"tolerance-{meaning.key}": "1",
        f"tolerance-{grammar.key}": "0",
    }

    def form(**changes):
        return PracticeRuleForm({**typed, **changes}, scales=scales.values(), tolerances={})

    right = form()
    assert right.is_valid(), right.errors
    assert right.as_rule() == {
        "required": False,
        "share": 0.7,
        "tries": 3,
        "tolerance": {meaning: 1, grammar: 0},
    }
    for wrong in (-1, meaning.maximum):
        assert not form(**{f"tolerance-{meaning.key}": wrong}).is_valid()
    shown = PracticeRuleForm(scales=[meaning], tolerances={meaning.pk: 0.5})
    assert shown[f"tolerance-{meaning.key}"].value() == "0.5"


def test_what_is_asked_for_is_checked_and_a_code_only_after_the_password():
    tried = []

    def check(name):
        return lambda text: tried.append((name, text)) or text == "right"

    checks = {name: check(name) for name in ("password", "code")}
    assert list(ConfirmForm(checks=checks).fields) == ["password", "code"]
    given = {"confirm-password": "wrong", "confirm-code": "right"}
    form = ConfirmForm(given, checks=checks)
    assert not form.is_valid() and tried == [("password", "wrong")]
    assert ConfirmForm({**given, "confirm-password": "right"}, checks=checks).is_valid()
    assert not ConfirmForm({"confirm-password": "right"}, checks=checks).is_valid()


def test_a_field_with_a_fault_asks_for_nothing():
    form = LogForm({"who": "bob", "first": "2026-05-01", "last": "soon", "verb": "nothing known"})
    assert not form.is_valid() and set(form.errors) == {"last", "verb"}
    asked = form.query()
    assert (asked.who, asked.first, asked.last, asked.verb) == ("bob", date(2026, 5, 1), None, "")
