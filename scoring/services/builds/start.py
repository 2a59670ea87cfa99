"""Builds: asking for one, and cancelling it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Ownership, Visibility
from annotation.selectors.access import refuse_archived
from annotation.selectors.scope import one_of, place_of, seen_in
from annotation.services.audit import Actor, audit
from annotation.services.people.creators import quota_check
from annotation.services.transactions import short_write
from paraanno.jobs.engine import cancel
from paraanno.plain.sentence import said
from paraanno.translated import translated
from scoring.building.recipes.recipe import Recipe
from scoring.building.recipes.registry import recipe as recipe_called
from scoring.jobs import BUILD
from scoring.models import Build, BuildInput, Resource
from scoring.models.build import TEXTS, build_digest


def build_start(
    *, recipe: str, inputs: Mapping[str, UUID | str], options: Mapping[str, object],
    campaign: Campaign | None = None, own_texts: bool = False, sent: Resource | None = None,
    place: Ownership | None = None, name: str = "", actor: Actor,
) -> tuple[Build, bool]:  # fmt: skip
    """Ask for a build; `inputs` has the keys of resources by role. With `own_texts` those of
    `campaign` are the input `texts`, which the work writes first (own_texts.py); with `sent` those
    of a file that may still have to be read (sent_texts.py).

    campaign  that it is asked for: inputs are looked up among what the actor may use for it
    place     where the result is to be, by default the campaign's or else the actor's own; what is
              made of something of a campaign is that campaign's, whatever was asked for

    The same recipe, options and inputs in the same place give the build that is active, or done and
    still there; of a campaign's own texts one that is active, for they may have changed.
    Returns it, and whether it is new. Raises NotFound for inputs that the actor does not see,
    Invalid for an unknown recipe or option, for inputs of two campaigns and those that are missing,
    not ready, of another kind or too large.
    """
    try:
        found = recipe_called(recipe)
        read = found.read(options)
        among = _usable(actor, campaign)
        resources = {role: _input(among, found, role, key) for role, key in inputs.items()}
        if sent is not None:
            resources[TEXTS] = sent
        found.check({*resources, *({TEXTS} if own_texts else ())})
        signature = found.signature({role: _content(one) for role, one in resources.items()}, read)
    except ValueError as error:
        raise Invalid(translated(said(error))) from error
    of = campaign if own_texts else None
    asked = place or place_of(actor, campaign)
    place = _place(asked, resources.values(), of, actor)
    digest = build_digest(signature, place, "own texts" if own_texts else "")
    try:
        with short_write():
            active = Build.objects.filter(options_hash=digest, status__in=Build.ACTIVE).first()
            known = active or build_made(digest=digest)
            if known is not None:
                return known, False
            quota_check(actor=actor, model=Resource, most=settings.RESOURCES_PER_USER)
            named = [*([of] if of else ()), *resources.values()]
            label = name or ", ".join([str(found.title), *(one.name for one in named)])
            build = Build.objects.create(
                recipe=found.name, name=label[:200], options=read, options_hash=digest,
                signature=signature, own_texts=own_texts, **place.fields(),
                created_by_id=actor.pk if actor else None,
            )  # fmt: skip
            BuildInput.objects.bulk_create(
                BuildInput(build=build, role=role, resource=one) for role, one in resources.items()
            )
            audit(
                actor=actor, verb="build resource", about=build, campaign=place.campaign,
                recipe=recipe,
            )  # fmt: skip
            BUILD.notify(build.pk)
    except IntegrityError:  # Somebody asked for the same at the same moment.
        return Build.objects.get(options_hash=digest, status__in=Build.ACTIVE), False
    return build, True


def build_made(*, digest: str) -> Build | None:
    """The build of that digest of its signature that is done, and still there."""
    done = Build.objects.filter(options_hash=digest, status=Build.Status.DONE)
    return next(filter(_is_there, done), None)


def build_cancel(*, build: Build, actor: Actor) -> None:
    """Cancel a build; its process stops at the next share that it reports. Raises Conflict if it is
    over. Callers check permission first."""
    with short_write():
        if not cancel(BUILD, build):
            raise Conflict(_("This build has ended."))
        audit(actor=actor, verb="cancel build", about=build, campaign=build.campaign)


def _usable(actor: Actor, campaign: Campaign | None) -> QuerySet[Resource]:
    """What the actor may make something of; the command line, of everything."""
    if not isinstance(actor, User):
        return Resource.objects.all()
    return Resource.objects.filter(seen_in(user=actor, campaign=campaign))


def _place(
    asked: Ownership, resources: Collection[Resource], texts_of: Campaign | None, actor: Actor
) -> Ownership:
    """Where the result is to be. Raises Invalid for inputs of two campaigns, NotAllowed for an
    archived one."""
    found = {one.campaign for one in resources if one.campaign is not None}
    campaigns = found | ({texts_of} if texts_of else set())
    if len(campaigns) > 1:
        raise Invalid(_("These are of two campaigns: what is of one stays with that one."))
    me = actor.pk if actor else None
    # What colleagues gave to a campaign is not the actor's to take further.
    foreign = any(one.bound or (one.campaign and one.created_by_id != me) for one in resources)
    bound = texts_of is not None or foreign
    if campaigns:
        [campaign] = campaigns
        refuse_archived(campaign)
        return Ownership(Visibility.CAMPAIGN, campaign, me, bound)
    return Ownership(Visibility.MINE, None, me, bound) if bound else asked


def _input(among: QuerySet[Resource], recipe: Recipe, role: str, key: UUID | str) -> Resource:
    found = one_of(among, key=key, no_such=_("There is no such resource."))
    kind = recipe.inputs.get(role, "")
    if found.kind != kind or found.status != Resource.Status.READY or not found.stored.is_dir():
        raise Invalid(
            _("There is no resource %(key)s that is ready and can be %(role)s of %(recipe)s.")
            % {"key": f"{str(key)!r}", "role": role, "recipe": recipe.name}
        )
    if found.meta.get("words", 0) > settings.BUILD_MAX_WORDS:
        raise Invalid(
            _(
                "%(name)s has more than %(most)s words: use a smaller one, or ask an "
                "administrator, who can raise PARAANNO_BUILD_MAX_WORDS."
            )
            % {"name": found.name, "most": settings.BUILD_MAX_WORDS}
        )
    return found


def _content(resource: Resource) -> Path | str:
    """What decides the content of an input: its store, or the SHA-256 of a file to be read."""
    return resource.stored if resource.status == Resource.Status.READY else resource.sha256


def _is_there(build: Build) -> bool:
    return build.resource is not None and Path(build.resource.stored).exists()
