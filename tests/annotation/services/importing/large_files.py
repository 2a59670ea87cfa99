"""Files of many rows, and what stands after their import."""

import random

from annotation.importing.large import LargeImport
from annotation.models import Item, Output, Substitution, System
from tests.factories import jsonl

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
