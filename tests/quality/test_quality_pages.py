"""The pages of quality control, as researchers and annotators meet them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    QualityAction,
    QualityPlan,
    QualityRule,
    Substitution,
)
from annotation.services.quality import plan_set, rule_add
from tests.factories import make_annotator, make_campaign, make_user
from tests.quality.acts import control, work

pytestmark = pytest.mark.django_db
BASE = "/c/camp/quality/"


def researcher() -> Client:
    client = Client()
    client.force_login(make_user("dora"))
    return client


def bob_in() -> Client:
    client = Client()
    client.force_login(make_user("bob"))
    return client


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def watched(act: str = "warn") -> tuple[Campaign, Annotator]:
    """Bob fails every control, and a rule has acted after his second sheet."""
    campaign = make_campaign(items=4, systems=1, k=1)
    for number in range(4):
        word = "shared" if number % 3 == 2 else "system 0"
        control(campaign, f"{word} paraphrase {number}", 5, 5)
    plan_set(campaign=campaign, actor=None, changes={"delay_least": 1, "delay_most": 1})
    rule_add(campaign=campaign, check="control", least=2, share=0.5, act=act, actor=None)
    bob = make_annotator(campaign, "bob")
    work(bob, lambda text, scale: 1, sheets=2)
    return campaign, bob


def test_rules_are_made_and_ended_on_the_page() -> None:
    make_campaign()
    client = researcher()
    asked = {"check": "fast", "least": "5", "percent": "40", "act": "pause"}
    answer = client.post(f"{BASE}rules/", asked, follow=True)
    assert "in force from the next submitted sheet" in text_of(answer)
    rule = QualityRule.objects.get()
    assert (rule.check_name, rule.least, rule.share, rule.act) == ("fast", 5, 0.4, "pause")
    assert "40 %" in text_of(client.get(BASE))
    twice = client.post(f"{BASE}rules/", asked)
    assert twice.status_code == 422 and "already" in text_of(twice)
    assert client.post(f"{BASE}rules/", {**asked, "percent": "0"}).status_code == 422
    client.post(f"{BASE}rules/{rule.key}/end/")
    assert "No rule is in force" in text_of(client.get(BASE))


def test_the_plan_is_set_on_the_page() -> None:
    make_campaign()
    asked = {
        "repeat_share": "0.1", "repeat_after": "5", "fast_seconds": "0.8", "delay_least": "1",
        "delay_most": "3",
    }  # fmt: skip
    assert researcher().post(f"{BASE}plan/", asked).status_code == 302
    assert QualityPlan.objects.get().fast_seconds == 0.8
    wrong = researcher().post(f"{BASE}plan/", {**asked, "delay_least": "9"})
    assert wrong.status_code == 422
    assert QualityPlan.objects.get().delay_least == 1


def test_controls_and_copies_are_made_on_the_page() -> None:
    campaign = make_campaign(open_it=False)
    client = researcher()
    scale = campaign.scales.get(name="MEANING")
    asked = {
        "sentence": "Watch this here.", "phrase": "this", "paraphrase": "that",
        f"{scale.key}-low": "4", f"{scale.key}-high": "5",
    }  # fmt: skip
    assert client.post(f"{BASE}controls/new/", asked).status_code == 302
    text = Substitution.objects.get(role="control")
    page = text_of(client.get(f"{BASE}controls/"))
    assert "MEANING 4–5" in page  # noqa: RUF001
    assert client.post(f"{BASE}controls/new/", {**asked, "phrase": "absent"}).status_code == 422
    nothing = {key: value for key, value in asked.items() if "-" not in key}
    assert client.post(f"{BASE}controls/new/", nothing).status_code == 422

    address = f"{BASE}texts/{text.key}/"
    assert 'value="4"' in text_of(client.get(address))
    assert client.post(address, {f"{scale.key}-low": "1", f"{scale.key}-high": ""}).status_code == (
        302
    )
    assert [(one.low, one.high) for one in text.expected.all()] == [(1, 1)]
    assert client.post(address, {f"{scale.key}-low": "7"}).status_code == 422
    client.post(address, {"remove": "yes"})
    assert not text.expected.exists()

    made = client.post(
        f"{BASE}copies/", {"kind": "shuffle", "items": "3", "seed": "1"}, follow=True
    )
    assert "3 copies were made" in text_of(made)
    few = client.post(f"{BASE}copies/", {"kind": "copy", "items": "99", "seed": "1"}, follow=True)
    assert "4 copies were made. The other items" in text_of(few)
    assert client.post(f"{BASE}copies/", {"kind": "copy", "items": "0"}).status_code == 422


def test_a_file_of_expected_values_is_imported_on_the_page() -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    make_campaign()
    client = researcher()

    def send(text: str) -> Any:
        file = SimpleUploadedFile("e.csv", text.encode())
        return client.post(f"{BASE}import/", {"file": file}, follow=True)

    head = "sentence,phrase,paraphrase,role,scale,low,high\n"
    wrong = send(head + "Look here.,there,x,control,MEANING,1,2\n")
    assert wrong.status_code == 422 and "Nothing was imported" in text_of(wrong)
    assert send(head).status_code == 422
    right = send(head + "Look here.,here,there,control,MEANING,1,2\n")
    assert "1 text has its values" in text_of(right)


def test_the_record_shows_checks_actions_and_items() -> None:
    campaign, bob = watched()
    client = researcher()
    overview = text_of(client.get(BASE))
    assert "4 / 4" in overview and f"/c/camp/people/{bob.key}/" in overview
    assert f"/c/camp/people/{bob.key}/" in text_of(client.get("/c/camp/people/"))
    page = text_of(client.get(f"/c/camp/people/{bob.key}/"))
    for words in (f"Record of {bob.code}", "4 / 4", "100 %", "Not read yet", "MEANING 1", "5–5"):  # noqa: RUF001
        assert words in page, words
    assert f"/c/camp/items/{campaign.items.all()[0].key}/" in page or "/items/" in page


def test_actions_are_taken_and_lifted_on_the_record() -> None:
    _, bob = watched("exclude")
    action = QualityAction.objects.get()
    assert action.taken_at is not None and Exclusion.objects.filter(ends_at=None).exists()
    client = researcher()
    address = f"{BASE}actions/{action.key}/"
    assert client.post(address, {"do": "dance"}).status_code == 400
    answer = client.post(address, {"do": "lift"})
    assert answer["Location"] == f"/c/camp/people/{bob.key}/"
    assert not Exclusion.objects.filter(ends_at=None).exists()
    assert "Lifted" in text_of(client.get(answer["Location"]))
    assert client.post(address, {"do": "take"}).status_code == 302
    action.refresh_from_db()
    assert action.lifted_at is not None


def test_a_warning_is_read_between_two_sheets_without_javascript() -> None:
    watched("warn")
    client = bob_in()
    answer = client.post("/rate/camp/")
    assert answer["Location"] == "/rate/camp/notice/"
    page = text_of(client.get("/rate/camp/notice/"))
    assert "guidelines once more" in page
    for secret in ("control", "copy", "degraded", "fail", "paraphrase 0", "rule"):
        assert secret not in page.casefold(), secret
    client.post("/rate/camp/notice/")
    assert client.post("/rate/camp/")["Location"].startswith("/rate/camp/")
    assert "There is nothing to read" in text_of(client.get("/rate/camp/notice/"))


def test_after_a_sheet_the_program_hears_of_the_warning() -> None:
    _, bob = watched("warn")
    QualityAction.objects.update(taken_at=None)
    from annotation.services.claiming import claim_next
    from tests.factories import rate_sheet

    sheet = claim_next(annotator=bob)
    assert sheet is not None
    rate_sheet(bob, sheet, 1, submit=False)
    answer = bob_in().put(
        f"/api/v1/sheets/{sheet.key}/state",
        {"state": "done", "annotator": str(bob.key)},
        "application/json",
    )
    found = answer.json()
    assert answer.status_code == 200 and found["state"] == "done" and found["sheet"] is None
    assert (found["code"], found["url"]) == ("warned", "/rate/camp/notice/")


def test_who_is_paused_reads_why_and_keeps_their_pages() -> None:
    watched("pause")
    client = bob_in()
    assert client.post("/rate/camp/")["Location"] == "/rate/camp/notice/"
    assert "Your work is paused" in text_of(client.get("/rate/camp/notice/"))
    client.post("/rate/camp/notice/")
    assert client.post("/rate/camp/")["Location"] == "/rate/camp/notice/"
    assert client.get("/rate/camp/own/").status_code == 200
