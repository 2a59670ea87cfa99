"""Expected values from files and forms."""

import io

import pytest

from annotation.errors import Invalid
from annotation.importers.gold import read_expected
from annotation.models import Expected, PracticeText, SheetEntry, Substitution
from annotation.quality.expected import (
    Band,
    band_problem,
    expected_import,
    expected_remove,
    expected_set,
    text_add,
)
from tests.annotation.strategies import stream

HEADER = "sentence,phrase,paraphrase,role,scale,low,high,explanation,part\n"


def load(campaign, text):
    return expected_import(
        campaign=campaign, stream=io.BytesIO(text.encode()), name="e.csv", actor=None
    )


def test_a_file_makes_texts_and_bands_and_can_be_read_again(campaign):
    text = HEADER + (
        "Watch this here.,this,that,control,MEANING,4,5,,\n"
        "Watch this here.,this,that,control,GRAMMAR,5,,,\n"
        "Learn this here.,this,it,practice,MEANING,3,,Half is lost.,test\n"
    )
    for _ in range(2):
        report = load(campaign, text)
        assert report.ok, report.problems
        assert report.counts == {"texts": 2}
    bands = {
        (one.substitution.text, one.scale.name): (one.low, one.high, one.explanation)
        for one in Expected.objects.select_related("substitution", "scale")
    }
    assert bands == {
        ("that", "MEANING"): (4, 5, ""),
        ("that", "GRAMMAR"): (5, 5, ""),
        ("it", "MEANING"): (3, 3, "Half is lost."),
    }
    assert PracticeText.objects.get().part == "test"
    assert SheetEntry.objects.filter(substitution__role="control").count() == 1
    assert not SheetEntry.objects.filter(substitution__role="practice").exists()


@pytest.mark.parametrize("known", [False, True])
def test_two_rows_on_one_text_named_in_two_ways_are_an_error(known, campaign):
    """Else the later one would silently replace the first."""
    place = "S this.,this,x,control,MEANING,{},,,"
    head = "item," + HEADER
    if known:
        assert load(campaign, head + "s1," + place.format(4)).ok
    report = load(campaign, head + "s1," + place.format(4) + "\n," + place.format(1))
    assert [problem.line for problem in report.problems] == [3]
    assert "in line 2 too: remove one" in str(report.problems[0].message)
    assert list(Expected.objects.values_list("low", flat=True)) == ([4] if known else [])


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("S this.,this,x,output,MEANING,1,,,", "control or practice"),
        ("S this.,this,x,control,,1,,,", "name the scale"),
        ("S this.,this,x,control,COLOUR,1,,,", "no scale"),
        ("S this.,this,x,control,MEANING,,5,,", "lowest right value"),
        ("S this.,this,x,control,MEANING,4,2,,", "below low"),
        ("S this.,this,x,control,MEANING,0,2,,", "on the scale"),
        ("S this.,this,x,control,MEANING,1,9,,", "on the scale"),
        ("S this.,that,x,control,MEANING,1,,,", "occurs nowhere"),
        ("S this.,this,x,practice,MEANING,1,,,exam", "none of practice, test"),
        (
            "S this.,this,x,control,MEANING,1,,,\nS this.,this,x,control,MEANING,2,,,",
            "in line 3 too",
        ),
    ],
)
def test_one_problem_and_nothing_is_written(row, words, campaign):
    before = Substitution.objects.count()
    report = load(campaign, HEADER + "Good this.,this,y,control,MEANING,1,,,\n" + row + "\n")
    assert not report.ok and any(words in one.message for one in report.problems)
    assert not Expected.objects.exists()
    assert Substitution.objects.count() == before


@pytest.mark.parametrize("text", ["", "\x00", "a,b\n1,2\n", "{", '[{"low": 1}]'])
def test_broken_files_are_problems(text):
    for format in ("csv", "jsonl"):
        parsed = read_expected(stream(text), name="e", format=format)
        assert parsed.rows == ()


def make(campaign, **changes):
    asked = {
        "role": "control",
        "sentence": "Watch this here.",
        "phrase": "this",
        "paraphrase": "that",
        "bands": {"MEANING": Band(4, 5)},
    }
    return text_add(campaign=campaign, actor=None, **{**asked, **changes})


def test_bands_are_for_texts_that_watch(campaign):
    [output, *_] = Substitution.objects.filter(role="output")
    [scale, *_] = campaign.scales.all()
    with pytest.raises(Invalid):
        expected_set(substitution=output, bands={scale: Band(1, 2)}, actor=None)
    assert band_problem(scale, Band(float("nan"), 2)) is not None
    assert band_problem(scale, Band(1, 2, "x" * 501)) is not None
    assert band_problem(scale, Band(2, 2)) is None


def test_a_form_makes_one_text(draft):
    text = make(draft)
    assert (text.role, text.text, text.item.phrase.text) == ("control", "that", "this")
    assert make(draft, bands={"MEANING": Band(1, 2)}) == text
    assert text.expected.get().high == 2
    whole = make(draft, phrase="", paraphrase="Look at this.")
    assert whole.item.phrase.text == "Watch this here."
    for changes, why in (
        ({"phrase": "absent"}, "occurs nowhere"),
        ({"sentence": "this and this"}, "twice|start"),
        ({"bands": {}}, "right values"),
    ):
        with pytest.raises(Invalid, match=why):
            make(draft, **changes)
    expected_remove(substitution=text, actor=None)
    assert not text.expected.exists()
