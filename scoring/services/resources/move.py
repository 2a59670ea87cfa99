"""Changing who may use a resource, and with it what made it."""

from __future__ import annotations

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.models import Ownership, Visibility
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from scoring.models import Build, Resource
from scoring.models.build import build_digest
from scoring.services.resources.remove import refuse_in_use


def resource_move(*, resource: Resource, place: Ownership, actor: Actor) -> Resource:
    """Put a resource into another place, with the builds that made it; its owner stays.

    Raises Conflict while somebody uses it who may not be able to afterwards, and if the place has
    the same content. Callers check permission first (`refuse_move`).
    """
    place = Ownership(place.scope, place.campaign, resource.created_by_id)
    fields = place.fields()
    try:
        with short_write():
            if place.scope != Visibility.SITE:
                refuse_in_use(resource=resource, actor=actor)
            before = resource.place
            Resource.objects.filter(pk=resource.pk, bound=False).update(**fields)
            for build in Build.objects.filter(before.within(), resource=resource, bound=False):
                digest = build_digest(build.signature, place)
                Build.objects.filter(pk=build.pk).update(**fields, options_hash=digest)
            audit(
                actor=actor, verb="change scope", about=resource, campaign=place.campaign,
                name=resource.name, before=str(before.scope), after=str(place.scope),
            )  # fmt: skip
    except IntegrityError as error:
        raise Conflict(
            _("The same content is there already: remove this one, or that one, first.")
        ) from error
    resource.refresh_from_db()
    return resource
