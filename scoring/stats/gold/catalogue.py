"""Catalogue of gold methods: names, explanations and computation.

Pages, API, commands, exports and docs/gold-and-results.md list them in this order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from paraanno.plain.sentence import Sentence, say
from scoring.stats.gold.latent_gold import dawid_skene_gold, mace_gold
from scoring.stats.gold.methods import majority_gold, mean_gold, median_gold, trimmed_gold, z_gold
from scoring.stats.gold.severity import severity_gold
from scoring.stats.gold.values import GoldValues
from scoring.stats.table import RatingTable


@dataclass(frozen=True, kw_only=True)
class Method:
    """One gold method.

    key        name in URLs, JSON, files and commands
    label      name on pages; says: explanation
    compute    from the ratings of a scale, or from pass decisions if it `decides` (and
               from the ratings of a nominal scale)
    needs_all  whether the value of a unit depends on the ratings of other units
    on_scale   whether its values are on the scale, so that thresholds apply
    """

    key: str
    label: Sentence
    says: Sentence
    compute: Callable[[RatingTable], GoldValues]
    decides: bool = False
    needs_all: bool = False
    on_scale: bool = True


CATALOGUE = (
    Method(
        key="mean",
        label=say("Mean"),
        says=say("Mean of the ratings of a text."),
        compute=mean_gold,
    ),
    Method(
        key="median",
        label=say("Median"),
        says=say("Middle rating; between the two middle ones their mean."),
        compute=median_gold,
    ),
    Method(
        key="majority",
        label=say("Majority"),
        says=say("Most frequent rating; none where two are equally frequent."),
        compute=majority_gold,
    ),
    Method(
        key="trimmed",
        label=say("Trimmed mean"),
        says=say("Mean without the lowest and the highest fifth, from five ratings on."),
        compute=trimmed_gold,
    ),
    Method(
        key="z",
        label=say("z-scores per annotator"),
        says=say(
            "Mean of the ratings in standard deviations of their annotator; not on the scale, so "
            "no threshold applies."
        ),
        compute=z_gold,
        needs_all=True,
        on_scale=False,
    ),
    Method(
        key="severity",
        label=say("Adjusted for severity"),
        says=say(
            "What the average annotator would give: each annotator’s severity is estimated on "
            "the texts shared with others and subtracted."
        ),
        compute=severity_gold,
        needs_all=True,
    ),
    Method(
        key="dawid-skene",
        label=say("Dawid-Skene (decisions, names)"),
        says=say(
            "Most probable pass decision, and value of nominal scales, each annotator weighted "
            "by error rates learnt from the data; no value on an ordered scale."
        ),
        compute=lambda table: dawid_skene_gold(table).gold,
        decides=True,
        needs_all=True,
    ),
    Method(
        key="mace",
        label=say("MACE (decisions, names)"),
        says=say(
            "Most probable pass decision, and value of nominal scales, each annotator weighted "
            "by the probability that they do not guess; no value on an ordered scale."
        ),
        compute=lambda table: mace_gold(table).gold,
        decides=True,
        needs_all=True,
    ),
)
METHODS = {one.key: one for one in CATALOGUE}
