"""Every model and every field of all apps is in an archive, or left out with a reason."""

import pytest
from django.apps import apps

from annotation.models import Campaign
from scoring.archives.rows import readers
from scoring.archives.tables import LEFT_OUT, LEFT_OUT_APPS, TABLES, table_of

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
