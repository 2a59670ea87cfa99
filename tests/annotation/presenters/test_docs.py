"""The documentation as pages: every file of docs/, its links and pictures, and nothing else."""

import re

import pytest

from annotation.http.docs import FOLDER, doc_files, doc_get, doc_titles, picture_files


def test_every_file_is_a_page_with_a_title():
    assert set(doc_files()) == {
        path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.md")
    }
    titles = dict(doc_titles())
    assert titles["rooms"] == "Run a study: where the pages are" and len(titles) == len(doc_files())


@pytest.mark.parametrize("name", sorted(doc_files()))
def test_every_link_and_picture_leads_somewhere(name):
    doc = doc_get(name)
    assert doc is not None
    for target in re.findall(r'(?:href|src)="([^"]*)"', doc.html):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        path, _hash, anchor = target.partition("#")
        if path.startswith("/docs/images/"):
            assert f"images/{path.rsplit('/', 1)[1]}" in picture_files(), target
            continue
        there = doc_get(path.removeprefix("/docs/")) if path else doc
        assert there is not None, target
        assert not anchor or f'id="{anchor}"' in there.html, target


@pytest.mark.parametrize(
    "name", ["../README", "../manage", "metrics/../../README", "/etc/passwd", "design-system", ""]
)
def test_nothing_else_is_opened(name):
    assert doc_get(name) is None


def test_a_file_that_changed_is_rendered_again(tmp_path, monkeypatch):
    path = tmp_path / "new.md"
    text = "# One\n\n## One\n\nText <script>x</script> [out](../README.md) ![no](images/none.png)\n"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr("annotation.http.docs.doc_files", lambda: {"new": path})
    first = doc_get("new")
    assert first is not None and first.title == "One" and doc_get("new") is first
    assert 'id="one"' in first.html and 'id="one-1"' in first.html
    assert "<script>" not in first.html and "README" not in first.html
    path.write_text("# Another title\n", encoding="utf-8")
    second = doc_get("new")
    assert second is not None and second.title == "Another title"
