"""Agreement between annotators."""

import re

import pytest

from annotation.models import Annotator, Substitution
from annotation.models.fields import text_digest
from scoring.models import Report
from scoring.ratings.tables import ratings_get
from tests.clients import client_of, html_of
from tests.factories import add_items, add_judgments, give_role, make_campaign, make_user
from tests.scoring.factories import PAGES, judged
from tests.scoring.hand import hand_campaign


@pytest.fixture
def few_draws():
    """As many as the page says."""


def test_the_page_shows_the_report_and_greys_pairs_with_few_texts():
    hand_campaign()
    page = client_of("vera").get("/c/hand/agreement/")
    shown = page.context["scales"][0]["numbers"]["alpha_ordinal"]["value"]
    html = html_of(page)
    assert f"{shown:.3f}" in html.split('data-statistic="alpha_ordinal"')[1].split("</tr>")[0]
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
    assert ("reliab" in first) == (items > 12)
    rows = re.findall(r'data-statistic="(\w+)"', table)
    assert rows[:3] == ["alpha_ordinal", "icc_2_k", "icc_2_1"]
    assert ("Some intervals come from few originals" in first) == (items == 24)


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
    before, named, tests = html.partition("As in the paper: texts taken as independent")
    assert named and "F(71, " not in before and "F(71, " in tests and "p, independent" in tests
    gold = scale["numbers"]["answer"]["gold"]
    assert gold["new_annotators"]
    ends = f"{gold['ci_low']:.2f} – {gold['ci_high']:.2f}"
    assert f"Interval for new phrases and new annotators: {ends}." in html
    disputed = scale["numbers"]["disputed"][0]
    assert disputed["values"] == [1, 5, 5]
    assert disputed["text"] == item.substitutions.all()[0].text
    assert f"/c/camp/items/{item.key}/" in html


@pytest.mark.slow
def test_the_pair_in_the_address_is_compared():
    campaign = judged(noise=1.0)
    page = page_of(scale="GRAMMAR", a="z", b="x")
    meaning, grammar = (scale["confusion"] for scale in page.context["scales"])
    assert (grammar["a"], grammar["b"]) == ("z", "x") and not meaning["requested"]
    table = ratings_get(campaign=campaign).tables["GRAMMAR"].dense()
    for level, cells in grammar["rows"]:
        given = table[table[:, 2] == float(level), 0]
        assert cells == [(given == column).sum() for column in range(1, 6)]
    assert "share no text" in html_of(page_of(scale="GRAMMAR", a="x", b="nobody"))


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


# Two agreement reports side by side.


def compare(name, **query):
    return client_of(name).get("/c/hand/agreement/compare/", query)


def sizes(page, of="n_ratings"):
    return [block[of] for block in page.context["scales"][0]["blocks"]]


def test_two_choices_of_one_campaign():
    hand_campaign()
    page = compare("vera", **{"a-annotators": ["a", "b"], "b-annotators": ["b", "c"]})
    assert sizes(page) == [5, 4]
    rows = {str(row["label"]): row for row in page.context["scales"][0]["rows"]}
    first, second = (cell["value"] for cell in rows["Within one point"]["cells"])
    assert rows["Within one point"]["difference"] == pytest.approx(second - first)


def other_words(campaign, text):
    """Give the campaign another text there, and one more, which its fingerprint shows."""
    new = f"not {text}"
    Substitution.objects.filter(campaign=campaign, text=text).update(
        text=new, text_hash=text_digest(new)
    )
    row = {"phrase": "late", "sentence": f"It came late, {text}.", "paraphrase": "x"}
    add_items(campaign, [{**row, "system": "S0"}])


@pytest.mark.slow
def test_two_campaigns_are_compared_on_the_texts_of_both():
    first, second = hand_campaign(), hand_campaign("second")
    other_words(second, "three")
    page = compare("adam", other="second")
    assert sizes(page) == [5, 5] and sizes(page, "n_units") == [2, 2]
    # What the second campaign has is part of what the report of the first rests on.
    other_words(second, "two")
    assert sizes(compare("adam", other="second")) == [2, 2]
    assert Report.objects.filter(campaign=first).count() == 2


@pytest.mark.slow
def test_a_campaign_of_others_stays_closed(hand):
    hand_campaign("second")
    give_role(hand, make_user("eve"), "viewer")
    page = compare("eve")
    assert page.status_code == 200 and list(page.context["others"]) == []
    assert compare("eve", other="second").status_code == 404
