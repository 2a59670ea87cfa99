"""Campaigns that are written again are those that the services make."""

import pytest
from django.apps import apps
from django.db import transaction
from django.utils import timezone

from tests import factories, kept

BY_CHANCE = {"password", "scan_key"}


def every_row():
    """The cells of all tables that depend on no chance, time or earlier row."""
    found = {}
    for model in apps.get_models(include_auto_created=True):
        fields = [
            field.attname
            for field in model._meta.concrete_fields
            if not (field.primary_key or field.is_relation or field.name in BY_CHANCE)
            and field.get_internal_type() not in ("UUIDField", "DateTimeField")
        ]
        rows = model._default_manager.order_by("pk").values_list(*fields)
        if model._meta.db_table not in kept.FILLED and rows:
            found[model._meta.db_table] = [[str(cell) for cell in row] for row in rows]
    return found


def made():
    with transaction.atomic():
        campaign = factories.make_campaign("again", items=3)
        rows = every_row()
        transaction.set_rollback(True)
    return campaign, rows


@pytest.mark.django_db
@pytest.mark.once  # There, rows of a type name others by numbers that go on.
def test_the_third_has_the_rows_of_the_first(monkeypatch):
    (_, first), (_, second) = made(), made()
    kept.copy_wanted()
    monkeypatch.setattr(factories, "_make_campaign", None)
    campaign, third = made()
    assert first == second == third and len(third) > 12
    assert campaign.created_at <= timezone.now()
