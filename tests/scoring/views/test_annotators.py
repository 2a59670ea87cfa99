"""Pages of annotators: their numbers are those of the statistics."""

import csv
import io

import pytest

from tests.clients import client_of, html_of
from tests.factories import add_judgments
from tests.scoring.selectors.small import numbers, shown, small_campaign


def test_the_table_is_sorted_by_the_address_with_the_undefined_last():
    campaign, client = small_campaign(), client_of("alice")
    add_judgments(
        campaign,
        [{"item": "i0", "paraphrase": "w0 x", "annotator": "d", "scale": "MEANING", "value": 5}],
    )
    r = {code: numbers(campaign, code)["correlation"]["value"] for code in "abcd"}
    assert r["d"] is None
    upwards = sorted("abc", key=lambda code: r[code])
    assert shown(client) == shown(client, sort="nonsense") == ["a", "b", "c", "d"]
    assert shown(client, down=1) == ["d", "c", "b", "a"]
    assert shown(client, sort="correlation") == [*upwards, "d"]
    assert shown(client, sort="correlation", down=1) == [*upwards[::-1], "d"]
    assert shown(client, sort="n_ratings")[0] == "d"
    assert shown(client, scale="GRAMMAR") == ["a", "b", "c"]
    html = html_of(client.get("/c/small/annotators/", {"sort": "severity"}))
    assert 'aria-sort="ascending"' in html
    assert "?scale=MEANING&amp;sort=severity&amp;down=1" in html
    assert f"{numbers(campaign, 'b')['severity']['value']:+.2f}".replace("-", "−") in html


def test_small_multiples_show_those_who_follow_the_others_least_first():
    campaign, client = small_campaign(), client_of("alice")
    rows = client.get("/c/small/annotators/multiples/").context["rows"]
    r = {code: numbers(campaign, code)["correlation"]["value"] for code in "abc"}
    assert [row["code"] for row in rows] == sorted("abc", key=lambda code: r[code])
    assert all(sum(float(height[:-1]) for *_at, height, _w in row["bars"]) > 0 for row in rows)
    assert "annotators/multiples/" in html_of(client.get("/c/small/agreement/"))
    # The files are of the same picture.
    table, drawing = (
        client.get(f"/c/small/annotators/multiples/?chart=annotators.{form}").content.decode(
            "utf-8-sig"
        )
        for form in ("csv", "svg")
    )
    shares = list(csv.DictReader(io.StringIO(table)))
    for row in rows:
        own = [float(one["share"]) for one in shares if one["annotator"] == row["code"]]
        assert sum(own) == pytest.approx(1) and f">{row['code']}</text>" in drawing
    assert "annotators/multiples/" not in html_of(client_of("vera").get("/c/small/agreement/"))
