"""Every rule of `verify` can fail: each is broken behind the services' back and then reported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import Model

from annotation.models.exclusion import TARGETS
from annotation.selectors.verify import RULES, verify
from annotation.selectors.verify.texts import LINKS
from tests.collection.breaks import BREAKS, put
from tests.collection.verify_world import Rows, make_rows

pytestmark = pytest.mark.django_db
TOGETHER = "What belongs together belongs to one campaign"


@contextmanager
def undone() -> Iterator[None]:
    """What is written inside is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def reported(rows: Rows) -> set[str]:
    return {found.rule for found in verify(campaign=rows.campaign)}


def test_each_rule_is_reported_alone_when_it_is_broken() -> None:
    """One campaign, and one break after the other."""
    rows = make_rows()
    assert verify(campaign=rows.campaign) == verify(campaign=rows.other) == []
    proved = {TOGETHER}
    wrong = []
    for number, (beginning, do_break) in enumerate(BREAKS):
        [sentence] = [one for one in RULES if one.startswith(beginning)]
        proved.add(sentence)
        with undone():
            do_break(rows)
            if (found := reported(rows)) != {sentence}:
                wrong.append((number, sentence, found))
    assert wrong == []
    assert proved == set(RULES)


def test_no_row_may_point_into_another_campaign() -> None:
    rows = make_rows()
    missed = []
    for model, path, links in LINKS:
        for link in links:
            with undone():
                point_elsewhere(rows, model, path, link)
                if TOGETHER not in reported(rows):
                    missed.append((model.__name__, link))
    assert missed == []


def point_elsewhere(rows: Rows, model: type[Model], path: str, link: str) -> None:
    """One row of the model, which has the link if any has, names a row of the other campaign."""
    mine = model._default_manager.filter(**{path: rows.campaign}).order_by("-pk")
    row: Any = mine.filter(**{f"{link}__isnull": False}).first() or mine.first()
    target: Any = model._meta.get_field(link).related_model
    columns: dict[str, Any] = {link: target.objects.filter(campaign=rows.other).first()}
    assert row is not None and columns[link] is not None
    if link in TARGETS and model.__name__ == "Exclusion":
        columns = dict.fromkeys(TARGETS) | columns
    if hasattr(row, "number"):
        columns["number"] = 99  # Numbers are unique in the place it comes to.
    put(row, **columns)


def test_the_command_names_what_is_broken_and_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = make_rows()
    call_command("verify", rows.campaign.slug)
    assert capsys.readouterr().out == f"camp: {len(RULES)} rules hold.\n"
    for beginning, do_break in dict(reversed(BREAKS)).items():
        with undone():
            do_break(rows)
            with pytest.raises(SystemExit) as ended:
                call_command("verify", rows.campaign.slug)
        assert ended.value.code == 1
        [line] = capsys.readouterr().err.splitlines()
        assert line.startswith(beginning)
