"""Arrow files as Hugging Face's datasets writes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from annotation.importers.tables.books import MOST_ROWS, Book, Row, damaged, too_many_rows
from annotation.importers.tables.by_pandas import need_pyarrow, plain_cell
from annotation.importers.tables.tools.common.classes import class_labels, coded


def open_arrow(stream: BinaryIO, name: str) -> Book:
    """Open the Arrow stream of a data set; it is read in parts."""
    need_pyarrow()
    import pyarrow

    try:
        reader = pyarrow.ipc.open_stream(stream)
        names = [str(one) for one in reader.schema.names]
        labels = class_labels(reader.schema.metadata)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise damaged() from error

    def read(_: str) -> Iterator[Row]:
        yield 0, names
        number = 0
        try:
            for batch in reader:
                batch.validate(full=True)  # before its offsets are followed
                columns = [column.to_pylist() for column in batch.columns]
                for cells in zip(*columns, strict=True):
                    number += 1
                    if number > MOST_ROWS:
                        raise too_many_rows()
                    yield (
                        number,
                        [
                            plain_cell(coded(cell, labels.get(name)))
                            for name, cell in zip(names, cells, strict=True)
                        ],
                    )
        except (pyarrow.ArrowException, OSError, ValueError, SystemError) as error:
            raise damaged() from error

    return Book(name, "arrow", ("",), read, named=True)
