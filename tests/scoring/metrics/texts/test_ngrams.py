"""Counting n-grams."""

from scoring.metrics.texts.words import ngram_counts


def test_counts_of_all_orders_up_to_the_greatest():
    counts = ngram_counts(["a", "b", "a", "b"], 2)
    assert counts == {("a",): 2, ("b",): 2, ("a", "b"): 2, ("b", "a"): 1}
