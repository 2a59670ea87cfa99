"""A campaign with everything goes through browser, API and commands. All numbers of its zip are
recomputed from the files by `tests.site.recount`, which shares no code with the product."""

import csv
import io
import json
import random
import re
import zipfile
from uuid import uuid4

import pytest
import requests

from tests.site.recount.report import recount
from tests.site.visiting import PASSWORD, file, log_in, make_user

pytestmark = pytest.mark.browser
ANNOTATORS = ("anna", "ben", "cleo", "dan")
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SYSTEMS = ("plain", "free", "short", "broken")
EXPECTED = """sentence,phrase,paraphrase,role,scale,low,high,explanation,part
The shop gave up selling maps.,gave up,stopped,control,MEANING,4,5,,
The shop gave up selling maps.,gave up,banana,control,GRAMMAR,1,2,,
We looked after the dog.,looked after,cared for,practice,MEANING,4,5,It means the same.,practice
We looked after the dog.,looked after,cared for,practice,GRAMMAR,5,5,It has no error.,practice
They set off at noon.,set off,left,practice,MEANING,4,5,,test
"""


class Api:
    """The REST API as one person."""

    def __init__(self, site, name):
        self.address = f"{site.url}/api/v1/"
        self.session = requests.Session()
        token = self("POST", "token", {"username": name, "password": PASSWORD})["token"]
        self.session.headers["Authorization"] = f"Token {token}"

    def __call__(self, method, path, data=None):
        body = self.raw(method, path, data)
        return json.loads(body) if body else None

    def list(self, what):
        """The first page of a list of the campaign."""
        return self("GET", f"campaigns/recount/{what}")["results"]

    def raw(self, method, path, data=None):
        answer = self.session.request(method, self.address + path, json=data, timeout=120)
        answer.raise_for_status()
        return answer.content


def items_csv():
    """24 sentences in two languages; a third has no reference, some texts are shared or missing."""
    rows = []
    for number in range(24):
        korean = number % 3 == 2
        phrase = f"구절 {number // 2}" if korean else f"turn {number // 2} around"
        sentence = (
            f"우리는 오늘 {phrase} 문제를 {number}번 생각했다."
            if korean
            else f"On day {number} they wanted to {phrase} before the rain came."
        )
        reference = "" if number % 3 == 1 else sentence.replace(phrase, f"{phrase[:3]} so")
        for at, system in enumerate(SYSTEMS):
            if (number + at) % 11 == 10:
                continue
            text = (
                f"바꾼 말 {at} {number}" if korean else f"change {'quite ' * at}course {number % 5}"
            )
            if number % 4 == 0 and at == 1:
                text = f"바꾼 말 0 {number}" if korean else f"change course {number % 5}"
            rows.append(
                {
                    "item": f"i{number}",
                    "phrase": phrase,
                    "sentence": sentence,
                    "paraphrase": text,
                    "system": system,
                    "language": "ko" if korean else "en",
                    "reference": reference,
                    "reference_2": sentence if number % 6 == 0 else "",
                }
            )
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def set_up(page, site):
    """By browser: items, controls, practice, copies, repeats, opening; the link for annotators."""
    address = f"{site.url}/c/recount/"
    page.goto(f"{address}import/")
    page.set_input_files("input[type=file]", file(items_csv()))
    page.click("text=Check the file")
    page.wait_for_selector("text=The file is fine")
    page.click("text=Import it")
    page.wait_for_selector("text=Imported so far")
    page.goto(f"{address}quality/controls/")
    page.set_input_files("input[type=file]", file(EXPECTED, "expected.csv"))
    page.click("form:has(input[type=file]) button.button")
    page.wait_for_selector("text=texts have their expected values")
    page.goto(f"{address}quality/controls/")
    page.fill("[name=items]", "3")
    page.click("form:has([name=items]) button.button")
    page.wait_for_selector("text=copies were made")
    page.goto(f"{address}quality/")
    page.fill("[name=repeat_share]", "0.3")
    page.fill("[name=repeat_after]", "1")
    page.click("form:has([name=repeat_share]) button.button")
    page.goto(f"{address}practice/")
    page.check("[name=required]")
    page.click("form:has([name=required]) button")
    page.goto(address)
    page.click("a.button:text('Open')")
    page.click("main button:text('Open')")
    page.wait_for_selector(".badge:text('Open')")
    page.goto(f"{address}people/")
    page.fill("[name=max_uses]", str(len(ANNOTATORS)))
    page.click("text=Make a link")
    return str(page.inner_text("#link"))


def practise(page, site, first):
    """By browser: the practice text, whose first answer may be wrong, and the test."""
    page.goto(f"{site.url}/rate/recount/practice/")
    page.click("text=Begin practice")
    page.wait_for_selector("fieldset:focus-within")
    for value in (first, 5) if first < 4 else (first,):  # 4 and 5 are right.
        page.keyboard.press(str(value))
        page.wait_for_selector(f".verdict:has-text('{'Right.' if value >= 4 else 'Not what'}')")
    page.keyboard.press("5")
    page.wait_for_selector(".verdict >> nth=1")
    page.click("#next")
    page.wait_for_url("**/practice/")
    page.click("text=Begin the test")
    page.wait_for_selector("fieldset:focus-within")
    page.keyboard.press("4")
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You are ready")


