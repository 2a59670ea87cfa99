"""The organiser's and the participant's way through the pages and the API."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.accounts.tokens import token_make
from annotation.verify import verify
from scoring.shared_tasks.board_page import board_view, progress_view, short
from scoring.shared_tasks.models import SharedTask, Submission
from scoring.shared_tasks.submissions import work_finish
from tests.clients import client_of
from tests.factories import make_user
from tests.scoring.shared_tasks.made import (
    choices_file,
    make_judged_campaign,
    make_task,
    make_team,
    send,
)


def upload(data, name="choices.tsv"):
    return SimpleUploadedFile(name, data)


@pytest.mark.slow
def test_an_organiser_runs_a_task_from_the_first_page_to_the_zip():
    campaign = make_judged_campaign()
    alice, anna = client_of("alice"), client_of("anna")
    assert b"New task" in alice.get("/tasks/").content
    made = alice.post(
        "/tasks/new/",
        {
            "title": "Game",
            "slug": "game",
            "campaign": "judged",
            "tracks": ["metrics", "segment"],
            "gold": "sum",
            "public_share": "0.3",
            "per_day": "5",
        },
    )
    assert made["Location"] == "/tasks/game/organise/", made.content
    assert anna.get("/tasks/game/").status_code == 404
    answer = alice.post("/tasks/game/organise/teams/", {"name": "kite"}, follow=True)
    link = answer.content.decode().split("/tasks/join/")[1].split("/")[0]
    file = {"role": "train", "track": "", "file": upload(b"x", "t.zip")}
    assert alice.post("/tasks/game/organise/files/", file).status_code == 302
    alice.post("/tasks/game/organise/act/", {"do": "freeze"})
    anna.post(f"/tasks/join/{link}/")
    task = SharedTask.objects.get(slug="game")
    work_finish(task=task)
    address = "/tasks/game/submissions/"
    bad = anna.post(address, {"track": "metrics", "file": upload(b"pair\tchoice\n")})
    assert bad.status_code == 422 and b"48 of 48 pairs" in bad.content
    for name in ("one", "two"):
        sent = {"track": "metrics", "name": name, "file": upload(choices_file(task))}
        assert anna.post(address, sent).status_code == 302
    work_finish(task=task)
    first = Submission.objects.get(name="one")
    anna.post(f"{address}{first.key}/primary/")
    anna.post("/tasks/game/method/", {"method": "We guessed."})
    assert b"1.000" in anna.get(address).content
    address = "/tasks/game/board/?track=metrics"
    board = anna.get(address).content
    assert b"one" in board and b"Public part" in board and b"McNemar" not in board
    assert b"Dashed: human ceiling" in board and b'class="hc"' in board
    unchanged = {"If-None-Match": anna.get(address)["ETag"]}
    assert anna.get(address, headers=unchanged).status_code == 304
    assert alice.get(address, headers=unchanged).status_code == 200
    assert b"1.000" in anna.get(f"{address}&credit=strict", headers=unchanged).content
    alice.post("/tasks/game/organise/", {"title": "New name", "per_day": "7"})
    alice.post("/tasks/game/organise/act/", {"do": "close"})
    work_finish(task=task)
    assert alice.post("/tasks/game/organise/act/", {"do": "close"}).status_code == 409
    alice.post("/tasks/game/organise/act/", {"do": "publish"})
    nobody = Client()
    board = nobody.get("/tasks/game/board/").content
    assert b"McNemar" in board and b"Final part" in board and b"New name" in board
    everything = nobody.get("/tasks/game/everything.zip")
    assert b"We guessed." in zip_member(everything, "methods.md")
    header = zip_member(everything, "gold/pairs.tsv").splitlines()[0]
    assert header == b"pair\tsum\tmajority\tpart"
    assert b"alpha" in zip_member(everything, "heds.json")
    assert b"alpha" in zip_member(everything, "datasheet.md")
    assert b"human ceiling" in zip_member(everything, "tex/metrics.tex")
    assert anna.get(address, headers=unchanged).status_code == 200
    assert verify(campaign=campaign) == []
    badge = nobody.get("/tasks/game/badge.svg")
    assert badge["Content-Type"] == "image/svg+xml"
    assert badge["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert b"one" in nobody.get("/tasks/game/board.html").content
    assert Submission.objects.get(primary=True, baseline="") == first


def test_strangers_read_what_an_open_task_is_and_nothing_else_of_it():
    task = make_task(tracks=("metrics", "realization"), text="Rank *paraphrases*.")
    send(task, make_team(task, "kite"))
    nobody = Client()
    page = nobody.get("/tasks/game/").content.decode()
    assert "<em>paraphrases</em>" in page
    assert "submissions to realization do not use them is a matter of honour" in page
    for secret in ("/files/", "/board/", "/submissions/", "kite", "originals.tsv</a>"):
        assert secret not in page
    for path in ("board/", "board.html", "starter.py", "submissions/"):
        answer = nobody.get(f"/tasks/game/{path}")
        assert answer.status_code == 302 and "/login/" in answer["Location"]
    assert nobody.get("/tasks/game/badge.svg").status_code == 200
    make_task("draft", freeze=False)
    assert nobody.get("/tasks/draft/").status_code == 302
    assert nobody.get("/tasks/draft/badge.svg").status_code == 302


def zip_member(answer, name):
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return archive.read(name)


def test_a_program_takes_part_with_its_token():
    task = make_task()
    make_team(task, "kite", "anna")
    _token, text = token_make(user=make_user("anna"))
    client = Client(headers={"Authorization": f"Token {text}"})
    files = {one["name"]: one["key"] for one in client.get("/api/v1/tasks/game/files").json()}
    assert set(files) == {"originals.tsv", "texts.tsv", "pairs.tsv", "references.tsv"}
    pairs = client.get(f"/api/v1/tasks/game/files/{files['pairs.tsv']}").content
    address = "/api/v1/tasks/game/submissions"
    refused = client.post(address, {"track": "metrics", "file": upload(b"")})
    assert refused.status_code == 400 and refused.json()["problems"]
    choices = b"pair\tchoice\n" + b"".join(
        line.split(b"\t")[0] + b"\t=\n" for line in pairs.splitlines()[1:]
    )
    made = client.post(address, {"track": "metrics", "file": upload(choices), "name": "ties"})
    assert made.status_code == 201, made.content
    work_finish(task=task)
    one = client.get(f"{address}/{made.json()['key']}").json()
    assert one["public"]["half"] == 0.5 and one["public"]["strict"] == 0 and one["final"] is None
    assert client.post(f"{address}/{one['key']}/primary").json()["primary"]
    rows = client.get("/api/v1/tasks/game/leaderboard").json()["tracks"]["metrics"]["rows"]
    assert "ties" in {row["submission"] for row in rows}


def test_another_teams_submission_is_not_there():
    task = make_task()
    make_team(task, "kite", "anna")
    theirs = send(task, make_team(task, "onyx", "zoe"))
    anna = client_of("anna")
    for name in ("task-primary", "task-withdraw", "api-task-primary"):
        address = reverse(name, args=[task.slug, theirs.key])
        assert anna.post(address).status_code == 404
    theirs.refresh_from_db()
    assert theirs.withdrawn_at is None and not theirs.primary


def test_a_drawn_board_covers_its_data():
    first, second, third = (
        {"submission": name, "key": name, "half": half, "group": group} | more
        for name, half, group, more in (
            (
                "x",
                0.7,
                "A",
                {"ci_low": 0.6, "ci_high": 0.8, "rank_low": 1, "rank_high": 1, "letters": "a"},
            ),
            ("y", 0.4, "BA2", {"ci_low": 0.3, "ci_high": 0.5, "rank_low": 2, "rank_high": 3}),
            ("z", None, "", {}),
        )
    )
    view = board_view([first, second, third], "half")
    high, low = (float(one.dot[:-1]) for one in view.rows if one.dot)
    assert 0 < low < high < 100
    assert [one.ranks for one in view.rows] == ["1", "2–3", "–"]
    assert [one.letters for one in view.rows] == ["a", "BA2", ""] and 2 <= len(view.ticks) <= 6
    assert short(-0.25) == "−.250" and short(None) == "–" and short(1.0) == "1.000"
    assert board_view([], "half").rows == []
    points = [(0, "2026-01-01", 0.5), (9, "2026-01-02", 0.6)]
    assert progress_view({"kite": points[:1]}) is None
    drawn = progress_view({"kite": points})
    together = progress_view(
        {"kite": points, "onyx": points[1:], "stern": [(9, "2026-01-02", 0.5)]}
    )
    assert [place[-1] for place in together.lines] == ["-5.0%", "5.0%", "95.0%"], "names are apart"
    assert drawn is not None and (drawn.first, drawn.high) == ("2026-01-01", ".600")
