"""An import is whole or not there at all, or says what stands and goes on from there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError

from annotation.errors import Conflict
from annotation.models import Annotator, Campaign, ImportBatch, Item, Judgment, System
from annotation.selectors.verify import verify
from annotation.services.importing import items, judgments, whole, write
from annotation.services.importing.large import LargeImport
from annotation.services.importing.large_judgments import large_judgments
from tests.annotation.services.importing.files import RUG, load_items, load_judgments
from tests.factories import jsonl

pytestmark = pytest.mark.django_db
TEXTS, PEOPLE = 40, 300


def many() -> list[dict[str, Any]]:
    """Two judgments for each of so many people and texts: three writes."""
    assert TEXTS * PEOPLE > 2 * judgments.ROWS_PER_WRITE
    return [
        {"item": "i1", "paraphrase": f"rug {text}", "annotator": f"a{one}", "scale": "MEANING",
         "value": 1 + (text + one) % 5}
        for one in range(PEOPLE)
        for text in range(TEXTS)
    ]  # fmt: skip


@pytest.fixture
def rugs(empty: Campaign) -> Campaign:
    texts = [{**RUG, "paraphrase": f"rug {text}", "rank": text + 1} for text in range(TEXTS)]
    assert load_items(empty, *texts).ok
    return empty


def beaten(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, rows: list[dict[str, Any]]
) -> Conflict:
    """Import the rows; another import writes the last one in the middle of it."""
    plan = judgments.plan_judgments

    def planned_then_beaten(**given: Any) -> Any:
        found = plan(**given)
        with monkeypatch.context() as patched:
            patched.setattr(judgments, "plan_judgments", plan)
            assert load_judgments(campaign, rows[-1]).ok
        return found

    # The other one knows the annotator too, who is there by now.
    Annotator.objects.create(campaign=campaign, code=rows[-1]["annotator"])
    with monkeypatch.context() as patched:
        patched.setattr(judgments, "plan_judgments", planned_then_beaten)
        with pytest.raises(Conflict) as refused:
            load_judgments(campaign, *rows)
    return refused.value


@pytest.mark.django_db(transaction=True)  # Transactions as they are, not savepoints of a test.
def test_an_import_of_several_writes_is_whole_or_not_there(
    rugs: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = many()
    refused = beaten(rugs, monkeypatch, rows)
    assert "Nothing of the file is stored" in str(refused.message)
    assert Judgment.objects.count() == Annotator.objects.count() == 1
    assert [batch.rows for batch in ImportBatch.objects.filter(what="judgments")] == [1]
    report = load_judgments(rugs, *rows)
    assert report.ok and report.counts["judgments"] == len(rows) - 1
    assert Judgment.objects.count() == len(rows) and verify(campaign=rugs) == []


def test_a_doubled_judgment_in_a_large_file_writes_nothing(rugs: Campaign) -> None:
    rows = many()
    again = {**rows[7], "item": None, "phrase": RUG["phrase"], "sentence": RUG["sentence"]}
    report = load_judgments(rugs, *rows, again)
    assert [problem.line for problem in report.problems] == [len(rows) + 1]
    assert "line 8" in str(report.problems[0]) and not Judgment.objects.exists()


def test_parts_that_stand_are_counted_and_the_next_import_goes_on_after_them(
    rugs: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is too large for one transaction of SQLite is written in parts."""
    rows = many()
    monkeypatch.setattr(judgments, "is_whole", lambda count: False)
    refused = beaten(rugs, monkeypatch, rows)
    stand = 2 * judgments.ROWS_PER_WRITE
    assert f"{stand} of {len(rows)} judgments of the file are stored" in str(refused.message)
    batch = ImportBatch.objects.get(rows=len(rows))
    assert batch.counts["judgments"] == batch.judgments.count() == stand
    report = load_judgments(rugs, *rows)
    assert report.ok and report.counts["judgments"] == len(rows) - stand - 1
    assert Judgment.objects.count() == len(rows) and verify(campaign=rugs) == []


def test_what_is_too_large_is_a_matter_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    for vendor, expected in (("sqlite", False), ("postgresql", True)):
        monkeypatch.setattr(whole, "connection", SimpleNamespace(vendor=vendor))
        assert whole.is_whole(whole.WHOLE_ON_SQLITE)
        assert whole.is_whole(whole.WHOLE_ON_SQLITE + 1) is expected


def test_on_sqlite_a_whole_import_is_made_before_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever saves waits for nothing but the writing."""
    for vendor, together, made in (
        ("sqlite", True, 3), ("sqlite", False, 0), ("postgresql", True, 0),
    ):  # fmt: skip
        monkeypatch.setattr(whole, "connection", SimpleNamespace(vendor=vendor))
        waiting = iter(range(3))
        parts = whole.made_before(waiting, together)
        assert 3 - len(list(waiting)) == made
        assert list(parts) == list(range(made))


@pytest.mark.parametrize("what", ["items", "judgments", "many judgments"])
def test_nothing_is_made_ready_while_others_wait(
    rugs: Campaign, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """As on SQLite."""
    said: list[str] = []

    def noting(word: str, kept: Any) -> Any:
        def noted(*given: Any) -> Any:
            said.append(word)
            return kept(*given)

        return noted

    for module in (write, judgments):
        for word in ("bulk_ready", "bulk_write"):
            monkeypatch.setattr(module, word, noting(word, getattr(module, word)))
    monkeypatch.setattr(write, "ITEMS_PER_WRITE", 1)
    monkeypatch.setattr(judgments, "ROWS_PER_WRITE", 1)
    monkeypatch.setattr("annotation.services.importing.large_judgments.ROWS", 1)
    monkeypatch.setattr(whole, "connection", SimpleNamespace(vendor="sqlite"))
    texts = [{**RUG, "item": f"n{one}", "sentence": f"B {one} {RUG['phrase']}.", "start": None,
              "end": None} for one in range(3)]  # fmt: skip
    given = [{"item": "i1", "paraphrase": f"rug {text}", "annotator": "a", "scale": "MEANING",
              "value": 1} for text in range(3)]  # fmt: skip
    if what == "many judgments":
        report = large_judgments(LargeImport(rugs, jsonl(given), "judgments.jsonl", None))
    elif what == "judgments":
        report = load_judgments(rugs, *given)
    else:
        report = load_items(rugs, *texts)
    assert report.ok and {"bulk_ready", "bulk_write"} == set(said)
    assert said == sorted(said)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("together", [True, False])
def test_an_import_of_items_is_whole_or_not_there(
    empty: Campaign, monkeypatch: pytest.MonkeyPatch, together: bool
) -> None:
    """The second part finds that another import was faster; on SQLite a very large file is written
    in parts, and the first stands."""
    rows = [{**RUG, "item": f"i{one}", "sentence": f"A {one} {RUG['phrase']}.", "start": None,
             "end": None} for one in range(3)]  # fmt: skip
    parts, kept = [], write._PlanPart.write

    def beaten(part: write._PlanPart) -> None:
        parts.append(part)
        if len(parts) == 2:
            raise IntegrityError("another was faster")
        kept(part)

    with monkeypatch.context() as patched:
        patched.setattr(write, "ITEMS_PER_WRITE", 1)
        patched.setattr(write._PlanPart, "write", beaten)
        patched.setattr(items, "is_whole", lambda count: together)
        with pytest.raises(Conflict):
            load_items(empty, *rows)
    assert Item.objects.exists() is not together
    assert System.objects.exists() is not together
    assert ImportBatch.objects.exists() is not together
    assert load_items(empty, *rows).ok and Item.objects.count() == 3
    assert verify(campaign=empty) == []
