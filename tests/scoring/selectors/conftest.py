"""A campaign whose texts stand in clusters."""

import random

import pytest

from tests.factories import add_judgments, item_rows, judgment_row, make_campaign
from tests.scoring.factories import done_run


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
            judgment_row(
                row["item"],
                row["paraphrase"],
                name,
                texts[row["paraphrase"]] + chance.choice([0, 1]),
                scale,
            )
            for row in rows
            for name in "abc"
            for scale in ("MEANING", "GRAMMAR")
        ],
    )
    for spec in ("bleu", "pinc"):
        scores = {text: value + chance.random() for text, value in texts.items()}
        done_run(campaign, scores, spec=spec)
    return campaign
