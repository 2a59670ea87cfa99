"""A campaign in which people judge phrase pairs that a metric matched."""

from __future__ import annotations

import io
import json

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign
from annotation.services.audit import Actor
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.importing import items_import
from annotation.services.transactions import short_write
from paraanno.plain.campaign_template import ScaleTemplate
from scoring.metrics.phrases.judged_matches import rows
from scoring.models import Run
from scoring.selectors.matches import matched_sample

SCALE = "SAME"


def matches_campaign(*, run: Run, n: int, seed: int, slug: str, actor: Actor) -> Campaign:
    """A draft campaign of a sample of the run's matches with one question, yes or no; three people
    judge each. Results then has the precision with its interval, and Agreement kappa.

    Callers check that the actor may read the run and create campaigns. Raises Conflict as
    `matched_sample`, and Invalid if there is no match, or as `campaign_create`.
    """
    pairs = matched_sample(run=run, n=n, seed=seed)
    if not pairs:
        raise Invalid(_("This run has no match of several words on both sides."))
    question = _("Do the two phrases mean the same in their sentences?")
    scale = ScaleTemplate(
        SCALE, question,
        ((0, _("No"), _("another meaning here")), (1, _("Yes"), _("the same meaning here"))),
        level="nominal", minimum=0, maximum=1, threshold=1,
    )  # fmt: skip
    name = _("Matches of %(run)s") % {"run": run.label}
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows(pairs))
    with short_write():  # A thousand texts at most, and no campaign without them.
        campaign = campaign_create(
            actor=actor, slug=slug, name=name[:200], scales=[scale], guideline=_guideline(),
            language=run.campaign.language,
        )  # fmt: skip
        report = items_import(
            campaign=campaign, stream=io.BytesIO(lines.encode()), name="matches.jsonl",
            actor=actor, format="jsonl",
            provenance={
                "recipe": "matches", "signature": run.signature, "n": len(pairs), "seed": seed,
            },
        )  # fmt: skip
        if not report.ok:
            raise Invalid("\n".join(map(str, report.problems[:10])))
    return campaign


def _guideline() -> str:
    return _(
        "A metric took the two phrases for paraphrases. Read both sentences, and say whether the "
        "phrases mean the same in them. They need not have the same form."
    )
