"""Classifiers, beside scikit-learn called plainly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import LinearSVC

from scoring.extrinsic.classifiers import CLASSIFIERS, Features, WordPairs, train, view_of
from tests.scoring.extrinsic.reviews import reviews

TEXTS, LABELS = reviews(200)
CLASSES = np.array([label == "pos" for label in LABELS], dtype=np.int64)


def fitted(name, classes=CLASSES[:120], seed=1):
    features = Features(TEXTS[:120], wide=view_of(name) == "wide")
    validation = features.of(TEXTS[120:160]), CLASSES[120:160]
    model = train(name, features.training, classes, validation=validation, seed=seed)
    return model.probabilities(features.of(TEXTS[160:]))


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("logreg", LogisticRegression(C=10, max_iter=1000)),
        ("nb", MultinomialNB(alpha=0.3)),
        ("svm", LinearSVC(random_state=1)),
    ],
)
def test_predictions_are_those_of_scikit_learn(name, model):
    words = TfidfVectorizer(
        ngram_range=(1, 2), sublinear_tf=True, min_df=2, token_pattern=r"(?u)\b\w+\b"
    )
    model.fit(words.fit_transform(TEXTS[:120]), CLASSES[:120])
    rows = words.transform(TEXTS[160:])
    found = fitted(name)
    assert (found.argmax(axis=1) == model.predict(rows)).all()
    if name == "svm":
        far = model.decision_function(rows)
        assert found[:, 1] == pytest.approx(1 / (1 + np.exp(-far)))
    else:
        assert found == pytest.approx(model.predict_proba(rows))


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_each_learns_and_gives_probabilities(name):
    found = fitted(name)
    assert found.shape == (40, 2)
    assert found.sum(axis=1) == pytest.approx(1)
    assert (found.argmax(axis=1) == CLASSES[160:]).mean() > 0.8
    assert np.array_equal(found, fitted(name))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_three_classes(name):
    three = np.arange(120) % 3
    found = fitted(name, three)
    assert found.shape == (40, 3)
    assert found.sum(axis=1) == pytest.approx(1)


def test_the_net_keeps_its_best_epoch():
    """With validation labels turned round, its best epoch is an early, ignorant one."""
    features = Features(TEXTS[:120], wide=False)
    rows = features.of(TEXTS[120:])
    right = train("mlp", features.training, CLASSES[:120], validation=None, seed=1)
    turned = train(
        "mlp", features.training, CLASSES[:120], validation=(rows, 1 - CLASSES[120:]), seed=1
    )
    accuracies = [
        (model.probabilities(rows).argmax(axis=1) == CLASSES[120:]).mean()
        for model in (right, turned)
    ]
    assert accuracies[0] > 0.9
    assert accuracies[1] < 0.7


def test_the_net_depends_on_its_seed():
    assert not np.array_equal(fitted("mlp", seed=1), fitted("mlp", seed=2))


def test_words_of_one_letter_count():
    assert Features(["a b", "b c"], wide=False).training.shape == (2, 3)
    assert Features(["a b", "b c"], wide=True).training.shape == (2, 5)


def test_words_of_one_text_alone_are_left_out_of_many_texts():
    many = [f"both own{n}" for n in range(100)]
    assert Features(many, wide=True).training.shape == (100, 1)
    assert Features(many[:99], wide=True).training.shape == (99, 1 + 99 + 99)
    apart = [f"own{n}" for n in range(100)]
    assert Features(apart, wide=True).training.shape == (100, 100)


def test_an_unknown_classifier():
    with pytest.raises(ValueError, match="no classifier tree"):
        fitted("tree")


# Counts of words and pairs, beside scikit-learn's.


TOKEN = r"(?u)\b\w+\b"
COUNTED = st.lists(st.text("aB \u00e9\u01307_.", max_size=20), min_size=1, max_size=8)


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


@given(COUNTED, COUNTED, st.integers(1, 2))
def test_they_are_those_of_scikit_learn(training, others, min_df):
    beside(training, others, min_df)


def test_reviews_too():
    texts, _labels = reviews(120)
    beside(texts[:80], texts[80:], 2)
