"""Counts of words and pairs, beside scikit-learn's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from scoring.extrinsic.classifiers import WordPairs
from tests.scoring.extrinsic.reviews import reviews

TOKEN = r"(?u)\b\w+\b"
TEXTS = st.lists(st.text("aB \u00e9\u01307_.", max_size=20), min_size=1, max_size=8)


def beside(training, others, min_df):
    theirs = CountVectorizer(ngram_range=(1, 2), token_pattern=TOKEN, min_df=min_df)
    try:
        wanted = theirs.fit_transform(training)
    except ValueError:
        with pytest.raises(ValueError, match="no words"):
            WordPairs(training, min_df=min_df)
        return
    ours = WordPairs(training, min_df=min_df)
    for found, known in ((ours.training, wanted), (ours.of(others), theirs.transform(others))):
        assert found.shape == known.shape
        assert (found != known).nnz == 0


@given(TEXTS, TEXTS, st.integers(1, 2))
def test_they_are_those_of_scikit_learn(training, others, min_df):
    beside(training, others, min_df)


def test_reviews_too():
    texts, _labels = reviews(120)
    beside(texts[:80], texts[80:], 2)
