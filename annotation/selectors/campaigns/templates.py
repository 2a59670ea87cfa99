"""The templates that a new campaign may start from."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import SavedTemplate, Visibility
from annotation.selectors.access import User
from annotation.selectors.scope import may_keep, may_move, seen_by
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
    """A template; `site`: somebody saved it, in `scope`. `template`: its file, if it was asked
    for."""

    name: str
    label: str
    site: bool
    key: UUID | None = None
    scope: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True)
class SavedRow:
    """A saved template, whether this user may remove it, and change its scope."""

    template: SavedTemplate
    mine: bool
    moves: bool


def saved_templates(*, user: User | None) -> QuerySet[SavedTemplate]:
    """Return the saved templates that the user sees; the command line, those of the site."""
    seen = Q(scope=Visibility.SITE) if user is None else seen_by(user=user)
    rows = SavedTemplate.objects.filter(seen).select_related("created_by", "campaign")
    return rows.order_by("label", "scope", "pk")


def saved_get(*, user: User | None, name: str) -> SavedTemplate:
    """Return one of them by its name or its key; raises NotFound. Of several that have the name, a
    campaign's or their own comes first."""
    wanted = Q(name=name)
    with suppress(ValueError):
        wanted |= Q(key=UUID(name))
    row = saved_templates(user=user).filter(wanted).order_by("scope", "pk").first()
    if row is None:
        raise NotFound(_("There is no such template."))
    return row


def saved_rows(*, user: User) -> list[SavedRow]:
    """Return the rows of their list."""
    return [
        SavedRow(one, may_keep(row=one, user=user), may_move(row=one, user=user))
        for one in saved_templates(user=user)
    ]


def template_choices(*, user: User) -> list[tuple[str, str] | tuple[str, list[tuple[str, str]]]]:
    """Return names and labels of the tasks, then the saved ones as a group; one query.

    The language of a new campaign chooses that of a task's questions (`starters.starter_for`).
    """
    tasks = [(name, str(label)) for name, label in LABELS.items()]
    own = [(one.name, one.label) for one in saved_templates(user=user)]
    return [*tasks, *([(_("Saved here"), own)] if own else [])]


def template_groups() -> Choices:
    """Return names and labels of the application's templates by language."""
    names = dict(settings.LANGUAGES)
    return [(names[code], _in_language(code)) for code in LANGUAGES]


def example_choices() -> Choices:
    """Return names and labels of the examples, by language; none for the empty template."""
    return [
        (code, [one for one in _in_language(code) if not one[0].startswith("empty")])
        for code in WITH_EXAMPLES
    ]


def _in_language(code: str) -> list[tuple[str, str]]:
    return [(starter_name(task, code), str(label)) for task, label in LABELS.items()]


def template_text(*, user: User, name: str) -> str:
    """Return the file of a template. Raises NotFound if they see none of this name."""
    if name in NAMES:
        return starter_text(name)
    return saved_get(user=user, name=name).text


def templates_offered(*, user: User) -> list[Offered]:
    """Return every template that they see, those of the application first; one query."""
    ours = [Offered(name, str(LABELS[task]), False) for name, (task, _code) in NAMES.items()]
    saved = saved_templates(user=user)
    return [*ours, *(_offered(one) for one in saved)]


def template_offered(*, user: User, name: str) -> Offered:
    """Return one of them, with its file. Raises NotFound if there is none of this name."""
    if name in NAMES:
        task, _code = NAMES[name]
        return Offered(name, str(LABELS[task]), False, template=starter_text(name))
    one = saved_get(user=user, name=name)
    return replace(_offered(one), template=one.text)


def _offered(one: SavedTemplate) -> Offered:
    return Offered(one.name, one.label, True, one.key, one.scope)
