"""The notebooks that need no site run from their first cell to their last."""

import numpy as np
import pandas as pd
import pytest

from tests import HOME
from tests.notebooks import notebook

pytestmark = pytest.mark.slow


def test_ratings_of_the_demo(monkeypatch):
    monkeypatch.chdir(HOME / "examples/notebook")
    known = notebook("ratings.ipynb")
    ratings = known["ratings"]
    means = ratings.groupby("system")["meaning"].mean()
    assert known["systems"].loc[means.idxmax(), "value"] == pytest.approx(means.max())
    gold = known["rated"].groupby("text")["meaning"].mean()
    assert known["gold"]["value"].to_dict() == pytest.approx(gold.to_dict())


@pytest.fixture
def parabank(tmp_path, monkeypatch):
    """Files as ParaBank's evaluation has them, with simulated judgments: system 0 copies the
    sentence, one text has two systems, and a worker judged twice."""
    random = np.random.default_rng(7)
    words = ["we", "saw", "the", "old", "boat", "near", "a", "quiet", "shore", "before", "rain"]
    sentences, rows = [], []
    for ref in range(12):
        sentence = [str(word) for word in random.permutation(words)]
        sentences.append((ref, " ".join(sentence), len(sentence), 0))
        for systems, lost in (("0", 0), ("1 35", 2), ("2", 4), ("3", 6), ("4", 8)):
            text = '"' + " ".join(sentence[lost:]) if lost else " ".join(sentence)
            for worker in range(3):
                score = "" if lost == 8 and worker == 2 else 95 - 9 * lost + random.integers(5)
                grammar = 0 if score == "" else 1 + (lost < 4)
                rows.append((worker, ref, len(sentence), systems, text, 0.5, score, grammar))
    rows.append((*rows[0][:6], 1, 1))
    names = ["worker_id_anon", "ref_id", "ref_len", "sys_id", "candidate", "NLL"]
    names += ["human_score", "gm"]
    for file, head, lines in (
        ("candidates.tsv", names, rows),
        ("ref.tsv", ["ref_id", "ref_sent", "ref_len", "czeng_s"], sentences),
    ):
        text = "\n".join("\t".join(map(str, line)) for line in [head, *lines])
        (tmp_path / file).write_text(text, "utf-8")
    monkeypatch.setenv("PARABANK_EVAL", str(tmp_path))
    return pd.DataFrame(rows, columns=names)


def test_the_published_files_of_parabank(parabank):
    known = notebook("parabank.ipynb")
    first = parabank.drop_duplicates(["worker_id_anon", "ref_id", "candidate"])
    scores = pd.to_numeric(first["human_score"])
    for systems, mean in scores.groupby(first["sys_id"]).mean().items():
        for system in systems.split():
            assert known["systems"].loc[system, "value"] == pytest.approx(mean)
    assert known["metrics"].loc[("chrf", "texts", "pearson"), "value"] > 0.8
    assert known["metrics"].loc[("ter", "texts", "pearson"), "value"] > 0.8
