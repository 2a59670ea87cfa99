"""Readers of a board share one page, and nobody gets what is not theirs."""

import re
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from annotation.models import Membership
from scoring.shared_tasks import access, board_views
from scoring.shared_tasks.models import SharedTask, TeamMember
from scoring.shared_tasks.submissions import submission_withdraw, task_close, work_finish
from tests.factories import make_user
from tests.scoring.shared_tasks.made import make_task, make_team, send

ADDRESS = "/tasks/game/board/"
TOKEN = "t" * 32
QUERIES = (
    "",
    "?track=metrics",
    "?track=segment&credit=strict",
    "?credit=strict",
    "?track=metrics&",
)


@pytest.fixture(autouse=True)
def nothing_kept_and_all_the_time(monkeypatch):
    cache.clear()
    monkeypatch.setattr(access, "LAG", 600)
    monkeypatch.setattr(access, "LOOK", 600)


def browser(user, **how):
    """A browser that has been here before: it has a token for forms."""
    client = Client(**how)
    client.force_login(user)
    client.cookies["csrftoken"] = TOKEN
    return client


def page(client, query="", **how):
    answer = client.get(ADDRESS + query, **how)
    assert answer.status_code == 200
    return answer.content.decode()


def without_tokens(text):
    return re.sub(r'"X-CSRFToken": "\w+"|name="csrfmiddlewaretoken" value="\w+"', "", text)


def the_long_way():
    return patch.object(board_views, "answer_reader", return_value=None)


def only_the_short_way():
    return patch.object(board_views, "_board", side_effect=AssertionError("the long way"))


def make_game(**how):
    task = make_task(tracks=("metrics", "segment"), **how)
    team = make_team(task, "kite", "anna")
    send(task, team, name="ours")
    return task, team


@pytest.mark.slow
@pytest.mark.once  # Both ways ask PostgreSQL in the other tests.
def test_the_shared_page_is_the_one_that_each_would_get():
    task, _team = make_game()
    researcher = make_user("rita")
    Membership.objects.create(campaign=task.campaign, user=researcher, role="researcher")
    odd = make_user("o'<b>&\"")
    people = [make_user("anna"), make_user("charlie"), researcher, odd]
    for language in ("en", "ko"):
        for query in QUERIES:
            for user in people * 2:
                client = browser(user, headers={"Accept-Language": language})
                with only_the_short_way():
                    short = page(client, query)
                with the_long_way():
                    assert without_tokens(short) == without_tokens(page(client, query))
                assert client.cookies["csrftoken"].value == TOKEN


def test_a_kept_page_takes_two_reads(django_assert_num_queries):
    make_game()
    page(browser(make_user("anna")))
    client = browser(make_user("charlie"))
    tag = client.get(ADDRESS)["ETag"]  # Notes the session, too.
    with django_assert_num_queries(2):
        page(client)
    with django_assert_num_queries(2):
        assert client.get(ADDRESS, headers={"If-None-Match": tag}).status_code == 304
    other = browser(make_user("anna"))
    assert other.get(ADDRESS, headers={"If-None-Match": tag}).status_code == 200


def test_forms_of_the_shared_page_work():
    make_game()
    page(browser(make_user("anna")))
    client = browser(make_user("charlie"), enforce_csrf_checks=True)
    with only_the_short_way():
        tokens = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page(client)))
    assert len(tokens) == 1
    assert client.post(reverse("logout"), {"csrfmiddlewaretoken": tokens.pop()}).status_code == 302


@pytest.mark.slow
@pytest.mark.parametrize("what", ["log out", "password", "disable", "delete"])
def test_what_ends_a_login_counts_at_once(what):
    make_game()
    anna = make_user("anna")
    client = browser(anna)
    tag = client.get(ADDRESS)["ETag"]
    if what == "log out":
        other = Client()
        other.cookies = client.cookies.copy()
        client.logout()
        client = other
    elif what == "password":
        anna.set_password("another long word 8")
        anna.save()
    elif what == "disable":
        User.objects.filter(pk=anna.pk).update(is_active=False)
    else:
        anna.delete()
    for headers in ({}, {"If-None-Match": tag}):
        answer = client.get(ADDRESS, headers=headers)
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, reverse("login"))


