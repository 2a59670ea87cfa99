"""BLEU and APEM together (Moon, Gweon, Choi and Heo 2015, table 2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from paraanno.plain.sentence import say
from scoring.metrics.base import AGAINST, YES_NO, Option
from scoring.metrics.combination.composite import Addend, Composite
from scoring.metrics.decimal_option import DecimalOption
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.phrases.apem_sdgd import ApemSdgd
from scoring.metrics.registry import create, metric_class

OWN = "own"


def _optional(option: Option) -> Option:
    return replace(option, default=NONE) if isinstance(option, FileOption) else option


class BleuApem(Composite):
    """BLEU_APEM(a:b) = a/10 BLEU + b/10 APEM, both from 0 to 1: the scores that the two metrics
    have by themselves.

    Undefined if either is undefined.
    """

    name = "bleu_apem"
    languages = ApemSdgd.languages
    title = "BLEU_APEM"
    summary = say(
        "0 to 1: a weighted mean of BLEU and APEM. BLEU compares wording with references, "
        "APEM compares morphemes with the original."
    )
    OPTIONS = (
        AGAINST,
        DecimalOption("weight", "0.2", say("The weight of BLEU; APEM has the rest.")),
        Option(
            "bleu",
            "bleu_1max",
            say(
                "The BLEU: bleu_1max is that of the paper, words shared with one "
                "reference; bleu is "
                "the usual one."
            ),
            ("bleu_1max", "bleu"),
        ),
        Option(
            "apem",
            "apem",
            say(
                "The APEM: apem matches identical morphemes, apem_sd also synonyms, apem_sdgd also "
                "synonyms confirmed by a distance."
            ),
            ("apem", "apem_sd", "apem_sdgd"),
        ),
        Option(
            "tokenize",
            OWN,
            say(
                "How BLEU tokenizes texts: own (as that metric does by default), 13a (mteval), "
                "intl (Unicode punctuation), ko (Korean morphemes), or none (at white space)."
            ),
            (OWN, "13a", "intl", "ko", "none"),
        ),
        Option(
            "lowercase",
            OWN,
            say("Whether BLEU ignores case: own (as that metric does by default), yes or no."),
            (OWN, *YES_NO),
        ),
        *(_optional(option) for option in ApemSdgd.OPTIONS if option.name != AGAINST.name),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        weight = float(self.options["weight"])
        self.set_parts([self._part("bleu", weight), self._part("apem", 1 - weight)])

    def _part(self, which: str, weight: float) -> Addend:
        """The metric named in an option, with those of our options that it also takes."""
        name = self.options[which]
        takes = {option.name for option in metric_class(name).OPTIONS}
        taken = {
            option: value
            for option, value in self.options.items()
            if option in takes and value != OWN
        }
        if which == "apem":
            # It has only one choice, and a file that is not named counts as missing.
            taken = {option: value for option, value in taken.items() if value != NONE}
            taken.pop(AGAINST.name)
        metric = create(name, taken)
        return Addend(name, metric, weight, divisor=100.0 if metric.percent else 1.0)
