"""Paraphrases in memory, for test sets."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class InventedSource:
    """A source with rows by phrase, labels of phrases, and rows by phrase and label."""

    rows: dict[str, list[tuple[str, float]]]
    seen: dict[str, dict[str, int]] = field(default_factory=dict)
    labelled: dict[tuple[str, str], list[tuple[str, float]]] = field(default_factory=dict)
    counted: bool = True

    @property
    def labels(self):
        return tuple(sorted({label for labels in self.seen.values() for label in labels}))

    def best(self, phrase):
        return self.rows.get(phrase, [])

    def labels_of(self, phrase):
        return self.seen.get(phrase, {})

    def best_with(self, phrase, label):
        return self.labelled.get((phrase, label), [])
