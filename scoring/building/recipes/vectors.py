"""The recipe `vectors`: word vectors of a text, by gensim."""

from __future__ import annotations

from paraanno.plain.sentence import say
from scoring.building.corpora import TOKENIZERS
from scoring.building.recipes.corpus import as_text
from scoring.building.recipes.recipe import Numbers, Recipe, Stage, StageInput
from scoring.building.vectors.training import MODELS, Training, train_vectors, write_text
from scoring.metrics.base import YES_NO, Option
from scoring.metrics.resources.vectors import convert
from scoring.metrics.texts import LOWERCASE

PLAIN = "vectors.txt"
_USUAL = Training()


def _train(step: StageInput) -> Numbers:
    options = step.options
    training = Training(
        options["model"], size=int(options["size"]), window=int(options["window"]),
        least=int(options["min_count"]), epochs=int(options["epochs"]),
        skip_gram=options["skip_gram"] == "yes", seed=int(options["seed"]),
        phrases=options["phrases"] == "yes",
    )  # fmt: skip
    text = as_text(step.inputs["text"], step.folder)
    found = train_vectors(
        text, training, tokenize=options["tokenize"], lowercase=options["lowercase"] == "yes",
        progress=lambda share: step.progress(0.95 * share),
    )  # fmt: skip
    with (step.folder / PLAIN).open("wb") as stream:
        write_text(found, stream)
    if text.parent == step.folder:
        text.unlink()
    return {"sentences": found.sentences, "tokens": found.tokens}


def _store(step: StageInput) -> Numbers:
    return convert(step.before["train"] / PLAIN, step.folder, progress=step.progress)


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
            "min_count", str(_USUAL.least), say("Words that occur less often have no vector."),
            least=1, most=10**6,
        ),
        Option("epochs", str(_USUAL.epochs), say("Passes over the text."), least=1, most=100),
        Option(
            "skip_gram", "no",
            say("Predict neighbours from a word; no: a word from its neighbours (CBOW)."), YES_NO,
        ),
        Option(
            "phrases", "no",
            say("Join two words that occur together much more often than by chance: new_york."),
            YES_NO,
        ),
        Option("seed", str(_USUAL.seed), say("For initial values and all random draws."),
               least=0, most=2**32 - 1),
        Option(
            "tokenize", "none",
            say(
                "How the text is cut: words (letters and digits), 13a (mteval), ko (Korean "
                "morphemes), or none (at white space)."
            ),
            TOKENIZERS,
        ),
        LOWERCASE,
    ),
    stages=(Stage("train", _train), Stage("store", _store)),
    plain=PLAIN,
    libraries=("gensim", "numpy"),
)  # fmt: skip
