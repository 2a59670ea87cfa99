"""Two campaigns with one of everything that an address can name."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core import signing
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from annotation.access import place_of
from annotation.accounts.tokens import token_make
from annotation.campaigns.templating.parts import saved_template_add
from annotation.collecting.claiming import claim_next
from annotation.importers.tables import ColumnMap
from annotation.models import (
    Annotator,
    Campaign,
    ColumnMapping,
    ImportJob,
    Letter,
    OutsideLogin,
    QualityAction,
    Sheet,
    SignedIn,
    WorkList,
)
from annotation.panels.services import panel_create
from annotation.people.background import SALT, Question, question_add
from annotation.people.exclusions import exclusion_add
from annotation.people.membership import guest_join, invitation_create
from annotation.quality.expected import Band, text_add
from annotation.quality.practice import attempt_start
from annotation.quality.rules import rule_add
from paraanno.jobs.engine import job_work
from scoring.archives.services import whole_order
from scoring.exports.services import export_order
from scoring.models import Build, Resource, RestoreJob, Run
from scoring.runs.start import run_start
from scoring.runs.work import run_work
from scoring.shared_tasks.models import SharedTask, Submission, Track
from scoring.shared_tasks.submissions import content_add, file_add, packed_of
from scoring.shared_tasks.tasks import team_add, team_join
from tests.factories import make_annotator, make_campaign, make_user, rate_sheet
from tests.site.permissions.table import KEYS

# Arguments that mean something else on one route.
OF_ROUTES = {
    "correlation-table": {"name": "coefficients", "form": "csv"},
    "doc": {"name": "metrics/bleu"},
    "doc-image": {"name": "rating.png"},
    "extrinsic-table": {"name": "outcomes", "form": "csv"},
    "resource-rating-file": {"form": "tex"},
    "import-columns": {"name": "0" * 32},  # of nobody: told so after the campaign is asked for
    "import-example": {"kind": "items"},
    "figure": {"form": "svg"},
    "model-get": {"word": "minilm"},
    **{
        name: {"kind": "import"}
        for name in ("work-cancel", "work-again", "work-pause", "api-job-cancel", "api-job-again")
    },
}
MAPPED = ColumnMap.from_json(
    {"what": "items", "columns": [{"column": "A", "name": "Text", "role": "sentence"}]}
).to_json()
# Pages that name a run in the rest of their address.
ABOUT_A_RUN = {"figure", "one-metric", "metric-texts", "metric-beside"}


@dataclass(frozen=True)
class World:
    """A campaign, and the arguments of addresses below it."""

    campaign: Campaign
    bob: Annotator
    sheet: Sheet
    arguments: dict[str, Any]

    def address(self, name, names, **others):
        """The address of the route; `others` replaces arguments."""
        have = {**self.arguments, **OF_ROUTES.get(name, {}), **others}
        if name == "task-join":
            have["token"] = have["team_token"]
        given = {one: have[KEYS[name] if one == "key" else one] for one in names}
        query = f"?run={have['finished']}&scale=MEANING" if name in ABOUT_A_RUN else ""
        return reverse(name, kwargs=given) + query

    def body(self, name):
        """What routes need before they ask who the annotator is; others get an empty body."""
        named = {"annotator": str(self.bob.key)}
        answer = {**named, "id": str(uuid4())}
        bodies = {
            "api-judgment": {**answer, "base_version": 0, "value": 4},
            "api-remark": {**answer, "substitution": None, "flagged": True, "text": ""},
            "api-sheet": named,
            "api-sheet-state": {**named, "state": "done"},
        }
        return bodies.get(name, {})


def make_world(slug):
    """Alice owns it, Bob holds a sheet, Beth has judged one, one run waits and one is done."""
    campaign = make_campaign(slug, items=2, k=2)
    alice = make_user("alice")
    place = place_of(alice, campaign)
    saved_template_add(
        name=f"site-{slug}", label="Ours", text="guidelines: x", place=place, actor=alice
    )
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    exclusion = exclusion_add(target=make_annotator(campaign, "ben"), reason="test", actor=alice)
    invitation, token = invitation_create(campaign=campaign, actor=alice, max_uses=100)
    _by_name, name_token = invitation_create(campaign=campaign, actor=alice, name_only=True)
    panel = panel_create(campaign=campaign, actor=alice, name="Crowd", sheets_per_person=2)
    beth = make_annotator(campaign, "beth")
    rate_sheet(beth, claim_next(annotator=beth))
    run = run_start(campaign=campaign, spec="pinc", actor=alice)
    finished = run_start(campaign=campaign, spec="bleu", actor=alice)
    for _ in range(3):  # prepared, scored, finished
        run_work(run_pk=finished.pk)
    assert Run.objects.get(pk=finished.pk).status == Run.Status.DONE
    file = export_order(campaign=campaign, actor=alice, what="items", format="csv")
    archive = whole_order(campaign=campaign, actor=alice, what="archive")
    for one in (file, archive):
        job_work("export", one.pk)
    item = campaign.items.first()
    scale = campaign.scales.first()
    entry = sheet.entries.first()
    assert item is not None and scale is not None and entry is not None
    question = question_add(campaign=campaign, question=Question("How old?"), actor=alice)
    row = {
        "least": 0,
        "precision": None,
        "recall": 0,
        "phrases_with_paraphrases": 0,
        "phrases_with_gold": 1,
    }
    report = json.dumps({"rows": [row], "directed": True})

    def build(recipe, resource=None):
        return Build.objects.create(
            recipe=recipe,
            name=recipe,
            options_hash=f"{slug}-{recipe}",
            created_by=alice,
            resource=resource,
            **place.fields(),
        ).key

    arguments = {
        "slug": slug,
        "template": f"site-{slug}",
        "token": token,
        "own_token": token_make(user=alice)[0].key,
        "own_login": OutsideLogin.objects.create(
            user=alice, issuer="https://login.example", subject=slug
        ).key,
        "own_session": SignedIn.objects.create(user=alice, session_key=slug).key,
        "uidb64": "MQ",
        "kind": "agreement",
        "metric": "pinc",
        "name": "scatter",
        "form": "json",
        "item": item.key,
        "run": run.key,
        "finished": finished.key,
        "export": file.key,
        "archive": archive.key,
        "restore": RestoreJob.objects.create(
            file_name="a.zip", path="files/restores/a.zip", created_by=alice
        ).key,
        "what": "archive",
        "resource": resource(campaign, "vectors", "plain.txt").key,
        "rating": resource(campaign, "parametric", "report.json", report).key,
        "build": build("lm"),
        "test_set": build("test_set"),
        "generated": build("near_words"),
        "evaluation": build("extrinsic", resource(campaign, "extrinsic", "outcomes.csv")),
        "import": ImportJob.objects.create(
            campaign=campaign, what="items", file_name="a.csv", path="files/imports/a.data"
        ).key,
        "batch": campaign.batches.earliest("pk").key,
        "mapping": ColumnMapping.objects.create(
            campaign=campaign, what="items", file_name="a.xlsx", mapping=MAPPED, digest="0" * 64
        ).key,
        "exclusion": exclusion.key,
        "panel": panel.key,
        "link": panel.token,
        "member": bob.key,
        "mail": signing.dumps(str(invitation.key), salt=SALT),
        "letter": Letter.objects.create(
            campaign=campaign, kind="test", to="a@b.example", subject="S", sealed="x"
        ).key,
        "list": WorkList.objects.create(campaign=campaign, name="A").key,
        "invitation": invitation.key,
        "guest": guest_join(token=name_token, name="Gil")[0].key,
        "sheet": sheet.key,
        "scale": scale.key,
        "substitution": entry.substitution.key,
        "question": question.key,
        "user": bob.user_id,
        **watched(campaign, bob),
        **shared(campaign),
    }
    return World(campaign, bob, sheet, arguments)


def resource(campaign, kind, file, text=""):
    """One of the campaign, which has only this file."""
    path, alice = f"resources/{campaign.slug}-{kind}", make_user("alice")
    store = Path(settings.DATA_DIR, path)
    store.mkdir(parents=True, exist_ok=True)
    (store / file).write_text(text)
    return Resource.objects.create(
        kind=kind,
        name=kind,
        sha256=f"{campaign.slug}-{kind}",
        size=1,
        status="ready",
        path=path,
        created_by=alice,
        **place_of(alice, campaign).fields(),
    )


def shared(campaign):
    """An open task of the campaign's name, with the stranger in a team that has submitted."""
    task = SharedTask.objects.create(
        slug=campaign.slug,
        title="Task",
        campaign=campaign,
        seed=1,
        state="open",
        frozen_at=timezone.now(),
        fingerprint="f",
    )
    track = Track.objects.create(task=task, name="metrics", position=0, reference=True)
    team, token = team_add(task=task, name="kite", actor=None)
    team_join(token=token, user=make_user("charlie"))
    file = file_add(task=task, role="texts", name="texts.tsv", data=b"id\n")
    submission = Submission.objects.create(
        track=track,
        team=team,
        number=1,
        name="kite-1",
        status="done",
        created_at=timezone.now(),
        content=content_add(packed_of(b"pair\n")),
        finished_at=timezone.now(),
    )
    return {
        "task_file": file.key,
        "submission": submission.key,
        "team": team.key,
        "team_token": token,
    }


