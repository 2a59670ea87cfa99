"""Templates of campaigns: those that come with the application, and those that people save."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotFound
from annotation.importers import TemplateRead
from annotation.models import Ownership, SavedTemplate
from annotation.selectors.campaigns.templates import saved_get, saved_templates
from annotation.selectors.scope import place_of
from annotation.services.audit import Actor, audit
from annotation.services.campaigns.template_check import template_read
from annotation.services.transactions import short_write
from annotation.starters import LABELS, NAMES, starter_text
from paraanno.plain.campaign_template import CampaignTemplate
from paraanno.translated import translated


@cache
def _starter(name: str) -> CampaignTemplate:
    read = template_read(data=starter_text(name).encode(), name=f"{name}.yaml")
    if read.template is None:
        raise ValueError("\n".join(map(str, read.problems)))
    return read.template


class Starters(Mapping[str, CampaignTemplate]):
    """The templates that come with the application, by name, read when they are asked for."""

    def __getitem__(self, name: str) -> CampaignTemplate:
        if name not in NAMES:
            raise KeyError(name)
        return _starter(name)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


TEMPLATES = Starters()


def template_named(name: str, actor: Actor = None) -> CampaignTemplate:
    """Return a template by name; raises Invalid, naming the others that the actor sees, if there is
    none."""
    if name in TEMPLATES:
        return TEMPLATES[name]
    user = actor if isinstance(actor, User) else None
    try:
        row = saved_get(user=user, name=name)
    except NotFound:
        known = [*LABELS, *(one.name for one in saved_templates(user=user))]
        raise Invalid(
            _("There is no template %(template)s: use one of %(templates)s.")
            % {"template": f"{name!r}", "templates": ", ".join(known)}
        ) from None
    return template_ok(template_read(data=row.text.encode(), name=f"{name}.yaml"))


def template_ok(read: TemplateRead) -> CampaignTemplate:
    """Return the template; raises Invalid with its first problem, and all in `problems`."""
    if read.template is None:
        first = read.problems[0]
        where = f"{first.file}:{first.line}: "
        column = f"{first.column}: " if first.column else ""
        raise Invalid(
            f"{where}{column}{translated(first.message)}", problems=list(map(str, read.problems))
        )
    return read.template


def saved_template_add(
    *, name: str, label: str, text: str, place: Ownership | None = None, actor: Actor
) -> SavedTemplate:
    """Save a template in the place, by default the actor's own.

    Raises Invalid if the name is taken there or no short name, or the file has an error.
    """
    if name in TEMPLATES:
        raise Invalid(_taken(name))
    try:
        validate_slug(name)
    except ValidationError as error:
        raise Invalid(_("A short name has letters, digits, - and _.")) from error
    template_ok(template_read(data=text.encode(), name=f"{name}.yaml"))
    place = place or place_of(actor, None)
    try:
        with short_write():
            row = SavedTemplate.objects.create(
                name=name, label=label.strip() or name, text=text, **place.fields(),
                created_by_id=actor.pk if actor else None,
            )  # fmt: skip
            audit(
                actor=actor, verb="add template", about=row, campaign=place.campaign, name=name,
                scope=place.scope,
            )  # fmt: skip
    except IntegrityError as error:
        raise Invalid(_taken(name)) from error
    return row


def saved_template_move(*, template: SavedTemplate, place: Ownership, actor: Actor) -> None:
    """Let others use it, or not any more. Raises Invalid if its name is taken there; callers check
    permission first (`refuse_move`)."""
    place = Ownership(place.scope, place.campaign, template.created_by_id)
    try:
        with short_write():
            SavedTemplate.objects.filter(pk=template.pk).update(**place.fields())
            audit(
                actor=actor, verb="change scope", about=template, campaign=place.campaign,
                name=template.name, before=template.scope, after=place.scope,
            )  # fmt: skip
    except IntegrityError as error:
        raise Invalid(_taken(template.name)) from error


def saved_template_remove(*, template: SavedTemplate, actor: Actor) -> None:
    """Remove it; campaigns that were made from it stay as they are. Callers check permission."""
    with short_write():
        audit(
            actor=actor, verb="remove template", about=template, campaign=template.campaign,
            name=template.name,
        )  # fmt: skip
        template.delete()


def _taken(name: str) -> str:
    return _("There is a template %(name)s already.") % {"name": name}
