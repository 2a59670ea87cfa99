"""Find the stored substitution that a row of judgments or gold refers to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotation.importers import Target, shown
from annotation.models import Campaign, Item, OutsideId, Substitution
from annotation.models.fields import text_digest
from annotation.services.importing.report import pieces
from annotation.services.importing.tables.displayed import Displayed
from paraanno.plain.sentence import Sentence, say


@dataclass(slots=True)
class Targets:
    """Lookups by outside id and by text."""

    outside: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    identities: dict[int, str] = field(default_factory=dict)
    substitutions: dict[tuple[int, str, str, str], int] = field(default_factory=dict)
    displayed: Displayed | None = None
    _found: dict[tuple[object, ...], int | Sentence] = field(default_factory=dict)

    def find(self, target: Target) -> int | Sentence:
        """Return the substitution's primary key, or a sentence that says what is wrong."""
        key = (target.item, target.sentence, target.start, *target.key)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._find(target)
        return found

    def _find(self, target: Target) -> int | Sentence:
        if target.displayed is not None and self.displayed is not None:
            return self.displayed.find(target.displayed)
        item = None
        if target.item is not None:
            item = self.outside.get(target.item)
            if item is None and target.sentence is None:
                return say(
                    "there is no item %(item)s in the campaign: import it first",
                    item=shown(target.item),
                )
        if target.sentence is not None:
            identity = identity_of(target)
            if item is not None and self.identities[item] != identity:
                return say(
                    "item %(item)s has another text or span in the campaign than %(sentence)s: "
                    "correct the id or the text",
                    item=shown(target.item or ""),
                    sentence=shown(target.sentence),
                )
            item = self.items.get(identity)
        if item is None:
            return say(
                "the campaign has no item %(phrase)s in %(sentence)s: import it first",
                phrase=shown(target.phrase or ""),
                sentence=shown(target.sentence or ""),
            )
        key = (item, target.role, text_digest(target.paraphrase), context_of(target))
        return self.substitutions.get(key) or say(
            "the item has no paraphrase %(text)s: import it first", text=shown(target.paraphrase)
        )


def identity_of(target: Target) -> str:
    """Return the hash that identifies the target's item."""
    return text_digest(target.phrase, target.sentence, target.start, target.end)


def context_of(target: Target) -> str:
    """Return the hash of the own sentence and span; empty if there is none."""
    if target.own_sentence is None:
        return ""
    return text_digest(target.own_sentence, target.own_start, target.own_end)


def load_targets(
    *, campaign: Campaign, targets: Sequence[Target], displayed: Displayed | None = None
) -> Targets:
    """Look up the targets; the cost depends only on their number, but for those that are named by
    what was displayed: the first of them loads the campaign's texts, once for `displayed`."""
    found = Targets(displayed=displayed or Displayed(campaign))
    named = {target.item for target in targets if target.item is not None}
    for part in pieces(named):
        rows = OutsideId.objects.filter(campaign=campaign, value__in=part)
        for value, item, identity in rows.values_list("value", "item_id", "item__identity_hash"):
            found.outside[value] = item
            found.identities[item] = identity
    texts = {
        (target.phrase, target.sentence, target.start, target.end)
        for target in targets
        if target.sentence is not None
    }
    for digests in pieces({text_digest(*text) for text in texts}):
        for pk, digest in Item.objects.filter(
            campaign=campaign, identity_hash__in=digests
        ).values_list("pk", "identity_hash"):
            found.items[digest] = pk
    for items in pieces({*found.outside.values(), *found.items.values()}):
        rows_ = Substitution.objects.filter(item__in=items).values_list(
            "item_id", "role", "text_hash", "context_hash", "pk"
        )
        for item, role, digest, context, pk in rows_.iterator(chunk_size=5000):
            found.substitutions[item, role, digest, context] = pk
    return found
