"""What an account has of a second factor, and of logins elsewhere."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet

from annotation.models import OutsideLogin, RecoveryCode, SecondFactor
from paraanno.login_required import needs_second_factor


def factor_of(*, user: User) -> SecondFactor | None:
    """Return the account's second factor, if any."""
    return SecondFactor.objects.filter(user=user).first()


def recovery_left(*, user: User) -> int:
    """Return how many recovery codes were not used."""
    return RecoveryCode.objects.filter(user=user).count()


def lacks_factor(*, user: User) -> bool:
    """Whether the settings ask the account for a factor that it does not have."""
    return needs_second_factor(user) and factor_of(user=user) is None


def outside_logins(*, user: User) -> QuerySet[OutsideLogin]:
    """Return the logins at providers that are connected with the account, the oldest first."""
    return OutsideLogin.objects.filter(user=user)


def outside_logins_here(*, user: User) -> QuerySet[OutsideLogin]:
    """Return those of the provider that the settings name."""
    return outside_logins(user=user).filter(issuer=settings.OIDC_ISSUER or "-")
