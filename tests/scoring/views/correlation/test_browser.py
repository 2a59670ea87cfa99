"""Metrics and people in Chromium: the researcher's way through the pages."""

import re

import pytest

from tests.axe import violations
from tests.browser import fits
from tests.scoring.views.shown import show

pytestmark = pytest.mark.browser
# Pages of reports, with the fewest figures of each.
REPORTS = {
    "correlation/": 2,
    "correlation/differences/": 0,
    "correlation/systems/": 2,
    "correlation/stability/": 1,
    "correlation/ranking/": 0,
}


def open_as_admin(site, new_page, **options):
    """A logged-in page and the address of the demo campaign."""
    logins = (site.data_dir / "demo_logins.txt").read_text().splitlines()
    password = dict(line.split("\t")[:2] for line in logins)["admin"]
    page = new_page(**options)
    page.goto(f"{site.url}/accounts/login/")
    page.fill("[name=username]", "admin")
    page.fill("[name=password]", password)
    page.click("main button")
    page.wait_for_url(lambda url: "login" not in url)
    page.goto(f"{site.url}/campaigns/")
    return page, site.url + page.get_attribute("main table a", "href")


def listen(page):
    """What the page will say in its console as an error."""
    said = []
    page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
    return said


def start(page, campaign, *metrics):
    page.goto(f"{campaign}runs/")
    for name in metrics:
        page.check(f"#m-{name}")
    page.click("form .button:text-is('Start')")
    page.wait_for_selector(f"text=/{len(metrics)} metrics? (was|were) started/")
    page.wait_for_selector("#runs:not([hx-get])", timeout=120_000)


def wrong_with(page):
    """Rules of axe that the page breaks, and phones that it does not fit."""
    return [*(f"{page.url} {line}" for line in violations(page)), *too_wide(page)]


def too_wide(page):
    found = [width for width in (390, 320) if not fits(page, width)]
    page.set_viewport_size({"width": 1280, "height": 900})
    return [f"{page.url} scrolls sideways at {width}" for width in found]


def test_the_researcher_goes_from_metrics_to_the_texts_and_files_behind_them(demo, new_page):
    page, campaign = open_as_admin(demo, new_page, viewport={"width": 1280, "height": 900})
    errors = listen(page)
    start(page, campaign, "bleu", "chrf", "pinc")
    for name in REPORTS:
        page.goto(f"{campaign}{name}")  # The worker makes all of them meanwhile.
    wrong = []
    for name, figures in reversed(REPORTS.items()):
        show(page, f"{campaign}{name}")
        assert page.locator("figure svg.fig").count() >= figures, name
        assert page.locator("main table").count() >= 1, name
        wrong += too_wide(page)  # Axe looks at them each night: tests/site/test_journeys.py.
    page.locator("details.behind").evaluate_all("all => all.forEach(one => one.open = true)")
    numbers_as_programs_read_them(page)

    show(page, f"{campaign}correlation/")
    page.click("main table.matrix th a >> nth=1")
    page.click("#beside a:text-is('Text by text')")
    page.wait_for_selector("#figure-scatter svg.fig")
    assert "scale=MEANING" in page.url
    select_all_of(page)
    page.wait_for_selector("#region-texts tbody tr")  # It was folded.
    assert float(page.input_value("#id_x0")) < float(page.input_value("#id_x1"))
    wrong += wrong_with(page)
    by_keyboard(page)
    a_point_leads_to_its_item(page)

    show(page, f"{campaign}correlation/mixes/")
    assert page.locator("#figure-mix .legend li").count() == 2
    wrong += too_wide(page)
    assert wrong == [] and errors == []


def a_point_leads_to_its_item(page):
    point = page.locator("#figure-scatter a").nth(40)
    told = point.get_attribute("aria-label")
    point.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/items/**")
    assert page.locator("h1").count() == 1 and " → " in told


def numbers_as_programs_read_them(page):
    """What is copied has hyphens where the page has minus signs, and is still a table."""
    table = page.locator("main table", has_text=re.compile("\N{MINUS SIGN}[0-9]")).first
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table.evaluate("table => getSelection().selectAllChildren(table.tBodies[0])")
    page.keyboard.press("Control+c")
    kinds = page.evaluate(
        """async () => {
          const [item] = await navigator.clipboard.read();
          const kinds = ["text/plain", "text/html"];
          return Promise.all(kinds.map(async (kind) => (await item.getType(kind)).text()));
        }"""
    )
    for kind in kinds:
        assert re.search(r"-[0-9.]", kind) and "\N{MINUS SIGN}" not in kind
    assert "<tr>" in kinds[1] and "<table" in kinds[1]


def select_all_of(page):
    """A rectangle over the whole figure."""
    box = page.locator("#figure-scatter svg.fig").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 1, box["y"] + 27)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 320, steps=5)
    page.mouse.up()


def by_keyboard(page):
    """The form of the region: from field to field, and sent, without a mouse."""
    for name in ("x0", "x1", "y0", "y1"):
        page.fill(f"#id_{name}", "")
    page.focus("#id_x0")
    for text in ("-999", "999", "", "9"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('#region button')")
    with page.expect_response("**/correlation/texts/**") as answer:
        page.keyboard.press("Enter")
    assert "x0=-999&x1=999&y0=&y1=9" in answer.value.url and answer.value.ok
    page.wait_for_selector("#region-texts tbody tr")
