"""Facts of a campaign and its ratings, for the files of a paper.

Callers have checked the user's access to the campaign (annotation/selectors/access.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from django.db.models import Max, Min

from annotation.exporters import Column
from annotation.models import (
    Campaign,
    Judgment,
    PracticeRule,
    Scale,
    Sheet,
    Substitution,
)
from annotation.selectors.people.consent import consent_newest
from scoring.paper import Facts, ScaleFacts
from scoring.selectors.exports.design import design_get, rule_told
from scoring.selectors.ratings.tables import (
    Ratings,
    cannot_judge,
    exclusions_in_force,
    systems_get,
)
from scoring.selectors.texts import texts_named

RATING_COLUMNS = (
    Column("item"), Column("annotator"), Column("scale"), Column("value", "number"),
    Column("context", "integer"), Column("phrase", "integer"),
)  # fmt: skip
CHECKS = {
    Substitution.Role.CONTROL: "controls",
    Substitution.Role.DEGRADED: "degraded copies",
    Substitution.Role.COPY: "exact copies",
}


def facts_get(*, campaign: Campaign, ratings: Ratings) -> Facts:
    """A constant number of queries."""
    out = exclusions_in_force(campaign=campaign)
    used = {code for table in ratings.tables.values() for code in table.used_annotators.tolist()}
    pairs = {
        (unit, annotator)
        for table in ratings.tables.values()
        for unit, annotator in zip(table.unit.tolist(), table.annotator.tolist(), strict=True)
    }
    counted = campaign.judgments.filter(
        status=Judgment.Status.COUNTED, kind=Judgment.Kind.RATING, occasion=1
    )
    dates = counted.aggregate(first=Min("recorded_at"), last=Max("recorded_at"))
    practice = PracticeRule.objects.filter(campaign=campaign).first()
    guideline = campaign.guidelines.order_by("-version").first()
    consent = consent_newest(campaign=campaign)
    return Facts(
        slug=campaign.slug, copied_from=campaign.copied_from.slug if campaign.copied_from else "",
        pilot=campaign.pilot, name=campaign.name, description=campaign.description,
        scales=tuple(map(_scale, campaign.scales.prefetch_related("points").order_by("position"))),
        systems=systems_get(campaign=campaign, ratings=ratings).labels,
        items=np.unique(ratings.item).size, phrases=np.unique(ratings.phrase).size,
        texts=ratings.units.size,
        per_sheet=campaign.annotators_per_sheet, max_per_sheet=campaign.max_per_sheet,
        layout=campaign.layout,
        annotators=dict(Counter(ratings.annotators[code].origin for code in sorted(used))),
        judgments=len(pairs),
        cannot_judge=sum(cannot_judge(campaign=campaign, ratings=ratings).values()),
        first=f"{dates['first']:%Y-%m-%d}" if dates["first"] else "",
        last=f"{dates['last']:%Y-%m-%d}" if dates["last"] else "",
        guideline_version=guideline.version if guideline else None,
        consent_version=consent.version if consent and consent.text else None,
        background=tuple(
            campaign.background_questions.filter(hidden_at=None).values_list("wording", flat=True)
        ),
        practice_required=bool(practice and practice.required),
        practice_share=practice.share if practice else None,
        checks=_checks(campaign),
        rules=tuple(
            rule_told(rule)
            for rule in campaign.quality_rules.filter(ended_at=None).order_by("pk")
        ),
        excluded={kind: len(found) for kind, found in sorted(out.items())},
        withdrawn=campaign.withdrawals.values("annotator").distinct().count(),
        unjudged=ratings.units.size - len({unit for unit, _ in pairs}),
        design=design_get(campaign=campaign, ratings=ratings),
    )  # fmt: skip


def _scale(scale: Scale) -> ScaleFacts:
    return ScaleFacts(
        name=scale.name,
        question=scale.question,
        level=scale.level,
        minimum=scale.minimum,
        maximum=scale.maximum,
        step=scale.step,
        higher_is_better=scale.higher_is_better,
        threshold=scale.threshold,
        points=tuple(
            sorted((point.value, point.label, point.anchor) for point in scale.points.all())
        ),
    )


def _checks(campaign: Campaign) -> dict[str, int]:
    roles = campaign.substitutions.filter(role__in=CHECKS).values_list("role", flat=True)
    many = Counter(roles.order_by())
    checks = {name: many[role] for role, name in CHECKS.items()}
    repeats = Sheet.objects.filter(item__campaign=campaign, occasion__gt=1).count()
    return {**checks, "hidden repeats": repeats}


def rating_rows(*, ratings: Ratings) -> Iterator[dict[str, object]]:
    """The ratings behind every statistic, in the format that `agreement` reads.

    `item` is the key of the text, as in all other files; `context` and `phrase` are the numbers of
    its clusters.
    """
    names = [text.text_key for text in texts_named(ratings.units.tolist())]
    clusters = [
        np.unique(codes, return_inverse=True)[1] for codes in (ratings.item, ratings.phrase)
    ]
    for scale, table in ratings.tables.items():
        unit, annotator, value = table.by_unit
        for row, who, given in zip(unit.tolist(), annotator.tolist(), value.tolist(), strict=True):
            yield {
                "item": names[row], "annotator": ratings.annotators[who].code, "scale": scale,
                "value": given, "context": int(clusters[0][row]) + 1,
                "phrase": int(clusters[1][row]) + 1,
            }  # fmt: skip
