"""Rows as the text that is written."""

import io

from annotation.exporters.columns import Column
from annotation.exporters.writers import write_rows

COLUMNS = (Column("text"), Column("count", "integer"), Column("value", "number"))


def text_of(rows, format, raw=False):
    target = io.StringIO(newline="")
    assert write_rows(rows, target, COLUMNS, format=format, raw=raw) == len(rows)
    return target.getvalue()


def many(count):
    for number in range(count):
        yield {"text": f"text {number} " + "x" * 200, "count": number, "value": number / 3}
