"""Agreement between annotators."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from annotation.models import Annotator, Campaign, Judgment
from scoring.models import Report
from scoring.selectors.agreement import clusters_of
from scoring.selectors.ratings.tables import ratings_get
from scoring.stats import Bootstrap, agreement_report
from tests.clients import client_of
from tests.factories import add_judgments, make_campaign
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.agreement.judged import judged
from tests.scoring.views.site import PAGES, login

pytestmark = pytest.mark.django_db


@pytest.fixture
def few_draws() -> None:
    """As many as the page says."""


def test_agreement_page_shows_the_pure_statistics() -> None:
    campaign = hand_campaign()
    answer = login("vera").get(reverse("agreement", args=[campaign.slug]))
    ratings = ratings_get(campaign=campaign)
    pure = agreement_report(
        ratings.tables, levels=ratings.levels(), thresholds=ratings.thresholds,
        plan=Bootstrap(1000, 0, "units"),
    )  # fmt: skip
    page = answer.content.decode()
    for part, blocks in (("scales", pure["scales"]), ("passes", pure["passes"])):
        shown = answer.context[part]
        assert [block["name"] for block in shown] == list(blocks)
        for block in shown:
            for row in block["rows"]:
                numbers: Any = blocks[block["name"]]
                numbers |= {f"specific_{v}": one for v, one in numbers.get("specific", {}).items()}
                expected = json.loads(json.dumps(numbers[row["key"]]))
                assert {name: row[name] for name in expected} == expected
    value = pure["scales"]["MEANING"]["alpha_ordinal"]["value"]
    row = re.search(r'data-statistic="alpha_ordinal".*?</tr>', page, re.S)
    assert row is not None and f"{value:.3f}" in row.group()
    assert "kendall_w" in page and "undefined:" in page
    assert "1 answer is “cannot judge”" in page


def test_pairs_show_shared_units_and_grey_few() -> None:
    campaign = hand_campaign()
    page = login("vera").get(reverse("agreement", args=[campaign.slug]))
    square = dict(page.context["scales"][0]["square"])
    names = page.context["scales"][0]["names"]
    assert names == ["a", "b", "c"]
    cells = square["a"]
    assert cells[0] is None
    assert [cell["n"] for cell in cells[1:]] == [2, 2]  # a and b share t0, t1; a and c t1, t2
    assert all(cell["few"] for cell in cells[1:])


def test_simulated_annotators_are_labelled_wherever_they_count() -> None:
    campaign = hand_campaign()
    Annotator.objects.filter(campaign=campaign, code="c").update(origin="simulated")
    client = login("vera")
    for page in PAGES:
        if page == "runs-list":
            continue
        text = client.get(reverse(page, args=[campaign.slug])).content.decode()
        assert "imulated" in text, page
    assert (
        "c – simulated" in client.get(reverse("agreement", args=[campaign.slug])).content.decode()
    )


def page_of(campaign: Campaign, **query: str) -> Any:
    return login("vera").get(reverse("agreement", args=[campaign.slug]), query)


@pytest.mark.parametrize(
    ("noise", "verdict", "says"),
    [(0.3, "yes", "Yes:"), (30.0, "no", "No:"), (0.95, "unsure", "Undecided")],
)
def test_it_answers_first_whether_to_trust(noise: float, verdict: str, says: str) -> None:
    page = page_of(judged(noise=noise)).content.decode()
    first, _, table = page.partition('<details class="behind"')
    assert f'data-verdict="{verdict}"' in first and says in first
    assert "Can I trust these judgments?" in first and "reliability: ICC(2,k)" in first
    rows = re.findall(r'data-statistic="(\w+)"', table)
    assert rows[:3] == ["alpha_ordinal", "icc_2_k", "icc_2_1"]
    assert "There are only 6 phrases" in first  # clusters to draw from


def test_the_verdict_about_gold_says_of_whom_it_speaks() -> None:
    campaign = judged()
    page = page_of(campaign)
    (gold, *_) = [scale["numbers"]["answer"]["gold"] for scale in page.context["scales"]]
    assert gold["new_annotators"]
    ends = f"{gold['ci_low']:.2f} – {gold['ci_high']:.2f}"
    assert f"Interval for new texts and new annotators: {ends}." in page.content.decode()
    # A report of the version before does not know.
    report = Report.objects.get(campaign=campaign, kind="agreement")
    for block in report.result["scales"].values():
        del block["answer"]["gold"], block["answer"]["agreed"]
        block["answer"]["bands"] = ["good", "excellent"]
    report.save(update_fields=["result"])
    text = page_of(campaign).content.decode()
    assert "good to excellent reliability" in text and "Interval for new texts" not in text


def test_annotators_who_agree_on_every_text_are_not_called_reliable() -> None:
    campaign = judged(noise=0.0)
    for scale in campaign.scales.all():
        rows = Judgment.objects.filter(campaign=campaign, scale=scale)
        first = rows.order_by("substitution_id").first()
        assert first is not None
        rows.filter(substitution=first.substitution_id).update(value=3)
    page = page_of(campaign).content.decode()
    assert 'data-verdict="all agree"' in page and 'data-verdict="yes"' not in page
    assert "they agree on at least 54 % of new texts" in page  # .025 ** (1 / 6) of six phrases


def test_intervals_say_what_they_speak_of() -> None:
    page = page_of(judged())
    (rows, *_) = [scale["rows"] for scale in page.context["scales"]]
    found = {row["key"]: row for row in rows}
    assert page.context["drawn"] in ("phrases", "items")
    assert found["alpha_ordinal"]["speaks_of"] == f"new {page.context['drawn']}"
    assert found["icc_2_k"]["speaks_of"] == "new units, new annotators"
    assert found["icc_3_1"]["options"]["bootstrap"] == 1000
    for row in rows:
        assert row["formula"] and row["source"] and row["missing"] and row["method"], row["key"]
        assert row["ci_low"] is not None, row["key"]
    text = page.content.decode()
    assert "σ²ᵤ / (σ²ᵤ + (σ²ₐ + σ²ₑ)/k)" in text and "Koo &amp; Li 2016" in text
    assert "36 texts with 3 to 3 ratings each" in text


def test_the_pooled_kappa_leads_the_pairs_and_the_means() -> None:
    campaign = judged(noise=1.0)
    page = page_of(campaign)
    pooled = page.context["scales"][0]["pooled"]
    assert pooled["ci_low"] < pooled["value"] < pooled["ci_high"]
    text = page.content.decode()
    assert f"κ {pooled['value']:.3f}\n" in text.split("data-pooled")[1].replace(" [", "\n")
    rows = re.findall(r'data-statistic="(\w+)"', text)
    for weights in ("", "_linear", "_quadratic"):
        assert rows.index(f"cohen_kappa_pooled{weights}") < rows.index(f"cohen_kappa{weights}")


def test_a_report_of_the_version_before_has_no_pooled_kappa_and_opens() -> None:
    campaign = judged()
    page_of(campaign)
    report = Report.objects.get(campaign=campaign, kind="agreement")
    result = report.result
    for block in [*result["scales"].values(), *result.get("passes", {}).values()]:
        for key in [key for key in block if "pooled" in key]:
            del block[key]
    Report.objects.filter(pk=report.pk).update(result=result)
    page = page_of(campaign)
    assert page.status_code == 200 and "data-pooled" not in page.content.decode()


def test_the_pair_in_the_address_is_compared() -> None:
    campaign = judged(noise=1.0)
    page = page_of(campaign, scale="GRAMMAR", a="z", b="x")
    meaning, grammar = (scale["confusion"] for scale in page.context["scales"])
    assert (grammar["a"], grammar["b"]) == ("z", "x") and not meaning["asked"]
    table = ratings_get(campaign=campaign).tables["GRAMMAR"].dense()
    for level, cells in grammar["rows"]:
        expected = [
            int(((table[:, 2] == float(level)) & (table[:, 0] == column)).sum())
            for column in range(1, 6)
        ]
        assert cells == expected
    other = page_of(campaign, scale="GRAMMAR", a="x", b="nobody")
    assert "share no text" in other.content.decode()


def test_the_most_disputed_texts_are_linked() -> None:
    campaign = judged()
    page = page_of(campaign)
    first = page.context["scales"][0]["numbers"]["disputed"][0]
    assert first["values"] == [1, 5, 5]
    item = campaign.items.order_by("pk")[0]
    assert reverse("item", args=[campaign.slug, item.key]) in page.content.decode()
    assert first["text"] == item.substitutions.all()[0].text


def test_a_stored_report_takes_the_same_queries_for_any_size(
    django_assert_max_num_queries: Any,
) -> None:
    counts = []
    for slug, items in (("small", 6), ("large", 40)):
        campaign = judged(slug, items=items)
        client = login("vera")
        address = reverse("agreement", args=[campaign.slug])
        client.get(address)
        with django_assert_max_num_queries(60) as seen:
            client.get(address)
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_an_older_report_is_still_shown() -> None:
    campaign = judged()
    page_of(campaign)
    report = Report.objects.get(kind="agreement")
    for block in report.result["scales"].values():
        for name in ("answer", "left_out", "disputed", "confusions"):
            del block[name]
    report.save()
    assert "Krippendorff" in page_of(campaign).content.decode()


def test_what_intervals_draw() -> None:
    campaign = judged(items=12)
    codes, name = clusters_of(ratings_get(campaign=campaign))
    assert codes is not None and name in ("phrases", "items")
    few = judged("few", items=3)
    assert clusters_of(ratings_get(campaign=few)) == (None, "units")


@pytest.mark.once  # It computes; its report comes as on other pages.
def test_the_page_of_influence_is_for_researchers_and_names_the_odd_one_out() -> None:
    campaign = judged(noise=0.4)
    address = reverse("influence", args=[campaign.slug])
    assert login("vera").get(address).status_code == 403
    odd = campaign.annotators.get(code="y")
    rng = np.random.default_rng(1)
    for judgment in Judgment.objects.filter(campaign=campaign, annotator=odd):
        judgment.value = float(rng.integers(1, 6))
        judgment.save()
    page = login("dora").get(address)
    for scale in page.context["scales"]:
        assert scale["annotators"][0]["annotator"] == "y"
        alpha = next(row for row in scale["coefficients"] if row["test"] and row["new"])
        assert alpha["new"]["ci_low"] < alpha["value"] < alpha["new"]["ci_high"]
        assert 0 < alpha["test"]["p_value"] <= 1 and scale["chance"]["permutations"] == 999
    text = page.content.decode()
    assert "By chance" in text and "Without one annotator" in text
    assert "/agreement/influence/" not in page_of(campaign).content.decode()


def test_agreement_in_the_course_of_time() -> None:
    """Two evenings of 20 texts each, on the second everybody agrees."""
    rows = [
        {"phrase": f"p{n}", "sentence": f"Here is p{n}.", "paraphrase": f"q{n}", "system": "S"}
        for n in range(40)
    ]
    campaign = make_campaign(rows=rows, cast=False)
    add_judgments(
        campaign,
        [
            {
                **{name: row[name] for name in ("phrase", "sentence", "paraphrase")},
                "annotator": annotator, "scale": "MEANING",
                "value": 1 + (n + (shift if n < 20 else 0)) % 5,
                "judged_at": f"2026-03-0{1 + n // 20}T20:{n:02d}:00Z",
            }
            for n, row in enumerate(rows)
            for annotator, shift in (("a", 0), ("b", 1))
        ],
    )  # fmt: skip
    page = client_of("adam").get(reverse("agreement", args=[campaign.slug]))
    (scale,) = [one for one in page.context["scales"] if one["name"] == "MEANING"]
    first, second = scale["course"]
    assert (first["n"], second["n"]) == (20, 20)
    assert f"{first['end']:%Y-%m-%d}" == "2026-03-01" and f"{second['start']:%m-%d}" == "03-02"
    assert first["alpha"]["value"] < 0.9 and second["alpha"]["value"] == 1
    assert "Agreement over time" in page.content.decode()
