"""Expected values, rules and texts of practice as forms."""

import pytest

from annotation.quality.expected import Band
from annotation.quality.forms import BandsForm, PracticeRuleForm
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


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
