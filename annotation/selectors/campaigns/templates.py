"""The templates that a new campaign may start from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import SiteTemplate
from annotation.starters import (
    LABELS,
    LANGUAGES,
    NAMES,
    WITH_EXAMPLES,
    starter_name,
    starter_text,
)

Choices = list[tuple[str, list[tuple[str, str]]]]


@dataclass(frozen=True, slots=True)
class Offered:
    """A template; `site`: administrators added it. `template`: its file, if it was asked for."""

    name: str
    label: str
    site: bool
    template: str = ""


def site_templates() -> QuerySet[SiteTemplate]:
    """Return the templates that the administrators offer."""
    return SiteTemplate.objects.select_related("created_by")


def template_choices() -> list[tuple[str, str] | tuple[str, list[tuple[str, str]]]]:
    """Return names and labels of the tasks, then those of the site as a group; one query.

    The language of a new campaign chooses that of a task's questions (`starters.starter_for`).
    """
    tasks = [(name, str(label)) for name, label in LABELS.items()]
    own = [(one.name, one.label) for one in SiteTemplate.objects.all()]
    return [*tasks, *([(_("Of this site"), own)] if own else [])]


def template_groups() -> Choices:
    """Return names and labels of all templates by language, then those of the site; one query."""
    names = dict(settings.LANGUAGES)
    groups = [(names[code], _in_language(code)) for code in LANGUAGES]
    own = [(one.name, one.label) for one in SiteTemplate.objects.all()]
    return [*groups, *([(_("Of this site"), own)] if own else [])]


def example_choices() -> Choices:
    """Return names and labels of the examples, by language; none for the empty template."""
    return [
        (code, [one for one in _in_language(code) if not one[0].startswith("empty")])
        for code in WITH_EXAMPLES
    ]


def _in_language(code: str) -> list[tuple[str, str]]:
    return [(starter_name(task, code), str(label)) for task, label in LABELS.items()]


def template_text(*, name: str) -> str:
    """Return the file of a template. Raises NotFound if there is none of this name."""
    if name in NAMES:
        return starter_text(name)
    row = SiteTemplate.objects.filter(name=name).first()
    if row is None:
        raise NotFound(_("There is no such template."))
    return row.text


def templates_offered() -> list[Offered]:
    """Return every template, those of the application first; one query."""
    ours = [Offered(name, str(LABELS[task]), False) for name, (task, _code) in NAMES.items()]
    return [*ours, *(Offered(one.name, one.label, True) for one in SiteTemplate.objects.all())]


def template_offered(*, name: str) -> Offered:
    """Return one of them, with its file. Raises NotFound if there is none of this name."""
    text = template_text(name=name)
    return next(replace(one, template=text) for one in templates_offered() if one.name == name)
