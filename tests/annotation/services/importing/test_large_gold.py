"""Large files of gold and judgments are imported as small ones are."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import ImportedGold, Judgment
from annotation.selectors.verify import verify
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.importing.large_gold import large_gold as gold_of
from annotation.services.importing.large_judgments import large_judgments as judgments_of
from tests.annotation.services.importing.files import load_gold, load_items, load_judgments, said
from tests.annotation.services.importing.large_files import (
    gold_rows,
    item_rows,
    judgment_rows,
    run,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small_parts")]


def test_judgments_and_gold_are_those_of_an_import_at_once() -> None:
    answers: dict[str, list[Any]] = {}
    for slug in ("a", "b"):
        campaign = campaign_create(actor=None, slug=slug)
        assert load_items(campaign, *item_rows()).ok
        if slug == "a":
            reports = [
                load_judgments(campaign, *judgment_rows()), load_gold(campaign, *gold_rows()),
            ]  # fmt: skip
        else:
            reports = [
                run(judgments_of, campaign, judgment_rows()),
                run(gold_of, campaign, gold_rows(), source="gold.jsonl"),
            ]
        answers[slug] = [(one.ok, one.rows, one.counts, said(one)) for one in reports]
        judgments = Judgment.objects.filter(campaign=campaign)
        named = ("annotator__code", "substitution__text", "scale__name", "value", "reason")
        answers[slug].append(sorted(judgments.values_list("substitution__item__position", *named)))
        gold = ImportedGold.objects.filter(campaign=campaign)
        answers[slug].append(
            sorted(gold.values_list("substitution__text", "scale__name", "value", "n", "source"))
        )
        assert verify(campaign=campaign) == []
    assert answers["a"] == answers["b"]
