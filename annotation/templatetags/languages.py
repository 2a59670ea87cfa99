"""The language and direction of a campaign's texts in HTML, and the names of languages."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.conf.locale import LANG_INFO
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info

from annotation.models import Campaign, Item, language_of
from paraanno.common.cells import direction, known_tag, primary, read_tag
from paraanno.http.middleware import languages_of, left_to_right

register = template.Library()
register.filter("left_to_right", left_to_right)


@register.filter
def language_in(item: Item, campaign: Campaign) -> str:
    """Return the tag of the item's language; empty if it is unknown."""
    return language_of(item, campaign)


@register.simple_tag
def written(language: str) -> SafeString:
    """Return the attributes `lang` and `dir` of an element with a text in this language.

    `lang` is empty for an unknown language, since the element does not have that of the page.
    """
    return format_html('lang="{}" dir="{}"', known_tag(language), direction(language))


@register.filter
def language_name(tag: str) -> str:
    """Return the name of a language in that of the page, with its tag; an unknown one as is."""
    code = tag.lower() if tag.lower() in LANG_INFO else primary(tag)
    if "name" not in LANG_INFO.get(code, {}):
        return tag
    return f"{get_language_info(code)['name_translated']} ({tag})"


@register.simple_tag
def language_choices() -> list[tuple[str, str]]:
    """Return tags and names of frequent languages, by name."""
    codes = {read_tag(code): code for code, about in LANG_INFO.items() if "name" in about}
    pairs = [(tag, str(get_language_info(code)["name_translated"])) for tag, code in codes.items()]
    return sorted(pairs, key=lambda one: one[1])


@register.simple_tag(takes_context=True)
def page_languages(context: dict[str, Any]) -> list[tuple[str, str]]:
    """Return codes and own names of the languages that the page is translated into."""
    codes = languages_of(context["request"]) if "request" in context else settings.SITE_LANGUAGES
    return [(code, name) for code, name in settings.LANGUAGES if code in codes]


@register.simple_tag(takes_context=True)
def draft_language(context: dict[str, Any]) -> bool:
    """Return whether no native speaker has read the page's language yet."""
    return context.get("LANGUAGE_CODE") in settings.DRAFT_LANGUAGES
