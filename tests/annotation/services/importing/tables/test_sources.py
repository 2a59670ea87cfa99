"""Spreadsheets as people make them, imported as their columns are guessed."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from annotation.errors import Invalid
from annotation.models import Campaign, ImportedGold, Judgment, Output
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.importing import (
    ImportReport,
    gold_import,
    items_import,
    judgments_import,
)
from annotation.services.importing.tables.sources import table_inspect
from tests.annotation.importers.tables.messy import FILES, Messy, capitals

IMPORTERS = {"items": items_import, "judgments": judgments_import, "gold": gold_import}


def texts_first(campaign: Campaign) -> None:
    """The texts that judgments and gold of the other files are about."""
    name = "capitals.csv"
    seen = table_inspect(stream=BytesIO(capitals()), name=name)
    report = items_import(
        campaign=campaign, stream=BytesIO(capitals()), name=name, actor=None,
        mapping=seen.mapping.to_json(),
    )  # fmt: skip
    assert report.ok


def take_in(campaign: Campaign, name: str, one: Messy, **more: Any) -> ImportReport:
    data = one.make()
    seen = table_inspect(stream=BytesIO(data), name=name, what=one.what, campaign=campaign)
    assert seen.missing == []
    mapping = seen.mapping.with_roles({at: (role, "") for at, role in one.choices.items()})
    return IMPORTERS[one.what](
        campaign=campaign, stream=BytesIO(data), name=name, actor=None, mapping=mapping.to_json(),
        **more,
    )  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_each_spreadsheet_is_imported_or_refused_with_the_reason(name: str) -> None:
    one = FILES[name]
    assert len(one.choices) <= 3
    campaign = campaign_create(actor=None, slug="camp")
    if one.what != "items":
        texts_first(campaign)
    report = take_in(campaign, name, one)
    told = [str(problem) for problem in report.problems]
    if one.refused:
        assert not report.ok
        assert all(one.refused in line for line in told), told
    else:
        assert report.ok, told
        assert {key: report.counts[key] for key in one.adds} == one.adds
        again = take_in(campaign, name, one)
        assert again.ok
        assert not any(again.counts.values())


def test_a_table_says_what_its_rows_mean() -> None:
    campaign = campaign_create(actor=None, slug="camp")
    take_in(campaign, "wide.xlsx", FILES["Runde 1 (merged, wide).xlsx"])
    found = Output.objects.filter(system__label="lattice", item__outside_ids__value="5")
    assert found.get().substitution.text == "see into"
    take_in(campaign, "raters.xlsx", FILES["raters.xlsx"])
    said = Judgment.objects.filter(annotator__code="r2", substitution__text="much")
    assert set(said.values_list("scale__name", "value")) == {("MEANING", 3), ("GRAMMAR", 4)}
    take_in(campaign, "means.ods", FILES["means.ods"])
    gold = ImportedGold.objects.get(substitution__text="much")
    assert (gold.value, gold.spread, gold.n, gold.scale.name) == (3.5, 0.5, 4, "MEANING")


def test_problems_name_rows_and_columns_of_the_file() -> None:
    campaign = campaign_create(actor=None, slug="camp")
    texts_first(campaign)
    report = take_in(campaign, "dates.xlsx", FILES["dates.xlsx"])
    assert [(one.line, one.column) for one in report.problems] == [
        (6, "MEANING (D)"), (7, "MEANING (D)"),
    ]  # fmt: skip


def test_a_wrong_mapping_is_refused() -> None:
    campaign = campaign_create(actor=None, slug="camp")
    with pytest.raises(Invalid, match="verse"):
        items_import(
            campaign=campaign, stream=BytesIO(b"a\nb\n"), name="a.csv", actor=None,
            mapping={"what": "items", "columns": [{"column": "A", "role": "verse"}]},
        )  # fmt: skip
