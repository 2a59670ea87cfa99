"""Mappings of columns, kept with their campaign; and the judgments of a table whose texts are
imported: read with them where nothing asks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import Any, BinaryIO

from django.utils.translation import gettext as _

from annotation.database import Actor, audit, short_write
from annotation.errors import Invalid, Unsure
from annotation.importers.gold import GoldRow, iter_gold
from annotation.importers.items import ItemRow, iter_items
from annotation.importers.judgments import FORMAT as PPDB
from annotation.importers.judgments import JudgmentRow, PpdbRecords, iter_judgments
from annotation.importers.tables import (
    MOST_LOOKED_AT,
    ColumnMap,
    Inspection,
    MappedTable,
    TableError,
    inspect_book,
    is_book,
    open_apart,
)
from annotation.importers.tables.books import Book, place_of
from annotation.importers.tables.guessing.own_scales import OwnScale, own_scales
from annotation.importers.tables.guessing.roles import SCALES
from annotation.importers.tables.ledger import Ledger
from annotation.importers.tables.mapped import VALUES
from annotation.importers.tables.mapping import MapError
from annotation.importers.tables.names import scale_named
from annotation.importers.tables.opening import is_ours
from annotation.importers.tables.tools.common.answer_tables import NOT_JUDGED
from annotation.importing.plan import ItemPlan, NewItem
from annotation.importing.report import AddedText, TextChange
from annotation.models import Campaign, ColumnMapping
from paraanno.common.texts import Problem, ProblemLog
from paraanno.template_filters import translated

# What a file is read from: itself, or a table whose columns a mapping explains.


NAMED_LEFT = 4  # columns that are not read, in the line of the ledger
FileSource = BinaryIO | MappedTable | PpdbRecords


def source_of(
    stream: BinaryIO,
    name: str,
    what: str,
    mapping: Mapping[str, Any] | None,
    format: str | None = None,
) -> FileSource:
    """Return the stream, or its records under the mapping or in the format of PPDB's judgments.
    Raises Invalid for a wrong mapping, Unsure for one that asks."""
    if mapping is None:
        return PpdbRecords(stream, what) if is_ppdb(format) else stream
    parsed = column_map(mapping)
    if parsed.what != what:
        raise Invalid(
            _("The mapping is for %(one)s, not for %(other)s.")
            % {"one": parsed.what, "other": what}
        )
    wait_for_answers(parsed, named=True)  # The reader refuses judgments of nobody.
    return MappedTable(stream, name, parsed)


def wait_for_answers(mapping: ColumnMap, *, named: bool) -> None:
    """Raise Unsure while somebody should look at what the mapping says. `named`: the annotator is
    given beside it, or said to be unknown."""
    if asks := mapping.waits(named=named):
        raise Unsure(
            _(
                "Look at the table first: %(why)s. Say in the mapping what is right and remove its "
                '"ask", or accept what is not sure.'
            )
            % {"why": "; ".join(map(translated, asks))},
            asks=[translated(one) for one in asks],
        )


def agreed(mapping: ColumnMap, *, accepted: bool, named: bool = False) -> dict[str, Any]:
    """Return the JSON of a mapping with which a file can be imported. Raises Unsure while it asks,
    unless what is not sure is accepted."""
    if not accepted:
        wait_for_answers(mapping, named=named)
    return mapping.sure().to_json()


def is_ppdb(format: str | None) -> bool:
    """Whether the file has the judgments of PPDB, of which nobody knows who gave them."""
    return (format or "").lower() == PPDB


def column_map(mapping: object) -> ColumnMap:
    """Read a mapping. Raises Invalid, which says what is wrong."""
    try:
        return ColumnMap.from_json(mapping)
    except MapError as error:
        raise Invalid(error.message) from error


def in_words_of(source: FileSource, problems: Sequence[Problem]) -> list[Problem]:
    """Return problems with the columns of the user's file."""
    return source.explained(problems) if isinstance(source, MappedTable) else list(problems)


def needs_mapping(stream: BinaryIO, name: str, format: str | None, scales: Sequence[str]) -> bool:
    """Whether the file is a table of somebody's own: of a kind that is no stream of text, or with a
    column that is none of ours. Rewinds the stream."""
    stream.seek(0)
    try:
        return not format and (is_book(name) or not is_ours(stream, name, scales))
    finally:
        stream.seek(0)


