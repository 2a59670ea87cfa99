"""English function words: a phrase of only these and punctuation says too little to be judged."""

from __future__ import annotations

from pathlib import Path

from scoring.metrics.files import Problems, all_lines

_ENGLISH = """
    a an the this that these those some any no each every either neither both all such
    i you he she it we they me him her us them my your his its our their mine yours hers ours
    theirs myself yourself himself herself itself ourselves themselves who whom whose which what
    and or but nor so yet if then than as because while when where why how whether though although
    of in on at by for with about against between into through during before after above below to
    from up down out off over under again onto upon within without toward towards
    is am are was were be been being has have had having do does did doing will would shall should
    can could may might must not n't 's 're 've 'll 'd 'm there here too very just only also
"""
GRAMMAR_WORDS = frozenset(_ENGLISH.split())


def read_grammar_words(path: Path) -> frozenset[str]:
    """The words of a file, separated by white space, in lower case. Raises FileRefused."""
    problems = Problems(path)
    words = frozenset(
        word for _, text in all_lines(path, problems) for word in text.lower().split()
    )
    problems.check()
    return words
