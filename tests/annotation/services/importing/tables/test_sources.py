"""Spreadsheets as people make them, imported as their columns are guessed."""

from io import BytesIO

import pytest

from annotation.campaigns.services import campaign_create
from annotation.errors import Invalid
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.importing.tables import table_inspect
from annotation.models import ImportedGold, Judgment, Output
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
    assert seen.missing == []
    mapping = seen.mapping.with_roles({at: (role, "") for at, role in one.choices.items()})
    return IMPORTERS[one.what](actor=None, mapping=mapping.to_json(), **given)


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


@pytest.mark.slow
def test_a_table_says_what_its_rows_mean(campaign):
    take_in(campaign, "Runde 1 (merged, wide).xlsx", "wide.xlsx")
    found = Output.objects.filter(system__label="lattice", item__outside_ids__value="5")
    assert found.get().substitution.text == "see into"
    take_in(campaign, "raters.xlsx")
    rated = Judgment.objects.filter(annotator__code="r2", substitution__text="much")
    assert set(rated.values_list("scale__name", "value")) == {("MEANING", 3), ("GRAMMAR", 4)}
    take_in(campaign, "means.ods")
    gold = ImportedGold.objects.get(substitution__text="much")
    assert (gold.value, gold.spread, gold.n, gold.scale.name) == (3.5, 0.5, 4, "MEANING")


def test_problems_name_rows_and_columns_of_the_file(campaign):
    take_in(campaign, "capitals.csv")
    report = take_in(campaign, "dates.xlsx")
    assert [(one.line, one.column) for one in report.problems] == [
        (6, "MEANING (D)"),
        (7, "MEANING (D)"),
    ]


def test_a_wrong_mapping_is_refused(campaign):
    with pytest.raises(Invalid, match="verse"):
        items_import(
            campaign=campaign,
            stream=BytesIO(b"a\nb\n"),
            name="a.csv",
            actor=None,
            mapping={"what": "items", "columns": [{"column": "A", "role": "verse"}]},
        )
