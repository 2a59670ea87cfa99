"""Metrics as a matrix and texts as dots: the numbers of the report, in their places."""

import numpy as np
import pytest

from scoring.correlation.words import DRAWN, metric_matrix, scatter_plot, scopes_sentence
from tests.scoring.presenters.test_coefficient_dots import estimate

pytestmark = pytest.mark.django_db  # The ceiling's name is translated.
HEADS = {"pearson": "r", "spearman": "rho", "roc": "passes"}


def report(roc=True):
    values = {"a": (0.2, 0.3), "b": (None, None), "c": (0.5, 0.4)}
    return {
        "runs": [{"key": f"key-{name}", "label": name} for name in values],
        "human": {
            "M": {
                "metrics": {
                    name: {"pearson": estimate(r), "spearman": estimate(rho)}
                    for name, (r, rho) in values.items()
                },
                "significance_letters": {"pearson": {"c": "a", "a": "ab", "b": "b"}},
            }
        },
        "ceiling": {"M": {"leave_one_out": {"pearson": estimate(0.8)}}},
        "roc": {name: {"area": estimate(0.6)} for name in values} if roc else {},
    }


def test_rows_are_sorted_by_pearson_with_letters_and_cells():
    found = metric_matrix(report(), "M", HEADS)
    assert [(row.name, row.letters) for row in found.rows] == [("c", "a"), ("a", "ab"), ("b", "b")]
    assert [dot.shown for _, dot in found.rows[0].cells] == [".50", ".40", ".60"]
    assert [label for label, _ in found.heads] == ["r", "rho", "passes"]
    first, second, third = found.ceiling
    assert first is not None and first[1].shown == ".80" and second is None and third is None


def test_a_coefficient_that_no_metric_has_is_no_column():
    found = metric_matrix(report(roc=False), "M", HEADS)
    assert [label for label, _ in found.heads] == ["r", "rho"]


class Texts:
    """Points of a campaign, as far as a picture reads them."""

    def __init__(self, n):
        self.metric = np.linspace(0, 1, n)
        self.people = np.round(1 + 4 * self.metric)
        self.total = n


def test_texts_are_drawn_at_random_but_always_the_same():
    texts = Texts(DRAWN * 3)
    one, other = (scatter_plot(texts, np.arange(texts.total)) for _ in range(2))
    assert one == other and len(one.dots) == DRAWN and one.total == DRAWN * 3
    assert len(one.means) == 5
    few = Texts(4)
    assert len(scatter_plot(few, np.arange(4)).dots) == 4


def test_a_sentence_says_which_way_metrics_agree_better():
    runs = [
        ("bleu", "bleu|order:4|scope:sentence", 0.2),
        ("bleu (phrase)", "bleu|order:4|scope:phrase", 0.3),
        ("cosine", "cosine|model:a|scope:sentence", 0.17),
        ("cosine, other", "cosine|model:b|scope:sentence", 0.1),
        ("cosine (phrase)", "cosine|model:a|scope:phrase|nrefs:0", 0.44),
        ("ter", "ter|scope:sentence", 0.5),
        ("ter (phrase)", "ter|scope:phrase", 0.4),
        ("pinc", "pinc|scope:sentence", 0.9),
        ("undefined", "pinc|scope:phrase", None),
        ("mine", "imported", 0.9),
    ]
    found = {
        "runs": [{"label": label, "signature": signature} for label, signature, _ in runs],
        "human": {
            "MEANING": {
                "metrics": {label: {"pearson": {"value": value}} for label, _, value in runs}
            }
        },
    }
    text = scopes_sentence(found, "MEANING")
    assert "2 of 3 agree better with MEANING on the phrase alone" in text
    assert "cosine, r 0.44 alone and 0.17 in the sentence" in text
    found["runs"] = found["runs"][:1]
    assert scopes_sentence(found, "MEANING") == ""
