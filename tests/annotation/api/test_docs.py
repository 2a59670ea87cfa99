"""The page that describes the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.annotation.api.conftest import Login
from tests.annotation.views.collecting.screen import World


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
def test_the_docs_list_the_routes_and_try_one(world: Callable[..., World], page: Any) -> None:
    here = world()
    here.log_in(page.context, "alice")
    elsewhere: list[str] = []
    page.on(
        "request",
        lambda request: (
            elsewhere.append(request.url)
            if not request.url.startswith((here.proxy.url, "data:"))
            else None
        ),
    )
    page.goto(f"{here.proxy.url}/api/docs/")
    page.wait_for_selector(".opblock >> nth=40")
    page.click("#operations-campaigns-v1_campaigns_list .opblock-summary-control")
    page.click("text=Try it out")
    page.click("text=Execute")
    page.wait_for_selector('.live-responses-table .highlight-code:has-text(\'"slug": "\')')
    assert elsewhere == []
