"""What large files have in common: they change nothing if anything is wrong."""

import pytest

from annotation.campaigns.services import campaign_create
from annotation.importing.large import large_gold as gold_of
from annotation.importing.large import large_items as items_of
from annotation.importing.large import large_judgments as judgments_of
from annotation.models import ImportedGold, Judgment
from tests.annotation.services.importing.files import load_items, said
from tests.annotation.services.importing.large_files import (
    gold_rows,
    item_rows,
    judgment_rows,
    run,
)

pytestmark = pytest.mark.usefixtures("small_parts")


def test_a_fault_in_the_last_line_writes_nothing_and_names_both_lines():
    campaign = campaign_create(actor=None, slug="camp")
    rows = [*item_rows(), {**item_rows()[0], "sentence": "Another cat, not the cat."}]
    refused = run(items_of, campaign, rows)
    assert said(refused) == said(load_items(campaign, *rows)) and not refused.ok
    assert f"items.jsonl:{len(rows)}" in said(refused)[0] and not campaign.items.exists()
    assert load_items(campaign, *item_rows()).ok
    doubled = judgment_rows()
    doubled.append(doubled[0])
    refused = run(judgments_of, campaign, doubled)
    assert [one.line for one in refused.problems] == [len(doubled)] and "line 1" in said(refused)[0]
    unknown = run(
        gold_of, campaign, [*gold_rows(), {"item": "no", "paraphrase": "x", "MEANING": 1}]
    )
    assert "no item 'no'" in said(unknown)[0]
    assert not Judgment.objects.exists() and not ImportedGold.objects.exists()


def test_problems_are_bounded():
    campaign = campaign_create(actor=None, slug="camp")
    rows = [
        {"item": f"i{n}", "paraphrase": "x", "annotator": "amy", "scale": "MEANING", "value": 1}
        for n in range(1100)
    ]
    report = run(judgments_of, campaign, rows)
    assert len(report.problems) == 1001 and "100 more errors" in said(report)[-1]
