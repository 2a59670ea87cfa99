"""What the database holds comes back from JSON."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.apps import apps
from django.db import models
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Campaign
from scoring.archives.rows import BadCell, _reader, readers, written
from scoring.archives.tables import LEFT_OUT, LEFT_OUT_APPS, TABLES, table_of

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


# Every model and every field of all apps is in an archive, or left out with a reason.


MODELS = [
    model for app in ("annotation", "scoring") for model in apps.get_app_config(app).get_models()
]
SECRET = {"user", "actor", "created_by", "token_hash", "key", "worker", "path"}
LAYERS = {"annotation", "scoring", "paraanno"}
OURS = {one.label for one in apps.get_app_configs() if one.name.split(".")[0] in LAYERS}


def test_every_app_is_known():
    assert {"annotation", "scoring"} | LEFT_OUT_APPS.keys() == {
        label for label in OURS if list(apps.get_app_config(label).get_models())
    }
    assert all(LEFT_OUT_APPS.values())


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_model_is_a_table_or_left_out_with_a_reason(model):
    """A new model: add it to TABLES of scoring/archives/tables.py, or to LEFT_OUT."""
    assert (table_of(model) is not None) != bool(LEFT_OUT.get(model))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_field_is_a_column_or_left_out_with_a_reason(table):
    """A new field: add it to the table's columns, or to what is left of it."""
    fields = {one.name for one in table.model._meta.concrete_fields} - {"id"}
    if table.owner == "campaign" and table.model is not Campaign:
        fields.remove("campaign")
    assert set(table.columns) | set(table.left) == fields
    assert not set(table.columns) & set(table.left)
    assert all(table.left.values())
    assert table.tokens | table.special <= set(table.columns)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_tables_refer_to_tables_and_hold_what_can_be_read_and_no_login_or_secret(
    table,
):
    assert not SECRET & (set(table.columns) - table.special)
    for name in table.columns:
        target = table.target(name)
        if target is None:
            assert len(readers(table, (name,))) == 1
        else:
            assert table_of(target) is not None or name in table.special
