"""How far each metric agrees with people: all of them beside each other, and pair by pair."""

import re

import pytest
from django.utils.html import conditional_escape

from annotation.campaigns.services import campaign_update
from scoring.correlation.figures import FIGURES, TABLES
from scoring.correlation.words import p_text
from scoring.demo import demo_runs_ask
from scoring.models import Report, Run
from scoring.paper.methods import methods_paragraph
from scoring.ratings.choice import fingerprint
from scoring.runs.start import run_cancel, run_start
from scoring.work.workers import demo_mark
from tests.clients import client_of, html_of, text_of
from tests.scoring.factories import done_run
from tests.scoring.hand import hand_campaign
from tests.scoring.paper.campaign import AGREEMENT, NAMES, facts
from tests.scoring.paper.test_methods import RESULTS
from tests.scoring.views.correlation.world import get

SCORES = {"one": 0.9, "two": 0.5, "three": 0.1}
PAGES = ("", "metric/", "differences/", "systems/", "mixes/", "stability/", "ranking/")


@pytest.mark.slow
def test_every_page_answers_and_keeps_the_choice(world):
    for address in PAGES:
        page = get(address, systems=["A", "B"], references="without")
        room = page.context["room"]["pages"]
        shown = [one for one in room if "systems=A&systems=B&references=without" in one["url"]]
        assert len(shown) == len(PAGES), address
        assert [one["current"] for one in shown].count(True) == 1
        assert "Items without references" in html_of(page), address
        warned = "the fewest from 10." in html_of(get(address))  # Phrases, of 10 items.
        assert warned == (address != "ranking/"), address


@pytest.mark.slow
def test_pages_of_an_empty_campaign():
    hand_campaign("world")
    for address in PAGES:
        assert "No metric run is finished yet" in html_of(get(address)), address
    for name in FIGURES:
        assert get(f"figure/{name}.csv").status_code in (200, 404), name
    for name in TABLES:
        assert get(f"table/{name}.csv").status_code == 404, name


@pytest.mark.slow
def test_the_better_metric_stands_first_and_has_a_letter_of_its_own(world):
    page = get()
    answer = text_of(page)
    assert "BLEU agrees best with MEANING: r " in answer
    assert "All others are told apart from it." in answer
    for table in page.context["tables"]:
        bleu, pinc = table["rows"]
        assert [row["run"]["label"] for row in (bleu, pinc)] == ["bleu", "pinc"]
        assert (bleu["letters"], pinc["letters"]) == ("a", "b")
        assert table["whole"] and len(bleu["more"]) == len(table["heads"])
        assert bleu["free"]["value"] > bleu["cells"][0]["value"]
        assert bleu["roc"]["value"] > pinc["roc"]["value"]
    assert {figure["name"] for figure in page.context["figures"]} == {"coefficients", "among"}
    # Gold by another method, and some of the items, make other reports.
    by_mean, by_z = (
        found["human"]["MEANING"]["metrics"]["bleu"]["pearson"]["value"]
        for found in (page.context["found"], get(method="z").context["found"])
    )
    assert Report.objects.filter(kind="correlation").count() == 2
    assert by_mean != by_z and by_mean == pytest.approx(by_z, abs=0.1)
    for references, n in (("with", 3), ("without", 27), ("perhaps", 30)):
        assert get(references=references).context["found"]["n"] == n


def test_differences_show_the_report(world):
    page = get("differences/", scale="GRAMMAR")
    [found] = page.context["found"]["human"]["GRAMMAR"]["comparisons"]
    [row] = page.context["rows"]
    assert (row["a"], row["b"]) == ("bleu", "pinc")
    assert row["gaps"][0]["gap"]["value"] == found["difference"]["value"]
    assert row["gaps"][0]["clear"] == (found["holm_p"] < 0.05)
    # Every p-value stands under the head of its test.
    table = html_of(page).split('aria-labelledby="literature"')[1].split("</tbody>")[0]
    head, _, body = table.partition("</thead>")
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', head)[1:]
    shown = dict(zip(heads, re.findall(r"<td[^>]*>(.*?)</td>", body), strict=True))
    for test, key in (("Williams", "williams_p"), ("McNemar", "mcnemar_p")):
        assert shown[test].startswith(conditional_escape(p_text(found[key]))), test
    one = found["decisions"]
    assert shown["Only one is right"].startswith(f"{one['only_a']} : {one['only_b']}")
    assert page.context["scale"] == "GRAMMAR"
    assert get("differences/", scale="?").context["scale"] == "MEANING"


@pytest.mark.slow
def test_queries_do_not_grow(world, django_assert_max_num_queries):
    client = client_of("vera")
    for address in PAGES:
        client.get(f"/c/world/correlation/{address}")
        with django_assert_max_num_queries(53):
            client.get(f"/c/world/correlation/{address}")


def test_a_page_without_a_report_says_how_far_the_runs_are_and_fills_itself(
    data_dir,
):
    campaign, vera = hand_campaign(), client_of("vera")

    def polled():
        headers = {"HX-Request": "true", "X-Report": "fill"}
        return html_of(vera.get("/c/hand/correlation/", headers=headers))

    demo_runs_ask(campaign=campaign)
    assert "are about to start" in polled() and "hx-trigger" in polled()
    assert "hx-trigger" in html_of(vera.get("/c/hand/runs/list/"))
    run = run_start(campaign=campaign, spec="pinc", actor=None)
    demo_mark().unlink()
    assert "0 of 1 metric runs are finished" in polled() and "data-fill" not in polled()
    run_cancel(run=run, actor=None)
    done_run(campaign, SCORES)
    assert "data-fill" in polled()  # report.js then takes it in.


@pytest.mark.slow
def test_pages_and_reports_say_which_runs_read_another_language(world):
    campaign_update(campaign=world, actor=None, changes={"language": "en"})
    world.refresh_from_db()
    Run.objects.filter(metric="bleu").update(language_changes=world.language_changes)
    sentence = "Computed before the language of the texts was changed: bleu."
    page = get()
    assert sentence not in text_of(page)
    assert not any(one["old_language"] for one in page.context["found"]["runs"])
    before = fingerprint(campaign=world)
    campaign_update(campaign=world, actor=None, changes={"language": "ko"})
    assert fingerprint(campaign=world) != before
    for address in PAGES:
        assert sentence in text_of(get(address)), address
    report = get().context["found"]
    assert [(one["label"], one["old_language"]) for one in report["runs"]] == [
        ("bleu", True),
        ("pinc", False),
    ]
    text = methods_paragraph(
        facts(), AGREEMENT, RESULTS, names=NAMES, signature="", correlation=report
    )
    assert "Computed before the language of the texts was corrected: bleu." in text
