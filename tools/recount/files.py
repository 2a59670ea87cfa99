"""The files, and what was counted of them."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd


def text_key(row):
    """SHA-256 over the parts of a text, as docs/formats.md has it."""
    sentence, start, end = row.sentence, row.start, row.end
    if row.own_sentence:
        sentence, start, end = row.own_sentence, row.own_start, row.own_end
    digest = hashlib.sha256()
    for part in ("text", row.phrase, sentence, str(start), str(end), row.paraphrase):
        raw = part.encode()
        digest.update(f"{len(raw)}:".encode() + raw)
    return digest.hexdigest()[:16]


def read(path):
    """All cells as text; an escaping apostrophe is removed."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    return frame.replace(r"^'(?=['=+\-@\t\r])", "", regex=True)


@dataclass
class Campaign:
    """A folder, what was compared of it, and what differs; `scales` maps each ordered scale to its
    threshold, in the order of the campaign."""

    folder: Path
    compared: int = 0
    wrong: list[str] = field(default_factory=list)

    def same(self, name, found, expected, tolerance=1e-9):
        self.compared += 1
        if isinstance(expected, float) and found is not None and not isinstance(found, str):
            equal = math.isclose(float(found), expected, rel_tol=tolerance, abs_tol=tolerance)
        else:
            equal = found == expected
        if not equal:
            self.wrong.append(f"{name}: the product has {found!r}, the recount {expected!r}")

    def json(self, name):
        return json.loads((self.folder / "paper" / name).read_text())

    def csv(self, name):
        return read(self.folder / "paper" / name)

    @cached_property
    def scales(self):
        thresholds = self.json("results.json")["thresholds"]
        return {name: thresholds[name] for name in self.csv("table.csv") if name in thresholds}

    @cached_property
    def answers(self):
        """Answers that count: given by people on output texts, submitted, first occasion, neither
        the annotator nor the text excluded. A repeat is another occasion, a control a role."""
        rows = read(self.folder / "judgments.csv")
        wanted = {
            "kind": "rating",
            "status": "counted",
            "occasion": "1",
            "role": "output",
            "excluded": "",
            "made_from": "",
        }
        counted = rows[(rows[list(wanted)] == list(wanted.values())).all(axis=1)].copy()
        for row in counted.itertuples():
            self.same("text_key of a judgment", row.text_key, text_key(row))
        return counted

    @cached_property
    def ratings(self):
        """Answers with a value: text_key, annotator, scale, value."""
        rows = self.answers[self.answers.value != ""].copy()
        rows["value"] = rows.value.astype(float)
        return rows

    @cached_property
    def texts(self):
        """A row for each output text in force and each system that wrote it."""
        rows = read(self.folder / "items.csv")
        rows = rows[(rows.role == "output") & (rows.paraphrase != "")].copy()
        gone = self._excluded
        return rows[~rows.text_key.isin(gone["texts"]) & ~rows.system.isin(gone["systems"])]

    @cached_property
    def _excluded(self):
        rows = read(self.folder / "judgments.csv")
        texts = rows[rows.excluded.isin(["phrase", "item", "substitution"])].text_key
        systems = rows[rows.excluded == "system"].systems
        return {"texts": set(texts), "systems": set(systems)}

    @cached_property
    def table(self):
        """table.csv with numbers; an empty cell is missing."""
        frame = self.csv("table.csv")
        named = ["text_key", "item_key", "phrase", "sentence", "paraphrase", "systems", "language"]
        for column in frame.columns.difference(named):
            frame[column] = pd.to_numeric(frame[column])
        return frame

    def wide(self, scale, threshold=None):
        """Texts in rows and annotators in columns; with a threshold, 1 where a rating passes."""
        one = self.ratings[self.ratings.scale == scale]
        frame = one.pivot(index="text_key", columns="annotator", values="value")
        if threshold is None:
            return frame
        return (frame >= threshold).where(frame.notna()).astype(float)

    @cached_property
    def sums(self):
        """The sum of the scales within each annotator; who left one out has none."""
        rows = self.ratings.groupby(["text_key", "annotator"]).value.agg(["sum", "size"])
        return rows[rows["size"] == len(self.scales)]["sum"]

    @cached_property
    def all_pass(self):
        """1 where an annotator passes a text on every scale; missing where one is not rated."""
        product = math.prod(self.wide(scale, least) for scale, least in self.scales.items())
        return product.dropna(how="all").dropna(axis=1, how="all")
