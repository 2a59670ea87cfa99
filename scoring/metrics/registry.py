"""Registry of metrics by name. A module is imported when its metric is first requested.

Another package adds a metric by the entry-point group `paraanno.metrics`:

    [project.entry-points."paraanno.metrics"]
    mymetric = "mypackage.mymodule:MyMetric"
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import Any

from paraanno.common.texts import say
from scoring.metrics.base import Metric
from scoring.metrics.values import language_problem, with_suggestion

GROUP = "paraanno.metrics"
# Families of metrics in display order. Any other family is listed as "other".
FAMILIES = (
    "overlap",
    "surface",
    "embedding",
    "neural",
    "morphemes",
    "paraphrase table",
    "language model",
    "combination",
    "other",
)
RESERVED = ("external",)  # The metric name of imported scores.
# Two threads that enter a package by different modules may wait for each other's (sacrebleu's do),
# and Python ends that by an error in one of them.
_LOADING = RLock()

_TARGETS = {
    "additions": "scoring.metrics.overlap.simplification:Additions",
    "apem": "scoring.metrics.phrases.apem:Apem",
    "apem_sd": "scoring.metrics.phrases.apem:ApemSd",
    "apem_sdgd": "scoring.metrics.phrases.google_distance:ApemSdgd",
    "approx_hter": "scoring.metrics.combination.model_scores:ApproxHter",
    "bert_ibleu": "scoring.metrics.neural.metrics:BertIbleu",
    "bertscore": "scoring.metrics.neural.bertscore:BertScore",
    "bleu": "scoring.metrics.overlap.bleu:Bleu",
    "bleu_1max": "scoring.metrics.overlap.bleu:Bleu1Max",
    "bleu_apem": "scoring.metrics.combination.combine:BleuApem",
    "chrf": "scoring.metrics.overlap.chrf:Chrf",
    "chrfpp": "scoring.metrics.overlap.chrf:ChrfPlusPlus",
    "cider": "scoring.metrics.overlap.cider:Cider",
    "cider_d": "scoring.metrics.overlap.cider:CiderD",
    "combine": "scoring.metrics.combination.combine:Combine",
    "compression": "scoring.metrics.overlap.simplification:Compression",
    "edit_similarity": "scoring.metrics.overlap.simple:EditSimilarity",
    "embedding_cosine": "scoring.metrics.embedding.distances:EmbeddingCosine",
    "embedding_f1": "scoring.metrics.neural.metrics:EmbeddingF1",
    "fkgl": "scoring.metrics.overlap.simplification:Fkgl",
    "ibleu": "scoring.metrics.overlap.bleu:Ibleu",
    "jaccard": "scoring.metrics.overlap.simple:Jaccard",
    "length_ratio": "scoring.metrics.overlap.simple:LengthRatio",
    "lm_fluency": "scoring.metrics.fluency.lm_fluency:LmFluency",
    "meteor": "scoring.metrics.overlap.meteor:Meteor",
    "model_metric": "scoring.metrics.combination.model_scores:ModelMetric",
    "nist": "scoring.metrics.overlap.nist:Nist",
    "p_bleu": "scoring.metrics.overlap.bleu:PBleu",
    "paraeval": "scoring.metrics.phrases.paraeval:Paraeval",
    "parascore": "scoring.metrics.neural.metrics:ParaScore",
    "pem_style": "scoring.metrics.combination.pem_style:PemStyle",
    "pinc": "scoring.metrics.overlap.simple:Pinc",
    "pivot_f1": "scoring.metrics.phrases.pivot_f1:PivotF1",
    "rouge_1": "scoring.metrics.overlap.rouge:Rouge1",
    "rouge_2": "scoring.metrics.overlap.rouge:Rouge2",
    "rouge_l": "scoring.metrics.overlap.rouge:RougeL",
    "rouge_lsum": "scoring.metrics.overlap.rouge:RougeLsum",
    "sari": "scoring.metrics.overlap.simplification:Sari",
    "self_bleu": "scoring.metrics.overlap.bleu:SelfBleu",
    "sentence_cosine": "scoring.metrics.neural.metrics:SentenceCosine",
    "ter": "scoring.metrics.overlap.ter:Ter",
    "weem4pg": "scoring.metrics.embedding.distances:Weem4pg",
    "wmd": "scoring.metrics.embedding.distances:Wmd",
}


def register(name: str, target: str) -> None:
    """Register `module:Class` as `name`; a name that is taken raises ValueError."""
    if _targets().get(name, target) != target:
        raise ValueError(f"There is already a metric called {name}: choose another name.")
    _TARGETS[name] = target
    metric_class.cache_clear()


def names() -> tuple[str, ...]:
    """The names of all metrics, sorted."""
    return tuple(sorted(_targets()))


@cache
def metric_class(name: str) -> type[Metric[Any]]:
    """The class called `name`; ValueError if there is none or it cannot be loaded."""
    target = _targets().get(name)
    if target is None:
        problem = say(
            "There is no metric called %(name)s; there are %(names)s.",
            name=name,
            names=", ".join(names()),
        )
        raise ValueError(with_suggestion(problem, name, names()))
    module, _, attribute = target.partition(":")
    try:
        with _LOADING:
            loaded = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(
            say(
                "The metric %(name)s cannot be loaded from %(target)s: %(why)s",
                name=name,
                target=target,
                why=str(error),
            )
        ) from error
    if not (isinstance(loaded, type) and issubclass(loaded, Metric)):
        raise ValueError(
            say(
                "The metric %(name)s at %(target)s is not a subclass of Metric.",
                name=name,
                target=target,
            )
        )
    return loaded


def create(name: str, options: Mapping[str, object] | None = None) -> Metric[Any]:
    """A metric with its options, checked."""
    return metric_class(name)(**(options or {}))


def _targets() -> dict[str, str]:
    targets = dict(_TARGETS)
    for entry in _foreign(tuple(sys.path)):
        if entry.name in RESERVED:
            raise ValueError(f"No metric may be called {entry.name} ({entry.value}): rename it.")
        if targets.get(entry.name, entry.value) != entry.value:
            raise ValueError(
                f"Two metrics are called {entry.name}: {targets[entry.name]} and {entry.value}. "
                "Uninstall one of the packages."
            )
        targets[entry.name] = entry.value
    return targets


@lru_cache(maxsize=8)
def _foreign(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Read once for each `path`: every installed package is opened for it."""
    return tuple(entry_points(group=GROUP))


