"""The recipe `corpus`: a text cut into words, and indexed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from paraanno.plain.sentence import say
from scoring.building.corpora import TOKENIZERS, open_corpus
from scoring.building.corpora.corpus import build_corpus, write_corpus
from scoring.building.corpora.reading import read_numbered, watched_lines
from scoring.building.recipes.recipe import Numbers, Recipe, Stage, StageInput
from scoring.metrics.base import Option
from scoring.metrics.files import Problems, sha256
from scoring.metrics.resources.kinds import check_beginning
from scoring.metrics.texts import LOWERCASE
from scoring.metrics.texts.tokenizers import tokenizer

PLAIN = "sentences.txt"


def as_text(path: Path, folder: Path) -> Path:
    """A text file: the path itself, or the sentences of a store, written into the folder."""
    if not path.is_dir():
        return path
    text = folder / "text.txt"
    with text.open("w", encoding="utf-8") as stream:
        stream.writelines(open_corpus(path).lines())
    return text


def _cut(step: StageInput) -> Numbers:
    """Cut the text into words with blanks between them, line by line."""
    text = as_text(step.inputs["text"], step.folder)
    check_beginning(text)
    split = tokenizer(step.options["tokenize"], lowercase=step.options["lowercase"] == "yes")
    problems = Problems(text)
    with (step.folder / PLAIN).open("w", encoding="utf-8") as stream:
        for _, line in watched_lines(text, problems, step.progress):
            stream.write(" ".join(split(line)) + "\n")
    problems.check()
    return {}


def _index(step: StageInput) -> Numbers:
    plain = step.before["cut"] / PLAIN
    text = read_numbered(plain, str.split, progress=lambda share: step.progress(share / 2))
    corpus = build_corpus(
        text, tokenize=step.options["tokenize"], lowercase=step.options["lowercase"] == "yes"
    )
    step.progress(0.9)
    write_corpus(corpus, step.folder, source_sha256=_content(plain, step))
    return {
        "sentences": corpus.sentences,
        "words": corpus.n_words,
        "distinct": len(corpus.vocabulary),
    }


def _content(plain: Path, step: StageInput) -> str:
    """What the store holds: the same words are another corpus if phrases are cut otherwise."""
    how = f"{step.options['tokenize']} {step.options['lowercase']}"
    if how == "none no":
        return sha256(plain)
    return hashlib.sha256(f"{sha256(plain)} {how}".encode()).hexdigest()


CORPUS = Recipe(
    name="corpus",
    title=say("Corpus"),
    summary=say("A text of one sentence a line, cut into words, with an index of its phrases."),
    kind="corpus",
    inputs={"text": "corpus"},
    options=(
        Option(
            "tokenize",
            "none",
            say(
                "How the text is cut: words (letters and digits), 13a (mteval), ko (Korean "
                "morphemes), or none (at white space)."
            ),
            TOKENIZERS,
        ),
        LOWERCASE,
    ),
    stages=(Stage("cut", _cut), Stage("index", _index)),
    plain=PLAIN,
)
