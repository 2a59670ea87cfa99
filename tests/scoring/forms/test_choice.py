"""Reports about some judgments, chosen in the address."""

import re

import pytest

from annotation.errors import Invalid
from scoring.models import Report
from scoring.ratings.choice import Choice
from scoring.reports.compute import KINDS, report_get
from scoring.stats.agreement.report import agreement_report
from scoring.stats.terminal.files import read_ratings
from tests.clients import client_of, html_of
from tests.scoring.hand import hand_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def get():
    """A page of the campaign, as a reader gets it."""
    hand_campaign()
    return lambda address, **query: client_of("vera").get(f"/c/hand/{address}/", query)


def test_controls_reach_agreement_alone(get):
    shown = get("agreement", controls="on").context["view"].result["scales"]["MEANING"]
    assert shown["n_ratings"] == 1
    campaign = Report.objects.get().campaign
    for kind in set(KINDS) - {"agreement"}:
        with pytest.raises(Invalid):
            report_get(campaign=campaign, kind=kind, actor=None, choice=Choice(controls=True))


def test_a_choice_has_a_form_that_shows_it(get):
    page = get("correlation", annotators=["a", "b"], blind_only="on", scale="GRAMMAR")
    form = page.context["choice_form"]
    assert dict(form.chosen) == {"Annotators": "a, b", "Only blind judgments": ""}
    assert Report.objects.get().options == {"annotators": ["a", "b"], "blind_only": True}
    assert "Only some judgments:" in html_of(page)


@pytest.mark.parametrize(
    "wrong", [{"since": "soon"}, {"annotators": "nobody"}, {"occasion": "0"}, {"systems": "S9"}]
)
def test_what_the_form_refuses_is_said_and_everything_shown(get, wrong):
    page = get("correlation", **wrong)
    assert page.status_code == 200 and page.context["choice_form"].errors
    assert Report.objects.get().options == {}


def test_a_wrong_attribute_is_refused_with_its_form(get):
    page = get("correlation", attribute="topic")
    assert page.status_code == 400 and "LEVEL.NAME=VALUE" in html_of(page)


def test_the_api_knows_the_same_choice(get):
    address = "/api/v1/campaigns/hand/reports/agreement?annotators=a&since=2020-01-01"
    answer = client_of("vera").get(address).json()
    assert answer["result"]["scales"]["MEANING"]["n_annotators"] == 1


@pytest.mark.parametrize("name", ["agreement", "results"])
def test_as_of_a_day_before_anything_there_is_nothing(get, name):
    page = get(name, as_of="2001-01-01")
    assert dict(page.context["choice_form"].chosen) == {"As of": "2001-01-01"}
    result = page.context["view"].result
    assert result.get("judgments", 0) == 0
    assert all(one["n_ratings"] == 0 for one in result.get("scales", {}).values())


def test_links_and_forms_of_a_page_keep_the_choice(get):
    html = html_of(get("results", unit="gold", annotators=["a", "b"]))
    assert re.search(r'href="\?unit=judgment&amp;\S*annotators=a&amp;annotators=b"', html)
    assert html.count('<input type="hidden" name="annotators" value="b">') == 1  # Gold by ...
    assert '<input type="hidden" name="unit" value="gold">' in html


def test_the_ratings_of_a_choice_as_a_file(get, tmp_path):
    """Computed again from the file, the numbers are those of the page."""
    page = get("agreement", annotators=["a", "b"])
    link = "/c/hand/agreement/ratings/?annotators=a&amp;annotators=b"
    assert f'href="{link}"' in html_of(page)
    path = tmp_path / "ratings.csv"
    answer = get("agreement/ratings", annotators=["a", "b"])
    path.write_bytes(b"".join(answer.streaming_content))
    again = agreement_report(read_ratings(path).tables)["scales"]["MEANING"]
    shown = page.context["view"].result["scales"]["MEANING"]
    assert (again["n_ratings"], shown["n_ratings"]) == (5, 5)
    assert again["within_one"]["value"] == shown["within_one"]["value"]
    assert get("agreement/ratings", since="soon").status_code == 400
