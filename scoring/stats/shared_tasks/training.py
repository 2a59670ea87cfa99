"""The training part of a task: judged texts of another campaign, with their gold.

Its files have the forms of the test's, so that one program reads both, and the gold as it is
published of a task that is over.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from scoring.stats.shared_tasks.files import (
    gold_file,
    originals_file,
    pairs_file,
    text_gold_file,
    texts_file,
)
from scoring.stats.shared_tasks.frozen import JudgedTexts, freeze

PART = "train"


def training_files(
    judged: JudgedTexts, *, held_out: Iterable[str], seed: int
) -> tuple[dict[str, bytes], int]:
    """Return the files by name, and how many originals were left out because the test has them.

    held_out   the originals of the test: compared without case, as NFC, white space folded
    No files at all if nothing is left.
    """
    kept, out = _without(judged, {_folded(text) for text in held_out})
    if not kept.text:
        return {}, out
    frozen = freeze(kept, public_share=0, seed=seed)
    files = {
        "originals.tsv": originals_file(frozen),
        "texts.tsv": texts_file(frozen),
        "pairs.tsv": pairs_file(frozen),
        "gold/pairs.tsv": gold_file(frozen, PART),
        "gold/texts.tsv": text_gold_file(frozen, PART),
    }
    return files, out


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _without(judged: JudgedTexts, held_out: set[str]) -> tuple[JudgedTexts, int]:
    test = np.array([_folded(text) in held_out for text in judged.original_text], dtype=bool)
    rows = np.flatnonzero(~test).tolist()
    place = np.full(len(judged.text), -1)
    place[rows] = np.arange(len(rows))
    told = place[judged.unit] >= 0
    kept = replace(
        judged,
        text=[judged.text[at] for at in rows],
        original=judged.original[rows],
        original_text=[judged.original_text[at] for at in rows],
        cluster=judged.cluster[rows],
        value=judged.value[rows],
        annotator=judged.annotator[told],
        unit=place[judged.unit[told]],
        given=judged.given[told],
        made=tuple((int(place[at]), of) for at, of in judged.made if place[at] >= 0),
        references=[judged.references[at] for at in rows] if judged.references else [],
    )
    return kept, int(np.unique(judged.original[test]).size)
