"""Rows of the export of annotators: codes, never names."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.exporters import annotator_columns
from annotation.models import Campaign
from annotation.selectors.people.background import with_answers
from scoring.selectors.exports.batches import Row
from scoring.selectors.exports.excluded import Exclusions, excluded_cells
from scoring.selectors.exports.rows import Export

PART = 2000


def annotators(*, campaign: Campaign) -> Export:
    """One row for each annotator, with consent and background answers.

    Hidden questions have columns too. `question.NAME` is the wording that was answered, empty if it
    was not asked. `declined` names the questions that the annotator chose not to answer.
    """
    questions = campaign.background_questions.order_by("position", "pk")
    names = list(questions.values_list("name", flat=True))
    return Export(annotator_columns(names), _rows(campaign))


def _rows(campaign: Campaign) -> Iterator[Row]:
    annotators = with_answers(campaign.annotators.order_by("code"))
    exclusions = Exclusions.of(campaign)
    for annotator in annotators.iterator(chunk_size=PART):
        answers = list(annotator.background_answers.all())
        yield {
            "annotator": annotator.code,
            "origin": annotator.origin,
            "not_blind_since": annotator.not_blind_since,
            "consent_version": annotator.consent_version,  # type: ignore[attr-defined]
            "consented_at": annotator.consented_at,  # type: ignore[attr-defined]
            "withdrawn_at": annotator.withdrawn_at,  # type: ignore[attr-defined]
            "erased": annotator.erased or None,  # type: ignore[attr-defined]
            **{f"question.{one.question.name}": one.question.wording for one in answers},
            **{f"background.{one.question.name}": one.value for one in answers},
            "declined": [one.question.name for one in answers if one.declined] or None,
            **excluded_cells(exclusions.of_annotator(annotator.pk)),
        }
