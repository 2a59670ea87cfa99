"""BLEU and APEM together (Moon, Gweon, Choi and Heo 2015, table 2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scoring.metrics.apem_sdgd import ApemSdgd
from scoring.metrics.base import AGAINST, Option
from scoring.metrics.composite import Composite, Part
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.options import DecimalOption
from scoring.metrics.registry import create, metric_class
from scoring.metrics.tokenizers import LOWERCASE


def _optional(option: Option) -> Option:
    return replace(option, default=NONE) if isinstance(option, FileOption) else option


class BleuApem(Composite):
    """0 to 1: a weighted mean of BLEU and APEM. BLEU looks at wording against references, APEM at
    morphemes against the original.

        BLEU_APEM(a:b) = a/10 BLEU + b/10 APEM, both from 0 to 1

    Undefined where one of the two is.
    """

    name = "bleu_apem"
    title = "BLEU_APEM"
    OPTIONS = (
        AGAINST,
        DecimalOption("weight", "0.2", "The share of BLEU; APEM has the rest."),
        Option(
            "bleu",
            "bleu_1max",
            "The BLEU: bleu_1max is the paper's, words shared with one reference; bleu the usual.",
            ("bleu_1max", "bleu"),
        ),
        Option(
            "apem",
            "apem",
            "The APEM: apem takes identical morphemes, apem_sd synonyms too, apem_sdgd those that "
            "a distance confirms.",
            ("apem", "apem_sd", "apem_sdgd"),
        ),
        Option(
            "tokenize",
            "13a",
            "How BLEU cuts texts: 13a (mteval), intl (Unicode punctuation), ko (Korean morphemes), "
            "or none (at white space).",
            ("13a", "intl", "ko", "none"),
        ),
        LOWERCASE,
        *(_optional(option) for option in ApemSdgd.OPTIONS if option.name != AGAINST.name),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        weight = float(self.options["weight"])
        self.set_parts([self._part("bleu", weight), self._part("apem", 1 - weight)])

    def _part(self, which: str, weight: float) -> Part:
        """The metric that an option names, with those of our options that it takes too."""
        name = self.options[which]
        takes = {option.name for option in metric_class(name).OPTIONS}
        taken = {option: value for option, value in self.options.items() if option in takes}
        if which == "apem":
            # It has one choice only, and a file that is not named is missing.
            taken = {option: value for option, value in taken.items() if value != NONE}
            taken.pop(AGAINST.name)
        metric = create(name, taken)
        return Part(name, metric, weight, divisor=100.0 if metric.percent else 1.0)
