"""The judgments of a table whose texts are imported: read with them where nothing asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from annotation.errors import Invalid
from annotation.importers.tables import (
    MOST_LOOKED_AT,
    Inspection,
    TableError,
    inspect_book,
    open_apart,
)
from annotation.importers.tables.books import Book, place_of
from annotation.importers.tables.guessing.own_scales import OwnScale, own_scales
from annotation.importers.tables.mapped import VALUES
from annotation.importers.tables.names import scale_named
from annotation.importers.tables.tools.common.answer_tables import NOT_JUDGED
from annotation.importing.tables import table_inspect
from annotation.models import Campaign
from paraanno.template_filters import translated

MOST_NAMED = 8


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


def people_of(seen: Inspection) -> str:
    """Return the first annotators of a table as the page names them."""
    people = seen.ledger.annotators
    return ", ".join(people[:MOST_NAMED]) + (" …" if len(people) > MOST_NAMED else "")
