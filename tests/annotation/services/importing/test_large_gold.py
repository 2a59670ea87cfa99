"""Large files of gold and judgments are imported as small ones are."""

import pytest

from annotation.campaigns.services import campaign_create
from annotation.importing.large import large_gold as gold_of
from annotation.importing.large import large_judgments as judgments_of
from annotation.models import ImportedGold, Judgment
from tests.annotation.services.importing.files import load_gold, load_items, load_judgments, said
from tests.annotation.services.importing.large_files import (
    gold_rows,
    item_rows,
    judgment_rows,
    run,
)

pytestmark = pytest.mark.usefixtures("small_parts")


def test_judgments_and_gold_are_those_of_an_import_at_once():
    def answers(slug, judge, add_gold):
        campaign = campaign_create(actor=None, slug=slug)
        load_items(campaign, *item_rows())
        reports = (judge(campaign), add_gold(campaign))
        judgments = Judgment.objects.filter(campaign=campaign)
        gold = ImportedGold.objects.filter(campaign=campaign)
        text = ("substitution__item__position", "substitution__text", "scale__name", "value")
        return [
            [(one.ok, one.rows, one.counts, said(one)) for one in reports],
            sorted(judgments.values_list(*text, "annotator__code", "reason")),
            sorted(gold.values_list(*text, "n", "source")),
        ]

    small = answers(
        "a", lambda to: load_judgments(to, *judgment_rows()), lambda to: load_gold(to, *gold_rows())
    )
    large = answers(
        "b",
        lambda to: run(judgments_of, to, judgment_rows()),
        lambda to: run(gold_of, to, gold_rows(), source="gold.jsonl"),
    )
    assert small == large
