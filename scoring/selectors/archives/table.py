"""How a model is described for an archive, and why something of it is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import models
from django.db.models import Q

from annotation.models import Campaign

# Why a field or a model is not in an archive.
NEW = "unique in a site: made anew"
HASH = "made from what it is the hash of"
LOGIN = "a login; people stand in an archive by their codes"
RIGHT = "a right or a secret of this site"
WORK = "of the process that works on it"
STATE = "a mark of this site's rows: made anew"
FILES = "a file or a row of the whole site"
ACTIVE = "restored, a campaign is in the lists"
OTHER = "another campaign of this site; the log names it"
PLATFORM = "a link with its secrets, and people by their ids on a crowd platform"


@dataclass(frozen=True, slots=True)
class ArchiveTable:
    """A model in an archive.

    columns  fields by name, in order; a foreign key is the row of its target, from 1
    left     fields that are not there, each with the reason
    owner    the lookup to the campaign; a field `campaign` is implied, as the primary key is
    tokens   JSON columns that may hold ids of rows, which are written as tokens
    special  columns with a reader of their own (specials.py)
    only     which rows; all by default
    """

    model: type[models.Model]
    columns: tuple[str, ...]
    left: Mapping[str, str] = field(default_factory=dict)
    owner: str = "campaign"
    tokens: frozenset[str] = frozenset()
    special: frozenset[str] = frozenset()
    only: Q = field(default_factory=Q)

    @property
    def name(self) -> str:
        """The name of the table in the file."""
        return self.model._meta.model_name or ""

    def field_of(self, column: str) -> models.Field[Any, Any]:
        """The field of a column."""
        found = self.model._meta.get_field(column)
        assert isinstance(found, models.Field)  # noqa: S101 no column is a relation backwards
        return found

    def target(self, column: str) -> type[models.Model] | None:
        """The model that a foreign key refers to; None for other columns."""
        found = self.field_of(column)
        return found.related_model if isinstance(found, models.ForeignKey) else None

    def rows(self, campaign: Campaign) -> models.QuerySet[Any]:
        """The campaign's rows, in the order in which they were made."""
        owned = {"pk": campaign.pk} if self.model is Campaign else {self.owner: campaign}
        return self.model._default_manager.filter(self.only, **owned).order_by("pk")


def table(
    model: type[models.Model],
    columns: str,
    *,
    left: Mapping[str, str] | None = None,
    owner: str = "campaign",
    tokens: str = "",
    special: str = "",
    only: Q | None = None,
) -> ArchiveTable:
    """A table, with its lists of names as texts."""
    return ArchiveTable(
        model, tuple(columns.split()), left or {}, owner, frozenset(tokens.split()),
        frozenset(special.split()), only or Q(),
    )  # fmt: skip
