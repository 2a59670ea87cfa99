"""The recipe `corpus`: a text cut into words, and indexed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.building.corpora import (
    TOKENIZERS,
    build_corpus,
    open_corpus,
    read_numbered,
    watched_lines,
    write_corpus,
)
from scoring.building.language_model import pruning_problem, train, write_arpa
from scoring.building.recipes.recipe import ColumnOption, Numbers, Recipe, Stage, StageInput
from scoring.building.vectors import (
    MODELS,
    TextTable,
    Training,
    at_row,
    open_texts,
    train_vectors,
    write_text,
)
from scoring.metrics.combination.pem_style import (
    FEATURES,
    FILE,
    SETTINGS,
    Regressor,
    features_of,
    rows_of,
    write_regressor,
)
from scoring.metrics.files import NONE, FileRefused, Problems, sha256
from scoring.metrics.resources.arpa import HIGHEST_ORDER, convert
from scoring.metrics.resources.kinds import check_beginning
from scoring.metrics.resources.vectors import convert as vectors_convert
from scoring.metrics.texts.tokenizers import LOWERCASE, TOKENIZE, tokenizer
from scoring.metrics.values import YES_NO, Option, Pair, Score

PLAIN = "sentences.txt"


def as_text(path: Path, folder: Path) -> Path:
    """A text file: the path itself, or the sentences of a store, written into the folder."""
    if not path.is_dir():
        return path
    text = folder / "text.txt"
    with text.open("w", encoding="utf-8") as stream:
        stream.writelines(open_corpus(path).lines())
    return text


def _cut(step: StageInput) -> Numbers:
    """Cut the text into words with blanks between them, line by line."""
    text = as_text(step.inputs["text"], step.folder)
    check_beginning(text)
    split = tokenizer(step.options["tokenize"], lowercase=step.options["lowercase"] == "yes")
    problems = Problems(text)
    with (step.folder / PLAIN).open("w", encoding="utf-8") as stream:
        for _, line in watched_lines(text, problems, step.progress):
            stream.write(" ".join(split(line)) + "\n")
    problems.check()
    return {}


def _index(step: StageInput) -> Numbers:
    plain = step.before["cut"] / PLAIN
    text = read_numbered(plain, str.split, progress=lambda share: step.progress(share / 2))
    corpus = build_corpus(
        text, tokenize=step.options["tokenize"], lowercase=step.options["lowercase"] == "yes"
    )
    step.progress(0.9)
    write_corpus(corpus, step.folder, source_sha256=_content(plain, step))
    return {
        "sentences": corpus.sentences,
        "words": corpus.n_words,
        "distinct": len(corpus.vocabulary),
    }


def _content(plain: Path, step: StageInput) -> str:
    """What the store holds: the same words are another corpus if phrases are cut otherwise."""
    how = f"{step.options['tokenize']} {step.options['lowercase']}"
    if how == "none no":
        return sha256(plain)
    return hashlib.sha256(f"{sha256(plain)} {how}".encode()).hexdigest()


CORPUS = Recipe(
    name="corpus",
    title=say("Corpus"),
    summary=say("A text of one sentence a line, cut into words, with an index of its phrases."),
    kind="corpus",
    inputs={"text": "corpus"},
    options=(
        Option(
            "tokenize",
            "none",
            say(
                "How the text is cut: words (letters and digits), 13a (mteval), ko (Korean "
                "morphemes), or none (at white space)."
            ),
            TOKENIZERS,
        ),
        LOWERCASE,
    ),
    stages=(Stage("cut", _cut), Stage("index", _index)),
    plain=PLAIN,
)


# The recipe `lm`: a language model of a text.


LANGUAGE_MODEL_PLAIN = "model.arpa"


@dataclass(frozen=True, slots=True)
class PruneOption(Option):
    """Thresholds of the orders from 1 with + between them, or none."""

    def read(self, metric: str, given: object) -> str:
        text = str(given).strip()
        if text in ("", NONE):
            return NONE
        parts = text.split("+")
        if not all(part.isascii() and part.isdigit() for part in parts):
            raise ValueError(
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; write counts with + between "
                    "them, as in 0+0+1, or none.",
                    metric=metric,
                    option=self.name,
                    value=text,
                )
            )
        if problem := pruning_problem([int(part) for part in parts], HIGHEST_ORDER):
            raise ValueError(f"{metric}: {self.name}={text}: {problem}")
        return "+".join(str(int(part)) for part in parts)


def _estimate(step: StageInput) -> Numbers:
    text = as_text(step.inputs["text"], step.folder)
    prune = [] if step.options["prune"] == NONE else map(int, step.options["prune"].split("+"))
    order = int(step.options["order"])
    trained = train(text, order=order, prune=list(prune)[:order], progress=step.progress)
    with (step.folder / LANGUAGE_MODEL_PLAIN).open("wb") as stream:
        write_arpa(trained.model, stream)
    fallbacks = sum(not discount.estimated for discount in trained.discounts)
    return {"sentences": trained.sentences, "fallbacks": fallbacks}


def _store(step: StageInput) -> Numbers:
    return convert(
        step.before["estimate"] / LANGUAGE_MODEL_PLAIN, step.folder, progress=step.progress
    )


LANGUAGE_MODEL = Recipe(
    name="lm",
    title=say("Language model"),
    summary=say(
        "An n-gram model of a text of one sentence a line, by interpolated modified Kneser-Ney "
        "smoothing; for the metric lm_fluency."
    ),
    kind="lm",
    inputs={"text": "corpus"},
    options=(
        Option("order", "3", say("Words of the longest n-grams."), least=1, most=HIGHEST_ORDER),
        PruneOption(
            "prune",
            NONE,
            say(
                "For each order from 1, n-grams that occur at most this often are left out, as "
                "in 0+0+1; none keeps all."
            ),
        ),
    ),
    stages=(Stage("estimate", _estimate), Stage("store", _store)),
    plain=LANGUAGE_MODEL_PLAIN,
)


# The recipe `vectors`: word vectors of a text, by gensim.


VECTORS_PLAIN = "vectors.txt"
_USUAL = Training()


def _train(step: StageInput) -> Numbers:
    options = step.options
    training = Training(
        options["model"],
        size=int(options["size"]),
        window=int(options["window"]),
        least=int(options["min_count"]),
        epochs=int(options["epochs"]),
        skip_gram=options["skip_gram"] == "yes",
        seed=int(options["seed"]),
        phrases=options["phrases"] == "yes",
    )
    text = as_text(step.inputs["text"], step.folder)
    vectors = train_vectors(
        text,
        training,
        tokenize=options["tokenize"],
        lowercase=options["lowercase"] == "yes",
        progress=lambda share: step.progress(0.95 * share),
    )
    with (step.folder / VECTORS_PLAIN).open("wb") as stream:
        write_text(vectors, stream)
    if text.parent == step.folder:
        text.unlink()
    return {"sentences": vectors.sentences, "tokens": vectors.tokens}


def _vectors_store(step: StageInput) -> Numbers:
    return vectors_convert(
        step.before["train"] / VECTORS_PLAIN, step.folder, progress=step.progress
    )


VECTORS = Recipe(
    name="vectors",
    title=say("Word vectors"),
    summary=say(
        "Vectors of the words of a text, by word2vec or fastText (gensim); for metrics on vectors "
        "and for paraphrases by near words. The same text and seed give the same vectors."
    ),
    kind="vectors",
    inputs={"text": "corpus"},
    options=(
        Option(
            "model", MODELS[0], say("word2vec, or fastText, which sees pieces of words."), MODELS
        ),
        Option("size", str(_USUAL.size), say("Values of a vector."), least=2, most=1000),
        Option(
            "window", str(_USUAL.window), say("Words considered on each side."), least=1, most=100
        ),
        Option(
            "min_count",
            str(_USUAL.least),
            say("Words that occur less often have no vector."),
            least=1,
            most=10**6,
        ),
        Option("epochs", str(_USUAL.epochs), say("Passes over the text."), least=1, most=100),
        Option(
            "skip_gram",
            "no",
            say("Predict neighbours from a word; no: a word from its neighbours (CBOW)."),
            YES_NO,
        ),
        Option(
            "phrases",
            "no",
            say("Join two words that occur together much more often than by chance: new_york."),
            YES_NO,
        ),
        Option(
            "seed",
            str(_USUAL.seed),
            say("For initial values and all random draws."),
            least=0,
            most=2**32 - 1,
        ),
        Option(
            "tokenize",
            "none",
            say(
                "How the text is cut: words (letters and digits), 13a (mteval), ko (Korean "
                "morphemes), or none (at white space)."
            ),
            TOKENIZERS,
        ),
        LOWERCASE,
    ),
    stages=(Stage("train", _train), Stage("store", _vectors_store)),
    plain=VECTORS_PLAIN,
    libraries=("gensim", "numpy"),
)


# The recipe `pem_style`: from texts with gold to the regressor of the metric of that name.


LEAST_UNITS, FOLDS = 50, 5
COST, EPSILON = 1.0, 0.1  # Of the regression of standardised gold.
GAMMA = 1 / len(FEATURES)
_BATCH = 200
Floats = NDArray[np.float64]


def _train_pem_style(step: StageInput) -> Numbers:
    """Score the features, train, and write the regressor with its figures."""
    options = step.options
    pairs, gold = _read(
        open_texts(step.inputs["texts"]),
        options["original"],
        options["paraphrase"],
        options["gold"],
    )
    settings = {name: options[name] for name in SETTINGS}
    parts = features_of(str(step.inputs["translations"]), str(step.inputs["lm"]), settings)
    rows: list[tuple[float, ...] | Score] = []
    for at in range(0, len(pairs), _BATCH):
        rows += rows_of(parts, pairs[at : at + _BATCH])
        step.progress(0.8 * len(rows) / len(pairs))
    usable = [at for at, row in enumerate(rows) if not isinstance(row, Score)]
    if len(usable) < LEAST_UNITS:
        raise FileRefused.at(
            "texts",
            0,
            say(
                "has %(n)s texts with gold and features; at least %(least)s are needed.",
                n=len(usable),
                least=LEAST_UNITS,
            ),
        )
    x = np.array([rows[at] for at in usable], dtype=np.float64)
    y = gold[usable]
    if np.ptp(y) == 0:
        raise FileRefused.at("texts", 0, say("gives all texts the same gold; use others."))
    original = np.unique([pairs[at].original for at in usable], return_inverse=True)[1]
    resources = {name: digest for part in parts for name, digest in part.resources().items()}
    inside = fit(x, y, settings, resources)
    outside = out_of_fold(x, y, original)
    figures = {
        "units": len(usable),
        "left_out": len(rows) - len(usable),
        "originals": int(original.max()) + 1,
        "in_sample_pearson": _pearson(inside.predict(x), y),
        "out_of_fold_pearson": _pearson(outside, y),
    }
    write_regressor(replace(inside, figures=figures), step.folder)
    return {
        "rows": len(usable),
        "vectors": len(inside.weights),
        "left_out": len(rows) - len(usable),
    }


def _read(table: TextTable, original: str, paraphrase: str, gold: str) -> tuple[list[Pair], Floats]:
    """The pairs that have gold, which is a number in the column `gold`."""
    table.check_columns(original, paraphrase, gold)
    pairs, values = [], []
    for number, row in enumerate(table.rows(), 1):
        if not (row.get(original) and row.get(paraphrase) and row.get(gold)):
            continue
        try:
            value = float(row[gold])
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            message = say(
                "%(value)s is no number; use one in the column %(name)s.",
                value=repr(row[gold]),
                name=repr(gold),
            )
            raise FileRefused(at_row(number, message))
        pairs.append(Pair(row[original], row[paraphrase]))
        values.append(value)
    return pairs, np.array(values, dtype=np.float64)


def fit(x: Floats, y: Floats, settings: dict[str, str], resources: dict[str, str]) -> Regressor:
    """Support vector regression (radial basis function) of gold on features, both standardised."""
    from sklearn.svm import SVR

    mean, deviation = x.mean(axis=0), x.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    centre, spread = float(y.mean()), float(y.std()) or 1.0
    made = SVR(C=COST, epsilon=EPSILON, gamma=GAMMA)
    made.fit((x - mean) / deviation, (y - centre) / spread)
    return Regressor(
        FEATURES,
        mean.tolist(),
        deviation.tolist(),
        made.support_vectors_.tolist(),
        made.dual_coef_[0].tolist(),
        float(made.intercept_[0]),
        GAMMA,
        centre,
        spread,
        settings,
        resources,
        {},
    )


def out_of_fold(x: Floats, y: Floats, original: NDArray[np.int64]) -> Floats:
    """Predictions for each fold of originals by what was trained on the others; NaN if all texts
    are of one original."""
    folds = min(FOLDS, int(original.max()) + 1)
    predictions = np.full(y.size, np.nan)
    for fold in range(folds) if folds > 1 else ():
        inside = original % folds != fold
        predictions[~inside] = fit(x[inside], y[inside], {}, {}).predict(x[~inside])
    return predictions


def _pearson(one: Floats, other: Floats) -> float | None:
    if not np.isfinite(one).all() or np.ptp(one) == 0:
        return None
    return float(np.corrcoef(one, other)[0, 1])


PEM_STYLE = Recipe(
    name="pem_style",
    title=say("Regressor for pem_style"),
    summary=say(
        "A regression of people's values on what phrases mean in another language, fluency and new "
        "words, from a table of texts with gold (such as the gold of another campaign)."
    ),
    kind="regressor",
    inputs={"texts": "texts", "translations": "translations", "lm": "lm"},
    options=(
        ColumnOption("original", "sentence", say("The column of the original.")),
        ColumnOption("paraphrase", "paraphrase", say("The column of the paraphrase.")),
        ColumnOption("gold", "MEANING", say("The column of the gold, a number.")),
        TOKENIZE,
        LOWERCASE,
    ),
    stages=(Stage("train", _train_pem_style),),
    plain=FILE,
    libraries=("numpy", "scikit-learn"),
)
