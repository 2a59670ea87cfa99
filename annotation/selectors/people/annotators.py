"""The annotator that a request acts as."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from annotation.errors import NotAllowed, NotFound
from annotation.models import Annotator, ApiToken, Campaign
from annotation.selectors.access import TokenScope, User, known, reach_of
from annotation.selectors.collecting import sql


class WrongAnnotator(NotAllowed):
    """The answer was given by a user other than the one logged in; it is not stored."""

    code = "wrong_annotator"


def own_annotator(*, user: User, key: UUID) -> Annotator:
    """Return the user's own annotator with this key; one query.

    Raises WrongAnnotator for any other key, also if the user has left the campaign.
    """
    user = known(user)
    annotator = sql.own_annotator(key=key, user_id=user.pk, everywhere=user.is_superuser)
    if annotator is None:
        raise WrongAnnotator(_("You are not logged in as the person who gave this answer."))
    reach = reach_of(user)
    if reach and not (reach.includes(annotator.campaign_id) and reach.grants(ApiToken.Scope.JUDGE)):
        raise TokenScope(_("The scope of this token does not allow that."))
    return annotator


def annotator_with(*, key: UUID) -> Annotator:
    """Return the annotator with this key and the campaign, for a caller that has checked whose it
    is; one query."""
    return Annotator.objects.select_related("campaign").get(key=key)


def annotator_of(*, campaign: Campaign, user: User) -> Annotator | None:
    """Return the user's annotator in a campaign; None if they have not started."""
    return Annotator.objects.filter(campaign=campaign, user_id=known(user).pk).first()


def annotator_in(*, user: User, slug: str) -> Annotator | None:
    """Return the user's annotator in the campaign with this slug; None if there is none."""
    found = Annotator.objects.filter(campaign__slug=slug, user_id=known(user).pk).first()
    reach = reach_of(user)
    return found if found and (reach is None or reach.includes(found.campaign_id)) else None


def annotator_at(*, user: User, sheet: UUID) -> Annotator:
    """Return the user's annotator in the campaign of a sheet; the sheet may be anybody's.

    Raises NotFound if they have none there, and WrongAnnotator if they have left the campaign.
    """
    rows = Annotator.objects.filter(campaign__sheets__key=sheet, user_id=known(user).pk)
    annotator = rows.only("key").first()
    if annotator is None:
        raise NotFound(_("There is no such sheet."))
    return own_annotator(user=user, key=annotator.key)
