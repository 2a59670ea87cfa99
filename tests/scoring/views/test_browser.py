"""Pages of analysis in Chromium, with real servers and a real worker."""

import pytest

pytestmark = pytest.mark.browser


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


def test_export_downloads_whole(demo, new_page):
    page, campaign = open_as_admin(demo, new_page)
    page.goto(f"{campaign}exports/")
    page.check("#what-gold")
    page.select_option("#format", "jsonl")
    with page.expect_download() as download:
        page.click("main form .button")
    assert download.value.suggested_filename.endswith("-gold.jsonl")
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) > 100

    # Parquet has its table of contents at the end: a worker makes it.
    page.check("#what-judgments")
    page.select_option("#format", "parquet")
    page.click("main form .button")
    page.wait_for_selector("#files a", timeout=120_000)
    with page.expect_download() as download:
        page.click("#files a")
    data = download.value.path().read_bytes()
    assert data[:4] == data[-4:] == b"PAR1"
