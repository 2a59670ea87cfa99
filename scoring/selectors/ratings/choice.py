"""The choice of judgments and texts for a statistic."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.db.models.lookups import Exact
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Item, Judgment, Reference, Substitution
from annotation.models.fields import text_digest
from scoring.stats.gold.table import GoldMethod

LISTS = ("systems", "phrases", "annotators", "batches")
LEVELS = ("item", "phrase", "substitution")
Rows = TypeVar("Rows", bound=Model)


@dataclass(frozen=True, slots=True)
class Choice:
    """By default the judgments that count, of the first occasion, on texts that are not excluded.

    occasion    1 is the first rating; later ones are repeats by the same annotator
    surplus     also judgments beyond the wanted number of annotators
    excluded    also what exclusions in force leave out
    blind_only  only judgments made before their annotator could see systems and scores
    controls    texts with an expected answer, instead of the outputs of systems
    systems     labels: only texts that one of these systems produced (none: all texts)
    phrases, annotators, batches   phrase texts, annotator codes, import numbers: only these
    attribute   "LEVEL.NAME=VALUE", LEVEL one of item, phrase, substitution: only such texts
    since, until   ISO dates (UTC), inclusive: only what was recorded in between
    shared_with slug of another campaign: only texts that both have, in the same sentence
    as_of       an ISO date or time (UTC): what counted at its end, by the history
    method      the gold method, if gold is used
    references  "with" or "without": only texts of items with, or without, references
    """

    occasion: int = 1
    surplus: bool = False
    excluded: bool = False
    blind_only: bool = False
    controls: bool = False
    systems: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    batches: tuple[str, ...] = ()
    attribute: str = ""
    since: str = ""
    until: str = ""
    shared_with: str = ""
    as_of: str = ""
    method: str = "mean"
    references: str = ""

    def as_json(self) -> dict[str, object]:
        """The fields that differ from the default: equal choices give equal options of a report."""
        default = asdict(Choice())
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if value != default[name]
        }

    def digest(self, about: Mapping[str, str] | None = None) -> str:
        """A hash that equal choices share: the `options_hash` of their reports. `about` is what
        else a report is asked for."""
        options = {**self.as_json(), **({"asked": dict(about)} if about else {})}
        return text_digest(json.dumps(options, sort_keys=True))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Choice:
        """The choice inside `data`; other keys are ignored. Raises Invalid for a wrong value."""
        occasion = data.get("occasion", 1)
        if isinstance(occasion, bool) or not isinstance(occasion, int) or occasion < 1:
            raise Invalid(_("The occasion is a whole number from 1 on."))
        try:
            method = GoldMethod.parse(str(data.get("method") or "mean")).text
        except ValueError as error:
            raise Invalid(
                _("There is no such gold method: %(error)s.") % {"error": error}
            ) from error
        choice = cls(
            occasion=occasion,
            surplus=bool(data.get("surplus")),
            excluded=bool(data.get("excluded")),
            blind_only=bool(data.get("blind_only")),
            controls=bool(data.get("controls")),
            attribute=str(data.get("attribute") or "").strip(),
            since=_day(data.get("since")),
            until=_day(data.get("until")),
            shared_with=str(data.get("shared_with") or ""),
            as_of=_moment(data.get("as_of")),
            method=method,
            references=_with_or_without(data.get("references")),
            **{name: tuple(sorted({str(one) for one in data.get(name, ())})) for name in LISTS},
        )
        if not all(one.isdecimal() for one in choice.batches):
            raise Invalid(_("Imports are chosen by their numbers."))
        choice.attribute_parts()
        return choice

    def attribute_parts(self) -> tuple[str, str, str] | None:
        """Level, name and value. Raises Invalid for any other form."""
        if not self.attribute:
            return None
        key, equals, value = self.attribute.partition("=")
        level, _dot, name = key.strip().partition(".")
        if level not in LEVELS or not name or not equals:
            raise Invalid(
                _("An attribute is chosen as %(form)s, where LEVEL is one of %(levels)s.")
                % {"form": "LEVEL.NAME=VALUE", "levels": ", ".join(LEVELS)}
            )
        return level, name.strip(), value.strip()

    @property
    def role(self) -> Substitution.Role:
        """The role of the texts that enter statistics."""
        return Substitution.Role.CONTROL if self.controls else Substitution.Role.OUTPUT

    def units(self, rows: QuerySet[Substitution]) -> QuerySet[Substitution]:
        """Filter texts by the choice, except by system."""
        role = self.role
        if self.shared_with:
            same = Substitution.objects.filter(
                campaign__slug=self.shared_with,
                role=role,
                text_hash=OuterRef("text_hash"),
                context_hash=OuterRef("context_hash"),
                item__identity_hash=OuterRef("item__identity_hash"),
            )
            rows = rows.filter(Exists(same))
        return self._inside(rows.filter(role=role), "item__", own="substitution")

    def items(self, rows: QuerySet[Item]) -> QuerySet[Item]:
        """Filter items by the choice: the denominator of coverage.

        Items that have texts for quality control or practice only are asked of no system.
        """
        texts = Substitution.objects.filter(item=OuterRef("pk"))
        rows = rows.filter(Exists(texts.filter(role=self.role)) | ~Exists(texts))
        return self._inside(rows, "", own="item")

    def _inside(self, rows: QuerySet[Rows], item: str, *, own: str) -> QuerySet[Rows]:
        """The common filters. `item` is the lookup from the rows to their item; `own` is the level
        of the rows."""
        if self.moment is not None:
            rows = rows.filter(created_at__lt=self.moment)
        if self.phrases:
            digests = [text_digest(text) for text in self.phrases]
            rows = rows.filter(**{f"{item}phrase__text_hash__in": digests})
        if self.references:
            there = Exists(Reference.objects.filter(item=OuterRef("pk" if not item else "item")))
            rows = rows.filter(there if self.references == "with" else ~there)
        if self.batches:
            rows = rows.filter(**{f"{item}batch__in": [int(one) for one in self.batches]})
        if (parts := self.attribute_parts()) is not None:
            level, name, value = parts
            paths = {"item": item, "phrase": f"{item}phrase__", own: ""}
            if level not in paths:  # An attribute of texts does not apply to items without texts.
                texts = self.units(Substitution.objects.all())
                return rows.filter(pk__in=texts.values("item"))
            found = Cast(KeyTextTransform(name, f"{paths[level]}attributes"), TextField())
            return rows.filter(Exact(found, Value(value)))
        return rows

    @property
    def moment(self) -> datetime | None:
        """The end of `as_of`."""
        if not self.as_of:
            return None
        if len(self.as_of) == len("YYYY-MM-DD"):
            return _midnight(self.as_of) + timedelta(days=1)
        return datetime.fromisoformat(self.as_of)

    def judgments(self, rows: QuerySet[Judgment]) -> QuerySet[Judgment]:
        """Filter judgments by the choice, except by text and status."""
        return self.said(rows)

    def said(self, rows: QuerySet[Rows], judgment: str = "") -> QuerySet[Rows]:
        """The same for rows with a time; `judgment` is the lookup from them to the judgment."""
        if self.blind_only:
            since = f"{judgment}annotator__not_blind_since"
            rows = rows.filter(Q(**{f"{since}__isnull": True}) | Q(recorded_at__lt=F(since)))
        if self.annotators:
            rows = rows.filter(**{f"{judgment}annotator__code__in": self.annotators})
        if self.since:
            rows = rows.filter(recorded_at__gte=_midnight(self.since))
        if self.until:
            rows = rows.filter(recorded_at__lt=_midnight(self.until) + timedelta(days=1))
        return rows


def _with_or_without(value: Any) -> str:
    if value in (None, "", "with", "without"):
        return value or ""
    raise Invalid(_("References are “with” or “without”."))


def _day(value: Any) -> str:
    if not value:
        return ""
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError as error:
        raise Invalid(_("Write a date as YYYY-MM-DD.")) from error


def _moment(value: Any) -> str:
    if not value:
        return ""
    text = str(value)
    if len(text) == len("YYYY-MM-DD"):
        return _day(text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Invalid(_("Write a time as YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS.")) from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def _midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)