def mapping_guess(
    *, campaign: Campaign, stream: BinaryIO, name: str, what: str, sheet: str = ""
) -> Inspection:
    """Return the guesses for a table. Raises Invalid if they cannot be read."""
    seen = table_inspect(stream=stream, name=name, what=what, sheet=sheet, campaign=campaign)
    if missing := seen.mapping.missing():
        raise Invalid(
            _("Say with a mapping what the columns are: %(why)s.")
            % {"why": "; ".join(map(translated, missing))}
        )
    return seen


def table_rows(seen: Inspection) -> int | None:
    """Return the number of rows of the sheet that is read; None for more than were looked at."""
    return next(one.rows for one in seen.sheets if one.name == seen.mapping.sheet)


def ledger_shown(ledger: Ledger, *, below: Collection[str] = ()) -> dict[str, Any]:
    """Return the ledger of a table as pages show it: what is read, what is left out, and what is
    not read, with why; without columns that the page asks about `below`."""
    left = [(name, translated(why)) for name, why in ledger.not_read if name not in below]
    return {
        "read": translated(ledger.read),
        "out": [translated(one) for one in ledger.left_out],
        "left": left,
        "names": ", ".join(name for name, _ in left[:NAMED_LEFT]) + " …" * (len(left) > NAMED_LEFT),
    }


def scale_ranges(campaign: Campaign | None) -> dict[str, tuple[float, float]]:
    """Return the lowest and highest points of the scales of a campaign."""
    if campaign is None:
        return {}
    scales = campaign.scales.values_list("name", "minimum", "maximum")
    return {name: (float(low), float(high)) for name, low, high in scales}


def table_inspect(
    *,
    stream: BinaryIO,
    name: str,
    what: str | None = None,
    sheet: str = "",
    campaign: Campaign | None = None,
    encoding: str | None = None,
    head: tuple[int, ...] | None = None,
    steps: Sequence[Mapping[str, Any]] | None = None,
    sheets_ask: bool | None = None,
) -> Inspection:
    """Look at a table; the scales of the campaign are recognised. `encoding`, `head`, the rows with
    the names of the columns, and `steps`, its repairs, are found by default. `sheets_ask` as in
    `inspect_book`. Raises Invalid for no table."""
    ranges = scale_ranges(campaign)
    try:
        book = open_apart(stream, name, encoding=encoding)
        return inspect_book(
            book,
            what=what,
            sheet=sheet,
            scales=list(ranges) or SCALES,
            head=head,
            ranges=ranges,
            steps=steps,
            sheets_ask=sheets_ask,
        )
    except TableError as error:
        raise Invalid(error.message, line=error.line) from error


def mapping_keep(
    *, campaign: Campaign, mapping: Mapping[str, Any], file_name: str, actor: Actor
) -> ColumnMapping:
    """Keep a mapping, once. Raises Invalid for a wrong one."""
    parsed = column_map(mapping)
    with short_write():
        row, new = ColumnMapping.objects.get_or_create(
            campaign=campaign,
            digest=mapping_digest(parsed),
            defaults={
                "what": parsed.what,
                "file_name": PurePath(file_name).name[:255],
                "mapping": parsed.to_json(),
                "created_by_id": actor.pk if actor else None,
            },
        )
        if new:
            audit(
                actor=actor, verb="keep mapping", about=row, campaign=campaign, file=row.file_name
            )
    return row