def judge(api, seed, at_most=10_000):
    """By API: every sheet that there is, a few answers "cannot judge"."""
    chance = random.Random(seed)
    following = api("POST", "campaigns/recount/claim", {})
    count = 0
    while following["sheet"] is not None and count < at_most:
        sheet = following["sheet"]
        for text in sheet["substitutions"]:
            level = sum(map(ord, text["text"])) % 4 + 1
            for scale in sheet["scales"]:
                value = min(5, max(1, level + chance.choice((-1, 0, 0, 0, 1))))
                unclear = chance.random() < 0.04
                answer = {
                    "id": str(uuid4()),
                    "annotator": sheet["annotator"],
                    "base_version": 0,
                    "value": None if unclear else value,
                    "reason": "not clear" if unclear else "",
                }
                path = f"sheets/{sheet['key']}/judgments/{text['key']}/{scale['key']}"
                api("PUT", path, answer)
        done = {"state": "done", "annotator": sheet["annotator"]}
        following = api("PUT", f"sheets/{sheet['key']}/state", done)
        count += 1
    return count


def test_every_number_of_the_zip_is_recounted(live_site, new_page, tmp_path):
    site = live_site()
    site.manage("migrate", "--verbosity", "0")
    make_user(site, "rita", superuser=True)
    for name in ANNOTATORS:
        make_user(site, name)
    site.start("web")
    site.start("worker")
    rita = Api(site, "rita")
    rita(
        "POST",
        "campaigns",
        {
            "slug": "recount",
            "name": "Recount",
            "annotators_per_sheet": 3,
            "shared_share": 0.25,
        },
    )
    page = new_page()
    log_in(page, site, "rita")
    link = set_up(page, site)
    for seed, name in enumerate(ANNOTATORS):
        guest = new_page()
        log_in(guest, site, name)
        guest.goto(link)
        guest.click("main form .button")
        api = Api(site, name)
        assert judge(api, seed) == 0, "nobody judges before the practice"
        practise(guest, site, first=5 - seed)
        assert judge(api, seed, at_most=14) > 5

    later = ["item,paraphrase,annotator,scale,value"]
    later += [
        f"{item['outside_ids'][0]},{text['text']},guest,{scale},{value}"
        for item in rita.list("items?page_size=5")
        for text in item["substitutions"]
        if text["role"] == "output"
        for scale, value in (("MEANING", 2), ("GRAMMAR", 3))
    ]
    (tmp_path / "later.csv").write_text("\n".join(later) + "\n")
    site.manage("import_judgments", "recount", str(tmp_path / "later.csv"))
    exclude(site, page, rita)
    against = {
        "bleu:against=references": "references",
        "chrf:against=references": "references",
        "pinc": "original",
    }
    for metric in list(against)[:2]:
        rita("POST", "campaigns/recount/runs", {"metric": metric})
    site.manage("run_metric", "recount", "--metric", "pinc", "--wait")
    site.until(lambda: {one["status"] for one in rita.list("runs")} == {"done"}, "runs are done")
    site.manage("verify", "recount")

    site.manage("export", "recount", "--what", "paper", "-o", str(tmp_path / "paper.zip"))
    with zipfile.ZipFile(tmp_path / "paper.zip") as paper:
        paper.extractall(tmp_path / "paper")
    for what in ("items", "judgments"):
        (tmp_path / f"{what}.csv").write_bytes(
            rita.raw("POST", "campaigns/recount/exports", {"what": what, "format": "csv"})
        )
    for kind in ("agreement", "results", "correlation"):
        shown = rita("GET", f"campaigns/recount/reports/{kind}")["result"]
        assert without_ids(shown) == json.loads((tmp_path / "paper" / f"{kind}.json").read_text())
    tally = recount(tmp_path, against)
    assert not tally.wrong, "\n".join(tally.wrong[:50])
    assert tally.compared > 1000


def without_ids(value):
    """What the API says without the site's own ids, which a paper's zip does not hold."""
    if isinstance(value, dict):
        return {
            name: without_ids(one)
            for name, one in value.items()
            if not (isinstance(one, str) and ID.fullmatch(one))
        }
    return [without_ids(one) for one in value] if isinstance(value, list) else value


def exclude(site, page, rita):
    """An annotator on the page of people, a system by the API."""
    page.goto(f"{site.url}/c/recount/people/")
    codes = {one["code"]: one["key"] for one in rita.list("annotators")}
    form = page.locator("form[action$='exclude/']")
    form.locator("[name=annotator]").select_option(codes[sorted(codes)[1]])
    form.locator("[name=reason]").fill("Answered without reading.")
    form.locator("button").click()
    page.wait_for_selector("text=Answered without reading.")
    systems = {one["label"]: one["key"] for one in rita.list("systems")}
    rita(
        "POST",
        "campaigns/recount/exclusions",
        {
            "target": "system",
            "target_key": systems["broken"],
            "reason": "A bug in the generator.",
            "free_slots": False,
        },
    )
