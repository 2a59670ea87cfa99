"""The training part: forms of the test's files, and no original of the test."""

import pytest

from scoring.stats.shared_tasks.board import training_files
from tests.scoring.stats.shared_tasks.made import make_judged


def test_originals_of_the_test_are_left_out():
    judged = make_judged(originals=6, each=3, systems=2)
    files, out = training_files(judged, held_out=["ORIGINAL  2", "another"], seed=4)
    assert out == 1
    originals = files["originals.tsv"].decode()
    assert "original 2" not in originals and originals.count("original") == 1 + 5
    texts = files["texts.tsv"].decode().splitlines()
    assert texts[0] == "id\toriginal\ttext" and len(texts) == 1 + 5 * 3
    gold = files["gold/pairs.tsv"].decode().splitlines()
    assert gold[0] == "pair\tsum\tmajority\tpart" and len(gold) == 1 + 5 * 3
    assert {line.split("\t")[3] for line in gold[1:]} == {"train"}
    assert files["pairs.tsv"].count(b"\n") == len(gold)
    named = {line.split("\t")[2]: line.split("\t")[0] for line in texts[1:]}
    values = dict(
        line.split("\t")[:2] for line in files["gold/texts.tsv"].decode().splitlines()[1:]
    )
    for at in (0, 9, 17):  # Texts 6, 7 and 8 are of original 2.
        assert float(values[named[f"text {at}"]]) == pytest.approx(judged.value[at])


def test_nothing_is_left_of_the_same_originals():
    judged = make_judged(originals=2)
    assert training_files(judged, held_out=judged.original_text, seed=1) == ({}, 2)
