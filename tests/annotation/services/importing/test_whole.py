"""An import is whole or not there at all, or says what stands and goes on from there."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError

from annotation.errors import Conflict
from annotation.importing import items, judgments_write
from annotation.importing import report as importing_report
from annotation.models import Annotator, ImportBatch, Item, Judgment, System
from tests.annotation.files import (
    RUG,
    beaten,
    load_items,
    load_judgments,
)

TEXTS, PEOPLE = 40, 300


def many():
    """Two judgments for each of so many people and texts: three writes."""
    assert TEXTS * PEOPLE > 2 * judgments_write.ROWS_PER_WRITE
    return [
        {
            "item": "i1",
            "paraphrase": f"rug {text}",
            "annotator": f"a{one}",
            "scale": "MEANING",
            "value": 1 + (text + one) % 5,
        }
        for one in range(PEOPLE)
        for text in range(TEXTS)
    ]


@pytest.fixture
def rugs(empty):
    texts = [{**RUG, "paraphrase": f"rug {text}", "rank": text + 1} for text in range(TEXTS)]
    assert load_items(empty, *texts).ok
    return empty


def beaten_at_the_end(campaign, rows):
    """Import the rows; another import writes the last one in the middle of it."""
    # The other one knows the annotator too, who is there by now.
    Annotator.objects.create(campaign=campaign, code=rows[-1]["annotator"])
    with beaten(
        lambda: load_judgments(campaign, rows[-1]), judgments_write, "plan_judgments"
    ) as conflict:
        load_judgments(campaign, *rows)
    return str(conflict.value)


@pytest.mark.slow
def test_parts_that_stand_are_counted_and_the_next_import_goes_on_after_them(rugs, monkeypatch):
    """What is too large for one transaction of SQLite is written in parts."""
    rows = many()
    monkeypatch.setattr(judgments_write, "is_whole", lambda count: False)
    stand = 2 * judgments_write.ROWS_PER_WRITE
    words = f"{stand} of {len(rows)} judgments of the file are stored"
    assert words in beaten_at_the_end(rugs, rows)
    batch = ImportBatch.objects.get(rows=len(rows))
    assert batch.counts["judgments"] == batch.judgments.count() == stand
    report = load_judgments(rugs, *rows)
    assert report.ok and report.counts["judgments"] == len(rows) - stand - 1
    assert Judgment.objects.count() == len(rows)


def test_what_is_too_large_is_a_matter_of_the_database(monkeypatch):
    for vendor, expected in (("sqlite", False), ("postgresql", True)):
        monkeypatch.setattr(importing_report, "connection", SimpleNamespace(vendor=vendor))
        assert importing_report.is_whole(importing_report.WHOLE_ON_SQLITE)
        assert importing_report.is_whole(importing_report.WHOLE_ON_SQLITE + 1) is expected


def test_on_sqlite_a_whole_import_is_made_before_it_is_written(
    monkeypatch,
):
    """Whoever saves waits for nothing but the writing."""
    for vendor, together, made in (
        ("sqlite", True, 3),
        ("sqlite", False, 0),
        ("postgresql", True, 0),
    ):
        monkeypatch.setattr(importing_report, "connection", SimpleNamespace(vendor=vendor))
        waiting = iter(range(3))
        parts = importing_report.made_before(waiting, together)
        assert 3 - len(list(waiting)) == made
        assert list(parts) == list(range(made))


def new_items(count):
    return [
        {**RUG, "item": f"n{one}", "sentence": f"B {one} {RUG['phrase']}."} for one in range(count)
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("together", [True, False])
def test_an_import_of_items_is_whole_or_not_there(empty, monkeypatch, together):
    """The second part finds that another import was faster; on SQLite a very large file is written
    in parts, and the first stands."""
    rows = new_items(3)
    parts, kept = [], items._PlanPart.write

    def beaten(part):
        parts.append(part)
        if len(parts) == 2:
            raise IntegrityError("another was faster")
        kept(part)

    with monkeypatch.context() as patched:
        patched.setattr(items, "ITEMS_PER_WRITE", 1)
        patched.setattr(items._PlanPart, "write", beaten)
        patched.setattr(items, "is_whole", lambda count: together)
        with pytest.raises(Conflict):
            load_items(empty, *rows)
    for model in (Item, System, ImportBatch):
        assert model.objects.exists() is not together
    assert load_items(empty, *rows).ok and Item.objects.count() == 3
