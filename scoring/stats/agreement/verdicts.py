"""What the verdicts of agreement say: `answer` in influence.py gives their codes."""

from __future__ import annotations

from typing import NamedTuple

from paraanno.common.texts import Sentence, say


class VerdictText(NamedTuple):
    """A verdict in words: `page` is the answer, `why` the numbers behind it, `printed` stands in a
    paper and in a terminal."""

    page: Sentence
    why: Sentence
    printed: str


VERDICTS = {
    "yes": VerdictText(
        say("Yes: annotators agree well enough to rely on their judgments."),
        say(
            "%(alpha)s is %(value)s; its entire interval for new phrases and these annotators, "
            "%(interval)s, is at least .800."
        ),
        "annotators agree well enough to rely on their judgments",
    ),
    "tentative": VerdictText(
        say("For tentative conclusions only: annotators agree fairly well."),
        say(
            "%(alpha)s is %(value)s; its entire interval for new phrases and these annotators, "
            "%(interval)s, is at least .667, but not .800."
        ),
        "annotators agree well enough for tentative conclusions only",
    ),
    "no": VerdictText(
        say("No: annotators agree too little to rely on single judgments."),
        say(
            "%(alpha)s is %(value)s; its entire interval for new phrases and these annotators, "
            "%(interval)s, is below .667."
        ),
        "annotators agree too little to rely on single judgments",
    ),
    "unsure": VerdictText(
        say("Undecided: more texts are needed."),
        say(
            "%(alpha)s is %(value)s, but its interval for new phrases and these annotators, "
            "%(interval)s, extends from below .667 to above it."
        ),
        "it is open whether annotators agree well enough: the interval contains .667",
    ),
    "no interval": VerdictText(
        say("Undecided: %(why)s."),
        say("%(alpha)s is %(value)s, without an interval."),
        "it is open whether annotators agree well enough: there is no interval",
    ),
    "all agree": VerdictText(
        say("Undecided: annotators agree on every text, so that agreement has no interval."),
        say(
            "%(alpha)s is %(value)s. All that can be said: in at least %(share)s %% of new phrases "
            "they agree on every text."
        ),
        "it is open whether annotators agree well enough: all agree, so that there is no interval",
    ),
    "no width": VerdictText(
        say("Undecided: more texts are needed."),
        say("%(alpha)s is %(value)s whichever phrase is left out, so that it has no interval."),
        "it is open whether annotators agree well enough: every cluster is alike, so that there is "
        "no interval",
    ),
    "undefined": VerdictText(
        say("Undecided: agreement is undefined here."),
        say("%(alpha)s is undefined."),
        "it is open whether annotators agree well enough: alpha is undefined",
    ),
}
