"""Builds: who may see and cancel them, and the rows of their list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import NotAllowed
from annotation.models import Campaign
from annotation.selectors.access import User
from annotation.selectors.scope import may_keep, one_of, seen_in
from scoring.building.recipes.recipe import Recipe
from scoring.building.recipes.registry import names, recipe
from scoring.models import Build, Resource
from scoring.selectors.resources import inputs_seen, resources_for

TOLD_FOR = timedelta(days=1)
SHOWN_BUILDS = 10

# What recipes make for a campaign, on pages of its own.
OF_CAMPAIGNS = ("test_set", "extrinsic")


@dataclass(frozen=True, slots=True)
class RecipeOffer:
    """A recipe with the resources that can be its inputs, by role."""

    recipe: Recipe
    inputs: tuple[tuple[str, Sequence[Resource]], ...]

    @property
    def possible(self) -> bool:
        """Whether there is something for each role that needs it."""
        return all(found for role, found in self.inputs if role not in self.recipe.optional)


@dataclass(frozen=True, slots=True)
class BuildRow:
    """A build, and whether this user may cancel it."""

    build: Build
    mine: bool

    @property
    def active(self) -> bool:
        return self.build.status in Build.ACTIVE


def builds_for(
    *, user: User, campaign: Campaign | None = None, add: bool = False
) -> QuerySet[Build]:
    """The builds that the user sees, with `campaign` those that they may use for it, and of what
    they were made as far as they see that; NotFound and NotAllowed as for resources."""
    resources_for(user=user, add=add)
    rows = Build.objects.filter(seen_in(user=user, campaign=campaign))
    related = rows.select_related("created_by", "campaign", "resource")
    return related.prefetch_related(inputs_seen(user=user))


def build_get(
    *, user: User, key: UUID | str, campaign: Campaign | None = None, cancel: bool = False
) -> Build:
    """One build. Raises NotFound if this user sees none, with `campaign` if they may not use it for
    that, and NotAllowed for cancelling by a user who neither owns it or its campaign nor
    administers the site."""
    rows = builds_for(user=user, campaign=campaign)
    build = one_of(rows, key=key, no_such=_("There is no such build."))
    if cancel and not may_keep(row=build, user=user):
        raise NotAllowed(_("Only the user who asked for it, or an administrator, may cancel it."))
    return build


def build_rows(*, user: User) -> list[BuildRow]:
    """Builds that are active, or failed within a day; newest first."""
    return [build_row(build=build, user=user) for build in builds_for(user=user).filter(_news())]


def builds_shown(
    *, user: User, campaign: Campaign, recipe: str, is_there: Callable[[Build], bool]
) -> list[Build]:
    """The newest of a recipe for the campaign that are being made, failed within a day, or were
    made and are still there."""
    done = Q(status=Build.Status.DONE)
    rows = builds_for(user=user, campaign=campaign).filter(done | _news(), recipe=recipe)
    found = rows[: 3 * SHOWN_BUILDS]
    return [one for one in found if one.status != Build.Status.DONE or is_there(one)][:SHOWN_BUILDS]


def build_row(*, build: Build, user: User) -> BuildRow:
    """One row of that list."""
    return BuildRow(build, may_keep(row=build, user=user))


def recipe_offers(*, user: User) -> list[RecipeOffer]:
    """The recipes of resources in their order, each with what there is for it."""
    found = map(recipe, names())
    return [recipe_offer(user=user, recipe=one) for one in found if one.kind not in OF_CAMPAIGNS]


def recipe_offer(*, user: User, recipe: Recipe, campaign: Campaign | None = None) -> RecipeOffer:
    """A recipe with what there is for it, with `campaign` to use for that."""
    rows = resources_for(user=user, campaign=campaign)
    ready = list(rows.filter(status=Resource.Status.READY))
    return RecipeOffer(
        recipe,
        tuple(
            (role, [found for found in ready if found.kind == kind])
            for role, kind in recipe.inputs.items()
        ),
    )


def _news() -> Q:
    failed = Q(status=Build.Status.FAILED, finished_at__gte=Now() - TOLD_FOR)
    return Q(status__in=Build.ACTIVE) | failed
