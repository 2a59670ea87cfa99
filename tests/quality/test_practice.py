"""Practice and test: explained answers, a rule that passes, the way into the campaign."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import (
    Annotator,
    AuditEntry,
    Campaign,
    Judgment,
    PracticeAnswer,
    PracticeAttempt,
    Scale,
    Substitution,
)
from annotation.selectors.practice import attempt_texts, practice_wanted, standing
from annotation.selectors.verify import verify
from annotation.services.claiming import NotClaimable, claim_next
from annotation.services.errors import Conflict, Invalid
from annotation.services.practice import (
    attempt_start,
    practice_answer,
    practice_grant,
    practice_set,
)
from annotation.services.quality import Band
from annotation.services.quality_import import text_add
from scoring.selectors.ratings import ratings_get
from tests.factories import make_annotator, make_campaign, make_user, rate_all

pytestmark = pytest.mark.django_db


def add(campaign: Campaign, part: str, number: int, low: float, high: float) -> Substitution:
    return text_add(
        campaign=campaign, role="practice", part=part, sentence=f"Learn this {part} {number}.",
        phrase="this", paraphrase=f"that {number}", actor=None,
        bands={
            "MEANING": Band(low, high, f"Because of {number}."),
            "GRAMMAR": Band(5, 5, "It is a whole sentence."),
        },
    )  # fmt: skip


def school(
    *, practice: int = 1, test: int = 2, required: bool = True, share: float = 0.75, tries: int = 2,
    tolerance: float = 0,
) -> tuple[Campaign, Annotator]:  # fmt: skip
    """MEANING 4 to 5 and GRAMMAR 5 are right everywhere."""
    campaign = make_campaign(items=2, k=2)
    for number in range(practice):
        add(campaign, "practice", number, 4, 5)
    for number in range(test):
        add(campaign, "test", number, 4, 5)
    meaning = campaign.scales.get(name="MEANING")
    practice_set(
        campaign=campaign, required=required, share=share, tries=tries,
        tolerance={meaning: tolerance}, actor=None,
    )  # fmt: skip
    return campaign, make_annotator(campaign, "bob")


def go_through(annotator: Annotator, part: str, meaning: float, grammar: float) -> PracticeAttempt:
    attempt = attempt_start(annotator=annotator, part=part)
    for text in attempt_texts(attempt=attempt):
        values = {one.scale.pk: {"MEANING": meaning}.get(one.scale.name, grammar)
                  for one in text.questions}  # fmt: skip
        practice_answer(attempt=attempt, text=text, values=values)
    attempt.refresh_from_db()
    return attempt


def where(annotator: Annotator) -> Any:
    return standing(campaign=annotator.campaign, annotator=annotator)


def test_the_campaign_opens_with_a_passed_test() -> None:
    _, bob = school()
    with pytest.raises(NotClaimable) as refused:
        claim_next(annotator=bob)
    assert (refused.value.code, refused.value.data["url"]) == ("practice", "/rate/camp/practice/")
    with pytest.raises(Conflict):
        attempt_start(annotator=bob, part="test")
    assert go_through(bob, "practice", 1, 1).passed
    assert practice_wanted(annotator=bob)
    attempt = go_through(bob, "test", 4, 5)
    assert (attempt.right, attempt.asked, attempt.passed) == (4, 4, True)
    assert claim_next(annotator=bob) is not None
    with pytest.raises(Conflict):
        attempt_start(annotator=bob, part="test")
    assert AuditEntry.objects.filter(verb="pass test").count() == 1


@pytest.mark.parametrize(
    ("meaning", "grammar", "share", "tolerance", "passed"),
    [
        (3, 5, 0.75, 0, False),
        (3, 5, 0.5, 0, True),
        (3, 5, 0.75, 1, True),
        (2, 5, 0.75, 1, False),
        (5, 4, 0.75, 1, False),
        (4, 5, 1.0, 0, True),
    ],
)
def test_tolerance_and_share(
    meaning: float, grammar: float, share: float, tolerance: float, passed: bool
) -> None:
    _, bob = school(practice=0, share=share, tolerance=tolerance)
    assert go_through(bob, "test", meaning, grammar).passed is passed
    assert practice_wanted(annotator=bob) is not passed


def test_tries_run_out_and_a_researcher_helps() -> None:
    _, bob = school(practice=0, tries=2)
    for left in (1, 0):
        go_through(bob, "test", 1, 1)
        assert where(bob).tries_left == left
    assert where(bob).stuck and where(bob).explains_test
    with pytest.raises(Conflict, match="no try left"):
        attempt_start(annotator=bob, part="test")
    practice_grant(annotator=bob, kind="try", actor=make_user("alice"))
    assert where(bob).tries_left == 1 and not where(bob).explains_test
    go_through(bob, "test", 1, 1)
    practice_grant(annotator=bob, kind="pass", actor=make_user("alice"))
    assert where(bob).passed and claim_next(annotator=bob) is not None
    with pytest.raises(Invalid):
        practice_grant(annotator=bob, kind="gift", actor=None)


def test_without_a_test_practice_is_enough() -> None:
    _, bob = school(test=0)
    assert practice_wanted(annotator=bob)
    go_through(bob, "practice", 1, 1)
    assert not practice_wanted(annotator=bob)


def test_what_is_not_required_stops_nobody() -> None:
    _, bob = school(required=False)
    assert claim_next(annotator=bob) is not None
    campaign = make_campaign("empty")
    practice_set(campaign=campaign, required=True, share=1, tries=1, tolerance={}, actor=None)
    assert not practice_wanted(annotator=make_annotator(campaign, "bob")), "there are no texts"


def test_an_attempt_goes_on_where_it_was_left() -> None:
    _, bob = school(practice=0)
    attempt = attempt_start(annotator=bob, part="test")
    text, other = attempt_texts(attempt=attempt)
    practice_answer(attempt=attempt, text=text, values={one.scale.pk: 5 for one in text.questions})
    practice_answer(attempt=attempt, text=text, values={one.scale.pk: 1 for one in text.questions})
    assert set(PracticeAnswer.objects.values_list("value", flat=True)) == {5}, "the first stays"
    assert attempt_start(annotator=bob, part="test") == attempt
    assert [one.answered for one in attempt_texts(attempt=attempt)] == [True, False]
    other.substitution.expected.all().delete()
    attempt_start(annotator=bob, part="test")
    attempt.refresh_from_db()
    assert attempt.passed and attempt.asked == 2
    with pytest.raises(Conflict):
        practice_answer(attempt=attempt, text=text, values={})


def test_values_must_be_on_the_scale() -> None:
    _, bob = school(practice=0)
    attempt = attempt_start(annotator=bob, part="test")
    text = attempt_texts(attempt=attempt)[0]
    for value in (0, 6, 2.5, float("nan")):
        with pytest.raises(Invalid):
            practice_answer(attempt=attempt, text=text, values={text.questions[0].scale.pk: value})
    assert not PracticeAnswer.objects.exists()


def test_nothing_of_it_is_a_judgment() -> None:
    campaign, bob = school()
    before = ratings_get(campaign=campaign)
    go_through(bob, "practice", 1, 1)
    go_through(bob, "test", 5, 5)
    assert not Judgment.objects.exists()
    after = ratings_get(campaign=campaign)
    assert after.units.tolist() == before.units.tolist()
    assert all(len(table.value) == 0 for table in after.tables.values())
    rate_all(bob)
    assert not Judgment.objects.filter(substitution__role="practice").exists()
    assert verify(campaign=campaign) == []


@pytest.mark.parametrize("wrong", [{"share": 0}, {"share": 1.2}, {"tries": 0}, {"tolerance": 9}])
def test_a_rule_must_make_sense(wrong: dict[str, Any]) -> None:
    campaign = make_campaign(open_it=False)
    scale = campaign.scales.first()
    asked: dict[str, Any] = {"share": 0.8, "tries": 2, **wrong}
    tolerance: dict[Scale, float] = {scale: asked.pop("tolerance", 0)} if scale else {}
    with pytest.raises(Invalid):
        practice_set(campaign=campaign, required=True, tolerance=tolerance, actor=None, **asked)


# --- the pages, without JavaScript ---------------------------------------------------------------


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(make_user(name))
    return client


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def test_the_whole_way_as_plain_forms() -> None:
    campaign, bob = school(test=1, share=1)
    client = client_of("bob")
    scales = {scale.name: scale.key for scale in campaign.scales.all()}
    assert client.post("/rate/camp/")["Location"] == "/rate/camp/practice/"
    assert "/rate/camp/practice/" in text_of(client.get("/rate/camp/"))
    assert "Begin practice" in text_of(client.get("/rate/camp/practice/"))
    page = client.post("/rate/camp/practice/", {"part": "practice"}, follow=True)
    address = page.redirect_chain[-1][0]
    [text] = attempt_texts(attempt=PracticeAttempt.objects.get())
    assert "Because of" not in text_of(page), "no answer before the annotator's own"

    key = str(text.substitution.key)
    assert client.post(address, {"text": key}).status_code == 409
    assert client.post(address, {"text": key, f"value.{scales['MEANING']}": "x"}).status_code == 409
    first = client.post(address, {"text": key, f"value.{scales['MEANING']}": "2"}, follow=True)
    words = text_of(first)
    assert "Not what we expect." in words and "4 to 5 fits." in words and "Because of 0." in words
    assert "It is a whole sentence." not in words
    last = client.post(address, {"text": key, f"value.{scales['GRAMMAR']}": "5"}, follow=True)
    assert "Right." in text_of(last) and "Finish" in text_of(last)

    page = client.post("/rate/camp/practice/", {"part": "test"}, follow=True)
    address = page.redirect_chain[-1][0]
    assert "Because of" not in text_of(page) and "fits" not in text_of(page)
    [text] = attempt_texts(attempt=PracticeAttempt.objects.get(part="test"))
    answer = {"text": str(text.substitution.key), f"value.{scales['MEANING']}": "5"}
    assert client.post(address, answer).status_code == 409, "a test takes a text as a whole"
    done = client.post(address, {**answer, f"value.{scales['GRAMMAR']}": "1"}, follow=True)
    assert "1 of 2 right" in text_of(done) and "Not enough." in text_of(done)
    assert "1 try left" in text_of(done)
    assert client.get(address)["Location"] == "/rate/camp/practice/", "nothing explained yet"

    go_through(bob, "test", 5, 5)
    assert "See the answers explained" in text_of(client.get("/rate/camp/practice/"))
    assert "Because of 0." in text_of(client.get(address))
    assert client.post("/rate/camp/")["Location"].startswith("/rate/camp/")
    assert client.post("/rate/camp/practice/", {"part": "exam"}).status_code == 400


def test_attempts_of_others_are_not_there() -> None:
    campaign, bob = school(practice=0)
    attempt = attempt_start(annotator=bob, part="test")
    make_annotator(campaign, "ben")
    assert client_of("ben").get(f"/rate/camp/practice/{attempt.key}/").status_code == 404


def test_researchers_set_it_up_on_the_page() -> None:
    campaign = make_campaign(open_it=False)
    client = client_of("dora")
    scales = {scale.name: scale.key for scale in campaign.scales.all()}
    asked = {
        "sentence": "Learn this here.", "phrase": "this", "paraphrase": "that", "part": "test",
        f"{scales['MEANING']}-low": "4", f"{scales['MEANING']}-high": "",
        f"{scales['MEANING']}-why": "Nearly the same.",
    }  # fmt: skip
    assert client.post("/c/camp/practice/texts/", asked).status_code == 302
    assert client.post("/c/camp/practice/texts/", {**asked, "phrase": "no"}).status_code == 422
    rule = {"required": "on", "percent": "70", "tries": "3"}
    rule |= {f"tolerance-{key}": "1" for key in scales.values()}
    assert client.post("/c/camp/practice/", rule).status_code == 302
    assert client.post("/c/camp/practice/", {**rule, "percent": "0"}).status_code == 422
    page = text_of(client.get("/c/camp/practice/"))
    assert "MEANING 4" in page and 'value="70"' in page
    text = Substitution.objects.get(role="practice")
    assert "Nearly the same." in text_of(client.get(f"/c/camp/quality/texts/{text.key}/"))


def test_the_record_shows_tests_and_gives_a_try() -> None:
    _, bob = school(practice=0, tries=1)
    go_through(bob, "test", 1, 1)
    client = client_of("dora")
    record = f"/c/camp/people/{bob.key}/"
    assert "no try left" in text_of(client.get(record))
    assert "0 / 4" in text_of(client.get("/c/camp/practice/"))
    assert client.post(f"{record}practice/", {"kind": "try"}).status_code == 302
    assert "under way" in text_of(client.get(record))
    assert client.post(f"{record}practice/", {"kind": "gift"}).status_code == 400


def test_voices_that_are_no_people_practise_nothing() -> None:
    campaign, _bob = school()
    simulated = Annotator.objects.create(campaign=campaign, code="S1", origin="simulated")
    assert not practice_wanted(annotator=simulated)
    assert claim_next(annotator=simulated) is not None
