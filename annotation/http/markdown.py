"""Researchers' Markdown texts as HTML, complete or in sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = nh3.ALLOWED_TAGS - {"img"}


@dataclass(frozen=True, slots=True)
class Section:
    """The content below one heading, up to the next one; level 0 precedes the first heading."""

    level: int
    title: str
    heading: SafeString
    body: SafeString
    words: str

    @property
    def html(self) -> SafeString:
        return self.heading + self.body


def as_html(markdown: str) -> SafeString:
    """Render Markdown as HTML without scripts or external content; wide tables scroll."""
    return _clean(_parser().render(markdown))


def sections_of(markdown: str) -> list[Section]:
    """Split the text at its headings; links to definitions elsewhere in the text still work."""
    parser = _parser()
    env: dict[str, Any] = {}
    tokens = parser.parse(markdown, env)
    starts = [
        at for at, token in enumerate(tokens) if token.type == "heading_open" and not token.level
    ]
    # A heading consists of three tokens: opening, text, closing.
    parts: list[tuple[list[Token], list[Token]]] = [([], tokens[: starts[0] if starts else None])]
    parts += [
        (tokens[start : start + 3], tokens[start + 3 : end])
        for start, end in zip(starts, [*starts[1:], None], strict=False)
    ]

    def rendered(part: Sequence[Token]) -> SafeString:
        return _clean(parser.renderer.render(part, parser.options, env))

    return [
        Section(
            level=int(heading[0].tag[1:]) if heading else 0,
            title=_words(heading),
            heading=rendered(heading),
            body=rendered(body),
            words=f"{_words(heading)} {_words(body)}",
        )
        for heading, body in parts
        if heading or body
    ]


def marked(html: SafeString, words: Sequence[str]) -> SafeString:
    """Mark every occurrence of the words in the HTML, outside of tags."""
    if not words:
        return html
    wanted = "|".join(re.escape(escape(word)) for word in sorted(words, key=len, reverse=True))
    # Skip tags and escaped characters.
    pattern = re.compile(rf"<[^>]*>|&#?\w+;|({wanted})", re.IGNORECASE)
    highlighted = pattern.sub(lambda hit: f"<mark>{hit[1]}</mark>" if hit[1] else hit[0], html)
    return mark_safe(highlighted)  # noqa: S308 only marks were added to clean HTML


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def _words(tokens: Sequence[Token]) -> str:
    """Return the text without Markdown syntax."""
    texts = []
    for token in tokens:
        if token.children is not None:
            texts.append("".join(_plain(child) for child in token.children))
        elif token.type in ("fence", "code_block"):
            texts.append(token.content)
    return " ".join(texts)


def _plain(token: Token) -> str:
    return " " if token.type in ("softbreak", "hardbreak") else token.content


def _clean(html: str) -> SafeString:
    return mark_safe(scrolling(nh3.clean(html, tags=TAGS)))  # noqa: S308 nh3 cleaned it


def scrolling(html: str) -> str:
    """Put each table into a box that scrolls, so that the page need not."""
    name = escape(_("Table"))
    opening = f'<div class="scroll" tabindex="0" role="group" aria-label="{name}">'
    html = re.sub(r"<table[^>]*>", lambda match: opening + match[0], html)
    return html.replace("</table>", "</table></div>")


# Two texts, line by line: what is gone, what is new, and a line on each side.


CONTEXT = 1


@dataclass(frozen=True, slots=True)
class DifferentLine:
    """A line; `mark` is - (gone), + (new), a space (in both), or … (lines in both are left out)."""

    mark: str
    text: str


def different_lines(before: str, after: str) -> list[DifferentLine]:
    """Return the lines of both texts, without those in both that are far from a difference."""
    old, new = before.splitlines(), after.splitlines()
    lines: list[DifferentLine] = []
    groups = SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT)
    for number, group in enumerate(groups):
        if number or group[0][1] > 0:
            lines.append(DifferentLine("…", ""))
        for kind, start, end, first, last in group:
            if kind == "equal":
                lines += [DifferentLine(" ", line) for line in old[start:end]]
                continue
            lines += [DifferentLine("-", line) for line in old[start:end]]
            lines += [DifferentLine("+", line) for line in new[first:last]]
    return lines
