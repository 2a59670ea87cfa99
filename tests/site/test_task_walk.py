"""A task of three tracks and five teams in Chromium, one of which tries to cheat."""

import io
import json
import re
import uuid
import zipfile

import pytest
from django.conf import settings

from scoring.shared_tasks.models import SharedTask, Submission, TaskFile
from scoring.shared_tasks.submissions import frozen_get
from tests.factories import make_user
from tests.scoring.shared_tasks.made import choices_file, in_format, make_judged_campaign
from tests.scoring.shared_tasks.test_pages import made_for_training
from tests.site.visiting import faults, file
from tools.bench.clients import session_of

# At night: what a team may not see, send or win is judged rule by rule in scoring/shared_tasks.
pytestmark = [pytest.mark.browser, pytest.mark.nightly]
TEAMS = {"kite": "kate", "onyx": "olga", "rival": "rita", "stern": "sten", "eve": "eve"}
TRACKS = ("metrics", "realization", "segment")
PER_DAY = 2
EVIL = '<img src=x onerror="document.title=1">'
FORMULA = '=HYPERLINK("http://example.org","win")'
TEX = r"\input{/etc/passwd}$%&#"
GAME = "/tasks/game/"
# Twenty uploads at once, as one script sends them.
AT_ONCE = """async ([address, body, token]) => Promise.all([...Array(20).keys()].map(async (n) => {
  const form = new FormData();
  form.append("track", "realization");
  form.append("name", `burst ${n}`);
  form.append("file", new File([body], "choices.tsv"));
  const answer = await fetch(address, { method: "POST", body: form,
    headers: { "X-CSRFToken": token } });
  return answer.status;
}))"""


class Walk:
    """The people of the walk, each in a browser of their own."""

    def __init__(self, site, new_page):
        self.site, self.new_page = site, new_page

    def page_of(self, name):
        page = self.new_page(viewport={"width": 1280, "height": 900})
        with self.site.database():
            key = session_of(make_user(name))
        page.context.add_cookies([{"name": "sessionid", "value": key, "url": self.site.url}])
        page.goto(f"{self.site.url}/tasks/")
        return page

    def send(self, page, track, data, name="", file_name="answers.tsv"):
        """Upload by the form; what the page says then."""
        page.goto(f"{self.site.url}{GAME}submissions/")
        page.select_option("[name=track]", track)
        page.fill("[name=name]", name)
        page.set_input_files("[name=file]", file(data.decode(), file_name))
        with page.expect_response(lambda one: one.request.method == "POST"):
            page.click("main form:has([name=file]) .button")
        page.wait_for_load_state()
        return str(page.inner_text("main"))

    def accepted(self, page, track, data, name="", **how):
        assert "was accepted" in self.send(page, track, data, name, **how)

    def post(self, page, path, upload=None, **form):
        """The status of a request past the forms."""
        return int(self.answer(page, path, upload, **form).status)

    def answer(self, page, path, upload=None, **form):
        """The answer to one, with the page's login and its token."""
        if upload is not None:
            kind = "application/octet-stream"
            name = form.pop("name")
            form["file"] = {"name": name, "mimeType": kind, "buffer": upload}
        return page.request.post(
            f"{self.site.url}{path}",
            multipart=form or None,
            max_redirects=0,
            headers={"X-CSRFToken": token_of(page), "Referer": self.site.url},
        )


def token_of(page):
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}
    return str(cookies.get("csrftoken", ""))


def test_five_teams_and_one_of_them_cheats(live_site, new_page):
    site = live_site(environment={"PARAANNO_SECRET_KEY": settings.SECRET_KEY})
    with site.database():
        campaign = make_judged_campaign("judged", originals=10)
        made_for_training(campaign)
    site.start("web")
    site.start("worker")
    walk = Walk(site, new_page)
    alice = walk.page_of("alice")
    links = set_up(walk, alice)
    pages = join(walk, links)
    with site.database():
        task = SharedTask.objects.get(slug="game")
        files = {turn: choices_file(task, turn) for turn in (1, 0, -1)}
        frozen = frozen_get(task=task)
    scores = [f"{key}\t{len(text) % 7}" for key, text in zip(frozen.ids, frozen.texts, strict=True)]
    of_texts = "\n".join(["text\tscore", *scores, ""]).encode()
    for team, turn, ending in (("kite", 1, "tsv"), ("onyx", 0, "csv"), ("rival", -1, "jsonl")):
        for track in TRACKS:
            data = in_format(of_texts if track == "segment" else files[turn], ending)
            walk.accepted(
                pages[team], track, data, f"{team} {track}", file_name=f"answers.{ending}"
            )
    walk.accepted(pages["stern"], "metrics", of_texts)
    cheat(walk, pages["eve"], links, files, scores)
    settled(site)
    pages["kite"].goto(f"{site.url}{GAME}board/?track=metrics")
    assert pages["kite"].locator("main img").count() == 0
    assert "Dashed: human ceiling" in pages["kite"].inner_text("main")
    finish(walk, alice, pages)


