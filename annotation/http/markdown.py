"""Markdown as HTML: researchers' texts, complete or in sections; and the documentation as pages,
the files of docs/ with links and pictures among them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import nh3
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from annotation.errors import NotFound

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


# The documentation.


FOLDER = Path(settings.BASE_DIR) / "docs"
PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
DOC_TAGS = nh3.ALLOWED_TAGS
ATTRIBUTES = {
    **nh3.ALLOWED_ATTRIBUTES,
    "img": {"src", "alt"},
    **{f"h{level}": {"id"} for level in range(1, 7)},
}


@dataclass(frozen=True, slots=True)
class Doc:
    """One page of the documentation. `name` has no suffix: `quality`, `metrics/bleu`."""

    name: str
    title: str
    html: SafeString


@cache
def doc_files() -> Mapping[str, Path]:
    """The pages by name. What is not listed here is never opened, whatever an address says."""
    files = sorted(FOLDER.rglob("*.md"))
    return {path.relative_to(FOLDER).with_suffix("").as_posix(): path for path in files}


@cache
def picture_files() -> Mapping[str, Path]:
    """The pictures by their path below docs/."""
    files = sorted((FOLDER / "images").glob("*"))
    return {path.relative_to(FOLDER).as_posix(): path for path in files if path.suffix in PICTURES}


def doc_get(name: str) -> Doc | None:
    """A page, rendered once for each state of its file; None if there is none of that name."""
    path = doc_files().get(name)
    return None if path is None else _rendered(name, path, path.stat().st_mtime_ns)


def doc_titles() -> list[tuple[str, str]]:
    """(name, title) of every page, those of single metrics last."""
    by_name = sorted(doc_files().items(), key=lambda one: ("/" in one[0], one[0]))
    return [(name, _title(name, path, path.stat().st_mtime_ns)) for name, path in by_name]


@lru_cache(maxsize=200)
def _title(name: str, path: Path, _state: int) -> str:
    """The heading that a page begins with: to render all pages for a list takes seconds."""
    with path.open(encoding="utf-8") as lines:
        return next((line[2:].strip() for line in lines if line.startswith("# ")), name)


@lru_cache(maxsize=200)
def _rendered(name: str, path: Path, state: int) -> Doc:
    parser = MarkdownIt("commonmark").enable("table")
    env: dict[str, Any] = {}
    tokens = parser.parse(path.read_text(encoding="utf-8"), env)
    seen = set[str]()
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            words = tokens[at + 1].content
            token.attrSet("id", _anchor(words, seen))
        for child in token.children or ():
            _point(child, PurePosixPath(name).parent)
    html = nh3.clean(
        parser.renderer.render(tokens, parser.options, env), tags=DOC_TAGS, attributes=ATTRIBUTES
    )
    # What may be wider than the page scrolls, by keyboard too.
    html = scrolling(html).replace("<pre>", '<pre tabindex="0">')
    return Doc(name, _title(name, path, state), mark_safe(html))  # noqa: S308 nh3 cleaned it


def _anchor(words: str, seen: set[str]) -> str:
    """The anchor of a heading as GitHub makes it, which links in the files use."""
    plain = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
    name, number = plain, 0
    while name in seen:
        number += 1
        name = f"{plain}-{number}"
    seen.add(name)
    return name


def _point(token: Token, folder: PurePosixPath) -> None:
    """Let a link or picture lead to its page here; files outside docs/ are named and not linked."""
    if token.type == "image":
        address = _picture(str(token.attrGet("src")), folder)
        token.attrSet("src", address)
    elif token.type == "link_open":
        target = str(token.attrGet("href"))
        if target.startswith(("http:", "https:", "#", "mailto:")):
            return
        path, _hash, anchor = target.partition("#")
        name = _within(unquote(path), folder)
        if name.endswith(".md") and name[:-3] in doc_files():
            there = reverse("doc", args=[name[:-3]])
            token.attrSet("href", f"{there}#{anchor}" if anchor else there)
        elif name in picture_files():
            token.attrSet("href", reverse("doc-image", args=[PurePosixPath(name).name]))
        else:
            del token.attrs["href"]


def _picture(source: str, folder: PurePosixPath) -> str:
    name = _within(source, folder)
    if name not in picture_files():
        return ""
    return reverse("doc-image", args=[PurePosixPath(name).name])


def _within(path: str, folder: PurePosixPath) -> str:
    """A relative path as one below docs/; what leaves docs/ matches no file."""
    parts: list[str] = []
    for part in (folder / path).parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


# The documentation, read by everybody: no page of it is about a campaign.


@login_not_required
@require_safe
def doc_list(request: HttpRequest) -> HttpResponse:
    """All pages by title."""
    titles = doc_titles()
    return render(
        request,
        "docs.html",
        {
            "titles": [one for one in titles if "/" not in one[0]],
            "metrics": [one for one in titles if "/" in one[0]],
        },
    )


@login_not_required
@require_safe
def doc(request: HttpRequest, name: str) -> HttpResponse:
    """One page: docs/NAME.md."""
    page = doc_get(name.removesuffix(".md").rstrip("/"))
    if page is None:
        raise NotFound(_("There is no such page of the documentation."))
    return render(request, "doc.html", {"doc": page})


@login_not_required
@require_safe
@cache_control(max_age=3600, public=True)
def doc_image(request: HttpRequest, name: str) -> FileResponse:
    """One picture: docs/images/NAME."""
    path = picture_files().get(f"images/{name}")
    if path is None:
        raise NotFound(_("There is no such picture."))
    return FileResponse(path.open("rb"), content_type=PICTURES[path.suffix])
