"""Alignment of words: which word of a sentence is translated by which word of the other.

Two models are trained, one for each direction, and their links are joined by a heuristic (Och and
Ney, 2003; Koehn, Och and Marcu, 2003). The models are those of the library Thot, which needs no
compiler: `fast_align` (Dyer, Chahuneau and Smith, 2013), `hmm` (Vogel, Ney and Tillmann, 1996,
started from IBM model 1), `ibm1` (Brown et al., 1993) and `eflomal` (Ostling and Tiedemann, 2016).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from paraanno.plain.sentence import say
from scoring.building.alignment.parallel import Words

Pairs = list[tuple[int, int]]
Progress = Callable[[float], None]
MODELS = ("fast_align", "hmm", "ibm1", "eflomal")
HEURISTICS = (
    "grow-diag-final-and", "grow-diag-final", "grow-diag", "grow", "intersection", "union", "och",
)  # fmt: skip
ITERATIONS = 5
SEED = 1
# Share of the time that training takes; joining the links of both directions takes the rest.
_TRAINING = 0.9
_BLOCK = 2000  # Pairs that are joined at a time.


class Stopped(Exception):
    """Somebody cancelled the work."""


def align(
    english: Sequence[Words],
    foreign: Sequence[Words],
    *,
    model: str = "fast_align",
    iterations: int | None = None,
    symmetrize: str = "grow-diag-final-and",
    seed: int = SEED,
    progress: Progress = lambda share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Pairs]:
    """Yield the links of each pair in ascending order, as (English place, foreign place).

    `english` and `foreign` have the same length and no empty sentence. `iterations` are passes of
    EM in each direction (5; for `hmm` as many of model 1 before). `eflomal` draws samples: as
    often as the size of the text calls for, or `iterations` times for each of its first two
    models and four times that for the third. `seed` is for `eflomal` alone. The same arguments
    give the same links. `progress` gets the share done, and `cancelled` is asked after each pass:
    Stopped is raised. Raises ValueError for an unknown model or heuristic and for fewer than 1
    iteration.
    """
    import thot.alignment as thot

    if symmetrize not in HEURISTICS:
        raise ValueError(say("There is no heuristic %(name)s.", name=symmetrize))
    if model not in MODELS:
        raise ValueError(say("There is no model %(name)s.", name=model))
    if iterations is not None and iterations < 1:
        raise ValueError(say("At least 1 iteration is needed."))

    def report(share: float) -> None:
        progress(share)
        if cancelled():
            raise Stopped

    half = _TRAINING / 2
    forth = _train(
        thot, model, english, foreign, iterations, seed, lambda share: report(half * share)
    )
    back = _train(
        thot, model, foreign, english, iterations, seed, lambda share: report(half * (1 + share))
    )
    both = thot.SymmetrizedAligner(forth[-1], back[-1])
    name = symmetrize.replace("-", "_").upper()
    both.heuristic = getattr(thot.SymmetrizationHeuristic, name)
    for start in range(0, len(english), _BLOCK):
        part = slice(start, start + _BLOCK)
        for _, matrix in both.get_best_alignments(english[part], foreign[part]):
            places = matrix.to_numpy().nonzero()
            yield list(zip(places[0].tolist(), places[1].tolist(), strict=True))
        report(_TRAINING + (1 - _TRAINING) * min(1.0, (start + _BLOCK) / len(english)))


def _train(
    thot: Any, model: str, source: Sequence[Words], target: Sequence[Words],
    iterations: int | None, seed: int, report: Progress,
) -> list[Any]:  # fmt: skip
    """The models trained, the last one to be used; it may refer to the others."""
    passes = iterations or ITERATIONS
    if model == "hmm":
        first = thot.Ibm1AlignmentModel()
        _run(first, source, target, passes, lambda share: report(share / 3))
        second = thot.HmmAlignmentModel(first)
        second.start_training()
        _pass(second, passes, lambda share: report((1 + 2 * share) / 3))
        return [first, second]
    if model == "eflomal":
        sampled = thot.EflomalAlignmentModel()
        sampled.deterministic, sampled.seed = True, seed
        if iterations is not None:
            sampled.set_iterations(iterations, iterations, 4 * iterations)
        _run(sampled, source, target, None, report)
        return [sampled]
    plain = thot.FastAlignModel() if model == "fast_align" else thot.Ibm1AlignmentModel()
    _run(plain, source, target, passes, report)
    return [plain]


def _run(
    model: Any, source: Sequence[Words], target: Sequence[Words], passes: int | None,
    report: Progress,
) -> None:  # fmt: skip
    for one, other in zip(source, target, strict=True):
        model.add_sentence_pair(one, other)
    model.start_training()
    _pass(model, model.scheduled_iterations if passes is None else passes, report)


def _pass(model: Any, passes: int, report: Progress) -> None:
    for number in range(passes):
        model.train()
        report((number + 1) / passes)
    model.end_training()