def set_up(walk, page):
    """The organiser's way from the list of tasks to an open task; the links of the teams."""
    page.click("text=New task")
    for name, value in (("title", "Game"), ("slug", "game"), ("per_day", str(PER_DAY))):
        page.fill(f"[name={name}]", value)
    page.select_option("[name=campaign]", "judged")
    page.select_option("[name=train]", "training")
    for track in TRACKS:
        page.check(f"input[value={track}]")
    page.click("main form .button")
    page.wait_for_url(f"**{GAME}organise/")
    links = {}
    for team in TEAMS:
        page.fill("#team-name", team)
        page.click("text=Add the team")
        page.wait_for_selector(f"th:text-is('{team}')")
        found = re.search(r"http\S+/tasks/join/\S+", page.inner_text(".banner"))
        assert found is not None
        links[team] = found.group()
    page.click("text=Freeze and open")
    page.wait_for_selector("text=Close for good")
    assert "train.zip" in page.inner_text("main")
    return links


def join(walk, links):
    """Each team opens its link in a browser of its own."""
    pages = {team: walk.page_of(member) for team, member in TEAMS.items()}
    for team, page in pages.items():
        page.goto(links[team])
        page.click("main form .button")
        page.wait_for_url(f"**{GAME}")
    return pages


def settled(site):
    with site.database():
        waiting = Submission.objects.filter(status__in=["queued", "running"])
        site.until(lambda: not waiting.exists(), "all submissions are scored")
        failed = Submission.objects.filter(status="failed")
        assert list(failed.values_list("name", "error")) == []


