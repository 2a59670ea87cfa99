"""Take an import back while nothing was made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict
from annotation.importing.report import LOOKUP, followers_call, pieces
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    ImportBatch,
    ImportedGold,
    ImportJob,
    Item,
    Judgment,
    Output,
    OutsideId,
    Phrase,
    PracticeAnswer,
    PracticeText,
    Reference,
    Remark,
    Sheet,
    SheetEntry,
    Skip,
    Slot,
    Substitution,
    System,
)

Obstacle = Callable[[QuerySet[Substitution]], str]
# Other apps say here what they made of texts, "" for nothing (scoring/apps.py).
OBSTACLES: list[Obstacle] = []
# And take away what they made by themselves, before texts of the campaign go.
FORGETTERS: list[Callable[[QuerySet[Substitution]], object]] = []


def import_take_back(*, batch: ImportBatch, actor: Actor) -> dict[str, int]:
    """Remove what an import added, and the import; the log keeps both. Returns the numbers of rows.

    Attributes and languages that it gave to texts that were there before stay. Raises Conflict,
    which says why, if something was made of it: a text of it was claimed, judged, skipped, remarked
    on, excluded, practised or scored, or a later import added to its texts.
    """
    with short_write():
        campaign = lock_row(Campaign, batch.campaign_id)
        if not ImportBatch.objects.filter(pk=batch.pk).exists():
            raise Conflict(_("The import was taken back already."))
        if ImportJob.objects.filter(batch=batch, status__in=["queued", "running"]).exists():
            raise Conflict(_("The import is not finished: wait until it ends."))
        removed = {
            "items": _texts,
            "judgments": _judgments,
            "gold": _gold,
        }[batch.what](batch)
        audit(
            actor=actor,
            verb="take back import",
            about=batch,
            campaign=campaign,
            file=batch.file_name,
            sha256=batch.sha256,
            **removed,
        )
        batch.delete()
    if batch.what == "items":
        followers_call(campaign=campaign, actor=actor)
    return removed


def _gold(batch: ImportBatch) -> dict[str, int]:
    return {"gold": _removed(ImportedGold.objects.filter(batch=batch))}


def _judgments(batch: ImportBatch) -> dict[str, int]:
    rows = Judgment.objects.filter(batch=batch)
    if rows.filter(slot__isnull=False).exists():
        raise Conflict(_("Judgments of this import filled assignments of their sheets: they stay."))
    if rows.filter(version__gt=1).exists():
        raise Conflict(_("Judgments of this import were changed since: they stay."))
    people = list(rows.order_by().values_list("annotator_id", flat=True).distinct())
    n = _removed(rows)
    busy: set[int] = set()
    for rows_of in (
        Judgment.objects.filter(annotator__in=people),
        Slot.objects.filter(annotator__in=people),
        Exclusion.objects.filter(annotator__in=people),
        Skip.objects.filter(annotator__in=people),
        Remark.objects.filter(annotator__in=people),
    ):
        queryset: QuerySet[Any] = rows_of
        busy.update(queryset.order_by().values_list("annotator_id", flat=True).distinct())
    left = Annotator.objects.filter(
        pk__in=set(people) - busy,
        user=None,
        origin__in=[
            Annotator.Origin.IMPORTED,
            Annotator.Origin.ANONYMOUS,
            Annotator.Origin.PILOT,
        ],
    )
    return {"judgments": n, "annotators": _removed(left)}


def _texts(batch: ImportBatch) -> dict[str, int]:
    texts = Substitution.objects.filter(campaign=batch.campaign_id, batch=batch)
    items = Item.objects.filter(batch=batch)
    if texts.count() < batch.counts.get("substitutions", 0):
        raise Conflict(
            _("This import was made by an earlier version, which did not note its texts: it stays.")
        )
    why = _obstacle(batch, texts, items)
    if why:
        raise Conflict(why)
    for forget in FORGETTERS:
        forget(texts)
    phrases = set(items.order_by().values_list("phrase_id", flat=True))
    removed = {
        "outputs": _removed(Output.objects.filter(batch=batch)),
        "references": _removed(Reference.objects.filter(batch=batch)),
        "outside_ids": _removed(OutsideId.objects.filter(campaign=batch.campaign_id, batch=batch)),
    }
    SheetEntry.objects.filter(substitution__in=texts).delete()
    _removed(Sheet.objects.filter(campaign=batch.campaign_id, entries=None))
    removed["substitutions"] = _removed(texts)
    removed["items"] = _removed(items)
    unused = Phrase.objects.filter(campaign=batch.campaign_id).filter(
        ~Exists(Item.objects.filter(phrase=OuterRef("pk")))
    )
    removed["phrases"] = sum(
        _removed(unused.filter(pk__in=part)) for part in pieces(sorted(phrases))
    )
    systems = System.objects.filter(campaign=batch.campaign_id, batch=batch)
    removed["systems"] = _removed(
        systems.filter(~Exists(Output.objects.filter(system=OuterRef("pk"))))
    )
    return removed


def _obstacle(batch: ImportBatch, texts: QuerySet[Substitution], items: QuerySet[Item]) -> str:
    sheets = _sheets_of(texts)
    busy = Slot.objects.filter(sheet__in=sheets).exclude(state=Slot.State.FREE)
    judged = (Judgment.objects.filter(substitution__in=texts), busy)
    if any(rows.exists() for rows in judged):
        return _("Somebody has judged a text of this import, or is about to: it stays.")
    noted: tuple[QuerySet[Any], ...] = (
        Remark.objects.filter(sheet__in=sheets),
        Skip.objects.filter(sheet__in=sheets),
        PracticeAnswer.objects.filter(substitution__in=texts),
        PracticeText.objects.filter(substitution__in=texts),
        Exclusion.objects.filter(
            Q(substitution__in=texts)
            | Q(item__in=items)
            | Q(system__batch=batch)
            | Q(phrase__items__in=items)
        ),
    )
    if any(rows.exists() for rows in noted):
        return _("A text of this import was remarked on, skipped, practised or excluded: it stays.")
    later: tuple[QuerySet[Any], ...] = (
        Substitution.objects.filter(item__in=items),
        Reference.objects.filter(item__in=items),
        Output.objects.filter(Q(item__in=items) | Q(substitution__in=texts)),
        Output.objects.filter(system__batch=batch),
        Substitution.objects.filter(made_from__in=texts),
    )
    if any(rows.exclude(batch=batch).exists() for rows in later):
        return _("Later texts, outputs or copies build on this import: take those back first.")
    if ImportedGold.objects.filter(substitution__in=texts).exists():
        return _("Gold was imported for texts of this import: take that back first.")
    return next((why for one in OBSTACLES if (why := one(texts))), "")


def _sheets_of(texts: QuerySet[Substitution]) -> QuerySet[Any]:
    return SheetEntry.objects.filter(substitution__in=texts).order_by().values("sheet")


def _removed(rows: QuerySet[Any]) -> int:
    """Delete rows with what depends on them, part by part; return the number of the rows alone."""
    manager, removed = rows.model._default_manager, 0
    while part := list(rows.order_by().values_list("pk", flat=True)[:LOOKUP]):
        manager.filter(pk__in=part).delete()
        removed += len(part)
    return removed
