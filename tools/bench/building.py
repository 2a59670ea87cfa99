"""Corpora and language models of random text, and KenLM beside our scores; no database.

A text of Zipf's words stands for language: 30 million words to index, a million sentences to train
on. The sizes are parts of these, and seconds are scaled to the whole by n log n; memory is measured
at the whole size only (`python -m tools.bench.building 1`).
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from math import log
from pathlib import Path

import kenlm
import numpy as np

from scoring.building.corpora import index_corpus, open_corpus
from scoring.building.language_model import train, write_arpa
from tools.bench.apart import apart
from tools.bench.table import line, note, peak_memory

WORDS, SENTENCES, LENGTH = 30_000_000, 1_000_000, 14
PART = 0.1  # Of the whole sizes, in a usual run.
SCORED = 20_000


def measure(database: str, _seconds: int) -> None:
    """Once: the databases make no difference."""
    if database != "sqlite":
        note("the same on every database, measured above")
        return
    found = apart("tools.bench.building")
    line("30,000,000 words indexed (scaled from a tenth)", found["index"], "s", goal=60)
    line(
        "phrases looked up together, a second",
        found["counts"],
        "1/s",
        goal=50_000,
        more_is_better=True,
    )
    line("model of order 3 of 1,000,000 sentences (scaled)", found["train"], "s", goal=180)
    line(
        "sentences scored together, a second",
        found["score"],
        "1/s",
        goal=20_000,
        more_is_better=True,
        rivals=f"KenLM one by one: {found['kenlm']:.0f}/s",
    )
    line("greatest memory of the tenth", found["memory"] / 1024, "GiB", goal=2)


def zipf_text(path: Path, words: int, seed: int = 1) -> None:
    """Lines of LENGTH words."""
    rng = np.random.default_rng(seed)
    with path.open("w", encoding="utf-8") as stream:
        left = words
        while left > 0:
            drawn = rng.zipf(1.15, size=min(left, 1_000_000) // LENGTH * LENGTH or LENGTH)
            drawn %= 400_000
            stream.writelines(
                " ".join(map(str, row)) + "\n" for row in drawn.reshape(-1, LENGTH).tolist()
            )
            left -= len(drawn)


def _timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def building(part: float) -> dict[str, float]:
    """Processor seconds, scaled to the whole sizes, and rates; memory in MB of this process."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text, asked, arpa = folder / "text.txt", folder / "asked.txt", folder / "model.arpa"
        zipf_text(text, int(WORDS * part))
        longer = log(WORDS) / log(WORDS * part) / part
        found["index"] = longer * _timed(lambda: index_corpus(text, folder / "store"))
        corpus = open_corpus(folder / "store")
        sentences = [corpus.sentence(at) for at in range(5_000)]
        phrases = list(
            {
                tuple(one[at : at + n])
                for one in sentences
                for n in (1, 2, 3, 4, 5)
                for at in range(LENGTH - n + 1)
            }
        )
        found["counts"] = len(phrases) / _timed(lambda: corpus.counts(phrases))
        zipf_text(text, int(SENTENCES * LENGTH * part))
        longer = log(SENTENCES) / log(SENTENCES * part) / part
        begin = time.process_time()
        model = train(text, order=3).model
        with arpa.open("wb") as stream:
            write_arpa(model, stream)
        found["train"] = longer * (time.process_time() - begin)
        zipf_text(asked, SCORED * LENGTH, seed=2)
        lines = asked.read_text(encoding="utf-8").splitlines()
        cut = [one.split() for one in lines]
        found["score"] = len(cut) / _timed(lambda: model.score(cut))
        found["memory"] = peak_memory()  # Before KenLM, which has the model once more.
        theirs = kenlm.Model(str(arpa))
        found["kenlm"] = len(lines) / _timed(lambda: [theirs.score(one) for one in lines])
    return found


if __name__ == "__main__":
    print(json.dumps(building(float(sys.argv[1]) if len(sys.argv) > 1 else PART)))
