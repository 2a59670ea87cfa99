"""Options of recipes that are names: columns of a table, several of a list."""

from __future__ import annotations

from dataclasses import dataclass

from paraanno.plain.sentence import say
from scoring.metrics.base import Option


@dataclass(frozen=True, slots=True)
class NamesOption(Option):
    """Names with + between them, some of those `allowed` if there are any."""

    allowed: tuple[str, ...] = ()

    def read(self, metric: str, given: object) -> str:
        names = [one.strip() for one in str(given).split("+") if one.strip()]
        wrong = [one for one in names if self.allowed and one not in self.allowed]
        if not names or wrong:
            raise ValueError(
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; use names with + between "
                    "them: %(allowed)s.",
                    metric=metric, option=self.name, value=str(given),
                    allowed=", ".join(self.allowed) or "a+b",
                )
            )  # fmt: skip
        return "+".join(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class ColumnOption(Option):
    """The name of a column."""

    def read(self, metric: str, given: object) -> str:
        return str(given).strip() or self.default
