"""The choice of judgments and texts for a statistic."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from django.db.models import (
    Count,
    Exists,
    F,
    Max,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    TextField,
    Value,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.db.models.lookups import Exact
from django.utils.translation import gettext as _

from annotation.database import RowCount
from annotation.errors import Invalid
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Expected,
    ImportBatch,
    ImportedGold,
    Item,
    Judgment,
    Output,
    QualityPlan,
    Reference,
    Scale,
    Substitution,
    ThresholdChange,
)
from annotation.models.fields import text_digest
from annotation.sheets import tally
from scoring.models import Run
from scoring.stats.gold.compare import GoldMethod

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
            attribute = Cast(KeyTextTransform(name, f"{paths[level]}attributes"), TextField())
            return rows.filter(Exact(attribute, Value(value)))
        return rows

    @property
    def moment(self) -> datetime | None:
        """The end of `as_of`."""
        if not self.as_of:
            return None
        if len(self.as_of) == len("YYYY-MM-DD"):
            return _midnight(self.as_of) + timedelta(days=1)
        return datetime.fromisoformat(self.as_of)

    def judgments(self, rows: QuerySet[Rows], judgment: str = "") -> QuerySet[Rows]:
        """Filter judgments by the choice, except by text and status; or their versions, with
        `judgment` as the lookup from them to the judgment."""
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


# Fingerprint of the data behind a report, from a few index look-ups.


# Kinds of reports that read no scores of metrics.
OF_PEOPLE = frozenset(
    {"agreement", "influence", "results", "results-gold", "gold", "gold-values", "annotators"}
)
# Where the contents of reports are made, below this app; not how they are shown.
REPORT_SOURCES = (
    "stats",
    "ratings",
    "agreement",
    "annotators",
    "gold",
    "results",
    "correlation",
    "reports",
    "frames.py",
)
SHOWN_BY = ("views", "words", "form", "figures")


def report_sources(app: Path) -> list[Path]:
    """The files of code that decide what is in a report."""
    paths = [path for name in REPORT_SOURCES for path in (app / name, *(app / name).rglob("*.py"))]
    return sorted(path for path in paths if path.is_file() and not path.stem.endswith(SHOWN_BY))


@functools.cache
def made_with(app: Path = Path(__file__).parents[1]) -> str:
    """A digest of that code: another release makes stored reports again, and nobody has to remember
    to say so."""
    digest = hashlib.sha256()
    for path in report_sources(app):
        digest.update(f"{path.relative_to(app).as_posix()}\n".encode() + path.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """`text` changes whenever data behind a statistic change."""

    text: str
    judgments: int

    def beside(self, other: Fingerprint) -> Fingerprint:
        """The fingerprint of a report that also depends on another campaign."""
        both = hashlib.sha256(f"{self.text} {other.text}".encode()).hexdigest()
        return Fingerprint(both, self.judgments)


def fingerprint(*, campaign: Campaign, kind: str = "") -> Fingerprint:
    """At most twelve queries that read indexes, not judgments.

    Every save is counted; submissions, exclusions and imports change the numbers of judgments and
    slots by state. That of a `kind` OF_PEOPLE has no runs in it: a report that reads no scores is
    not made again when a metric ends.
    """
    counts = tally.campaign_tally(campaign)
    parts: list[Any] = [
        made_with(),
        counts.judgments,
        counts.written,
        _annotator_rows(campaign),
        counts.slots,
        _texts(campaign),
        list(Scale.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name")),
        _systems(campaign),
        _newest(ThresholdChange.objects.filter(scale__campaign=campaign)),
        _newest(ImportedGold.objects.filter(campaign=campaign)),
        _newest(ImportBatch.objects.filter(campaign=campaign)),
        # By its scale: there are fewer scales than texts.
        Expected.objects.filter(scale__campaign=campaign).aggregate(
            Max("pk"), Count("pk"), Sum("low"), Sum("high")
        ),
        list(QualityPlan.objects.filter(campaign=campaign).values_list("fast_seconds")),
        _excluded(campaign),
    ]
    if kind not in OF_PEOPLE:
        parts += _runs(campaign)
    return Fingerprint(_digest(parts), sum(row[2] for row in counts.judgments))


def _runs(campaign: Campaign) -> list[Any]:
    done = campaign.runs.filter(status=Run.Status.DONE)
    changes = Campaign.objects.filter(pk=campaign.pk).values("language_changes")
    old = done.exclude(Q(language_changes=None) | Q(language_changes=Subquery(changes)))
    return [
        done.aggregate(Count("pk"), Max("pk"), Max("finished_at")),
        # Only where there are some: stored reports of other campaigns stay the newest.
        *(["old language", pk] for pk in old.order_by("pk").values_list("pk", flat=True)),
    ]


def judgments_state(*, campaign: Campaign) -> str:
    """A hash that changes with what comparisons are made from: judgments that count, exclusions,
    imported gold and thresholds. Runs, names, open sheets and the version of the program are no new
    judgments. Five queries."""
    judged, status = tally.campaign_tally(campaign).judgments, Judgment.Status.COUNTED
    counted = Judgment.objects.filter(status=status)
    parts: list[Any] = [
        [(scale, n) for scale, one, n in judged if one == status],
        list(_newest_of(campaign, counted).values_list("pk", "newest")),
        _newest(ThresholdChange.objects.filter(scale__campaign=campaign)),
        _newest(ImportedGold.objects.filter(campaign=campaign)),
        _excluded(campaign),
    ]
    return _digest(parts)


def _digest(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts, default=str, sort_keys=True).encode()).hexdigest()


def _texts(campaign: Campaign) -> int:
    """The number of texts: these leave only with their import, which is counted too, so that equal
    numbers are the same texts."""
    return Substitution.objects.filter(campaign=campaign).order_by().aggregate(n=Count("*"))["n"]


def _systems(campaign: Campaign) -> list[tuple[int, str, int]]:
    """The systems with the numbers of their outputs, which leave like texts."""
    outputs = RowCount(Output.objects.filter(system=OuterRef("pk")).order_by())
    rows = campaign.systems.order_by("pk").annotate(n=outputs)
    return list(rows.values_list("pk", "label", "n"))


def _excluded(campaign: Campaign) -> dict[str, Any]:
    return Exclusion.objects.filter(campaign=campaign).aggregate(
        Count("pk"), Max("pk"), Max("ends_at"), Count("ends_at")
    )


def _newest_of(campaign: Campaign, judgments: QuerySet[Judgment]) -> QuerySet[Any]:
    """The annotators, with the time of the newest of these judgments."""
    newest = judgments.filter(annotator=OuterRef("pk")).order_by("-recorded_at")
    return (
        Annotator.objects.filter(campaign=campaign)
        .order_by("pk")
        .annotate(newest=Subquery(newest.values("recorded_at")[:1]))
    )


def _annotator_rows(campaign: Campaign) -> list[Any]:
    rows = campaign.annotators.order_by("pk")
    return list(rows.values_list("pk", "code", "origin", "not_blind_since"))


def _newest(rows: QuerySet[Any]) -> dict[str, int | None]:
    return rows.order_by().aggregate(Max("pk"), pk__count=Count("*"))
