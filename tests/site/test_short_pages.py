"""Pages of a researcher answer in a glance: few words and little scrolling before anything is
unfolded."""

import pytest
from django.urls import NoReverseMatch, reverse

import paraanno.urls  # noqa: F401  # Pages register with their addresses.
from annotation.http.glossary import HELP
from annotation.models import Annotator, Campaign
from scoring.runs.start import runs_follow
from tests import live, live_parts
from tests.scoring.factories import finish
from tests.scoring.views.shown import settled
from tests.site.visiting import log_in_to_demo

# All pages of a demo with all metrics, which take a minute to make.
pytestmark = [pytest.mark.browser, pytest.mark.nightly]
MOST_WORDS, MOST_HEIGHT, WIDTH = 500, 2400, 1280
# Longer ones, each with its reason.
LONG = {
    "guidelines": "the text that annotators follow, which they read as a whole",
    "correlation-report": "a document to print, with everything in it",
}
# What is no page of a researcher on the demo, with the reason.
ELSEWHERE = {
    **dict.fromkeys(("docs", "doc"), "documentation"),
    **dict.fromkeys(
        ("users", "users-new", "user", "site-letters", "site-audit", "overview", "disk"),
        "of administrators",
    ),
    **dict.fromkeys(("site-person", "site-person-delete"), "of administrators"),
    **dict.fromkeys(("gold-picture", "runs-list", "resource", "build"), "a part of a page"),
    **dict.fromkeys(
        (
            *("import-job", "import-columns", "test-set-build", "generate-build"),
            *("extrinsic-build", "resource-rating", "panel", "panel-ended", "list-act"),
            *("question", "quality-text", "scale", "scale-remove", "practice-text"),
            "withdrawal-rules",
        ),
        "the demo has none, or it is a form",
    ),
    "run-matches": "needs a run with a paraphrase table",
    **dict.fromkeys(("email-confirm", "login-code", "login-set-up"), "before a login"),
    **dict.fromkeys(("invite", "exclude", "remind", "ratings"), "an answer to a form, or a file"),
}
# A text that shows: not folded away, not for screen readers alone, and no number on an axis. Of a
# list of choices only the chosen one shows.
WORDS = """() => {
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  let words = 0;
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement;
    if (one.closest("script, style, option:not(:checked), .visually-hidden, .ax, .fig")) continue;
    if (!(one.closest("select") ?? one).checkVisibility()) continue;
    words += walk.currentNode.data.split(/\\s+/).filter(Boolean).length;
  }
  return words;
}"""


def addresses():
    """The addresses of the pages on the demo, by name."""
    campaign = Campaign.objects.get(slug="demo")
    keys = {
        "item": campaign.items.order_by("pk")[0].key,
        "annotator": Annotator.objects.filter(campaign=campaign).order_by("pk")[0].key,
        "run": campaign.runs.order_by("pk")[0].key,
    }
    several = {
        "item": {"key": keys["item"]},
        "annotator": {"annotator": keys["annotator"]},
        "quality-record": {"annotator": keys["annotator"]},
        "run": {"key": keys["run"]},
        "metric": {"metric": "bleu"},
    }
    found = {}
    for name in HELP:
        if name in ELSEWHERE:
            continue
        more = several.get(name, {})
        try:
            found[name] = reverse(name, kwargs={"slug": "demo", **more})
        except NoReverseMatch:
            found[name] = reverse(name, kwargs=more)
    return found


@pytest.fixture(scope="module")
def demo(django_db_blocker):
    """The demo with a web server, and the runs of all metrics that need no file."""
    site = live.Site(unblock=django_db_blocker.unblock)
    live_parts.load_demo(site.data_dir)
    with site.database():
        campaign = Campaign.objects.get(slug="demo")
        runs_follow(campaign, None)
        assert {finish(run).status for run in campaign.runs.all()} == {"done"}
    site.start("web")
    yield site
    site.close()


def test_pages_say_their_answer_in_a_glance(demo, new_page):
    with demo.database():
        pages = addresses()
    assert {*LONG} <= {*pages} and not {*ELSEWHERE} & {*pages}
    page = new_page(viewport={"width": WIDTH, "height": 900})
    log_in_to_demo(page, demo, "researcher")
    long = {}
    for name, address in pages.items():
        answer = page.goto(f"{demo.url}{address}")
        assert answer.status == 200, address
        settled(page)
        words = page.evaluate(WORDS)
        height = page.evaluate("document.documentElement.scrollHeight")
        if words >= MOST_WORDS or height > MOST_HEIGHT:
            long[name] = (words, height)
    assert {*long} - {*LONG} == set(), long
