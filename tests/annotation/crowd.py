"""Simulated people of a crowd platform: each judges by its link alone."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

from django.test import Client

from annotation.panels.participation import panel_enter, signature_of
from annotation.panels.services import panel_create
from tests.factories import make_campaign

VALUE = 3


def make_panel(**fields):
    campaign = make_campaign(items=4, k=2, cast=False)
    given = {"name": "Crowd", "sheets_per_person": 2, **fields}
    return panel_create(campaign=campaign, actor=None, **given)


def enter(panel, platform_id="one", **more):
    return panel_enter(panel=panel, platform_id=platform_id, **more)


class Answer(NamedTuple):
    """What a server said."""

    status: int
    location: str
    body: bytes

    @property
    def data(self):
        return json.loads(self.body)


class NearBrowser:
    """A browser on Django's test client: every request goes through all of the middleware."""

    def __init__(self):
        self.client = Client(enforce_csrf_checks=True)

    def open(self, method, address, body=None, **headers):
        path = urlsplit(address)._replace(scheme="", netloc="").geturl()
        answer = self.client.generic(
            method, path, body or b"", content_type="application/json", headers=headers
        )
        content = b"".join(answer)  # Of a stream, too.
        return Answer(answer.status_code, answer.headers.get("Location", ""), content)

    def cookie(self, name):
        return str(self.client.cookies[name].value)


@dataclass
class Person:
    """Somebody with an id of the platform; `taken` holds the sheets that the server took."""

    name: str
    link: str
    slug: str
    browser: NearBrowser
    parameter: str = "PROLIFIC_PID"
    taken: set[str] = field(default_factory=set)
    last: dict[str, Any] = field(default_factory=dict)

    def enter(self):
        query = f"{self.parameter}={self.name}&STUDY_ID=study&SESSION_ID=session-{self.name}"
        return self.browser.open("GET", f"{self.link}?{query}")

    def send(self, method, path, body):
        token = self.browser.cookie("csrftoken")
        return self.browser.open(
            method, f"/api/v1/{path}", json.dumps(body).encode(), **{"X-CSRFToken": token}
        )

    def claim(self):
        answer = self.send("POST", f"campaigns/{self.slug}/claim", {})
        if answer.status != 200:
            raise AssertionError(f"{self.name}: {answer.status} {answer.body[:200]!r}")
        self.last = answer.data
        return self.last

    def judge(self, sheet, *, whole=True):
        """Answer a sheet and hand it in, in one request or in single ones; the next one follows."""
        answers = [
            {
                "id": str(uuid4()),
                "substitution": text["key"],
                "scale": one["scale"],
                "base_version": one["version"],
                "value": VALUE,
            }
            for text in sheet["substitutions"]
            for one in text["answers"]
            if one["value"] is None
        ]
        named = {"annotator": sheet["annotator"]}
        if whole:
            told = self.send(
                "PUT",
                f"sheets/{sheet['key']}",
                {**named, "answers": answers, "state": "done", "next": True},
            )
        else:
            for one in answers:
                place = f"{one.pop('substitution')}/{one.pop('scale')}"
                self.send("PUT", f"sheets/{sheet['key']}/judgments/{place}", {**named, **one})
            told = self.send("PUT", f"sheets/{sheet['key']}/state", {**named, "state": "done"})
        if told.status != 200:
            raise AssertionError(f"{self.name}: {told.status} {told.body[:200]!r}")
        self.last = told.data
        if self.last["state"] == "done":
            self.taken.add(sheet["key"])
        return self.last

    def work(self, *, at_most=1000, whole=True):
        """Judge until no sheet comes, or `at_most` of them; return the last answer."""
        said = self.claim()
        for _ in range(at_most):
            if said["sheet"] is None:
                break
            said = self.judge(said["sheet"], whole=whole)
        return said


def event(
    browser,
    address,
    secret,
    *,
    person,
    status,
):
    """Send an event as the platform does."""
    stamp = str(int(time.time()))
    body = json.dumps(
        {
            "event_type": "submission.status.change",
            "status": status,
            "participant_id": person,
            "resource_id": f"session-{person}",
        }
    ).encode()
    headers = {
        "X-Prolific-Request-Timestamp": stamp,
        "X-Prolific-Request-Signature": signature_of(secret=secret, timestamp=stamp, body=body),
        "X-Event-ID": uuid4().hex,
    }
    return browser.open("POST", address, body, **headers)
