"""Whether the judgments of a pilot are in its campaign, or could be."""

from __future__ import annotations

from dataclasses import fields

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Annotator, Campaign, Exclusion, Judgment, Substitution
from annotation.selectors.access import User, campaign_get
from annotation.selectors.campaigns.template import template_of
from paraanno.plain.campaign_template import ScaleTemplate
from paraanno.plain.sentence import say

OUTPUT = Substitution.Role.OUTPUT
# The reason of the exclusions by which they are left out again.
LEFT_OUT = say("The judgments of the pilot are left out.")
# What may differ between the two: it changes no value.
FREE = ("threshold", "required")


def source_to_change(*, user: User, pilot: Campaign) -> Campaign:
    """Return the campaign that the pilot tries out, for a user who may change it too.

    Raises Invalid if there is none, and as `campaign_get` does.
    """
    if not pilot.pilot or pilot.copied_from is None:
        raise Invalid(_("This is no pilot of a campaign."))
    return campaign_get(user=user, slug=pilot.copied_from.slug, right="research")[0]


def voices_of(*, pilot: Campaign) -> QuerySet[Annotator]:
    """Return the annotators under which its judgments are in the campaign."""
    return Annotator.objects.filter(from_pilot__campaign=pilot)


def voices_out(*, pilot: Campaign) -> QuerySet[Exclusion]:
    """Return the exclusions in force by which the pilot was left out."""
    return Exclusion.objects.filter(
        annotator__in=voices_of(pilot=pilot), kind=Exclusion.Kind.EXCLUSION, ends_at=None,
        reason=str(LEFT_OUT),
    )  # fmt: skip


def pilot_counts(*, pilot: Campaign) -> bool | None:
    """Return whether its judgments count in the campaign; None if they were never taken over."""
    if not voices_of(pilot=pilot).exists():
        return None
    return not voices_out(pilot=pilot).exists()


def judgments_to_take(*, pilot: Campaign) -> QuerySet[Judgment]:
    """Return the counted answers to outputs by people who are not excluded in the pilot."""
    out = Exclusion.objects.filter(campaign=pilot, ends_at=None).exclude(annotator=None)
    return Judgment.objects.filter(
        campaign=pilot, status=Judgment.Status.COUNTED, kind=Judgment.Kind.RATING,
        substitution__role=OUTPUT,
    ).exclude(annotator__in=out.values("annotator"))  # fmt: skip


def twins_of(*, pilot: Campaign, source: Campaign) -> dict[int, int]:
    """Return the campaign's texts that are equal to the pilot's, by those; two queries.

    Equal: the same paraphrase of the same span of the same sentence, shown in the same context.
    """
    names = ("item__identity_hash", "text_hash", "context_hash")
    mine = Substitution.objects.filter(campaign=pilot, role=OUTPUT).order_by()
    theirs = Substitution.objects.filter(campaign=source, role=OUTPUT).order_by()
    theirs = theirs.filter(text_hash__in=mine.values("text_hash"))
    known = {tuple(key): pk for pk, *key in theirs.values_list("pk", *names)}
    rows = mine.values_list("pk", *names)
    return {pk: known[tuple(key)] for pk, *key in rows if tuple(key) in known}


def obstacle(*, pilot: Campaign, source: Campaign | None) -> str:
    """Return why its judgments cannot be taken over; empty if they can."""
    if source is None:
        return _("The campaign that it tried out is gone.")
    if pilot.status != Campaign.Status.CLOSED:
        return _("The pilot is under way: end it first.")
    judged = judgments_to_take(pilot=pilot).order_by()
    if not judged.exists():
        return _("There are no judgments to take over.")
    why = _scales_differ(pilot, source)
    if why:
        return why
    twins = twins_of(pilot=pilot, source=source)
    gone = judged.exclude(substitution__in=list(twins)).values("substitution")
    missing = Substitution.objects.filter(pk__in=gone).order_by("pk")
    first = missing.first()
    if first is None:
        return ""
    return _(
        "%(n)s judged texts are not in the campaign any more, or not the same; the first is "
        "“%(text)s”."
    ) % {"n": missing.count(), "text": first.text[:80]}


def _scales_differ(pilot: Campaign, source: Campaign) -> str:
    now = {one.name: one for one in template_of(campaign=source).scales or ()}
    for scale in template_of(campaign=pilot).scales or ():
        other = now.pop(scale.name, None)
        if other is None:
            return _("The campaign has no scale %(name)s any more.") % {"name": scale.name}
        parts = [one.name for one in fields(ScaleTemplate) if one.name not in FREE]
        differ = [one for one in parts if getattr(scale, one) != getattr(other, one)]
        if differ:
            return _("The scale %(name)s has been changed since: %(fields)s.") % {
                "name": scale.name, "fields": ", ".join(differ),
            }  # fmt: skip
    if now:
        return _("The campaign has a scale %(name)s, which the pilot did not ask about.") % {
            "name": next(iter(now))
        }
    return ""


def counted_twice(*, pilot: Campaign) -> int:
    """Return how many answers taken over are of people who judged the same text and scale in the
    campaign too; one query."""
    own = Judgment.objects.filter(
        Q(annotator__user=OuterRef("annotator__from_pilot__user")),
        substitution=OuterRef("substitution"), scale=OuterRef("scale"),
        status=Judgment.Status.COUNTED,
    )  # fmt: skip
    taken = Judgment.objects.filter(annotator__in=voices_of(pilot=pilot))
    return taken.filter(Exists(own)).count()
