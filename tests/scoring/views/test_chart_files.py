"""The files of the pictures have the numbers of the tables behind them."""

import csv
import re
from html import unescape
from io import StringIO

import pytest

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

    results, agreement, _annotators, gold = pages = [
        client.get(f"/c/hand/{name}/")
        for name in ("results", "agreement", "annotators", "gold/picture")
    ]
    assert {name.partition(".")[0] for name in files_of(results)} == {"systems", "neighbours"}
    for row in table(results, "systems.csv"):
        of = results.context["found"]["systems"][row["name"]]["scales"]["MEANING"]
        assert float(row["value"]) == of["mean"] and row["ci_low"] == ""
    for row in table(agreement, "alpha.csv"):
        shares = [float(part) for name, part in row.items() if name.startswith("share_")]
        assert sum(shares) == pytest.approx(1)
    bars = table(gold, "gold-1.csv")
    assert sum(int(row["texts"]) for row in bars) == gold.context["pictures"][0].n
    for page in pages:
        for name, url in files_of(page).items():
            answer = client.get(url)
            assert answer.status_code == 200 and (b"<svg" in answer.content) == name.endswith("svg")
    assert client.get("/c/hand/results/?chart=none.csv").status_code == 404
