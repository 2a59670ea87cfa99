"""Reports about some judgments, chosen in the address."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from annotation.errors import Invalid
from scoring.models import Report
from scoring.selectors.ratings.choice import Choice
from scoring.services.reports.compute import KINDS, report_get, report_make
from scoring.stats.agreement.report import agreement_report
from scoring.stats.terminal.files import read_ratings
from tests.clients import client_of
from tests.scoring.selectors.ratings.hand import hand_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Any:
    hand_campaign()
    return client_of("vera")


def test_controls_reach_agreement_alone() -> None:
    campaign = hand_campaign()
    choice = Choice(controls=True)
    assert report_get(campaign=campaign, kind="agreement", actor=None, choice=choice).fresh
    for kind in set(KINDS) - {"agreement"}:
        with pytest.raises(Invalid):
            report_get(campaign=campaign, kind=kind, actor=None, choice=choice)


def test_a_choice_has_a_form_that_shows_it(client: Any) -> None:
    address = reverse("correlation", args=["hand"])
    page = client.get(address, {"annotators": ["a", "b"], "blind_only": "on", "scale": "GRAMMAR"})
    form = page.context["choice_form"]
    assert dict(form.chosen) == {"Annotators": "a, b", "Only blind judgments": ""}
    assert Report.objects.get().options == {"annotators": ["a", "b"], "blind_only": True}
    assert "Only some judgments:" in page.content.decode()


@pytest.mark.parametrize(
    "wrong", [{"since": "soon"}, {"annotators": "nobody"}, {"occasion": "0"}, {"systems": "S9"}]
)
def test_what_the_form_refuses_is_said_and_everything_shown(client: Any, wrong: Any) -> None:
    page = client.get(reverse("correlation", args=["hand"]), wrong)
    assert page.status_code == 200
    assert page.context["choice_form"].errors
    assert Report.objects.get().options == {}


def test_a_wrong_attribute_is_refused_with_its_form(client: Any) -> None:
    page = client.get(reverse("correlation", args=["hand"]), {"attribute": "topic"})
    assert page.status_code == 400
    assert "LEVEL.NAME=VALUE" in page.content.decode()


def test_the_api_knows_the_same_choice(client: Any) -> None:
    address = "/api/v1/campaigns/hand/reports/agreement"
    answer = client.get(address, {"annotators": "a", "since": "2020-01-01"})
    assert answer.status_code == 200, answer.content
    assert answer.json()["result"]["scales"]["MEANING"]["n_annotators"] == 1
    assert client.get(address, {"since": "soon"}).status_code == 400


def test_the_page_asks_until_the_report_is_there(client: Any, settings: Any) -> None:
    settings.REPORT_ON_THE_SPOT = 0
    address = reverse("correlation", args=["hand"])
    assert 'hx-trigger="every 4s"' in client.get(address).content.decode()
    report_make(report_pk=Report.objects.get().pk)
    polled = client.get(address, headers={"hx-request": "true"}).content.decode()
    assert "The report is ready." in polled and "every 4s" not in polled
    assert "nothing has changed since" in client.get(address).content.decode()


@pytest.mark.parametrize("name", ["agreement", "results"])
def test_as_of_a_day_before_anything_there_is_nothing(client: Any, name: str) -> None:
    page = client.get(reverse(name, args=["hand"]), {"as_of": "2001-01-01"})
    assert page.status_code == 200
    assert dict(page.context["choice_form"].chosen) == {"As of": "2001-01-01"}
    found = page.context["view"].result
    assert found.get("judgments", 0) == 0
    assert all(one["n_ratings"] == 0 for one in found.get("scales", {}).values())


def test_links_and_forms_of_a_page_keep_the_choice(client: Any) -> None:
    page = client.get(reverse("results", args=["hand"]), {"unit": "gold", "annotators": ["a", "b"]})
    html = page.content.decode()
    assert 'href="?unit=judgment&amp;annotators=a&amp;annotators=b"' in html
    assert html.count('<input type="hidden" name="annotators" value="b">') == 1  # Gold by ...
    assert '<input type="hidden" name="unit" value="gold">' in html


def test_controls_have_agreement_of_their_own(client: Any) -> None:
    page = client.get(reverse("agreement", args=["hand"]), {"controls": "on"})
    assert page.context["view"].result["scales"]["MEANING"]["n_ratings"] == 1


def test_the_ratings_of_a_choice_as_a_file(client: Any, tmp_path: Path) -> None:
    """Computed again from the file, the numbers are those of the page."""
    chosen = {"annotators": ["a", "b"]}
    page = client.get(reverse("agreement", args=["hand"]), chosen)
    link = f"{reverse('ratings', args=['hand'])}?annotators=a&amp;annotators=b"
    assert f'href="{link}"' in page.content.decode()
    answer = client.get(reverse("ratings", args=["hand"]), chosen)
    path = tmp_path / "ratings.csv"
    path.write_bytes(b"".join(answer.streaming_content))
    again = agreement_report(read_ratings(path).tables)["scales"]["MEANING"]
    shown = page.context["view"].result["scales"]["MEANING"]
    assert (again["n_ratings"], shown["n_ratings"]) == (5, 5)
    assert again["within_one"]["value"] == shown["within_one"]["value"]
    assert client.get(reverse("ratings", args=["hand"]), {"since": "soon"}).status_code == 400
