"""Expected values, rules and texts of practice as forms."""

import pytest

from annotation.quality.forms import (
    BandsForm,
    PlanForm,
    PracticeRuleForm,
    PracticeTextForm,
    TextForm,
)
from annotation.quality.rules import Band
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db
TEXT = {"sentence": "Learn this here.", "phrase": "this", "paraphrase": "that"}


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


def test_a_text_is_handed_over_with_its_bands_by_scale_name(scales):
    data = {**TEXT, f"{scales['MEANING'].key}-low": 4, "part": "test"}
    control = TextForm(data, scales=scales.values(), explain=False)
    practice = PracticeTextForm(data, scales=scales.values(), explain=True)
    assert control.is_valid() and practice.is_valid()
    assert control.as_text() == {**TEXT, "bands": {"MEANING": Band(4, 4)}}
    assert practice.as_text() == {**control.as_text(), "part": "test"}
    assert [field.name for field in practice.own_fields()] == [*TEXT, "part"]


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


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("delay_least", "9", "The minimum delay must not exceed the maximum."),
        ("delay_least", "0", "Ensure this value is greater than or equal to 1."),
        ("repeat_share", "1.1", "Ensure this value is less than or equal to 1."),
        ("fast_seconds", "-1", "Ensure this value is greater than or equal to 0."),
    ],
)
def test_a_wrong_plan_is_reported_at_its_field_and_once(field, value, words):
    """The name of a constraint is no word for people."""
    plan = {
        "repeat_share": "0.1",
        "repeat_after": "5",
        "fast_seconds": "0.8",
        "delay_least": "1",
        "delay_most": "3",
    }
    assert PlanForm(plan).is_valid()
    assert PlanForm({**plan, field: value}).errors == {field: [words]}
