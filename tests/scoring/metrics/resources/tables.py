"""Paraphrase tables, read and taken apart."""

import pytest


def pairs_of(table):
    """{phrase: {partner: probability}} by the arrays alone."""
    found = {}
    for phrase in range(len(table.phrases)):
        part = slice(table.offsets[phrase], table.offsets[phrase + 1])
        found[table.phrases[phrase]] = {
            table.phrases[partner]: pytest.approx(float(probability))
            for partner, probability in zip(
                table.partners[part], table.probabilities[part], strict=True
            )
        }
    return found


def both_ways(pairs):
    found = {}
    for (one, other), probability in pairs.items():
        found.setdefault(one, {})[other] = probability
        found.setdefault(other, {})[one] = probability
    return found
