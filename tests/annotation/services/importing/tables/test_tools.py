"""Files that other tools wrote, from the file to the judgments of a campaign."""

from io import BytesIO

import pytest

from annotation.campaigns.services import campaign_create
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.importing.tables import table_inspect
from annotation.models import Judgment, System
from tests.annotation.importers.tables.tools.tool_files import FILES, FOLDER


@pytest.fixture
def campaign(db):
    return campaign_create(actor=None, slug="tools")


def read(campaign, name, what):
    """Import a file as it is understood; nothing of it may ask."""
    data = (FOLDER / name).read_bytes()
    seen = table_inspect(stream=BytesIO(data), name=name, what=what, campaign=campaign)
    assert not seen.asks and not seen.missing
    importer = {"items": items_import, "judgments": judgments_import}[what]
    return importer(
        campaign=campaign,
        stream=BytesIO(data),
        name=name,
        actor=None,
        mapping=seen.mapping.to_json(),
    )


@pytest.mark.parametrize(
    "name", ["label_studio/ratings.CSV.csv", "potato/en_project.zip", "datasets/long_splits.zip"]
)
def test_what_comes_out(campaign, name):
    """A stream, a zip and a folder of Arrow files, all through the sandbox where it is one."""
    for what in ("items", "judgments"):
        report = read(campaign, name, what)
        assert report.ok, [str(one) for one in report.problems]
    rows = Judgment.objects.filter(occasion=1).select_related("annotator", "substitution", "scale")
    assert FILES[name].values == {
        (one.annotator.code, one.substitution.text, one.scale.name): one.value for one in rows
    }
    assert set(System.objects.values_list("label", flat=True)) == {"BART", "T5"}


def test_a_second_annotation_of_the_same_person_is_an_occasion(campaign):
    """Two exports of one project say the same, in another order."""
    for name in ("label_studio/ratings.JSON.json", "label_studio/ratings.CSV.csv"):
        read(campaign, name, "items")
        read(campaign, name, "judgments")
        second = Judgment.objects.filter(occasion=2).select_related("annotator")
        assert [(one.annotator.code, one.value) for one in second] == [("2", 5), ("2", 5)]


def test_what_was_shown_names_a_text_of_the_campaign(campaign):
    name = "surveys/forms_shown.csv"
    report = read(campaign, name, "judgments")
    assert "no text of the campaign stands in" in str(report.problems[0])
    read(campaign, FILES[name].first, "items")
    assert read(campaign, name, "judgments").ok
    rows = Judgment.objects.select_related("annotator", "substitution", "scale")
    assert FILES[name].values == {
        (one.annotator.code, one.substitution.text, one.scale.name): one.value for one in rows
    }
