"""manage.py stage_wordnet [FOLDER]"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from paraanno.common.on_disk import put_in_place
from paraanno.common.texts import say
from scoring.metrics.files import FileRefused
from scoring.metrics.resources import synonyms
from scoring.metrics.resources.synonyms import FILES, check_folder, load_wordnet, wordnet_version

# Numbers and names of the lexicographer files (manual lexnames(5WN)) with their part of speech.
# nltk's reader needs them as a file, which Debian does not ship.
_LEXNAMES = {
    "adj": "all pert",
    "adv": "all",
    "noun": "Tops act animal artifact attribute body cognition communication event feeling food "
    "group location motive object person phenomenon plant possession process quantity relation "
    "shape state substance time",
    "verb": "body change cognition communication competition consumption contact creation emotion "
    "motion perception possession social stative weather",
}
_NUMBERS = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}


class Command(BaseCommand):
    help = "Copy WordNet's files into the data folder, where the metric meteor finds them."
    requires_system_checks: list[str] = []  # Needs no database and no site.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folder",
            type=Path,
            nargs="?",
            default=synonyms.DEBIAN,
            help=f"a folder with WordNet's files (default: {synonyms.DEBIAN}, of wordnet-base)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        source: Path = options["folder"]
        target = Path(settings.DATA_DIR) / "wordnet"
        draft = target.with_name("wordnet.part")
        try:
            check_folder(source)
            shutil.rmtree(draft, ignore_errors=True)
            _copy(source, draft)
            version = wordnet_version(draft)
            if not load_wordnet(draft).synonyms("word"):
                no_word = say("does not have the word `word`: is it English?")
                raise FileRefused.at(source, 0, no_word)
            shutil.rmtree(target, ignore_errors=True)
            put_in_place(draft, target)
        except FileRefused as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        except OSError as error:
            raise CommandError(f"{target} cannot be written: {error}", returncode=2) from error
        self.stdout.write(f"WordNet {version} of {source} is in {target}.")


def _copy(source: Path, target: Path) -> None:
    """Copy the files that the metric reads, and those that nltk's reader needs too."""
    target.mkdir(parents=True)
    for name in FILES:
        shutil.copyfile(source / name, target / name)
    (target / "lexnames").write_text(_lexnames(), encoding="utf-8")
    # Only look-ups of sense keys read it, and nltk's METEOR makes none.
    (target / "index.sense").touch()


def _lexnames() -> str:
    names = []
    for part in ("adj", "adv", "noun", "verb"):
        names += [(f"{part}.{name}", _NUMBERS[part]) for name in _LEXNAMES[part].split()]
    names.append(("adj.ppl", _NUMBERS["adj"]))
    return "".join(f"{at:02}\t{name}\t{number}\n" for at, (name, number) in enumerate(names))
