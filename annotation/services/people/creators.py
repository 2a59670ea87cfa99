"""The right to create what takes room on the site, and how much of it one person may have."""

from __future__ import annotations

from django.contrib.auth.models import Permission, User
from django.db.models import Model, Q
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.selectors.access import ADD_RESOURCES, CREATE_CAMPAIGNS, refuse_participant
from annotation.services.audit import Actor


def creation_grant(*, user: User) -> None:
    """Let the user create campaigns and add files for metrics."""
    refuse_participant(user=user)
    wanted = Q()
    for name in (CREATE_CAMPAIGNS, ADD_RESOURCES):
        app, _dot, codename = name.partition(".")
        wanted |= Q(content_type__app_label=app, codename=codename)
    user.user_permissions.add(*Permission.objects.filter(wanted))


def quota_check(*, actor: Actor, model: type[Model], most: int) -> None:
    """Raise Invalid if the actor has created `most` rows of the model, or more, which are there.

    Administrators have no quota. Call it inside the transaction that creates the next one: the
    actor's row is locked, so that requests at the same moment count each other.
    """
    if actor is None or actor.pk is None:
        return
    user = User.objects.select_for_update(no_key=True).filter(pk=actor.pk).first()
    if user is None or user.is_superuser:
        return
    if model._default_manager.filter(created_by=user).count() >= most:
        raise Invalid(
            _("You have created %(most)s already, as many as one login may. Ask an administrator.")
            % {"most": most}
        )
