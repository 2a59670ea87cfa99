"""Pages with reports in Chromium."""

# No report is awaited (the page asks for it again and again), and the page is not about to fill
# itself with one that has come: what is looked for or clicked then would go with the old page.
SETTLED = "body:not(:has(#report-state:is([hx-get], [data-fill])))"


def settled(page):
    page.wait_for_selector(SETTLED, timeout=120_000)
    page.wait_for_load_state()


def show(page, address):
    """The page with its report, once it is made.

    A page without a worker may wait, too: for the report that another request is making, for
    example that of a card of the overview which was left a moment ago.
    """
    page.goto(address)
    settled(page)
    if page.locator("#report-state .banner.ok a").count():
        page.click("#report-state .banner.ok a")
        page.wait_for_selector("#report-state p.soft")
    page.wait_for_load_state()
