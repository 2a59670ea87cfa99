"""Spreadsheets and files of other tools, imported as their columns are guessed."""

from io import BytesIO

import pytest

from annotation.errors import Invalid
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.importing.report import Displayed, plain
from annotation.importing.tables import ROWS, mapping_keep, table_inspect, table_preview
from annotation.models import AuditEntry, Judgment, System
from tests.annotation.importers.tables.tools import tool_files
from tests.annotation.messy import FILES
from tests.annotation.spreadsheets import book
from tests.factories import make_campaign, new_campaign

IMPORTERS = {"items": items_import, "judgments": judgments_import, "gold": gold_import}


@pytest.fixture
def campaign():
    return new_campaign()


def take_in(campaign, file):
    """Import one of the files."""
    one = FILES[file]
    given = {"stream": BytesIO(one.make()), "name": file, "campaign": campaign}
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


def read(campaign, name, what):
    """Import a file as it is understood; nothing of it may ask."""
    data = (tool_files.FOLDER / name).read_bytes()
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
    assert tool_files.FILES[name].values == {
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
    read(campaign, tool_files.FILES[name].first, "items")
    assert read(campaign, name, "judgments").ok
    rows = Judgment.objects.select_related("annotator", "substitution", "scale")
    assert tool_files.FILES[name].values == {
        (one.annotator.code, one.substitution.text, one.scale.name): one.value for one in rows
    }


LONG, SHORT = "The old cat sat on the mat.", "The old cat sat."
TEXTS = [
    {"sentence": LONG, "paraphrase": text, "system": system}
    for text, system in (("On the mat sat a cat.", "A"), ("On the mat sat a cat. Really.", "B"))
] + [
    {"sentence": LONG, "phrase": "cat", "paraphrase": "tom", "system": "A"},
    {"sentence": SHORT, "paraphrase": "A cat sat.", "system": "A"},
]


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (f"{LONG} / On the mat sat a cat.", "On the mat sat a cat."),
        (f"On the mat\n sat a cat.  Is it\tlike: {LONG}", "On the mat sat a cat."),
        (f"{LONG} / On the mat sat a cat. Really.", "On the mat sat a cat. Really."),
        (f"{LONG} => The old tom sat on the mat.", "tom"),
        (f"{SHORT} A cat sat.", "A cat sat."),
        (f"{LONG} / A dog.", "no text of the campaign"),
        ("A cat sat.", "no text of the campaign"),
        (f"{LONG} On the mat sat a cat. The old tom sat on the mat.", "several texts"),
    ],
)
def test_original_and_paraphrase_stand_there(shown, text):
    """Of two texts of which one is in the other, the longer one was shown."""
    campaign = make_campaign(rows=TEXTS, open_it=False, cast=False)
    answer = Displayed(campaign).find(shown)
    texts = dict(campaign.substitutions.values_list("pk", "text"))
    assert texts.get(answer) == text or text in str(answer)
    assert plain(" a\n b ") == "a b"


def test_an_equal_mapping_is_kept_once(campaign):
    data = {"what": "items", "columns": [{"column": "A", "name": "Satz", "role": "sentence"}]}
    first = mapping_keep(campaign=campaign, mapping=data, file_name="/x/a.xlsx", actor=None)
    again = mapping_keep(campaign=campaign, mapping=first.mapping, file_name="b.xlsx", actor=None)
    assert first == again and again.file_name == "a.xlsx"
    assert AuditEntry.objects.filter(verb="keep mapping").count() == 1
    with pytest.raises(Invalid):
        mapping_keep(campaign=campaign, mapping={"what": "x"}, file_name="c.xlsx", actor=None)


def preview(campaign, name, data):
    """The texts that are shown, and problems."""
    given = {
        "campaign": campaign,
        "stream": BytesIO(data),
        "name": name,
    }
    return table_preview(**given, mapping=table_inspect(**given).mapping)


@pytest.mark.parametrize("name", ["Runde 1 (merged, wide).xlsx", "raters.xlsx", "means.ods"])
def test_the_first_rows_stand_as_on_sheets(campaign, name):
    shown, problems = preview(campaign, name, FILES[name].make())
    assert problems == [] and len(shown) == 6
    assert {text.text for text in shown[0].texts} >= {"came to a standstill"}


def test_no_more_rows_are_read_than_are_shown(campaign):
    rows = [["sentence", "phrase"], *(["It rains.", "sun"] for _ in range(99))]
    shown, problems = preview(campaign, "a.xlsx", book({"S": rows}))
    assert shown == [] and len(problems) == ROWS
