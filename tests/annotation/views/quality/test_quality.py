"""Quality control and practice on their pages."""

from annotation.collecting.claiming import claim_next
from annotation.models import (
    Exclusion,
    PracticeAttempt,
    QualityAction,
    QualityPlan,
    QualityRule,
    Substitution,
)
from annotation.quality.overview import attempt_texts
from tests.annotation.acts import add_rule, control, plan, work
from tests.annotation.school import go_through, school
from tests.clients import client_of, html_of, upload
from tests.factories import make_annotator, make_campaign, rate_sheet

BASE = "/c/camp/quality/"


def watched(act="warn"):
    """Bob fails every control, and a rule has acted after his second sheet."""
    campaign = make_campaign(items=4, systems=1, k=1)
    for number in range(4):
        word = "shared" if number % 3 == 2 else "system 0"
        control(campaign, f"{word} paraphrase {number}", 5, 5)
    plan(campaign, delay_least=1, delay_most=1)
    add_rule(campaign, "control", act, least=2, share=0.5)
    bob = make_annotator(campaign, "bob")
    work(bob, lambda text, scale: 1, sheets=2)
    return campaign, bob


def test_controls_and_copies_are_made_on_the_page():
    campaign = make_campaign(open_it=False)
    client = client_of("dora")
    scale = campaign.scales.get(name="MEANING")
    asked = {
        "sentence": "Watch this here.",
        "phrase": "this",
        "paraphrase": "that",
        f"{scale.key}-low": "4",
        f"{scale.key}-high": "5",
    }
    assert client.post(f"{BASE}controls/new/", asked).status_code == 302
    text = Substitution.objects.get(role="control")
    assert "MEANING 4–5" in html_of(client.get(f"{BASE}controls/"))
    assert client.post(f"{BASE}controls/new/", {**asked, "phrase": "absent"}).status_code == 422

    address = f"{BASE}texts/{text.key}/"
    assert 'value="4"' in html_of(client.get(address))
    assert client.post(address, {f"{scale.key}-low": "1"}).status_code == 302
    assert [(one.low, one.high) for one in text.expected.all()] == [(1, 1)]
    assert client.post(address, {f"{scale.key}-low": "7"}).status_code == 422
    client.post(address, {"remove": "yes"})
    assert not text.expected.exists()

    for kind, items, words in (
        ("shuffle", "3", "3 copies were made"),
        ("copy", "99", "4 copies were made. The other items"),
    ):
        form = {"kind": kind, "items": items, "seed": "1"}
        assert words in html_of(client.post(f"{BASE}copies/", form, follow=True))
    assert client.post(f"{BASE}copies/", {"kind": "copy", "items": "0"}).status_code == 422


def test_a_file_of_expected_values_is_imported_on_the_page():
    make_campaign()
    head = "sentence,phrase,paraphrase,role,scale,low,high\n"
    for row, code, words in (
        ("Look here.,there,x,control,MEANING,1,2\n", 422, "Nothing was imported"),
        ("", 422, ""),
        ("Look here.,here,there,control,MEANING,1,2\n", 200, "1 text has its expected values"),
    ):
        file = upload("e.csv", (head + row).encode())
        answer = client_of("dora").post(f"{BASE}import/", {"file": file}, follow=True)
        assert answer.status_code == code and words in html_of(answer)


def test_a_warning_is_read_between_two_sheets_without_javascript():
    watched("warn")
    client = client_of("bob")
    assert client.post("/rate/camp/")["Location"] == "/rate/camp/notice/"
    page = html_of(client.get("/rate/camp/notice/"))
    assert "guidelines once more" in page
    for secret in ("control", "copy", "degraded", "fail", "paraphrase 0", "rule"):
        assert secret not in page.casefold(), secret
    client.post("/rate/camp/notice/")
    assert client.post("/rate/camp/")["Location"].startswith("/rate/camp/")
    assert "There is nothing to read" in html_of(client.get("/rate/camp/notice/"))


def test_after_a_sheet_the_program_hears_of_the_warning():
    _, bob = watched("warn")
    QualityAction.objects.update(taken_at=None)
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    rate_sheet(bob, sheet, 1, submit=False)
    body = {"state": "done", "annotator": str(bob.key)}
    answer = client_of("bob").put(f"/api/v1/sheets/{sheet.key}/state", body, "application/json")
    found = answer.json()
    assert answer.status_code == 200 and found["state"] == "done" and found["sheet"] is None
    assert (found["code"], found["url"]) == ("warned", "/rate/camp/notice/")


