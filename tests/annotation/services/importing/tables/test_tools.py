"""Files that other tools wrote, from the file to the judgments of a campaign."""

from io import BytesIO

import pytest

from annotation.errors import Invalid
from annotation.models import Judgment, Reference, Substitution, System
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.importing import items_import, judgments_import
from annotation.services.importing.tables.sources import table_inspect
from tests.annotation.importers.tables.tools.tool_files import FILES, FOLDER, SYSTEMS


def read(campaign, name, what):
    """Import a file as it is understood: "" and the ledger's line; else what asks or refuses."""
    data = (FOLDER / name).read_bytes()
    try:
        seen = table_inspect(stream=BytesIO(data), name=name, what=what, campaign=campaign)
    except Invalid as refusal:
        return f"refused: {refusal.message}", ""
    if seen.asks or seen.missing:
        names = [one.name for one in seen.columns if one.guess.ask]
        return f"asks: {names} {seen.missing}", ""
    importer = {"items": items_import, "judgments": judgments_import}[what]
    report = importer(
        campaign=campaign,
        stream=BytesIO(data),
        name=name,
        actor=None,
        mapping=seen.mapping.to_json(),
    )
    assert report.ok, [str(one) for one in report.problems]
    return "", str(seen.ledger.line)


def agrees(answer, expected):
    kind, _, word = expected.partition(": ")
    return answer.startswith(kind) and word in answer if expected else not answer


def test_every_file_has_a_line():
    files = {str(one.relative_to(FOLDER)) for one in FOLDER.rglob("*.*") if one.is_file()}
    # Plain tables, which are no business of the tools: means, and numbers of classes without names.
    assert files - {"README.md", "datasets/means.parquet", "datasets/long.csv"} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_what_comes_out(db, name):
    file, campaign = FILES[name], campaign_create(actor=None, slug="tools")
    answer, _ = read(campaign, name, "items")
    assert agrees(answer, file.items), answer
    if not answer:
        texts = {
            (one.item.sentence, one.text) for one in Substitution.objects.select_related("item")
        }
        assert texts == set(file.pairs)
        systems = set(System.objects.values_list("label", flat=True))
        expected = (
            SYSTEMS.get(id(file.texts), ("BART", "T5")) if file.systems is True else file.systems
        )
        assert systems == set(expected or ())
        assert Reference.objects.count() == file.references
    if file.first:
        read(campaign, file.first, "items")
    answer, line = read(campaign, name, "judgments")
    assert agrees(answer, file.judgments), answer
    rows = Judgment.objects.select_related("annotator", "substitution", "scale")
    values = {
        (one.annotator.code, one.substitution.text, one.scale.name): one.value
        for one in rows.filter(occasion=1)
    }
    assert values == ({} if answer else file.values)
    assert rows.exclude(comment="").count() == (0 if answer else file.comments)
    assert all(piece in line for piece in file.left)


def test_a_second_annotation_of_the_same_person_is_an_occasion(db):
    campaign = campaign_create(actor=None, slug="tools")
    for name in ("label_studio/ratings.JSON.json", "label_studio/ratings.CSV.csv"):
        read(campaign, name, "items")
        read(campaign, name, "judgments")  # The second file says the same: nothing is new.
        second = Judgment.objects.filter(occasion=2).select_related("annotator")
        assert [(one.annotator.code, one.value) for one in second] == [("2", 5), ("2", 5)]


def test_a_text_that_was_shown_and_is_not_there_is_an_error(db):
    campaign = campaign_create(actor=None, slug="tools")
    with pytest.raises(AssertionError, match="no text of the campaign stands in"):
        read(campaign, "surveys/forms_shown.csv", "judgments")
