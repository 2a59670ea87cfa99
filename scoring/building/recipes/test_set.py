"""The recipe `test_set`: phrases of test sentences with the paraphrases of a table.

A table that was made with parses has labels, for conditions 2 and, with parses of the test
sentences, 4 and 6; a language model adds 1, 3, 5, 7. The items file and the figures of the preview
are written; a page imports them into a campaign.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from paraanno.common.texts import Sentence, say, sentence_json
from scoring.building.corpora import open_corpus
from scoring.building.labels import parses_file, read_labels
from scoring.building.paraphrases.features import LABELLED
from scoring.building.recipes.corpus import as_text
from scoring.building.recipes.recipe import SIGNATURE, Numbers, Recipe, Stage, StageInput
from scoring.building.test_sets.building import (
    FIGURES,
    MARKS,
    MIN_LABELLED,
    Chooser,
    figures,
    item_rows,
    make_items,
    open_source,
    select,
)
from scoring.building.test_sets.drawing import (
    GRAMMAR_WORDS,
    MOST_OCCURRENCES,
    SEED,
    STEPS,
    Cuts,
    enumerate_phrases,
    read_sentences,
    train_counts,
    train_warnings,
)
from scoring.metrics.base import DecimalOption
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.arpa import load_model
from scoring.metrics.resources.stores import ABOUT
from scoring.metrics.resources.table import DIRECTED
from scoring.metrics.values import YES_NO, Option

PLAIN = "items.jsonl"
MOST_PHRASES, MOST_CONTEXTS = 500, 8  # Their rows are still imported at once.


def _draw(step: StageInput) -> Numbers:
    options, inputs = step.options, step.inputs
    text = as_text(inputs["sentences"], step.folder)
    file = read_sentences(text)
    if text.parent == step.folder:
        text.unlink()  # What is left here is kept.
    n_requested, cuts = int(options["n"]), _cuts(step)
    warnings: list[Sentence] = []
    if file.repeated:
        warnings.append(
            say("%(n)s sentences are there twice; they are used once.", n=file.repeated)
        )
    phrases = enumerate_phrases(file.sentences, cuts)
    step.progress(0.1)
    train = None
    if "train" in inputs:
        corpus = open_corpus(inputs["train"])
        train = train_counts(corpus, phrases)
        warnings += train_warnings(corpus, file.sentences)
    step.progress(0.3)
    labels = None
    if "parses" in inputs:
        trees = parses_file(inputs["parses"])
        every = list(read_labels(trees, file.every, longest=cuts.max_words))
        labels = [every[line] for line in file.used]
    source = open_source(directed(inputs["phrases"]), phrases, marks=options["marks"])
    if labels is not None and not source.labels:
        warnings.append(say("The table has no labels, so there are no conditions 2 to 7."))
    choosers = {
        "": Chooser(
            source,
            model=load_model(str(inputs["lm"])) if "lm" in inputs else None,
            parsed=labels is not None,
            min_labelled=int(options["min_labelled"]),
            weight=float(options["lm_weight"]),
            per_word=options["lm_per_word"] == "yes",
        )
    }
    step.progress(0.5)
    lower = options["lower"] == "yes"
    candidates, used = select(
        phrases,
        cuts,
        n_requested,
        grammar_words=GRAMMAR_WORDS,
        train=train,
        choosers=choosers,
        lower_test=lower,
        lower_train=lower,
    )
    items = make_items(
        candidates,
        n_requested,
        sentences=file.sentences,
        choosers=choosers,
        seed=int(options["seed"]),
        contexts=int(options["contexts"]),
        labels=labels,
        share=float(options["constituents"]),
    )
    step.progress(0.9)
    if not items:
        removed = ", ".join(f"{name} {count}" for name, count in candidates.removed.items())
        raise FileRefused.at(
            "sentences",
            0,
            say("no phrase passes the cut-offs; they removed: %(removed)s.", removed=removed),
        )
    summary = figures(
        n_requested=n_requested,
        every=len(phrases),
        candidates=candidates,
        cuts=cuts,
        used=used,
        items=items,
    )
    summary |= {
        "sentences": len(file.used),
        "warnings": [sentence_json({"said": one}) for one in warnings],
    }
    plain = step.folder / PLAIN
    with plain.open("w", encoding="utf-8", newline="") as stream:
        for row in item_rows(items):
            fields = {key: value for key, value in row.items() if value is not None}
            stream.write(json.dumps(fields, ensure_ascii=False) + "\n")
    serialized = json.dumps(summary, indent=1) + "\n"
    (step.folder / FIGURES).write_text(serialized, encoding="utf-8")
    # The same items may be drawn with other cut-offs, which is another test set.
    made_of = (step.folder.parent / SIGNATURE).read_bytes()
    digest = hashlib.sha256(made_of + plain.read_bytes() + serialized.encode()).hexdigest()
    (step.folder / ABOUT).write_text(json.dumps({"sha256": digest}), encoding="utf-8")
    return {key: summary[key] for key in ("phrases", "items", "texts")}


def _cuts(step: StageInput) -> Cuts:
    names = ("min_words", "max_words", "test_least", "test_most", "train_least")
    cuts = Cuts(**{name: int(step.options[name]) for name in names})
    if cuts.min_words > cuts.max_words:
        raise ValueError(say("min_words is more than max_words."))
    if cuts.test_least > cuts.test_most:
        raise ValueError(say("test_least is more than test_most."))
    return cuts


def directed(place: Path) -> Path:
    """The rows of a table; a store keeps them if they have a direction, and by label if it was
    made with parses, or has labels as PPDB. FileRefused if there are none."""
    if not place.is_dir():
        return place
    if (place / LABELLED).is_dir():
        return place / LABELLED
    if not (place / DIRECTED).exists():
        raise FileRefused.at(
            "phrases",
            0,
            say(
                "the table does not say how probable a paraphrase of a phrase is; make one of two "
                "texts, or add phrase TAB paraphrase TAB probability, or a table of PPDB or Moses "
                "with p(e2|e1) or translation probabilities in its features. One that was added to "
                "an earlier version: remove it and add it again."
            ),
        )
    return place / DIRECTED


TEST_SET = Recipe(
    name="test_set",
    title=say("Test set"),
    summary=say("Phrases of test sentences with the paraphrases of a table, to be judged."),
    kind="test_set",
    inputs={
        "sentences": "corpus",
        "phrases": "table",
        "lm": "lm",
        "train": "corpus",
        "parses": "parses",
    },
    optional=frozenset({"lm", "train", "parses"}),
    options=(
        Option("n", "100", say("Phrases to draw."), least=1, most=MOST_PHRASES),
        Option(
            "contexts", "4", say("Sentences of a phrase, at most."), least=1, most=MOST_CONTEXTS
        ),
        Option(
            "seed", str(SEED), say("The same seed draws the same phrases."), least=0, most=10**6
        ),
        Option("min_words", "1", say("Words of the shortest phrases."), least=1, most=8),
        Option("max_words", "3", say("Words of the longest phrases."), least=1, most=8),
        Option(
            "test_least",
            str(STEPS[0][0]),
            say("A phrase occurs at least this often in the test sentences."),
            least=1,
            most=10**6,
        ),
        Option(
            "test_most",
            str(MOST_OCCURRENCES),
            say("A phrase occurs at most this often in the test sentences."),
            least=1,
            most=10**6,
        ),
        Option(
            "train_least",
            str(STEPS[0][1]),
            say("A phrase occurs at least this often in the training text."),
            least=0,
            most=10**9,
        ),
        Option(
            "lower",
            "yes",
            say("Lower the minimum counts if too few phrases pass."),
            YES_NO,
        ),
        DecimalOption(
            "lm_weight",
            "1",
            say(
                "How much the language model counts relative to the probability of the paraphrase."
            ),
            high=100,
        ),
        DecimalOption(
            "constituents",
            "0.5",
            say("With parses: the share of phrases that are constituents of their sentences."),
        ),
        Option(
            "min_labelled",
            str(MIN_LABELLED),
            say(
                "Conditions 2 and 6 need at least this many phrase pairs of a phrase with a label."
            ),
            least=1,
            most=10**6,
        ),
        Option(
            "marks",
            MARKS[0],
            say(
                "keep all paraphrases; words: leave out those of marks alone; other_words: also "
                "those that differ from their phrase in marks alone."
            ),
            MARKS,
        ),
        Option(
            "lm_per_word",
            "no",
            say(
                "Divide the log probability of a sentence by its number of words; otherwise "
                "leaving words out is rewarded."
            ),
            YES_NO,
        ),
    ),
    stages=(Stage("draw", _draw),),
    plain=PLAIN,
    fits=lambda stores: directed(stores["phrases"]),
)
