"""Automatic metrics of paraphrases."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from paraanno.lab.columns import ColumnError, column

if TYPE_CHECKING:
    import pandas as pd


def score(
    df: pd.DataFrame,
    metrics: Sequence[str],
    *,
    original: str,
    paraphrase: str,
    references: str | Sequence[str] | None = None,
    language: str = "en",
) -> pd.DataFrame:
    """Return the scores of every row.

    Parameters
    ----------
    df :
        frame with a row for each paraphrase
    metrics :
        names as the command `score` takes them: `bleu`, `pinc:lowercase=yes`,
        `bleu:against=original,as=overlap`
    original, paraphrase :
        columns of texts
    references :
        column or columns of references; empty cells are left out
    language :
        of the texts, a tag of BCP 47

    Returns
    -------
    A frame with the index of `df` and a column for each metric, NaN where it gives no score.
    `attrs["signatures"]` says how each was computed.

    Raises ColumnError, which names the column, and ValueError for a metric that does not exist or
    lacks what it needs.

    Examples
    --------
    >>> import pandas as pd
    >>> from paraanno import lab
    >>> df = pd.DataFrame({"before": ["the cat sat down"], "after": ["the cat lay down"]})
    >>> lab.score(df, ["pinc"], original="before", paraphrase="after")["pinc"].round(3).to_list()
    [0.729]
    """
    import pandas

    from scoring.metrics.base import Pair
    from scoring.metrics.pairs import with_groups
    from scoring.metrics.references import mixture, reference_counts
    from scoring.metrics.scored import scored
    from scoring.metrics.spec import from_spec, parse_spec

    if isinstance(metrics, str):
        raise ValueError(f"metrics={metrics!r}: give a list, [{metrics!r}]")
    named = [references] if isinstance(references, str) else list(references or ())
    originals = _texts(df, original)
    blank = [row for row, text in enumerate(originals) if not text.strip()]
    if blank:
        raise ColumnError(f"column {original!r} is empty in row {blank[0] + 1}")
    given = zip(*(_texts(df, name) for name in named), strict=True) if named else [()] * len(df)
    pairs: Sequence[Pair] = [
        Pair(before, after, tuple(one for one in others if one.strip()), language=language)
        for before, after, others in zip(originals, _texts(df, paraphrase), given, strict=True)
    ]
    asked = {}
    for text in metrics:
        spec = parse_spec(text)
        if spec.key in asked:
            raise ValueError(f"{text!r}: there is a metric {spec.key} already; add as=NAME")
        asked[spec.key] = from_spec(spec, [language])
        asked[spec.key].load()
    counts = reference_counts(pairs)
    if reason := mixture(counts):
        for key, one in asked.items():
            if one.is_auto():
                raise ValueError(f"{key}: {reason}")
    if any(one.grouped for one in asked.values()):
        pairs = with_groups(pairs)
    found = scored(asked, pairs, counts) if asked and pairs else []
    frame = pandas.DataFrame(
        {one.key: [score.value for score in one.scores] for one in found},
        index=df.index, columns=list(asked), dtype="float64",
    )  # fmt: skip
    frame.attrs["signatures"] = {one.key: one.signature for one in found}
    return frame


def _texts(df: pd.DataFrame, name: str) -> list[str]:
    """A column of texts in NFC, "" for empty cells."""
    found = column(df, name)
    texts = found.where(found.notna(), "").tolist()
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise ColumnError(f"column {name!r} has {text!r} in row {row + 1}, no text")
    return [unicodedata.normalize("NFC", text) for text in texts]
