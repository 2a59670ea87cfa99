"""Simulations of what intervals and tests promise. `make simulate` runs them in full and prints
their tables; `make test-all` runs a sixth of the samples, with wider bands. Hypothesis draws all
its examples there too, and a third elsewhere.

Seeds are fixed: a simulation gives the same table each time.
"""

import os

import numpy as np

VARIABLE = "PARAANNO_TEST_SIMULATE"
FULL = os.environ.get(VARIABLE) == "1"


def samples(full, thin=None):
    """How many samples, elsewhere a sixth, or so many."""
    return full if FULL else thin or full // 6


def examples(full):
    """How many Hypothesis draws; tests that alone see a mutant always draw 100."""
    return full if FULL else max(5, full // 3)


def slack(share, n):
    """Three standard errors of a share of n samples; four where a sixth is run, with each commit
    and with dozens of shares, of which none may fall outside by chance."""
    return (3 if FULL else 4) * float(np.sqrt(share * (1 - share) / n))


def show(what, n, **shares):
    """A row of the table; pytest keeps it to itself where not all is run."""
    found = "  ".join(f"{name} {value:.3f}" for name, value in sorted(shares.items()))
    print(f"\n{what} ({n} samples): {found}")
