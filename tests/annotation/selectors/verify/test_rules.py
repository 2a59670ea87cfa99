"""Every rule of `verify` can fail: each is broken behind the services' back and then reported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import Model

from annotation.models.people.exclusion import TARGETS
from annotation.selectors.verify import RULES, verify
from annotation.selectors.verify.texts import LINKS
from tests.annotation.selectors.verify.breaks import BREAKS, put
from tests.annotation.selectors.verify.reverify import Reverify
from tests.annotation.selectors.verify.verify_world import Rows, make_rows

pytestmark = pytest.mark.django_db
TOGETHER = "What belongs together belongs to one campaign"


@contextmanager
def undone() -> Iterator[None]:
    """What is written inside is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.once  # The next test asks every rule on PostgreSQL.
def test_each_rule_is_reported_alone_when_it_is_broken(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One campaign, and one break after the other; the command names each and fails."""
    rows = make_rows()
    call_command("verify", rows.campaign.slug)
    assert capsys.readouterr().out == f"camp: {len(RULES)} rules hold.\n"
    assert verify(campaign=rows.other) == []
    proved = {TOGETHER}
    wrong = []
    for number, (beginning, do_break) in enumerate(BREAKS):
        [sentence] = [one for one in RULES if one.startswith(beginning)]
        proved.add(sentence)
        with undone():
            do_break(rows)
            with pytest.raises(SystemExit) as ended:
                call_command("verify", rows.campaign.slug)
        lines = capsys.readouterr().err.splitlines()
        if ended.value.code != 1 or [line.startswith(f"{sentence}: ") for line in lines] != [True]:
            wrong.append((number, sentence, lines))
    assert wrong == []
    assert proved == set(RULES)


def test_what_walks_ask_again_finds_every_break() -> None:
    """Rules whose tables nobody wrote to are left out, and no break may hide behind that."""
    rows = make_rows()
    rules = Reverify(rows.campaign)
    wrong = []
    with rules.watching():
        assert rules.broken() == set()
        for number, (beginning, do_break) in enumerate(BREAKS):
            with undone():
                do_break(rows)
                written = set(rules.written)
                found = rules.broken()
            rules.written |= written  # Taken back, hence written to once more.
            if [one.startswith(beginning) for one in found] != [True]:
                wrong.append((number, beginning, found))
    assert wrong == []


def test_no_row_may_point_into_another_campaign() -> None:
    rows = make_rows()
    missed = []
    for model, path, links in LINKS:
        for link in links:
            with undone():
                point_elsewhere(rows, model, path, link)
                if not any(RULES[TOGETHER](rows.campaign)):
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
