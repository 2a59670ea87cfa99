"""The texts of a campaign with the judgments of people, as a shared task freezes them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from annotation.models import Campaign, Reference, Scale
from scoring.gold.report import GoldArrays, imported_values
from scoring.ratings.tables import FloatArray, IntArray, Ratings, ratings_get
from scoring.runs.queries import NamedText, texts_named
from scoring.stats.shared_tasks.board import JudgedTexts
from scoring.stats.table import RatingTable, combine, gold


@dataclass(frozen=True, slots=True)
class GoldTexts:
    """The texts, and how many were left out: without gold, and equal to a reference."""

    judged: JudgedTexts
    scales: tuple[str, ...]
    without_gold: int
    copies: int


def folded(text: str) -> str:
    """A text as it is compared with references: NFC, white space as single blanks."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def scales_of(*, campaign: Campaign, names: Sequence[str]) -> list[Scale]:
    """The named scales; by default all ordered ones that are required."""
    scales = list(campaign.scales.order_by("position"))
    if names:
        return [scale for scale in scales if scale.name in names]
    return [s for s in scales if s.level != Scale.Level.NOMINAL and s.required]


def judged_texts(*, campaign: Campaign, scales: Sequence[str], copies: bool = False) -> GoldTexts:
    """Gold of every text of role output that counts, by the sum of scales, each from 0 to 1.

    Imported gold serves the texts that nobody has judged. Texts equal to their original or to a
    reference are left out (unless `copies`), and so are those without gold. A constant
    number of queries for 5,000 texts.
    """
    used = scales_of(campaign=campaign, names=scales)
    ratings = ratings_get(campaign=campaign)
    total = _sums(ratings, used)
    made = gold(total)
    value = np.where(np.isnan(made.mean), _imported(campaign, ratings, used), made.mean)
    named = texts_named(ratings.units.tolist())
    whole = [whole_text(one) for one in named]
    originals = [one.sentence for one in named]
    references = _references(campaign, ratings)
    copy = np.array(
        [
            not copies and folded(text) in {folded(original), *map(folded, others)}
            for text, original, others in zip(whole, originals, references, strict=True)
        ],
        dtype=bool,
    )
    selected = np.flatnonzero(~np.isnan(value) & ~copy)
    place = np.full(len(whole), -1)
    place[selected] = np.arange(selected.size)
    labels = sorted({label for at in selected.tolist() for label in named[at].systems})
    code = {label: number for number, label in enumerate(labels)}
    clusters = _clusters(ratings.phrase, originals)
    # Anonymous annotators are nobody in particular: they have no preferences among texts.
    attributed = np.flatnonzero((place[total.unit] >= 0) & (not total.anonymous))
    at_of = list(enumerate(selected.tolist()))
    judged = JudgedTexts(
        text=[whole[at] for _n, at in at_of],
        original=ratings.item[selected],
        original_text=[originals[at] for _n, at in at_of],
        cluster=clusters[selected],
        value=value[selected],
        annotator=total.annotator[attributed],
        unit=place[total.unit[attributed]],
        given=total.value[attributed],
        systems=labels,
        made=tuple((n, code[label]) for n, at in at_of for label in named[at].systems),
        references=[references[at] for _n, at in at_of],
    )
    return GoldTexts(
        judged,
        tuple(one.name for one in used),
        int((np.isnan(value) & ~copy).sum()),
        int(copy.sum()),
    )


def _clusters(phrase: IntArray, originals: Sequence[str]) -> IntArray:
    """Return for each text the code of what is drawn together: texts of one phrase, or of the same
    original, are alike."""
    texts = {text: number for number, text in enumerate(dict.fromkeys(originals))}
    size = len(originals)
    if not size:
        return np.zeros(0, dtype=np.int64)
    phrases = np.unique(phrase, return_inverse=True)[1]
    original = np.array([texts[one] for one in originals], dtype=np.int64)
    first = int(phrases.max()) + 1
    linked = scipy.sparse.coo_array(
        (np.ones(size), (phrases, first + original)), shape=(first + len(texts),) * 2
    )
    _, component = scipy.sparse.csgraph.connected_components(linked, directed=False)
    return np.asarray(component[phrases], dtype=np.int64)


def _sums(ratings: Ratings, scales: Sequence[Scale]) -> RatingTable:
    """The sum of the scales within each annotator, each from 0 (worst) to 1 (best)."""
    tables = [ratings.tables[scale.name] for scale in scales]
    return combine(
        [
            replace(table, value=_unit(table.value, scale))
            for table, scale in zip(tables, scales, strict=True)
        ],
        "sum",
    )


def _unit(values: FloatArray, scale: Scale) -> FloatArray:
    share = (values - scale.minimum) / (scale.maximum - scale.minimum)
    return np.asarray(share if scale.higher_is_better else 1 - share, dtype=np.float64)


def _imported(campaign: Campaign, ratings: Ratings, scales: Sequence[Scale]) -> FloatArray:
    imported: Mapping[str, GoldArrays] = imported_values(campaign, ratings)
    total = np.zeros(len(ratings.units))
    for scale in scales:
        missing = np.full(total.shape, np.nan)
        total = total + _unit(imported[scale.name][0] if scale.name in imported else missing, scale)
    return total


def whole_text(one: NamedText) -> str:
    """The sentence with the paraphrase in the place of the phrase."""
    return one.sentence[: one.start] + one.paraphrase + one.sentence[one.end :]


def _references(campaign: Campaign, ratings: Ratings) -> list[list[str]]:
    by_item: dict[int, list[str]] = {}
    rows = Reference.objects.filter(item__campaign=campaign).order_by("item_id", "position")
    for item, text in rows.values_list("item_id", "text"):
        by_item.setdefault(item, []).append(text)
    return [by_item.get(item, []) for item in ratings.item.tolist()]


def originals_of(*, campaign: Campaign) -> list[tuple[str, list[str]]]:
    """The sentences that a systems task has paraphrased, each with its references; once each."""
    items = dict(campaign.items.order_by("pk").values_list("pk", "sentence"))
    references: dict[str, list[str]] = {sentence: [] for sentence in items.values()}
    rows = Reference.objects.filter(item__campaign=campaign).order_by("item_id", "position")
    for item, text in rows.values_list("item_id", "text"):
        if text not in references[items[item]]:
            references[items[item]].append(text)
    return list(references.items())
