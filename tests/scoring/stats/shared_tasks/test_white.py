import numpy as np

from scoring.stats.evaluation.ranking import paraphrase_ranking
from scoring.stats.shared_tasks.measures import Settings, SubmittedValues
from scoring.stats.shared_tasks.white import from_numbers, white_tables
from tests.scoring.stats.shared_tasks.made import make_frozen

FROZEN = make_frozen(public_share=0.0)


def said(noise, seed):
    rng = np.random.default_rng(seed)
    return SubmittedValues("score", FROZEN.gold + noise * rng.normal(size=len(FROZEN.ids)))


def test_tables_have_the_form_and_the_tests_of_the_ranking_page():
    all_of = {"m1": said(0.3, 1), "m2": said(0.1, 2), "bleu": said(1, 3)}
    how = Settings(permutations=500)
    found = white_tables(
        FROZEN,
        all_of,
        how,
        ranked=["m2", "m1", "bleu"],
        baselines=["bleu"],
        shown={name: name for name in all_of},
    )
    assert found["best_baseline"] == "bleu"
    assert found["table_3"]["table"][0] == ["", "Model", "bleu", "Model+bleu"]
    assert found["table_2"]["table"][0] == ["", "bleu", "Model+bleu"]
    known = paraphrase_ranking(
        FROZEN.gold, {name: one.values for name, one in all_of.items()}, FROZEN.original
    )
    for name, accuracy in known.accuracies.items():
        assert found["table_3"]["accuracies"][name] == accuracy.to_json()
    others = {(name, one["other"]) for name, tests in found["tests"].items() for one in tests}
    assert others == {("m2", "bleu"), ("m1", "bleu"), ("m1", "m2"), ("bleu", "m1")}


def test_choices_alone_have_tests_and_no_tables():
    choice = SubmittedValues("choice", FROZEN.by_sum.astype(float))
    found = white_tables(
        FROZEN,
        {"x": choice, "bleu": said(1, 3)},
        Settings(permutations=500),
        ranked=["x", "bleu"],
        baselines=["bleu"],
        shown={"x": "x", "bleu": "bleu"},
    )
    assert found["table_3"] is None
    assert found["tests"]["x"][0]["better"] and found["tests"]["x"][0]["marks_by_swap"] == 3


def test_numbers_survive_their_row():
    values = np.array([1.0, -1, 0])
    again = from_numbers("choice", values.astype("<f8").tobytes())
    assert again.form == "choice" and again.values.tolist() == [1, -1, 0]
    assert from_numbers("score", values.tobytes()).form == "score"
