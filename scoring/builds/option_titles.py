"""What forms call the options of recipes; commands and signatures have their names."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

TITLES = {
    "bootstrap": _("Replicates for intervals"),
    "classifiers": _("Classifiers"),
    "column": _("Column of the texts"),
    "constituents": _("Share of constituents"),
    "contexts": _("Sentences per phrase"),
    "epochs": _("Epochs"),
    "gold": _("Column of the gold"),
    "iterations": _("Passes in each direction"),
    "label": _("Column of the class"),
    "least": _("Fewest"),
    "links": _("Links of the alignment"),
    "lm_per_word": _("Language model per word"),
    "lm_weight": _("Weight of the language model"),
    "lower": _("Lower the minimum counts if needed"),
    "marks": _("Paraphrases of punctuation"),
    "max_words": _("Words at most"),
    "metrics": _("Metrics"),
    "min_cosine": _("Lowest cosine"),
    "min_count": _("Fewest occurrences"),
    "min_labelled": _("Fewest labelled pairs"),
    "min_words": _("Words at least"),
    "model": _("Model"),
    "most": _("Paraphrases per phrase"),
    "mutual": _("Only mutual paraphrases"),
    "n": _("Number of phrases"),
    "order": _("Longest n-gram"),
    "original": _("Column of the originals"),
    "paraphrase": _("Column of the paraphrases"),
    "phrases": _("Join frequent pairs of words"),
    "prune": _("Leave out rare n-grams"),
    "repeat": _("Number of seeds"),
    "replace": _("Which words are replaced"),
    "seed": _("Seed"),
    "size": _("Dimensions"),
    "sizes": _("Sizes of the parts"),
    "skip_gram": _("Skip-gram"),
    "systems": _("Columns of the systems"),
    "test_least": _("Occurrences in the test text, at least"),
    "test_most": _("Occurrences in the test text, at most"),
    "tokenize": _("What a word is"),
    "train_least": _("Occurrences in the training text, at least"),
    "variants": _("Neighbours"),
    "window": _("Window"),
}


def option_title(name: str) -> str:
    """The title of an option, or its name where it has none."""
    return str(TITLES.get(name, name))
