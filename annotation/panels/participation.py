"""The end of a participant's part: its outcome, and the places that go to others."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from annotation.database import Actor, audit, short_write
from annotation.models import (
    Annotator,
    Campaign,
    Guest,
    Panel,
    Participant,
    PartOutcome,
    PartRecord,
    Sheet,
    Slot,
)
from annotation.panels.queries import halted_by, outcome_found, payments, reached
from annotation.people.annotators import part_of
from annotation.sheets import slots
from annotation.sheets.slots import sheets_lock

FREES = (PartOutcome.TIMED_OUT, PartOutcome.WITHDRAWN, PartOutcome.SCREENED_OUT)


def part_end(
    *, part: Participant, outcome: PartOutcome, now: datetime, actor: Actor = None
) -> Participant:
    """End the part with the outcome, once: an outcome that is there is kept.

    Nothing ends in an archived campaign. A quota that was full may end otherwise
    later. With TIMED_OUT and WITHDRAWN the open places go
    to others at once; what was handed in stays, and who has handed in everything is COMPLETE.
    """
    if part.panel.campaign.archived_at is not None:
        return part
    open_still = ["", PartOutcome.QUOTA_FULL]
    with short_write():
        annotator_lock(part.annotator)
        if outcome in FREES and not part.outcome and reached(part):
            outcome = PartOutcome.COMPLETE
        changed = (
            Participant.objects.filter(pk=part.pk, outcome__in=open_still)
            .exclude(outcome=outcome)
            .update(outcome=outcome, ended_at=now)
        )
        if changed:
            if outcome in FREES:
                give_back_all(part.annotator, now)
            audit(
                actor=actor,
                verb="end part",
                about=part,
                campaign=part.annotator.campaign,
                outcome=str(outcome),
            )
    part.refresh_from_db(fields=["outcome", "ended_at"])
    return part


def part_settle(*, part: Participant, now: datetime) -> Participant:
    """End the part where its end is reached already, without asking for a sheet."""
    if part.outcome:
        return part
    if part.late(now):
        return part_end(part=part, outcome=PartOutcome.TIMED_OUT, now=now)
    outcome = outcome_found(part=part, code=halted_by(part))
    return part if outcome is None else part_end(part=part, outcome=outcome, now=now)


def part_finish(*, annotator: Annotator, now: datetime) -> None:
    """End the annotator's part where everything is handed in: whoever closes the browser after the
    last sheet has done their part, too."""
    part = part_of(annotator=annotator)
    if part is not None and not part.outcome and reached(part):
        part_end(part=part, outcome=PartOutcome.COMPLETE, now=now)


def part_reopen(*, part: Participant) -> None:
    """A place became free for somebody who was told that nothing is left."""
    with short_write():
        Participant.objects.filter(pk=part.pk, outcome=PartOutcome.QUOTA_FULL).update(
            outcome="", ended_at=None
        )
    part.outcome, part.ended_at = "", None


def annotator_lock(annotator: Annotator) -> None:
    """Lock the annotator: they neither claim nor hand in until the transaction ends."""
    Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)


def give_back_all(annotator: Annotator, now: datetime) -> None:
    """Free every sheet that the locked annotator has open."""
    held = Slot.objects.filter(annotator=annotator, state=Slot.State.CLAIMED)
    sheets: dict[int, Sheet] = {
        sheet.pk: sheet for sheet in sheets_lock(held.values_list("sheet", flat=True))
    }
    for slot in slots.locked(held.filter(sheet__in=sheets).order_by("pk")):
        slots.give_back(annotator, sheets[slot.sheet_id], slot, now)


def part_records_update(*, campaign: Campaign) -> None:
    """Record what became of everybody's part, by their codes, for the campaign's archive.

    Records of people without a part stay: the campaign was restored from an archive.
    """
    now = defaultdict(list)
    for panel in Panel.objects.filter(campaign=campaign).order_by("pk"):
        for one in payments(panel=panel):
            now[one.part.annotator_id].append((panel, one))
    records = [
        PartRecord(
            annotator_id=annotator,
            number=number,
            panel=panel.name,
            outcome=one.outcome,
            sheets=one.sheets,
            quota=one.part.quota,
            active_seconds=one.seconds,
        )
        for annotator, parts in now.items()
        for number, (panel, one) in enumerate(sorted(parts, key=lambda of: of[1].part.pk), 1)
    ]
    with short_write():
        PartRecord.objects.filter(annotator__in=list(now)).delete()
        PartRecord.objects.bulk_create(records, batch_size=500)


def ids_erase(*, panel: Panel, now: datetime, actor: Actor) -> int:
    """Close the panel and erase the platform's ids of everybody in it; return of how many."""
    with short_write():
        Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
        Panel.objects.filter(pk=panel.pk, closed_at=None).update(closed_at=now)
        Panel.objects.filter(pk=panel.pk).update(erased_at=now)
        parts = Participant.objects.filter(panel=panel).exclude(platform_id="", submission_id="")
        count = parts.update(platform_id="", submission_id="")
        audit(actor=actor, verb="erase platform ids", about=panel, campaign=panel.campaign, n=count)
    panel.refresh_from_db(fields=["closed_at", "erased_at"])
    return count


def ids_forget(*, annotator: Annotator) -> None:
    """Erase the platform's ids of one annotator, or the name that a guest gave and the link back,
    inside the caller's transaction."""
    Participant.objects.filter(annotator=annotator).update(platform_id="", submission_id="")
    Guest.objects.filter(annotator=annotator).delete()
