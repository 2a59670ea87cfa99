"""What a neural model says of the meaning, together with how much the wording changes."""

import pytest

from scoring.metrics import Pair, create
from tests.scoring.metrics.neural.vectors import A, B
from tests.scoring.metrics.neural_toy import metric, value


def test_bert_ibleu_by_hand(models):
    meaning = value("embedding_f1", A, B, against="original")
    copied = create("self_bleu").score(Pair(A, B)).value / 100
    assert 0 < copied < 1
    for beta in (4, 1):
        expected = ((beta / meaning + 1 / (1 - copied)) / (beta + 1)) ** -1
        assert value("bert_ibleu", A, B, beta=beta) == pytest.approx(expected, abs=2e-6)
    # It compares with the original whatever the references are.
    assert value("bert_ibleu", A, B, A) == value("bert_ibleu", A, B)
    assert value("bert_ibleu", A, A.upper()) != 0
    assert value("bert_ibleu", A, A.upper(), lowercase=True) == 0


def test_the_parts_are_shown(models):
    pair = Pair(A, B, ("rug",))
    (meaning, copied) = metric("bert_ibleu").score(pair).detail["parts"]
    own, self_bleu = (
        value("embedding_f1", A, B, against="original"),
        create("self_bleu").score(pair),
    )
    assert meaning == ["embedding_f1", own, own, 4.0]
    assert copied == ["self_bleu", self_bleu.value, 1 - self_bleu.value / 100, 1.0]
    copy = metric("bert_ibleu").score(Pair(A, A)).detail["parts"]
    assert copy[1][:3] == ["self_bleu", 100.0, 0.0]
    found = metric("parascore").score(pair)
    assert [part[0] for part in found.detail["parts"]] == ["embedding_f1", "edit_distance"]
    weighted = sum(weight * term for *_, term, weight in found.detail["parts"])
    assert found.value == pytest.approx(weighted, abs=1e-6)


def test_parascore_by_hand(models):
    # `cat` to `dog` are three of 22 characters: below .35, so -1 + d * 1.35 / .35.
    near = "the dog sat on the mat"
    expected = value("embedding_f1", A, near) + 0.05 * (3 / 22 * 1.35 / 0.35 - 1)
    assert value("parascore", A, near) == pytest.approx(expected, abs=2e-6)
    # Nothing in common but blanks: far beyond .35.
    expected = value("embedding_f1", A, B) + 0.05 * 0.35
    assert value("parascore", A, B) == pytest.approx(expected, abs=2e-6)
    # A reference that says the same has a likeness of 1; the wording is that of the original.
    assert value("parascore", A, B, "rug", B) == pytest.approx(1 + 0.05 * 0.35)
    assert value("parascore", A, B, B, free=True) == value("parascore", A, B)
    assert value("parascore", A, B, "[UNK] .") >= value("parascore", A, B)
