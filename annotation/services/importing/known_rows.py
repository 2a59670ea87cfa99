"""Look up which of a file's rows the campaign already has, by hash.

The cost depends on the size of the file, not of the campaign.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from annotation.importers import ItemRow
from annotation.models import (
    Campaign,
    Item,
    Output,
    OutsideId,
    Phrase,
    Reference,
    Substitution,
    System,
)
from annotation.models.fields import text_digest
from annotation.services.importing.report import pieces

Attributes = dict[str, Any]
SubstitutionKey = tuple[str, str, str, str]  # item's identity, role, text hash, context hash


@dataclass(slots=True)
class Stored:
    """Primary keys and attributes by the natural keys of the rows."""

    phrases: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    languages: dict[str, str] = field(default_factory=dict)  # of items, empty: the campaign's
    outside: dict[str, str] = field(default_factory=dict)  # outside id -> item's identity
    sentences: dict[str, str] = field(default_factory=dict)  # of items met through an outside id
    systems: dict[str, int] = field(default_factory=dict)
    substitutions: dict[SubstitutionKey, int] = field(default_factory=dict)
    outputs: dict[tuple[str, str, int], SubstitutionKey | None] = field(default_factory=dict)
    output_ids: dict[tuple[str, str, int], int] = field(default_factory=dict)
    references: dict[str, dict[str, int]] = field(default_factory=dict)
    attributes: dict[tuple[str, Any], Attributes] = field(default_factory=dict)


def identity_of(row: ItemRow) -> str:
    """Return the hash that identifies an item."""
    return text_digest(row.phrase, row.sentence, row.start, row.end)


def context_of(row: ItemRow) -> str:
    """Return the hash of a substitution's own sentence and span; empty if it has none."""
    if row.own_sentence is None:
        return ""
    return text_digest(row.own_sentence, row.own_start, row.own_end)


def load_stored(
    *, campaign: Campaign, phrases: Iterable[str], items: Iterable[str], outside: Iterable[str]
) -> Stored:
    """Look up phrases and items by hash, outside ids by value, and all systems."""
    stored = Stored()
    for part in pieces(phrases):
        for pk, digest, attributes in Phrase.objects.filter(
            campaign=campaign, text_hash__in=part
        ).values_list("pk", "text_hash", "attributes"):
            stored.phrases[digest] = pk
            stored.attributes["phrase", digest] = attributes
    for part in pieces(outside):
        for value, identity, sentence in OutsideId.objects.filter(
            campaign=campaign, value__in=part
        ).values_list("value", "item__identity_hash", "item__sentence"):
            stored.outside[value] = identity
            stored.sentences[identity] = sentence
    for pk, label, attributes in System.objects.filter(campaign=campaign).values_list(
        "pk", "label", "attributes"
    ):
        stored.systems[label] = pk
        stored.attributes["system", label] = attributes
    for part in pieces(items):
        _load_items(stored, campaign, part)
    return stored


def _load_items(stored: Stored, campaign: Campaign, identities: list[str]) -> None:
    names: dict[int, str] = {}
    for pk, digest, attributes, language in Item.objects.filter(
        campaign=campaign, identity_hash__in=identities
    ).values_list("pk", "identity_hash", "attributes", "language"):
        names[pk] = digest
        stored.items[digest] = pk
        stored.languages[digest] = language
        stored.attributes["item", digest] = attributes
    for item, digest, position in Reference.objects.filter(item__in=names).values_list(
        "item_id", "text_hash", "position"
    ):
        stored.references.setdefault(names[item], {})[digest] = position
    keys: dict[int, SubstitutionKey] = {}
    for pk, item, role, text, context, attributes in Substitution.objects.filter(
        item__in=names
    ).values_list("pk", "item_id", "role", "text_hash", "context_hash", "attributes"):
        keys[pk] = (names[item], role, text, context)
        stored.substitutions[keys[pk]] = pk
        stored.attributes["substitution", keys[pk]] = attributes
    for pk, item, system, rank, substitution, attributes in Output.objects.filter(
        item__in=names
    ).values_list("pk", "item_id", "system__label", "rank", "substitution_id", "attributes"):
        key = (names[item], system, rank)
        stored.outputs[key] = None if substitution is None else keys[substitution]
        stored.output_ids[key] = pk
        stored.attributes["output", key] = attributes
