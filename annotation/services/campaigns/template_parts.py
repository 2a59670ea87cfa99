"""Write the parts of a template into a campaign: consent, questions, practice, checks."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign
from annotation.services.audit import Actor
from annotation.services.campaigns.template_check import panel_fields
from annotation.services.people.background import Question, question_add
from annotation.services.people.consent import consent_text_add
from annotation.services.people.panels import panel_create
from annotation.services.quality.imports import expected_import
from annotation.services.quality.practice import practice_set
from annotation.services.quality.rules import plan_set, rule_add
from paraanno.plain.campaign_template import (
    CampaignTemplate,
    ChecksTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
)
from paraanno.translated import translated

PLAN = ("repeat_share", "repeat_after", "fast_seconds", "delay_least", "delay_most")


def parts_add(*, campaign: Campaign, template: CampaignTemplate, actor: Actor) -> None:
    """Add what the template says beside settings, scales and guidelines to a new campaign.

    The caller holds the transaction. Raises Invalid if a practice text cannot be taken.
    """
    if template.consent:
        consent_text_add(campaign=campaign, text=template.consent, actor=actor)
    for one in template.background or ():
        question_add(campaign=campaign, question=question_of(one), actor=actor)
    if template.practice is not None:
        practice_write(campaign=campaign, practice=template.practice, actor=actor)
        practice_texts_write(campaign=campaign, texts=template.practice.texts, actor=actor)
    if template.checks is not None:
        checks_write(campaign=campaign, checks=template.checks, actor=actor)
    for panel in template.panel or ():
        panel_create(campaign=campaign, actor=actor, **panel_fields(panel))


def question_of(one: QuestionTemplate) -> Question:
    """Return the question as the service of questions takes it."""
    return Question(one.wording, one.kind, one.options, one.required, one.name)


def practice_write(*, campaign: Campaign, practice: PracticeTemplate, actor: Actor) -> None:
    """Set the requirements and every scale's tolerance. Raises Invalid for an unknown scale."""
    scales = {scale.name: scale for scale in campaign.scales.all()}
    unknown = [name for name in practice.tolerance if name not in scales]
    if unknown:
        raise Invalid(_("There is no scale %(name)s.") % {"name": unknown[0]})
    practice_set(
        campaign=campaign,
        required=practice.required,
        share=practice.share,
        tries=practice.tries,
        tolerance={scale: practice.tolerance.get(name, 0) for name, scale in scales.items()},
        actor=actor,
    )


def practice_texts_write(
    *, campaign: Campaign, texts: Sequence[PracticeTextTemplate], actor: Actor
) -> None:
    """Add practice texts, or set the expected values of those that are there."""
    if not texts:
        return
    rows = [
        {
            "role": "practice",
            "part": text.part,
            "sentence": text.sentence,
            "phrase": text.phrase,
            **({} if text.start is None else _span(text, text.start)),
            "paraphrase": text.paraphrase,
            "scale": scale,
            "low": low,
            "high": high,
            "explanation": why,
        }
        for text in texts
        for scale, (low, high, why) in text.expected.items()
    ]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    report = expected_import(
        campaign=campaign, stream=io.BytesIO(data), name="practice", format="jsonl", actor=actor
    )
    if not report.ok:
        one = report.problems[0]
        raise Invalid(f"{one.column or ''} {translated(one.message)}".strip())


def _span(text: PracticeTextTemplate, start: int) -> dict[str, int]:
    return {"start": start, "end": start + len(text.phrase)}


def checks_write(*, campaign: Campaign, checks: ChecksTemplate, actor: Actor) -> None:
    """Set the plan of a new campaign and add its rules."""
    plan_set(campaign=campaign, actor=actor, changes={name: getattr(checks, name) for name in PLAN})
    for rule in checks.rules:
        rule_add(
            campaign=campaign, check=rule.check, least=rule.least, share=rule.share,
            act=rule.action, actor=actor,
        )  # fmt: skip
