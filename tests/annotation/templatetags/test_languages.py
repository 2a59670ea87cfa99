"""Attributes and names of languages."""

from django.utils import translation

from annotation.templatetags.languages import language_choices, language_name, written


def test_attributes_and_names():
    assert written("ar-EG") == 'lang="ar-EG" dir="rtl"'
    assert written("") == written("und") == 'lang="" dir="auto"'
    assert (language_name("ko"), language_name("pt-BR")) == (
        "Korean (ko)",
        "Brazilian Portuguese (pt-BR)",
    )
    assert language_name("tlh") == "tlh"
    with translation.override("ko"):
        assert ("en", "영어") in language_choices()
