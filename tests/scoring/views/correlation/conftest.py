"""A campaign with metrics against people."""

import numpy as np
import pytest

from scoring.models import Score, SystemScore
from tests.factories import add_judgments, judgment_row, make_campaign
from tests.scoring.factories import done_run
from tests.scoring.views.correlation.world import item_rows


@pytest.fixture
def world():
    """30 texts of three systems, two annotators, and two metrics of which bleu is the better."""
    campaign = make_campaign("world", rows=list(item_rows()))
    rng = np.random.default_rng(1)
    texts = list(campaign.substitutions.order_by("pk"))
    quality = rng.normal(size=len(texts))
    rows = []
    for voice in "ab":
        values = np.clip(np.rint(3 + 1.5 * quality + rng.normal(size=len(texts)) / 2), 1, 5)
        rows += [
            judgment_row(f"i{at // 3}", one.text, voice, float(value), scale)
            for at, (one, value) in enumerate(zip(texts, values, strict=True))
            for scale in ("MEANING", "GRAMMAR")
        ]
    add_judgments(campaign, rows)
    for spec, noise in (("bleu:against=mixed,as=bleu", 0.4), ("pinc", 3.0)):
        run = done_run(campaign, {}, spec=spec)
        Score.objects.bulk_create(
            Score(run=run, substitution=one, value=float(q + noise * rng.normal()))
            for one, q in zip(texts, quality, strict=True)
        )
    for at, system in enumerate(campaign.systems.order_by("label")):
        SystemScore.objects.create(
            run=campaign.runs.get(metric="bleu"), system=system, kind="corpus", value=at, n=10
        )
    return campaign
