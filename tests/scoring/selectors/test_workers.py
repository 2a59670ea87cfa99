"""Is anybody working? What the banner, /healthz and the API say about workers."""

import os
import time

import pytest

from paraanno.env import storage_id
from paraanno.running.supervision import prepared_file
from scoring.results.items import item_view
from scoring.work import workers
from scoring.work.workers import queue_name, worker_status
from tests.clients import client_of, html_of, text_of
from tests.factories import make_campaign
from tests.scoring.factories import finish, started
from tests.scoring.services.at_work import beat

pytestmark = pytest.mark.usefixtures("toy_metrics")
USUAL, KOREAN = [queue_name("")], [queue_name("korean")]


def test_the_page_says_which_queue_has_no_worker(monkeypatch):
    monkeypatch.setattr(workers, "LOADED", 0)  # Not a moment ago.
    campaign = make_campaign(items=1, open_it=False)
    for metric in ("pinc", "toy-korean"):
        started(campaign, metric)

    def page():
        return text_of(client_of("alice").get(f"/c/{campaign.slug}/runs/"))

    beat("usual", queues=USUAL)
    words = "no worker consumes the queue"
    assert page().count(words) == page().count(f"{words} korean") == 1
    beat("heavy", queues=KOREAN)
    assert words not in page()


def test_a_worker_with_a_data_folder_of_its_own_is_warned_of(client):
    """Its exports would not be found here."""
    beat("same", queues=USUAL, storage=storage_id())
    beat("old", queues=USUAL)  # Of an older version.
    assert worker_status().level == "ok"
    assert client.get("/readyz").json()["storage"]["ok"]
    beat("apart", host="far", queues=USUAL, storage="x")
    assert worker_status().level == "warning" and "on far keeps" in worker_status().message
    found = client.get("/readyz").json()
    assert found["status"] == "degraded" and found["reasons"] == [worker_status().message]


def test_only_a_worker_for_usual_work_counts_as_one():
    beat("heavy", queues=KOREAN)
    assert not worker_status().alive
    beat("usual", queues=USUAL)
    assert worker_status().alive


@pytest.mark.parametrize(
    ("loaded_ago", "prepared_ago", "level"),
    [(5, None, "starting"), (60, 5, "starting"), (60, 60, "error"), (60, None, "error")],
)
def test_in_the_first_seconds_of_a_site_no_worker_is_missed(
    loaded_ago, prepared_ago, level, monkeypatch, settings, tmp_path
):
    """Workers start after the web server; to a new user that looked like a fault."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(workers, "LOADED", time.time() - loaded_ago)
    if prepared_ago is not None:
        prepared_file(tmp_path).touch()
        os.utime(prepared_file(tmp_path), (time.time() - prepared_ago,) * 2)
    make_campaign(items=1)
    page = html_of(client_of("vera").get("/worker-status/"))
    assert (worker_status().level, "banner" in page) == (level, level == "error")


# Items with all that is known of them: outputs, judgments, scores.


def test_detail_is_kept_and_shown_where_the_metric_says_so():
    campaign = make_campaign(items=1)
    run = finish(started(campaign, "toy-telling"))
    plain = finish(started(campaign, "pinc"))
    assert set(plain.scores.values_list("detail", flat=True)) == {None}
    item = campaign.items.get()
    scores = dict(item_view(campaign=campaign, key=item.key).texts[0].scores)
    assert scores[run].detail["matched_words"] == 3
    page = html_of(client_of("alice").get(f"/c/{campaign.slug}/items/{item.key}/"))
    assert "<summary>Details of the toy-telling score</summary>" in page
    assert "Details of the pinc score" not in page
    assert "<dt>matched words</dt>" in page and "a, b" in page
