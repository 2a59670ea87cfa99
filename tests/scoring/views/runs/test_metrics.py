"""The list of metrics, and a page for each from the documentation."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings

from annotation.http.markdown import as_html
from scoring.metrics.registry import FAMILIES, metric_class, names
from tests.clients import client_of, html_of, text_of
from tests.factories import make_campaign
from tests.scoring.factories import done_run
from tests.scoring.views.runs.metric_pages import page_of


@pytest.fixture(autouse=True)
def camp():
    return make_campaign(items=1)


def test_the_list_has_every_metric_once_in_its_family():
    page = client_of("vera").get("/metrics/")
    listed = [one.name for _, found in page.context["families"] for one in found]
    assert sorted(listed) == sorted(names())
    for name in names():
        assert metric_class(name).family in FAMILIES, name
        assert html_of(page).count(f'href="/metrics/{name}/"') == 1
    text = text_of(page)
    assert "Words and characters in common" in text and "needs a file Word vectors" in text


@pytest.mark.slow
def test_pages_show_the_documentation_and_the_options():
    for name in names():
        page = page_of(name)
        html, text = page.content.decode(), text_of(page)
        assert html.count("<h1>") == 1
        source = Path(settings.BASE_DIR, "docs", "metrics", f"{name}.md").read_text("utf-8")
        for part in source.strip().split("\n\n"):
            words = unescape(re.sub(r"<[^>]+>", " ", as_html(part))).split()
            assert "".join(words) in "".join(text.split()), part
        metric = metric_class(name)
        for option in metric.OPTIONS:
            assert f"<code>{option.name}</code></th>" in html, option.name
            assert option.summary in text, option.name
        assert ("higher" if metric.higher_is_better else "lower") in text
        assert ".md" not in "".join(part.split('"')[0] for part in html.split('href="')[1:])


def test_the_frame_is_translated_and_the_text_is_marked_as_english():
    html = html_of(client_of("vera").get("/metrics/pinc/", headers={"Accept-Language": "ko"}))
    assert '<html lang="ko" dir="ltr">' in html and '<article class="prose" lang="en">' in html
    assert "비교하는 가장 긴 n-그램" in html


def test_there_is_no_page_of_what_is_no_metric():
    for name in ("nonsense", "external", "..%2Fpinc", "%00"):
        assert client_of("vera").get(f"/metrics/{name}/").status_code == 404, name


def test_a_metric_of_another_package_shows_its_docstring(foreign):
    foreign("toy_share", "tests.scoring.metrics.toy:Share")
    text, metric = text_of(page_of("toy_share")), metric_class("toy_share")
    assert metric.title in text and " ".join((metric.__doc__ or "").split())[:30] in text


@pytest.mark.slow
def test_numbers_lead_to_the_page_of_their_metric(hand):
    runs = [done_run(hand, {}, spec="pinc"), done_run(hand, {}, spec="bleu:as=mine")]
    of_both = (f"items/{hand.items.all()[0].key}/", "correlation/")
    of_one = {
        run.metric: (f"runs/{run.key}/", f"correlation/metric/?run={run.key}&scale=MEANING")
        for run in runs
    }
    for metric, name in (("pinc", "PINC"), ("bleu", "mine")):
        for address in (*of_both, *of_one[metric]):
            html = html_of(client_of("vera").get(f"/c/hand/{address}"))
            assert f'href="/metrics/{metric}/"' in html, address
            assert address not in of_both or f'href="/metrics/{metric}/">{name}</a>' in html