def watched(campaign, bob):
    """A control, a rule that has decided something about Bob, who is practising."""
    scale = campaign.scales.first()
    assert scale is not None
    texts = {
        role: text_add(
            campaign=campaign,
            role=role,
            sentence=f"{verb} this.",
            phrase="this",
            paraphrase="that",
            bands={scale.name: Band(1, 2)},
            actor=None,
        )
        for role, verb in (("control", "Watch"), ("practice", "Learn"))
    }
    rule = rule_add(campaign=campaign, check="control", least=1, share=0.5, act="warn", actor=None)
    action = QualityAction.objects.create(
        campaign=campaign, annotator=bob, rule=rule, decided_at=timezone.now(), due_at_done=9
    )
    attempt = attempt_start(annotator=bob, part="practice")
    return {
        "text": texts["control"].key,
        "rule": rule.key,
        "action": action.key,
        "annotator": bob.key,
        "attempt": attempt.key,
    }


@dataclass(frozen=True)
class Route:
    """An address of the site: its name, its text and the names of its arguments."""

    name: str
    text: str
    arguments: frozenset[str]

    @property
    def api(self):
        """Whether it answers programs (the page of the docs is for people)."""
        return self.text.startswith("api/") and self.name != "api-docs"


def all_routes():
    """Every address but those of the administration."""
    return _below(get_resolver(), "")


def _below(resolver, before):
    found = []
    for one in resolver.url_patterns:
        text = before + str(one.pattern)
        if isinstance(one, URLPattern):
            # slug and key of `c/<slug:slug>/items/<uuid:key>/`.
            arguments = frozenset(re.findall(r"<(?:\w+:)?(\w+)>", text))
            found.append(Route(one.name or text, text, arguments))
        elif one.namespace != "admin":
            found += _below(one, text)
    return found
