"""Files, read, and the problems that are told."""

from annotation.importers.ccb import CcbParsed
from annotation.importers.items import read_items
from tests.annotation.strategies import stream


def read_item_rows(content, name="items.csv", **options):
    return read_items(stream(content), name=name, **options)


def problems_of(parsed):
    return [str(problem) for problem in parsed.problems]


def check_first(parsed, line, part):
    """The first problem is told of this line, which gives nothing."""
    first = parsed.problems[0]
    assert first.line == line and part in str(first), first
    assert not parsed.ok
    rows = parsed.items if isinstance(parsed, CcbParsed) else parsed.rows
    assert line not in {row.line for row in rows}
