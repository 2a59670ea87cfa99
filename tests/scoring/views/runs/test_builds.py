"""Builds on the page of resources."""

import pytest

from scoring.builds.work import builds_work
from scoring.models import Build, Resource
from scoring.resources.services import resource_add
from tests import HOME
from tests.clients import client_of, html_of, text_of
from tests.factories import make_user
from tests.scoring.builds import asked, corpus
from tests.scoring.services.test_matches import campaign, scored

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.mark.slow
def test_one_is_made_watched_and_downloaded(owner, tmp_path):
    assert "Add a file of this kind first: Corpus." in html_of(owner.get("/resources/"))
    source = corpus(tmp_path)
    html = html_of(owner.get("/resources/"))
    assert "English sentences" in html and "Their translations, line by line" in html
    assert '<option value="">Choose one' in html  # Not the newest corpus for both.
    sent = {"recipe": "lm", "input-text": str(source.key), "option-order": "2", "name": "Tiny"}
    assert "Tiny is being made" in html_of(owner.post("/builds/", sent, follow=True))
    page = f"/builds/{Build.objects.get().key}/"
    row = owner.get(page)
    assert "waits for a worker" in html_of(row) and "HX-Refresh" not in row
    Build.objects.update(status="running", worker="x/1", stage="estimate", number=1)
    assert "stage 1 of 2: estimate" in html_of(owner.get(page))
    korean = html_of(owner.get("/resources/", HTTP_ACCEPT_LANGUAGE="ko"))
    assert "만드는 중" in korean and "Make one" not in korean
    Build.objects.update(status="queued", worker="")
    builds_work()
    assert owner.get(page)["HX-Refresh"] == "true"
    assert "Download as text" in html_of(owner.get("/resources/"))
    made = Resource.objects.get(kind="lm")
    answer = owner.get(f"/resources/{made.key}/file/")
    assert answer["Content-Disposition"] == 'attachment; filename="lm.arpa"'
    assert b"".join(answer.streaming_content).startswith(b"\\data\\\nngram 1=")
    assert owner.get(f"/resources/{source.key}/file/").status_code == 404
    again = owner.post("/builds/", sent, follow=True)
    assert "The same was made before, as Tiny." in html_of(again)


def test_wrong_options_are_told_and_cancelling_is_for_active_ones(owner, tmp_path):
    source = corpus(tmp_path)
    sent = {"recipe": "lm", "input-text": str(source.key), "option-order": "many"}
    refused = owner.post("/builds/", sent, follow=True)
    assert "lm: order=many is not allowed" in text_of(refused) and not Build.objects.exists()
    cancel = f"/builds/{asked(source).key}/cancel/"
    assert "was cancelled" in text_of(owner.post(cancel, follow=True))
    assert owner.post(cancel).status_code == 409


# The rating of a paraphrase table, from two files to its page.


@pytest.mark.slow
def test_a_table_is_rated_and_its_files_are_downloaded(owner):
    table, aligned = (
        resource_add(
            kind=kind, path=HOME / "examples" / "parametric" / name, actor=make_user("alice")
        )
        for kind, name in (("table", "table.tsv"), ("aligned_pairs", "aligned.tsv"))
    )
    page = html_of(owner.get("/resources/"))
    assert all(f'value="{name}"' in page for name in ("parametric", "pem_style", "translations"))
    sent = {
        "recipe": "parametric",
        "input-table": str(table.key),
        "input-aligned": str(aligned.key),
        "name": "Rated",
    }
    owner.post("/builds/", sent)
    builds_work()
    address = f"/resources/{Resource.objects.get(kind='parametric').key}/rating/"
    assert address in html_of(owner.get("/resources/"))
    page = html_of(owner.get(address))
    assert "Lower-bound precision" in page and f"{address}svg/" in page
    first = owner.get(f"{address}csv/").content.decode().splitlines()[1].split(",")
    # What the command prints for the same two files: tests of the command compare it by hand.
    assert f"{float(first[1]):.3f}" in page and f"{float(first[2]):.3f}" in page
    assert b"tab:parametric" in owner.get(f"{address}tex/").content
    assert owner.get(f"{address}svg/").content.startswith(b"<?xml")
    for missing in (f"{address}pdf/", f"/resources/{table.key}/rating/"):
        assert owner.get(missing).status_code == 404


# The page that has matches judged.


__all__ = ["campaign"]


def test_from_a_run_to_a_campaign(campaign, tmp_path):
    alice, run = client_of("alice"), f"/c/camp/runs/{scored(campaign, tmp_path).key}/"
    page = f"{run}matches/"
    assert f'href="{page}"' in html_of(alice.get(run))
    shown = html_of(alice.get(page))
    assert "flew away" in shown or "red car" in shown
    assert alice.post(page, {"n": "0", "seed": "1", "slug": "x"}).status_code == 422
    sent = {"n": "5", "seed": "1", "slug": "judged"}
    assert alice.post(page, sent)["Location"] == "/c/judged/"
    assert alice.post(page, sent).status_code == 422
    assert "Make the campaign" not in html_of(client_of("dora").get(page))
    other = scored(campaign, tmp_path, "pinc")
    shown = html_of(alice.get(f"/c/camp/runs/{other.key}/matches/"))
    assert "Only runs of ParaEval" in shown
