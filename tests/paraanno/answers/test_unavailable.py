"""Errors of a real database, and what pages, API and the short way of saving make of them."""

from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from django.db import DatabaseError, connection, transaction

from annotation.models import Judgment
from paraanno.http.errors import RETRY_AFTER, is_unavailable
from tests import live_parts
from tests.annotation.place import Place
from tests.clients import client_of
from tests.factories import make_campaign
from tests.live import on_database
from tests.proxy import Proxy


@contextmanager
def reading_only():
    """The database's own refusal of every write, which a full disk or a copy for reading gives."""
    if connection.vendor == "sqlite":
        statement, on, off = "PRAGMA query_only", "1", "0"
    else:
        statement, on, off = "SET default_transaction_read_only", "on", "off"
    with connection.cursor() as cursor:
        cursor.execute(f"{statement}={on}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"{statement}={off}")


def refusal_of(statement):
    with pytest.raises(DatabaseError) as caught, transaction.atomic(), connection.cursor() as one:
        one.execute(statement)
    return caught.value


def patient(client):
    client.raise_request_exception = False
    return client


@pytest.mark.django_db(transaction=True)
def test_what_later_attempts_may_mend_is_told_from_wrong_statements():
    for wrong in ("SELECT * FROM no_such_table", "SELEKT 1"):
        assert not is_unavailable(refusal_of(wrong))
    assert not is_unavailable(ValueError("gone")) and not is_unavailable(None)
    with reading_only():
        assert is_unavailable(refusal_of("DELETE FROM django_session"))


@pytest.mark.django_db(transaction=True)
def test_a_database_that_takes_nothing_is_503_and_the_same_request_is_stored_later():
    place = Place()
    patient(place.client)
    sent = place.answers()
    with reading_only():
        # The short way, the long way of one answer, and a form of the page.
        whole, one = place.whole(sent, state="done"), place.put(number=0)
        page = place.client.post(f"/rate/{place.campaign.slug}/")
    for answer in (whole, one):
        assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_AFTER))
        assert answer.json()["code"] == "unavailable"
    assert page.status_code in (302, 503)  # It has a sheet already: no write may be needed.
    assert not Judgment.objects.exists()
    assert place.whole(sent, state="done").json()["state"] == "done"
    assert Judgment.objects.count() == len(sent)


@pytest.mark.postgres
@pytest.mark.django_db
def test_without_its_postgresql_every_answer_is_503():
    wanted, undo = live_parts.new_postgres()
    url = urlsplit(wanted["DATABASE_URL"])
    proxy = Proxy(url.port or 5432, url.hostname or "127.0.0.1")
    there = url._replace(netloc=f"127.0.0.1:{proxy.port}").geturl()
    try:
        with on_database(there):
            client, campaign = patient(client_of("alice")), make_campaign(items=1)
            pages = ("/", f"/c/{campaign.slug}/", "/api/v1/campaigns")
            assert {client.get(path).status_code for path in pages} == {200}
            proxy.set("cut")
            for path in pages:
                answer = client.get(path)
                assert answer.status_code == 503, (path, answer.content[-500:])
                assert answer["Retry-After"] == str(RETRY_AFTER)
            assert "<h1>Not available at the moment</h1>" in client.get("/").content.decode()
            proxy.set("open")
            connection.close()  # As the end of a request does, but not that of the test client's.
            assert {client.get(path).status_code for path in pages} == {200}
    finally:
        proxy.close()
        undo()
