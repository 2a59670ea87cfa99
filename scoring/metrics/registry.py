"""Metrics by name. A module is imported when its metric is first asked for.

A package of someone else adds a metric by the entry-point group `paraanno.metrics`:

    [project.entry-points."paraanno.metrics"]
    mymetric = "mypackage.mymodule:MyMetric"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from scoring.metrics.base import Metric

GROUP = "paraanno.metrics"
# What metrics look at, in the order of lists. One with another word is among "other".
FAMILIES = (
    "overlap", "surface", "embedding", "neural", "morphemes", "paraphrase table", "combination",
    "other",
)  # fmt: skip
RESERVED = ("external",)  # Runs of scores that were imported.

_TARGETS = {
    "apem": "scoring.metrics.apem:Apem",
    "apem_sd": "scoring.metrics.apem_sd:ApemSd",
    "apem_sdgd": "scoring.metrics.apem_sdgd:ApemSdgd",
    "approx_hter": "scoring.metrics.model_scores:ApproxHter",
    "bert_ibleu": "scoring.metrics.neural_mixes:BertIbleu",
    "bleu": "scoring.metrics.bleu:Bleu",
    "bleu_1max": "scoring.metrics.bleu_1max:Bleu1Max",
    "bleu_apem": "scoring.metrics.bleu_apem:BleuApem",
    "chrf": "scoring.metrics.chrf:Chrf",
    "chrfpp": "scoring.metrics.chrf:ChrfPlusPlus",
    "combine": "scoring.metrics.combine:Combine",
    "edit_similarity": "scoring.metrics.overlap:EditSimilarity",
    "embedding_cosine": "scoring.metrics.embedding_cosine:EmbeddingCosine",
    "embedding_f1": "scoring.metrics.neural:EmbeddingF1",
    "ibleu": "scoring.metrics.bleu_variants:Ibleu",
    "jaccard": "scoring.metrics.overlap:Jaccard",
    "length_ratio": "scoring.metrics.overlap:LengthRatio",
    "meteor": "scoring.metrics.meteor:Meteor",
    "model_metric": "scoring.metrics.model_scores:ModelMetric",
    "nist": "scoring.metrics.nist:Nist",
    "p_bleu": "scoring.metrics.bleu_variants:PBleu",
    "paraeval": "scoring.metrics.paraeval:Paraeval",
    "parascore": "scoring.metrics.neural_mixes:ParaScore",
    "pinc": "scoring.metrics.pinc:Pinc",
    "rouge_1": "scoring.metrics.rouge:Rouge1",
    "rouge_2": "scoring.metrics.rouge:Rouge2",
    "rouge_l": "scoring.metrics.rouge:RougeL",
    "self_bleu": "scoring.metrics.bleu_variants:SelfBleu",
    "sentence_cosine": "scoring.metrics.neural:SentenceCosine",
    "ter": "scoring.metrics.ter:Ter",
    "weem4pg": "scoring.metrics.weem4pg:Weem4pg",
    "wmd": "scoring.metrics.wmd:Wmd",
}


def register(name: str, target: str) -> None:
    """Make `module:Class` known as `name`; a name that is taken raises ValueError."""
    if _targets().get(name, target) != target:
        raise ValueError(f"There is already a metric called {name}: choose another name.")
    _TARGETS[name] = target
    metric_class.cache_clear()


def names() -> tuple[str, ...]:
    """The names of all metrics, sorted."""
    return tuple(sorted(_targets()))


@cache
def metric_class(name: str) -> type[Metric[Any]]:
    """The class called `name`; ValueError where there is none or it cannot be loaded."""
    target = _targets().get(name)
    if target is None:
        raise ValueError(f"There is no metric called {name}; there are {', '.join(names())}.")
    module, _, attribute = target.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"The metric {name} cannot be loaded from {target}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Metric)):
        raise ValueError(f"The metric {name} at {target} is no subclass of Metric.")
    return found


def create(name: str, options: Mapping[str, object] | None = None) -> Metric[Any]:
    """A metric with its options, checked."""
    return metric_class(name)(**(options or {}))


def _targets() -> dict[str, str]:
    found = dict(_TARGETS)
    for entry in _foreign():
        if entry.name in RESERVED:
            raise ValueError(f"No metric may be called {entry.name} ({entry.value}): rename it.")
        if found.get(entry.name, entry.value) != entry.value:
            raise ValueError(
                f"Two metrics are called {entry.name}: {found[entry.name]} and {entry.value}. "
                "Uninstall one of the packages."
            )
        found[entry.name] = entry.value
    return found


def _foreign() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))
