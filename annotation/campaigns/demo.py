"""The demo campaign: our own sentences, judged by three simulated annotators."""

from __future__ import annotations

import csv
import os
import random
import secrets
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.access import creation_grant
from annotation.campaigns.services import campaign_create, campaign_open
from annotation.database import short_write
from annotation.importing.items import items_import
from annotation.models import (
    Annotator,
    AuditEntry,
    Campaign,
    Guideline,
    ImportBatch,
    Item,
    Judgment,
    JudgmentVersion,
    Membership,
    OutsideId,
    Remark,
    Scale,
    Sheet,
    SheetEntry,
    Slot,
    SlotEvent,
    Substitution,
    ThresholdChange,
)
from annotation.people.membership import membership_set
from annotation.sheets.slots import lease
from paraanno import clock

# What the demo's simulated annotators did: three weeks of sittings up to the hour of the import.
#
# Their values are the author's own ratings, minus a severity, plus noise. They are stored with the
# times at which people would have claimed, judged and handed in: pages show a campaign at work.


DAYS = 20  # before the import the first of them sat down
PREPARED = timedelta(days=DAYS + 1)  # before the import the campaign was made
SCALES = ("MEANING", "GRAMMAR")
REASON = "simulated: cannot judge"
REMARKS = (
    "Simulated remark: reads well, but I am not sure that it says the same.",
    "Simulated remark: right in another sentence, hardly in this one.",
    "Simulated remark: is that a word?",
)
BETWEEN = timedelta(seconds=0.4)  # A sheet is handed in, and the next one is claimed.


@dataclass(frozen=True, slots=True)
class Simulated:
    """A simulated annotator, who rates lower by `severity` and errs with standard deviation
    `noise`.

    share             of the items that they judge
    sittings, hour    on how many days, and at about which hour
    pace              times the seconds that a text takes, at first and at last
    left              how long before the import they last saved; less than a few minutes: they are
                      at the next sheet
    """

    code: str
    severity: float
    noise: float
    share: float
    cannot_judge: float
    sittings: int
    hour: int
    pace: tuple[float, float]
    left: timedelta

    @property
    def at_work(self) -> bool:
        return self.left < timedelta(minutes=10)


SIMULATED = (
    Simulated(
        "sim-fair",
        severity=0.0,
        noise=0.35,
        share=1.0,
        cannot_judge=0.0,
        sittings=14,
        hour=20,
        pace=(2.2, 1.7),
        left=timedelta(hours=2, minutes=35),
    ),
    Simulated(
        "sim-strict",
        severity=0.6,
        noise=0.5,
        share=0.9,
        cannot_judge=0.005,
        sittings=12,
        hour=13,
        pace=(3.0, 2.4),
        left=timedelta(seconds=45),
    ),
    # Less than three seconds for a text at last, which the board tells.
    Simulated(
        "sim-careless",
        severity=-0.3,
        noise=1.0,
        share=0.8,
        cannot_judge=0.015,
        sittings=7,
        hour=21,
        pace=(0.7, 0.2),
        left=timedelta(minutes=2, seconds=10),
    ),
)


class _DemoAnswers(NamedTuple):
    """Two answers to one text, None for "cannot judge", and the seconds it takes a usual person."""

    paraphrase: str
    values: tuple[int | None, ...]
    seconds: float


Work = dict[str, list[_DemoAnswers]]  # by item


def work_simulate(*, folder: Path, seed: int) -> dict[Simulated, Work]:
    """Return what each of them says about each of their items."""
    chance = random.Random(seed)  # noqa: S311 a simulation, to be repeated exactly
    with (folder / "truth.csv").open(encoding="utf-8", newline="") as file:
        truth = list(csv.DictReader(file))
    by_annotator: dict[Simulated, Work] = {}
    for one in SIMULATED:
        items = sorted({row["item"] for row in truth})
        judged = set(chance.sample(items, round(one.share * len(items))))
        work: Work = defaultdict(list)
        for row in truth:
            if row["item"] not in judged:
                continue
            seconds = chance.lognormvariate(2.2, 0.5)
            blind = chance.random() < one.cannot_judge
            values = [
                float(row[scale.lower()]) - one.severity + chance.gauss(0, one.noise)
                for scale in SCALES
            ]
            rounded = tuple(None if blind else min(5, max(1, round(value))) for value in values)
            work[row["item"]].append(_DemoAnswers(row["paraphrase"], rounded, seconds))
        by_annotator[one] = work
    return by_annotator


