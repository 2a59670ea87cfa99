"""A datasheet of the evaluation after HEDS 3.0 (Belz and Thomson 2025): what the campaign knows is
filled in, the rest is left to the authors, and marked."""

from scoring.paper.datasheet import datasheet as sheet_of
from scoring.paper.facts import CampaignDesign, ExclusionFacts, RepeatFacts
from tests.scoring.paper.campaign import AGREEMENT, HERE, IMPORTED, NAMES, facts

RULE = "exclude who fails 30% or more of at least 5 controls"
DESIGN = CampaignDesign(
    languages={"ko": 2, "en-GB": 1},
    outputs={"A": 9},
    sheets=12,
    shared_sheets=3,
    exclusions=(
        ExclusionFacts("annotator", "A3", "Failed 4 of 6 controls", "2026-01-05", RULE),
        ExclusionFacts("item", "A broken sentence.", "broken", "2026-01-06"),
        ExclusionFacts("annotator", "A4", "Own wish.", "2026-01-07", withdrawal=True),
    ),
    repeats={"MEANING": RepeatFacts(8, 0.75, 1.0)},
    background=("Age? 20 to 61, median 33",),
)


def lines_of(**changes):
    """Answers by the number of the question; the last criterion's."""
    text = sheet_of(facts(**changes), AGREEMENT, names=NAMES, signature="paraanno 9")
    lines = [line[2:].split(" ", 1) for line in text.splitlines() if line.startswith("- ")]
    return {number: rest.split(": ", 1)[1] for number, rest in lines if ": " in rest}


def test_what_only_the_authors_know_is_marked_and_the_rest_described():
    told = lines_of(design=DESIGN, guidelines=(2,), rules=(RULE,), checks={"controls": 4})
    marked = {number for number, text in told.items() if text.endswith("not reported")}
    assert marked == {
        "1.1.1",
        "1.2",
        "1.3.1.1",
        "1.3.1.2",
        "1.3.1.3",
        "1.3.2.1",
        "1.3.2.2",
        "1.3.2.3",
        "3.1.2",
        "3.1.3.1",
        "3.1.3.2",
        "3.1.3.3",
        "3.2.2.1",
        "3.2.2.2",
        "3.2.2.3",
        "3.2.2.4",
        "3.2.3",
        "3.3.1",
        "3.3.4.1",
        "3.3.7",
        "3.3.8",
        "4.1.1",
        "4.1.2",
        "4.1.3",
        "4.3.1.2",
        "4.3.10",
        "5.1",
        "5.2",
        "5.3",
        "5.4",
    }

    assert told["2.1"] == "Text: subsentential unit of text"
    assert told["2.4"] == told["2.5"] == "en; ko"
    assert told["3.1.1"] == "9" and told["3.2.1"] == "2"
    assert told["3.2.4"].startswith("guidelines (version 2)")
    assert told["3.2.5"] == "Age? 20 to 61, median 33"
    assert "excluded because of failed" in told["3.3.3.1"]
    assert f'annotator A3 since 2026-01-05 (rule "{RULE}": Failed 4 of 6' in told["3.3.3.2"]
    assert "(researchers: broken)" in told["3.3.3.2"] and "(own wish" in told["3.3.3.2"]
    assert told["4.2.2"] == "Relative"  # All paraphrases of an item are shown together.
    assert told["4.3.2"] == "Same?; 1 = No: not at all" and told["4.3.3"] == "5"
    assert "ICC(2,1): undefined: no ratings" in told["4.3.11.2"]
    assert "0.700 [0.610, 0.790], for new phrases (n = 9)" in told["4.3.11.2"]
    assert told["4.3.12.2"] == "0.750 the same, 1.000 within one point"


def test_whole_sentences_and_imported_judgments_are_called_so():
    whole = CampaignDesign(whole=3, whole_phrases=2, languages={"": 3})
    told = lines_of(design=whole, sources=(IMPORTED,), layout="single")
    assert told["2.1"] == "Text: sentence" and "phrase substitution" not in told["1.1.2"]
    # How they were collected, and in which language, nobody said.
    for number in ("2.4", "3.2.4", "3.3.4.2", "3.3.5", "4.2.2", "4.3.5"):
        assert told[number] == "not reported"
    assert told["3.3.2"].startswith(
        "18 judgments of 2 annotators were imported from Potato; they were given from 2025-01-02"
    )
    assert "Annotators" not in told  # Wanted for each sheet: of those who judge here.
    assert told["4.3.12.1"] == "IntraAA not assessed"
    assert lines_of(annotators={"anonymous": 2})["3.2.1"] == "not reported"


def test_what_the_researchers_answered_is_in_its_place():
    answers = {
        "kind": "experts",
        "annotators": "Two linguists",
        "pay": "Unpaid",
        "instructions": "An hour of training",
        "texts": "News of 2020",
        "ethics": "Approved by the board",
    }
    told = lines_of(sources=(IMPORTED,), answers=answers)
    assert told["3.1.2"] == "News of 2020" and told["3.2.2.1"] == "experts"
    assert told["3.2.2.2"] == "Unpaid" and told["3.2.3"] == "Two linguists"
    assert told["3.2.4"] == "An hour of training" and told["5.1"] == "Approved by the board"
    mixed = lines_of(sources=(IMPORTED, HERE), answers=answers, pay=("2.00 GBP",))
    assert mixed["3.3.4.2"].startswith("Of the judgments given in paraanno: the original and")
    assert mixed["3.2.2.2"] == "2.00 GBP; Unpaid"
    # One presentation of the scale is not known of all.
    assert mixed["4.2.2"] == mixed["4.3.5"] == "not reported"


def test_the_correction_is_the_one_that_was_used():
    interval = {"low": 3.0, "high": 4.0, "method": "95 %, by phrase", "reason": None}
    system = {"scales": {"MEANING": {"mean_bootstrap": interval}}}
    results = {"systems": {"A": system, "B": system}, "clusters": [{}]}
    text = sheet_of(facts(), AGREEMENT, names=NAMES, signature="p", results=results)
    (line,) = [line for line in text.splitlines() if line.startswith("- 4.3.10")]
    assert "intervals: 95 %, by phrase; differences" in line
    assert "step-down max-T" in line and "Holm" not in line


def test_a_copy_names_what_it_was_copied_from():
    assert lines_of(copied_from="one")["Copied"] == "the campaign one"
    assert lines_of(copied_from="one", pilot=True)["Pilot"] == "the campaign one"
    assert "Copied" not in lines_of()
