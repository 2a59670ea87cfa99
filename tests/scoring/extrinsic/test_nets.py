"""The paper's nets; needs torch (extra `neural`)."""

import numpy as np
import pytest

from scoring.extrinsic.classifiers import NETS, NetSizes, Sequences, seconds
from scoring.extrinsic.experiment import accuracies, run, split
from tests.needs import need
from tests.scoring.extrinsic.reviews import labelled, reviews

TINY = NetSizes(words=100, length=12, size=16, epochs=40, patience=0)


def test_texts_are_padded_and_cut_in_front():
    cut = Sequences(["a b a", "c a"], NetSizes(words=4, length=3))
    assert cut.training.tolist() == [[2, 3, 2], [0, 1, 2]]
    assert cut.of(["b b a a a", "", "zzz"]).tolist() == [[2, 2, 2], [0, 0, 0], [0, 0, 1]]


def test_the_sizes_of_the_paper_take_longer():
    for net in NETS:
        assert seconds(net, "paper", 2500) > 10 * seconds(net, "small", 2500)


@pytest.mark.slow
@pytest.mark.parametrize("net", NETS)
def test_a_net_learns_and_the_same_seed_gives_the_same(net):
    need("neural")
    texts, labels = reviews(300)
    data = labelled({"text": texts, "copy": texts}, labels)
    parts = split(data.ids, data.labels, (200, 50, 50), 1)
    found = run(data, parts, [net], seed=1, sizes=TINY)
    table = accuracies(found.trained)[net]
    assert table["text"] == table["copy"]
    assert table["text"]["value"] > 0.6
    p_true = found.tested[net, "text"].p_true
    assert np.array_equal(p_true, found.tested[net, "copy"].p_true)
    assert ((p_true >= 0) & (p_true <= 1)).all()
