"""Agreement between annotators."""

import json
import re

import numpy as np
import pytest

from annotation.models import Annotator, Judgment
from scoring.ratings.tables import ratings_get
from scoring.stats import Bootstrap, agreement_report
from scoring.stats.table import PHRASES
from tests.clients import client_of, html_of, text_of
from tests.factories import add_judgments, make_campaign
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.agreement.judged import judged
from tests.scoring.views.site import PAGES, stored


@pytest.fixture
def few_draws():
    """As many as the page says."""


@pytest.mark.slow
def test_the_page_shows_the_pure_statistics_and_greys_pairs_with_few_texts():
    ratings = ratings_get(campaign=hand_campaign())
    page = client_of("vera").get("/c/hand/agreement/")
    pure = agreement_report(
        ratings.tables,
        levels=ratings.levels(),
        thresholds=ratings.thresholds,
        clusters=ratings.phrase,
        plan=Bootstrap(clusters=PHRASES),
    )
    for part, blocks in (("scales", pure["scales"]), ("passes", pure["passes"])):
        shown = page.context[part]
        assert [block["name"] for block in shown] == list(blocks)
        for block in shown:
            numbers = blocks[block["name"]]
            numbers |= {f"specific_{v}": one for v, one in numbers.get("specific", {}).items()}
            for row in block["rows"]:
                expected = json.loads(json.dumps(numbers[row["key"]]))
                assert {name: row[name] for name in expected} == expected
    html = html_of(page)
    value = pure["scales"]["MEANING"]["alpha_ordinal"]["value"]
    assert f"{value:.3f}" in html.split('data-statistic="alpha_ordinal"')[1].split("</tr>")[0]
    assert "kendall_w" in html and "undefined:" in html
    assert "1 answer is “cannot judge”" in html
    scale = page.context["scales"][0]
    assert scale["names"] == ["a", "b", "c"]
    none, *cells = dict(scale["square"])["a"]
    assert none is None
    # a and b share t0, t1; a and c t1, t2.
    assert [(cell["n"], cell["few"]) for cell in cells] == [(2, True)] * 2


@pytest.mark.slow
def test_simulated_annotators_are_labelled_wherever_they_count():
    hand_campaign()
    Annotator.objects.filter(code="c").update(origin="simulated")
    for page in {*PAGES} - {"runs/list"}:
        assert "imulated" in html_of(client_of("vera").get(f"/c/hand/{page}/")), page
    assert "c – simulated" in html_of(client_of("vera").get("/c/hand/agreement/"))


def page_of(**query):
    return client_of("vera").get("/c/camp/agreement/", query)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("noise", "items", "verdict", "says"),
    [
        (0.3, 80, "yes", "Yes:"),
        (30.0, 24, "no", "No:"),
        (0.95, 24, "unsure", "Undecided"),
        (0.3, 12, "no interval", "8 phrases are needed for an interval; there are 6"),
    ],
)
def test_it_answers_first_whether_to_trust(noise, items, verdict, says):
    judged(noise=noise, items=items)
    first, _, table = html_of(page_of()).partition('<details class="behind"')
    assert f'data-verdict="{verdict}"' in first and says in first
    assert "Can I trust these judgments?" in first
    assert ("reliability: ICC(2,k)" in first) == (items > 12)
    rows = re.findall(r'data-statistic="(\w+)"', table)
    assert rows[:3] == ["alpha_ordinal", "icc_2_k", "icc_2_1"]
    assert ("Some intervals come from few originals" in first) == (items == 24)


def test_annotators_who_agree_on_every_text_are_not_called_reliable():
    first = judged(noise=0.0).substitutions.order_by("pk").first()
    Judgment.objects.filter(substitution=first).update(value=3)
    html = html_of(page_of())
    assert 'data-verdict="all agree"' in html and 'data-verdict="yes"' not in html
    assert (
        "in at least 74 % of new phrases they agree" in html
    )  # .025 ** (1 / 12) of twelve phrases


def test_the_page_says_what_intervals_speak_of_and_links_the_most_disputed_text():
    item = judged().items.order_by("pk")[0]
    page = page_of()
    html, scale = html_of(page), page.context["scales"][0]
    rows = {row["key"]: row for row in scale["rows"]}
    assert page.context["drawn"] == "phrases"
    assert rows["alpha_ordinal"]["speaks_of"] == "new phrases"
    assert rows["icc_2_k"]["speaks_of"] == "new phrases, new annotators"
    assert rows["icc_3_1"]["options"]["clusters"] == 12
    assert "Intervals: by the jackknife" in html
    for key, row in rows.items():
        assert row["formula"] and row["source"] and row["missing"] and row["method"], key
        assert row["ci_low"] is not None, key
    assert "σ²ᵤ / (σ²ᵤ + (σ²ₐ + σ²ₑ)/k)" in html and "Koo &amp; Li 2016" in html
    assert "72 texts with 3 to 3 ratings each" in html
    gold = scale["numbers"]["answer"]["gold"]
    assert gold["new_annotators"]
    ends = f"{gold['ci_low']:.2f} – {gold['ci_high']:.2f}"
    assert f"Interval for new phrases and new annotators: {ends}." in html
    disputed = scale["numbers"]["disputed"][0]
    assert disputed["values"] == [1, 5, 5]
    assert disputed["text"] == item.substitutions.all()[0].text
    assert f"/c/camp/items/{item.key}/" in html


