"""Mutants of what is made of raw text: counts, models, stages and claims."""

from tests.mutants import Mutant

CORPUS, SUFFIXES = "scoring/building/corpora.py", "scoring/building/corpora.py"
SMOOTHING, COUNTING = "scoring/building/language_model.py", "scoring/building/language_model.py"
MODEL, ARPA = "scoring/metrics/resources/arpa.py", "scoring/metrics/resources/arpa.py"
FLUENCY, RECIPE = "scoring/metrics/fluency/lm_fluency.py", "scoring/building/recipes/recipe.py"
WORK = "scoring/builds/work.py"
COUNTED, SORTED = (
    "tests/scoring/building/corpora/test_corpus.py",
    "tests/scoring/building/corpora/test_corpus.py",
)
SMOOTHED = "tests/scoring/building/language_model/test_kneser_ney.py"
SCORED, READ = (
    "tests/scoring/metrics/resources/test_arpa.py",
    "tests/scoring/metrics/resources/test_arpa.py",
)
FLUENT, MADE = (
    "tests/scoring/metrics/fluency/test_lm_fluency.py",
    "tests/scoring/building/recipes/test_recipe.py",
)
WORKED = "tests/scoring/services/builds/test_work.py"
RAW_TEXT = [
    Mutant(
        "unknown word as a sentence's end",
        CORPUS,
        "np.flatnonzero(in_vocabulary & (queries.lengths > 0))",
        "np.flatnonzero(queries.lengths > 0)",
        COUNTED,
    ),
    Mutant(
        "phrases beyond the depth",
        CORPUS,
        "for further in range(self.depth, length):",
        "for further in range(length, length):",
        COUNTED,
    ),
    Mutant(
        "one round of doubling too few",
        SUFFIXES,
        "        sorted_by += shift\n",
        "        sorted_by += 2 * shift\n",
        SORTED,
        "fifth_word",
    ),
    Mutant(
        "occurrences instead of continuations",
        SMOOTHING,
        "np.where(level.at_begin, level.counts, continued)",
        "level.counts",
        SMOOTHED,
    ),
    Mutant(
        "continuations after <s>",
        SMOOTHING,
        "np.where(level.at_begin, level.counts, continued)",
        "continued",
        SMOOTHED,
    ),
    Mutant(
        "discounts out of range",
        SMOOTHING,
        "    if not (0 <= one <= 1 and 0 <= two <= 2 and 0 <= more <= 3):\n",
        "    if not (one <= 1 and two <= 2 and more <= 3):\n",
        SMOOTHED,
        "fall_back",
    ),
    Mutant(
        "n-grams across sentences",
        COUNTING,
        "within[places] >= length - 1",
        "within[places] >= 1",
        "tests/scoring/building/language_model/test_kneser_ney.py",
    ),
    Mutant(
        "weights of shorter contexts",
        MODEL,
        "            weights[matched] = 0.0",
        "            weights[matched] += 0.0",
        SCORED,
    ),
    Mutant("marks as words of a text", MODEL, "at < 0 or word in MARKS", "at < 0", SCORED),
    Mutant(
        "counts of the file",
        ARPA,
        "        if len(section.lines) != wanted:\n",
        "        if len(section.lines) > wanted:\n",
        READ,
    ),
    Mutant(
        "the sentence's end in a mean",
        FLUENCY,
        "candidate.logprob / (candidate.words + 1)",
        "candidate.logprob / candidate.words",
        FLUENT,
    ),
    Mutant(
        "stages of other inputs",
        RECIPE,
        'if mark.exists() and mark.read_text(encoding="utf-8") == signature:',
        "if mark.exists():",
        MADE,
    ),
    Mutant(
        "cancelled builds go on",
        "paraanno/jobs/engine.py",
        "if not held:",
        "if held is None:",
        WORKED,
    ),
]
