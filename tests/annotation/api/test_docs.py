"""The page that describes the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.annotation.api.conftest import Login
from tests.live import Site
from tests.live_parts import load_demo


@pytest.mark.django_db
def test_the_docs_are_closed_and_make_one_exception(login: Login) -> None:
    assert Client().get("/api/docs/")["Location"].startswith("/accounts/login/")
    alice = login("alice")
    policies = {
        address: {
            name: rest
            for name, _, rest in (
                part.strip().partition(" ")
                for part in alice.get(address)["Content-Security-Policy"].split(";")
            )
        }
        for address in ("/api/docs/", "/")
    }
    docs, others = policies["/api/docs/"], policies["/"]
    assert docs.pop("style-src") == "'self' 'unsafe-inline'"
    assert others.pop("style-src") == "'self'"
    assert docs == others


@pytest.mark.browser
def test_the_docs_list_the_routes_and_try_one(
    live_site: Callable[..., Site], new_page: Callable[..., Any]
) -> None:
    site = live_site()
    load_demo(site.data_dir)
    site.start("web")
    logins = (site.data_dir / "demo_logins.txt").read_text().splitlines()
    password = dict(line.split("\t")[:2] for line in logins)["admin"]
    page = new_page()
    elsewhere: list[str] = []
    page.on(
        "request",
        lambda request: (
            elsewhere.append(request.url)
            if not request.url.startswith((site.url, "data:"))
            else None
        ),
    )
    page.goto(f"{site.url}/accounts/login/?next=/api/docs/")
    page.fill("[name=username]", "admin")
    page.fill("[name=password]", password)
    page.click("main button")
    page.wait_for_selector(".opblock >> nth=40")
    page.click("#operations-campaigns-v1_campaigns_list .opblock-summary-control")
    page.click("text=Try it out")
    page.click("text=Execute")
    page.wait_for_selector('.live-responses-table .highlight-code:has-text(\'"slug": "\')')
    assert elsewhere == []
