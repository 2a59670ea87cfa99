"""Tables through the API: looked at, imported with a mapping or a guess, taken back."""

import json

import pytest

from tests.annotation.importers.tables.test_limits import with_encoding
from tests.annotation.messy import FILES
from tests.annotation.spreadsheets import book
from tests.clients import client_of, upload

PLACE = "/api/v1/campaigns/camp/imports"
WIDE = "item;sentence;phrase;paraphrase\n1;It is so.;so;thus\n"
DAMAGED = [
    ("a.csv", WIDE.encode("utf-16")[:-1], "not utf-16, or the file was cut there"),
    ("a.csv", WIDE.encode("utf-32")[:-3], "not utf-32, or the file was cut there"),
    ("a.ods", with_encoding("no-such"), "truncated or damaged"),
    ("a.xlsx", b"PK\x03\x04" + book({"S": [["a"], ["x"]]})[500:], "truncated or damaged"),
    ("a.json", b"[" * 90_000, "truncated or damaged"),
]


def send(where, name, data, **more):
    file = upload(name, data)
    return client_of("dora").post(f"{PLACE}/{where}", {"file": file, **more})


@pytest.mark.slow
def test_a_table_is_looked_at_imported_and_taken_back(draft):
    name = "Runde 1 (merged, wide).xlsx"
    data = FILES[name].make()
    seen = send("inspect", name, data).json()
    assert [one["role"] for one in seen["columns"]][:4] == [
        "item",
        "sentence",
        "phrase",
        "output_of",
    ]
    dry = send("items", name, data, dry_run=True).json()
    assert dry["changes"][0]["texts"][0] == {"text": "came to a standstill", "about": ["careful"]}
    done = send("items", name, data, map=json.dumps(seen["map"]))
    assert done.status_code == 201 and done.json()["counts"]["items"] == 6
    assert draft.column_mappings.count() == 1
    back = client_of("dora").post(f"{PLACE}/{done.json()['batch']}/back")
    assert back.status_code == 200 and back.json()["removed"]["items"] == 6
    assert draft.items.count() == 1


def test_what_is_not_sure_or_wrong_is_refused(draft):
    rows = [["x", "y"], [1, 2], [3, 4]]
    vague = send("items", "a.xlsx", book({"S": rows}))
    assert vague.status_code == 400 and "no column holds the sentence" in vague.json()["detail"]
    wrong = send("items", "a.xlsx", book({"S": rows}), map='{"what": "verses"}')
    assert wrong.status_code == 400
    assert send("inspect", "a.xlsx", b"PK\x03\x04").status_code == 400


@pytest.mark.parametrize(("name", "data", "why"), DAMAGED)
def test_what_cannot_be_decoded_is_refused_with_a_sentence(draft, name, data, why):
    seen = send("inspect", name, data)
    assert seen.status_code == 400 and why in seen.json()["detail"]
    assert send("items", name, data).status_code in (400, 422)


def test_what_asks_is_answered_by_409_until_it_is_said_or_accepted(draft):
    rows = [["original", "paraphrase"], ["It gave way.", "It broke."], ["We meet.", "We gather."]]
    data = book({"Anna": rows, "Ben": rows})
    seen = send("inspect", "a.xlsx", data, what="items").json()
    [question] = seen["map"]["ask"]
    for given in ({}, {"map": json.dumps(seen["map"])}):
        waits = send("items", "a.xlsx", data, **given)
        assert (waits.status_code, waits.json()["code"]) == (409, "unsure")
        assert waits.json()["asks"] == [question] and draft.items.count() == 1
    answered = json.dumps({**seen["map"], "ask": []})
    assert send("items", "a.xlsx", data, map=answered, dry_run=True).status_code == 200
    taken = send("items", "a.xlsx", data, accept_unsure=True)
    assert taken.status_code == 201 and draft.items.count() == 3
