"""Every page explains its words, leads to the documentation, and tells its log in its language."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import get_resolver
from django.utils import translation

import paraanno.urls  # noqa: F401  # Pages register with their addresses.
from annotation.accounts.audit_log import VERBS, WITH_PARTS, log_verb
from annotation.http.glossary import HELP, TERMS, add_help
from annotation.http.markdown import FOLDER, doc_files, doc_get, doc_titles, picture_files
from annotation.http.pages import TABS
from annotation.models import Campaign, QualityRule
from tests import HOME


def test_every_page_of_a_room_has_help():
    names = {name for tab in TABS for name in (tab.name, *tab.pages)}
    assert names - set(HELP) == set()
    routes = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    assert set(HELP) <= routes


def test_every_way_to_the_documentation_leads_there():
    for name, help_ in HELP.items():
        doc = doc_get(help_.page)
        assert doc is not None, name
        assert not help_.anchor or f'id="{help_.anchor[1:]}"' in doc.html, name


def test_every_word_is_used_and_stands_in_the_glossary():
    assert {word for one in HELP.values() for word in one.words} == set(TERMS)
    page = (HOME / "docs" / "glossary.md").read_text(encoding="utf-8")
    own = {"slot", "forecast", "alpha", "threshold", "look", "copy", "token", "log"}
    for key in TERMS.keys() - own:
        assert f"| {TERMS[key].word} |" in page, key


def test_a_word_without_meaning_is_refused():
    with pytest.raises(KeyError, match="no word 'nonsense'"):
        add_help("rooms", "campaign nonsense", "campaign")


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


def test_a_file_that_changed_is_rendered_again(tmp_path, monkeypatch):
    path = tmp_path / "new.md"
    text = "# One\n\n## One\n\nText <script>x</script> [out](../README.md) ![no](images/none.png)\n"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr("annotation.http.markdown.doc_files", lambda: {"new": path})
    first = doc_get("new")
    assert first is not None and first.title == "One" and doc_get("new") is first
    assert 'id="one"' in first.html and 'id="one-1"' in first.html
    assert "<script>" not in first.html and "README" not in first.html
    path.write_text("# Another title\n", encoding="utf-8")
    second = doc_get("new")
    assert second is not None and second.title == "Another title"


WRITTEN = re.compile(r'audit\([^()]*?verb="([a-z ]+)"', re.DOTALL)


def written_verbs():
    """The verbs that stand as plain texts where something is logged."""
    found = set()
    for app in ("annotation", "scoring"):
        for path in (Path(settings.BASE_DIR) / app).rglob("*.py"):
            found |= set(WRITTEN.findall(path.read_text(encoding="utf-8")))
    return found


def test_every_verb_that_is_logged_has_a_translation():
    found = written_verbs()
    assert len(found) > 20
    assert found <= set(VERBS)


def test_parts_of_a_verb_are_translated_too():
    assert {f"set status {status}" for status in Campaign.Status.values} <= set(WITH_PARTS)
    for act in QualityRule.Act.values:
        assert {f"quality: {act}", f"quality: decide to {act}", f"quality: lift {act}"} <= (
            set(WITH_PARTS)
        )
    for verb in WITH_PARTS:
        with translation.override("ko"):
            assert not re.search("[a-z]", log_verb(str(verb)))
        assert log_verb(str(verb)) == verb
    assert log_verb("somebody's own") == "somebody's own"
