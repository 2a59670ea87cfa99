"""Pages of annotators: their numbers are those of the statistics."""

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
