"""A whole study of a simulated crowd, and what has to hold when it is over."""

import csv
import io
import itertools
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from annotation.models import Slot
from annotation.verify import verify
from tests.annotation.crowd import Person, event

CODES = {
    "complete": "C1K7 VH2P",
    "quota_full": "FULL-77AB",
    "withdrawn": "LEFT",
    "timed_out": "TIME-3",
}


class Study:
    """People of one panel. `browser` makes a new browser; `owner` asks the API as the owner."""

    def __init__(
        self,
        *,
        slug,
        quota,
        browser,
        owner,
    ):
        self.slug, self.quota, self.browser, self.owner = slug, quota, browser, owner
        made = owner(
            "POST",
            f"campaigns/{slug}/panels",
            {
                "name": "study",
                "parameter": "PROLIFIC_PID",
                "sheets_per_person": quota,
                "codes": CODES,
                "return_url": "https://example.org/done?cc={code}",
                "id_pattern": "[a-z0-9-]{1,24}",
            },
        )
        assert made.status == 201, made.body
        self.panel = made.data
        self.people = {}

    def person(self, name):
        one = Person(name, self.panel["link"], self.slug, self.browser())
        self.people.setdefault(name, one)
        return one

    def plain(self, name):
        one = self.person(name)
        assert one.enter().status == 302
        one.work(whole=len(name) % 2 == 0)

    def double(self, name):
        """Two browsers enter with one id at once, and both judge at once: two devices."""
        first, second = self.person(name), self.person(name)
        with ThreadPoolExecutor(2) as pool:
            entered = list(pool.map(_enter, (first, second)))
            assert {one.status for one in entered} == {302}
            list(pool.map(_work, (first, second)))
        first.taken |= second.taken

    def returns(self, name):
        one = self.person(name)
        one.enter()
        one.work(at_most=1)
        one.claim()
        assert self.tell(name, "RETURNED", "event-" + name).data == {"state": "taken"}
        assert self.tell(name, "RETURNED", "event-" + name).data == {"state": "known"}
        said = one.claim()
        assert said["sheet"] is None and said["code"] == "withdrawn"
        assert said["completion"]["code"] == CODES["withdrawn"]

    def never_ends(self, name):
        one = self.person(name)
        one.enter()
        assert one.claim()["sheet"] is not None

    def tell(self, name, status, event_id, secret=""):
        return event(
            self.browser(),
            self.panel["events"],
            secret or self.panel["event_secret"],
            person=name,
            status=status,
            event_id=event_id,
        )

    def run(self, kinds, *, threads):
        """Let everybody take part, by the kind of each name; some at once.

        Whoever never ends comes first: later, the others may have taken every sheet.
        """
        first = [name for name, kind in kinds.items() if kind == "never_ends"]
        for name in first:
            self.never_ends(name)
        jobs = [(getattr(self, kind), name) for name, kind in kinds.items() if name not in first]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(_run, jobs))

    def payments(self):
        path = f"campaigns/{self.slug}/panels/{self.panel['key']}/payments"
        told = self.owner("GET", path, None)
        assert told.status == 200
        return {row["id"]: row for row in csv.DictReader(io.StringIO(told.body.decode()))}

    def check(self, campaign, *, k):
        """k reached and never more, no sheet left behind, payments as done, every code right."""
        done = Counter(
            Slot.objects.filter(campaign=campaign, state="done").values_list("sheet", flat=True)
        )
        sheets = set(campaign.sheets.values_list("pk", flat=True))
        assert done == Counter(dict.fromkeys(sheets, k))
        assert not Slot.objects.filter(campaign=campaign, state__in=["free", "claimed"]).exists()
        assert verify(campaign=campaign) == []
        paid = self.payments()
        assert paid.keys() == self.people.keys()
        for name, one in self.people.items():
            row = paid[name]
            assert int(row["sheets"]) == len(one.taken) <= self.quota, (name, row)
            assert (row["outcome"] == "complete") == (len(one.taken) == self.quota), (name, row)
            assert row["code"] == CODES[row["outcome"]], (name, row)
        progress = self.owner("GET", f"campaigns/{self.slug}/progress", None).data
        assert progress["done"] == progress["slots"] == k * len(sheets)


def kinds_of(people):
    """Names and kinds: mostly plain people; every tenth returns, every eighth has two devices."""
    kinds = {}
    for number in range(people):
        kind = "returns" if number % 10 == 3 else "double" if number % 8 == 5 else "plain"
        kinds[f"person-{number}"] = kind
    kinds["person-0"] = "never_ends"
    return kinds


def study_walk(study, campaign, *, people, late, k):
    """Run the study: a crowd at once, forged events, time-outs, and some who come late."""
    kinds = kinds_of(people)
    crowd = dict(itertools.islice(kinds.items(), people - late))
    study.run(crowd, threads=8)
    forged = study.tell("person-1", "RETURNED", "forged", secret="not the secret")
    assert forged.status == 401
    ended = study.owner(
        "POST",
        f"campaigns/{study.slug}/panels/{study.panel['key']}/ended",
        {"outcome": "timed_out", "ids": ["person-0", "nobody-of-us"]},
    )
    assert ended.data == {"ended": 1, "before": 0, "unknown": ["nobody-of-us"]}
    for name in itertools.islice(kinds, people - late, None):
        study.plain(name)
    # Who was told that nothing is left finds what became free since.
    for one in study.people.values():
        if one.last.get("code") == "quota_full":
            one.work()
    study.check(campaign, k=k)


def _enter(person):
    try:
        return person.enter()
    finally:
        connection.close()


def _work(person):
    try:
        person.work()
    finally:
        connection.close()


def _run(job):
    work, name = job
    try:
        work(name)
    finally:
        connection.close()


def as_owner(browser, token):
    """Ask the API with a token."""

    def ask(method, path, body):
        content = None if body is None else json.dumps(body).encode()
        return browser.open(method, f"/api/v1/{path}", content, Authorization=f"Token {token}")

    return ask
