"""Hidden quality control, for researchers: who looks good, which rules watch, what they did."""

from annotation.models import Exclusion, QualityAction, QualityPlan, QualityRule
from tests.annotation.views.quality.clients import BASE, watched
from tests.clients import client_of, html_of
from tests.factories import make_campaign


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