def test_the_whole_way_as_plain_forms():
    campaign, bob = school(test=1, share=1)
    client = client_of("bob")
    scales = {scale.name: scale.key for scale in campaign.scales.all()}
    assert client.post("/rate/camp/")["Location"] == "/rate/camp/practice/"
    assert "/rate/camp/practice/" in html_of(client.get("/rate/camp/"))
    assert "Begin practice" in html_of(client.get("/rate/camp/practice/"))
    page = client.post("/rate/camp/practice/", {"part": "practice"}, follow=True)
    address = page.redirect_chain[-1][0]
    [text] = attempt_texts(attempt=PracticeAttempt.objects.get())
    assert "Because of" not in html_of(page), "no answer before the annotator's own"

    def answer(**values):
        form = {f"value.{scales[name]}": value for name, value in values.items()}
        return client.post(address, {"text": str(text.substitution.key), **form}, follow=True)

    assert answer().status_code == answer(MEANING="x").status_code == 409
    first = html_of(answer(MEANING="2"))
    assert "Not what we expect." in first and "4 to 5 fits." in first and "Because of 0." in first
    assert "It is a whole sentence." not in first
    last = html_of(answer(GRAMMAR="5"))
    assert "Right." in last and "Finish" in last

    page = client.post("/rate/camp/practice/", {"part": "test"}, follow=True)
    address = page.redirect_chain[-1][0]
    assert "Because of" not in html_of(page) and "fits" not in html_of(page)
    [text] = attempt_texts(attempt=PracticeAttempt.objects.get(part="test"))
    assert answer(MEANING="5").status_code == 409, "a test takes a text as a whole"
    done = html_of(answer(MEANING="5", GRAMMAR="1"))
    assert "1 of 2 right" in done and "Not enough." in done and "1 try left" in done
    assert client.get(address)["Location"] == "/rate/camp/practice/", "nothing explained yet"

    go_through(bob, "test", 5, 5)
    assert "See the answers explained" in html_of(client.get("/rate/camp/practice/"))
    assert "Because of 0." in html_of(client.get(address))
    assert client.post("/rate/camp/")["Location"].startswith("/rate/camp/")
    assert client.post("/rate/camp/practice/", {"part": "exam"}).status_code == 400


def test_researchers_set_it_up_on_the_page():
    campaign = make_campaign(open_it=False)
    client = client_of("dora")
    scales = {scale.name: scale.key for scale in campaign.scales.all()}
    asked = {
        "sentence": "Learn this here.",
        "phrase": "this",
        "paraphrase": "that",
        "part": "test",
        f"{scales['MEANING']}-low": "4",
        f"{scales['MEANING']}-high": "",
        f"{scales['MEANING']}-why": "Nearly the same.",
    }
    assert client.post("/c/camp/practice/texts/", asked).status_code == 302
    assert client.post("/c/camp/practice/texts/", {**asked, "phrase": "no"}).status_code == 422
    rule = {"required": "on", "percent": "70", "tries": "3"}
    rule |= {f"tolerance-{key}": "1" for key in scales.values()}
    assert client.post("/c/camp/practice/", rule).status_code == 302
    assert client.post("/c/camp/practice/", {**rule, "percent": "0"}).status_code == 422
    page = html_of(client.get("/c/camp/practice/"))
    assert "MEANING 4" in page and 'value="70"' in page
    text = Substitution.objects.get(role="practice")
    assert "Nearly the same." in html_of(client.get(f"/c/camp/quality/texts/{text.key}/"))


def test_rules_are_made_and_ended_on_the_page():
    make_campaign()
    client = client_of("dora")
    asked = {"check": "fast", "least": "5", "percent": "40", "act": "pause"}
    answer = client.post(f"{BASE}rules/", asked, follow=True)
    assert "in force from the next submitted sheet" in html_of(answer)
    rule = QualityRule.objects.get()
    assert (rule.check_name, rule.least, rule.share, rule.act) == ("fast", 5, 0.4, "pause")
    assert "40 %" in html_of(client.get(BASE))
    twice = client.post(f"{BASE}rules/", asked)
    assert twice.status_code == 422 and "already" in html_of(twice)
    assert client.post(f"{BASE}rules/", {**asked, "percent": "0"}).status_code == 422
    client.post(f"{BASE}rules/{rule.key}/end/")
    assert "No rule is in force" in html_of(client.get(BASE))


def test_the_plan_is_set_on_the_page():
    make_campaign()
    asked = {
        "repeat_share": "0.1",
        "repeat_after": "5",
        "fast_seconds": "0.8",
        "delay_least": "1",
        "delay_most": "3",
    }
    for least, code in (("1", 302), ("9", 422)):
        answer = client_of("dora").post(f"{BASE}plan/", {**asked, "delay_least": least})
        assert answer.status_code == code
    plan = QualityPlan.objects.get()
    assert (plan.fast_seconds, plan.delay_least) == (0.8, 1)


def test_actions_are_taken_and_lifted_on_the_record():
    _, bob = watched("exclude")
    action = QualityAction.objects.get()
    assert action.taken_at is not None and Exclusion.objects.filter(ends_at=None).exists()
    client = client_of("dora")
    address = f"{BASE}actions/{action.key}/"
    assert client.post(address, {"do": "dance"}).status_code == 400
    answer = client.post(address, {"do": "lift"})
    assert answer["Location"] == f"/c/camp/people/{bob.key}/"
    assert not Exclusion.objects.filter(ends_at=None).exists()
    assert "Lifted" in html_of(client.get(answer["Location"]))
    assert client.post(address, {"do": "take"}).status_code == 302
    action.refresh_from_db()
    assert action.lifted_at is not None
