"""Simulated studies as people run them: few phrases with 1 to 4 items (or three each), whose texts
by several systems are alike, judged by three annotators."""

import numpy as np

from scoring.stats import RatingTable
from scoring.stats.systems.values import SystemTexts

SYSTEMS = 4
SEVERITY = np.array([-0.4, -0.3, -0.2, -0.1, 0.0, 0.0, 0.1, 0.2, 0.3, 0.4])
THREE = np.array([-0.3, 0.0, 0.4])


class Study:
    """One sample.

    table    ratings 1-5 of the texts, with item and phrase
    systems  the texts by system; `system` (U,) is that of each text
    human    (U,) mean rating; metrics {name: (U,)}, of which a and b are equally good, with the
             true `quality` as a part
    """

    def __init__(
        self,
        rng,
        phrases,
        *,
        of=3,
        annotators=3,
        systems=SYSTEMS,
        better=0.3,
        items=(1, 4),
        noise=0.8,
        opinions=0.0,
    ):
        many = rng.integers(items[0], items[1] + 1, phrases)
        phrase_of = np.repeat(np.arange(phrases), many)
        item = np.repeat(np.arange(phrase_of.size), systems)
        self.system = np.tile(np.arange(systems), phrase_of.size)
        phrase = phrase_of[item]
        units = item.size
        # A phrase's paraphrase by a system recurs in its items.
        recurring = rng.normal(0, 0.5, (phrases, systems))[phrase, self.system]
        quality = (
            rng.normal(0, 0.6, phrases)[phrase]
            + recurring
            + rng.normal(0, 0.3, phrase_of.size)[item]
            + rng.normal(0, 0.4, units)
            + 3.2
            + better * (self.system - (systems - 1) / 2)
        )
        effect = THREE if annotators == 3 else SEVERITY[:annotators]
        if of == annotators:
            who = np.tile(np.arange(annotators), (units, 1))
        else:
            who = np.argsort(rng.random((units, annotators)), axis=1)[:, :of]
        value = quality[:, None] + effect[who] + rng.normal(0, noise, who.shape)
        if opinions:  # Of an annotator on all texts of a phrase.
            value += rng.normal(0, opinions, (annotators, phrases))[who, phrase[:, None]]
        self.table = RatingTable(
            np.repeat(np.arange(units), of),
            who.ravel(),
            np.clip(np.round(value), 1, 5).ravel(),
            units,
            annotators,
            item=item,
            phrase=phrase,
        )
        self.item, self.phrase, self.phrases, self.quality = item, phrase, phrases, quality
        self.systems = SystemTexts(
            np.arange(units), self.system, tuple(f"s{one}" for one in range(systems))
        )
        self.human = np.clip(np.round(value), 1, 5).mean(axis=1)
        self.metrics = {name: self._metric(rng, quality) for name in "ab"}

    def _metric(self, rng, quality):
        """Half quality, half noise, a part of it shared by the texts of a phrase."""
        of_phrase = rng.normal(0, 0.6, self.phrases)[self.phrase]
        again = rng.normal(0, 0.5, (self.phrases, int(self.system.max()) + 1))
        noise = of_phrase + again[self.phrase, self.system] + rng.normal(0, 0.6, quality.size)
        return quality + noise
