"""The page that describes the API."""

import pytest


@pytest.mark.slow
def test_the_docs_make_one_exception(login):
    docs, others = (
        set(login("alice").get(address)["Content-Security-Policy"].split("; "))
        for address in ("/api/docs/", "/")
    )
    assert docs - others == {"style-src 'self' 'unsafe-inline'"}
    assert others - docs == {"style-src 'self'"}


@pytest.mark.browser
def test_the_docs_list_the_routes_and_try_one(world, page):
    here = world()
    here.log_in(page.context, "alice")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{here.proxy.url}/api/docs/")
    page.wait_for_selector(".opblock >> nth=40")
    page.click("#operations-campaigns-v1_campaigns_list .opblock-summary-control")
    page.click("text=Try it out")
    page.click("text=Execute")
    page.wait_for_selector('.live-responses-table .highlight-code:has-text(\'"slug": "\')')
    assert not [one for one in asked if not one.startswith((here.proxy.url, "data:"))]
