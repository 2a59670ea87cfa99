"""`verify` after every step of a walk, at the price of the rules that the step could have broken.

A rule depends on nothing but the rows that it reads. It is asked again as soon as a table that it
read was written to, and every tenth time anyway. test_rules.py proves that
nothing escapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.db import connection
from psycopg import Cursor

from annotation.models import Campaign
from annotation.selectors.verify import RULES, texts
from annotation.selectors.verify.rules import Rule

NAMES = re.compile(r'"(\w+)"')


class Reverify:
    """The rules of one campaign, the tables that each read, and those written since."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.tables = set(connection.introspection.django_table_names())
        self.reads: dict[tuple[str, int], set[str]] = {}
        self.read: set[str] = set()
        self.written: set[str] = set()
        self.times = 0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Every name in a statement counts, even of what an update only looks at."""

        def execute(run: Callable[..., Any], sql: str, *rest: Any) -> Any:
            self.note(sql)
            return run(sql, *rest)

        def copy(cursor: Any, statement: str, *rest: Any, **options: Any) -> Any:
            self.note(statement)
            return real_copy(cursor, statement, *rest, **options)

        real_copy = Cursor.copy
        with connection.execute_wrapper(execute), patch.object(Cursor, "copy", copy):
            yield

    def note(self, sql: str) -> None:
        names = self.tables.intersection(NAMES.findall(sql))
        (self.read if sql.startswith("SELECT") else self.written).update(names)

    def broken(self) -> set[str]:
        """The rules that do not hold."""
        if self.times % 10 == 0:
            self.reads = {}
        self.times += 1
        written, self.written = self.written, set()
        campaign = Campaign.objects.get(pk=self.campaign.pk)
        found = set()
        for part, check in self.parts():
            if part in self.reads and self.reads[part].isdisjoint(written):
                continue
            self.read = {Campaign._meta.db_table}
            if next(check(campaign), None) is not None:
                found.add(part[0])
            self.reads[part] = self.read
        return found

    def parts(self) -> Iterator[tuple[tuple[str, int], Rule]]:
        """Every rule; the one that asks a question of nearly every table, question by question."""
        for sentence, check in RULES.items():
            if sentence != "What belongs together belongs to one campaign":
                yield (sentence, 0), check
                continue
            for number, link in enumerate(texts.LINKS):
                with patch.object(texts, "LINKS", (link,)):
                    yield (sentence, number), check
