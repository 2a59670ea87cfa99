"""Campaigns in the state that a board tells of."""

from datetime import timedelta

from annotation.board.figures import people_figures
from annotation.board.queries import alarms_found, watch_of
from annotation.collecting.claiming import claim_next
from annotation.models import Campaign, Judgment, JudgmentVersion, Sheet, Slot, SlotEvent
from paraanno import clock
from tests.factories import make_annotator, make_campaign, rate_all

HOUR = timedelta(hours=1)


def older(campaign, by):
    """Move everything that was judged, and the opening, into the past."""
    for model, names in (
        (Judgment, ("recorded_at",)),
        (JudgmentVersion, ("recorded_at",)),
        (SlotEvent, ("at",)),
        (Slot, ("claimed_at", "lease_expires_at", "done_at")),
    ):
        for row in model.objects.all():
            for name in names:
                if getattr(row, name) is not None:
                    setattr(row, name, getattr(row, name) - by)
            row.save()
    Campaign.objects.filter(pk=campaign.pk).update(opened_at=clock.now() - by)
    campaign.refresh_from_db()


def paced(annotator, seconds, *, wait=timedelta(0)):
    """Have the annotator need so many seconds for each text, and `wait` after each claim."""
    at = clock.now() - timedelta(hours=3)
    sheets = Sheet.objects.filter(slots__annotator=annotator).order_by("slots__done_at", "pk")
    for sheet in sheets:
        slot = Slot.objects.get(sheet=sheet, annotator=annotator)
        slot.claimed_at = at
        SlotEvent.objects.filter(slot=slot, kind="claimed").update(at=at)
        at += wait
        mine = Judgment.objects.filter(slot=slot).order_by("substitution", "scale")
        for substitution in dict.fromkeys(mine.values_list("substitution", flat=True)):
            at += timedelta(seconds=seconds)
            of = mine.filter(substitution=substitution)
            JudgmentVersion.objects.filter(judgment__in=of).update(recorded_at=at)
            of.update(recorded_at=at)
        SlotEvent.objects.filter(slot=slot, kind="done").update(at=at)
        slot.done_at = at
        slot.save()


def hasty(seconds=1.0):
    """A campaign in which bob needed so many seconds for each of 12 texts."""
    campaign = make_campaign(items=8, systems=2, k=2)
    bob = make_annotator(campaign)
    rate_all(bob)
    paced(bob, seconds)
    return campaign, bob


def expire(campaign, *names):
    """Have each of these claim the only sheet and lose it to the next."""
    for name in names:
        assert claim_next(annotator=make_annotator(campaign, name)) is not None
        Slot.objects.filter(campaign=campaign, state="claimed").update(
            lease_expires_at=clock.now() - HOUR
        )


def found(campaign, **changes):
    """The alarms of now, by the thresholds with `changes`."""
    watch = watch_of(campaign=campaign)
    for name, value in changes.items():
        setattr(watch, name, value)
    now = clock.now()
    numbers = {"people": people_figures(campaign=campaign, now=now)}
    return alarms_found(campaign=campaign, watch=watch, numbers=numbers, now=now)
