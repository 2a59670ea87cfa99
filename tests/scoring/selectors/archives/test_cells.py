"""What the database holds comes back from JSON."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import models
from hypothesis import given
from hypothesis import strategies as st

from scoring.archives.rows import BadCell, _reader, written

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
ZONES = st.integers(-720, 720).map(lambda minutes: timezone(timedelta(minutes=minutes)))


def back(field, value):
    change = written(field)
    cell = value if change is None or value is None else change(value)
    return _reader(field)(json.loads(json.dumps(cell)))


@given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=ZONES))
def test_a_time_is_the_same_moment(value):
    found = back(models.DateTimeField(), value)
    assert found == value
    assert found.tzinfo == UTC


@given(st.floats(allow_nan=False, allow_infinity=False), TEXT, st.dates())
def test_a_number_with_every_digit_a_text_and_a_day_are_kept(number, text, day):
    assert back(models.FloatField(), number) == number
    assert back(models.TextField(), text) == text
    assert back(models.DateField(), day) == day


@pytest.mark.parametrize(
    ("field", "cell"),
    [
        (models.FloatField(), None),
        (models.FloatField(), True),
        (models.FloatField(), "1"),
        (models.IntegerField(), 1.0),
        (models.IntegerField(), 2**31),
        (models.PositiveIntegerField(), -1),
        (models.BooleanField(), 1),
        (models.CharField(max_length=2), "abc"),
        (models.TextField(), "\ud800"),
        (models.TextField(), "a\0"),
        (models.TextField(), 3),
        (models.DateField(), "x"),
        (models.DateTimeField(), "2026-01-01"),
        (models.JSONField(), float("inf")),
        (models.JSONField(), {"\ud800": 1}),
        (models.JSONField(), [2**70]),
        (models.CharField(max_length=9, choices=[("a", "A")]), "b"),
    ],
)
def test_what_cannot_be_stored_is_refused(field, cell):
    with pytest.raises(BadCell):
        _reader(field)(cell)


def test_a_value_that_is_nested_too_deeply_is_refused():
    deep = []
    for _ in range(100):
        deep = [deep]
    with pytest.raises(BadCell, match="too deeply"):
        _reader(models.JSONField())(deep)
    assert _reader(models.FloatField(null=True))(None) is None
