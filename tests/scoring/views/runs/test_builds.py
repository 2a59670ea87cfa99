"""Builds on the page of resources."""

import pytest

from scoring.builds.work import builds_work
from scoring.models import Build, Resource
from scoring.resources.services import resource_add
from tests.clients import html_of, text_of
from tests.factories import make_user
from tests.scoring.services.builds.parts import asked, corpus

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


def corpora(folder):
    """The keys of three corpora of a word a line: English has two words for the one of German."""
    words = {
        "english": "dog hound cat",
        "foreign": "Hund Hund Katze",
        "foreign_2": "chien levrier chat",
    }
    keys = {}
    for role, text in words.items():
        path = folder / f"{role}.txt"
        path.write_text(text.replace(" ", "\n") + "\n")
        one = resource_add(kind="corpus", path=path, actor=make_user("alice"))
        keys[f"input-{role}"] = str(one.key)
    return keys


def table_of(client, address):
    """What is downloaded of a table that was built."""
    lines = b"".join(client.get(address).streaming_content).decode().splitlines()
    return {tuple(line.split("\t")[:2]): float(line.split("\t")[2]) for line in lines}


@pytest.mark.slow
def test_further_languages_make_the_mean_of_their_tables_on_the_page_and_by_the_api(
    owner, tmp_path
):
    """HOUND stands for DOG with probability 1/2 by German, and never by French."""
    keys = corpora(tmp_path)
    form = html_of(owner.get("/resources/"))
    further = form.split("Further languages")[1].split("</details>")[0]
    assert 'name="input-foreign_2"' in further and 'name="input-english_5"' in further
    assert keys["input-foreign_2"] in further and 'name="input-foreign"' not in further
    sent = {"recipe": "paraphrases", "option-min_count": "1"}
    assert "is being made" in html_of(owner.post("/builds/", sent | keys, follow=True))
    builds_work()
    made = Resource.objects.get(kind="table")
    both = table_of(owner, f"/resources/{made.key}/file/")
    assert both == {("dog", "hound"): 0.25, ("hound", "dog"): 0.25}
    # The API gives what the page has made, and makes another table of German alone.
    inputs = {name.removeprefix("input-"): key for name, key in keys.items()}
    for french, status, probability in (("foreign_2", 200, 0.25), ("", 202, 0.5)):
        given = {role: key for role, key in inputs.items() if role != "foreign_2" or french}
        asked_for = owner.post(
            "/api/v1/builds",
            {"recipe": "paraphrases", "inputs": given},
            content_type="application/json",
        )
        assert asked_for.status_code == status
        builds_work()
        build = owner.get(f"/api/v1/builds/{asked_for.json()['key']}").json()
        table = table_of(owner, f"/api/v1/resources/{build['resource']}/file")
        assert table == {("dog", "hound"): probability, ("hound", "dog"): probability}
    lost = owner.post("/builds/", sent | {"input-links_3": keys["input-english"]}, follow=True)
    assert "links_3" in text_of(lost)
