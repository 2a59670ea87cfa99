"""Builds: who may see and cancel them, and the rows of their list."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby, islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Length, Now
from django.utils.translation import gettext as _

from annotation.access import User, may_keep, one_of, seen_in
from annotation.errors import NotAllowed, NotFound
from annotation.models import Campaign, Item, Output, Substitution
from paraanno.common.cells import unescape
from paraanno.common.texts import revived
from scoring.building.recipes.extrinsic import OUTCOMES
from scoring.building.recipes.extrinsic import REPORT as EXTRINSIC_REPORT
from scoring.building.recipes.extrinsic import report_of as extrinsic_report_of
from scoring.building.recipes.paraphrases import REPORT, report_of
from scoring.building.recipes.recipe import FIGURES as RECIPE_FIGURES
from scoring.building.recipes.recipe import ITEMS, Recipe, names, recipe
from scoring.building.test_sets.building import FIGURES
from scoring.building.vectors import Row, TextTable, open_texts
from scoring.extrinsic.experiment import read_labelled
from scoring.figures.data import Axis, Figure, Series
from scoring.models import Build, Resource
from scoring.resources.queries import inputs_seen, plain_file, resource_get, resources_for

TOLD_FOR = timedelta(days=1)
SHOWN_BUILDS = 10

# Kinds of resources that recipes make for a campaign, on pages of its own.
OF_CAMPAIGNS = ("test_set", "extrinsic")


@dataclass(frozen=True, slots=True)
class RecipeOffer:
    """A recipe with the resources that can be its inputs, by role."""

    recipe: Recipe
    inputs: tuple[tuple[str, Sequence[Resource]], ...]

    @property
    def possible(self) -> bool:
        """Whether there is something for each role that needs it."""
        return all(resources for role, resources in self.inputs if role not in self.recipe.optional)


@dataclass(frozen=True, slots=True)
class BuildRow:
    """A build, and whether this user may cancel it."""

    build: Build
    own: bool

    @property
    def active(self) -> bool:
        return self.build.status in Build.ACTIVE


def builds_for(
    *, user: User, campaign: Campaign | None = None, add: bool = False
) -> QuerySet[Build]:
    """The builds that the user sees, with `campaign` those that they may use for it, and of what
    they were made as far as they see that; NotFound and NotAllowed as for resources."""
    resources_for(user=user, add=add)
    rows = Build.objects.filter(seen_in(user=user, campaign=campaign))
    related = rows.select_related("created_by", "campaign", "resource")
    return related.prefetch_related(inputs_seen(user=user))


def build_get(
    *, user: User, key: UUID | str, campaign: Campaign | None = None, cancel: bool = False
) -> Build:
    """One build. Raises NotFound if this user sees none, with `campaign` if they may not use it for
    that, and NotAllowed for cancelling by a user who neither owns it or its campaign nor
    administers the site."""
    rows = builds_for(user=user, campaign=campaign)
    build = one_of(rows, key=key, no_such=_("There is no such build."))
    if cancel and not may_keep(row=build, user=user):
        raise NotAllowed(_("Only the user who asked for it, or an administrator, may cancel it."))
    return build


def build_rows(*, user: User) -> list[BuildRow]:
    """Builds that are active, or failed within a day; newest first."""
    return [build_row(build=build, user=user) for build in builds_for(user=user).filter(_news())]


def build_row(*, build: Build, user: User) -> BuildRow:
    """One row of that list."""
    return BuildRow(build, may_keep(row=build, user=user))


def recipe_offers(*, user: User) -> list[RecipeOffer]:
    """The recipes of resources in their order, each with what there is for it."""
    recipes = map(recipe, names())
    return [recipe_offer(user=user, recipe=one) for one in recipes if one.kind not in OF_CAMPAIGNS]


def recipe_offer(*, user: User, recipe: Recipe, campaign: Campaign | None = None) -> RecipeOffer:
    """A recipe with what there is for it, with `campaign` to use for that."""
    rows = resources_for(user=user, campaign=campaign)
    ready = list(rows.filter(status=Resource.Status.READY))
    return RecipeOffer(
        recipe,
        tuple(
            (role, [resource for resource in ready if resource.kind == kind])
            for role, kind in recipe.inputs.items()
        ),
    )


def _news() -> Q:
    failed = Q(status=Build.Status.FAILED, finished_at__gte=Now() - TOLD_FOR)
    return Q(status__in=Build.ACTIVE) | failed


# What recipes make for a campaign, on pages of its own.


@dataclass(frozen=True, slots=True)
class CampaignRecipe:
    """A recipe whose builds have pages of a campaign; `file` is in the store of each."""

    name: str
    file: str

    def is_there(self, build: Build) -> bool:
        """Whether it was made, and has not been removed since."""
        return build.resource is not None and (build.resource.stored / self.file).exists()

    def builds(self, *, user: User, campaign: Campaign) -> list[Build]:
        """The newest that are being made, failed within a day, or were made and are still there."""
        done = Q(status=Build.Status.DONE)
        rows = builds_for(user=user, campaign=campaign).filter(done | _news(), recipe=self.name)
        builds = rows[: 3 * SHOWN_BUILDS]
        return [one for one in builds if one.status != Build.Status.DONE or self.is_there(one)][
            :SHOWN_BUILDS
        ]

    def get(self, *, user: User, campaign: Campaign, key: UUID | str) -> Build:
        """One build; NotFound for builds of other recipes too."""
        build = build_get(user=user, campaign=campaign, key=key)
        if build.recipe != self.name:
            raise NotFound(_("There is no such build."))
        return build

    def offer(self, *, user: User, campaign: Campaign) -> RecipeOffer:
        """The recipe, with what there is for it."""
        return recipe_offer(user=user, recipe=recipe(self.name), campaign=campaign)


TEST_SETS = CampaignRecipe("test_set", FIGURES)
EXTRINSIC = CampaignRecipe("extrinsic", EXTRINSIC_REPORT)
GENERATED = CampaignRecipe("near_words", RECIPE_FIGURES)


# Ratings of paraphrase tables that were made: their reports, and their figure.


RATING = "parametric"


def rating_get(*, user: User, key: UUID | str) -> tuple[Resource, Mapping[str, Any]]:
    """A rating and its report; NotFound for resources of other kinds, and where it is not ready."""
    resource = resource_get(user=user, key=key)
    if resource.kind != RATING or not resource.path or not (resource.stored / REPORT).exists():
        raise NotFound(_("There is no such rating."))
    return resource, report_of(resource.stored)


def rating_figure(report: Mapping[str, Any]) -> Figure:
    """Precision over recall, a point for each minimum probability."""
    rows = [row for row in report["rows"] if row["precision"] is not None]
    if not rows or rows[0]["recall"] is None:
        raise NotFound(_("There is nothing to draw: the table has no phrase of the sentences."))
    points = Series(
        _("minimum probability"),
        tuple(row["recall"] for row in rows),
        tuple(row["precision"] for row in rows),
        texts=tuple(f"{row['least']:g}" for row in rows),
        about=tuple((f"{row['least']:g}",) for row in rows),
        labelled=True,
    )
    return Figure(
        "",
        Axis(_("relative recall")),
        Axis(_("lower-bound precision")),
        (points,),
        about=("least",),
    )


# What the preview of a test set shows.


SHOWN_PHRASES = 20
KEPT_OPTIONS = ("n", "seed", "contexts", "lm_weight", "lm_per_word")


@dataclass(slots=True)
class ShownItem:
    """A sentence with a phrase in it, and what each system gives in its place ("": nothing)."""

    before: str
    phrase: str
    after: str
    outputs: list[tuple[str, str]] = field(default_factory=list)

    def texts(self) -> list[tuple[str, list[str]]]:
        """The different texts, each with the systems that give it."""
        by_text: dict[str, list[str]] = {}
        for system, text in self.outputs:
            by_text.setdefault(text, []).append(system)
        return list(by_text.items())


@dataclass(frozen=True, slots=True)
class Preview:
    """The figures of a test set (scoring/building/test_sets/building.py, with the number of
    sentences and warnings), and its first phrases with their items."""

    figures: Mapping[str, Any]
    phrases: tuple[tuple[str, tuple[ShownItem, ...]], ...]

    def steps(self) -> list[tuple[str, int, int]]:
        """Each cut-off with the phrases that it removed and that were left, in order."""
        left, cutoffs = int(self.figures["every"]), []
        for name, removed in self.figures["removed"].items():
            left -= removed
            cutoffs.append((name, removed, left))
        return cutoffs

    def coverage(self) -> list[tuple[str, int, float]]:
        """Each system with the items that it gave a paraphrase for, and their share."""
        items = int(self.figures["items"])
        return [(name, n, n / items) for name, n in self.figures["coverage"].items()]


def preview(*, build: Build) -> Preview | None:
    """What there is to see of a test set; None if it is not there (any more)."""
    resource = build.resource
    if resource is None or not TEST_SETS.is_there(build):
        return None
    path = plain_file(resource=resource)
    if path is None:
        return None
    with path.open(encoding="utf-8") as stream:
        shown = tuple(_phrases(map(json.loads, stream)))
    figures = json.loads((resource.stored / FIGURES).read_text(encoding="utf-8"))
    return Preview(revived(figures), shown)


def test_set_provenance(*, build: Build, figures: Mapping[str, Any]) -> dict[str, Any]:
    """What an import keeps of how the test set was made."""
    names = ("asked", "every", "removed", "cut_offs", "lowered", "phrases", "items", "sentences")
    return {
        "recipe": TEST_SETS.name,
        "signature": build.signature,
        "options": {name: build.options[name] for name in KEPT_OPTIONS},
        **{name: figures[name] for name in names},
    }


def _phrases(rows: Iterator[Mapping[str, Any]]) -> Iterator[tuple[str, tuple[ShownItem, ...]]]:
    """The first phrases; rows of an item, and items of a phrase, follow each other."""
    of_phrase = groupby(rows, key=lambda row: (row["item"].partition(".")[0], row["phrase"]))
    for _number, ((_phrase, phrase), group) in zip(range(SHOWN_PHRASES), of_phrase, strict=False):
        items = []
        for _name, outputs in groupby(group, key=lambda row: row["item"]):
            item: ShownItem | None = None
            for row in outputs:
                if item is None:
                    sentence, start, end = row["sentence"], row["start"], row["end"]
                    item = ShownItem(sentence[:start], sentence[start:end], sentence[end:])
                    items.append(item)
                item.outputs.append((row["system"], row.get("paraphrase", "")))
        yield phrase, tuple(items)


# The reports of extrinsic evaluations, and their outcomes.


SCORED = ("correct", "p_true")  # Outcomes that stand beside metrics.
LOOKED_AT = 20


def extrinsic_report(*, build: Build) -> dict[str, Any] | None:
    """The report of an evaluation; None if it is not there (any more)."""
    if build.resource is None or not EXTRINSIC.is_there(build):
        return None
    return dict(extrinsic_report_of(build.resource.stored))


def outcomes_file(*, build: Build) -> Path:
    """The outcomes of all test texts; NotFound if they are not there."""
    if build.resource is None or not (path := build.resource.stored / OUTCOMES).exists():
        raise NotFound(_("This evaluation is not there: make it again."))
    return path


def outcome_scores(*, campaign: Campaign, build: Build) -> Iterator[dict[str, str | float]]:
    """The outcomes of the paraphrases that are in the campaign, as rows of a file of scores."""
    pairs = set(
        Substitution.objects.filter(campaign=campaign, role="output").values_list(
            "item__sentence", "text"
        )
    )
    table = _table(build)
    if table is None:
        return
    data = read_labelled(table.path, _columns(build), build.options["label"])
    place = {key: row for row, key in enumerate(data.ids)}
    original = next(iter(data.texts))
    scores: dict[tuple[str, str], dict[str, str | float]] = {}
    with outcomes_file(build=build).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            key, system = unescape(row["id"]), unescape(row["system"])
            at = place[key]
            pair = data.texts[original][at], data.texts[system][at]
            if system == original or pair not in pairs:
                continue
            score_row = scores.setdefault(pair, {"sentence": pair[0], "paraphrase": pair[1]})
            for name in SCORED:
                score_row[f"score.{name}: {row['classifier']}"] = float(row[name])
    yield from scores.values()


def outcomes_fit(*, campaign: Campaign, build: Build) -> bool:
    """Whether one of the first paraphrases of an evaluation is in the campaign, so that their
    outcomes can be beside its metrics."""
    table = _table(build)
    if table is None:
        return False
    original, *systems = _columns(build)
    rows = list(islice(table.rows(), LOOKED_AT))
    return Substitution.objects.filter(
        campaign=campaign,
        role="output",
        item__sentence__in=[row[original] for row in rows if original in row],
        text__in=[row[system] for row in rows for system in systems if system in row],
    ).exists()


def _table(build: Build) -> TextTable | None:
    """The texts that an evaluation is of; None if they were removed."""
    given = build.inputs.filter(role="texts").select_related("resource").first()
    if given is None or given.resource is None or not given.resource.stored.exists():
        return None
    return open_texts(given.resource.stored)


def _columns(build: Build) -> list[str]:
    """The column of the originals, and those of the systems."""
    options = build.options
    return list(dict.fromkeys([options["original"], *options["systems"].split("+")]))


# Paraphrases that were generated: what they can be made of, and what the preview shows.


TEXT = "text"  # The column of texts that come from a campaign, or from a plain file.
SHOWN_TEXTS = 20


@dataclass(frozen=True, slots=True)
class Generated:
    """The figures (scoring/building/recipes/recipe.py), the table, and its first rows."""

    figures: Mapping[str, Any]
    table: TextTable
    first: tuple[Row, ...]
    items: Path  # The file of items, in the store.

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.figures["replaced"])

    @property
    def column(self) -> str:
        return str(self.figures["column"])

    @property
    def rows(self) -> int:
        """Of the file of items."""
        return self.table.n * len(self.systems)

    def shown(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The first texts, with what each system made of them."""
        return [
            (row[self.column], [(system, row[system]) for system in self.systems])
            for row in self.first
        ]

    def shares(self) -> list[tuple[str, int, float]]:
        """Each system with the words that it replaced, and their share."""
        words = int(self.figures["words"]) or 1
        return [(name, n, n / words) for name, n in self.figures["replaced"].items()]


