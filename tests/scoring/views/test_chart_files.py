"""The files of the pictures have the numbers of the tables behind them."""

import csv
import re
from html import unescape
from io import StringIO

import pytest

from scoring.stats.agreement.coefficients import estimates_of
from scoring.stats.agreement.influence import ALPHA
from tests.clients import client_of


def files_of(page):
    """The links to files of charts on a page, by the name of the chart and the form."""
    links = re.findall(r'href="([^"]*[?&;]chart=([^"]*))"', page.content.decode())
    return {name: unescape(url) for url, name in links}


@pytest.mark.slow
def test_every_picture_has_its_data_and_its_drawing(hand):
    client = client_of("dora")

    def table(page, name):
        answer = client.get(files_of(page)[name])
        assert answer["Content-Type"].startswith("text/csv")
        return list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))

    results, agreement, annotators, gold = pages = [
        client.get(f"/c/hand/{name}/")
        for name in ("results", "agreement", "annotators", "gold/picture")
    ]
    assert set(files_of(results)) == {
        "systems.csv",
        "systems.svg",
        "neighbours.csv",
        "neighbours.svg",
    }
    for row in table(results, "systems.csv"):
        of = results.context["found"]["systems"][row["name"]]["scales"]["MEANING"]
        low = of["mean_bootstrap"]["low"]
        assert float(row["value"]) == of["mean"]
        assert row["ci_low"] == ("" if low is None else str(low))
    scales = {one["name"]: one["numbers"] for one in agreement.context["scales"]}
    for row in table(agreement, "alpha.csv"):
        assert float(row["value"]) == estimates_of(scales[row["name"]])[ALPHA["ordinal"]]["value"]
        shares = [float(part) for name, part in row.items() if name.startswith("share_")]
        assert sum(shares) == pytest.approx(1)
    codes = {row["code"]: row["numbers"]["severity"] for row in annotators.context["page"]}
    for row in table(annotators, "severity.csv"):
        assert float(row["value"]) == codes[row["name"]]["value"]
    assert {one.name for one in gold.context["pictures"]} >= scales.keys()
    bars = table(gold, "gold-1.csv")
    assert sum(int(row["texts"]) for row in bars) == gold.context["pictures"][0].n
    for page in pages:
        for name, url in files_of(page).items():
            answer = client.get(url)
            assert answer.status_code == 200 and (b"<svg" in answer.content) == name.endswith("svg")
    assert client.get("/c/hand/results/?chart=none.csv").status_code == 404
