"""Spreadsheets as people make them, imported as their columns are guessed."""

from io import BytesIO

import pytest

from annotation.campaigns.services import campaign_create
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.importing.tables import table_inspect
from tests.annotation.importers.tables.messy import FILES

IMPORTERS = {"items": items_import, "judgments": judgments_import, "gold": gold_import}


@pytest.fixture
def campaign():
    return campaign_create(actor=None, slug="camp")


def take_in(campaign, file, name=""):
    """Import one of the files, under another name if that is given."""
    one = FILES[file]
    given = {"stream": BytesIO(one.make()), "name": name or file, "campaign": campaign}
    seen = table_inspect(what=one.what, **given)
    assert seen.mapping.missing() == []
    mapping = seen.mapping.with_roles({at: (role, "") for at, role in one.choices.items()})
    # Somebody has looked at what asks.
    return IMPORTERS[one.what](actor=None, mapping=mapping.sure().to_json(), **given)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_each_spreadsheet_is_imported_or_refused_with_the_reason(campaign, name):
    one = FILES[name]
    assert len(one.choices) <= 3
    if one.what != "items":  # The texts that it is about.
        assert take_in(campaign, "capitals.csv").ok
    report = take_in(campaign, name)
    told = [str(problem) for problem in report.problems]
    if one.refused:
        assert not report.ok
        assert all(one.refused in line for line in told), told
    else:
        assert report.ok, told
        assert {key: report.counts[key] for key in one.adds} == one.adds
        again = take_in(campaign, name)
        assert again.ok
        assert not any(again.counts.values())


def test_problems_name_rows_and_columns_of_the_file(campaign):
    take_in(campaign, "capitals.csv")
    report = take_in(campaign, "dates.xlsx")
    assert [(one.line, one.column) for one in report.problems] == [
        (6, "MEANING (D)"),
        (7, "MEANING (D)"),
    ]