def has_own_texts(*, campaign: Campaign) -> bool:
    """Whether the campaign has originals that are to be paraphrased as a whole."""
    return _whole(campaign).exists()


def own_texts(*, campaign: Campaign, outputs: bool = False) -> Iterator[Row]:
    """The originals of the campaign that are to be paraphrased as a whole, with the attributes of
    their items; with `outputs` also the first text of each system, in a column of its name."""
    whole = _whole(campaign)
    made: dict[int, Row] = {}
    if outputs:
        first = Output.objects.filter(item__in=whole, rank=1, substitution__role="output")
        for item, label, text in first.values_list(
            "item_id", "system__label", "substitution__text"
        ).iterator():
            made.setdefault(item, {})[label] = text
    columns = ("pk", "sentence", "attributes")
    for pk, sentence, attributes in whole.order_by("position").values_list(*columns):
        others = {str(name): str(value) for name, value in attributes.items() if value is not None}
        yield {**others, TEXT: sentence, **made.get(pk, {})}


MOST_CLASSES_PROPOSED, PROPOSED_OF = 20, 1000


def own_systems(*, campaign: Campaign) -> list[str]:
    """The systems that paraphrased originals as a whole, in the order of their labels. A label with
    + cannot be named among others, and is left out."""
    made = Output.objects.filter(
        item__in=_whole(campaign), rank=1, substitution__role="output"
    ).order_by()
    labels = made.values_list("system__label", flat=True).distinct()
    return sorted(label for label in labels if "+" not in label)


