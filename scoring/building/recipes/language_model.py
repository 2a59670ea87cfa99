"""The recipe `lm`: a language model of a text."""

from __future__ import annotations

from dataclasses import dataclass

from paraanno.plain.sentence import say
from scoring.building.language_model.arpa_writing import write_arpa
from scoring.building.language_model.training import pruning_problem, train
from scoring.building.recipes.corpus import as_text
from scoring.building.recipes.recipe import Numbers, Recipe, Stage, StageInput
from scoring.metrics.base import Option
from scoring.metrics.files import NONE
from scoring.metrics.resources.arpa import convert
from scoring.metrics.resources.language_model import HIGHEST_ORDER

PLAIN = "model.arpa"


@dataclass(frozen=True, slots=True)
class PruneOption(Option):
    """Thresholds of the orders from 1 with + between them, or none."""

    def read(self, metric: str, given: object) -> str:
        text = str(given).strip()
        if text in ("", NONE):
            return NONE
        parts = text.split("+")
        if not all(part.isascii() and part.isdigit() for part in parts):
            raise ValueError(
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; write counts with + between "
                    "them, as in 0+0+1, or none.",
                    metric=metric, option=self.name, value=text,
                )
            )  # fmt: skip
        if problem := pruning_problem([int(part) for part in parts], HIGHEST_ORDER):
            raise ValueError(f"{metric}: {self.name}={text}: {problem}")
        return "+".join(str(int(part)) for part in parts)


def _estimate(step: StageInput) -> Numbers:
    text = as_text(step.inputs["text"], step.folder)
    prune = [] if step.options["prune"] == NONE else map(int, step.options["prune"].split("+"))
    order = int(step.options["order"])
    trained = train(text, order=order, prune=list(prune)[:order], progress=step.progress)
    with (step.folder / PLAIN).open("wb") as stream:
        write_arpa(trained.model, stream)
    fallbacks = sum(not found.estimated for found in trained.discounts)
    return {"sentences": trained.sentences, "fallbacks": fallbacks}


def _store(step: StageInput) -> Numbers:
    return convert(step.before["estimate"] / PLAIN, step.folder, progress=step.progress)


LANGUAGE_MODEL = Recipe(
    name="lm",
    title=say("Language model"),
    summary=say(
        "An n-gram model of a text of one sentence a line, by interpolated modified Kneser-Ney "
        "smoothing; for the metric lm_fluency."
    ),
    kind="lm",
    inputs={"text": "corpus"},
    options=(
        Option("order", "3", say("Words of the longest n-grams."), least=1, most=HIGHEST_ORDER),
        PruneOption(
            "prune",
            NONE,
            say(
                "For each order from 1, n-grams that occur at most this often are left out, as "
                "in 0+0+1; none keeps all."
            ),
        ),
    ),
    stages=(Stage("estimate", _estimate), Stage("store", _store)),
    plain=PLAIN,
)
