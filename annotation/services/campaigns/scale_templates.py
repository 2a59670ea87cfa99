"""Predefined scales for common tasks; the anchors are our own wording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class ScaleTemplate:
    """A scale and its points (value, label, anchor)."""

    name: str
    question: str
    points: tuple[tuple[float, str, str], ...] = ()
    level: str = "ordinal"
    minimum: float = 1
    maximum: float = 5
    step: float = 1
    higher_is_better: bool = True
    copy_at_top: bool = True  # False: the sentence is judged, and the original may have faults
    threshold: float | None = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class CampaignTemplate:
    """The scales and guidelines of a new campaign."""

    label: Any  # a lazy text; texts stored in campaigns are not translated
    scales: tuple[ScaleTemplate, ...]
    guideline: str


def _meaning(unit: str) -> ScaleTemplate:
    return ScaleTemplate(
        name="MEANING",
        question=f"Does the replacement keep the meaning of the original {unit}?",
        threshold=3,
        points=(
            (5, "Same", "All of the meaning is kept and nothing is added."),
            (4, "Added", "The meaning is kept; something small is added that does not change it."),
            (3, "Slightly reduced", "The meaning is kept, though a minor part of it is lost."),
            (2, "Different", "A large part of the meaning is another one."),
            (1, "Unrelated", "It does not mean anything like the original."),
        ),
    )


_GRAMMAR = ScaleTemplate(
    name="GRAMMAR",
    question="Is the sentence with the replacement grammatical?",
    copy_at_top=False,
    threshold=4,
    points=(
        (5, "Perfect", "Nothing needs to be corrected."),
        (4, "Awkward", "Grammatical, but it reads a little awkwardly."),
        (3, "One error", "One slip of agreement: verb, number, article."),
        (2, "Several errors", "Several errors, or words are missing that it needs."),
        (1, "Broken", "Hardly a sentence any more."),
    ),
)

_GUIDELINE = """\
# How to judge

You see a sentence in which {what} has been replaced. Judge every replacement on its own, not
against the others.

**{meaning}** asks only whether the replacement says the same as the original {unit} does *in this
sentence*. Do not take points off for bad grammar here.

**{grammar}** asks only whether the sentence with the replacement is well formed. Do not take points
off for a changed meaning here.

If you cannot judge a replacement at all, say so and why. An honest "cannot judge" is worth more
than a guess.
"""


def _guideline(*, what: str, unit: str, meaning: str = "MEANING", grammar: str = "GRAMMAR") -> str:
    """Return the guidelines with the names of the two scales that they explain."""
    return _GUIDELINE.format(what=what, unit=unit, meaning=meaning, grammar=grammar)


TEMPLATES: dict[str, CampaignTemplate] = {
    "phrase": CampaignTemplate(
        label=_("Phrase in a sentence (Callison-Burch 2008): MEANING and GRAMMAR, 1 to 5"),
        scales=(_meaning("phrase"), _GRAMMAR),
        guideline=_guideline(what="one phrase", unit="phrase"),
    ),
    "sentence": CampaignTemplate(
        label=_("Whole sentence: MEANING and GRAMMAR, 1 to 5"),
        scales=(_meaning("sentence"), _GRAMMAR),
        guideline=_guideline(what="the whole sentence", unit="sentence"),
    ),
    "direct-assessment": CampaignTemplate(
        label=_("Direct assessment: ADEQUACY and FLUENCY, 0 to 100"),
        scales=(
            ScaleTemplate(
                "ADEQUACY", "How much of the meaning is kept?", level="numeric",
                minimum=0, maximum=100, threshold=70,
                points=((0, "Nothing", ""), (100, "Everything", "")),
            ),
            ScaleTemplate(
                "FLUENCY", "How well formed is the sentence?", level="numeric",
                minimum=0, maximum=100, threshold=70, copy_at_top=False,
                points=((0, "Unreadable", ""), (100, "Flawless", "")),
            ),
        ),
        guideline=_guideline(
            what="a phrase or the whole sentence", unit="text",
            meaning="ADEQUACY", grammar="FLUENCY",
        ),
    ),
}  # fmt: skip