def cheat(walk, eve, links, files, scores):
    """Everything that a team may think of; nothing of it works, and nothing is an error of ours."""
    site, address = walk.site, f"{GAME}submissions/"
    # Into another team, by a link that was passed on and by one that was guessed.
    assert walk.post(eve, links["kite"].removeprefix(site.url)) == 409
    assert walk.post(eve, f"/tasks/join/{uuid.uuid4().hex}/") == 404
    forged = {"Authorization": "Token " + "0" * 43, "Cookie": ""}
    assert eve.request.get(f"{site.url}/api/v1{GAME}submissions", headers=forged).status == 401
    guess_addresses(site, eve)
    with site.database():
        theirs = str(Submission.objects.get(name="kite metrics").key)
    for path in (
        f"{address}{theirs}/primary/",
        f"{address}{theirs}/withdraw/",
        f"/api/v1{address}{theirs}/primary",
    ):
        assert walk.post(eve, path) == 404, path
    for act in ("freeze", "close", "publish"):
        assert walk.post(eve, f"{GAME}organise/act/", do=act) == 403
    # Half of the pairs, hoping that they are the final ones; ids of another task; no numbers.
    lines = files[1].splitlines(keepends=True)
    nested = b'{"text": ' + b"[" * 200_000 + b"]" * 200_000 + b', "score": 1}\n'
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("choices.tsv", b"0" * 50_000_000)
    refused = {
        "half.tsv": b"".join(lines[: len(lines) // 2]),
        "other.tsv": b"pair\tchoice\npaaaaaaaaaa\ta\n",
        "twice.tsv": files[1] + lines[1],
        "zip.tsv": bomb.getvalue(),
        "bomb.xlsx": bomb.getvalue(),
        "nested.jsonl": nested,
        "wide.csv": b"pair,choice," + b"x," * 200_000 + b"\n",
        "nul.tsv": b"pair\tchoice\n\x00\xff\xfe\n",
        "huge.tsv": files[1] + b"\n" * (21 << 20),
    }
    for name, data in refused.items():
        assert walk.post(eve, address, data, name=name, track="metrics") in (413, 422), name
    for number in ("nan", "inf", "-Infinity", "1e999", "0x10", "1,5", ""):
        data = "\n".join(["text\tscore", f"{scores[0].split()[0]}\t{number}", *scores[1:]])
        code = walk.post(eve, address, data.encode(), name="s.tsv", track="segment")
        assert code == 422, number
    # Numbers as large as they come, the lines turned round and sides named the other way round:
    # taken, and worth what the ids say.
    large = [f"{line.split()[0]}\t{(-1) ** n * 1e308}" for n, line in enumerate(scores)]
    walk.accepted(eve, "segment", "\n".join(["text\tscore", *large]).encode(), "large")
    turned = [b"b\ta\t" + lines[0], *(b"x\ty\t" + one for one in reversed(lines[1:]))]
    walk.accepted(eve, "metrics", b"".join(turned), EVIL)
    walk.accepted(eve, "metrics", files[0], FORMULA)
    assert "that is the limit" in walk.send(eve, "metrics", files[1], "third")
    sent = [f"{site.url}{address}", files[1].decode(), token_of(eve)]
    codes = eve.evaluate(AT_ONCE, sent)
    assert codes.count(200) == PER_DAY and set(codes) == {200, 422}, codes
    with site.database():
        taken = Submission.objects.filter(team__name="eve", track__name="realization")
        assert taken.count() == PER_DAY
    method = f"<script>document.title=1</script>\n{TEX}\n{FORMULA}\n# heading"
    assert walk.post(eve, f"{GAME}method/", method=method) == 302
    assert walk.post(eve, f"{GAME}method/", method="x" * 20_001) == 400
    eve.goto(f"{site.url}{address}")
    assert eve.locator("main img, main script").count() == 0


def guess_addresses(site, page):
    """Gold, the organiser's page and files by their keys: none is there for a participant."""
    with site.database():
        secret = TaskFile.objects.get(role="frozen").key
        of_others = Submission.objects.get(name="kite metrics").key
    for path, status in {
        f"{GAME}organise/": 403,
        f"{GAME}everything.zip": 404,
        f"{GAME}files/{secret}/": 404,
        f"{GAME}files/{uuid.uuid4()}/": 404,
        f"{GAME}certificates/{of_others}/": 404,
        f"/api/v1{GAME}files/{secret}": 404,
        f"/api/v1{GAME}submissions/{of_others}": 404,
        f"/api/v1{GAME}teams": 403,
        "/c/judged/gold/": 404,
        "/c/judged/exports/": 404,
        "/c/training/": 404,
        f"{GAME}gold/pairs.tsv": 404,
        f"{GAME}files/frozen.json.gz": 404,
        "/static/../paraanno.sqlite3": 404,
    }.items():
        answer = page.request.get(f"{site.url}{path}")
        assert answer.status == status, (path, answer.status)


def finish(walk, alice, pages):
    """Close, publish, and what everybody gets."""
    site, eve = walk.site, pages["eve"]
    alice.goto(f"{site.url}{GAME}organise/")
    alice.click("text=Close for good")
    alice.wait_for_selector("text=Done.")
    late = walk.answer(eve, f"{GAME}submissions/", b"pair\tchoice\n", name="a.tsv", track="metrics")
    assert late.status == 422 and "closed" in late.text()
    with site.database():
        key = Submission.objects.get(name=FORMULA).key
        boards = SharedTask.objects.get().boards.filter(part="final", status="done")
        site.until(boards.exists, "the final board is made")
    assert walk.post(eve, f"{GAME}submissions/{key}/primary/") == 409
    alice.goto(f"{site.url}{GAME}organise/")
    alice.click("main button:text('Publish')")
    alice.wait_for_selector("text=The task is published")
    nobody = walk.new_page(viewport={"width": 1280, "height": 900})
    nobody.goto(f"{site.url}{GAME}board/?track=metrics")
    nobody.click("summary")
    best = nobody.locator(".task-board tbody tr:has-text('kite metrics')").inner_text()
    assert "1.000" in best and "\t1" in best
    assert FORMULA in nobody.inner_text(".task-board")
    assert nobody.locator("main img").count() == 0 and nobody.title() != "1"
    assert faults(nobody) == []
    answer = nobody.request.get(f"{site.url}{GAME}everything.zip")
    with zipfile.ZipFile(io.BytesIO(answer.body())) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    assert {"gold/pairs.tsv", "heds.json", "datasheet.md", "files/train.zip"} <= set(found)
    for track in ("metrics", "realization"):
        certificates = json.loads(found["certificates.json"])
        kite = [one for one in certificates if one["submission"] == f"kite {track}"]
        assert [one["strict"] for one in kite] == [1]
    for name, data in found.items():
        if name.endswith((".csv", ".tsv")) and not name.startswith("submissions/"):
            assert not re.search(rb"(?m)(^|\t)[=+@]\w", data), name
        if name.endswith(".tex"):
            assert b"\\input" not in data and b"<img" not in data
        if name.endswith(".html"):
            assert b"<img" not in data and b"&lt;img" in data
    site.manage("verify", "judged")  # It fails where a rule is broken.
