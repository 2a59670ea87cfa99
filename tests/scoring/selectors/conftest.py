"""A campaign whose texts stand in clusters."""

import random

import pytest

from tests.factories import add_judgments, item_rows, make_campaign
from tests.scoring.views.site import done_run


@pytest.fixture
def campaign():
    """24 texts of 12 items and 6 phrases by three voices, with two metrics."""
    rows = [row | {"paraphrase": f"{row['item']} {row['system']}"} for row in item_rows(12, 2)]
    campaign = make_campaign(rows=rows, k=3)
    chance = random.Random(1)
    texts = {row["paraphrase"]: chance.choice([1, 2, 3, 4]) for row in rows}
    add_judgments(
        campaign,
        [
            {
                "item": row["item"],
                "paraphrase": row["paraphrase"],
                "annotator": name,
                "scale": scale,
                "value": texts[row["paraphrase"]] + chance.choice([0, 1]),
            }
            for row in rows
            for name in "abc"
            for scale in ("MEANING", "GRAMMAR")
        ],
    )
    for spec in ("bleu", "pinc"):
        scores = {text: value + chance.random() for text, value in texts.items()}
        done_run(campaign, scores, spec=spec)
    return campaign
