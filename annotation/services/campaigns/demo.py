"""The demo campaign: our own sentences, judged by three simulated annotators."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from annotation.models import Annotator, Campaign, Membership
from annotation.services.campaigns.campaigns import campaign_create, campaign_open
from annotation.services.importing import items_import, judgments_import
from annotation.services.people.creators import creation_grant
from annotation.services.people.membership import membership_set
from annotation.services.transactions import short_write

SLUG = "demo"
FOLDER = Path(settings.BASE_DIR) / "examples" / "demo"
LOGINS = {
    "admin": "site administrator",
    "researcher": "owner of the demo campaign",
    "annotator": "annotator of the demo campaign",
}
START = datetime(2026, 1, 12, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Simulated:
    """A simulated annotator, who rates lower by `severity` and errs with standard deviation
    `noise`.
    """

    code: str
    severity: float
    noise: float
    share: float
    cannot_judge: float


SIMULATED = (
    Simulated("sim-fair", severity=0.0, noise=0.35, share=1.0, cannot_judge=0.0),
    Simulated("sim-strict", severity=0.6, noise=0.5, share=0.9, cannot_judge=0.005),
    Simulated("sim-careless", severity=-0.3, noise=1.0, share=0.8, cannot_judge=0.015),
)


def demo_load(*, seed: int = 2008) -> tuple[Campaign, dict[str, str]]:
    """Create the demo campaign; return it with the passwords of the logins created by this call.

    Idempotent: existing data is left alone, even if somebody has worked with it.
    """
    passwords = _logins()
    owner = User.objects.get(username="researcher")
    campaign = Campaign.objects.filter(slug=SLUG).first()
    if campaign is None:
        campaign = campaign_create(
            actor=owner,
            slug=SLUG,
            name="Demo: 46 phrases, four systems",
            description=(
                "Sentences written for this project. The judgments of the annotators sim-… are "
                "SIMULATED from the author's own ratings with a known severity and noise."
            ),
            language="en",
            annotators_per_sheet=4,
            guideline=(FOLDER / "guidelines.md").read_text(encoding="utf-8"),
        )
    with (FOLDER / "items.jsonl").open("rb") as stream:
        report = items_import(
            campaign=campaign, stream=stream, name="items.jsonl", format="jsonl", actor=owner
        )
    annotator = User.objects.get(username="annotator")
    if not Membership.objects.filter(campaign=campaign, user=annotator).exists():
        membership_set(
            campaign=campaign, user=annotator, role=Membership.Role.ANNOTATOR, actor=owner
        )
    if campaign.status == Campaign.Status.DRAFT:
        campaign = campaign_open(campaign=campaign, actor=owner)
    simulated = campaign.annotators.filter(origin=Annotator.Origin.SIMULATED)
    if report.ok and not simulated.exists():
        judgments_import(
            campaign=campaign,
            stream=io.BytesIO("\n".join(_judgments(seed)).encode()),
            name="simulated-judgments.jsonl",
            format="jsonl",
            actor=owner,
            fill_slots=True,
            origin=Annotator.Origin.SIMULATED,
        )
    return campaign, passwords


def _judgments(seed: int) -> Iterator[str]:
    """Yield the lines of a judgments file: the author's rating, minus the severity, plus noise,
    rounded and clipped to the scale.
    """
    chance = random.Random(seed)  # noqa: S311 a simulation, to be repeated exactly
    with (FOLDER / "truth.csv").open(encoding="utf-8", newline="") as file:
        truth = list(csv.DictReader(file))
    for one in SIMULATED:
        items = sorted({row["item"] for row in truth})
        judged = set(chance.sample(items, round(one.share * len(items))))
        at = START
        for row in truth:
            if row["item"] not in judged:
                continue
            at += timedelta(seconds=chance.lognormvariate(2.2, 0.5))
            blind = chance.random() < one.cannot_judge
            for scale in ("MEANING", "GRAMMAR"):
                value = float(row[scale.lower()]) - one.severity + chance.gauss(0, one.noise)
                yield json.dumps(
                    {
                        "item": row["item"],
                        "paraphrase": row["paraphrase"],
                        "annotator": one.code,
                        "scale": scale,
                        "value": None if blind else min(5, max(1, round(value))),
                        **({"reason": "simulated: cannot judge"} if blind else {}),
                        "judged_at": at.isoformat(),
                    },
                    ensure_ascii=False,
                )


def _logins() -> dict[str, str]:
    """Create missing demo users, each with a random password."""
    passwords = {}
    with short_write():
        for name in LOGINS:
            if User.objects.filter(username=name).exists():
                continue
            passwords[name] = secrets.token_urlsafe(9)
            make = User.objects.create_superuser if name == "admin" else User.objects.create_user
            made = make(name, password=passwords[name])
            if name == "researcher":
                creation_grant(user=made)
    return passwords


def logins_keep(*, passwords: dict[str, str], path: Path) -> None:
    """Append new passwords to a file that only its owner can read; existing lines stay."""
    if not passwords:
        return
    lines = [f"{name}\t{passwords[name]}\t{LOGINS[name]}\n" for name in passwords]
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8") as file:
        file.writelines(lines)
