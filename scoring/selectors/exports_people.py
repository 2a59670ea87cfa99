"""The rows of the export of annotators: codes, never names."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.exporters import annotator_columns
from annotation.models import Campaign
from annotation.selectors.background import with_answers
from scoring.selectors.export_parts import Row
from scoring.selectors.exports import Export

PART = 2000


def annotators(*, campaign: Campaign) -> Export:
    """One row for each voice, with what it agreed to and answered.

    Hidden questions have columns too. `question.NAME` is the wording that was answered, empty for
    who was not asked. `declined` names the questions that they would rather not
    answer.
    """
    questions = campaign.background_questions.order_by("position", "pk")
    names = list(questions.values_list("name", flat=True))
    return Export(annotator_columns(names), _rows(campaign))


def _rows(campaign: Campaign) -> Iterator[Row]:
    voices = with_answers(campaign.annotators.order_by("code"))
    for voice in voices.iterator(chunk_size=PART):
        answers = list(voice.background_answers.all())
        yield {
            "annotator": voice.code,
            "origin": voice.origin,
            "not_blind_since": voice.not_blind_since,
            "consent_version": voice.consent_version,  # type: ignore[attr-defined]
            "consented_at": voice.consented_at,  # type: ignore[attr-defined]
            "withdrawn_at": voice.withdrawn_at,  # type: ignore[attr-defined]
            "erased": voice.erased or None,  # type: ignore[attr-defined]
            **{f"question.{one.question.name}": one.question.wording for one in answers},
            **{f"background.{one.question.name}": one.value for one in answers},
            "declined": [one.question.name for one in answers if one.declined] or None,
        }
