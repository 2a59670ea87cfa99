"""Withdrawal: an annotator leaves a campaign, and may return by a new invitation."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotAllowed
from annotation.models import (
    Annotator,
    AuditEntry,
    BackgroundAnswer,
    Consent,
    Exclusion,
    Invitation,
    Letter,
    Membership,
    PartOutcome,
    SlotEvent,
    Withdrawal,
)
from annotation.models.people.exclusion import OWN_WISH
from annotation.selectors.people.parts import part_of
from annotation.services.audit import Actor, audit
from annotation.services.letters.writing import letters_forget
from annotation.services.people.exclusions import annotator_lock, exclusion_add, exclusion_lift
from annotation.services.people.parts import give_back_all, ids_forget, part_end
from annotation.services.transactions import short_write
from paraanno import clock

Judgments = Withdrawal.Judgments


def annotator_withdraw(
    *, annotator: Annotator, judgments: str = Judgments.KEEP, erase: bool = False
) -> Withdrawal:
    """Withdraw the annotator; idempotent.

    Open sheets are freed and the consent ends. With `judgments="remove"` the annotator's judgments
    are excluded from all statistics and their slots are opened to others. `erase` removes the login
    and the background answers, so that only the code is left. Raises NotAllowed if the campaign
    does not offer the choice, and Invalid for an annotator without a login.
    """
    user, campaign = annotator.user, annotator.campaign
    if user is None:
        raise Invalid(_("Only annotators with a login can withdraw."))
    if judgments not in Judgments.values:
        raise Invalid(_("Choose whether the judgments are kept."))
    if judgments == Judgments.REMOVE and not campaign.allow_removal:
        raise NotAllowed(_("In this campaign judgments are kept."))
    if erase and not campaign.allow_erasure:
        raise NotAllowed(_("In this campaign logins are not erased."))
    now = clock.now()
    voices = _pilot_voices(annotator)
    # An erased annotator must not be named by the audit entry of the erasure.
    actor = None if erase else user
    with short_write():
        annotator_lock(annotator)
        left = Withdrawal.objects.filter(annotator=annotator, ended_at=None).first()
        if left is not None:
            return left
        left = Withdrawal.objects.create(
            campaign=campaign, annotator=annotator, judgments=judgments, erased=erase, at=now
        )
        Consent.objects.filter(annotator=annotator, ended_at=None).update(ended_at=now)
        if judgments == Judgments.REMOVE:
            _take_out(annotator, now, actor)
            for one in voices:
                _take_out(one, now, actor)
        else:
            give_back_all(annotator, now)
        mine = Membership.objects.filter(campaign=campaign, user=user)
        mine.filter(role=Membership.Role.ANNOTATOR).delete()
        part = part_of(annotator=annotator)
        if part is not None:
            part_end(part=part, outcome=PartOutcome.WITHDRAWN, now=now, actor=actor)
        letters = Letter.objects.filter(
            invitation__in=Invitation.objects.filter(annotators=annotator, max_uses=1)
        )
        letters_forget(letters)
        if erase:
            letters.delete()
            ids_forget(annotator=annotator)
            _erase(annotator, user, in_log=mine.exists())
            Annotator.objects.filter(pk__in=[one.pk for one in voices]).update(from_pilot=None)
        audit(
            actor=actor, verb="withdraw", about=annotator, campaign=campaign,
            judgments=judgments, erased=erase,
        )  # fmt: skip
    return left


def _pilot_voices(annotator: Annotator) -> list[Annotator]:
    """The annotators under which their judgments in pilots are in the campaign."""
    theirs = Q(from_pilot=annotator)
    if annotator.user_id is not None:
        theirs |= Q(campaign=annotator.campaign, from_pilot__user=annotator.user_id)
    return list(Annotator.objects.filter(theirs).order_by("pk"))


def _take_out(annotator: Annotator, now: datetime, actor: Actor) -> None:
    """Replace a researcher's exclusion, which could be lifted, by the annotator's own
    withdrawal.
    """
    Exclusion.objects.filter(annotator=annotator, ends_at=None).update(ends_at=now)
    exclusion_add(target=annotator, reason=OWN_WISH, actor=actor, kind=Exclusion.Kind.WITHDRAWAL)


def _erase(annotator: Annotator, user: User, *, in_log: bool) -> None:
    """Remove every link from the annotator to the user; the log still names members who stay as
    researchers.
    """
    BackgroundAnswer.objects.filter(annotator=annotator).delete()
    Annotator.objects.filter(pk=annotator.pk).update(user=None, invitation=None)
    annotator.user, annotator.invitation = None, None
    if in_log:
        return
    campaign = annotator.campaign
    SlotEvent.objects.filter(slot__campaign=campaign, actor=user).update(actor=None)
    wishes = Exclusion.objects.filter(campaign=campaign)
    wishes.filter(created_by=user).update(created_by=None)
    wishes.filter(lifted_by=user).update(lifted_by=None)
    log = AuditEntry.objects.filter(campaign=campaign)
    log.filter(actor=user).update(actor=None)
    log.filter(person=user).update(person=None)
    log.filter(object_type="user", object_id=str(user.pk)).update(object_id="erased")


def annotator_return(*, annotator: Annotator, actor: Actor) -> None:
    """End the withdrawal; removed judgments count again where a slot is free."""
    now = clock.now()
    with short_write():
        annotator_lock(annotator)
        ended = Withdrawal.objects.filter(annotator=annotator, ended_at=None).update(ended_at=now)
        if not ended:
            return
        own = Exclusion.objects.filter(
            annotator__in=[annotator, *_pilot_voices(annotator)],
            kind=Exclusion.Kind.WITHDRAWAL, ends_at=None,
        )  # fmt: skip
        for one in own.order_by("pk"):
            exclusion_lift(exclusion=one, actor=actor, returning=True)
        audit(actor=actor, verb="come back", about=annotator, campaign=annotator.campaign)
