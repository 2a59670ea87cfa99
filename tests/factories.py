"""The fixed cast and small campaigns; everything is made through the services.

Alice owns (and may create campaigns and add resources), Dora researches, Bob annotates (Ben and
Beth too), Vera reads, Charlie must see nothing, Adam administers the site.
"""

import io
import json
from uuid import uuid4

from django.contrib.auth.models import User

from annotation.access import creation_grant
from annotation.campaigns.services import (
    campaign_close,
    campaign_create,
    campaign_open,
    guideline_add,
)
from annotation.collecting.claiming import claim_next
from annotation.collecting.saving import Answer, judgment_save, sheet_submit
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.models import Campaign, Membership
from annotation.people.background import (
    Question,
    background_answer,
    consent_give,
    consent_text_add,
    question_add,
)
from annotation.people.exclusions import exclusion_add, exclusion_lift
from annotation.people.membership import annotator_for, invitation_accept, membership_set
from annotation.quality.rules import copies_make
from tests import kept

PASSWORD = "a long enough word 7"
CAST = {
    "alice": Membership.Role.OWNER,
    "dora": Membership.Role.RESEARCHER,
    "bob": Membership.Role.ANNOTATOR,
    "vera": Membership.Role.VIEWER,
}


def make_user(name, **fields):
    """A user with PASSWORD; the same one again for the same name."""
    user = User.objects.filter(username=name).first()
    if user is None:
        user = User.objects.create_user(name, password=PASSWORD, **fields)
        if name == "alice":
            creation_grant(user=user)
    return user


def make_admin(name="adam"):
    """A site administrator."""
    return make_user(name, is_staff=True, is_superuser=True)


def item_rows(items=4, systems=2):
    """Rows of an items file: each item has a paraphrase of each system; every third is shared."""
    rows = []
    for number in range(items):
        for system in range(systems):
            word = "shared" if number % 3 == 2 else f"system {system}"
            rows.append(
                {
                    "item": f"item-{number}",
                    "phrase": f"phrase {number // 2}",
                    "sentence": f"Sentence {number} has phrase {number // 2} in it.",
                    "paraphrase": f"{word} paraphrase {number}",
                    "system": f"S{system}",
                    "reference": f"Reference {number} of the sentence.",
                }
            )
    return rows


def jsonl(rows):
    """The rows as a JSON Lines file in memory."""
    return io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())


def make_campaign(
    slug="camp",
    *,
    items=4,
    systems=2,
    k=2,
    open_it=True,
    cast=True,
    rows=None,
    **settings,
):
    """A campaign of Alice's with imported items, opened, and the cast as members."""
    rows = rows if rows is not None else item_rows(items, systems)
    given = (slug, rows, k, open_it, cast, settings)
    try:
        what = json.dumps(given, sort_keys=True)
    except TypeError:  # Objects, which another test has not.
        return _make_campaign(*given)
    return Campaign.objects.get(pk=kept.made(what, lambda: _make_campaign(*given).pk))


def _make_campaign(
    slug,
    rows,
    k,
    open_it,
    cast,
    settings,
):
    alice = make_user("alice")
    campaign = campaign_create(
        actor=alice, slug=slug, name=slug.title(), annotators_per_sheet=k, **settings
    )
    add_items(campaign, rows)
    if cast:
        for name, role in CAST.items():
            membership_set(campaign=campaign, user=make_user(name), role=role, actor=alice)
    if open_it:
        campaign = campaign_open(campaign=campaign, actor=alice)
    return campaign


def add_items(campaign, rows):
    """Import rows of an items file; every problem is an error of the test."""
    report = items_import(
        campaign=campaign, stream=jsonl(rows), name="items.jsonl", format="jsonl", actor=None
    )
    if not report.ok:
        raise ValueError("\n".join(map(str, report.problems)))


def add_judgments(campaign, rows, **options):
    """Import rows of a judgments file; every problem is an error of the test."""
    report = judgments_import(
        campaign=campaign,
        stream=jsonl(rows),
        name="judgments.jsonl",
        format="jsonl",
        actor=None,
        **options,
    )
    if not report.ok:
        raise ValueError("\n".join(map(str, report.problems)))


def judgment_row(item, paraphrase, annotator, value, scale="MEANING", **more):
    """A row of a judgments file."""
    row = {"item": item, "paraphrase": paraphrase, "annotator": annotator, "scale": scale}
    return {**row, "value": value, **more}


def new_campaign(slug="camp", **settings):
    """An empty campaign that nobody owns."""
    return campaign_create(actor=None, slug=slug, **settings)


def open_campaign(campaign):
    return campaign_open(campaign=campaign, actor=None)


def close_campaign(campaign):
    return campaign_close(campaign=campaign, actor=None)


def add_guideline(campaign, text):
    return guideline_add(campaign=campaign, text=text, actor=None)


def add_copies(campaign, items):
    """As many items with an unchanged copy of their sentence."""
    return copies_make(campaign=campaign, items=items, seed=1, actor=None)


def give_role(campaign, user, role):
    return membership_set(campaign=campaign, user=user, role=role, actor=None)


def ask_consent(campaign, text):
    return consent_text_add(campaign=campaign, text=text, actor=None)


def agree(annotator):
    """Consent to the first text."""
    return consent_give(annotator=annotator, version=1)


def ask_question(campaign, wording="How old are you?", *options, **more):
    """A question about annotators, last of the campaign's."""
    question = Question(wording, *options, **more)
    return question_add(campaign=campaign, question=question, actor=None)


def give_answers(annotator, answers):
    return background_answer(annotator=annotator, answers=answers)


def make_annotator(campaign, name="bob"):
    """The user's annotator in the campaign; a new user becomes an annotator of it."""
    user = make_user(name)
    if not Membership.objects.filter(campaign=campaign, user=user).exists():
        give_role(campaign, user, Membership.Role.ANNOTATOR)
    return annotator_for(campaign=campaign, user=user)


def save_answer(annotator, sheet, text, scale, given, base=0, request=None, now=None):
    """One answer, a value or an Answer, through the service."""
    return judgment_save(
        annotator=annotator,
        sheet_key=sheet.key,
        substitution_key=text.key,
        scale_key=scale.key,
        answer=given if isinstance(given, Answer) else Answer(given),
        request_id=request or uuid4(),
        base_version=base,
        now=now,
    )


def join(token, user):
    return invitation_accept(token=token, user=user)


def hand_in(annotator, sheet, now=None):
    return sheet_submit(annotator=annotator, sheet_key=sheet.key, now=now)


def rate_sheet(annotator, sheet, value=4, submit=True, now=None):
    """Answer every question of a sheet with `value`, or with what it chooses for each."""
    scales = list(annotator.campaign.scales.all())
    for entry in sheet.entries.select_related("substitution"):
        for scale in scales:
            given = value(entry.substitution, scale) if callable(value) else value
            save_answer(annotator, sheet, entry.substitution, scale, given, now=now)
    if submit:
        sheet_submit(annotator=annotator, sheet_key=sheet.key, now=now)


def rate_all(annotator, value=4, at_most=10_000):
    """Claim, answer and submit until nothing is left; the number of sheets."""
    for number in range(at_most):
        sheet = claim_next(annotator=annotator)
        if sheet is None:
            return number
        rate_sheet(annotator, sheet, value)
    return at_most


def exclude(target, reason="a test", **more):
    """Leave an annotator or an item out."""
    return exclusion_add(target=target, reason=reason, actor=None, **more)


def take_in(exclusion):
    return exclusion_lift(exclusion=exclusion, actor=None)
