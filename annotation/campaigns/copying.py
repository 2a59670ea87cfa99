"""Copy a campaign: for a second round, a reproduction, or a pilot.

What is asked is copied through its template; texts are copied row by row, with their digests, by
which scores of equal texts are reused. Judgments, imported gold, exclusions and runs stay behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.campaigns.services import campaign_create
from annotation.campaigns.templating.queries import template_of
from annotation.database import Actor, audit, bulk_insert, reserve_ids, short_write
from annotation.errors import Invalid
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Expected,
    Item,
    Membership,
    Output,
    OutsideId,
    Phrase,
    PracticeText,
    Reference,
    Substitution,
    System,
    Withdrawal,
    WorkList,
    WorkListEntry,
    WorkRule,
)
from annotation.models.panels import PARTICIPANTS
from paraanno import clock
from paraanno.common.panel_links import CampaignTemplate

Ids = Mapping[int, int]
PRACTICE = Substitution.Role.PRACTICE


def campaign_copy(
    *,
    campaign: Campaign,
    slug: str,
    name: str = "",
    texts: bool = False,
    people: bool = False,
    actor: Actor,
) -> Campaign:
    """Make a draft with the same settings, questions and rules, owned by `actor`.

    texts    the same items, references, systems and texts; fixed lists, of `people` or waiting
    people   the same members, and annotators under the same codes; those who withdrew or are
             excluded are left out, and everybody is asked for consent again

    Raises Invalid as `campaign_create` does.
    """
    design = template_of(campaign=campaign)
    design = replace(design, settings={**design.settings, "name": name or campaign.name})
    rows = TextRows.of(campaign) if texts else None
    with short_write():
        copy = campaign_create(
            actor=actor,
            slug=slug,
            template=without_practice(design) if rows else design,
            copied_from=campaign,
            run_metrics=campaign.run_metrics,
        )
        if rows is not None:
            rows.write(copy)
        if people:
            members_copy(source=campaign, copy=copy, members=campaign.memberships.all(), but=actor)
        if rows is not None:
            lists_copy(source=campaign, copy=copy, items=rows.new_items)
        for about in (campaign, copy):
            audit(
                actor=actor,
                verb="copy",
                about=about,
                campaign=about,
                source=campaign.slug,
                copy=copy.slug,
                texts=texts,
                people=people,
            )
    return copy


def without_practice(design: CampaignTemplate) -> CampaignTemplate:
    """Practice texts come with the other texts, or they would be there twice."""
    if design.practice is None:
        return design
    return replace(design, practice=replace(design.practice, texts=()))


def members_copy(
    *, source: Campaign, copy: Campaign, members: QuerySet[Membership], but: Actor = None
) -> None:
    """Give the members the same roles in the copy, and annotators the same codes.

    Everybody but participants of a panel, who are in that campaign alone, and `but` the one who is
    a member of the copy already. The caller holds the transaction.
    """
    out = Exclusion.objects.filter(campaign=source, ends_at=None).exclude(annotator=None)
    left = Withdrawal.objects.filter(campaign=source, ended_at=None)
    annotators = Annotator.objects.filter(campaign=source).exclude(user=None)
    gone = annotators.filter(Q(pk__in=out.values("annotator")) | Q(pk__in=left.values("annotator")))
    come = members.exclude(user__in=gone.values("user"), role=Membership.Role.ANNOTATOR)
    come = come.exclude(user__in=User.objects.filter(PARTICIPANTS))
    if but is not None:
        come = come.exclude(user_id=but.pk or 0)
    users = list(come.values_list("user_id", "role"))
    Membership.objects.bulk_create(
        Membership(campaign=copy, user_id=user, role=role) for user, role in users
    )
    remaining = annotators.filter(user__in=[user for user, _role in users]).exclude(
        pk__in=gone.values("pk")
    )
    Annotator.objects.bulk_create(
        Annotator(
            campaign=copy,
            user_id=one.user_id,
            code=one.code,
            origin=one.origin,
            not_blind_since=one.not_blind_since,
        )
        for one in remaining
    )


def lists_copy(*, source: Campaign, copy: Campaign, items: Ids) -> None:
    """Copy fixed lists; those of people who are not in the copy wait there for somebody."""
    rule = WorkRule.objects.filter(campaign=source).exclude(lists="").first()
    if rule is None:
        return
    WorkRule.objects.update_or_create(campaign=copy, defaults={"lists": rule.lists})
    people = dict(Annotator.objects.filter(campaign=copy).values_list("code", "pk"))
    lists = list(WorkList.objects.filter(campaign=source).select_related("annotator"))
    made = {
        one.pk: WorkList(
            campaign=copy,
            name=one.name,
            annotator_id=people.get(one.annotator.code) if one.annotator else None,
        )
        for one in lists
    }
    WorkList.objects.bulk_create(made.values())
    WorkListEntry.objects.bulk_create(
        WorkListEntry(
            work_list=made[row.work_list_id], item_id=items[row.item_id], position=row.position
        )
        for row in WorkListEntry.objects.filter(work_list__in=made).order_by("pk")
        if row.item_id in items
    )


class TextRows:
    """The rows of a campaign's texts, read before the transaction that writes the copies.

    Rows that others belong to are read last: what an import adds meanwhile is whole or not there.
    """

    def __init__(self, substitutions: QuerySet[Substitution], outputs: QuerySet[Output]) -> None:
        self.practice = _read(PracticeText.objects.filter(substitution__in=substitutions))
        bands = Expected.objects.filter(substitution__in=substitutions)
        self.expected = _read(bands)
        self.scales = dict(bands.order_by().values_list("scale", "scale__name").distinct())
        self.outputs = _read(outputs)
        self.substitutions = _read(substitutions)
        items = Item.objects.filter(
            Q(pk__in=substitutions.values("item")) | Q(pk__in=outputs.values("item"))
        )
        self.outside = _read(OutsideId.objects.filter(item__in=items))
        self.references = _read(Reference.objects.filter(item__in=items))
        self.items = _read(items)
        self.phrases = _read(Phrase.objects.filter(items__in=items).distinct())
        self.new_items: Ids = {}
        self.systems = _read(System.objects.filter(outputs__in=outputs).distinct())

    @classmethod
    def of(cls, campaign: Campaign) -> TextRows:
        """All texts of the campaign."""
        return cls(campaign.substitutions.all(), Output.objects.filter(system__campaign=campaign))

    @classmethod
    def of_items(cls, campaign: Campaign, items: Iterable[int]) -> TextRows:
        """The texts of these items, and all for practice."""
        chosen = list(items)
        wanted = Q(item__in=chosen) | Q(role=PRACTICE)
        outputs = Output.objects.filter(system__campaign=campaign, item__in=chosen)
        return cls(campaign.substitutions.filter(wanted), outputs)

    def write(self, copy: Campaign) -> None:
        """Write them into a new campaign; the caller holds the transaction.

        Raises Invalid if a scale of an expected value is missing there.
        """
        names = {scale.name: scale.pk for scale in copy.scales.all()}
        if not set(self.scales.values()) <= set(names):
            raise Invalid(_("The campaign was changed in the meantime: look at it again."))
        scales = {pk: names[name] for pk, name in self.scales.items()}
        here = {"campaign_id": copy.pk}
        phrases = _write(Phrase, self.phrases, here)
        items = _write(Item, self.items, {**here, "batch_id": None}, phrase_id=phrases)
        self.new_items = items
        _write(OutsideId, self.outside, here, item_id=items)
        _write(Reference, self.references, {}, item_id=items)
        systems = _write(System, self.systems, here)
        texts = _write(Substitution, self.substitutions, here, item_id=items, made_from_id=None)
        _write(Output, self.outputs, {}, system_id=systems, item_id=items, substitution_id=texts)
        _write(Expected, self.expected, {}, substitution_id=texts, scale_id=scales)
        _write(PracticeText, self.practice, here, substitution_id=texts)


def _names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def _read(rows: QuerySet[Any]) -> list[dict[str, Any]]:
    return list(rows.order_by("pk").values(*_names(rows.model)))


def _write(
    model: type[Model],
    rows: list[dict[str, Any]],
    changes: Mapping[str, Any],
    **ids: Ids | None,
) -> Ids:
    """Insert copies and return their ids by the old ones.

    `ids` are the new ids of columns that refer to copied rows; None for the model itself.
    """
    names = _names(model)
    new = dict(zip((row["id"] for row in rows), reserve_ids(model, len(rows)), strict=True))
    fresh = {"created_at": clock.now()} if "created_at" in names else {}

    def copied(row: dict[str, Any]) -> tuple[Any, ...]:
        values = {**row, **changes, **fresh, "id": new[row["id"]]}
        if "key" in row:
            values["key"] = uuid4()
        for name, mapping in ids.items():
            old = row[name]
            # What a copy was made from may be a text that is not copied.
            values[name] = None if old is None else (new if mapping is None else mapping).get(old)
        return tuple(values[name] for name in names)

    bulk_insert(model, names, map(copied, rows))
    return new