def printed(label: str) -> str:
    """The label of a metric as people write its name: chrF++ for `chrfpp`, METEOR for `meteor`.

    Options that make another metric of it give its name; others follow it in brackets. A label that
    does not begin with the name of a metric stays.
    """
    match = _LABEL.fullmatch(label)
    if match is None or match["name"] not in _targets():
        return label
    try:
        metric = metric_class(match["name"])
    except ValueError:
        return label
    name, options = metric.title.partition(" (")[0], []
    for part in match["options"].split(",") if match["options"] else []:
        option, _equals, value = part.partition("=")
        if (option, value) in metric.NAMES:
            name = metric.NAMES[option, value]
        else:
            options.append(f"{option} {value}")
    listed = f" ({', '.join(options)})" if options else ""
    return f"{name}{listed}{match['rest'] or ''}"


def printed_names(labels: Iterable[str]) -> dict[str, str]:
    """What people call each label; those that would be called the same keep their labels."""
    names = {label: printed(label) for label in labels}
    several = [name for name, n in Counter(names.values()).items() if n > 1]
    return {label: label if name in several else name for label, name in names.items()}


_LABEL = re.compile(r"(?P<name>\w+)(?::(?P<options>\S.*?))?(?P<rest> .*)?")


# The text that names a metric with its options: `NAME[:option=value,...]`.


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A requested metric. `key` is its name in results: the entire text, or the `as=` name."""

    key: str
    name: str
    options: tuple[tuple[str, str], ...] = ()


def parse_spec(text: str) -> MetricSpec:
    """Read `bleu`, `bleu:lowercase=yes,smooth=floor` or `pinc:as=novelty`.

    Raises ValueError for anything else. Names and values are checked by `create`.
    """
    name, colon, rest = text.strip().partition(":")
    if not name or (colon and not rest):
        raise ValueError(
            say("%(text)s names no metric: write NAME or NAME:option=value,...", text=repr(text))
        )
    options: dict[str, str] = {}
    for part in rest.split(",") if rest else []:
        option, equals, value = part.partition("=")
        option, value = option.strip(), value.strip()
        if not (option and equals and value):
            raise ValueError(
                say(
                    "%(text)s: %(part)s should read option=value.", text=repr(text), part=repr(part)
                )
            )
        if option in options:
            raise ValueError(
                say(
                    "%(text)s: the option %(option)s is given twice.",
                    text=repr(text),
                    option=option,
                )
            )
        options[option] = value
    key = options.pop("as", text.strip())
    return MetricSpec(key, name.strip(), tuple(sorted(options.items())))


def from_spec(spec: MetricSpec | str, languages: Sequence[str] | None = None) -> Metric[Any]:
    """Create the metric of a spec; ValueError if it is invalid.

    `languages` are those of the texts, empty for unknown; a metric that reads none of them is
    invalid too.
    """
    if isinstance(spec, str):
        spec = parse_spec(spec)
    if languages is None:
        return create(spec.name, dict(spec.options))
    options = metric_class(spec.name).in_languages(dict(spec.options), languages)
    metric = create(spec.name, options)
    if problem := language_problem(metric, languages):
        raise ValueError(problem)
    return metric
