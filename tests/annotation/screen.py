"""The rating screen in Chromium, and what the database says about it."""

import itertools
import re
from contextlib import contextmanager

from django.contrib.sessions.models import Session
from django.test import override_settings

from annotation.collecting.sheets import sheet_view, sheets_of
from annotation.models import Campaign, Judgment, SlotEvent
from annotation.verify import verify
from tests.clients import client_of
from tests.factories import item_rows, make_annotator, make_campaign

HASHER = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
numbers = itertools.count(1)
# The address under which the page saves, for `page.route`.
SAVES = re.compile(r"/api/v1/sheets/[^/?]+(\?.*)?$")


def rows_about(sentences, phrase, *texts):
    """Rows of items with these sentences, each text the paraphrase of a system of its own."""
    return [
        {
            "item": str(number),
            "phrase": phrase,
            "sentence": sentence,
            "start": str(start := sentence.index(phrase)),
            "end": str(start + len(phrase)),
            "paraphrase": text,
            "system": text,
        }
        for number, sentence in enumerate(sentences)
        for text in texts
    ]


def different(items):
    """Rows of items with two different paraphrases each: four questions on every sheet."""
    rows = [row for row in item_rows(2 * items, 2) if "shared" not in row["paraphrase"]]
    return rows[: 2 * items]


class World:
    """A server behind a proxy whose line can be cut, and a campaign of its own."""

    def __init__(self, site, proxy, names=("bob",), **options):
        self.site, self.proxy = site, proxy
        self.slug = f"camp-{next(numbers)}"
        with site.database(), override_settings(PASSWORD_HASHERS=HASHER):
            options = {"k": 1, "cast": False, "rows": different(3), **options}
            campaign = make_campaign(self.slug, **options)
            for name in names:
                make_annotator(campaign, name)

    @contextmanager
    def campaign(self):
        """The campaign, in its site's database."""
        with self.site.database(), override_settings(PASSWORD_HASHERS=HASHER):
            yield Campaign.objects.get(slug=self.slug)

    @property
    def start(self):
        return f"{self.proxy.url}/rate/{self.slug}/"

    def log_in(self, context, name="bob"):
        """A session of the user in the browser, as the login page makes it; returns its key."""
        # The server's own key signs the session.
        secret = (self.site.data_dir / "secret_key").read_text().strip()
        with self.site.database(), override_settings(SECRET_KEY=secret):
            key = str(client_of(name).cookies["sessionid"].value)
        context.add_cookies([{"name": "sessionid", "value": key, "url": self.proxy.url}])
        return key

    def log_out_everybody(self):
        with self.site.database():
            Session.objects.all().delete()

    def rows(self, name="bob"):
        """The annotator's judgments: substitution, scale, value, reason, version, status."""
        with self.campaign() as campaign:
            rows = campaign.judgments.filter(annotator__user__username=name).order_by("pk")
            return list(
                rows.values_list(
                    "substitution__key", "scale__key", "value", "reason", "version", "status"
                )
            )

    def values(self, name="bob"):
        """The stored values of the annotator's sheets in the order in which they were shown."""
        with self.campaign() as campaign:
            annotator = campaign.annotators.get(user__username=name)
            # Before their events: a sheet may be taken meanwhile.
            sheets = list(sheets_of(annotator=annotator).select_related("item__phrase"))
            events = SlotEvent.objects.filter(annotator=annotator).order_by("-pk")
            first = dict(events.values_list("slot__sheet", "pk"))
            return [
                question.answer.value
                for sheet in sorted(sheets, key=lambda sheet: first[sheet.pk])
                for one in sheet_view(annotator=annotator, sheet=sheet).substitutions
                for question in one.questions
                if question.answer.version
            ]

    def check_counted(self, values):
        """All is saved and counts: the last sheet may be taken before the one in front of it."""
        self.site.until(
            lambda: (
                self.values() == list(values) and {row[5] for row in self.rows()} == {"counted"}
            ),
            f"{values} are counted",
        )

    def check_history(self):
        """Versions have no gap and no request was carried out twice; every rule holds."""
        with self.campaign() as campaign:
            for row in Judgment.objects.filter(campaign=campaign):
                history = list(row.versions.order_by("version"))
                assert [one.version for one in history] == list(range(1, row.version + 1))
                assert len({one.request_id for one in history}) == len(history)
                last = history[-1]
                assert (last.value, last.reason) == (row.value, row.reason)
            assert list(verify(campaign=campaign)) == []


