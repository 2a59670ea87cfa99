"""Mutants of near words, extrinsic evaluation and ParaMetric."""

from tests.mutants import Mutant

NEAR, SPLITS = "scoring/building/vectors.py", "scoring/extrinsic/experiment.py"
READING, EXPERIMENT = "scoring/extrinsic/experiment.py", "scoring/extrinsic/experiment.py"
INTRINSIC, PARAMETRIC = "scoring/extrinsic/report.py", "scoring/building/paraphrases/parametric.py"
OF_NEAR, OF_SPLITS = (
    "tests/scoring/building/vectors/test_training.py",
    "tests/scoring/extrinsic/test_reading.py",
)
OF_READING, OF_EXPERIMENT = (
    "tests/scoring/extrinsic/test_reading.py",
    "tests/scoring/extrinsic/test_experiment.py",
)
OF_INTRINSIC = "tests/scoring/extrinsic/test_intrinsic.py"
OF_PARAMETRIC = "tests/scoring/building/paraphrases/test_parametric.py"
EXTRINSIC = [
    Mutant(
        "near words: the word itself",
        NEAR,
        "        near[inside, batch[inside]] = -np.inf\n",
        "",
        OF_NEAR,
    ),
    Mutant(
        "texts that were sent: not waited for",
        "scoring/builds/work.py",
        "if resource is None or resource.status == Resource.Status.READY:",
        "if True:",
        "tests/scoring/services/builds/test_sent_texts.py",
    ),
    Mutant(
        "near words: ties in any order",
        NEAR,
        "np.lexsort((column, -near[row, column], row))",
        "np.lexsort((-column, -near[row, column], row))",
        OF_NEAR,
    ),
    Mutant(
        "labelled texts: doubles stay",
        READING,
        "if original in self._first:",
        "if False:",
        OF_READING,
    ),
    Mutant(
        "parts: of the order of rows",
        SPLITS,
        "by_id = sorted(range(len(ids)), key=ids.__getitem__)",
        "by_id = list(range(len(ids)))",
        OF_SPLITS,
    ),
    Mutant(
        "parts: classes as they come",
        SPLITS,
        "place[row] = ((at + 0.5) / len(rows), number)",
        "place[row] = (float(number), at)",
        OF_SPLITS,
    ),
    Mutant(
        "outcomes: paraphrases are not tested",
        EXPERIMENT,
        "name: features.of(_rows(data, name, parts.test))",
        "name: features.of(_rows(data, column, parts.test))",
        OF_EXPERIMENT,
    ),
    Mutant(
        "outcomes: length is not held fixed",
        INTRINSIC,
        "value = float(np.clip((r[0, 1] - r[0, 2] * r[1, 2]) / math.sqrt(left), -1, 1))",
        "value = float(r[0, 1])",
        OF_INTRINSIC,
    ),
    Mutant(
        "ParaMetric: one direction",
        PARAMETRIC,
        "            paraphrases[theirs].add(phrase)\n",
        "",
        OF_PARAMETRIC,
    ),
    Mutant(
        "ParaMetric: phrases without gold do not count",
        PARAMETRIC,
        "if some and phrase in gold.phrases",
        "if some and phrase in gold.paraphrases",
        OF_PARAMETRIC,
    ),
]
