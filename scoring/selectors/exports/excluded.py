"""What the rows of an export say about exclusions in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from annotation.models import Campaign, Exclusion, Output, Substitution
from annotation.models.people.exclusion import TARGETS
from scoring.selectors.exports.batches import ItemPart, Row

OF_TEXTS = {"substitution": "pk", "item": "item_id", "phrase": "item__phrase_id"}


@dataclass(frozen=True, slots=True)
class InForce:
    """An exclusion in force: what is excluded, why, and since when."""

    target: str
    reason: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Exclusions:
    """The exclusions in force of a campaign, by kind of target and id."""

    by: dict[str, dict[int, InForce]] = field(default_factory=dict)

    @classmethod
    def of(cls, campaign: Campaign) -> Exclusions:
        """Read them; one query."""
        by: dict[str, dict[int, InForce]] = {name: {} for name in TARGETS}
        rows = Exclusion.objects.filter(campaign=campaign, ends_at=None).order_by("pk")
        columns = (f"{name}_id" for name in TARGETS)
        for reason, since, *ids in rows.values_list("reason", "starts_at", *columns):
            for name, pk in zip(TARGETS, ids, strict=True):
                if pk is not None:
                    by[name][pk] = InForce(name, reason, since)
        return cls(by)

    def of_annotator(self, annotator: int) -> list[InForce]:
        """The exclusion of an annotator, if there is one."""
        return [self.by["annotator"][annotator]] if annotator in self.by["annotator"] else []

    def of_texts(self, part: ItemPart) -> dict[int, list[InForce]]:
        """The exclusions of each text of a batch, by id; up to three queries.

        An excluded system takes a text away that no other system produced.
        """
        found: dict[int, list[InForce]] = {}
        texts = Substitution.objects.filter(**part.where()).order_by("pk")
        concerned = Q()
        for name, column in OF_TEXTS.items():
            if self.by[name]:
                concerned |= Q(**{f"{column}__in": list(self.by[name])})
        if concerned:
            for pk, item, phrase in texts.filter(concerned).values_list(
                "pk", "item_id", "item__phrase_id"
            ):
                ids = {"substitution": pk, "item": item, "phrase": phrase}
                found[pk] = [
                    self.by[name][one] for name, one in ids.items() if one in self.by[name]
                ]
        if self.by["system"]:
            for pk, systems in _makers(part):
                if systems and systems <= set(self.by["system"]):
                    found.setdefault(pk, []).append(self.by["system"][min(systems)])
        return found


def _makers(part: ItemPart) -> Iterator[tuple[int, set[int]]]:
    made: dict[int, set[int]] = {}
    outputs = Output.objects.filter(**part.where(), substitution__isnull=False)
    for text, system in outputs.order_by().values_list("substitution_id", "system_id"):
        made.setdefault(text, set()).add(system)
    yield from made.items()


def excluded_cells(found: list[InForce]) -> Row:
    """The columns `excluded` (the kinds of target), `excluded_reason` and `excluded_since`."""
    if not found:
        return {"excluded": None, "excluded_reason": None, "excluded_since": None}
    return {
        "excluded": ", ".join(one.target for one in found),
        "excluded_reason": "; ".join(dict.fromkeys(one.reason for one in found)),
        "excluded_since": min(one.since for one in found),
    }
