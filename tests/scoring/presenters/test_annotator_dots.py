"""Annotators as dots: severity around 0, and agreement with the rest."""

from uuid import uuid4

import pytest

from scoring.annotators.pictures import MOST, annotator_pictures

pytestmark = pytest.mark.django_db  # Titles are translated.


def row(code, **numbers):
    made = {
        key: {"value": value, "reason": "", "n": 9, "options": {}}
        | ({} if value is None else {"ci_low": value - 0.2, "ci_high": value + 0.2})
        for key, value in numbers.items()
    }
    return {"code": code, "key": str(uuid4()), "origin": "web", "numbers": made}


def url(key):
    return f"/{key}/"


def test_the_lowest_stand_first_and_what_is_near_0_is_hollow():
    rows = [
        row("a", severity=0.5, correlation=0.9),
        row("b", severity=-0.1, correlation=0.4),
        row("c", severity=None, correlation=None),
    ]
    severity, rest = annotator_pictures(rows, url)
    assert [(one.name, one.shown, one.hollow) for one in severity.chart.rows] == [
        ("b", "−0.10", True),
        ("a", "+0.50", False),
    ]
    assert [(one.name, one.shown) for one in rest.chart.rows] == [("b", ".40"), ("a", ".90")]
    assert severity.chart.rows[1].url == f"/{rows[0]['key']}/"


def test_of_many_those_furthest_out_are_drawn():
    rows = [row(f"a{at}", severity=at / 100) for at in range(MOST + 5)]
    [severity] = annotator_pictures(rows, url)
    assert len(severity.chart.rows) == MOST and severity.chart.rows[0].name == "a5"


def test_on_a_nominal_scale_there_is_agreement_alone():
    [rest] = annotator_pictures([row("a", agreement=0.7)], url)
    assert rest.chart.rows[0].shown == ".70"
    assert annotator_pictures([], url) == []
