"""What an account has of a second factor."""

from __future__ import annotations

from django.contrib.auth.models import User

from annotation.models import RecoveryCode, SecondFactor
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
