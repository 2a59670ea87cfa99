"""Counting n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

Ngram = tuple[str, ...]


def ngrams(tokens: Sequence[str], order: int) -> Iterator[Ngram]:
    """All n-grams of one order, by position; none if the text is shorter."""
    return zip(*[tokens[at:] for at in range(order)], strict=False)


def all_ngrams(tokens: Sequence[str], orders: int) -> Iterator[Iterator[Ngram]]:
    """The n-grams of each order from 1 to `orders`."""
    tails = []
    for at in range(orders):
        tails.append(tokens[at:])
        yield zip(*tails)  # noqa: B905 - with `strict` it takes a fifth longer


def ngram_counts(tokens: Sequence[str], orders: int) -> Counter[Ngram]:
    """Counts of the n-grams of orders 1 to `orders`; the length of a key is its order.

    One counter for all orders takes half the time of one counter for each.
    """
    return Counter(chain.from_iterable(all_ngrams(tokens, orders)))


def matches(one: Mapping[Ngram, int], two: Mapping[Ngram, int], orders: int) -> list[int]:
    """For each order from 1, the number of n-grams in common, with repeats (clipped counts)."""
    found = [0] * (orders + 1)
    for ngram in one.keys() & two.keys():
        mine, theirs = one[ngram], two[ngram]
        found[len(ngram)] += mine if mine < theirs else theirs
    return found[1:]
