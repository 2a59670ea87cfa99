"""Templates of campaigns: those that come with the application, and those of the site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotFound
from annotation.importers import TemplateRead
from annotation.models import SiteTemplate
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


def template_named(name: str) -> CampaignTemplate:
    """Return a template by name; raises Invalid, naming the others, if there is none."""
    if name in TEMPLATES:
        return TEMPLATES[name]
    row = SiteTemplate.objects.filter(name=name).first()
    if row is None:
        known = [*LABELS, *SiteTemplate.objects.values_list("name", flat=True)]
        raise Invalid(
            _("There is no template %(template)s: use one of %(templates)s.")
            % {"template": f"{name!r}", "templates": ", ".join(known)}
        )
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


def site_template_add(*, name: str, label: str, text: str, actor: Actor) -> SiteTemplate:
    """Offer a template to everybody who may create campaigns.

    Raises Invalid if the name is taken or no short name, or the file has an error.
    """
    if name in TEMPLATES:
        raise Invalid(_("There is a template %(name)s already.") % {"name": name})
    try:
        validate_slug(name)
    except ValidationError as error:
        raise Invalid(_("A short name has letters, digits, - and _.")) from error
    template_ok(template_read(data=text.encode(), name=f"{name}.yaml"))
    try:
        with short_write():
            row = SiteTemplate.objects.create(
                name=name,
                label=label.strip() or name,
                text=text,
                created_by_id=actor.pk if actor else None,
            )
            audit(actor=actor, verb="add template", about=row, campaign=None, name=name)
    except IntegrityError as error:
        raise Invalid(_("There is a template %(name)s already.") % {"name": name}) from error
    return row


def site_template_remove(*, name: str, actor: Actor) -> None:
    """Stop offering it; campaigns that were made from it stay as they are."""
    with short_write():
        row = SiteTemplate.objects.filter(name=name).first()
        if row is None:
            raise NotFound(_("There is no such template."))
        audit(actor=actor, verb="remove template", about=row, campaign=None, name=name)
        row.delete()
