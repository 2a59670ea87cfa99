"""The options of the recipe `extrinsic`."""

from __future__ import annotations

from dataclasses import dataclass

from paraanno.plain.sentence import say
from scoring.building.recipes.options import ColumnOption, NamesOption
from scoring.extrinsic.classifiers import EVERY
from scoring.extrinsic.nets import NETS, SIZES, has_torch
from scoring.extrinsic.splits import PARTS
from scoring.metrics.base import Option
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.registry import metric_class

USUAL = "usual"
MOST_REPEATS = 20


@dataclass(frozen=True, slots=True)
class SplitOption(Option):
    """Three numbers of texts, or `usual`."""

    def read(self, metric: str, given: object) -> str:
        text = str(given).replace(" ", "")
        cells = text.split(",")
        if text == USUAL:
            return text
        if len(cells) == len(PARTS) and all(one.isascii() and one.isdigit() for one in cells):
            sizes = [int(one[:9]) for one in cells]
            if sizes[0] and sizes[2]:
                return ",".join(map(str, sizes))
        raise ValueError(
            say(
                "%(metric)s: %(option)s=%(value)s is not allowed; use three numbers of texts, as "
                "in 2500,2000,1000, or usual.",
                metric=metric, option=self.name, value=str(given),
            )
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class MetricsOption(NamesOption):
    """Names of metrics that need no other file than vectors."""

    def read(self, metric: str, given: object) -> str:
        text = str(given).strip() or NONE
        if text == NONE:
            return NONE
        names = NamesOption.read(self, metric, text)
        for name in names.split("+"):
            others = sorted(_files(name) - {"vectors"})
            if others:
                raise ValueError(
                    say(
                        "%(metric)s: %(option)s=%(value)s is not allowed: %(name)s needs "
                        "%(files)s, which cannot be given here.",
                        metric=metric, option=self.name, value=text, name=name,
                        files=", ".join(others),
                    )
                )  # fmt: skip
        return names


@dataclass(frozen=True, slots=True)
class ClassifiersOption(NamesOption):
    """Names of classifiers; nets are refused where torch is missing, and not after hours."""

    def read(self, metric: str, given: object) -> str:
        names = NamesOption.read(self, metric, given)
        nets = [name for name in names.split("+") if name in NETS]
        if nets and not has_torch():
            raise ValueError(
                say("%(names)s need the extra neural: make install-neural.", names=", ".join(nets))
            )
        return names


def need_vectors(metrics: str) -> list[str]:
    """Those of the metrics that need word vectors."""
    return [name for name in metrics.split("+") if name != NONE and "vectors" in _files(name)]


def _files(metric: str) -> set[str]:
    """The options of a metric that must name a file."""
    options = metric_class(metric).OPTIONS
    return {one.name for one in options if isinstance(one, FileOption) and one.default != NONE}


OPTIONS: tuple[Option, ...] = (
    ColumnOption("original", "text", say("The column of the originals.")),
    NamesOption(
        "systems", "PG1+PG2+PG3", say("The columns of paraphrases, with + between them.")
    ),
    ColumnOption("label", "label", say("The column of the class.")),
    ClassifiersOption(
        "classifiers", "logreg+nb+svm+mlp",
        say("With + between them: logreg, nb, svm, mlp; and the paper’s nets smpnn, mcnn, gru, "
            "lstm, if the extra neural is installed."),
        allowed=EVERY,
    ),
    SplitOption(
        "split", USUAL,
        say("Texts of the training, validation and test part, as in 2500,2000,1000; usual: all "
            "in these proportions."),
    ),
    Option("seed", "1", say("For drawing parts and initial weights."), least=0, most=10**6),
    Option(
        "repeat", "1", say(
            "How many seeds in all, this one and the next ones; shown as mean and spread."
        ),
        least=1, most=MOST_REPEATS,
    ),
    MetricsOption(
        "metrics", "weem4pg+pinc",
        say("Metrics beside the outcomes, with + between them; none for none."),
    ),
    Option(
        "bootstrap", "500", say("Replicates for intervals of correlations; 0 for none."),
        least=0, most=10_000,
    ),
    Option(
        "sizes", "small",
        say("For the nets: small (200 words, 100 values, 10 epochs), or paper (500, 300, 30)."),
        tuple(SIZES),
    ),
)  # fmt: skip
