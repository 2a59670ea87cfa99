"""How test sets were drawn, in words."""

from scoring.paper import CampaignDesign
from scoring.paper.facts import drawn_from
from tests.scoring.paper.campaign import facts
from tests.scoring.paper.test_datasheet import lines_of
from tests.scoring.paper.test_methods import paragraph

DRAWN = {
    "recipe": "test_set",
    "signature": "test_set|n:100",
    "asked": 100,
    "phrases": 100,
    "every": 17245,
    "sentences": 1000,
    "items": 303,
    "options": {"seed": "2008", "contexts": "4"},
    "removed": {"a mark at an end": 1561, "no paraphrase": 280},
    "lowered": [],
    "cut_offs": {
        "min_words": 1,
        "max_words": 3,
        "test_least": 2,
        "test_most": 60,
        "train_least": 10,
    },
}


def told(**changes):
    (found,) = drawn_from(facts(design=CampaignDesign(test_sets=({**DRAWN, **changes},))))
    return found


def test_every_number_of_the_drawing_is_told():
    assert told() == (
        "100 phrases were drawn at random (seed 2008) from the 17,245 distinct phrases of 1 to 3 "
        "words in 1,000 test sentences, up to 4 sentences each, among those that occur 2 to 60 "
        "times in these sentences and 10 times or more in the training text (phrases removed: a "
        "mark at an end 1,561, no paraphrase 280); the build was test_set|n:100."
    )


def test_without_a_training_text_and_with_a_cut_off_that_was_lowered():
    text = told(
        lowered=[["test_least", 2, 1]],
        cut_offs={**DRAWN["cut_offs"], "min_words": 3, "test_least": 1, "train_least": None},
    )
    assert "training text" not in text and "phrases of 3 words" in text
    assert "sentences; occurrences in the sentences lowered from 2 to 1 as fewer" in text


def test_the_paragraph_and_the_datasheet_say_it():
    design = CampaignDesign(test_sets=(DRAWN,))
    assert told() in paragraph(design=design)
    assert "drawn at random" not in paragraph()
    sheet = lines_of(design=design)
    assert sheet["Test"].endswith("n:100.")
