"""The zip of one person: everything of theirs, nothing of others."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import pytest
from django.contrib.auth.models import User

from annotation.models import JudgmentVersion
from annotation.selectors.accounts.data import person_zip
from annotation.services.people.tokens import token_make
from tests.annotation.services.accounts.test_erasure import MAIL, NAME, another_in, zoe_in

pytestmark = pytest.mark.django_db


def test_everything_of_the_person_and_nothing_of_others() -> None:
    annotator = zoe_in("camp", removes=False)
    another_in(annotator.campaign)
    zoe = User.objects.get(username=NAME)
    token_make(user=zoe, label="=mine")
    with person_zip(user=zoe) as stream, zipfile.ZipFile(stream) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    account = json.loads(files["account.json"])
    assert (account["username"], account["email"]) == (NAME, MAIL)
    assert account["tokens"][0]["label"] == "=mine"
    assert account["annotates"][0]["code"] == annotator.code
    tables = {name: list(csv.DictReader(io.StringIO(text))) for name, text in files.items()
              if name.endswith(".csv")}  # fmt: skip
    mine = JudgmentVersion.objects.filter(judgment__annotator=annotator)
    assert len(tables["judgments.csv"]) == mine.count() == 6
    assert {row["value"] for row in tables["judgments.csv"]} == {"4"}
    assert tables["remarks.csv"][0]["remark"] == f"says {NAME}"
    assert NAME in tables["background.csv"][0]["value"]
    assert tables["consent.csv"][0]["text"] == "Do you agree?"
    assert {row["what"] for row in tables["work.csv"]} == {"claimed", "done"}
    assert {row["by"] for row in tables["log.csv"]} <= {"self", "others"}
    assert "bob" not in str(files) and "teams.csv" in tables and "password" not in str(account)
