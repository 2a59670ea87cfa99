"""Copies on demand: degraded ones that should score lower, exact ones that should score highest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from random import Random

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.models import Campaign, Item, Substitution
from annotation.models.fields import text_digest
from annotation.services.audit import Actor, audit
from annotation.services.errors import Conflict, Invalid
from annotation.services.opening import sheets_follow
from annotation.services.quality_texts import METHODS, degrade
from annotation.services.transactions import short_write

MOST = 10_000
ROWS_PER_WRITE = 500
OUTPUT, DEGRADED, COPY = (
    Substitution.Role.OUTPUT,
    Substitution.Role.DEGRADED,
    Substitution.Role.COPY,
)


def degraded_make(
    *, campaign: Campaign, items: int, method: str, seed: int, actor: Actor
) -> list[Substitution]:
    """A worse copy of one output in each of up to `items` items, drawn by `seed`.

    Items whose outputs cannot be made worse (single words), or that have a degraded copy already,
    are passed over. Made before the campaign is opened, a copy comes on the sheet of its original;
    later it comes on a sheet of its own.
    """
    if method not in METHODS:
        raise Invalid(_("Choose words dropped or words shuffled."))
    found: list[Substitution] = []
    for item, texts in _items_in_chance_order(campaign, DEGRADED, items, seed):
        if len(found) == items:
            break
        copy = _worse(item, texts, method, seed)
        if copy is not None:
            found.append(copy)
    return _store(campaign, found, actor, kind="degraded", method=method, seed=seed)


def copies_make(*, campaign: Campaign, items: int, seed: int, actor: Actor) -> list[Substitution]:
    """The phrase itself as its own paraphrase, in up to `items` items drawn by `seed`.

    Items where a text is equal to the phrase already are passed over.
    """
    found: list[Substitution] = []
    for item, texts in _items_in_chance_order(campaign, COPY, items, seed):
        if len(found) == items:
            break
        if all(one.text != item.phrase.text for one in texts):
            found.append(_new(item, COPY, item.phrase.text))
    return _store(campaign, found, actor, kind="copies", seed=seed)


def _items_in_chance_order(
    campaign: Campaign, role: str, wanted: int, seed: int
) -> Iterable[tuple[Item, list[Substitution]]]:
    """Items with outputs and without a text of `role`, each with all its texts; two queries."""
    if not 1 <= wanted <= MOST:
        raise Invalid(_("Say for how many items: 1 to %(most)s.") % {"most": f"{MOST:,}"})
    texts: dict[int, list[Substitution]] = defaultdict(list)
    for one in Substitution.objects.filter(campaign=campaign).order_by("pk"):
        texts[one.item_id].append(one)
    roles = {pk: {one.role for one in have} for pk, have in texts.items()}
    every = Item.objects.filter(campaign=campaign).select_related("phrase").order_by("position")
    items = [
        item for item in every if OUTPUT in roles.get(item.pk, ()) and role not in roles[item.pk]
    ]
    Random(f"items:{seed}").shuffle(items)  # noqa: S311 repeatable by intent
    return ((item, texts[item.pk]) for item in items)


def _worse(item: Item, texts: list[Substitution], method: str, seed: int) -> Substitution | None:
    """A degraded copy of the first output, in chance order, of which one can be made."""
    outputs = sorted((one for one in texts if one.role == OUTPUT), key=lambda one: one.text_hash)
    Random(f"outputs:{seed}:{item.identity_hash}").shuffle(outputs)  # noqa: S311 repeatable by intent
    avoid = [item.phrase.text, *(one.text for one in texts)]
    for one in outputs:
        text = degrade(one.text, method=method, seed=f"{seed}:{item.identity_hash}", avoid=avoid)
        if text is not None:
            return _new(item, DEGRADED, text, one)
    return None


def _new(item: Item, role: str, text: str, original: Substitution | None = None) -> Substitution:
    """An unsaved text; a copy stands in the sentence in which its original stands."""
    own = original if original is not None and original.own_sentence is not None else None
    return Substitution(
        campaign_id=item.campaign_id,
        item=item,
        role=role,
        text=text,
        text_hash=text_digest(text),
        made_from=original,
        own_sentence=own.own_sentence if own else None,
        own_start=own.own_start if own else None,
        own_end=own.own_end if own else None,
        context_hash=own.context_hash if own else "",
    )


def _store(
    campaign: Campaign, made: list[Substitution], actor: Actor, *, kind: str, **about: object
) -> list[Substitution]:
    try:
        for start in range(0, len(made), ROWS_PER_WRITE):
            with short_write():
                Substitution.objects.bulk_create(made[start : start + ROWS_PER_WRITE])
    except IntegrityError as error:
        raise Conflict(_("Copies are being made at this moment by somebody else.")) from error
    with short_write():
        audit(
            actor=actor, verb=f"make {kind}", about=campaign, campaign=campaign,
            made=len(made), **about,
        )  # fmt: skip
    if made:
        sheets_follow(campaign=campaign)
    return made
