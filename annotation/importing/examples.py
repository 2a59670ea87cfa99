"""Small files in our own columns, for people to fill in."""

from __future__ import annotations

from collections.abc import Sequence

Ranges = Sequence[tuple[str, float, float]]
_TEXTS = (
    (
        "1",
        "The committee reached a dead end on Friday.",
        "reached a dead end",
        ("came to a standstill", "got stuck"),
    ),
    ("2", "She made no secret of her doubts.", "made no secret of", ("did not hide", "hid")),
)


def example(what: str, scales: Ranges) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of an example: items, judgments or gold, with these scales
    (name, minimum, maximum)."""
    if what == "items":
        rows = [
            [item, sentence, phrase, new, system]
            for item, sentence, phrase, news in _TEXTS
            for new, system in zip(news, ("careful", "pivot"), strict=True)
        ]
        return ["item", "sentence", "phrase", "paraphrase", "system"], rows
    texts = [(item, new) for item, _, _, news in _TEXTS for new in news]
    if what == "gold":
        rows = [[*text, *(f"{(low + high) / 2:g}" for _, low, high in scales)] for text in texts]
        return ["item", "paraphrase", *(name for name, _, _ in scales)], rows
    rows = [
        [*text, who, name, f"{value:g}"]
        for text in texts
        for name, low, high in scales
        for who, value in (("a1", high), ("a2", low))
    ]
    return ["item", "paraphrase", "annotator", "scale", "value"], rows
