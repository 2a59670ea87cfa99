"""Mutants of alignment, paraphrase tables, labels and test sets."""

from tests.mutants import Mutant

ROOM, TESTS = "scoring/building", "tests/scoring/building"
SPANS, SPANNED = f"{ROOM}/paraphrases/counting.py", f"{TESTS}/paraphrases/test_table.py"
PIVOT, PIVOTED = f"{ROOM}/paraphrases/table.py", f"{TESTS}/paraphrases/test_pivot.py"
COUNTING, TABLED = f"{ROOM}/paraphrases/counting.py", f"{TESTS}/paraphrases/test_table.py"
LABELS, LABELLED = f"{ROOM}/labels.py", f"{TESTS}/labels/test_spans.py"
DRAWING, DRAWN = f"{ROOM}/test_sets/drawing.py", f"{TESTS}/test_sets/test_drawing.py"
CONDITIONS, CHOSEN = f"{ROOM}/test_sets/building.py", f"{TESTS}/test_sets/test_conditions.py"
PARAPHRASES = [
    Mutant(
        "links from inside to outside", SPANS, "(lows[width - 1, begin] >= start) & ", "", SPANNED
    ),
    Mutant(
        "foreign words without links",
        SPANS,
        "for right in range(longest - left):",
        "for right in range(1):",
        SPANNED,
    ),
    Mutant(
        "free words of the next sentence",
        SPANS,
        "    after[last] = 0\n",
        "",
        SPANNED,
        "next_sentence",
    ),
    Mutant("a phrase as its own paraphrase", PIVOT, "(phrase != other) & ", "", PIVOTED),
    Mutant(
        "the sum over texts",
        PIVOT,
        "np.concatenate(forth) / len(texts)",
        "np.concatenate(forth)",
        TABLED,
        "joined_by",
    ),
    Mutant(
        "denominators of what is kept",
        PIVOT,
        "of_left = np.bincount(text.left, text.times, minlength=size)",
        "of_left = np.bincount(text.left, text.times * (text.times >= min_count), minlength=size)",
        PIVOTED,
    ),
    Mutant(
        "pairs of wanted phrases alone",
        COUNTING,
        "selected = slice(None) if relevant is None else relevant[foreign]",
        "selected = slice(None) if relevant is None else mine[english]",
        TABLED,
        "wanted_phrases",
    ),
    Mutant(
        "one label of a span",
        COUNTING,
        "        each = right - left\n",
        "        each = np.minimum(right - left, 1)\n",
        TABLED,
        "with_a_label",
    ),
    Mutant(
        "middle without the head",
        LABELS,
        " and (not middle or first <= node.head <= last)",
        "",
        LABELLED,
    ),
    Mutant("farthest piece first", LABELS, "children[:first][::-1]", "children[:first]", LABELLED),
    Mutant(
        "overlaps", DRAWING, "taken.setdefault(sentence, []).append((start, end))", "pass", DRAWN
    ),
    Mutant(
        "places of the other stratum",
        DRAWING,
        "(True, whole) if len(whole) >= len(other) else (False, other)",
        "(len(whole) >= len(other), places)",
        DRAWN,
    ),
    Mutant(
        "rare labels",
        CONDITIONS,
        "or self._labels_of(phrase).get(label, 0) < self._least",
        "",
        CHOSEN,
    ),
    Mutant("labels unweighted", CONDITIONS, "n / whole * value", "value", CHOSEN),
    Mutant(
        "without the language model", CONDITIONS, "self._weight * fluency", "0 * fluency", CHOSEN
    ),
]
