"""Pages of annotators: their numbers are those of the statistics; researchers alone see them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import (
    Annotator,
    Campaign,
    Judgment,
    JudgmentVersion,
    Scale,
    Slot,
    Substitution,
)
from annotation.services.claiming import claim_next
from annotation.services.exclusions import exclusion_add
from annotation.services.quality import Band, expected_set, plan_set
from scoring.models import Report
from scoring.selectors.annotators import annotators_for
from scoring.selectors.ratings import ratings_get
from scoring.stats.annotators import OF_RATINGS, annotator_statistics
from tests.bridge.hand import hand_campaign, item_rows
from tests.factories import (
    add_judgments,
    make_annotator,
    make_campaign,
    make_user,
    rate_sheet,
)
from tests.scoring_pages.test_pages import login

pytestmark = pytest.mark.django_db
NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
EIGHT = 8


def rows_of_items(items: int = EIGHT) -> list[dict[str, Any]]:
    places = [
        {"item": f"i{n}", "phrase": f"w{n}", "sentence": f"There is w{n} here."}
        for n in range(items)
    ]
    outputs = [
        {**place, "paraphrase": f"{place['phrase']} {text}", "system": text}
        for place in places
        for text in "xy"
    ]
    return [*outputs, {**places[0], "paraphrase": "a control", "role": "control"}]


def value_of(item: int, text: str, code: str) -> int:
    shift = {"a": 0, "b": 1, "c": -1}[code]
    return min(5, max(1, 1 + (item * 3 + (text == "y") * 2) % 5 + shift * (item % 3 > 0)))


def judged(items: int = EIGHT, *, timed: bool = True) -> list[dict[str, Any]]:
    """a, b and c judge everything; their times run against the order of the file."""
    rows = []
    for code in "abc":
        for n in range(items):
            for at, text in enumerate("xy"):
                moment = NINE - timedelta(seconds=60 * n + 10 * at)
                for scale in ("MEANING", "GRAMMAR"):
                    value = value_of(n + (scale == "GRAMMAR"), text, code)
                    row = {"item": f"i{n}", "paraphrase": f"w{n} {text}", "annotator": code,
                           "scale": scale, "value": value}  # fmt: skip
                    rows.append(row | ({"judged_at": moment.isoformat()} if timed else {}))
    return rows


def small_campaign(slug: str = "small", items: int = EIGHT, **options: Any) -> Campaign:
    campaign = make_campaign(slug, rows=rows_of_items(items), k=3)
    add_judgments(campaign, judged(items, **options))
    return campaign


def numbers(campaign: Campaign, code: str, scale: str = "MEANING") -> dict[str, Any]:
    found: dict[str, Any] = annotators_for(campaign=campaign)["scales"][scale]["voices"][code]
    return found


def test_the_report_holds_the_pure_statistics() -> None:
    campaign = small_campaign()
    ratings = ratings_get(campaign=campaign)
    report = annotators_for(campaign=campaign)
    codes = [voice["code"] for voice in report["voices"]]
    for name, table in ratings.tables.items():
        # The file was written from the last judgment to the first.
        order = -np.arange(float(table.n_ratings))
        pure = annotator_statistics(table, clusters=ratings.item, order=order)
        block = report["scales"][name]
        assert list(block["voices"]) == codes == ["a", "b", "c"]
        for key in OF_RATINGS:
            assert block["methods"][key] == pure[key][0].method
            for code, estimate in zip(codes, pure[key], strict=True):
                wanted = json.loads(json.dumps(estimate.as_json()))
                found = block["voices"][code][key]
                assert {**found, "method": wanted["method"], "seed": None} == wanted
    assert block["voices"]["a"]["n_ratings"] == 2 * EIGHT
    assert block["voices"]["a"]["severity"]["ci_low"] is not None
    assert block["voices"]["a"]["trend"]["value"] is not None


def test_an_import_without_times_has_no_order_and_no_pace() -> None:
    found = numbers(small_campaign(timed=False), "a")
    for key in ("trend", "equal_neighbours", "longest_run"):
        assert found[key]["reason"] == "undefined: the order of judging is not known"
    assert found["severity"]["value"] is not None


def test_repeats_controls_and_their_bands() -> None:
    campaign = small_campaign()
    again = [
        {**row, "occasion": 2, "value": row["value"] if row["item"] != "i1" else 5}
        for row in judged()
        if row["annotator"] == "a" and row["scale"] == "MEANING" and row["item"] < "i6"
    ]
    control = {"item": "i0", "paraphrase": "a control", "role": "control", "annotator": "b"}
    add_judgments(campaign, [*again, {**control, "scale": "MEANING", "value": 3}])
    first = [row["value"] for row in judged() if row["annotator"] == "a"
             and row["scale"] == "MEANING" and row["item"] == "i1"]  # fmt: skip
    kept = 10 + sum(value == 5 for value in first)
    near = 10 + sum(value >= 4 for value in first)
    found = numbers(campaign, "a")
    assert (found["repeat_exact"]["value"], found["repeat_exact"]["n"]) == (kept / 12, 12)
    assert found["repeat_within"]["value"] == near / 12
    assert numbers(campaign, "a", "GRAMMAR")["repeat_exact"]["n"] == 0
    assert found["controls"]["reason"] == "undefined: no control was judged"
    # What was said the second time enters nothing else.
    assert found["n_ratings"] == 2 * EIGHT

    text = Substitution.objects.get(campaign=campaign, role="control")
    scale = campaign.scales.get(name="MEANING")
    page = reverse("annotators", args=[campaign.slug])
    for band, inside in ((Band(1, 2), 0), (Band(1, 3), 1)):
        expected_set(substitution=text, bands={scale: band}, actor=None)
        login("alice").get(page)
        report = Report.objects.filter(kind="annotators").latest("pk").result
        assert report["scales"]["MEANING"]["voices"]["b"]["controls"]["value"] == inside


def test_the_pace_of_sheets_judged_here_and_of_imported_judgments() -> None:
    campaign = make_campaign("paced", rows=rows_of_items(2), k=3)
    bob = make_annotator(campaign, "bob")
    for seconds in (8, 40):
        rate_sheet(bob, claim_next(annotator=bob))
        slot = Slot.objects.filter(annotator=bob, state="done").latest("done_at")
        Slot.objects.filter(pk=slot.pk).update(claimed_at=NINE + timedelta(hours=seconds))
        first = JudgmentVersion.objects.filter(judgment__slot=slot, version=1)
        first.update(recorded_at=NINE + timedelta(hours=seconds, seconds=seconds))
    answers = Judgment.objects.filter(slot__annotator=bob).count()
    report = annotators_for(campaign=campaign)
    pace = report["pace"]["voices"][bob.code]
    assert answers == 2 * (2 + 2) + 2 and pace["seconds"]["n"] == 2
    sizes = [4, 6]  # The control stands on the sheet of the first item.
    found = pace["seconds"]["value"]
    assert any(
        found == pytest.approx((8 / one + 40 / other) / 2) for one, other in (sizes, sizes[::-1])
    )
    plan_set(campaign=campaign, actor=None, changes={"fast_seconds": 5.0})
    report = annotators_for(campaign=campaign)
    assert (report["fast_seconds"], report["pace"]["voices"][bob.code]["too_fast"]["value"]) == (
        5,
        0.5,
    )

    # Imported: 70 seconds from one item's last answer to the next one's; the first has no
    # beginning. Every item has four answers.
    told = annotators_for(campaign=small_campaign())["pace"]["voices"]["a"]["seconds"]
    assert (told["n"], told["value"]) == (EIGHT - 1, 60 / 4)


def test_scales_without_an_order_have_what_has_a_meaning() -> None:
    campaign = small_campaign()
    Scale.objects.filter(campaign=campaign, name="GRAMMAR").update(level="nominal")
    found = numbers(campaign, "a", "GRAMMAR")
    assert "severity" not in found and found["agreement"]["value"] is not None
    page = login("alice").get(reverse("annotators", args=["small"]), {"scale": "GRAMMAR"})
    assert "Severity" not in re.sub(r"<title>.*?</title>", "", page.content.decode())
    key = campaign.annotators.get(code="a").key
    assert login("alice").get(reverse("annotator", args=["small", key])).status_code == 200


def test_the_number_of_queries_does_not_grow(django_assert_num_queries: Any) -> None:
    small, large = small_campaign("one", 2), small_campaign("two", 12)
    with django_assert_num_queries(14):
        annotators_for(campaign=small)
    with django_assert_num_queries(14):
        annotators_for(campaign=large)


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


def shown(client: Client, **query: Any) -> list[str]:
    page = client.get(reverse("annotators", args=["small"]), query)
    return [row["code"] for row in page.context["page"]]


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
    voice = campaign.annotators.get(code="b")
    client, address = login("dora"), reverse("annotator", args=["small", voice.key])
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
    record = reverse("quality-record", args=["small", voice.key])
    assert record in text and address in client.get(record).content.decode()
    overview = reverse("annotators", args=["small"])
    assert overview in client.get(reverse("quality", args=["small"])).content.decode()


def test_voices_that_have_no_numbers() -> None:
    campaign = small_campaign()
    client, bob = login("alice"), make_annotator(campaign, "bob")
    page = client.get(reverse("annotator", args=["small", bob.key])).content.decode()
    assert "No judgment of this annotator counts yet" in page
    c = campaign.annotators.get(code="c")
    exclusion_add(target=c, reason="test", actor=make_user("alice"))
    page = client.get(reverse("annotator", args=["small", c.key])).content.decode()
    assert "Judgments of excluded annotators do not count" in page
    assert shown(client) == ["a", "b"]

    Annotator.objects.filter(code="a").update(origin="anonymous")
    page = client.get(reverse("annotators", args=["small"])).content.decode()
    assert "undefined: annotators are anonymous" in page and "<table" not in page
    assert annotators_for(campaign=campaign)["voices"] == []
    b = campaign.annotators.get(code="b")
    page = client.get(reverse("annotator", args=["small", b.key])).content.decode()
    assert "undefined: annotators are anonymous" in page

    empty = make_campaign("empty", rows=item_rows(), k=1)
    page = client.get(reverse("annotators", args=[empty.slug])).content.decode()
    assert "There are no judgments yet" in page


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
