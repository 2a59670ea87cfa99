"""Coefficients of agreement by their definitions, on a table of texts x annotators."""

from itertools import combinations

import krippendorff
import numpy as np
from scipy import optimize, stats


def coefficients(wide, levels):
    """Every coefficient of agreement.csv; None where it has no value."""
    data = wide.to_numpy(float)
    counts = np.stack([(data == level).sum(1) for level in levels], axis=1).astype(float)
    per_text = counts.sum(1)
    paired = per_text >= 2
    values = np.array(levels)
    quadratic = 1 - (values[:, None] - values[None, :]) ** 2 / (values[-1] - values[0]) ** 2
    nominal = np.eye(len(levels))
    near = (abs(values[:, None] - values[None, :]) <= 1).astype(float)

    def agreeing(weights):
        seen = counts[paired]
        return (seen * (seen @ weights - 1)).sum(1)

    pairs = (per_text * (per_text - 1))[paired]
    observed, weighted = (float((agreeing(w) / pairs).mean()) for w in (nominal, quadratic))
    share = (counts[per_text > 0] / per_text[per_text > 0, None]).mean(0)
    q = len(levels)
    spread = float((share * (1 - share)).sum())
    found = {
        "percent_agreement": observed,
        "within_one": float((agreeing(near) / pairs).mean()),
        "gwet_ac1": chance(observed, spread / (q - 1)),
        "gwet_ac2": chance(weighted, quadratic.sum() / (q * (q - 1)) * spread),
        "brennan_prediger": chance(observed, 1 / q),
        "fleiss_kappa": chance(observed, float((share**2).sum())),
        "kendall_w": kendall_w(data),
    }
    for level in ("nominal", "ordinal", "interval"):
        found[f"alpha_{level}"] = float(
            krippendorff.alpha(data.T, level_of_measurement=level, value_domain=levels)
        )
    distances = {
        "": 1 - nominal,
        "_linear": abs(values[:, None] - values[None, :]),
        "_quadratic": (values[:, None] - values[None, :]) ** 2,
    }
    for name, distance in distances.items():
        found[f"cohen_kappa_pooled{name}"] = pooled(data[paired], levels, distance)
        found[f"cohen_kappa{name}"] = mean_of_pairs(data, levels, distance, common=False)
    found["scott_pi"] = mean_of_pairs(data, levels, distances[""], common=True)
    return found | iccs(data)


def chance(observed, expected):
    return (observed - expected) / (1 - expected)


def frequencies(column, levels):
    rated = column[~np.isnan(column)]
    return np.array([(rated == level).mean() for level in levels])


def pooled(data, levels, distance):
    """1 less observed by expected disagreement, both summed over pairs of annotators."""
    place = {level: at for at, level in enumerate(levels)}
    observed = expected = 0.0
    for a, b in combinations(range(data.shape[1]), 2):
        both = data[~np.isnan(data[:, [a, b]]).any(1)]
        observed += sum(distance[place[row[a]], place[row[b]]] for row in both)
        own = frequencies(data[:, a], levels), frequencies(data[:, b], levels)
        expected += len(both) * float(own[0] @ distance @ own[1]) if len(both) else 0.0
    return 1 - observed / expected


def mean_of_pairs(data, levels, distance, *, common):
    """Light's mean of kappas (Scott's pi with `common` frequencies); a pair without chance
    disagreement has none."""
    kappas = []
    for a, b in combinations(range(data.shape[1]), 2):
        both = data[~np.isnan(data[:, [a, b]]).any(1)][:, [a, b]]
        if not len(both):
            continue
        table = np.array(
            [[((both[:, 0] == x) & (both[:, 1] == y)).mean() for y in levels] for x in levels]
        )
        rows, columns = table.sum(1), table.sum(0)
        if common:
            rows = columns = (rows + columns) / 2
        expected = float((np.outer(rows, columns) * distance).sum())
        if expected > 0:
            kappas.append(1 - float((table * distance).sum()) / expected)
    return float(np.mean(kappas))


def kendall_w(data):
    """Corrected for ties, on texts that everybody rated."""
    full = data[~np.isnan(data).any(1)]
    n, m = full.shape
    if n < 2:
        return None
    ranks = stats.rankdata(full, axis=0)
    ties = sum(
        (
            np.unique(column, return_counts=True)[1] ** 3.0
            - np.unique(column, return_counts=True)[1]
        ).sum()
        for column in full.T
    )
    spread = ((ranks.sum(1) - m * (n + 1) / 2) ** 2).sum()
    most = m**2 * (n**3 - n) - m * ties
    return float(12 * spread / most) if most else None  # None: each gave one value to all texts.


def iccs(data):
    """From variances by REML of all ratings; k is the harmonic mean of the ratings of a text."""
    text, annotator = np.nonzero(~np.isnan(data))
    values = data[text, annotator]
    per_text = np.bincount(text)
    k = float(1 / (1 / per_text[per_text > 0]).mean())
    one = variances(values, [text])
    two = variances(values, [text, annotator])
    icc1 = one[0] / sum(one)
    icc2, icc3 = two[0] / sum(two), two[0] / (two[0] + two[2])
    found = {"icc_1_1": icc1, "icc_2_1": icc2, "icc_3_1": icc3}
    # Spearman and Brown's step to k ratings; it is the ratio of variances with error / k.
    return found | {
        f"icc_{at}_k": k * x / (1 + (k - 1) * x)
        for at, x in zip("123", (icc1, icc2, icc3), strict=True)
    }


def variances(values, groups):
    """Variances of the groups and of the rest (1) that maximise the restricted likelihood of a
    model with one mean: v = I + z d z', inverted and its determinant taken by Woodbury."""
    indicators = [(g[:, None] == np.unique(g)[None, :]).astype(float) for g in groups]
    z = np.hstack(indicators)
    sizes = [one.shape[1] for one in indicators]
    columns = np.column_stack([np.ones(len(values)), values])
    zz, zx, xx = z.T @ z, z.T @ columns, columns.T @ columns

    def loss(logs):
        root = np.repeat(np.exp(logs / 2), sizes)
        lower = np.linalg.cholesky(np.eye(len(root)) + root[:, None] * zz * root)
        half = np.linalg.solve(lower, root[:, None] * zx)
        (ones, cross), (_, squares) = xx - half.T @ half
        rest = squares - cross**2 / ones
        return float(
            2 * np.log(np.diag(lower)).sum() + np.log(ones) + (len(values) - 1) * np.log(rest)
        )

    best = optimize.minimize(
        loss,
        np.zeros(len(groups)),
        method="Nelder-Mead",
        options={"xatol": 1e-8, "fatol": 1e-11, "maxiter": 4000},
    )
    return [*np.exp(best.x).tolist(), 1.0]
