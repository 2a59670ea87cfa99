"""The zip of one person: everything of theirs, nothing of others."""

import csv
import io
import json
import zipfile

from django.contrib.auth.models import User

from annotation.accounts.tokens import token_make
from annotation.models import JudgmentVersion
from annotation.people.stored_data import person_zip
from tests.annotation.services.accounts.test_erasure import MAIL, NAME, another_in, zoe_in


def test_everything_of_the_person_and_nothing_of_others():
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

    def column(table, name):
        return [row[name] for row in csv.DictReader(io.StringIO(files[f"{table}.csv"]))]

    versions = JudgmentVersion.objects.filter(judgment__annotator=annotator).count()
    assert column("judgments", "value") == ["4"] * versions == ["4"] * 6
    assert column("remarks", "remark") == [f"says {NAME}"]
    assert column("background", "value") == [f"I am {NAME}"]
    assert column("consent", "text") == ["Do you agree?"]
    assert set(column("work", "what")) == {"claimed", "done"}
    assert set(column("log", "by")) <= {"self", "others"}
    assert "bob" not in str(files) and "teams.csv" in files and "password" not in str(account)
