from io import BytesIO

import pytest

from annotation.campaigns.services import campaign_create
from annotation.importing.tables import ROWS, table_inspect, table_preview
from tests.annotation.importers.tables.messy import FILES
from tests.annotation.importers.tables.writing import book


def preview(name, data):
    """The texts that are shown, and problems."""
    given = {
        "campaign": campaign_create(actor=None, slug="camp"),
        "stream": BytesIO(data),
        "name": name,
    }
    return table_preview(**given, mapping=table_inspect(**given).mapping)


@pytest.mark.parametrize("name", ["Runde 1 (merged, wide).xlsx", "raters.xlsx", "means.ods"])
def test_the_first_rows_stand_as_on_sheets(name):
    shown, problems = preview(name, FILES[name].make())
    assert problems == [] and len(shown) == 6
    assert {text.text for text in shown[0].texts} >= {"came to a standstill"}


def test_no_more_rows_are_read_than_are_shown():
    rows = [["sentence", "phrase"], *(["It rains.", "sun"] for _ in range(99))]
    shown, problems = preview("a.xlsx", book({"S": rows}))
    assert shown == [] and len(problems) == ROWS
