"""The annotator's screen before there is an annotator: a sheet that is not stored anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotFound
from annotation.importers import find_spans
from annotation.models import Annotator, Campaign, Item, Scale, Slot, Substitution, language_of
from annotation.selectors.collecting.remarks import RemarkView
from annotation.selectors.collecting.sheets import (
    AnswerView,
    QuestionView,
    SheetView,
    SubstitutionView,
)
from annotation.selectors.collecting.shown import scales_of

LISTED = 200
OUTPUT = Substitution.Role.OUTPUT


@dataclass(frozen=True, slots=True)
class OwnText:
    """A text that somebody typed to see how it looks."""

    sentence: str
    phrase: str
    paraphrase: str


def items_to_preview(*, campaign: Campaign) -> QuerySet[Item]:
    """Return the first items that have texts of systems, in the order of the file."""
    rows = Item.objects.filter(campaign=campaign, substitutions__role=OUTPUT).distinct()
    return rows.select_related("phrase").order_by("position")[:LISTED]


def item_to_preview(*, campaign: Campaign, key: UUID | None) -> Item | None:
    """Return the item with this key, or the first one; None if there is none at all.

    Raises NotFound if the campaign has no item with the key.
    """
    if key is None:
        return items_to_preview(campaign=campaign).first()
    found = Item.objects.filter(campaign=campaign, key=key).select_related("phrase").first()
    if found is None:
        raise NotFound(_("There is no such item."))
    return found


def preview_of_item(*, campaign: Campaign, item: Item) -> SheetView:
    """Return the first sheet that the item would make, of the texts of systems.

    Texts of quality control are not shown, as nobody could tell them from the others.
    """
    texts = list(item.substitutions.filter(role=OUTPUT).order_by("key"))
    if campaign.max_per_sheet:
        texts = texts[: campaign.max_per_sheet]
    scales = scales_of(campaign.pk)
    views = []
    for text in texts:
        text.item = item
        views.append(_text(text.key, *text.context(), text.text, scales))
    return _sheet(
        campaign, item.phrase.text, (item.before, item.after), views, scales,
        language_of(item, campaign), item.key,
    )  # fmt: skip


def preview_of_own(*, campaign: Campaign, own: OwnText) -> SheetView:
    """Return a sheet with the typed text. Raises Invalid if the phrase is not in the sentence."""
    phrase = own.phrase or own.sentence
    spans = find_spans(phrase, own.sentence)
    if not phrase or not spans:
        raise Invalid(_("The phrase must be in the sentence."))
    start, end = spans[0]
    around = (own.sentence[:start], own.sentence[end:])
    scales = scales_of(campaign.pk)
    text = _text(uuid4(), *around, own.paraphrase, scales)
    return _sheet(campaign, phrase, around, [text], scales, campaign.language, uuid4())


def nobody(campaign: Campaign) -> Annotator:
    """Return an annotator who is nobody, and is not stored."""
    return Annotator(campaign=campaign, code="preview")


def _text(
    key: UUID, before: str, after: str, text: str, scales: Sequence[Scale]
) -> SubstitutionView:
    questions = tuple(QuestionView(scale, AnswerView()) for scale in scales)
    return SubstitutionView(key, before, text, after, questions, RemarkView())


def _sheet(
    campaign: Campaign,
    phrase: str,
    around: tuple[str, str],
    texts: Sequence[SubstitutionView],
    scales: tuple[Scale, ...],
    language: str,
    key: UUID,
) -> SheetView:
    return SheetView(
        key=key,
        state=Slot.State.CLAIMED,
        phrase=phrase,
        before=around[0],
        after=around[1],
        whole_sentence=not any(around),
        language=language,
        substitutions=tuple(texts),
        scales=scales,
        remark=RemarkView(),
    )
