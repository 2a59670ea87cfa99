"""What texts are, in words: the columns by which a number in any file is traced to its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.models import Output, Substitution
from annotation.models.fields import text_digest, text_key
from scoring.models import Score

CHUNK = 5000
TEXT_NAMES = ("text_key", "phrase", "paraphrase", "systems")
_COLUMNS = (
    "pk", "text", "own_sentence", "own_start", "own_end",
    "item__phrase__text", "item__sentence", "item__start", "item__end", "item__language",
    "campaign__language",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text with its key and the key of its item, both made from their contents."""

    text_key: str
    item_key: str
    phrase: str
    sentence: str
    start: int
    end: int
    paraphrase: str
    systems: tuple[str, ...]
    language: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The values of TEXT_NAMES."""
        return self.text_key, self.phrase, self.paraphrase, "|".join(self.systems)


def texts_named(ids: Sequence[int]) -> list[NamedText]:
    """The texts of these ids, in their order; two queries for each CHUNK."""
    return [text for at in range(0, len(ids), CHUNK) for text in _some(ids[at : at + CHUNK])]


def _some(ids: Sequence[int]) -> list[NamedText]:
    makers = makers_of(substitution__in=ids)
    found = {}
    for row in Substitution.objects.filter(pk__in=ids).values_list(*_COLUMNS):
        pk, text, *own, phrase, sentence, start, end, language, of_campaign = row
        item = text_digest("item", phrase, sentence, start, end)[:16]
        if own[0] is not None:
            sentence, start, end = own
        key = text_key(phrase, (sentence, start, end), text)
        made_by = tuple(makers.get(pk, ()))
        found[pk] = NamedText(
            key, item, phrase, sentence, start, end, text, made_by, language or of_campaign
        )
    return [found[pk] for pk in ids]


def makers_of(**where: Any) -> dict[int, list[str]]:
    """The labels of the systems that produced each text, of the outputs that fit; one query."""
    made = Output.objects.filter(substitution__isnull=False, **where)
    found: dict[int, dict[str, None]] = {}
    for pk, label in made.order_by("system__label", "rank").values_list(
        "substitution_id", "system__label"
    ):
        found.setdefault(pk, {})[label] = None
    return {pk: list(labels) for pk, labels in found.items()}


def scored(texts: QuerySet[Substitution]) -> str:
    """Say that metrics have scored one of the texts; "" if none has."""
    if Score.objects.filter(substitution__in=texts).exists():
        return _("Metrics have scored texts of this import: it stays.")
    return ""
