"""Files of parses: a bracketed tree a line, or CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from paraanno.plain.sentence import say
from scoring.building.alignment.parallel import Words
from scoring.building.labels.dependencies import Token, dependency_tree
from scoring.building.labels.spans import MISSING, SentenceLabels, span_labels
from scoring.building.labels.trees import ESCAPES, Node, TreeProblem, parse_tree
from scoring.building.paraphrases.counting import SpanLabels
from scoring.metrics.files import FileRefused, Problems, all_lines

_CELLS = 10  # Of a line of CoNLL-U.


def read_labels(
    path: Path, sentences: Sequence[Words], *, longest: int, missing: int = MISSING
) -> Iterator[SentenceLabels]:
    """Yield the labels of each sentence, whose words the tree must have (case aside).

    A bracketed file has a line for each sentence, blank for one without words; a file of CoNLL-U
    has no such sentence. Raises FileRefused with a line for each problem.
    """
    problems = Problems(path)
    bracketed = is_bracketed(path)
    trees = read_trees(path, problems)
    wanted = sum(1 for words in sentences if words or bracketed)
    n = 0
    for words in sentences:
        if not words and not bracketed:
            yield {}
            continue
        line, tree, leaves = next(trees, (-1, None, []))
        if line < 0:
            break
        n += 1
        _compare(line, leaves, words, problems)
        yield span_labels(tree, longest=longest, missing=missing)
    n += sum(1 for _ in trees)
    problems.check()
    if n != wanted:
        raise FileRefused.at(
            path, 0, say("has %(m)s trees for %(n)s sentences; give one for each.", m=n, n=wanted)
        )


def is_bracketed(path: Path) -> bool:
    """Whether a file has a tree in brackets on each line; else it is CoNLL-U."""
    first = next((text for _, text in all_lines(path, Problems(path)) if text.strip()), "")
    return first.lstrip().startswith("(")


def read_trees(path: Path, problems: Problems) -> Iterator[tuple[int, Node | None, Words]]:
    """Yield the line, the tree and the words of each sentence; what is wrong goes to `problems`."""
    return (_bracketed if is_bracketed(path) else _dependencies)(path, problems)


def _bracketed(path: Path, problems: Problems) -> Iterator[tuple[int, Node | None, Words]]:
    for number, text in all_lines(path, problems):
        try:
            yield number, *parse_tree(text)
        except TreeProblem as found:
            problems.add(
                number,
                say("character %(at)s: %(what)s", at=found.column, what=found.message),
            )
            yield 0, None, []


def _dependencies(path: Path, problems: Problems) -> Iterator[tuple[int, Node | None, Words]]:
    tokens: list[Token] = []
    for number, text in all_lines(path, problems):
        if text.startswith("#"):
            continue
        if text.strip():
            cells = text.split("\t")
            if len(cells) != _CELLS:
                problems.add(
                    number,
                    say(
                        "has %(n)s cells instead of the 10 of CoNLL-U; a file of trees begins with "
                        "a bracket.",
                        n=len(cells),
                    ),
                )
            elif cells[0].isdigit():  # Not 1-2, a word of two, nor 1.1, one left out.
                head = int(cells[6]) if cells[6].isdigit() else -1
                tokens.append(Token(cells[1], cells[3], head, cells[7], number))
        elif tokens:
            yield _depended(tokens, problems)
            tokens = []
    if tokens:
        yield _depended(tokens, problems)


def _depended(tokens: list[Token], problems: Problems) -> tuple[int, Node | None, Words]:
    tree = None
    try:
        tree = dependency_tree(tokens)
    except TreeProblem as found:
        problems.add(found.column, found.message)
    return tokens[0].line, tree, [token.word for token in tokens]


def _compare(line: int, leaves: Words, words: Words, problems: Problems) -> None:
    if len(leaves) == len(words) and all(map(_same, leaves, words)):
        return
    if not leaves:
        if line > 0:
            problems.add(line, say("has no tree for the sentence; write one or parse it again."))
        return
    at = next((n for n, (a, b) in enumerate(zip(leaves, words, strict=False)) if not _same(a, b)),
              min(len(leaves), len(words)))  # fmt: skip
    problems.add(
        line,
        say(
            "word %(at)s of the tree is %(leaf)s, and of the sentence %(word)s; parse the "
            "sentences as they are, without tokenizing again.",
            at=at + 1,
            leaf=leaves[at] if at < len(leaves) else "-",
            word=words[at] if at < len(words) else "-",
        ),
    )


def _same(leaf: str, word: str) -> bool:
    return leaf == word or leaf.lower() in (word.lower(), ESCAPES.get(word, word).lower())


def numbered_labels(
    labels: Iterator[SentenceLabels], sentences: Sequence[Words], names: dict[str, int]
) -> SpanLabels:
    """The labels of a text for `count_pairs`; `names` gets a number for each new label."""
    spans: list[int] = []
    numbers: list[int] = []
    begin = 0
    # The labels first: what is wrong is told when they are read to their end.
    for mine, words in zip(labels, sentences, strict=False):
        for (start, end), label in sorted(mine.items()):
            for name in dict.fromkeys(label.names):
                spans.append((begin + start) * 16 + end - start)
                numbers.append(names.setdefault(name, len(names)))
        begin += len(words)
    return SpanLabels(np.array(spans, dtype=np.int64), np.array(numbers, dtype=np.int64))
