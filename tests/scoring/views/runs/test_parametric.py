"""The rating of a paraphrase table, from two files to its page."""

import pytest

from scoring.builds.work import builds_work
from scoring.models import Resource
from scoring.resources.services import resource_add
from tests import HOME
from tests.clients import html_of
from tests.factories import make_user

pytestmark = pytest.mark.usefixtures("data_dir")


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
