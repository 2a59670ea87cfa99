"""The files of the pictures have the numbers of the tables behind them."""

from __future__ import annotations

import csv
import re
from html import unescape
from io import StringIO
from typing import Any

import pytest

from scoring.stats.agreement.json_types import estimates_of
from scoring.stats.agreement.verdict import ALPHA
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import login

pytestmark = pytest.mark.django_db


def files_of(page: Any) -> dict[str, str]:
    """The links to files of charts on a page, by the name of the chart and the form."""
    found = re.findall(r'href="([^"]*[?&;]chart=([^"]*))"', page.content.decode())
    return {name: unescape(url) for url, name in found}


def table(client: Any, url: str) -> list[dict[str, str]]:
    answer = client.get(url)
    assert answer["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))


def test_every_picture_has_its_data_and_its_drawing() -> None:
    slug, client = hand_campaign().slug, login("dora")
    results = client.get(f"/c/{slug}/results/")
    files = files_of(results)
    assert set(files) == {"systems.csv", "systems.svg", "neighbours.csv", "neighbours.svg"}
    of = {
        name: one["scales"]["MEANING"] for name, one in results.context["found"]["systems"].items()
    }
    for row in table(client, files["systems.csv"]):
        assert float(row["value"]) == of[row["name"]]["mean"]
        low = of[row["name"]]["mean_bootstrap"]["low"]
        assert row["ci_low"] == ("" if low is None else str(low))
    agreement = client.get(f"/c/{slug}/agreement/")
    scales = {one["name"]: one["numbers"] for one in agreement.context["scales"]}
    for row in table(client, files_of(agreement)["alpha.csv"]):
        assert float(row["value"]) == estimates_of(scales[row["name"]])[ALPHA["ordinal"]]["value"]
    annotators = client.get(f"/c/{slug}/annotators/")
    codes = {row["code"]: row["numbers"]["severity"] for row in annotators.context["page"]}
    for row in table(client, files_of(annotators)["severity.csv"]):
        assert float(row["value"]) == codes[row["name"]]["value"]
    gold = client.get(f"/c/{slug}/gold/picture/")
    bars = table(client, files_of(gold)["gold-1.csv"])
    assert sum(int(row["texts"]) for row in bars) == gold.context["pictures"][0].n
    for page in (results, agreement, annotators, gold):
        for name, url in files_of(page).items():
            answer = client.get(url)
            assert answer.status_code == 200 and (b"<svg" in answer.content) == name.endswith("svg")
    assert client.get(f"/c/{slug}/results/?chart=none.csv").status_code == 404
