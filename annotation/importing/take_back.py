"""Take an import back while nothing was made of it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, TypedDict

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, Invalid
from annotation.importers import ExpectedRow, Problem, Target, read_expected
from annotation.importing.items import items_import
from annotation.importing.report import (
    LOOKUP,
    ImportReport,
    context_of,
    errors_first,
    followers_call,
    identity_of,
    load_targets,
    pieces,
)
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    ImportBatch,
    ImportedGold,
    ImportJob,
    Item,
    Judgment,
    Output,
    OutsideId,
    Phrase,
    PracticeAnswer,
    PracticeText,
    Reference,
    Remark,
    Scale,
    Sheet,
    SheetEntry,
    Skip,
    Slot,
    Substitution,
    System,
)
from annotation.quality.rules import Band, band_problem, expected_set
from paraanno.common.texts import Sentence, say
from paraanno.translated import translated

Obstacle = Callable[[QuerySet[Substitution]], str]
# Other apps say here what they made of texts, "" for nothing (scoring/apps.py).
OBSTACLES: list[Obstacle] = []
# And take away what they made by themselves, before texts of the campaign go.
FORGETTERS: list[Callable[[QuerySet[Substitution]], object]] = []


def import_take_back(*, batch: ImportBatch, actor: Actor) -> dict[str, int]:
    """Remove what an import added, and the import; the log keeps both. Returns the numbers of rows.

    Attributes and languages that it gave to texts that were there before stay. Raises Conflict,
    which says why, if something was made of it: a text of it was claimed, judged, skipped, remarked
    on, excluded, practised or scored, or a later import added to its texts.
    """
    with short_write():
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=batch.campaign_id)
        if not ImportBatch.objects.filter(pk=batch.pk).exists():
            raise Conflict(_("The import was taken back already."))
        if ImportJob.objects.filter(batch=batch, status__in=["queued", "running"]).exists():
            raise Conflict(_("The import is not finished: wait until it ends."))
        removed = {
            "items": _texts,
            "judgments": _judgments,
            "gold": _gold,
        }[batch.what](batch)
        audit(
            actor=actor,
            verb="take back import",
            about=batch,
            campaign=campaign,
            file=batch.file_name,
            sha256=batch.sha256,
            **removed,
        )
        batch.delete()
    if batch.what == "items":
        followers_call(campaign=campaign, actor=actor)
    return removed


def _gold(batch: ImportBatch) -> dict[str, int]:
    return {"gold": _removed(ImportedGold.objects.filter(batch=batch))}


def _judgments(batch: ImportBatch) -> dict[str, int]:
    rows = Judgment.objects.filter(batch=batch)
    if rows.filter(slot__isnull=False).exists():
        raise Conflict(_("Judgments of this import filled assignments of their sheets: they stay."))
    if rows.filter(version__gt=1).exists():
        raise Conflict(_("Judgments of this import were changed since: they stay."))
    people = list(rows.order_by().values_list("annotator_id", flat=True).distinct())
    n = _removed(rows)
    busy: set[int] = set()
    for rows_of in (
        Judgment.objects.filter(annotator__in=people),
        Slot.objects.filter(annotator__in=people),
        Exclusion.objects.filter(annotator__in=people),
        Skip.objects.filter(annotator__in=people),
        Remark.objects.filter(annotator__in=people),
    ):
        queryset: QuerySet[Any] = rows_of
        busy.update(queryset.order_by().values_list("annotator_id", flat=True).distinct())
    left = Annotator.objects.filter(
        pk__in=set(people) - busy,
        user=None,
        origin__in=[
            Annotator.Origin.IMPORTED,
            Annotator.Origin.ANONYMOUS,
            Annotator.Origin.PILOT,
        ],
    )
    return {"judgments": n, "annotators": _removed(left)}


def _texts(batch: ImportBatch) -> dict[str, int]:
    texts = Substitution.objects.filter(campaign=batch.campaign_id, batch=batch)
    items = Item.objects.filter(batch=batch)
    if texts.count() < batch.counts.get("substitutions", 0):
        raise Conflict(
            _("This import was made by an earlier version, which did not note its texts: it stays.")
        )
    why = _obstacle(batch, texts, items)
    if why:
        raise Conflict(why)
    for forget in FORGETTERS:
        forget(texts)
    phrases = set(items.order_by().values_list("phrase_id", flat=True))
    removed = {
        "outputs": _removed(Output.objects.filter(batch=batch)),
        "references": _removed(Reference.objects.filter(batch=batch)),
        "outside_ids": _removed(OutsideId.objects.filter(campaign=batch.campaign_id, batch=batch)),
    }
    SheetEntry.objects.filter(substitution__in=texts).delete()
    _removed(Sheet.objects.filter(campaign=batch.campaign_id, entries=None))
    removed["substitutions"] = _removed(texts)
    removed["items"] = _removed(items)
    unused = Phrase.objects.filter(campaign=batch.campaign_id).filter(
        ~Exists(Item.objects.filter(phrase=OuterRef("pk")))
    )
    removed["phrases"] = sum(
        _removed(unused.filter(pk__in=part)) for part in pieces(sorted(phrases))
    )
    systems = System.objects.filter(campaign=batch.campaign_id, batch=batch)
    removed["systems"] = _removed(
        systems.filter(~Exists(Output.objects.filter(system=OuterRef("pk"))))
    )
    return removed


def _obstacle(batch: ImportBatch, texts: QuerySet[Substitution], items: QuerySet[Item]) -> str:
    sheets = _sheets_of(texts)
    busy = Slot.objects.filter(sheet__in=sheets).exclude(state=Slot.State.FREE)
    judged = (Judgment.objects.filter(substitution__in=texts), busy)
    if any(rows.exists() for rows in judged):
        return _("Somebody has judged a text of this import, or is about to: it stays.")
    noted: tuple[QuerySet[Any], ...] = (
        Remark.objects.filter(sheet__in=sheets),
        Skip.objects.filter(sheet__in=sheets),
        PracticeAnswer.objects.filter(substitution__in=texts),
        PracticeText.objects.filter(substitution__in=texts),
        Exclusion.objects.filter(
            Q(substitution__in=texts)
            | Q(item__in=items)
            | Q(system__batch=batch)
            | Q(phrase__items__in=items)
        ),
    )
    if any(rows.exists() for rows in noted):
        return _("A text of this import was remarked on, skipped, practised or excluded: it stays.")
    later: tuple[QuerySet[Any], ...] = (
        Substitution.objects.filter(item__in=items),
        Reference.objects.filter(item__in=items),
        Output.objects.filter(Q(item__in=items) | Q(substitution__in=texts)),
        Output.objects.filter(system__batch=batch),
        Substitution.objects.filter(made_from__in=texts),
    )
    if any(rows.exclude(batch=batch).exists() for rows in later):
        return _("Later texts, outputs or copies build on this import: take those back first.")
    if ImportedGold.objects.filter(substitution__in=texts).exists():
        return _("Gold was imported for texts of this import: take that back first.")
    return next((why for one in OBSTACLES if (why := one(texts))), "")


def _sheets_of(texts: QuerySet[Substitution]) -> QuerySet[Any]:
    return SheetEntry.objects.filter(substitution__in=texts).order_by().values("sheet")


def _removed(rows: QuerySet[Any]) -> int:
    """Delete rows with what depends on them, part by part; return the number of the rows alone."""
    manager, removed = rows.model._default_manager, 0
    while part := list(rows.order_by().values_list("pk", flat=True)[:LOOKUP]):
        manager.filter(pk__in=part).delete()
        removed += len(part)
    return removed


# Import controls and practice texts with their expected values, from a file or a form.


PRACTICE = Substitution.Role.PRACTICE


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
