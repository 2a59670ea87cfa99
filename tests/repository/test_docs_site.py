"""The web site of the documentation: built without a warning, whole, and without other sites."""

import os
import re
import subprocess
import sys

import pytest

from tests import HOME
from tests.shared import made_once

pytestmark = pytest.mark.slow
MKDOCS = ["-m", "mkdocs", "build", "--quiet", "--strict", "-f", "tools/docs/mkdocs.yml", "-d"]
# What a page may name, and no browser fetches: the theme's word of thanks, and a name space.
NAMED = {"squidfunk.github.io", "www.w3.org", "127.0.0.1:8000"}


def build(folder):
    done = subprocess.run(
        [sys.executable, *MKDOCS, str(folder)],
        cwd=HOME,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def site():
    return made_once("docs-site", build)


def test_every_page_is_there_and_fetches_nothing_from_elsewhere(site):
    pages = {path.relative_to(HOME / "docs") for path in (HOME / "docs").rglob("*.md")}
    assert [page for page in pages if not (site / page.with_suffix(".html")).exists()] == []
    for path in site.rglob("*.html"):
        fetched = re.findall(r'(?:src|href)="https?://([^/"]+)', path.read_text("utf-8"))
        of_texts = set(fetched) - NAMED
        assert not of_texts or path.stem in {"licences", "references", "resources"}, of_texts
    assert "lab.agreement" in (site / "reference" / "lab.html").read_text("utf-8")
    assert "/api/v1/campaigns" in (site / "reference" / "api.html").read_text("utf-8")


@pytest.mark.browser
def test_it_is_searched_without_a_server(site, new_page):
    page = new_page(viewport={"width": 1280, "height": 800})
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    page.click("input.md-search__input")
    page.keyboard.type("krippendorff")
    page.wait_for_selector(".md-search-result__link")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
