"""The part of an annotator who came by a panel: how much of it is done, and how it ends."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from annotation.database import Actor, audit, short_write
from annotation.models import Annotator, Guest, Participant, PartOutcome, Sheet, Slot
from annotation.sheets import slots
from annotation.sheets.slots import sheets_lock


def part_of(*, annotator: Annotator) -> Participant | None:
    """Return the annotator's newest part, with panel and annotator; None for people who came
    otherwise."""
    rows = Participant.objects.filter(annotator=annotator).order_by("-pk")
    return rows.select_related("panel__campaign", "annotator__campaign").first()


def submitted(annotator: Annotator) -> int:
    """The number of sheets that the annotator handed in, also if they were voided since."""
    done = Q(state__in=[Slot.State.DONE, Slot.State.VOID], done_at__isnull=False)
    return Slot.objects.filter(done, annotator=annotator).count()


def has_open(annotator: Annotator) -> bool:
    """Whether the annotator holds a sheet that is not handed in."""
    return Slot.objects.filter(annotator=annotator, state=Slot.State.CLAIMED).exists()


def sheets_of(part: Participant) -> int:
    """The sheets that were handed in in this part, the annotator's newest; one query."""
    return max(0, submitted(part.annotator) - part.sheets_before)


def reached(part: Participant) -> bool:
    """Whether the quota of the part, the annotator's newest, is done."""
    return part.quota > 0 and not has_open(part.annotator) and sheets_of(part) >= part.quota


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


def ids_forget(*, annotator: Annotator) -> None:
    """Erase the platform's ids of one annotator, or the name that a guest gave and the link back,
    inside the caller's transaction."""
    Participant.objects.filter(annotator=annotator).update(platform_id="", submission_id="")
    Guest.objects.filter(annotator=annotator).delete()
