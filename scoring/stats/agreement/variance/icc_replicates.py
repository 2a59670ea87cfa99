"""Replicates of the intraclass correlations: ANOVA formulas for complete data, else REML."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from paraanno.plain.progress import done
from scoring.stats.agreement.icc import NAMES, is_balanced, mixed_iccs, not_crossed
from scoring.stats.agreement.variance import reml
from scoring.stats.agreement.variance import reml_replicates as reml_many
from scoring.stats.agreement.variance.mean_squares import MeanSquares, square_cells
from scoring.stats.agreement.variance.reml_sums import PARTS, Design, Sums
from scoring.stats.resampling import Draws
from scoring.stats.table import BoolArray, FloatArray, RatingTable

# Multiplications for all replicates above which the jackknife replaces the bootstrap: a second or
# two.
BOOTSTRAP_COST = 3e9
BLOCK_CELLS = 4_000_000
Replicates = tuple[Draws, dict[str, FloatArray]]


def icc_replicates(table: RatingTable, draws: Draws, forms: str = "123") -> Iterator[Replicates]:
    """Yield the draws and (B,) replicates of the coefficients of these forms.

    Replicates of complete ratings are complete. Otherwise every replicate is fitted by REML, even
    if its units happen to be complete. Form 1 is always bootstrapped; forms 2 and 3 use the grouped
    jackknife for very many annotators or ratings.
    """
    if is_balanced(table):
        k = table.n_ratings // table.rated_units.size
        found = [MeanSquares.of(part, k).iccs() for part in draws.sums(square_cells(table))]
        joined = {name: np.concatenate([one[name] for one in found]) for name in NAMES}
        yield draws, {name: values for name, values in joined.items() if name[4] in forms}
        return
    if "1" in forms:
        yield draws, _one_way(table, draws)
    if "2" in forms or "3" in forms:
        design = Design.of(table, with_annotators=True)
        width, sizes = table.used_annotators.size, design.m.size
        work = design.cost + 60 * width**2 * (width + sizes)
        if work * draws.plan.replicates > BOOTSTRAP_COST:
            draws = draws.without_groups()
        yield draws, _two_way(table, design, draws)


def _one_way(table: RatingTable, draws: Draws) -> dict[str, FloatArray]:
    design, full = Design.of(table, with_annotators=False), reml.one_way(table)
    found = []
    for block in draws.sums(design.cells()):
        sums = design.from_cells(block)
        found.append(_coefficients(table, sums, _varies(sums), full, None))
    return {name: np.concatenate([one[name] for one in found]) for name in ("icc_1_1", "icc_1_k")}


def _two_way(table: RatingTable, design: Design, draws: Draws) -> dict[str, FloatArray]:
    full = reml.two_way(table)
    names = [name for name in NAMES if name[4] != "1"]
    if full.residual <= 0:
        return {name: np.full(draws.count, np.nan) for name in names}
    found, made = [], 0
    for block in _blocks(design, draws):
        usable = _varies(block)
        many = block.shared[:, block.m >= 2].sum(axis=1)
        units = block.units[:, block.m >= 2].sum(axis=1)
        for row in np.flatnonzero(usable):
            usable[row] = not not_crossed(many[row], units[row])
        found.append(_coefficients(table, block, usable, full, full.annotator / full.residual))
        made += usable.size
        done(made / draws.count)
    return {name: np.concatenate([one[name] for one in found]) for name in names}


def _blocks(design: Design, draws: Draws) -> Iterator[Sums]:
    if not draws.jackknife:
        yield from map(design.from_cells, draws.sums(design.cells()))
        return
    total = design.sums()
    step = max(1, BLOCK_CELLS // (design.who.shape[1] ** 2 * design.m.size))
    for start in range(0, draws.groups, step):
        left_out = [design.sums(units) for units in draws.members[start : start + step]]
        yield Sums(
            total.m,
            *(
                np.stack([getattr(total, name) - getattr(part, name) for part in left_out])
                for name in PARTS
            ),
        )


def _varies(s: Sums) -> BoolArray:
    spread = s.yy - s.y**2 / np.maximum(s.n, 1)
    return np.asarray((s.units[:, s.m >= 2].sum(axis=1) >= 2) & (spread > 1e-12 * s.yy))


def _coefficients(
    table: RatingTable,
    s: Sums,
    usable: BoolArray,
    full: reml.Components,
    annotator: float | None,
) -> dict[str, FloatArray]:
    answers = {name: np.full(usable.size, np.nan) for name in NAMES}
    if usable.any():
        part = s.only(usable)
        unit = full.unit / max(full.residual, 1e-300)
        parts = reml_many.components(part, unit, annotator)
        k = part.units.sum(axis=1) / (part.units / part.m).sum(axis=1)
        scale = np.full(k.size, float(table.value.var()))
        values = mixed_iccs(parts.unit, parts.annotator, parts.residual, k, scale)
        for name in NAMES:
            answers[name][usable] = values[name]
    return answers
