"""Every page explains its words and leads to a page of the documentation that exists."""

import pytest
from django.urls import get_resolver

from annotation.http.docs import doc_get
from annotation.http.glossary import HELP, TERMS, add_help
from annotation.http.pages import TABS
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