def mapping_digest(mapping: ColumnMap) -> str:
    """Return what equal mappings have in common: the SHA-256 of their JSON."""
    text = json.dumps(mapping.to_json(), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


# What an import changes, text by text.


MOST_CHANGES = 1000


def item_changes(plan: ItemPlan, most: int = MOST_CHANGES) -> list[TextChange]:
    """Return the changes of the first originals that change."""
    changes: list[TextChange] = []
    for item in plan.items.values():
        if len(changes) == most:
            break
        if item.changes:
            changes.append(_item_change(item))
    return changes


def _item_change(item: NewItem) -> TextChange:
    row = item.row
    systems: dict[Any, list[str]] = {}
    for (_item, system, _text), key in item.outputs.items():
        if key is not None:
            systems.setdefault(key, []).append(system)
    texts = [
        AddedText(one.paraphrase or "", tuple(systems.pop(key, ())))
        for key, one in item.substitutions.items()
    ]
    # A known text that another system gives too has no text here: its systems tell.
    texts += [AddedText("", tuple(names)) for names in systems.values()]
    return TextChange(
        row.line,
        not item.exists,
        row.sentence[: row.start],
        row.phrase,
        row.sentence[row.end :],
        tuple(texts),
        tuple(item.references.values()),
    )


def judgment_changes(rows: Iterable[JudgmentRow], most: int = MOST_CHANGES) -> list[TextChange]:
    """Return the new judgments, by the text that they are about."""
    pairs = ((row, f"{row.annotator or '?'} {row.scale}: {_number(row.value)}") for row in rows)
    return _by_text(pairs, most)


def gold_changes(rows: Iterable[GoldRow], most: int = MOST_CHANGES) -> list[TextChange]:
    """Return the new values, by the text that they are about."""
    return _by_text(((row, f"{row.scale}: {_number(row.value)}") for row in rows), most)


def _by_text(pairs: Iterable[tuple[JudgmentRow | GoldRow, str]], most: int) -> list[TextChange]:
    about: dict[tuple[object, ...], tuple[JudgmentRow | GoldRow, list[str]]] = {}
    for row, words in pairs:
        if row.target.key not in about and len(about) == most:
            continue
        about.setdefault(row.target.key, (row, []))[1].append(words)
    changes = []
    for row, values in about.values():
        target = row.target
        sentence, start, end = target.sentence or "", target.start or 0, target.end or 0
        phrase = target.phrase or target.item or ""
        text = AddedText(target.paraphrase, tuple(values))
        changes.append(
            TextChange(row.line, False, sentence[:start], phrase, sentence[end:], (text,))
        )
    return changes


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def lines_of_changes(changes: Sequence[TextChange]) -> list[str]:
    """Return the changes as lines for a terminal."""
    lines = []
    for one in changes:
        mark = "+" if one.new else " "
        lines.append(f"{mark} {one.line}: {one.before}[{one.phrase}]{one.after}")
        for new in one.texts:
            about = f" ({', '.join(new.about)})" if new.about else ""
            lines.append(f"    + {new.text or 'known text'}{about}")
        lines += [f"    + reference: {text}" for text in one.references]
    return lines


# The first rows of a table, as they would appear on sheets.


ROWS = 20  # of the file
SHOWN = 20  # problems


def table_preview(
    *, campaign: Campaign, stream: BinaryIO, name: str, mapping: ColumnMap
) -> tuple[list[TextChange], list[Problem]]:
    """Return the texts of the first rows, as the mapping reads them, and the problems of those
    rows. Nothing is compared with the campaign."""
    log = ProblemLog(name)
    table = MappedTable(stream, name, mapping, most_rows=ROWS)
    scales = list(campaign.scales.values_list("name", flat=True))
    if mapping.what == "items":
        shown = _originals(iter_items(table, log=log))
    elif mapping.what == "gold":
        shown = gold_changes(iter_gold(table, log=log, scales=scales), ROWS)
    else:
        # Who judged may be chosen beside the mapping, for all rows.
        rows = iter_judgments(table, log=log, repeats="number", anonymous=True)
        shown = judgment_changes(rows, ROWS)
    return shown, list(islice(log.problems(), SHOWN))


def _originals(rows: Iterator[ItemRow]) -> list[TextChange]:
    originals: dict[tuple[object, ...], tuple[ItemRow, dict[str, list[str]], list[str]]] = {}
    for row in rows:
        _, texts, references = originals.setdefault(row.identity, (row, {}, []))
        if row.paraphrase is not None:
            systems = texts.setdefault(row.paraphrase, [])
            systems += [row.system] if row.system and row.system not in systems else []
        references += [text for text in row.references if text not in references]
    return [
        TextChange(
            row.line,
            True,
            row.sentence[: row.start],
            row.phrase,
            row.sentence[row.end :],
            tuple(AddedText(text, tuple(systems)) for text, systems in texts.items()),
            tuple(references),
        )
        for row, texts, references in originals.values()
    ]


# Judgments beside texts.


MOST_NAMED = 8
ONCE = 0.8  # share of the texts that stand in one row: short outputs may be alike


def judgments_beside(
    *, campaign: Campaign, stream: BinaryIO, options: Mapping[str, Any]
) -> Inspection | None:
    """Look at the judgments of a kept table of texts, as it was repaired; None if it has none."""
    mapping = options.get("mapping") or {}
    as_chosen: dict[str, Any] = {}
    if mapping and not mapping.get("form"):
        as_chosen = {
            "sheet": mapping["sheet"],
            "encoding": mapping["encoding"] or None,
            "head": tuple(mapping["head"]),
            "steps": mapping["steps"],
            "sheets_ask": True,
        }
    stream.seek(0)
    try:
        seen = table_inspect(
            stream=stream, name=options["name"], what="judgments", campaign=campaign, **as_chosen
        )
    except Invalid:
        return None  # A tool's file with texts alone.
    return seen if seen.judged else None


def refused_judgments(*, campaign: Campaign, stream: BinaryIO, name: str) -> str:
    """Return why answers in a tool's file are no judgments, where people gave some; "" else."""
    stream.seek(0)
    try:
        table_inspect(stream=stream, name=name, what="judgments", campaign=campaign)
    except Invalid as refusal:
        return "" if refusal.message == translated(NOT_JUDGED) else str(refusal.message)
    finally:
        stream.seek(0)
    return ""


def has_judgments(
    campaign: Campaign, stream: BinaryIO, options: Mapping[str, Any], seen: Inspection
) -> bool:
    """Whether the file holds judgments beside the texts that are imported."""
    if options["what"] != "items" or not seen.tool:
        return bool(seen.also)
    return judgments_beside(campaign=campaign, stream=stream, options=options) is not None


def scales_of_judgments(
    *, stream: BinaryIO, name: str, choices: Mapping[str, Mapping[str, tuple[float, float]]]
) -> tuple[str, tuple[OwnScale, ...]]:
    """Return the first of the choices whose scales are those of the judgments of a table: nothing
    asks with them, or who judged alone; else "" and the scales that the table names itself, none
    where these are uncertain. `choices`: the ranges of scales by name. Rewinds."""
    try:
        book = open_apart(stream, name, most=MOST_LOOKED_AT)
    except TableError:
        return "", ()
    finally:
        stream.seek(0)
    try:
        return _fitting(book, choices)
    except TableError:
        return "", ()  # A tool's file with texts alone.


def _fitting(
    book: Book, choices: Mapping[str, Mapping[str, tuple[float, float]]]
) -> tuple[str, tuple[OwnScale, ...]]:
    fits, open_scales = {}, set()
    for choice, ranges in choices.items():
        seen = inspect_book(book, what="judgments", scales=list(ranges), ranges=ranges)
        judged = seen.judged and _are_whole(seen)
        if seen.mapping.missing():
            open_scales.add(choice)
        if judged and is_sure(seen, {}):
            return choice, ()
        fits[choice] = judged and is_sure(seen, {"anonymous": True})
    named = next((choice for choice, fit in fits.items() if fit), "")
    own = () if named else own_scales(book)
    closed = {choice: one for choice, one in choices.items() if choice not in open_scales}
    like = next((choice for choice, ranges in closed.items() if _are_of(own, ranges)), "")
    return named or like, () if like else own


def _are_whole(seen: Inspection) -> bool:
    """Whether no value is between the points of a template's scales, which are whole numbers."""
    places = [place_of(one.column) or 0 for one in seen.columns if one.guess.role in VALUES]
    values = [value for at in places for value in seen.profiles[at].values]
    return all(value is None or value.is_integer() for value in values)


def _are_of(own: Sequence[OwnScale], ranges: Mapping[str, tuple[float, float]]) -> bool:
    """Whether the scales of a table are some of these, by their names and ranges."""
    names = [scale_named(one.name, ranges) for one in own]
    ends = [
        ranges[name] == (one.low, one.high) for one, name in zip(own, names, strict=True) if name
    ]
    whole = all(float(one.step).is_integer() for one in own)
    return bool(own) and len(set(names)) == len(ends) == len(own) and all(ends) and whole


def is_sure(seen: Inspection, options: Mapping[str, Any]) -> bool:
    """Whether the judgments can be imported without a question."""
    named = bool(options.get("annotator") or options.get("anonymous"))
    return not seen.mapping.waits(named=named) and not seen.mapping.missing()


def of_unknown_people(seen: Inspection) -> bool:
    """Whether nothing is missing but who judged: each text has a whole point of each named scale,
    as one person gives it, and no mean."""
    profiles = {one.guess.role: seen.profiles[place_of(one.column) or 0] for one in seen.columns}
    new = profiles.get("paraphrase")
    named = "value_of" in profiles and not {"value", "voice_of"} & profiles.keys()
    sure = named and not is_sure(seen, {}) and is_sure(seen, {"anonymous": True})
    return bool(sure and new and new.distinct >= ONCE * new.n and _are_whole(seen))


def people_of(seen: Inspection) -> str:
    """Return the first annotators of a table as the page names them."""
    people = seen.ledger.annotators
    return ", ".join(people[:MOST_NAMED]) + (" …" if len(people) > MOST_NAMED else "")
