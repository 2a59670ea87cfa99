"""The rating of a paraphrase table, from two files to its page."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from scoring.models import Resource
from scoring.services.builds.work import builds_work
from scoring.services.resources.add import resource_add
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]
EXAMPLES = Path(__file__).parents[4] / "examples" / "parametric"


def test_a_table_is_rated_and_its_files_are_downloaded(owner: Client) -> None:
    alice = make_user("alice")
    table = resource_add(kind="table", path=EXAMPLES / "table.tsv", actor=alice)
    aligned = resource_add(kind="aligned_pairs", path=EXAMPLES / "aligned.tsv", actor=alice)
    page = owner.get("/resources/").content.decode()
    assert all(f'value="{name}"' in page for name in ("parametric", "pem_style", "translations"))
    sent = {
        "recipe": "parametric", "input-table": str(table.key), "input-aligned": str(aligned.key),
        "name": "Rated",
    }  # fmt: skip
    assert "is being made" in owner.post("/builds/", sent, follow=True).content.decode()
    builds_work()
    made = Resource.objects.get(kind="parametric")
    address = f"/resources/{made.key}/rating/"
    assert address in owner.get("/resources/").content.decode()
    page = owner.get(address).content.decode()
    assert "Lower-bound precision" in page and f"{address}svg/" in page
    first = owner.get(f"{address}csv/").content.decode().splitlines()[1].split(",")
    # What the command prints for the same two files: tests of the command compare it by hand.
    assert f"{float(first[1]):.3f}" in page and f"{float(first[2]):.3f}" in page
    assert b"tab:parametric" in owner.get(f"{address}tex/").content
    assert owner.get(f"{address}svg/").content.startswith(b"<?xml")
    assert owner.get(f"{address}pdf/").status_code == 404
    assert owner.get(f"/resources/{table.key}/rating/").status_code == 404
    assert Client().get(address).status_code == 302
