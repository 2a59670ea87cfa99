"""Pages in states that the demo is not in: axe finds nothing, and nothing scrolls sideways."""

import itertools

import pytest

from annotation.campaigns.services import campaign_update
from annotation.models import Campaign, ImportJob, Scale
from scoring.models import Report, Run
from tests.annotation.views.collecting.screen import World
from tests.factories import add_judgments
from tests.proxy import Proxy
from tests.scoring.views.shown import show
from tests.scoring.views.site import done_run
from tests.site.visiting import faults

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
PROBLEM = {
    "file": "big.csv",
    "line": 3,
    "column": "phrase",
    "severity": "error",
    "message": "the phrase is not in the sentence",
}
REPORT = {
    "ok": True,
    "dry_run": False,
    "rows": 30_000,
    "counts": {"items": 30_000},
    "problems": [],
    "batch": None,
}
TEXTS = [
    {"sentence": f"It is old, number {n}.", "phrase": "old", "paraphrase": f"aged {n}"}
    for n in range(6)
]
JOBS = {
    "is waiting for a worker": {"status": "queued", "path": "files/imports/a.data"},
    "is being checked": {
        "status": "running",
        "path": "files/imports/b.data",
        "dry_run": True,
        "done": 12_000,
    },
    "is being imported": {"status": "running", "path": "files/imports/c.data", "done": 12_000},
    "The file is fine": {
        "status": "done",
        "path": "files/imports/d.data",
        "dry_run": True,
        "to_confirm": True,
        "report": REPORT | {"dry_run": True},
    },
    "The file is imported": {"status": "done", "report": REPORT},
    "the phrase is not in the sentence": {
        "status": "failed",
        "error": "It has errors.",
        "report": REPORT | {"ok": False, "problems": [PROBLEM]},
    },
    "The disk is full": {"status": "failed", "error": "The disk is full."},
}


@pytest.fixture
def world(shared_site):
    proxy = Proxy(shared_site.port)
    yield lambda **options: World(shared_site, proxy, **options)
    proxy.close()


def test_a_large_file_in_each_of_its_states(world, new_page):
    place = world()
    with place.site.database():
        campaign = Campaign.objects.get(slug=place.slug)
        keys = {
            said: ImportJob.objects.create(
                campaign=campaign, what="items", file_name="big.csv", total=30_001, **job
            ).key
            for said, job in JOBS.items()
        }
    page = new_page()
    place.log_in(page.context, "alice")
    address = f"{place.proxy.url}/c/{place.slug}/import/"
    wrong = []
    for said, key in keys.items():
        page.goto(f"{address}{key}/")
        assert said in page.inner_text("#import-job")
        wrong += faults(page)
    page.goto(address)
    assert page.locator("main li .badge").count() == len(JOBS)
    wrong += faults(page)
    assert not wrong, "\n".join(wrong)


def test_languages_and_scales_of_names(world, new_page):
    """A language that is asked for, a wrong one, one that was corrected after a run; a scale of
    names; White's table."""
    place = world(rows=[{**text, "system": f"S{n % 2}"} for n, text in enumerate(TEXTS)])
    with place.site.database():
        campaign = Campaign.objects.get(slug=place.slug)
        add_judgments(
            campaign,
            [
                {**text, "annotator": name, "scale": scale, "value": 1 + (n + at) % 2}
                for (n, text), (at, name), scale in itertools.product(
                    enumerate(TEXTS), enumerate("xyz"), ("MEANING", "GRAMMAR")
                )
            ],
        )
        Scale.objects.filter(campaign=campaign, name="GRAMMAR").update(level="nominal")
        for spec in ("bleu", "pinc"):
            done_run(campaign, {f"aged {n}": n / 10 for n in range(6)}, spec=spec)
    page = new_page()
    place.log_in(page.context, "alice")
    address = f"{place.proxy.url}/c/{place.slug}/"
    page.goto(address)
    wrong = faults(page)
    page.fill("#id_language", "Korean!")
    page.click("#language button")
    page.wait_for_selector("#language-error")
    wrong += faults(page)
    with place.site.database():
        campaign = campaign_update(campaign=campaign, actor=None, changes={"language": "en"})
        Run.objects.filter(campaign=campaign).update(language_changes=campaign.language_changes)
        campaign_update(campaign=campaign, actor=None, changes={"language": "de"})
    for name, said in (
        ("agreement", "Agreement on 1 (Broken)"),
        ("runs", "was changed later"),
        ("correlation/mixes", "Computed before the language"),
        ("correlation/metric", "Computed before the language"),
        ("correlation/ranking", "White"),
        ("settings", "Correcting it changes no judgment"),
    ):
        show(page, f"{address}{name}/")
        page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")
        assert said in page.inner_text("main"), name
        wrong += faults(page)
    with place.site.database():
        ranking = Report.objects.get(campaign=campaign, kind="ranking")
        ranking.result["human"]["MEANING"] |= {
            "reason": None,
            "table": [["", "bleu"], ["Model + metric", "50.0 (*)"]],
            "table_independent": [["", "bleu"], ["Model + metric", "50.0 (**)"]],
            "legend": "* p < .1",
            "legend_independent": "** p < .05",
            "tests": [
                {"column": "a", "other": "b", "mcnemar_p": 0.1, "swap_p": 0.2, "too_bold": True}
            ],
        }
        ranking.save()
    show(page, f"{address}correlation/ranking/")
    page.click("summary:has-text('With models')")
    page.click("summary:has-text('As in the paper') >> nth=-1")
    assert "50.0 (*)" in page.inner_text("main") and "50.0 (**)" in page.inner_text("main")
    wrong += faults(page)
    assert not wrong, "\n".join(wrong)
