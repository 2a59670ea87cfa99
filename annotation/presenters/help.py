"""Which words a page explains, and which page of the documentation it leads to. Each app registers
its pages at startup."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.presenters.glossary import TERMS, Term


@dataclass(frozen=True, slots=True)
class PageHelp:
    """The words of a page, and the name of its documentation: `quality`, `metrics/bleu`, with an
    anchor after #."""

    doc: str
    words: tuple[str, ...]

    @property
    def terms(self) -> list[Term]:
        return [TERMS[word] for word in self.words]

    @property
    def page(self) -> str:
        return self.doc.partition("#")[0]

    @property
    def anchor(self) -> str:
        return "".join(self.doc.partition("#")[1:])


HELP: dict[str, PageHelp] = {}


def add_help(doc: str, words: str, *pages: str) -> None:
    """Register the help of pages, by the names of their URLs. `words` are keys of the glossary,
    separated by spaces. Raises KeyError for a word that is not in it."""
    keys = tuple(words.split())
    for key in keys:
        if key not in TERMS:
            raise KeyError(f"The glossary has no word {key!r}.")
    HELP.update(dict.fromkeys(pages, PageHelp(doc, keys)))
