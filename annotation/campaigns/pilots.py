"""Pilots: real people try out a campaign on a few of its texts.

A pilot is a campaign of its own, copied from the one that it tries out. So its judgments are marked
by where they are, its questions may still be changed in the other, and none of it reaches the
other's gold, agreement or results unless somebody exports and imports it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from hashlib import sha256
from secrets import SystemRandom

from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.campaigns.copying import TextRows, members_copy, without_practice
from annotation.campaigns.queries import (
    LEFT_OUT,
    judgments_to_take,
    obstacle,
    twins_of,
    voices_of,
    voices_out,
)
from annotation.campaigns.services import campaign_close, campaign_create, campaign_open
from annotation.campaigns.templating.queries import template_of
from annotation.database import Actor, audit, bulk_insert, lock_row, reserve_ids, short_write
from annotation.errors import Conflict, Invalid
from annotation.importing.report import batch_make
from annotation.models import (
    Annotator,
    Campaign,
    Guideline,
    ImportBatch,
    Judgment,
    JudgmentVersion,
    Membership,
    Substitution,
)
from annotation.people.exclusions import exclusion_add, exclusion_lift
from paraanno import clock

MOST_TEXTS, MOST_PILOTS = 100, 50
STAFF = (Membership.Role.OWNER, Membership.Role.RESEARCHER, Membership.Role.VIEWER)
_random = SystemRandom()


def pilot_start(
    *, campaign: Campaign, texts: int, people: Collection[int], actor: Actor
) -> Campaign:
    """Open a pilot of the campaign on some of its originals, drawn at random.

    people   ids of members who judge in it; each judges every sheet. More may be invited there.

    Owners, researchers and viewers have the same role in it. Raises Invalid if there is nothing to
    judge, or the campaign is a pilot itself, and Conflict while another pilot is under way.
    """
    if campaign.pilot:
        raise Invalid(_("This is a pilot already."))
    if not 1 <= texts <= MOST_TEXTS:
        raise Invalid(_("A pilot has 1 to %(most)s originals.") % {"most": MOST_TEXTS})
    if not campaign.scales.exists():
        raise Invalid(_("The campaign asks nothing yet: add a scale first."))
    outputs = campaign.substitutions.filter(role=Substitution.Role.OUTPUT).order_by()
    items = list(outputs.values_list("item", flat=True).distinct())
    if not items:
        raise Invalid(_("The campaign has no paraphrases yet: import items first."))
    rows = TextRows.of_items(campaign, _random.sample(items, min(texts, len(items))))
    design = template_of(campaign=campaign)
    name = _("Pilot: %(name)s") % {"name": campaign.name}
    settings = {
        **design.settings,
        "name": name[:200],
        "annotators_per_sheet": max(1, len(people)),
        "shared_share": 0.0,
    }
    with short_write():
        campaign = lock_row(Campaign, campaign.pk)
        before = campaign.copies.filter(pilot=True)
        if before.exclude(status=Campaign.Status.CLOSED).exists():
            raise Conflict(_("Another pilot is under way: end it first."))
        if before.count() >= MOST_PILOTS:
            raise Invalid(_("There were %(most)s pilots already.") % {"most": MOST_PILOTS})
        pilot = campaign_create(
            actor=None,
            slug=_free_slug(campaign),
            copied_from=campaign,
            pilot=True,
            template=without_practice(replace(design, settings=settings, panel=None)),
        )
        rows.write(pilot)
        come = campaign.memberships.filter(Q(role__in=STAFF) | Q(user__in=people))
        members_copy(source=campaign, copy=pilot, members=come)
        pilot = campaign_open(campaign=pilot, actor=actor)
        for about in (campaign, pilot):
            audit(
                actor=actor,
                verb="start pilot",
                about=about,
                campaign=about,
                pilot=pilot.slug,
                texts=len(rows.items),
                people=len(people),
            )
    return pilot


def pilot_end(*, pilot: Campaign, actor: Actor) -> Campaign:
    """Close the pilot: it leaves the lists of everybody, and its annotators are no members any
    more. Its judgments and their history are kept where they are.
    """
    if not pilot.pilot:
        raise Invalid(_("This is no pilot."))
    with short_write():
        pilot = campaign_close(campaign=pilot, actor=actor)
        memberships = Membership.objects.filter(campaign=pilot, role=Membership.Role.ANNOTATOR)
        gone, _models = memberships.delete()
        pilot.invitations.filter(revoked_at=None).update(revoked_at=pilot.closed_at)
        for about in (pilot, pilot.copied_from):
            if about is not None:
                audit(
                    actor=actor,
                    verb="end pilot",
                    about=about,
                    campaign=about,
                    pilot=pilot.slug,
                    annotators=gone,
                )
    return pilot


def _free_slug(campaign: Campaign) -> str:
    """`camp-pilot`, or the next with a number."""
    base = f"{campaign.slug[:48]}-pilot"
    taken = set(Campaign.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(
        slug
        for number in range(1, len(taken) + 2)
        if (slug := base if number == 1 else f"{base}-{number}") not in taken
    )


# Take the judgments of a pilot into its campaign, and leave them out again.
#
# They are under annotators of their own, marked by their origin, so that nobody's later work is
# mixed with them. Leaving out is an exclusion of these annotators; including again lifts it.


CODE_LENGTH = 60


def pilot_take_over(*, pilot: Campaign, actor: Actor) -> int:
    """Let the pilot's judgments count in the campaign; return how many answers came.

    Once they were taken over, this lifts the exclusion by which they were left out. Answers of a
    person to a text that they judged in the campaign too stay behind. Raises Invalid, with the
    reason, where texts or scales are not the same any more, and Conflict if they count already.
    """
    source = pilot.copied_from if pilot.pilot else None
    if not pilot.pilot:
        raise Invalid(_("This is no pilot."))
    if voices_of(pilot=pilot).exists():
        return _take_in_again(pilot, actor)
    why = obstacle(pilot=pilot, source=source)
    if why or source is None:
        raise Invalid(why)
    with short_write():
        source = lock_row(Campaign, source.pk)
        if voices_of(pilot=pilot).exists():
            raise Conflict(_("The judgments of this pilot count already."))
        n = _write(pilot, source, actor)
        audit(
            actor=actor,
            verb="take over pilot",
            about=source,
            campaign=source,
            pilot=pilot.slug,
            judgments=n,
        )
    return n


def pilot_leave_out(*, pilot: Campaign, actor: Actor) -> int:
    """Exclude the pilot's judgments from all statistics; return of how many people.

    Raises Invalid if they do not count.
    """
    inside = voices_of(pilot=pilot).exclude(exclusions__in=voices_out(pilot=pilot))
    rows = [one for one in inside if not one.exclusions.filter(ends_at=None).exists()]
    if not rows:
        raise Invalid(_("The judgments of this pilot do not count."))
    with short_write():
        for one in rows:
            exclusion_add(target=one, reason=LEFT_OUT, actor=actor, free_slots=False)
        _audit_source("leave out pilot", pilot, actor)
    return len(rows)


def _take_in_again(pilot: Campaign, actor: Actor) -> int:
    out = list(voices_out(pilot=pilot))
    if not out:
        raise Conflict(_("The judgments of this pilot count already."))
    with short_write():
        for one in out:
            exclusion_lift(exclusion=one, actor=actor)
        _audit_source("take over pilot", pilot, actor)
    annotator_ids = [one.annotator_id for one in out]
    return Judgment.objects.filter(annotator__in=annotator_ids).count()


def _audit_source(verb: str, pilot: Campaign, actor: Actor) -> None:
    source = pilot.copied_from
    if source is not None:
        audit(actor=actor, verb=verb, about=source, campaign=source, pilot=pilot.slug)


def _rows(pilot: Campaign, source: Campaign, twins: dict[int, int]) -> list[Judgment]:
    """The answers, without those of people to texts that they judged in the campaign too."""
    rows = judgments_to_take(pilot=pilot).filter(substitution__in=list(twins))
    own = Judgment.objects.filter(campaign=source, substitution__in=list(twins.values()))
    again = set(own.exclude(annotator__user=None).values_list("annotator__user", "substitution"))
    judgments = rows.select_related("annotator", "scale", "guideline").order_by("pk")
    return [
        one for one in judgments if (one.annotator.user_id, twins[one.substitution_id]) not in again
    ]


def _write(pilot: Campaign, source: Campaign, actor: Actor) -> int:
    twins = twins_of(pilot=pilot, source=source)
    rows = _rows(pilot, source, twins)
    if not rows:
        raise Invalid(_("Everybody has judged the same texts in the campaign already."))
    annotator_ids = _copied_annotators(pilot, source, {one.annotator for one in rows})
    batch = batch_make(
        campaign=source,
        what=ImportBatch.What.JUDGMENTS,
        name=pilot.slug,
        sha256=sha256(pilot.slug.encode()).hexdigest(),
        rows=len(rows),
        counts={"judgments": len(rows), "annotators": len(annotator_ids)},
        actor=actor,
        provenance={"pilot": pilot.slug},
    )
    scales = dict(source.scales.values_list("name", "pk"))
    # The guidelines count as the same where their text is.
    texts = dict(Guideline.objects.filter(campaign=source).values_list("text", "pk"))
    now, ids = clock.now(), reserve_ids(Judgment, len(rows))
    guidelines = [texts.get(one.guideline.text) if one.guideline else None for one in rows]
    made = list(zip(ids, rows, guidelines, strict=True))
    bulk_insert(
        Judgment,
        (
            "id",
            "campaign_id",
            "annotator_id",
            "substitution_id",
            "scale_id",
            "occasion",
            "kind",
            "value",
            "reason",
            "comment",
            "status",
            "version",
            "guideline_id",
            "batch_id",
            "recorded_at",
            "judged_at",
        ),
        (
            (
                pk,
                source.pk,
                annotator_ids[one.annotator_id],
                twins[one.substitution_id],
                scales[one.scale.name],
                one.occasion,
                one.kind,
                one.value,
                one.reason,
                one.comment,
                one.status,
                1,
                guideline,
                batch.pk,
                now,
                one.recorded_at,
            )
            for pk, one, guideline in made
        ),
    )
    bulk_insert(
        JudgmentVersion,
        (
            "judgment_id",
            "version",
            "value",
            "reason",
            "comment",
            "status",
            "guideline_id",
            "recorded_at",
        ),
        (
            (pk, 1, one.value, one.reason, one.comment, one.status, guideline, now)
            for pk, one, guideline in made
        ),
    )
    return len(rows)


def _copied_annotators(pilot: Campaign, source: Campaign, people: set[Annotator]) -> dict[int, int]:
    """Make an annotator for everybody, with a code that begins with the pilot's; ids by the
    people's."""
    taken = set(source.annotators.values_list("code", flat=True))
    annotator_ids: dict[int, int] = {}
    for one in sorted(people, key=lambda person: person.code):
        base = f"{pilot.slug}-{one.code}"[: CODE_LENGTH - 4]
        code = next(
            name
            for number in range(1, len(taken) + 2)
            if (name := base if number == 1 else f"{base}-{number}") not in taken
        )
        taken.add(code)
        voice = Annotator.objects.create(
            campaign=source,
            code=code,
            origin=Annotator.Origin.PILOT,
            from_pilot=one,
            not_blind_since=one.not_blind_since,
        )
        annotator_ids[one.pk] = voice.pk
    return annotator_ids