def work_store(*, campaign: Campaign, work: dict[Simulated, Work], seed: int) -> None:
    """Store the work as browsers would have left it, and move what was made before it to a day
    before it. One transaction."""
    now, chance = clock.now(), random.Random(seed)  # noqa: S311
    made = _DemoRows(campaign, now)
    done = sorted(
        (one for person, items in work.items() for one in _days(person, items, now, chance)),
        key=lambda one: one.at,
    )
    for one in done:
        made.sheet(one, chance)
    for person, items in work.items():
        if person.at_work:
            made.begun(person, items)
    with short_write():
        made.write()
        _made_earlier(campaign, now - PREPARED)


@dataclass(frozen=True, slots=True)
class _DemoSheet:
    """A sheet that somebody handed in: claimed at `at`, `saves` for each answer after it."""

    person: Simulated
    item: str
    given: list[_DemoAnswers]
    at: datetime
    saves: list[timedelta]


def _days(
    person: Simulated, work: Work, now: datetime, chance: random.Random
) -> Iterator[_DemoSheet]:
    """Yield a person's sheets, sitting by sitting."""
    items = list(work)
    chance.shuffle(items)
    days = [DAYS, *chance.sample(range(2, DAYS), person.sittings - 3), 1, 0]
    shares = [chance.uniform(0.6, 1.4) for _ in days]
    ends = [round(len(items) * sum(shares[: n + 1]) / sum(shares)) for n in range(len(days))]
    for ago, first, last in zip(sorted(days, reverse=True), [0, *ends], ends, strict=False):
        pace = person.pace[1] + (person.pace[0] - person.pace[1]) * ago / DAYS
        sitting, length = [], timedelta()
        for item in items[first:last]:
            saves = _saves(work[item], pace, chance)
            sitting.append((item, length, saves))
            length += saves[-1] + BETWEEN
            if chance.random() < 0.06:
                length += timedelta(minutes=chance.uniform(6, 15))
        start = _sits_down(person, ago, now, chance)
        if ago == 0:
            _item, begin, saves = sitting[-1]
            start = now - person.left - begin - saves[-1]
        for item, begin, saves in sitting:
            yield _DemoSheet(person, item, work[item], start + begin, saves)


def _saves(given: list[_DemoAnswers], pace: float, chance: random.Random) -> list[timedelta]:
    """When each answer of a sheet was saved. The first text takes longer: the sentence is read."""
    offsets, at = [], 0.0
    for place, one in enumerate(given):
        seconds = one.seconds * pace * (1.5 if place == 0 else 1)
        part = chance.uniform(0.5, 0.8)
        offsets += [timedelta(seconds=at + seconds * part), timedelta(seconds=at + seconds)]
        at += seconds
    return offsets


def _sits_down(person: Simulated, ago: int, now: datetime, chance: random.Random) -> datetime:
    """About the person's hour of a day so many days ago, where the site is."""
    day = timezone.localtime(now).date() - timedelta(days=ago)
    hour = timezone.make_aware(datetime.combine(day, time(person.hour)))
    return hour + timedelta(minutes=chance.uniform(-40, 40))


