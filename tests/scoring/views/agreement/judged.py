"""A judged campaign, and its page of agreement."""

import numpy as np
from django.utils import timezone

from annotation.models import Annotator, Judgment
from tests.factories import item_rows, make_campaign


def judged(slug="camp", *, noise=0.3, items=24, texts=4):
    """Three annotators who judge every text of 12 phrases with as much noise; the first text is
    disputed."""
    campaign = make_campaign(slug, rows=item_rows(items, texts))
    rng = np.random.default_rng(4)
    voices = [
        Annotator.objects.create(campaign=campaign, code=code, origin="imported") for code in "xyz"
    ]
    units = [sub for item in campaign.items.order_by("pk") for sub in item.substitutions.all()]
    rows = []
    for scale in campaign.scales.all():
        truth = rng.integers(1, 6, len(units))
        for place, voice in enumerate(voices):
            values = np.clip(np.round(truth + rng.normal(0, noise, len(units))), 1, 5)
            values[0] = (1, 5, 5)[place]
            rows += [
                Judgment(
                    campaign=campaign,
                    annotator=voice,
                    substitution=unit,
                    scale=scale,
                    value=value,
                    status="counted",
                    recorded_at=timezone.now(),
                )
                for unit, value in zip(units, values.tolist(), strict=True)
            ]
    Judgment.objects.bulk_create(rows)
    return campaign
