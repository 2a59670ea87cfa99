"""Facts of a campaign and its ratings, for the files of a paper.

Callers have checked the user's access to the campaign (annotation/access.py).
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, cast

import numpy as np
from django.db.models import Count, Q, Value

from annotation.exporters.columns import Column
from annotation.exporters.writers import write_rows
from annotation.models import (
    BackgroundQuestion,
    Campaign,
    Consent,
    Exclusion,
    Item,
    Judgment,
    Output,
    Panel,
    Phrase,
    PracticeRule,
    QualityAction,
    QualityRule,
    Reference,
    Scale,
    Sheet,
    Substitution,
    language_of,
)
from annotation.models.people import TARGETS
from annotation.people.annotators import AnswerTally, answer_tallies
from annotation.quality.checks import NEARLY, point
from scoring.annotators.report import repeats_of
from scoring.exports.provenance import counted_twice, judgments_per_text, pay_of, sources_of
from scoring.gold.report import gold_columns
from scoring.paper.facts import CampaignDesign, ExclusionFacts, Facts, RepeatFacts, ScaleFacts
from scoring.paper.mtme import Segments
from scoring.ratings.tables import (
    FloatArray,
    Ratings,
    cannot_judge,
    exclusions_in_force,
    systems_get,
)
from scoring.runs.queries import short_references, texts_named

# What a campaign was made of, for the methods paragraph and the datasheet.
#
# Callers have checked the user's access to the campaign (annotation/access.py).


SHORT = 60  # Characters of a text in a list of exclusions.
CHECKED = {
    QualityRule.Check.CONTROL: "controls",
    QualityRule.Check.DEGRADED: "degraded copies",
    QualityRule.Check.COPY: "exact copies",
    QualityRule.Check.REPEAT: "repeats",
    QualityRule.Check.FAST: "sheets for pace",
    QualityRule.Check.STRAIGHT: "answers for long runs of one value",
}


def design_get(*, campaign: Campaign, ratings: Ratings) -> CampaignDesign:
    """A constant number of queries."""
    item_ids = set(ratings.item.tolist())
    items = [item for item in Item.objects.filter(campaign=campaign) if item.pk in item_ids]
    whole = [item for item in items if not item.before and not item.after]
    made = systems_get(campaign=campaign, ratings=ratings)
    once = np.unique(np.column_stack([made.system, made.unit]), axis=0)
    texts = np.bincount(once[:, 0], minlength=len(made.labels)).tolist()
    sheets = campaign.sheets.filter(for_annotator=None).aggregate(
        all=Count("*"), shared=Count(Value(1), filter=Q(shared=True))
    )
    return CampaignDesign(
        whole=len(whole),
        whole_phrases=len({item.phrase_id for item in whole}),
        languages=dict(Counter(language_of(item, campaign) for item in items)),
        outputs=dict(zip(made.labels, texts, strict=True)),
        sheets=sheets["all"],
        shared_sheets=sheets["shared"],
        exclusions=_exclusions(campaign),
        repeats=_repeats(campaign, ratings),
        background=tuple(
            _tally_text(tally)
            for tally in answer_tallies(campaign=campaign)
            if tally.question.hidden_at is None
        ),
        test_sets=_test_sets(campaign),
    )


def _test_sets(campaign: Campaign) -> tuple[Mapping[str, Any], ...]:
    """What is known about how imported test sets were drawn; a repeated import is reported once."""
    provenances = campaign.batches.order_by("pk").values_list("provenance", flat=True)
    once = {one["signature"]: one for one in provenances if one.get("recipe") == "test_set"}
    return tuple(once.values())


def rule_told(rule: QualityRule) -> str:
    """A rule in words, such as "exclude who fails 30% or more of at least 5 controls"."""
    checked = CHECKED[QualityRule.Check(rule.check_name)]
    return f"{rule.act} who fails {rule.share:.0%} or more of at least {rule.least} {checked}"


def _exclusions(campaign: Campaign) -> tuple[ExclusionFacts, ...]:
    actions = QualityAction.objects.filter(campaign=campaign, exclusion__isnull=False)
    rules = {one.exclusion_id: rule_told(one.rule) for one in actions.select_related("rule")}
    rows = Exclusion.objects.filter(campaign=campaign, ends_at=None)
    return tuple(
        ExclusionFacts(
            *_target(one),
            str(one.sentence),
            f"{one.starts_at:%Y-%m-%d}",
            rules.get(one.pk, ""),
            one.kind == Exclusion.Kind.WITHDRAWAL,
        )
        for one in rows.select_related(*TARGETS).order_by("starts_at", "pk")
    )


def _target(one: Exclusion) -> tuple[str, str]:
    """The kind and the name of what is excluded."""
    kind = next(name for name in TARGETS if getattr(one, f"{name}_id") is not None)
    name = str(getattr(one, kind))
    return kind, name if len(name) <= SHORT else f"{name[: SHORT - 1]}…"


def _repeats(campaign: Campaign, ratings: Ratings) -> dict[str, RepeatFacts]:
    """Repeats of the annotators that count, all together."""
    annotator_ids = np.array([one.pk for one in ratings.annotators], dtype=np.int64)
    repeats = repeats_of(campaign, annotator_ids)
    return {
        scale.name: _consistency(scale, repeats[scale.pk].again - repeats[scale.pk].first)
        for scale in ratings.scales
        if scale.pk in repeats and repeats[scale.pk].first.size
    }


def _consistency(scale: Scale, change: np.ndarray) -> RepeatFacts:
    near = np.abs(change) <= point(scale) + NEARLY
    return RepeatFacts(change.size, float(np.mean(np.abs(change) <= NEARLY)), float(near.mean()))


def _tally_text(tally: AnswerTally) -> str:
    """Answers to one question: numbers as a range, options counted, own words only counted."""
    question = tally.question
    parts = [f"{answer}: {n}" for answer, n in tally.counts if n]
    if question.kind == BackgroundQuestion.Kind.TEXT:
        parts = [f"{tally.answered} answers in own words"]
    elif question.kind == BackgroundQuestion.Kind.NUMBER and tally.counts:
        values = [float(answer) for answer, n in tally.counts for _ in range(n)]
        parts = [f"{min(values):g} to {max(values):g}, median {np.median(values):g}"]
    silent = tally.declined + tally.empty
    return f"{question.wording} {', '.join([*parts, *([f'no answer: {silent}'] * bool(silent))])}"


RATING_COLUMNS = (
    Column("item"),
    Column("annotator"),
    Column("scale"),
    Column("value", "number"),
    Column("context", "integer"),
    Column("phrase", "integer"),
)
CHECKS = {
    Substitution.Role.CONTROL: "controls",
    Substitution.Role.DEGRADED: "degraded copies",
    Substitution.Role.COPY: "exact copies",
}


def facts_get(*, campaign: Campaign, ratings: Ratings) -> Facts:
    """A constant number of queries."""
    out = exclusions_in_force(campaign=campaign)
    used = {code for table in ratings.tables.values() for code in table.used_annotators.tolist()}
    pairs = {
        (unit, annotator)
        for table in ratings.tables.values()
        for unit, annotator in zip(table.unit.tolist(), table.annotator.tolist(), strict=True)
    }
    people = [ratings.annotators[code] for code in sorted(used)]
    panels = list(Panel.objects.filter(participants__annotator__in=people).distinct())
    practice = PracticeRule.objects.filter(campaign=campaign).first()
    return Facts(
        slug=campaign.slug,
        copied_from=campaign.copied_from.slug if campaign.copied_from else "",
        pilot=campaign.pilot,
        name=campaign.name,
        description=campaign.description,
        scales=tuple(map(_scale, campaign.scales.prefetch_related("points").order_by("position"))),
        systems=systems_get(campaign=campaign, ratings=ratings).labels,
        items=np.unique(ratings.item).size,
        phrases=np.unique(ratings.phrase).size,
        texts=ratings.units.size,
        per_sheet=campaign.annotators_per_sheet,
        max_per_sheet=campaign.max_per_sheet,
        layout=campaign.layout,
        annotators=dict(Counter(one.origin for one in people)),
        judgments=len(pairs),
        ratings=sum(table.value.size for table in ratings.tables.values()),
        cannot_judge=sum(cannot_judge(campaign=campaign, ratings=ratings).values()),
        sources=sources_of(campaign=campaign, ratings=ratings, pairs=pairs),
        per_text=judgments_per_text(pairs),
        twice=counted_twice(people),
        not_blind=sum(
            one.not_blind_since is not None and one.user_id is not None for one in people
        ),
        panels=tuple(f"people of the panel “{one.name}” of a crowd platform" for one in panels),
        pay=tuple(pay for one in panels if (pay := pay_of(one))),
        short_references=_short(campaign),
        answers=dict(campaign.reviewer_answers.values_list("question", "text")),
        guidelines=_guidelines(campaign),
        consented=Consent.objects.filter(annotator__in=people)
        .values("annotator")
        .distinct()
        .count(),
        background=tuple(
            campaign.background_questions.filter(hidden_at=None).values_list("wording", flat=True)
        ),
        practice_required=bool(practice and practice.required),
        practice_share=practice.share if practice else None,
        checks=_checks(campaign),
        rules=tuple(
            rule_told(rule) for rule in campaign.quality_rules.filter(ended_at=None).order_by("pk")
        ),
        excluded={kind: len(exclusions) for kind, exclusions in sorted(out.items())},
        withdrawn=campaign.withdrawals.values("annotator").distinct().count(),
        unjudged=ratings.units.size - len({unit for unit, _ in pairs}),
        design=design_get(campaign=campaign, ratings=ratings),
    )


def _short(campaign: Campaign) -> str:
    """A sentence on references that are too short for what metrics compare with them."""
    share = short_references(campaign=campaign)
    if share is None:
        return ""
    return (
        "References are mostly much shorter than the sentences that metrics compare with them "
        f"(median {share:.0%} of the characters): they seem to replace the phrase alone."
    )


def _guidelines(campaign: Campaign) -> tuple[int, ...]:
    """The versions that judgments given here name; one query."""
    rows = campaign.judgments.filter(batch=None, status=Judgment.Status.COUNTED).exclude(
        guideline=None
    )
    return tuple(sorted(set(rows.order_by().values_list("guideline__version", flat=True))))


def _scale(scale: Scale) -> ScaleFacts:
    return ScaleFacts(
        name=scale.name,
        question=scale.question,
        level=scale.level,
        minimum=scale.minimum,
        maximum=scale.maximum,
        step=scale.step,
        higher_is_better=scale.higher_is_better,
        threshold=scale.threshold,
        points=tuple(
            sorted((point.value, point.label, point.anchor) for point in scale.points.all())
        ),
    )


def _checks(campaign: Campaign) -> dict[str, int]:
    roles = campaign.substitutions.filter(role__in=CHECKS).values_list("role", flat=True)
    many = Counter(roles.order_by())
    checks = {name: many[role] for role, name in CHECKS.items()}
    repeats = Sheet.objects.filter(item__campaign=campaign, occasion__gt=1).count()
    return {**checks, "hidden repeats": repeats}


def data_digest(*, ratings: Ratings) -> str:
    """The one digest of a campaign's data, in its paper, package and archive: SHA-256 of the
    ratings behind every number, as the package has them in data/ratings.csv."""
    stream = _Hashed()
    write_rows(
        rating_rows(ratings=ratings), cast(BinaryIO, stream), RATING_COLUMNS, format="csv", raw=True
    )
    return stream.digest.hexdigest()


class _Hashed(io.RawIOBase):
    """A file of which only the digest stays."""

    def __init__(self) -> None:
        super().__init__()
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self.digest.update(data)
        return len(data)


def rating_rows(*, ratings: Ratings) -> Iterator[dict[str, object]]:
    """The ratings behind every statistic, in the format that `agreement` reads.

    `item` is the key of the text, as in all other files; `context` and `phrase` are the numbers of
    its clusters.
    """
    names = [text.text_key for text in texts_named(ratings.units.tolist())]
    clusters = [
        np.unique(codes, return_inverse=True)[1] for codes in (ratings.item, ratings.phrase)
    ]
    for scale, table in ratings.tables.items():
        unit, annotator, value = table.by_unit
        for row, who, given in zip(unit.tolist(), annotator.tolist(), value.tolist(), strict=True):
            yield {
                "item": names[row],
                "annotator": ratings.annotators[who].code,
                "scale": scale,
                "value": given,
                "context": int(clusters[0][row]) + 1,
                "phrase": int(clusters[1][row]) + 1,
            }


# The texts of a campaign as segments, for the folder of mt-metrics-eval.
#
# Callers have checked the user's access to the campaign (annotation/access.py).


MOST_REFERENCES = 26  # refA to refZ.


@dataclass(frozen=True, slots=True)
class SegmentTexts:
    """Segments without metrics, and what their scores are looked up by.

    units        system -> the unit of each segment, None for a missing text
    references   name -> the id of the reference of each segment, None for a missing one
    whole        whether the phrase is the whole sentence, for each segment
    own_context  units shown in a sentence of their own, which no reference is of
    """

    segments: Segments
    units: Mapping[str, Sequence[int | None]]
    references: Mapping[str, Sequence[int | None]]
    whole: Sequence[bool]
    own_context: frozenset[int]

    def of_units(self, values: FloatArray) -> dict[str, list[float | None]]:
        """Values by unit as values by system and segment."""
        return {
            label: [None if unit is None else _number(values[unit]) for unit in column]
            for label, column in self.units.items()
        }


def segments_get(*, campaign: Campaign, ratings: Ratings) -> SegmentTexts:
    """Every item as a segment, phrase by phrase; a constant number of queries.

    Of several texts of a system for an item the one with the best rank is used: the format has room
    for one. Excluded systems, items and texts are not there.
    """
    order = {pk: place for place, pk in enumerate(ratings.phrase.tolist())}
    item_ids = set(ratings.item.tolist())
    items = sorted(
        (item for item in Item.objects.filter(campaign=campaign) if item.pk in item_ids),
        key=lambda item: (order[item.phrase_id], item.position),
    )
    place = {item.pk: at for at, item in enumerate(items)}
    phrases = dict(Phrase.objects.filter(campaign=campaign).values_list("pk", "text"))
    units = {pk: code for code, pk in enumerate(ratings.units.tolist())}
    labels = systems_get(campaign=campaign, ratings=ratings).labels
    made = _made(campaign, place, labels, units)
    texts = {
        units[one.pk]: one
        for one in Substitution.objects.filter(campaign=campaign).select_related("item")
        if one.pk in units
    }
    columns = gold_columns(campaign=campaign, ratings=ratings)
    references = _references(campaign, place)
    segment_texts = SegmentTexts(
        Segments(
            documents=[phrases[item.phrase_id] for item in items],
            sources=[item.sentence for item in items],
            references={
                name: [None if one is None else one.text for one in column]
                for name, column in references.items()
            },
            outputs={
                label: [None if unit is None else texts[unit].sentence() for unit in column]
                for label, column in made.items()
            },
            human={},
            languages=[language_of(item, campaign) for item in items],
            lower=tuple(name for name, one in columns.items() if not one.higher_is_better),
        ),
        made,
        {
            name: [None if one is None else one.pk for one in column]
            for name, column in references.items()
        },
        [not item.before and not item.after for item in items],
        frozenset(unit for unit, one in texts.items() if one.own_sentence is not None),
    )
    human = {name: segment_texts.of_units(column.mean) for name, column in columns.items()}
    return replace(segment_texts, segments=replace(segment_texts.segments, human=human))


def _made(
    campaign: Campaign, place: Mapping[int, int], labels: Sequence[str], units: Mapping[int, int]
) -> dict[str, list[int | None]]:
    """The unit of the best-ranked text of each system for every item, by the item's index."""
    made: dict[str, list[int | None]] = {label: [None] * len(place) for label in labels}
    rows = Output.objects.filter(system__campaign=campaign, substitution__isnull=False)
    outputs = rows.order_by("-rank", "-pk")  # The best rank is written last.
    for label, item, text in outputs.values_list("system__label", "item_id", "substitution_id"):
        if item in place and label in made and text in units:
            made[label][place[item]] = units[text]
    return made


def _references(campaign: Campaign, place: Mapping[int, int]) -> dict[str, list[Reference | None]]:
    """refA, refB, ...: the first, second, ... reference of every item, None where it has fewer."""
    cited: dict[int, list[Reference]] = {pk: [] for pk in place}
    for one in Reference.objects.filter(item__campaign=campaign).order_by("position"):
        if one.item_id in cited:
            cited[one.item_id].append(one)
    most = min(max((len(texts) for texts in cited.values()), default=0), MOST_REFERENCES)
    return {
        f"ref{chr(ord('A') + at)}": [cited[pk][at] if at < len(cited[pk]) else None for pk in place]
        for at in range(most)
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
