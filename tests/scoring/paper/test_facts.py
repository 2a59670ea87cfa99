"""The design of a campaign as plain values."""

from dataclasses import replace

import pytest

from tests.scoring.paper.campaign import HERE, MEANING, facts


@pytest.mark.parametrize(
    ("ends", "size"), [((1, 5, 1), 5), ((0, 0.3, 0.1), 4), ((0, 100, 0.5), 201), ((3, 3, 1), 1)]
)
def test_a_scale_counts_its_values(ends, size):
    low, high, step = ends
    assert replace(MEANING, minimum=low, maximum=high, step=step).size == size


def test_what_passes_follows_the_direction_of_the_scale():
    assert MEANING.passes == "MEANING >= 3"
    assert replace(MEANING, higher_is_better=False, threshold=2.5).passes == "MEANING <= 2.5"
    assert replace(MEANING, threshold=None).passes == ""
    assert replace(MEANING, threshold=0).passes == "MEANING >= 0"


def test_simulated_annotators_are_counted_apart():
    found = facts(annotators={"invited": 2, "simulated": 3})
    assert (found.n_annotators, found.simulated) == (5, 3)
    assert facts(annotators={}).n_annotators == facts(annotators={}).simulated == 0


@pytest.mark.parametrize("how", ["browser", "program", "simulated", "import", "pilot"])
def test_only_some_judgments_were_given_in_a_browser(how):
    found = facts(sources=(replace(HERE, how=how),))
    assert found.in_browser is found.only_in_browser is (how == "browser")
    mixed = facts(sources=(HERE, replace(HERE, how=how)))
    assert mixed.in_browser and mixed.only_in_browser is (how == "browser")


@pytest.mark.parametrize(
    ("annotators", "answer", "kinds"),
    [
        ({"imported": 2}, "", ()),
        ({"invited": 2}, "", ()),
        ({"invited": 2}, "experts", ("expert-generated",)),
        ({"participant": 2}, "", ("crowdsourced",)),
        ({"participant": 2}, "crowd", ("crowdsourced",)),
        ({"simulated": 2, "imported": 1}, "others", ("machine-generated", "other")),
    ],
)
def test_annotators_are_called_what_somebody_said(annotators, answer, kinds):
    answers = {"kind": answer} if answer else {}
    assert facts(annotators=annotators, answers=answers).kinds == kinds
