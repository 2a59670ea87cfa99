"""The documentation as pages: files of docs/, with links and pictures among them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
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
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from annotation.errors import NotFound
from annotation.http.markdown import scrolling

FOLDER = Path(settings.BASE_DIR) / "docs"
PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
TAGS = nh3.ALLOWED_TAGS
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
        parser.renderer.render(tokens, parser.options, env), tags=TAGS, attributes=ATTRIBUTES
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
