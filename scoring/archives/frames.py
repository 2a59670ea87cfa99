"""The tables of an archive as pandas frames, without a database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scoring.archives.file_format import Limits, open_archive

if TYPE_CHECKING:
    import pandas


def archive_frames(
    path: str | Path,
    names: tuple[str, ...] = (),
    limits: Limits = Limits(),  # noqa: B008 frozen
) -> dict[str, pandas.DataFrame]:
    """Return a frame for each table, or for those named, by the name of the table.

    The index `row` counts from 1; a column that refers to another table holds its row there, as
    text columns and times hold what the archive has. A missing cell is None, of numbers NaN.
    Raises ArchiveRefused for a file that is no archive or not whole, KeyError for an unknown name.
    """
    import pandas

    frames: dict[str, pandas.DataFrame] = {}
    with Path(path).open("rb") as stream:
        archive = open_archive(stream, limits)
        for name in names or tuple(archive.manifest.tables):
            table = archive.manifest.tables[name]
            frame = pandas.DataFrame(list(archive.rows(name)), columns=list(table.columns))
            frame.index = pandas.RangeIndex(1, len(frame) + 1, name="row")
            frames[name] = frame
    return frames
