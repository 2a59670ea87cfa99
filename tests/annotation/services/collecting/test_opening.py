"""No text is forgotten between an import and the opening of its campaign."""

from dataclasses import replace

import pytest
from django.db import connection

from annotation.campaigns import services
from annotation.campaigns.services import campaign_update, scale_append
from annotation.campaigns.templating.parts import TEMPLATES
from annotation.errors import Invalid
from annotation.importing import items
from annotation.models import Campaign, Sheet, SheetEntry, Slot
from annotation.sheets.slots import sheets_make
from annotation.verify import verify
from tests.clients import captured
from tests.factories import add_items, item_rows, make_campaign, open_campaign

LATER = {**item_rows(3, 1)[2], "paraphrase": "a later one"}


@pytest.fixture
def draft():
    return make_campaign(items=2, open_it=False)


def cut(**_):
    raise KeyboardInterrupt


def test_opened_while_a_file_was_being_read(draft):
    before = Campaign.objects.get(pk=draft.pk)
    open_campaign(draft)
    add_items(before, [LATER])
    assert Sheet.objects.count() == 3


def test_imported_while_the_campaign_was_being_opened(draft, monkeypatch):
    def made_then_imported(*, campaign):
        made = sheets_make(campaign=campaign)
        add_items(campaign, [LATER])  # With the campaign as it was before.
        return made

    monkeypatch.setattr(services, "sheets_make", made_then_imported)
    open_campaign(draft)
    assert Sheet.objects.count() == 3


def test_an_import_that_was_cut_off_is_finished_by_importing_again(
    monkeypatch,
):
    campaign = make_campaign(items=2)
    with monkeypatch.context() as patched:
        patched.setattr(items, "sheets_follow", cut)
        with pytest.raises(KeyboardInterrupt):
            add_items(campaign, [LATER])
    [broken] = verify(campaign=campaign)
    assert broken.rule.startswith("Once a campaign was opened")
    add_items(campaign, [LATER])


def test_what_shapes_sheets_is_fixed_while_they_are_being_made(draft, monkeypatch):
    late = replace(TEMPLATES["phrase"].scales[0], name="LATE")
    made = []

    def made_meanwhile(*, campaign):
        with pytest.raises(Invalid):
            scale_append(campaign=campaign, template=late, actor=None)
        with pytest.raises(Invalid):
            campaign_update(campaign=campaign, actor=None, changes={"max_per_sheet": 1})
        made.append(campaign)
        return sheets_make(campaign=campaign)

    monkeypatch.setattr(services, "sheets_make", made_meanwhile)
    open_campaign(draft)
    assert made == [draft]


def test_an_opening_that_was_cut_off_is_finished_by_opening_again(draft, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(services, "sheets_make", cut)
        with pytest.raises(KeyboardInterrupt):
            open_campaign(draft)
    draft.refresh_from_db()
    assert draft.status == Campaign.Status.DRAFT
    assert open_campaign(draft).status == Campaign.Status.OPEN


@pytest.mark.django_db(transaction=True)
def test_the_database_counts_many_new_sheets(monkeypatch):
    """PostgreSQL plans by these counts; SQLite needs none."""
    monkeypatch.setattr("annotation.sheets.slots.SHEETS_PER_WRITE", 3)
    with captured() as asked:
        for items in (2, 5):
            make_campaign(f"of-{items}", items=items, k=2, cast=False)
    told = [one["sql"] for one in asked if one["sql"].startswith("VACUUM")]
    if connection.vendor == "sqlite":
        assert told == []
        return
    assert len(told) == 3  # Each table once, and not for the few.
    with connection.cursor() as cursor:
        for model in (Sheet, SheetEntry, Slot):
            table = model._meta.db_table
            cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [table])
            assert cursor.fetchone() == (model.objects.count(),)
