"""The recipe `translations`: from two parallel texts to a phrase table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from paraanno.plain.sentence import say
from scoring.building.alignment.links import read_links
from scoring.building.alignment.parallel import read_parallel
from scoring.building.paraphrases.counting import LinkedText, count_pairs, linked_text
from scoring.building.recipes.paraphrases import ALIGNING, LINKS, align_sides, side_of
from scoring.building.recipes.recipe import Numbers, Recipe, Stage, StageInput
from scoring.metrics.base import Option
from scoring.metrics.resources.translations import convert

PLAIN = "phrases.txt"


def _count(step: StageInput) -> Numbers:
    """Write the phrase table in the form of Moses, and its store."""
    text = read_parallel(side_of(step, "english"), side_of(step, "foreign"))
    links = read_links(step.before["align"] / LINKS, text.english, text.foreign)
    longest = int(step.options["max_words"])
    step.progress(0.1)
    linked = linked_text(text.english, text.foreign, links, longest=longest)
    plain = step.folder / PLAIN
    with plain.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(table_lines(linked, longest, int(step.options["min_count"])))
    step.progress(0.7)
    return convert(plain, step.folder, progress=lambda share: step.progress(0.7 + 0.3 * share))


def table_lines(text: LinkedText, longest: int, least: int) -> Iterator[str]:
    """`foreign ||| phrase ||| p(f|e) 1 p(e|f)`, sorted by phrase and foreign phrase.

    Probabilities are relative frequencies among pairs that occurred at least `least` times; lexical
    weights are not computed and stand as 1.
    """
    pairs = count_pairs(text, longest=longest)
    kept = pairs.times >= least
    english, foreign, times = pairs.english[kept], pairs.foreign[kept], pairs.times[kept]
    given_english = times / np.bincount(english, times)[english]
    given_foreign = times / np.bincount(foreign, times)[foreign]
    rows = zip(
        text.english.texts(english), text.foreign.texts(foreign),
        given_english.tolist(), given_foreign.tolist(), strict=True,
    )  # fmt: skip
    for phrase, other, p_f, p_e in sorted(rows):
        yield f"{other} ||| {phrase} ||| {p_f:.10g} 1 {p_e:.10g}\n"


TRANSLATIONS = Recipe(
    name="translations",
    title=say("Translations of phrases"),
    summary=say(
        "What phrases are in another language, from two texts that are parallel line by line; "
        "for the metric pivot_f1."
    ),
    kind="translations",
    inputs={"english": "corpus", "foreign": "corpus"},
    options=(
        *ALIGNING,
        Option("max_words", "3", say("Words of the longest phrases."), least=1, most=8),
        Option(
            "min_count", "1",
            say(
                "Phrase pairs that occur fewer times are left out; 2 or 3 make a smaller and "
                "cleaner table."
            ),
            least=1, most=1000,
        ),
    ),
    stages=(Stage("align", align_sides), Stage("count", _count)),
    plain=PLAIN,
    libraries=("numpy", "sil-thot"),
)  # fmt: skip
