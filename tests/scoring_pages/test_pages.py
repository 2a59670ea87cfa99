"""Pages of analysis: who may see them, and that their numbers are those of the statistics."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotator, Campaign, Substitution
from annotation.services.campaigns import campaign_create
from annotation.services.exclusions import exclusion_add
from scoring.models import Report, Run, Score
from scoring.selectors.outcomes import gold_columns, results_for
from scoring.selectors.ratings import ratings_get
from scoring.services.runs import run_start
from scoring.stats import Bootstrap, agreement_report, correlation_report
from tests.bridge.hand import hand_campaign
from tests.factories import make_admin, make_campaign, make_user

pytestmark = pytest.mark.django_db
PAGES = ["agreement", "results", "gold", "runs", "runs-list", "correlation", "exports"]
READERS = ["alice", "dora", "vera", "adam"]


def login(name: str) -> Client:
    client = Client()
    if name == "adam":
        client.force_login(make_admin())
    elif name != "nobody":
        client.force_login(make_user(name))
    return client


def done_run(campaign: Campaign, values: dict[str, float], **fields: Any) -> Run:
    """A finished run with scores by text, as a worker leaves it."""
    run = run_start(campaign=campaign, spec=fields.pop("spec", "bleu"), actor=None)
    for text, value in values.items():
        Score.objects.create(
            run=run, substitution=Substitution.objects.get(campaign=campaign, text=text),
            value=value,
        )  # fmt: skip
    Run.objects.filter(pk=run.pk).update(
        status="done", done=len(values), started_at=run.created_at, finished_at=run.created_at,
        **fields,
    )  # fmt: skip
    run.refresh_from_db()
    return run


@pytest.mark.parametrize(
    ("name", "status"),
    [*((name, 200) for name in READERS), ("bob", 403), ("charlie", 404), ("nobody", 302)],
)
@pytest.mark.parametrize("page", PAGES)
def test_who_may_read(page: str, name: str, status: int) -> None:
    campaign = hand_campaign()
    answer = login(name).get(reverse(page, args=[campaign.slug]))
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("name", "status"),
    [("alice", 302), ("dora", 302), ("adam", 302), ("vera", 403), ("bob", 403), ("charlie", 404)],
)
def test_who_may_start_cancel_and_retry(name: str, status: int) -> None:
    campaign = hand_campaign()
    client = login(name)
    started = client.post(reverse("runs", args=[campaign.slug]), {"metric": "bleu"})
    assert started.status_code == status
    assert Run.objects.exists() == (status == 302)
    run = Run.objects.first() or run_start(campaign=campaign, spec="bleu", actor=None)
    for act in ("run-cancel", "run-retry"):
        answer = client.post(reverse(act, args=[campaign.slug, run.key]))
        assert answer.status_code == status
    assert login(name).get(reverse("run-cancel", args=[campaign.slug, run.key])).status_code == 405


def test_readers_see_no_buttons() -> None:
    campaign = hand_campaign()
    run_start(campaign=campaign, spec="bleu", actor=None)
    page = login("vera").get(reverse("runs", args=[campaign.slug])).content.decode()
    assert "Start a run" not in page and "/cancel/" not in page
    page = login("dora").get(reverse("runs", args=[campaign.slug])).content.decode()
    assert "Start a run" in page and "/cancel/" in page


def test_overview_is_for_administrators(django_assert_max_num_queries: Any) -> None:
    campaign = hand_campaign()
    for name in ("alice", "vera", "bob", "charlie"):
        assert login(name).get(reverse("overview")).status_code == 404
    client = login("adam")
    client.get(reverse("agreement", args=[campaign.slug]))
    page = client.get(reverse("overview")).content.decode()
    result = Report.objects.get(kind="agreement").result
    alpha = result["scales"]["MEANING"]["alpha_ordinal"]["value"]
    assert f"{alpha:.2f}" in page
    for number in range(4):
        make_campaign(f"more-{number}", items=1, cast=False)
    with django_assert_max_num_queries(9):
        assert "more-3" in client.get(reverse("overview")).content.decode()


def test_worker_status_is_for_readers() -> None:
    hand_campaign()
    for name, status in (("vera", 200), ("adam", 200), ("bob", 403), ("charlie", 403)):
        assert login(name).get(reverse("worker-status")).status_code == status
    assert "No worker is running" in login("vera").get(reverse("worker-status")).content.decode()


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
                expected = json.loads(json.dumps(blocks[block["name"]][row["key"]]))
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


def test_results_page_is_the_command() -> None:
    campaign = hand_campaign()
    client = login("vera")
    for unit in ("judgment", "gold"):
        answer = client.get(reverse("results", args=[campaign.slug]), {"unit": unit})
        assert answer.context["found"] == json.loads(
            json.dumps(results_for(campaign=campaign, unit=unit))  # type: ignore[arg-type]
        )
    page = client.get(reverse("results", args=[campaign.slug])).content.decode()
    assert "0.60" in page and "exclusion in force" in page and "S0 − S1" in page


def test_gold_page_shows_gold() -> None:
    campaign = hand_campaign()
    answer = login("vera").get(reverse("gold", args=[campaign.slug]))
    ratings = ratings_get(campaign=campaign)
    columns = gold_columns(campaign=campaign, ratings=ratings)
    assert answer.context["names"] == ["MEANING", "GRAMMAR", "MEANING + GRAMMAR"]
    units = {pk: unit for unit, pk in enumerate(ratings.units.tolist())}
    assert [row["text"].text for row in answer.context["rows"]] == ["one", "two", "three"]
    for row in answer.context["rows"]:
        unit = units[row["text"].pk]
        for cell, column in zip(row["cells"], columns.values(), strict=True):
            assert cell["mean"] == column.mean[unit]
            assert cell["median"] == column.median[unit]
            assert cell["n"] == column.n[unit]
    assert [row["pass"] for row in answer.context["rows"]] == [True, False, False]


def test_correlation_page_shows_the_pure_statistics() -> None:
    campaign = hand_campaign()
    scores = {"one": 0.9, "two": 0.5, "three": 0.1}
    run = done_run(campaign, scores)
    answer = login("vera").get(reverse("correlation", args=[campaign.slug]))
    ratings = ratings_get(campaign=campaign)
    texts = dict(Substitution.objects.values_list("pk", "text"))
    metric = np.array([scores[texts[pk]] for pk in ratings.units.tolist()])
    human = {
        name: column.mean
        for name, column in gold_columns(campaign=campaign, ratings=ratings).items()
    }
    pure = correlation_report(human, {"bleu": metric}, clusters=ratings.item)
    tables = answer.context["tables"]
    assert [table["human"] for table in tables] == list(human)
    for table in tables:
        [row] = table["rows"]
        assert row["run"]["key"] == str(run.key)
        expected = pure["human"][table["human"]]["metrics"]["bleu"]
        assert [cell["value"] for cell in row["cells"]] == [
            expected[name]["value"]
            for name in ("pearson", "spearman", "kendall", "pairwise_accuracy")
        ]
    assert "style-src 'self' 'unsafe-inline'" in answer["Content-Security-Policy"]
    other = login("vera").get(reverse("gold", args=[campaign.slug]))
    assert "unsafe-inline" not in other["Content-Security-Policy"]


def test_lower_is_better_turns_the_sign() -> None:
    campaign = hand_campaign()
    done_run(campaign, {"one": 0.1, "two": 0.5, "three": 0.9}, higher_is_better=False)
    answer = login("vera").get(reverse("correlation", args=[campaign.slug]))
    assert answer.context["tables"][0]["rows"][0]["cells"][0]["value"] > 0.9
    assert "better when lower" in answer.content.decode()


def test_figure_data() -> None:
    campaign = hand_campaign()
    Substitution.objects.filter(text="two").update(text="<b>two</b>")
    run = done_run(campaign, {"one": 0.9, "<b>two</b>": 0.5, "three": 0.1})
    client = login("vera")
    address = reverse("figure", args=[campaign.slug, "scatter", "json"])
    found = client.get(address, {"run": run.key, "scale": "MEANING"}).json()
    trace = found["data"][0]
    points = dict(zip(trace["text"], zip(trace["x"], trace["y"], strict=True), strict=True))
    assert points["first → one"] == (0.9, 4.5)
    assert points["second → &lt;b&gt;two&lt;/b&gt;"] == (0.5, 3.0)
    items = {
        f"{item.phrase.text}": reverse("item", args=[campaign.slug, item.key])
        for item in campaign.items.select_related("phrase")
    }
    assert trace["customdata"] == [items[text.split(" → ")[0]] for text in trace["text"]]
    assert found["layout"]["xaxis"]["title"]["text"] == "bleu"
    for data in ({"run": run.key, "scale": "?"}, {"run": "x"}, {"scale": "MEANING"}):
        assert client.get(address, data).status_code == 404
    for name, form in (("nothing", "json"), ("scatter", "gif")):
        other = reverse("figure", args=[campaign.slug, name, form])
        assert client.get(other, {"run": run.key, "scale": "MEANING"}).status_code == 404
    stranger = login("charlie").get(address, {"run": run.key, "scale": "MEANING"})
    assert stranger.status_code == 404


def test_reports_are_kept_until_the_data_change() -> None:
    campaign = hand_campaign()
    client = login("vera")
    address = reverse("agreement", args=[campaign.slug])
    for _ in range(3):
        client.get(address)
    assert Report.objects.filter(kind="agreement").count() == 1
    before = client.get(address).context["scales"][0]["numbers"]["n_ratings"]
    exclusion_add(target=Annotator.objects.get(code="a"), reason="x", actor=None, free_slots=False)
    after = client.get(address).context["scales"][0]["numbers"]["n_ratings"]
    assert (before, after) == (7, 4)


def test_large_campaigns_wait_for_a_worker(settings: Any) -> None:
    from scoring.services.reports import report_make

    campaign = hand_campaign()
    client = login("vera")
    address = reverse("agreement", args=[campaign.slug])
    settings.REPORT_ON_THE_SPOT = 0
    assert "made by a worker" in client.get(address).content.decode()
    report = Report.objects.get()
    assert report.status == "queued"
    report_make(report_pk=report.pk)
    assert "nothing has changed since" in client.get(address).content.decode()
    exclusion_add(target=Annotator.objects.get(code="a"), reason="x", actor=None)
    answer = client.get(address)
    assert "There are newer judgments" in answer.content.decode()
    assert answer.context["scales"][0]["numbers"]["n_ratings"] == 7


def test_a_failed_report_says_why(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from scoring.services import reports

    def broken(**_: Any) -> dict[str, Any]:
        raise ValueError("no such thing")

    monkeypatch.setitem(reports.KINDS, "agreement", broken)
    campaign = hand_campaign()
    page = login("vera").get(reverse("agreement", args=[campaign.slug])).content.decode()
    assert "no such thing" in page


def test_empty_campaign_has_pages() -> None:
    campaign = campaign_create(actor=make_user("alice"), slug="empty")
    for page in PAGES:
        assert login("alice").get(reverse(page, args=["empty"])).status_code == 200
    assert campaign.items.count() == 0


def test_queries_do_not_grow_with_the_campaign(django_assert_max_num_queries: Any) -> None:
    client = login("adam")
    for slug, items in (("small", 3), ("large", 40)):
        campaign = make_campaign(slug, items=items)
        for page in PAGES:
            client.get(reverse(page, args=[slug]))  # the reports are made here
            with django_assert_max_num_queries(40):
                client.get(reverse(page, args=[slug]))
        assert campaign.items.count() == items


def test_a_fine_scale_shows_intervals_and_a_mean() -> None:
    from scoring.views.results import mean_of, shares_table

    fine = {f"{value}": 0.01 for value in range(1, 101)}
    rows = shares_table([fine, {"1": 0.25, "100": 0.75}])
    assert [name for name, _ in rows][::9] == ["90.1 – 100", "1 – 10.9"]
    assert [round(sum(row[1][at] for row in rows), 9) for at in (0, 1)] == [1, 1]
    assert (rows[0][1][1], rows[-1][1][1]) == (0.75, 0.25)
    assert mean_of({"1": 0.25, "5": 0.75}) == 4
    assert mean_of({"1": 0.0}) is None
    assert shares_table([{"2": 0.5, "10": 0.5}]) == [("10", [0.5]), ("2", [0.5])]
