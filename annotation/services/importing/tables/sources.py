"""What a file is read from: itself, or a table whose columns a mapping explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from django.utils.translation import gettext as _

from annotation.errors import Invalid, Unsure
from annotation.importers import Problem
from annotation.importers.ppdb import FORMAT as PPDB
from annotation.importers.ppdb import PpdbRecords
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
from annotation.importers.tables.guessing import SCALES
from annotation.importers.tables.map_parts import MapError
from annotation.importers.tables.ours import is_ours
from annotation.models import Campaign
from paraanno.translated import translated

FileSource = BinaryIO | MappedTable | PpdbRecords


def source_of(
    stream: BinaryIO, name: str, what: str, mapping: Mapping[str, Any] | None,
    format: str | None = None,
) -> FileSource:  # fmt: skip
    """Return the stream, or its records under the mapping or in the format of PPDB's judgments.
    Raises Invalid for a wrong mapping, Unsure for one that asks."""
    if mapping is None:
        return PpdbRecords(stream, what) if is_ppdb(format) else stream
    found = column_map(mapping)
    if found.what != what:
        raise Invalid(
            _("The mapping is for %(one)s, not for %(other)s.") % {"one": found.what, "other": what}
        )
    wait_for_answers(found, named=True)  # The reader refuses judgments of nobody.
    return MappedTable(stream, name, found)


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
    return source.told(problems) if isinstance(source, MappedTable) else list(problems)


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
) -> Inspection:
    """Look at a table; the scales of the campaign are recognised. `encoding`, `head`, the rows with
    the names of the columns, and `steps`, its repairs, are found by default. Raises Invalid for no
    table."""
    ranges = scale_ranges(campaign)
    try:
        book = open_apart(stream, name, encoding=encoding, most=MOST_LOOKED_AT)
        return inspect_book(book, what=what, sheet=sheet, scales=list(ranges) or SCALES, head=head,
                            ranges=ranges, steps=steps)  # fmt: skip
    except TableError as error:
        raise Invalid(error.message, line=error.line) from error
