"""The right values of controls and practice texts: set, removed, imported from a file or a form."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, TypedDict

from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, short_write
from annotation.errors import Invalid
from annotation.importers.gold import ExpectedRow, read_expected
from annotation.importers.items import Target
from annotation.importing.items import items_import
from annotation.importing.report import (
    ImportReport,
    context_of,
    errors_first,
    identity_of,
    load_targets,
)
from annotation.models import Campaign, Expected, PracticeText, Scale, Substitution
from paraanno.common.texts import Problem, Sentence, say
from paraanno.template_filters import translated

PRACTICE = Substitution.Role.PRACTICE
WATCHING = (Substitution.Role.CONTROL, PRACTICE)  # Roles of texts with right values.


@dataclass(frozen=True, slots=True)
class Band:
    """The expected values on one scale, with an explanation."""

    low: float
    high: float
    explanation: str = ""


def expected_set(
    *, substitution: Substitution, bands: Mapping[Scale, Band], actor: Actor
) -> list[Expected]:
    """Set the expected values of a control or practice text; other scales are unchanged.

    Raises Invalid for another role, a reversed band, or values off the scale.
    """
    if substitution.role not in WATCHING:
        raise Invalid(_("Only controls and practice texts have expected values."))
    for scale, band in bands.items():
        if (problem := band_problem(scale, band)) is not None:
            raise Invalid(problem)
    with short_write():
        rows = [
            Expected.objects.update_or_create(
                substitution=substitution,
                scale=scale,
                defaults={
                    "low": band.low,
                    "high": band.high,
                    "explanation": band.explanation.strip(),
                },
            )[0]
            for scale, band in bands.items()
        ]
        audit(
            actor=actor,
            verb="expect",
            about=substitution,
            campaign=substitution.campaign,
            bands={scale.name: [band.low, band.high] for scale, band in bands.items()},
        )
    return rows


def expected_remove(*, substitution: Substitution, actor: Actor) -> None:
    """Remove the expected values; the text stays on its sheets, and its judgments are kept."""
    with short_write():
        gone, _models = Expected.objects.filter(substitution=substitution).delete()
        if gone:
            audit(
                actor=actor,
                verb="expect nothing",
                about=substitution,
                campaign=substitution.campaign,
            )


def band_problem(scale: Scale, band: Band) -> str | None:
    """Return what is wrong with a band on the scale; None if it is valid."""
    if not (math.isfinite(band.low) and math.isfinite(band.high)):
        return _("Give the lowest and the highest right value of %(name)s.") % {"name": scale.name}
    if band.low > band.high:
        return _("The band of %(name)s is the wrong way round.") % {"name": scale.name}
    if not (scale.minimum <= band.low and band.high <= scale.maximum):
        return _("The band of %(name)s must be on the scale.") % {"name": scale.name}
    if len(band.explanation.strip()) > 500:
        return _("An explanation has at most 500 characters.")
    return None


# Import controls and practice texts with their expected values, from a file or a form.


class Options(TypedDict):
    """What checking and importing the items take alike."""

    campaign: Campaign
    name: str
    format: str
    actor: Actor


def expected_import(
    *,
    campaign: Campaign,
    stream: BinaryIO,
    name: str,
    actor: Actor,
    format: str | None = None,
) -> ImportReport:
    """Import a file of expected values (csv, tsv, jsonl) from a seekable byte stream.

    Missing texts and items are created if the file gives the sentence. If the file has any error,
    nothing is written. Importing again sets the same values.
    """
    parsed = read_expected(stream, name=name, format=format)
    scales = {scale.name: scale for scale in Scale.objects.filter(campaign=campaign)}
    problems = [*parsed.problems, *_off_scale(parsed.rows, scales, name)]
    if not parsed.rows or any(one.severity == "error" for one in problems):
        return ImportReport(errors_first(problems), len(parsed.rows))
    texts = {row.target.key: row for row in reversed(parsed.rows)}
    lines = [_item_row(row.target) for row in texts.values() if row.target.sentence is not None]
    options: Options = {
        "campaign": campaign,
        "name": name,
        "format": "jsonl",
        "actor": actor,
    }
    if lines:
        checked = items_import(stream=_jsonl(lines), dry_run=True, **options)
        problems += [Problem(name, 0, None, one.message) for one in checked.problems]
        if not checked.ok:
            return ImportReport(errors_first(problems), len(parsed.rows))
    problems += _doubled(campaign, parsed.rows, name)
    problems += _missing(campaign, [row for row in texts.values() if row.target.sentence is None])
    if any(one.severity == "error" for one in problems):
        return ImportReport(errors_first(problems), len(parsed.rows))
    if lines:
        items_import(stream=_jsonl(lines), **options)
    _write(campaign, parsed.rows, scales, actor)
    return ImportReport(errors_first(problems), len(parsed.rows), {"texts": len(texts)})


def text_add(
    *,
    campaign: Campaign,
    role: str,
    sentence: str,
    phrase: str,
    paraphrase: str,
    bands: Mapping[str, Band],
    part: str = "practice",
    actor: Actor,
) -> Substitution:
    """Add one control or practice text from a form; `bands` are keyed by scale name.

    Raises Invalid with a sentence that says what is wrong.
    """
    if not bands:
        raise Invalid(_("Give the right values for at least one scale."))
    row: dict[str, str] = {"paraphrase": paraphrase, "role": role, "part": part}
    row |= {name: text for name, text in (("sentence", sentence), ("phrase", phrase)) if text}
    rows = [
        {**row, "scale": scale, "low": band.low, "high": band.high, "explanation": band.explanation}
        for scale, band in bands.items()
    ]
    report = expected_import(
        campaign=campaign, stream=_jsonl(rows), name="the form", format="jsonl", actor=actor
    )
    if not report.ok:
        one = report.problems[0]
        raise Invalid(f"{one.column or ''} {translated(one.message)}".strip())
    return Substitution.objects.filter(
        campaign=campaign, role=role, text=paraphrase, item__phrase__text=phrase or sentence
    ).latest("pk")


def _jsonl(rows: Sequence[Mapping[str, Any]]) -> io.BytesIO:
    return io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())


def _item_row(target: Target) -> dict[str, object]:
    names = (
        "item",
        "phrase",
        "sentence",
        "start",
        "end",
        "paraphrase",
        "role",
        "own_sentence",
        "own_start",
        "own_end",
    )
    values = {name: getattr(target, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def _off_scale(
    rows: Sequence[ExpectedRow], scales: Mapping[str, Scale], name: str
) -> list[Problem]:
    problems = []
    for row in rows:
        scale = scales.get(row.scale)
        if scale is None:
            text = say("there is no scale %(scale)s in the campaign", scale=repr(row.scale))
            problems.append(Problem(name, row.line, "scale", text))
        elif (wrong := band_problem(scale, Band(row.low, row.high, row.explanation))) is not None:
            problems.append(Problem(name, row.line, "low", say(wrong)))
    return problems


def _missing(campaign: Campaign, rows: Sequence[ExpectedRow]) -> list[Problem]:
    targets = load_targets(campaign=campaign, targets=[row.target for row in rows])
    resolved = ((row, targets.find(row.target)) for row in rows)
    return [Problem("", row.line, None, pk) for row, pk in resolved if isinstance(pk, Sentence)]


def _doubled(campaign: Campaign, rows: Sequence[ExpectedRow], name: str) -> list[Problem]:
    """Return the rows that name the text of an earlier row in another way, on the same scale."""
    targets = load_targets(campaign=campaign, targets=[row.target for row in rows])
    lines: dict[tuple[object, ...], int] = {}
    problems = []
    for row in rows:
        one = row.target
        text: object = targets.find(one)
        if isinstance(text, Sentence):  # It is new: the file itself says what it is.
            text = (identity_of(one), one.paraphrase, one.role, context_of(one))
        first = lines.setdefault((text, row.scale), row.line)
        if first != row.line:
            wrong = say(
                "the same text, named differently, has values on the scale in line %(line)s too: "
                "remove one",
                line=first,
            )
            problems.append(Problem(name, row.line, None, wrong))
    return problems


def _write(
    campaign: Campaign, rows: Sequence[ExpectedRow], scales: Mapping[str, Scale], actor: Actor
) -> None:
    """Write each text in one short transaction; the texts exist by now."""
    targets = load_targets(campaign=campaign, targets=[row.target for row in rows])
    bands: dict[int, dict[Scale, Band]] = {}
    parts: dict[int, str] = {}
    for row in rows:
        pk = targets.find(row.target)
        if isinstance(pk, Sentence):
            raise Invalid(translated(pk))
        bands.setdefault(pk, {})[scales[row.scale]] = Band(row.low, row.high, row.explanation)
        parts[pk] = row.part
    texts = Substitution.objects.in_bulk(list(bands))
    for pk, wanted in bands.items():
        expected_set(substitution=texts[pk], bands=wanted, actor=actor)
        if texts[pk].role == PRACTICE:
            practice_place(text=texts[pk], part=parts[pk])


def practice_place(*, text: Substitution, part: str) -> PracticeText:
    """Put a practice text at the end of the given part, moving it from the other one if needed."""
    last = PracticeText.objects.filter(campaign_id=text.campaign_id, part=part).aggregate(
        last=Max("position")
    )["last"]
    place, new = PracticeText.objects.get_or_create(
        substitution=text,
        defaults={"campaign_id": text.campaign_id, "part": part, "position": (last or 0) + 1},
    )
    if not new and place.part != part:
        place.part, place.position = part, (last or 0) + 1
        place.save(update_fields=["part", "position"])
    return place
