"""Small frozen tasks."""

import numpy as np

from scoring.stats.shared_tasks.board import JudgedTexts, freeze


def make_judged(originals=12, each=5, *, seed=1, systems=0, levels=5):
    """So many paraphrases of each original, judged by three people who differ a little."""
    rng = np.random.default_rng(seed)
    n = originals * each
    original = np.repeat(np.arange(originals), each)
    unit = np.tile(np.arange(n), 3)
    quality = rng.integers(0, levels, n)
    given = np.clip(np.tile(quality, 3) + rng.integers(-1, 2, 3 * n), 0, levels - 1) / levels
    value = given.reshape(3, n).mean(axis=0)
    return JudgedTexts(
        [f"text {at}" for at in range(n)],
        original,
        [f"original {at}" for at in original],
        original,
        value,
        np.repeat([0, 1, 2], n),
        unit,
        given,
        [f"s{at}" for at in range(systems)],
        tuple((at, at % systems) for at in range(n)) if systems else (),
    )


def make_frozen(public_share=0.3, seed=3, **how):
    return freeze(make_judged(**how), public_share=public_share, seed=seed)
