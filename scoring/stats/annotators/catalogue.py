"""Catalogue of annotator statistics: names, column headings and explanations.

The table of all annotators, the page of each, the API and docs/annotators.md list them in this
order. `statistics` computes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paraanno.plain.sentence import Sentence, say

Source = Literal["ratings", "repeats", "controls", "pace"]
Written = Literal["plain", "signed", "share", "tenth", "whole"]


@dataclass(frozen=True, kw_only=True)
class Number:
    """One annotator statistic.

    key      name in JSON and URLs
    short    column heading; label: name on pages; says: explanation
    source   input: the ratings of a scale, hidden repeats, controls, or times of sheets
    written  number format on pages
    column   whether it has a column in the table of all annotators
    nominal  whether it is meaningful on a nominal scale
    """

    key: str
    short: Sentence
    label: Sentence
    says: Sentence
    source: Source
    written: Written
    column: bool = False
    nominal: bool = False


CATALOGUE = (
    Number(
        key="severity",
        short=say("Severity"),
        label=say("Severity"),
        says=say(
            "Points above (+) or below (−) what the average annotator would give the same texts. "
            "Where more is better, minus is strict."
        ),
        source="ratings",
        written="signed",
        column=True,
    ),
    Number(
        key="spread",
        short=say("Spread"),
        label=say("Spread"),
        says=say(
            "How much of the scale is used, compared with the others on the same texts: 1 is as "
            "much, below 1 less, above 1 more."
        ),
        source="ratings",
        written="plain",
        column=True,
    ),
    Number(
        key="agreement",
        short=say("Equal"),
        label=say("Agreement, equal"),
        says=say("Share of the others who give the same text the same value."),
        source="ratings",
        written="share",
        nominal=True,
    ),
    Number(
        key="within_one",
        short=say("Within 1"),
        label=say("Agreement, within one point"),
        says=say(
            "Share of the others who are at most one point away (a step, or a tenth of a fine "
            "scale)."
        ),
        source="ratings",
        written="share",
        column=True,
    ),
    Number(
        key="correlation",
        short=say("r with rest"),
        label=say("Correlation with the rest"),
        says=say(
            "How closely values follow the mean of the others; severity and spread do not matter "
            "here."
        ),
        source="ratings",
        written="plain",
        column=True,
    ),
    Number(
        key="trend",
        short=say("Trend"),
        label=say("Trend over time"),
        says=say(
            "How the difference from the mean of the others changes per 100 judgments, in the "
            "order of judging. If the interval contains 0, no drift is detected."
        ),
        source="ratings",
        written="signed",
        column=True,
    ),
    Number(
        key="repeat_exact",
        short=say("Repeats equal"),
        label=say("Repeats, equal"),
        says=say("Share of hidden repeats that got the same value as the first time."),
        source="repeats",
        written="share",
        nominal=True,
    ),
    Number(
        key="repeat_within",
        short=say("Repeats"),
        label=say("Repeats, within one point"),
        says=say("Share of hidden repeats at most one point from the first value."),
        source="repeats",
        written="share",
        column=True,
    ),
    Number(
        key="repeat_correlation",
        short=say("Repeats r"),
        label=say("Repeats, correlation"),
        says=say("Of the first and the later values (test-retest)."),
        source="repeats",
        written="plain",
    ),
    Number(
        key="repeat_change",
        short=say("Repeats change"),
        label=say("Repeats, change"),
        says=say("Mean of later minus first value."),
        source="repeats",
        written="signed",
    ),
    Number(
        key="controls",
        short=say("Controls"),
        label=say("Controls"),
        says=say("Share of judgments of controls inside the band of right values."),
        source="controls",
        written="share",
        column=True,
        nominal=True,
    ),
    Number(
        key="equal_neighbours",
        short=say("Same again"),
        label=say("Same value again"),
        says=say(
            "How often the next judgment has the same value. Texts of one item can rightly be "
            "alike, so a high share is a reason to look, not proof."
        ),
        source="ratings",
        written="share",
        column=True,
        nominal=True,
    ),
    Number(
        key="longest_run",
        short=say("Longest run"),
        label=say("Longest run"),
        says=say("Judgments in a row with one value."),
        source="ratings",
        written="whole",
        nominal=True,
    ),
    Number(
        key="seconds",
        short=say("Seconds"),
        label=say("Seconds per judgment"),
        says=say(
            "Median over sheets, all scales together; by the server’s clock, or the times "
            "that an imported file gives."
        ),
        source="pace",
        written="tenth",
        column=True,
    ),
    Number(
        key="too_fast",
        short=say("Too fast"),
        label=say("Sheets too fast"),
        says=say("Share of sheets below the campaign’s seconds for each judgment."),
        source="pace",
        written="share",
    ),
)


def keys_of(source: Source) -> tuple[str, ...]:
    """Return the keys of the statistics computed from a source, in order."""
    return tuple(one.key for one in CATALOGUE if one.source == source)
