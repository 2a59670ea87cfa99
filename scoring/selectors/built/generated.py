"""Paraphrases that were generated: what they can be made of, and what the preview shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Campaign, Item, Output
from annotation.selectors.access import User
from paraanno.plain.sentence import revived
from scoring.building.recipes.near_words import FIGURES, ITEMS
from scoring.building.texts.table import Row, TextTable, open_texts
from scoring.models import Build
from scoring.selectors.builds import build_get, builds_shown

RECIPE = "near_words"
TEXT = "text"  # The column of texts that come from a campaign, or from a plain file.
SHOWN_TEXTS = 20


@dataclass(frozen=True, slots=True)
class Generated:
    """The figures (scoring/building/recipes/near_words.py), the table, and its first rows."""

    figures: Mapping[str, Any]
    table: TextTable
    first: tuple[Row, ...]
    items: Path  # The file of items, in the store.

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.figures["replaced"])

    @property
    def column(self) -> str:
        return str(self.figures["column"])

    @property
    def rows(self) -> int:
        """Of the file of items."""
        return self.table.n * len(self.systems)

    def shown(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The first texts, with what each system made of them."""
        return [
            (row[self.column], [(system, row[system]) for system in self.systems])
            for row in self.first
        ]

    def shares(self) -> list[tuple[str, int, float]]:
        """Each system with the words that it replaced, and their share."""
        words = int(self.figures["words"]) or 1
        return [(name, n, n / words) for name, n in self.figures["replaced"].items()]


def has_own_texts(*, campaign: Campaign) -> bool:
    """Whether the campaign has originals that are to be paraphrased as a whole."""
    return _whole(campaign).exists()


def own_texts(*, campaign: Campaign, outputs: bool = False) -> Iterator[Row]:
    """The originals of the campaign that are to be paraphrased as a whole, with the attributes of
    their items; with `outputs` also the first text of each system, in a column of its name."""
    whole = _whole(campaign)
    made: dict[int, Row] = {}
    if outputs:
        first = Output.objects.filter(item__in=whole, rank=1, substitution__role="output")
        for item, label, text in first.values_list(
            "item_id", "system__label", "substitution__text"
        ).iterator():
            made.setdefault(item, {})[label] = text
    columns = ("pk", "sentence", "attributes")
    for pk, sentence, attributes in whole.order_by("position").values_list(*columns):
        others = {str(name): str(value) for name, value in attributes.items() if value is not None}
        yield {**others, TEXT: sentence, **made.get(pk, {})}


def _whole(campaign: Campaign) -> QuerySet[Item]:
    return campaign.items.annotate(n=Length("sentence")).filter(start=0, end=F("n"))


def generated_builds(*, user: User, campaign: Campaign) -> list[Build]:
    """The newest that are being made, failed within a day, or were made and are still there."""
    return builds_shown(user=user, campaign=campaign, recipe=RECIPE, is_there=_is_there)


def generated_get(*, user: User, campaign: Campaign, key: UUID | str) -> Build:
    """The build of paraphrases; NotFound for builds of other things too."""
    build = build_get(user=user, campaign=campaign, key=key)
    if build.recipe != RECIPE:
        raise NotFound(_("There is no such build."))
    return build


def generated(*, build: Build) -> Generated | None:
    """What was generated; None if it is not there (any more)."""
    if build.resource is None or not _is_there(build):
        return None
    store = build.resource.stored
    figures = json.loads((store / FIGURES).read_text(encoding="utf-8"))
    table = open_texts(store)
    return Generated(
        revived(figures), table, tuple(islice(table.rows(), SHOWN_TEXTS)), store / ITEMS
    )


def provenance(*, build: Build, found: Generated) -> dict[str, Any]:
    """What an import keeps of how the paraphrases were made."""
    names = ("column", "words", "known", "replaced")
    return {
        "recipe": RECIPE,
        "signature": build.signature,
        "options": dict(build.options),
        "texts": found.table.n,
        **{name: found.figures[name] for name in names},
    }


def _is_there(build: Build) -> bool:
    return build.resource is not None and (build.resource.stored / FIGURES).exists()
