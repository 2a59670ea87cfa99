"""The demo campaign: our own sentences, judged by three simulated annotators."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from annotation.models import Annotator, Campaign, Membership
from annotation.services.campaigns.campaigns import campaign_create, campaign_open
from annotation.services.campaigns.demo_work import work_simulate, work_store
from annotation.services.importing import items_import
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
        work_store(campaign=campaign, work=work_simulate(folder=FOLDER, seed=seed), seed=seed)
    return campaign, passwords


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
