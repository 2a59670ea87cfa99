"""Ids inside JSON: in an archive a token, because keys of rows are made anew on restore.

    @key:run:3                     the third row of the table `run`
    @resource:vectors:SHA256       a file of the site, by its kind and content
    @@...                          a text that begins with @

Of a resource that the site lacks, or has for others alone, a restored row keeps
`resource:KIND:SHA256`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q

from annotation.models import Campaign, Visibility
from annotation.selectors.scope import usable_in
from scoring.models import Resource, Run
from scoring.selectors.archives.tables import TABLES

_KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_RESOURCE = re.compile(r"resource:([a-z]{1,30}):([0-9a-f]{64})")
_TOKEN = re.compile(r"@key:([a-z]{1,40}):([1-9][0-9]{0,9})")
# Of these there are as many as judgments, and no JSON names them.
UNNAMED = {"sheet", "slot"}
KEYED = tuple(one for one in TABLES if "key" in one.left and one.name not in UNNAMED)


def changed_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with `change` applied to each of its texts, not to the names of objects."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: changed_texts(one, change) for name, one in value.items()}
    if isinstance(value, list):
        return [changed_texts(one, change) for one in value]
    return value


def writer_of(campaign: Campaign) -> tuple[Callable[[str], str], list[dict[str, object]]]:
    """What turns a text into its token, and a list of the resources that it met."""
    tokens: dict[str, str] = {}
    resources: list[dict[str, object]] = []
    met: dict[str, str] = {}

    def load() -> None:
        for table in KEYED:
            for number, key in enumerate(table.rows(campaign).values_list("key", flat=True), 1):
                tokens[str(key)] = f"@key:{table.name}:{number}"

    def change(text: str) -> str:
        if text.startswith("@"):
            return f"@{text}"
        if _RESOURCE.fullmatch(text):
            return f"@{text}"
        if not _KEY.fullmatch(text):
            return text
        if not tokens:
            load()
        return tokens.get(text) or met.get(text) or _resource(campaign, text, met, resources)

    return change, resources


def _resource(
    campaign: Campaign, text: str, met: dict[str, str], resources: list[dict[str, object]]
) -> str:
    # The JSON may be a stranger's, who names what is not of this campaign.
    started = Run.objects.filter(campaign=campaign, created_by__isnull=False)
    users = started.order_by().values_list("created_by", flat=True).distinct()
    usable = Resource.objects.filter(usable_in(campaign=campaign, users=users))
    found = usable.filter(key=UUID(text)).first()
    met[text] = text
    if found is not None:
        met[text] = f"@resource:{found.kind}:{found.sha256}"
        resources.append(
            {
                "kind": found.kind, "sha256": found.sha256, "name": found.name,
                "file_name": found.file_name, "size": found.size,
            }
        )  # fmt: skip
    return met[text]


def reader_of(
    keys: Mapping[str, Sequence[UUID]], user_id: int | None = None
) -> Callable[[str], str]:
    """The inverse: `keys` are those of the new rows, by table; resources are the site's, or those
    of the user who restores."""
    shared = Q(scope=Visibility.SITE)
    mine = Q(scope=Visibility.MINE, created_by=user_id) if user_id is not None else Q(pk__in=[])
    ready = Resource.objects.filter(shared | mine, status=Resource.Status.READY)
    resources = {
        f"resource:{kind}:{digest}": str(key)
        for kind, digest, key in ready.order_by("scope").values_list("kind", "sha256", "key")
    }

    def change(text: str) -> str:
        if not text.startswith("@"):
            return text
        if found := _TOKEN.fullmatch(text):
            rows = keys.get(found[1], ())
            number = int(found[2])
            return str(rows[number - 1]) if number <= len(rows) else text
        return resources.get(text[1:], text[1:])

    return change