def test_the_pooled_kappa_leads_the_pairs_and_the_means():
    judged(noise=1.0)
    page = page_of()
    pooled, html = page.context["scales"][0]["pooled"], html_of(page)
    assert pooled["ci_low"] < pooled["value"] < pooled["ci_high"]
    assert f"κ {pooled['value']:.3f} " in html.split("data-pooled")[1]
    rows = re.findall(r'data-statistic="(\w+)"', html)
    for weights in ("", "_linear", "_quadratic"):
        assert rows.index(f"cohen_kappa_pooled{weights}") < rows.index(f"cohen_kappa{weights}")


@pytest.mark.slow
def test_reports_of_earlier_versions_show_what_they_have():
    judged()
    page_of()
    with stored("agreement") as result:
        for block in result["scales"].values():
            del block["answer"]["gold"], block["answer"]["agreed"]
            block["answer"]["bands"] = ["good", "excellent"]
    html = html_of(page_of())
    assert "good to excellent reliability" in html and "Interval for new texts" not in html
    assert "data-pooled" in html
    with stored("agreement") as result:
        for block in [*result["scales"].values(), *result["passes"].values()]:
            for key in [key for key in block if "pooled" in key]:
                del block[key]
    assert "data-pooled" not in html_of(page_of())
    with stored("agreement") as result:
        for block in result["scales"].values():
            for name in ("answer", "left_out", "disputed", "confusions"):
                del block[name]
    assert "Krippendorff" in html_of(page_of())


@pytest.mark.slow
def test_the_pair_in_the_address_is_compared():
    campaign = judged(noise=1.0)
    page = page_of(scale="GRAMMAR", a="z", b="x")
    meaning, grammar = (scale["confusion"] for scale in page.context["scales"])
    assert (grammar["a"], grammar["b"]) == ("z", "x") and not meaning["asked"]
    table = ratings_get(campaign=campaign).tables["GRAMMAR"].dense()
    for level, cells in grammar["rows"]:
        given = table[table[:, 2] == float(level), 0]
        assert cells == [(given == column).sum() for column in range(1, 6)]
    assert "share no text" in html_of(page_of(scale="GRAMMAR", a="x", b="nobody"))


@pytest.mark.slow
def test_a_stored_report_takes_the_same_queries_for_any_size(
    django_assert_max_num_queries,
):
    client, counts = client_of("vera"), set()
    for slug, items in (("small", 6), ("large", 40)):
        judged(slug, items=items)
        client.get(f"/c/{slug}/agreement/")
        with django_assert_max_num_queries(60) as seen:
            client.get(f"/c/{slug}/agreement/")
        counts.add(len(seen))
    assert len(counts) == 1


@pytest.mark.slow
@pytest.mark.once  # It computes; its report comes as on other pages.
def test_the_page_of_influence_names_the_odd_one_out_to_researchers_alone():
    campaign = judged(noise=0.4)
    rng = np.random.default_rng(1)
    for judgment in Judgment.objects.filter(campaign=campaign, annotator__code="y"):
        judgment.value = float(rng.integers(1, 6))
        judgment.save()
    page = client_of("dora").get("/c/camp/agreement/influence/")
    for scale in page.context["scales"]:
        assert scale["annotators"][0]["annotator"] == "y"
        alpha = next(row for row in scale["coefficients"] if row["test"] and row["new"])
        assert alpha["new"]["ci_low"] < alpha["value"] < alpha["new"]["ci_high"]
        assert 0 < alpha["test"]["p_value"] <= 1 and scale["chance"]["permutations"] == 999
    text = text_of(page)
    assert "By chance" in text and "Without one annotator" in text
    assert "/agreement/influence/" not in html_of(page_of())


def test_agreement_in_the_course_of_time():
    """Two evenings of 20 texts each, on the second everybody agrees."""
    rows = [
        {"phrase": f"p{n}", "sentence": f"Here is p{n}.", "paraphrase": f"q{n}"} for n in range(40)
    ]
    campaign = make_campaign(rows=rows, cast=False)
    add_judgments(
        campaign,
        [
            {
                **row,
                "annotator": annotator,
                "scale": "MEANING",
                "value": 1 + (n + (shift if n < 20 else 0)) % 5,
                "judged_at": f"2026-03-0{1 + n // 20}T20:{n:02d}:00Z",
            }
            for n, row in enumerate(rows)
            for annotator, shift in (("a", 0), ("b", 1))
        ],
    )
    page = client_of("adam").get("/c/camp/agreement/")
    first, second = page.context["scales"][0]["course"]
    assert (first["n"], second["n"]) == (20, 20)
    assert f"{first['end']:%Y-%m-%d}" == "2026-03-01" and f"{second['start']:%m-%d}" == "03-02"
    assert first["alpha"]["value"] < 0.9 and second["alpha"]["value"] == 1
    assert "Agreement over time" in html_of(page)
