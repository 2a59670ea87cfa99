"""What looking at a test again and again, while judgments arrive, does to its level."""

from __future__ import annotations

from typing import TypedDict

from paraanno.plain.sentence import Sentence, joined, say

# Share of samples in which two equal systems were called different at .05 at least once, by number
# of looks, each after 20 more originals: 12,000 samples of tests/scoring/stats/significance/
# test_looks.py. Standard error at most .004.
FALSE_ALARMS = {
    1: 0.0452, 2: 0.0751, 3: 0.1007, 5: 0.1352, 10: 0.1918, 20: 0.2508, 50: 0.3324,
}  # fmt: skip
UNKNOWN = say("It is not known how often they were looked at before looks were counted.")


class LooksJson(TypedDict):
    """How many states of the judgments were looked at so far, this one included.

    unknown_before  whether there were looks before they were counted
    false_alarms    how often two equal systems are called different at least once in `simulated`
                    looks, the largest known number that is not above `states`; both None without
                    any look
    told            the same as a sentence; None for a single look, with none before
    """

    states: int
    unknown_before: bool
    simulated: int | None
    false_alarms: float | None
    told: Sentence | None


def looks_told(states: int, *, unknown_before: bool = False) -> LooksJson:
    """Return the effect on the tests of looking at that many states of the judgments."""
    of = max((known for known in FALSE_ALARMS if known <= states), default=None)
    told = []
    if of is not None and states > 1:
        told.append(
            say(
                "These comparisons were made from %(states)s states of the judgments since the "
                "campaign began. Each look is another chance to find a difference that is not "
                "there: in simulations, two equal systems were called different at .05 at least "
                "once in %(share)s %% of samples after %(of)s looks, each with as many new "
                "judgments, and in %(once)s %% after one. Decide beforehand how many judgments "
                "there will be, and use the tests once, when all are there.",
                states=states,
                share=f"{100 * FALSE_ALARMS[of]:.0f}",
                of=of,
                once=f"{100 * FALSE_ALARMS[1]:.0f}",
            )
        )
    if unknown_before:
        told.append(UNKNOWN)
    return {
        "states": states,
        "unknown_before": unknown_before,
        "simulated": of,
        "false_alarms": None if of is None else FALSE_ALARMS[of],
        "told": joined(" ", told) if told else None,
    }
