from __future__ import annotations

from io import BytesIO

import pytest

from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.importing.tables.previewing import ROWS, table_preview
from annotation.services.importing.tables.sources import table_inspect
from tests.annotation.importers.tables.messy import FILES
from tests.annotation.importers.tables.writing import book


@pytest.mark.parametrize("name", ["Runde 1 (merged, wide).xlsx", "raters.xlsx", "means.ods"])
def test_the_first_rows_stand_as_on_sheets(name: str) -> None:
    campaign = campaign_create(actor=None, slug="camp")
    stream = BytesIO(FILES[name].make())
    seen = table_inspect(stream=stream, name=name, campaign=campaign)
    shown, problems = table_preview(
        campaign=campaign, stream=stream, name=name, mapping=seen.mapping
    )  # fmt: skip
    assert problems == [] and len(shown) == 6
    assert {text.text for text in shown[0].texts} >= {"came to a standstill"}


def test_no_more_rows_are_read_than_are_shown() -> None:
    campaign = campaign_create(actor=None, slug="camp")
    rows = [["sentence", "phrase"], *(["It rains.", "sun"] for _ in range(99))]
    stream = BytesIO(book({"S": rows}))
    seen = table_inspect(stream=stream, name="a.xlsx", campaign=campaign)
    shown, problems = table_preview(
        campaign=campaign, stream=stream, name="a.xlsx", mapping=seen.mapping
    )  # fmt: skip
    assert shown == [] and len(problems) == ROWS
