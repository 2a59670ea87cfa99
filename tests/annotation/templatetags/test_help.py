"""The "?" of a page."""

from django.test import RequestFactory
from django.urls import resolve

from annotation.templatetags.labels import page_help


def test_a_page_has_the_help_of_its_address():
    request = RequestFactory().get("/c/demo/results/")
    assert page_help({"request": request}) == {"help": None}  # An error before it was resolved.
    request.resolver_match = resolve("/c/demo/results/")
    found = page_help({"request": request})["help"]
    assert found is not None and found.page == "gold-and-results"
    assert page_help({}) == {"help": None}
