"""The templates that a new campaign may start from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import SiteTemplate
from annotation.starters import KOREAN, LABELS, NAMES, starter_text

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


def template_choices() -> Choices:
    """Return names and labels in groups: those of the reader's language first; one query."""
    english = ("English", [(name, str(label)) for name, label in LABELS.items()])
    korean = ("한국어", [(name + KOREAN, str(label)) for name, label in LABELS.items()])
    groups = [korean, english] if get_language() == "ko" else [english, korean]
    own = [(one.name, one.label) for one in SiteTemplate.objects.all()]
    return [*groups, *([(_("Of this site"), own)] if own else [])]


def example_choices() -> Choices:
    """Return names and labels of the examples, by language; none for the empty template."""
    tasks = [(name, str(label)) for name, label in LABELS.items() if name != "empty"]
    return [("en", tasks), ("ko", [(name + KOREAN, label) for name, label in tasks])]


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
    ours = [Offered(name, str(label), False) for name, label in LABELS.items()]
    ours += [Offered(name + KOREAN, str(label), False) for name, label in LABELS.items()]
    return [*ours, *(Offered(one.name, one.label, True) for one in SiteTemplate.objects.all())]


def template_offered(*, name: str) -> Offered:
    """Return one of them, with its file. Raises NotFound if there is none of this name."""
    text = template_text(name=name)
    return next(replace(one, template=text) for one in templates_offered() if one.name == name)
