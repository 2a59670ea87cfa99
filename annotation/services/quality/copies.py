"""Create copies of texts: degraded ones that should score lower, exact ones that should score
highest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from random import Random

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Item, Substitution
from annotation.models.fields import text_digest
from annotation.services.audit import Actor, audit
from annotation.services.collecting.opening import sheets_follow
from annotation.services.quality.degrading import METHODS, degrade
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
    """Create a degraded copy of one output in each of up to `items` items, sampled with `seed`.

    Skips items whose outputs cannot be degraded (single words) or that already have a degraded
    copy. Before the campaign is opened, a copy is placed on the sheet of its original; afterwards
    it gets a sheet of its own.
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
    """Add the phrase as its own paraphrase to up to `items` items, sampled with `seed`.

    Skips items where a text already equals the phrase.
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
    """Yield items with outputs and without a text of `role`, in random order, each with all its
    texts; two queries.
    """
    if not 1 <= wanted <= MOST:
        raise Invalid(_("Give the number of items: 1 to %(most)s.") % {"most": f"{MOST:,}"})
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
    """Return a degraded copy of the first output, in random order, that can be degraded; None if
    none can.
    """
    outputs = sorted((one for one in texts if one.role == OUTPUT), key=lambda one: one.text_hash)
    Random(f"outputs:{seed}:{item.identity_hash}").shuffle(outputs)  # noqa: S311 repeatable by intent
    avoid = [item.phrase.text, *(one.text for one in texts)]
    for one in outputs:
        text = degrade(one.text, method=method, seed=f"{seed}:{item.identity_hash}", avoid=avoid)
        if text is not None:
            return _new(item, DEGRADED, text, one)
    return None


def _new(item: Item, role: str, text: str, original: Substitution | None = None) -> Substitution:
    """Return an unsaved text; a copy has the sentence of its original."""
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
        raise Conflict(_("Somebody else is making copies at the moment.")) from error
    with short_write():
        audit(
            actor=actor, verb=f"make {kind}", about=campaign, campaign=campaign,
            made=len(made), **about,
        )  # fmt: skip
    if made:
        sheets_follow(campaign=campaign)
    return made
