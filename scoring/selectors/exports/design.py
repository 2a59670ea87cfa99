"""What a campaign was made of, for the methods paragraph and the datasheet.

Callers have checked the user's access to the campaign (annotation/selectors/access.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from django.db.models import Count, Q

from annotation.models import (
    BackgroundQuestion,
    Campaign,
    Exclusion,
    Item,
    QualityAction,
    QualityRule,
    Scale,
    language_of,
)
from annotation.models.people.exclusion import TARGETS
from annotation.selectors.people.background import Tally, answer_tallies
from annotation.selectors.quality.checks import NEARLY, point
from scoring.paper import CampaignDesign, ExclusionFacts, RepeatFacts
from scoring.selectors.annotators import repeats_of
from scoring.selectors.ratings.tables import Ratings, systems_get

SHORT = 60  # Characters of a text in a list of exclusions.
CHECKED = {
    QualityRule.Check.CONTROL: "controls",
    QualityRule.Check.DEGRADED: "degraded copies",
    QualityRule.Check.COPY: "exact copies",
    QualityRule.Check.REPEAT: "repeats",
    QualityRule.Check.FAST: "sheets for pace",
    QualityRule.Check.STRAIGHT: "answers for long runs of one value",
}


def design_get(*, campaign: Campaign, ratings: Ratings) -> CampaignDesign:
    """A constant number of queries."""
    kept = set(ratings.item.tolist())
    items = [item for item in Item.objects.filter(campaign=campaign) if item.pk in kept]
    whole = [item for item in items if not item.before and not item.after]
    made = systems_get(campaign=campaign, ratings=ratings)
    once = np.unique(np.column_stack([made.system, made.unit]), axis=0)
    texts = np.bincount(once[:, 0], minlength=len(made.labels)).tolist()
    sheets = campaign.sheets.filter(for_annotator=None).aggregate(
        all=Count("pk"), shared=Count("pk", filter=Q(shared=True))
    )
    return CampaignDesign(
        whole=len(whole),
        whole_phrases=len({item.phrase_id for item in whole}),
        languages=dict(Counter(language_of(item, campaign) for item in items)),
        outputs=dict(zip(made.labels, texts, strict=True)),
        sheets=sheets["all"],
        shared_sheets=sheets["shared"],
        exclusions=_exclusions(campaign),
        repeats=_repeats(campaign, ratings),
        told=tuple(
            _told(tally)
            for tally in answer_tallies(campaign=campaign)
            if tally.question.hidden_at is None
        ),
        test_sets=_test_sets(campaign),
    )


def _test_sets(campaign: Campaign) -> tuple[Mapping[str, Any], ...]:
    """What is known about how imported test sets were drawn; a repeated import is reported once."""
    found = campaign.batches.order_by("pk").values_list("provenance", flat=True)
    once = {one["signature"]: one for one in found if one.get("recipe") == "test_set"}
    return tuple(once.values())


def rule_told(rule: QualityRule) -> str:
    """A rule in words, such as "exclude who fails 30% or more of at least 5 controls"."""
    checked = CHECKED[QualityRule.Check(rule.check_name)]
    return f"{rule.act} who fails {rule.share:.0%} or more of at least {rule.least} {checked}"


def _exclusions(campaign: Campaign) -> tuple[ExclusionFacts, ...]:
    actions = QualityAction.objects.filter(campaign=campaign, exclusion__isnull=False)
    rules = {one.exclusion_id: rule_told(one.rule) for one in actions.select_related("rule")}
    rows = Exclusion.objects.filter(campaign=campaign, ends_at=None)
    return tuple(
        ExclusionFacts(
            *_target(one),
            str(one.said),
            f"{one.starts_at:%Y-%m-%d}",
            rules.get(one.pk, ""),
            one.kind == Exclusion.Kind.WITHDRAWAL,
        )
        for one in rows.select_related(*TARGETS).order_by("starts_at", "pk")
    )


def _target(one: Exclusion) -> tuple[str, str]:
    """The kind and the name of what is excluded."""
    kind = next(name for name in TARGETS if getattr(one, f"{name}_id") is not None)
    name = str(getattr(one, kind))
    return kind, name if len(name) <= SHORT else f"{name[: SHORT - 1]}…"


def _repeats(campaign: Campaign, ratings: Ratings) -> dict[str, RepeatFacts]:
    """Repeats of the annotators that count, all together."""
    known = np.array([one.pk for one in ratings.annotators], dtype=np.int64)
    found = repeats_of(campaign, known)
    return {
        scale.name: _consistency(scale, found[scale.pk].again - found[scale.pk].first)
        for scale in ratings.scales
        if scale.pk in found and found[scale.pk].first.size
    }


def _consistency(scale: Scale, change: np.ndarray) -> RepeatFacts:
    near = np.abs(change) <= point(scale) + NEARLY
    return RepeatFacts(change.size, float(np.mean(np.abs(change) <= NEARLY)), float(near.mean()))


def _told(tally: Tally) -> str:
    """Answers to one question: numbers as a range, options counted, own words only counted."""
    question = tally.question
    parts = [f"{answer}: {n}" for answer, n in tally.counts if n]
    if question.kind == BackgroundQuestion.Kind.TEXT:
        parts = [f"{tally.answered} answers in own words"]
    elif question.kind == BackgroundQuestion.Kind.NUMBER and tally.counts:
        values = [float(answer) for answer, n in tally.counts for _ in range(n)]
        parts = [f"{min(values):g} to {max(values):g}, median {np.median(values):g}"]
    silent = tally.declined + tally.empty
    return f"{question.wording} {', '.join([*parts, *([f'no answer: {silent}'] * bool(silent))])}"