class Screen:
    """One page of one annotator."""

    def __init__(self, world, page):
        self.world, self.page = world, page

    @classmethod
    def begin(cls, world, page):
        world.log_in(page.context)
        page.goto(world.start)
        page.click("main form .button")
        page.wait_for_selector(".question.current")
        screen = cls(world, page)
        screen.settle()
        return screen

    def settle(self):
        """Wait until digits are taken on a new sheet."""
        self.wait("form.sheet:not([data-fresh])")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def digits(self, digits):
        """Press one after the other."""
        self.page.keyboard.type(digits)

    def stand_still(self):
        """Stop the page's clock: what comes until `page.clock.resume()` is of one moment."""
        self.page.clock.install()
        self.page.clock.pause_at(self.page.evaluate("Date.now() / 1000") + 10)

    def digits_at_once(self, digits):
        """Press them within a moment, however slow the machine is."""
        self.stand_still()
        self.digits(digits)
        self.page.clock.resume()

    def finish(self, digits, *, saved=True):
        """Give the last answers of the sheet, and wait for the next one."""
        key = self.key
        self.digits(digits)
        self.next_after(key, saved=saved)

    def wait(self, selector, state="visible"):
        self.page.wait_for_selector(selector, state=state)

    def values(self):
        return self.world.values()

    @property
    def key(self):
        return str(self.page.get_attribute("form.sheet", "data-sheet"))

    @property
    def questions(self):
        return int(self.page.locator(".question").count())

    def saved(self, answers=0):
        """Wait for the sign that everything is saved, and until so many answers show it.

        What was pressed just before may not show yet: the sign follows in a timer of its own.
        """
        if answers:
            self.wait(f".question[data-save=saved] >> nth={answers - 1}")
        self.page.evaluate("() => new Promise((done) => setTimeout(() => setTimeout(done)))")
        self.wait("#save-state[data-state=saved]")

    def ahead(self, claims=1):
        """Wait until the page holds the next sheet, its answer number `claims` to that question,
        which a claim asks, or the request that hands a sheet in.

        Without it a cut line, a new text or a page that is left may come before that answer.
        """
        self.page.wait_for_function(
            "claims => performance.getEntriesByType('resource').filter("
            "  one => one.name.match(/\\/(claim|sheets\\/[^/]+)\\?/) && one.responseStatus === 200"
            ").length >= claims",
            arg=claims,
        )
        # The script takes what has arrived in a turn of its own.
        self.page.evaluate("() => new Promise((done) => setTimeout(() => setTimeout(done, 50)))")

    def next_after(self, key, *, saved=True):
        """Wait for another sheet than `key`, until it takes digits, and all before is saved."""
        self.wait(f"form.sheet:not([data-sheet='{key}'])")
        self.settle()
        if saved:
            self.saved()

    def complete(self, digit):
        """Answer all with one digit; False where something else than a sheet came after it."""
        key = self.key
        self.digits(str(digit) * self.questions)
        self.page.wait_for_function(
            "key => { const form = document.querySelector('form.sheet');"
            " return !form || form.dataset.sheet !== key && !form.hasAttribute('data-fresh')"
            "   && document.querySelector('#save-state').dataset.state === 'saved' }",
            arg=key,
        )
        return bool(self.page.locator("form.sheet").count())

    def unsent(self):
        """What the browser's storage still holds of anybody."""
        names = self.page.evaluate(
            """() => new Promise((resolve, reject) => {
              const asked = indexedDB.open("paraanno");
              asked.onerror = reject;
              asked.onsuccess = () => {
                const rows = asked.result.transaction("answers").objectStore("answers").getAll();
                rows.onsuccess = () => {
                  asked.result.close();
                  resolve(rows.result.map(({ place }) => place));
                };
              };
            })"""
        )
        return names

    def shown(self, save="saved"):
        """What the page shows as saved (waiting, conflict): value or reason by place."""
        found = self.page.evaluate(
            """(save) => [...document.querySelectorAll(`.question[data-save=${save}]`)]
            .map((box) => [
                box.closest(".substitution").dataset.substitution, box.dataset.scale,
                box.querySelector("input[type=number]")?.value
                  || box.querySelector("input:checked")?.value || ""])""",
            save,
        )
        return {(one, two): value for one, two, value in found}

    def check_shown(self):
        """Every value that is shown as saved is in the database, once."""
        shown = self.shown()  # First: what is saved between the two looks is no fault.
        stored = {}
        for substitution, scale, value, _reason, _version, _status in self.world.rows():
            place = (str(substitution), str(scale))
            assert place not in stored
            stored[place] = "none" if value is None else f"{value:g}"
        assert shown == {place: stored.get(place) for place in shown}
