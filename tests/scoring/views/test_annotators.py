"""Pages of annotators: their numbers are those of the statistics; researchers alone see them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.urls import reverse

from tests.factories import add_judgments
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.selectors.small import numbers, shown, small_campaign
from tests.scoring.views.site import login

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "status"),
    [("alice", 200), ("dora", 200), ("adam", 200), ("vera", 403), ("bob", 403), ("charlie", 404),
     ("nobody", 302)],
)  # fmt: skip
def test_who_may_read(name: str, status: int) -> None:
    campaign = hand_campaign()
    client, key = login(name), campaign.annotators.get(code="a").key
    assert client.get(reverse("annotators", args=["hand"])).status_code == status
    assert client.get(reverse("annotator", args=["hand", key])).status_code == status
    answer = client.get(reverse("api-report", args=["hand", "annotators"]))
    assert answer.status_code == (401 if name == "nobody" else status)
    if name == "vera":
        assert answer.json()["code"] == "not_allowed"


def test_the_table_is_sorted_by_the_address_with_the_undefined_last() -> None:
    campaign = small_campaign()
    add_judgments(campaign, [{"item": "i0", "paraphrase": "w0 x", "annotator": "d",
                              "scale": "MEANING", "value": 5}])  # fmt: skip
    client = login("alice")
    r = {code: numbers(campaign, code)["correlation"]["value"] for code in "abcd"}
    assert r["d"] is None
    upwards = sorted("abc", key=lambda code: r[code])
    assert shown(client) == ["a", "b", "c", "d"]
    assert shown(client, down=1) == ["d", "c", "b", "a"]
    assert shown(client, sort="correlation") == [*upwards, "d"]
    assert shown(client, sort="correlation", down=1) == [*upwards[::-1], "d"]
    assert shown(client, sort="n_ratings")[0] == "d"
    assert shown(client, sort="nonsense") == ["a", "b", "c", "d"]
    assert shown(client, scale="GRAMMAR") == ["a", "b", "c"]
    page = client.get(reverse("annotators", args=["small"]), {"sort": "severity"})
    text = page.content.decode()
    assert 'aria-sort="ascending"' in text
    assert "?scale=MEANING&amp;sort=severity&amp;down=1" in text
    value = numbers(campaign, "b")["severity"]["value"]
    assert f"{value:+.2f}".replace("-", "−") in text


def test_the_page_of_an_annotator_explains_every_number() -> None:
    campaign = small_campaign()
    annotator = campaign.annotators.get(code="b")
    client, address = login("dora"), reverse("annotator", args=["small", annotator.key])
    page = client.get(address)
    text = page.content.decode()
    found = numbers(campaign, "b")
    rows = {row["key"]: row for row in page.context["rows"]}
    assert set(rows) == set(found) - {"n_ratings"}
    for key, row in rows.items():
        assert row["method"] and str(row["text"]) and len(row["cells"]) == 2
        assert row["cells"][0]["value"] == json.loads(json.dumps(found[key]))["value"]
        block = re.search(rf'<tr data-statistic="{key}">.*?</tr>', text, re.S)
        assert block is not None and row["cells"][0]["shown"] in block.group()
    assert "undefined: nothing was judged twice" in text
    assert text.count('<svg class="trend"') == 2 and "style=" not in text
    record = reverse("quality-record", args=["small", annotator.key])
    assert record in text and address in client.get(record).content.decode()
    overview = reverse("annotators", args=["small"])
    assert overview in client.get(reverse("quality", args=["small"])).content.decode()


def test_a_large_campaign_waits_for_a_worker(settings: Any) -> None:
    settings.REPORT_ON_THE_SPOT = 0
    campaign = small_campaign()
    client, key = login("alice"), campaign.annotators.get(code="a").key
    for address in (
        reverse("annotators", args=["small"]),
        reverse("annotator", args=["small", key]),
    ):
        page = client.get(address)
        assert page.status_code == 200
        assert "The first report is being made" in page.content.decode()
