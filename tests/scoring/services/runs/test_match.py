"""Imported scores and the texts and systems of the campaign that they belong to."""

import pytest

from annotation.errors import Invalid
from annotation.verify import verify
from scoring.models import Run
from scoring.runs.score_import import NO_SCORE
from tests.factories import add_items
from tests.scoring.services.runs.score_files import load, systems_of, values_of


def test_several_columns_and_whole_systems(camp):
    text = (
        "item,paraphrase,system,score.ter,score.mine\n"
        "1,thus,A,0.5,\n2,at once,A,1,7\n2,at once,B,1,7\n,,B,0.25,\n"
    )
    report = load(camp, text, lower=["ter"])
    ter, mine = report.runs
    assert [run.label for run in report.runs] == ["ter", "mine"]
    assert (ter.higher_is_better, mine.higher_is_better) == (False, True)
    assert values_of(mine) == {"thus": NO_SCORE, "true": NO_SCORE, "at once": 7}
    assert systems_of(ter) == {
        ("A", "mean"): (0.75, 2),
        ("B", "mean"): (1, 1),
        ("B", "corpus"): (0.25, 2),
    }
    assert report.counts == {"scores": 3, "system_scores": 1}
    assert list(verify(campaign=camp)) == []


@pytest.mark.parametrize("text", [{}, {"paraphrase": "watched"}], ids=["nothing", "a control"])
def test_a_system_that_gave_no_output_has_no_score(camp, text):
    row = {"item": "1", "phrase": "so", "sentence": "It is so.", "system": "C"}
    add_items(camp, [row | text])
    camp.substitutions.filter(text="watched").update(role="control")
    [problem] = load(camp, "system,score\nC,1\n").problems
    assert "the system 'C' has no text in the campaign" in str(problem)


def test_names_must_be_clear(camp):
    with pytest.raises(Invalid, match=r"no scores called blue; it has mine"):
        load(camp, lower=["blue"])
    with pytest.raises(Invalid, match="Two columns would be called mine"):
        load(camp, "item,paraphrase,score,score.mine\n1,thus,1,2\n")
    assert not Run.objects.exists()