def test_hidden_names_are_those_of_the_own_team_as_long_as_one_is_in_it():
    task, _team = make_game(hide_teams=True)
    send(task, make_team(task, "rivalteam", "zoe"), name="theirs")
    anna, zoe, charlie = (browser(make_user(name)) for name in ("anna", "zoe", "charlie"))
    for _again in range(2):
        with only_the_short_way():
            shown = [page(one) for one in (anna, zoe, charlie)]
        assert [("kite" in one, "rivalteam" in one) for one in shown] == [
            (True, False),
            (False, True),
            (False, False),
        ]
    tag = anna.get(ADDRESS)["ETag"]
    TeamMember.objects.filter(user=make_user("anna")).delete()
    left = anna.get(ADDRESS, headers={"If-None-Match": tag})
    assert left.status_code == 200 and b"kite" not in left.content
    SharedTask.objects.update(hide_teams=False)
    assert "kite" in page(charlie)


def test_who_organises_sees_their_own_page_and_leaves_nothing_of_it():
    task, _team = make_game(hide_teams=True)
    charlie = make_user("charlie")
    client = browser(charlie)
    assert "Organise" not in page(client) and "kite" not in page(client)
    member = Membership.objects.create(campaign=task.campaign, user=charlie, role="owner")
    assert "Organise" in page(client) and "kite" in page(client)
    dora = browser(make_user("dora"))
    assert "Organise" not in page(dora) and "kite" not in page(dora)
    member.delete()
    assert "Organise" not in page(client)
    User.objects.filter(pk=charlie.pk).update(is_superuser=True)
    assert "Repair" in page(client) and "Repair" not in page(dora)


@pytest.mark.slow
def test_closing_withdrawing_and_a_new_name_are_seen_at_once():
    task, team = make_game()
    one = send(task, team, name="second")
    client = browser(make_user("charlie"))
    assert "second" in page(client) and "Public part" in page(client)
    submission_withdraw(submission=one, actor=None)
    assert "second" not in page(client)
    SharedTask.objects.update(title="Another title")
    assert "Another title" in page(client)
    task_close(task=task, actor=None)
    work_finish(task=task)
    assert "Final part" in page(client) and "Public part" not in page(client)


def test_a_newer_board_is_late_for_readers_and_not_for_its_organiser():
    task, team = make_game()
    client, alice = browser(make_user("charlie")), browser(make_user("alice"))
    for _twice in range(2):  # The second looks whether there is a newer one.
        page(client)
    send(task, team, name="second")
    assert "second" not in page(client) and "second" in page(alice)
    cache.clear()  # As if LAG seconds had passed.
    assert "second" in page(client)


def test_messages_are_told_to_whom_they_are_for():
    make_game()
    client = browser(make_user("anna"))
    kept = page(client)
    client.post("/tasks/game/method/", {"method": "We guessed."})
    assert "The description was saved." in page(client)
    assert without_tokens(page(client)) == without_tokens(kept)


def test_who_is_unknown_goes_the_long_way():
    make_game()
    for client in (Client(), browser(User.objects.create(username="new"))):
        client.cookies.pop("csrftoken", None)
        with patch.object(board_views, "_board", wraps=board_views._board) as long:
            client.get(ADDRESS)
        assert long.called
    client = browser(make_user("charlie"))
    for query in ("?track=nothing", "?credit=half", "?track=metrics&track=segment", "?x=1"):
        with patch.object(board_views, "_board", wraps=board_views._board) as long:
            page(client, query)
        assert long.called, query
    assert client.get("/tasks/none/board/").status_code == 404
