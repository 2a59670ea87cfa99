"""Quantiles and upper tails of the distributions that tests and intervals use.

The functions of `scipy.special` behind `scipy.stats`, with the same values to the last bit: the
import of `scipy.stats` alone takes longer than most commands on a file. scipy imports a submodule
when it is first used, so `scipy.special` is not imported here. Degrees of freedom and points are
floats or arrays, which are broadcast; NaN where the distribution is not defined.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

Number = float | npt.NDArray[np.float64]


def normal_quantile(p: Number) -> Any:
    return scipy.special.ndtri(p)


def normal_above(z: Number) -> Any:
    """P(Z > z)."""
    return scipy.special.ndtr(-np.asarray(z))


def normal_below(z: Number) -> Any:
    """P(Z < z)."""
    return scipy.special.ndtr(z)


def t_quantile(p: Number, freedom: Number) -> Any:
    return scipy.special.stdtrit(freedom, p)


def t_above(t: Number, freedom: Number) -> Any:
    """P(T > t)."""
    return scipy.special.stdtr(freedom, -np.asarray(t))


def f_quantile(p: Number, between: Number, within: Number) -> Any:
    return scipy.special.fdtri(between, within, p)


def f_above(f: Number, between: Number, within: Number) -> Any:
    """P(F > f); rounding below 0 counts as 0."""
    return scipy.special.fdtrc(between, within, np.maximum(f, 0.0))


def chi2_above(chi2: Number, freedom: Number) -> Any:
    """P(X > chi2); rounding below 0 counts as 0."""
    return scipy.special.chdtrc(freedom, np.maximum(chi2, 0.0))