def own_label(*, campaign: Campaign) -> str:
    """The first attribute of the first originals that may be a class: it has from 2 to 20 values,
    some of them more than once. Empty if there is none."""
    values: dict[str, list[str]] = {}
    rows = _whole(campaign).order_by("position").values_list("attributes", flat=True)
    for attributes in rows[:PROPOSED_OF]:
        for name, value in attributes.items():
            if value is not None:
                values.setdefault(str(name), []).append(str(value))
    return next(
        (
            name
            for name, column in values.items()
            if 2 <= len(set(column)) <= min(MOST_CLASSES_PROPOSED, len(column) - 1)
        ),
        "",
    )


def _whole(campaign: Campaign) -> QuerySet[Item]:
    return campaign.items.annotate(n=Length("sentence")).filter(start=0, end=F("n"))


def generated(*, build: Build) -> Generated | None:
    """What was generated; None if it is not there (any more)."""
    if build.resource is None or not GENERATED.is_there(build):
        return None
    store = build.resource.stored
    figures = json.loads((store / RECIPE_FIGURES).read_text(encoding="utf-8"))
    table = open_texts(store)
    return Generated(
        revived(figures), table, tuple(islice(table.rows(), SHOWN_TEXTS)), store / ITEMS
    )


def generated_provenance(*, build: Build, output: Generated) -> dict[str, Any]:
    """What an import keeps of how the paraphrases were made."""
    names = ("column", "words", "known", "replaced")
    return {
        "recipe": GENERATED.name,
        "signature": build.signature,
        "options": dict(build.options),
        "texts": output.table.n,
        **{name: output.figures[name] for name in names},
    }
