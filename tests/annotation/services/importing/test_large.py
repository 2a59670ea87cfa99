"""Large files are imported as small ones are, in parts; a fault changes nothing."""

import random

import pytest

from annotation.importing import large
from annotation.importing.large import LargeImport
from annotation.importing.large import large_gold as gold_of
from annotation.importing.large import large_items as items_of
from annotation.importing.large import large_judgments as judgments_of
from annotation.models import (
    ImportBatch,
    ImportedGold,
    Item,
    Judgment,
    Output,
    Substitution,
    System,
)
from tests.annotation.files import load_gold, load_items, load_judgments, said
from tests.factories import jsonl, new_campaign

SYSTEMS = ("A", "B", "C")


def item_rows(items=12):
    """Rows in no order; copies that stand before and after their originals; shared phrases,
    systems and attributes."""
    rows = []
    for number in range(items):
        base = {
            "item": f"i{number}",
            "phrase": f"the {'cat' if number % 3 else 'dog'}",
            "sentence": f"Here is the {'cat' if number % 3 else 'dog'} number {number}.",
            "attr.item.source": f"news {number}",
            "attr.phrase.kind": "animal",
        }
        for system in SYSTEMS:
            text = f"the {system if number % 2 else 'same'}"
            rows.append({**base, "paraphrase": text, "system": system, "attr.system.year": 2008})
        rows.append(
            {
                **base,
                "paraphrase": "no text",
                "role": "degraded",
                "made_from": rows[-1]["paraphrase"],
            }
        )
    random.Random(8).shuffle(rows)
    return rows


def judgment_rows(items=12):
    return [
        {
            "item": f"i{number}",
            "paraphrase": f"the {system if number % 2 else 'same'}",
            "annotator": who,
            "scale": scale,
            "value": 1 + (number + ord(who[0])) % 5,
        }
        for number in range(items)
        for system in (SYSTEMS if number % 2 else SYSTEMS[:1])
        for who in ("amy", "ben")
        for scale in ("MEANING", "GRAMMAR")
    ]


def gold_rows(items=12):
    return [
        {"item": f"i{number}", "paraphrase": "the A", "MEANING": 1 + number / 4, "MEANING_n": 3}
        for number in range(1, items, 2)
    ]


def run(load, campaign, rows, **options):
    kept = {name: options.pop(name) for name in ("dry_run", "batch") if name in options}
    one = LargeImport(campaign, jsonl(rows), "items.jsonl", None, **kept)
    return load(one, **options)


def contents(campaign):
    """Everything but keys and times, in the order in which items were imported."""
    items = Item.objects.filter(campaign=campaign).order_by("position")
    texts = Substitution.objects.filter(campaign=campaign)
    return {
        "items": list(items.values_list("sentence", "phrase__text", "attributes", "position")),
        "ids": sorted(campaign.outside_ids.values_list("value", "item__sentence")),
        "phrases": sorted(map(str, campaign.phrases.values_list("text", "attributes"))),
        "systems": sorted(
            map(str, System.objects.filter(campaign=campaign).values_list("label", "attributes"))
        ),
        "texts": sorted(
            map(str, texts.values_list("item__sentence", "text", "role", "made_from__text"))
        ),
        "outputs": sorted(
            Output.objects.filter(item__campaign=campaign).values_list(
                "item__sentence", "system__label", "rank", "substitution__text"
            )
        ),
    }


pytestmark = pytest.mark.usefixtures("small_parts")


def test_a_fault_in_the_last_line_writes_nothing_and_names_both_lines():
    campaign = new_campaign()
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
    campaign = new_campaign()
    rows = [
        {"item": f"i{n}", "paraphrase": "x", "annotator": "amy", "scale": "MEANING", "value": 1}
        for n in range(1100)
    ]
    report = run(judgments_of, campaign, rows)
    assert len(report.problems) == 1001 and "100 more errors" in said(report)[-1]


def test_judgments_and_gold_are_those_of_an_import_at_once():
    def answers(slug, judge, add_gold):
        campaign = new_campaign(slug)
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


def test_items_are_those_of_an_import_at_once():
    rows = item_rows()
    small, big = new_campaign("a"), new_campaign("b")
    report = load_items(small, *rows)
    assert report.ok, said(report)
    tried = run(items_of, big, rows, dry_run=True)
    assert tried.counts == report.counts and tried.dry_run and not big.items.exists()
    done = run(items_of, big, rows)
    assert done.counts == report.counts and done.rows == report.rows == len(rows)
    assert contents(big) == contents(small)
    assert done.batch is not None and done.batch.counts == report.counts
    again = run(items_of, big, rows)
    assert again.ok and again.batch is None and not any(again.counts.values())


def test_an_interrupted_import_goes_on_and_keeps_its_batch(monkeypatch):
    """SQLite writes in parts; what was killed between two of them stands, and is told so."""
    campaign = new_campaign()
    assert load_items(campaign, *item_rows()).ok
    monkeypatch.setattr(large, "is_whole", lambda count: False)
    rows, made = judgment_rows(), []

    def killed(n):
        raise KeyboardInterrupt

    one = LargeImport(campaign, jsonl(rows), "items.jsonl", None, written=killed, made=made.append)
    with pytest.raises(KeyboardInterrupt):
        judgments_of(one)
    batch = ImportBatch.objects.get(what="judgments")
    assert batch.counts["judgments"] == Judgment.objects.count() == 5 and made == [batch]
    done = run(judgments_of, campaign, rows, batch=batch)
    assert done.batch == batch and done.counts == {"judgments": len(rows), "annotators": 2}
    assert Judgment.objects.count() == len(rows)
    assert ImportBatch.objects.filter(what="judgments").count() == 1
