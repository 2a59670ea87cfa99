"""Items with their outputs, judgments and scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.models import Annotator, Campaign, Item, Judgment, Output, Scale, Substitution
from scoring.models import Run, Score
from scoring.ratings.tables import Ratings, ratings_get
from scoring.runs.queries import newest_done_runs

Judge = tuple[Annotator, int]  # who, and on which occasion


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """What everybody said about one text on one scale; `answers` follows the columns.

    `mean` is over the `n` judgments that count for the gold standard; None if there are none.
    """

    scale: Scale
    answers: tuple[Judgment | None, ...]
    mean: float | None
    n: int


@dataclass(frozen=True, slots=True)
class TextView:
    """One substitution with its systems, its judgments, and its scores with their detail."""

    substitution: Substitution
    systems: tuple[str, ...]
    rows: tuple[ScaleRow, ...]
    scores: tuple[tuple[Run, Score | None], ...]


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item; `columns` are those who judged any of its texts."""

    item: Item
    columns: tuple[Judge, ...]
    texts: tuple[TextView, ...]


def items_found(*, campaign: Campaign, text: str = "", system: str = "") -> QuerySet[Item]:
    """Items in the order of import, with `texts`, the number of their substitutions.

    `text` is searched in phrases, sentences and paraphrases; `system` is the label of a system with
    an output for the item.
    """
    rows = Item.objects.filter(campaign=campaign)
    if text:
        matching = Substitution.objects.filter(item=OuterRef("pk"), text__icontains=text)
        rows = rows.filter(
            Q(sentence__icontains=text) | Q(phrase__text__icontains=text) | Exists(matching)
        )
    if system:
        made = Output.objects.filter(item=OuterRef("pk"), system__label=system)
        rows = rows.filter(Exists(made.filter(substitution__isnull=False)))
    texts = Substitution.objects.filter(item=OuterRef("pk")).order_by().values("item")
    count = Subquery(texts.annotate(n=Count("*")).values("n"), output_field=IntegerField())
    return (
        rows.annotate(texts=Coalesce(count, 0))
        .select_related("phrase")
        .prefetch_related("outside_ids")
        .order_by("position")
    )


def item_view(*, campaign: Campaign, key: UUID) -> ItemView:
    """One item in full. Raises NotFound for items of other campaigns."""
    item = Item.objects.filter(campaign=campaign, key=key).select_related("phrase").first()
    if item is None:
        raise NotFound(_("There is no such item."))
    given: dict[tuple[int, int, int, int], Judgment] = {}
    judges: dict[tuple[str, int, int], Judge] = {}
    for row in (
        Judgment.objects.filter(substitution__item=item, kind=Judgment.Kind.RATING)
        .exclude(value=None, reason="")
        .select_related("annotator")
    ):
        given[row.substitution_id, row.scale_id, row.annotator_id, row.occasion] = row
        judges[row.annotator.code, row.annotator_id, row.occasion] = (
            row.annotator,
            row.occasion,
        )
    columns = tuple(judges[name] for name in sorted(judges))
    ratings = ratings_get(campaign=campaign, items=[item.pk])
    means = _means(ratings)

    def rows(substitution: int) -> Iterator[ScaleRow]:
        for scale in ratings.scales:
            answers = tuple(
                given.get((substitution, scale.pk, annotator.pk, occasion))
                for annotator, occasion in columns
            )
            mean, n = means.get((substitution, scale.pk), (None, 0))
            yield ScaleRow(scale, answers, mean, n)

    runs = newest_done_runs(campaign=campaign)
    scores = {
        (score.substitution_id, score.run_id): score
        for score in Score.objects.filter(run__in=runs, substitution__item=item).defer("statistics")
    }
    return ItemView(
        item,
        columns,
        tuple(
            TextView(
                one,
                tuple(sorted({output.system.label for output in one.outputs.all()})),
                tuple(rows(one.pk)),
                tuple((run, scores.get((one.pk, run.pk))) for run in runs),
            )
            for one in item.substitutions.select_related("item__phrase").prefetch_related(
                "outputs__system"
            )
        ),
    )


def _means(ratings: Ratings) -> dict[tuple[int, int], tuple[float, int]]:
    """Mean and number of the judgments that count for the gold standard, by substitution and
    scale."""
    values: dict[tuple[int, int], list[float]] = defaultdict(list)
    for scale in ratings.scales:
        table = ratings.tables[scale.name]
        for unit, value in zip(table.unit.tolist(), table.value.tolist(), strict=True):
            values[int(ratings.units[unit]), scale.pk].append(value)
    return {key: (sum(some) / len(some), len(some)) for key, some in values.items()}


def empty_outputs(*, item: Item) -> QuerySet[Output]:
    """The systems without an output for the item."""
    return item.outputs.filter(substitution=None).select_related("system")


def neighbours(*, item: Item) -> tuple[Item | None, Item | None]:
    """The previous and next item of its campaign, keys only; two queries."""
    around = Item.objects.filter(campaign=item.campaign_id).only("key")
    before = around.filter(position__lt=item.position).order_by("-position").first()
    after = around.filter(position__gt=item.position).order_by("position").first()
    return before, after


# Items with their outputs, judgments and scores.


PER_PAGE = 20


@require_GET
@campaign_view("read")
def items(page: CampaignPage) -> HttpResponse:
    """The campaign's items; `q` searches their texts, `system` is a label."""
    wanted, system = page.query.get("q", "").strip(), page.query.get("system", "")
    wanted = wanted.replace("\x00", "")
    matches = items_found(campaign=page.campaign, text=wanted, system=system.replace("\x00", ""))
    return page.render(
        "scoring/items.html",
        page=page.paged(matches, PER_PAGE),
        q=wanted,
        system=system,
        systems=page.campaign.systems.values_list("label", flat=True),
    )


@require_GET
@campaign_view("read")
def item_page(page: CampaignPage, key: UUID) -> HttpResponse:
    view = item_view(campaign=page.campaign, key=key)
    item = view.item
    before, after = neighbours(item=item)
    return page.render(
        "scoring/item.html",
        item=item,
        view=view,
        none=empty_outputs(item=item),
        references=item.references.all(),
        outside=item.outside_ids.all(),
        before=before,
        after=after,
    )
