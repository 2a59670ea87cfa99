"""Make a submission of a shared task: every text scored by chrF against its original, or, where
the task gives no originals, by its mean chrF with the other paraphrases of the same original.

    python starter.py FOLDER [OUTPUT]

FOLDER holds texts.tsv and, if there is one, originals.tsv as they were downloaded. OUTPUT
(submission.tsv) gets the columns text and score; higher is better. Replace `score` by your own
metric. Needs only Python.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path

ORDER, BETA = 6, 2


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a tab-separated file by the names of its columns."""
    csv.field_size_limit(10_000_000)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def grams(text: str, n: int) -> Counter[str]:
    """The character n-grams of a text without white space."""
    letters = "".join(text.split())
    return Counter(letters[at : at + n] for at in range(len(letters) - n + 1))


def score(original: str, text: str) -> float:
    """ChrF (Popović 2015), from 0 to 1."""
    precision = recall = orders = 0.0
    for n in range(1, ORDER + 1):
        ours, theirs = grams(text, n), grams(original, n)
        if not ours or not theirs:
            continue
        common = sum((ours & theirs).values())
        precision += common / sum(ours.values())
        recall += common / sum(theirs.values())
        orders += 1
    if not orders or not precision + recall:
        return 0.0
    precision, recall = precision / orders, recall / orders
    return (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)


def main(folder: str, output: str = "submission.tsv") -> None:
    """Score all texts and write the submission."""
    texts = read(Path(folder, "texts.tsv"))
    others: dict[str, list[dict[str, str]]] = {}
    for row in texts:
        others.setdefault(row["original"], []).append(row)
    there = Path(folder, "originals.tsv")
    originals = {row["original"]: row["text"] for row in read(there)} if there.exists() else {}
    scores = {}
    for row in texts:
        references = [one["text"] for one in others[row["original"]] if one["id"] != row["id"]]
        if originals:
            references = [originals[row["original"]]]
        scores[row["id"]] = sum(score(text, row["text"]) for text in references) / max(
            len(references), 1
        )
    lines = ["text\tscore", *(f"{key}\t{value:.6f}" for key, value in scores.items())]
    Path(output).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
