"""The command `paraanno`: alone it starts the site, else it is one of the commands of the site."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from textwrap import shorten

USAGE = """paraanno [--data FOLDER] [COMMAND ...]

  paraanno                       start the site in the foreground; Ctrl-C stops it
  paraanno COMMAND --help        what a command does, and its options
  paraanno --version             versions, database and data folder
  paraanno completion SHELL      a script for bash, zsh or fish that completes commands

  --data FOLDER                  the data folder, as PARAANNO_DATA_DIR"""
# Commands stand in the help by the folder that has them.
GROUPS = {
    "annotation": "Campaigns and their data",
    "scoring": "Gold, results, metrics and archives",
    "scoring.on_files": "Plain files, without a site",
    "scoring.shared_tasks": "Shared tasks",
    "paraanno": "The site",
    "django.contrib.auth": "The site",
    "django.core": "The site",
}
OF_DJANGO = {"changepassword", "check", "createsuperuser", "migrate", "shell"}
# Of those who develop paraanno.
HIDDEN = {"annotator_messages", "makemessages", "work_builds", "work_files"}
COMPLETIONS = {
    "bash": """_paraanno() {
  COMPREPLY=($(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD DJANGO_AUTO_COMPLETE=1 "$1"))
}
complete -o default -F _paraanno paraanno
""",
    "zsh": """autoload -U +X bashcompinit && bashcompinit
""",
    "fish": """function __paraanno
  set -l words (commandline -opc) (commandline -ct)
  COMP_WORDS="$words" COMP_CWORD=(math (count $words) - 1) DJANGO_AUTO_COMPLETE=1 \\
    paraanno | string split ' '
end
complete -c paraanno -a '(__paraanno)'
""",
}
COMPLETIONS["zsh"] += COMPLETIONS["bash"]


def main() -> None:
    """The entry point of an installed copy."""
    words = sys.argv[1:]
    if words[:1] == ["--data"] or (words and words[0].startswith("--data=")):
        folder = words.pop(0).partition("=")[2] or (words.pop(0) if words else "")
        if not folder:
            sys.exit("paraanno: --data needs a folder.")
        os.environ["PARAANNO_DATA_DIR"] = folder
    match words:
        case [] | ["start", *_] if "DJANGO_AUTO_COMPLETE" not in os.environ:
            from paraanno.running.start import main as start

            sys.exit(start(words[1:]))
        case ["--version" | "version"]:
            print(version_text())  # noqa: T201
        case [] | ["help" | "--help" | "-h"] if "DJANGO_AUTO_COMPLETE" not in os.environ:
            print(help_text())  # noqa: T201
        case ["completion", shell] if shell in COMPLETIONS:
            print(COMPLETIONS[shell], end="")  # noqa: T201
        case ["completion", *_]:
            sys.exit(f"paraanno: write `paraanno completion` and one of {', '.join(COMPLETIONS)}.")
        case _:
            run([sys.argv[0], *words])


def run(argv: list[str]) -> None:
    """Run one of the site's commands."""
    named = argv[1] if len(argv) > 1 else ""
    of_files = Path(__file__).parents[2] / "scoring/on_files/management/commands" / f"{named}.py"
    execute = _execute
    if named.isidentifier() and of_files.exists():
        # Without the site such a command starts three times as fast, and makes no data folder.
        os.environ["DJANGO_SETTINGS_MODULE"] = "scoring.on_files.settings"
        if "DJANGO_AUTO_COMPLETE" not in os.environ:
            execute = _execute_on_files
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")
    try:
        execute(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough (`| head`). Python would try to write once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)  # as a program that the signal SIGPIPE ended


def _execute(argv: list[str]) -> None:
    from django.core.management import execute_from_command_line

    execute_from_command_line(argv)


def _execute_on_files(argv: list[str]) -> None:
    """The same, without routes and models, which `django.setup` imports."""
    from django.apps import apps
    from django.conf import settings
    from django.core.management import load_command_class

    apps.populate(settings.INSTALLED_APPS)
    load_command_class("scoring.on_files", argv[1]).run_from_argv(argv)


def version_text() -> str:
    """Versions, and what this copy would use; makes nothing."""
    from urllib.parse import urlsplit

    from paraanno import __version__
    from paraanno.common.places import data_dir

    folder = data_dir().resolve()
    url = urlsplit(os.environ.get("DATABASE_URL", "").strip())
    database = f"{url.scheme}://{url.hostname or ''}{url.path}" if url.scheme else ""
    return "\n".join(
        [
            f"paraanno {__version__} (Python {sys.version.split()[0]})",
            f"Data folder: {folder}",
            f"Database: {database or folder / 'paraanno.sqlite3'}",
        ]
    )


def help_text() -> str:
    """All commands, by what they are for."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")
    import django
    from django.core.management import get_commands

    django.setup()
    lines: dict[str, list[str]] = {title: [] for title in GROUPS.values()}
    for name, app in sorted(get_commands().items()):
        if app not in GROUPS or name in HIDDEN:
            continue
        if app.startswith("django") and name not in OF_DJANGO:
            continue
        command = import_module(f"{app}.management.commands.{name}").Command
        sentence = " ".join(str(command.help).split()).split(". ")[0]
        lines[GROUPS[str(app)]].append(f"  {name:<18} {shorten(sentence, 90, placeholder=' ...')}")
    return "\n\n".join([USAGE, *(f"{title}\n" + "\n".join(of) for title, of in lines.items())])


if __name__ == "__main__":
    main()