class _DemoRows:
    """Rows to write, in the order of their times."""

    def __init__(self, campaign: Campaign, now: datetime) -> None:
        self.campaign, self.now = campaign, now
        self.guideline = campaign.guidelines.order_by("-version").first()
        self.people = {
            one: Annotator(campaign=campaign, code=one.code, origin=Annotator.Origin.SIMULATED)
            for one in SIMULATED
        }
        names = {scale.name: scale for scale in campaign.scales.all()}
        self.scales = [names[name] for name in SCALES]
        items = OutsideId.objects.filter(campaign=campaign).values_list("value", "item")
        by_pk: dict[int, str] = {pk: value for value, pk in items}
        self.texts: dict[tuple[str, str], Substitution] = {}
        self.sheets: dict[tuple[str, str], int] = {}
        for entry in SheetEntry.objects.filter(sheet__campaign=campaign).select_related(
            "substitution"
        ):
            place = by_pk[entry.substitution.item_id], entry.substitution.text
            self.texts[place], self.sheets[place] = entry.substitution, entry.sheet_id
        self.free: dict[int, list[Slot]] = defaultdict(list)
        for slot in Slot.objects.filter(campaign=campaign, state=Slot.State.FREE).order_by(
            "-number"
        ):
            self.free[slot.sheet_id].append(slot)
        self.slots: list[Slot] = []
        self.events: list[SlotEvent] = []
        self.judgments: list[Judgment] = []
        self.remarks: list[Remark] = []

    def sheet(self, done: _DemoSheet, chance: random.Random) -> None:
        slot = self._claimed(done.person, self._sheet_of(done.item, done.given), done.at)
        slot.state, slot.done_at, slot.lease_expires_at = (
            Slot.State.DONE,
            done.at + done.saves[-1],
            None,
        )
        at = iter(done.saves)
        for one in done.given:
            text = self.texts[done.item, one.paraphrase]
            for scale, value in zip(self.scales, one.values, strict=True):
                self._judged(slot, text, scale, value, done.at + next(at))
        self._note(slot, SlotEvent.Kind.DONE, slot.done_at)
        if chance.random() < 0.02:
            place = chance.randrange(len(done.given))
            text = self.texts[done.item, done.given[place].paraphrase]
            self.remarks.append(
                Remark(
                    campaign=self.campaign,
                    annotator=slot.annotator,
                    sheet_id=slot.sheet_id,
                    substitution=text,
                    flagged=True,
                    text=chance.choice(REMARKS),
                    request_id=uuid4(),
                    at=done.at + done.saves[len(SCALES) * place + 1],
                )
            )

    def begun(self, person: Simulated, work: Work) -> None:
        """The sheet that somebody claimed last, and has not answered yet."""
        waiting = next(place for place in self.sheets if place[0] not in work)
        self._claimed(person, self.sheets[waiting], self.now - person.left + BETWEEN)

    def _sheet_of(self, item: str, given: list[_DemoAnswers]) -> int:
        return self.sheets[item, given[0].paraphrase]

    def _claimed(self, person: Simulated, sheet: int, at: datetime) -> Slot:
        slot = self.free[sheet].pop()
        slot.state, slot.annotator, slot.claimed_at = Slot.State.CLAIMED, self.people[person], at
        slot.lease_expires_at = lease(self.campaign, at)
        self.slots.append(slot)
        self._note(slot, SlotEvent.Kind.CLAIMED, at)
        return slot

    def _note(self, slot: Slot, kind: str, at: datetime) -> None:
        self.events.append(SlotEvent(slot=slot, annotator=slot.annotator, kind=kind, at=at))

    def _judged(
        self, slot: Slot, text: Substitution, scale: Scale, value: int | None, at: datetime
    ) -> None:
        self.judgments.append(
            Judgment(
                campaign=self.campaign,
                annotator=slot.annotator,
                substitution=text,
                scale=scale,
                value=value,
                reason=REASON if value is None else "",
                status=Judgment.Status.COUNTED,
                slot=slot,
                guideline=self.guideline,
                recorded_at=at,
            )
        )

    def write(self) -> None:
        """Write all rows, in the caller's transaction."""
        Annotator.objects.bulk_create(self.people.values())
        Slot.objects.bulk_update(
            self.slots,
            ["state", "annotator", "claimed_at", "lease_expires_at", "done_at"],
            batch_size=100,
        )
        SlotEvent.objects.bulk_create(self.events)
        Judgment.objects.bulk_create(self.judgments)
        # A version says draft: at its time the sheet was not handed in.
        JudgmentVersion.objects.bulk_create(
            JudgmentVersion(
                judgment=one,
                version=1,
                value=one.value,
                reason=one.reason,
                status=Judgment.Status.DRAFT,
                guideline=self.guideline,
                request_id=uuid4(),
                recorded_at=one.recorded_at,
            )
            for one in self.judgments
        )
        Remark.objects.bulk_create(self.remarks)


def _made_earlier(campaign: Campaign, at: datetime) -> None:
    """Date what the demo is made of before the work on it."""
    campaign.created_at = campaign.opened_at = at
    campaign.save(update_fields=["created_at", "opened_at"])
    for model in (Annotator, Guideline, ImportBatch, Item, Substitution, Sheet):
        model._default_manager.filter(campaign=campaign).update(created_at=at)
    AuditEntry.objects.filter(campaign=campaign).update(at=at)
    ThresholdChange.objects.filter(scale__campaign=campaign).update(changed_at=at)


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
