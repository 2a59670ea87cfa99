"""From two files to a paraphrase table, and from it to a test set; no database.

An invented language stands for a translation: every word has one or two foreign words, the second
half of the sentence comes first, and one word in ten is left out. The 29,000 pairs have 13 words.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from pathlib import Path

import numpy as np

from scoring.building.alignment import align, link_line, read_links, read_parallel
from scoring.building.paraphrases.counting import linked_text
from scoring.building.paraphrases.table import (
    LONGEST,
    build_store,
    open_phrases,
    paraphrase,
    save_for_paraeval,
    write_phrases,
)
from scoring.building.test_sets.building import Chooser, make_items, select
from scoring.building.test_sets.drawing import Cuts, enumerate_phrases, read_sentences
from tools.bench.apart import apart
from tools.bench.table import line, note, peak_memory

PAIRS, LENGTH, SENTENCES, PHRASES = 29_000, 13, 2_000, 100


def measure(database: str, _seconds: int) -> None:
    """Once: the databases make no difference."""
    if database != "sqlite":
        note("the same on every database, measured above")
        return
    found = apart("tools.bench.paraphrases")
    line("29,000 pairs to a paraphrase table", found["table"], "s", goal=90)
    line("of these, alignment", found["align"], "s")
    line("100 phrases of 2,000 sentences drawn, with paraphrases", found["test_set"], "s", goal=10)
    line("greatest memory", found["memory"] / 1024, "GiB")


def write_texts(folder: Path) -> tuple[Path, Path]:
    """Two files that say the same line by line."""
    source = random.Random(1)
    rng = np.random.default_rng(1)
    drawn = rng.zipf(1.2, size=(PAIRS, LENGTH)) % 9_000
    english, foreign = folder / "en.txt", folder / "de.txt"
    with english.open("w") as one, foreign.open("w") as other:
        for row in drawn.tolist():
            # Words 2n and 2n + 1 have the same translations, so that there are paraphrases.
            turned = [f"f{word // 2}-{source.randrange(2)}" for word in row[7:] + row[:7]]
            one.write(" ".join(f"e{word}" for word in row) + "\n")
            other.write(" ".join(word for word in turned if source.random() > 0.1) + "\n")
    return english, foreign


def paraphrases() -> dict[str, float]:
    """Processor seconds, and memory in MB of this process."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        english, foreign = write_texts(folder)
        begin = time.process_time()
        text = read_parallel(english, foreign)
        sides = [[side[at] for at in text.aligned] for side in (text.english, text.foreign)]
        lines = [""] * len(text.english)
        for at, pair in zip(text.aligned, align(*sides), strict=True):
            lines[at] = link_line(pair)
        links = folder / "links.txt"
        links.write_text("\n".join(lines) + "\n")
        found["align"] = time.process_time() - begin
        linked = linked_text(
            text.english,
            text.foreign,
            read_links(links, text.english, text.foreign),
            longest=LONGEST,
        )
        table = paraphrase([linked])
        with (folder / "table.tsv").open("w") as stream:
            stream.writelines(table.lines())
        save_for_paraeval(table, folder / "table", source_sha256="0" * 64)
        found["table"] = time.process_time() - begin
        write_phrases(build_store(table), folder / "store", source_sha256="0" * 64)
        test = folder / "test.txt"
        test.write_text("".join(english.read_text().splitlines(keepends=True)[:SENTENCES]))
        begin = time.process_time()
        sentences = read_sentences(test).sentences
        choosers = {"store": Chooser(open_phrases(folder / "store"))}
        candidates, _ = select(
            enumerate_phrases(sentences, Cuts()),
            Cuts(),
            PHRASES,
            grammar_words=(),
            train=None,
            choosers=choosers,
        )
        items = make_items(
            candidates,
            PHRASES,
            sentences=sentences,
            choosers=choosers,
            seed=1,
            contexts=4,
            labels=None,
            share=0.5,
        )
        found["test_set"] = time.process_time() - begin
        if len({item.drawn.phrase for item in items}) != PHRASES:
            raise AssertionError(f"only {len(items)} items")
        found["memory"] = peak_memory()
    return found


if __name__ == "__main__":
    print(json.dumps(paraphrases()))
