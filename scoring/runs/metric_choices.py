"""Descriptions of the metrics, and the files or libraries that this site lacks for them."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import User, seen_in
from annotation.errors import NotFound
from annotation.models import Campaign
from paraanno.common.texts import message_of
from scoring.metrics.base import DecimalOption, Metric
from scoring.metrics.files import FileOption
from scoring.metrics.registry import FAMILIES, metric_class, names
from scoring.metrics.resources.neural_models import (
    AUTO,
    MINILM,
    MODEL,
    MULTILINGUAL,
    ModelOption,
    model_names,
)
from scoring.metrics.values import Option, same_language
from scoring.models import Resource

Files = Mapping[str, list[tuple[str, str]]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OptionAbout:
    """An option. `values` are the choices of a form, with labels; empty for a free value, which
    `takes` describes. `file` is the kind of resource that it names."""

    name: str
    default: str
    summary: str
    values: tuple[tuple[str, str], ...]
    takes: str
    file: str = ""

    @property
    def needed(self) -> bool:
        """Whether it is required."""
        return not self.default


@dataclass(frozen=True, slots=True)
class MetricAbout:
    """A metric. `lacks` lists the kinds of resources that it needs and that are missing; `problem`
    is any other reason why it cannot be used. It is ready if both are empty."""

    name: str
    title: str
    family: str
    summary: str = ""
    docstring: str = ""
    folder: str = ""
    version: str = ""
    higher_is_better: bool = True
    percent: bool = False
    corpus: bool = False
    needs_state: bool = False
    queue: str = ""
    languages: tuple[str, ...] = ()
    options: tuple[OptionAbout, ...] = ()
    lacks: tuple[str, ...] = ()
    problem: str = ""

    @property
    def ready(self) -> bool:
        return not (self.lacks or self.problem)

    @property
    def written(self) -> str:
        """Its name as people write it, without what the title adds."""
        return self.title.partition(" (")[0]

    def reads_all(self, languages: Sequence[str]) -> bool:
        """Whether it reads texts in all these languages (empty: unknown) in one run."""
        if not self.languages:
            return True
        read = {own for own in self.languages if all(same_language(own, one) for one in languages)}
        return bool(languages) and len(read) == 1

    @property
    def against(self) -> tuple[str, ...]:
        """What it can compare with; only `original` if there is no choice."""
        choices = [option for option in self.options if option.name == "against"]
        return tuple(value for value, _label in choices[0].values) if choices else ()

    @property
    def page(self) -> str:
        """Its documentation in Markdown: docs/metrics for our own metrics, NAME.md beside the
        module for others; empty if there is none."""
        for folder in (Path(settings.BASE_DIR, "docs", "metrics"), Path(self.folder)):
            path = folder / f"{self.name}.md"
            if folder.parts and path.is_file():
                return path.read_text(encoding="utf-8")
        return ""


def metrics_by_family(
    *, user: User, campaign: Campaign | None = None
) -> list[tuple[str, list[MetricAbout]]]:
    """All metrics with the files that the user sees, with `campaign` those to use for it; by family
    in the order of FAMILIES, then by title. Empty families are left out. One query."""
    files = _files(user, campaign)
    by_family: dict[str, list[MetricAbout]] = defaultdict(list)
    for name in names():
        about = _about(name, files)
        by_family[about.family].append(about)
    return [
        (family, sorted(by_family[family], key=lambda one: one.title.lower()))
        for family in FAMILIES
        if by_family[family]
    ]


def metric_get(*, name: str, user: User) -> MetricAbout:
    """One metric with the files that the user sees. Raises NotFound if there is no such metric."""
    if name not in names():
        raise NotFound(_("There is no such metric."))
    return _about(name, _files(user, None))


def _files(user: User, campaign: Campaign | None) -> Files:
    """Key and name of the usable resources, by kind."""
    files: dict[str, list[tuple[str, str]]] = defaultdict(list)
    rows = Resource.objects.filter(seen_in(user=user, campaign=campaign))
    for one in rows.filter(status=Resource.Status.READY).order_by("name"):
        files[one.kind].append((str(one.key), one.name))
    return files


def _about(name: str, files: Files) -> MetricAbout:
    try:
        metric = metric_class(name)
    except ValueError as error:
        return MetricAbout(name, name, "other", problem=message_of(error))
    options = tuple(_option(option, files) for option in metric.OPTIONS)
    lacks = {one.file for one in options if one.file and one.needed and not one.values}
    docstring = inspect.getdoc(metric) or ""
    return MetricAbout(
        name=name,
        title=metric.title,
        family=metric.family if metric.family in FAMILIES else "other",
        summary=metric.summary or " ".join(docstring.partition("\n\n")[0].split()),
        docstring=docstring,
        folder=str(Path(inspect.getfile(metric)).parent),
        version=metric.version,
        higher_is_better=metric.higher_is_better,
        percent=metric.percent,
        corpus=metric.system_kind == "corpus",
        needs_state=metric.needs_state,
        queue=metric.queue,
        languages=metric.languages,
        options=options,
        lacks=tuple(sorted(lacks)),
        problem=_problem(metric, options),
    )


def _problem(metric: type[Metric[Any]], options: tuple[OptionAbout, ...]) -> str:
    """The reason why the metric cannot be used here, such as a missing dictionary or library."""
    if lack := metric.lacking():
        return lack
    if any(option.needed for option in options):
        return ""
    if MODEL in metric.OPTIONS:
        return ""  # Which model a run takes depends on the language of its texts.
    try:
        metric()
    except ValueError as error:
        return message_of(error)
    return ""


def _option(option: Option, files: Files) -> OptionAbout:
    values = [(value, value) for value in option.values]
    file = option.kind if isinstance(option, FileOption) else ""
    default = option.default
    if isinstance(option, ModelOption):
        there = model_names()
        values = [(one, one) for one in there]
        if MINILM.name in there or MULTILINGUAL.name in there:
            values.insert(0, (AUTO, _("the one that fits the texts")))
        else:
            default = ""  # One must be chosen.
    if file:
        values = list(files.get(file, []))
        if option.default:
            values.insert(0, (option.default, _("none")))
    return OptionAbout(option.name, default, option.summary, tuple(values), _takes(option), file)


def _takes(option: Option) -> str:
    """A description of the values allowed."""
    if isinstance(option, FileOption):
        return _("a file")
    if option.values:
        return ", ".join(option.values)
    if isinstance(option, DecimalOption):
        return _("a number from %(low)s to %(high)s") % {
            "low": f"{option.low:g}",
            "high": f"{option.high:g}",
        }
    if type(option) is Option:
        return _("a whole number from %(low)s to %(high)s") % {
            "low": option.least,
            "high": option.most,
        }
    return _("a text")


# What people want to know, and the metrics that tell it; others answer the last question.
QUESTIONS: list[tuple[Any, tuple[str, ...]]] = [
    (
        gettext_lazy("Is the meaning the same?"),
        (
            *("sentence_cosine", "bertscore", "embedding_f1", "embedding_cosine", "wmd"),
            *("paraeval", "pivot_f1", "apem", "apem_sd", "apem_sdgd"),
        ),
    ),
    (
        gettext_lazy("Is the wording new?"),
        ("pinc", "self_bleu", "p_bleu", "edit_similarity", "length_ratio", "additions"),
    ),
    (
        gettext_lazy("Both at once?"),
        (
            *("parascore", "bert_ibleu", "pem_style", "weem4pg", "ibleu", "bleu_apem"),
            "combine",
        ),
    ),
    (
        gettext_lazy("Is it close to references?"),
        (
            *("bleu", "chrf", "chrfpp", "meteor", "rouge_1", "rouge_2", "rouge_l"),
            *("rouge_lsum", "ter", "bleu_1max", "nist", "jaccard", "cider", "cider_d"),
        ),
    ),
    (gettext_lazy("Is it fluent?"), ("lm_fluency",)),
    (gettext_lazy("Is it simpler?"), ("sari", "fkgl", "compression")),
    (gettext_lazy("Does the generator’s own score help?"), ("model_metric", "approx_hter")),
    (gettext_lazy("Something else?"), ()),
]


def label_of(about: MetricAbout, options: dict[str, str]) -> str:
    """The run's label in tables: the metric and its options that differ from the defaults, files by
    name."""
    titles = {option.name: dict(option.values) for option in about.options if option.file}
    parts = [f"{name}={titles.get(name, {}).get(value, value)}" for name, value in options.items()]
    return f"{about.name}:{','.join(parts)}" if parts else about.name


def by_question(metrics: Mapping[str, T]) -> list[tuple[Any, list[T]]]:
    """What stands for each metric, by the question that the metric answers; without empty ones."""
    left = dict(metrics)
    groups = [
        (question, [left.pop(name) for name in metric_names if name in left])
        for question, metric_names in QUESTIONS
    ]
    groups[-1][1].extend(left.values())
    return [(question, group) for question, group in groups if group]


MODELS = "models"  # Stands for neural models among the kinds of files that metrics need.


@dataclass(frozen=True, slots=True)
class Brought:
    """What one kind of file brings: the metrics that cannot be used without one, and whether there
    is one. `problem` says what else is missing; without a kind, nothing but that."""

    kind: str
    metrics: tuple[MetricAbout, ...]
    there: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Usable:
    """All metrics by what they need: no file at all, or files (`brought`, by kind). A metric that
    needs several kinds stands in each; `ready` and `lacking` count each metric once."""

    free: tuple[MetricAbout, ...]
    brought: tuple[Brought, ...]
    ready: int
    lacking: int

    @property
    def total(self) -> int:
        return len(self.free) + self.ready + self.lacking

    @property
    def bar(self) -> list[tuple[str, str, str]]:
        """Shade, place and width of each part of a bar, in per cent."""
        x, parts = 0.0, []
        for shade, n in (("k2", len(self.free)), ("k1", self.ready), ("k0", self.lacking)):
            share = 100 * n / max(1, self.total)
            if n:
                parts.append((shade, f"{x:.2f}%", f"{share - 0.25:.2f}%"))
            x += share
        return parts


def metrics_usable(*, user: User) -> Usable:
    """The metrics by the files that they need, with those that the user sees. One query."""
    every = [one for _family, group in metrics_by_family(user=user) for one in group]
    free: list[MetricAbout] = []
    others: list[MetricAbout] = []
    for one in every:
        (others if _kinds_needed(one) or not one.ready else free).append(one)
    groups: dict[tuple[str, str], list[MetricAbout]] = defaultdict(list)
    for one in others:
        for kind in _kinds_needed(one) or ("",):
            groups[kind, one.problem].append(one)
    brought = [
        Brought(kind, tuple(group), bool(kind) and not problem and _there(kind, group), problem)
        for (kind, problem), group in groups.items()
    ]
    ready = sum(one.ready for one in others)
    return Usable(tuple(free), tuple(brought), ready, len(others) - ready)


def _kinds_needed(about: MetricAbout) -> tuple[str, ...]:
    if about.family == "neural":
        return (MODELS,)
    return tuple(one.file for one in about.options if one.file and one.needed)


def _there(kind: str, metrics: Sequence[MetricAbout]) -> bool:
    return all(kind not in one.lacks for one in metrics)


def metric_of(signature: str) -> str:
    """The metric named in a signature, if this site has it; empty for imported scores."""
    name = re.split(r"[|:]", signature, maxsplit=1)[0]
    return name if name in names() else ""
