"""Everything of a published task as one zip: files, gold, submissions, boards, TeX, HEDS."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import paraanno
from scoring.paper.latex import escape, latex_table, number, with_interval
from scoring.paper.reproducible_zip import Bundle
from scoring.shared_tasks.models import SharedTask, Submission, TaskFile, Team
from scoring.shared_tasks.selectors.board import board_json, board_of
from scoring.shared_tasks.selectors.downloads import participant_files
from scoring.shared_tasks.selectors.files import content_data, frozen_get
from scoring.stats.shared_tasks.files import gold_file, text_gold_file

ENDINGS = {"choice": "tsv", "score": "tsv", "text": "tsv"}


def task_zip(*, task: SharedTask, board_copy: str) -> bytes:
    """The zip; the same task gives the same bytes. Callers check that it is published."""
    bundle = Bundle()
    frozen = frozen_get(task=task)
    for name, data in participant_files(task=task).items():
        bundle.add(f"files/{name}", data)
    if task.kind == SharedTask.Kind.METRICS:
        bundle.add("gold/pairs.tsv", gold_file(frozen))
        bundle.add("gold/texts.tsv", text_gold_file(frozen))
    board = board_of(task=task)
    content: Mapping[str, Any] = (board.content if board else None) or {"tracks": {}}
    bundle.add_json("board.json", content)
    bundle.add_json("leaderboard.json", board_json(task=task))
    bundle.add("board.html", board_copy)
    signature = f"paraanno {paraanno.__version__} (task {task.fingerprint[:12]})"
    for track, found in content["tracks"].items():
        if found["rows"]:
            table = board_table(task, track, found["rows"], signature, found.get("ceiling"))
            bundle.add(f"tex/{track}.tex", table)
        for name in ("table_2", "table_3"):
            if white := (found.get("white") or {}).get(name):
                text = white_latex(white["table"], task, track, name, signature)
                bundle.add(f"tex/{track}-{name.replace('_', '-')}.tex", text)
    _submissions(bundle, task)
    bundle.add("methods.md", methods_text(task=task))
    for file in TaskFile.objects.filter(task=task, role="datasheet").select_related("content"):
        bundle.add(file.name, content_data(file.content))
    stream = io.BytesIO()
    about = {
        "task": task.slug, "title": task.title, "fingerprint": task.fingerprint,
        "licence": task.licence, "gold": task.gold, "seed": task.seed,
        "public_share": task.public_share, "facts": task.facts, "text": task.text,
    }  # fmt: skip
    bundle.write(stream, about)
    return stream.getvalue()


def _submissions(bundle: Bundle, task: SharedTask) -> None:
    """The submissions that count, with their certificates."""
    rows = Submission.objects.filter(track__task=task, primary=True, withdrawn_at=None, baseline="")
    certificates = []
    for one in rows.select_related("track", "team", "content").order_by("pk"):
        if one.content is not None:
            name = f"submissions/{one.track.name}/{one.team.pk}-{one.number}.tsv"
            bundle.add(name, content_data(one.content))
            certificates.append({**(one.final or {}), "track": one.track.name, "file": name})
    bundle.add_json("certificates.json", certificates)


def methods_text(*, task: SharedTask) -> str:
    """What the teams say they did, in their own words."""
    teams = Team.objects.filter(task=task, is_baseline=False).order_by("name")
    parts = [f"## {one.name}\n\n{one.method.strip() or '(no description)'}\n" for one in teams]
    return "\n".join([f"# {task.title}: methods of the teams\n", *parts])


def board_table(
    task: SharedTask, track: str, rows: list[dict[str, Any]], signature: str,
    ceiling: Mapping[str, float] | None = None,
) -> str:  # fmt: skip
    """The board of a track for a paper: value with interval, ranks, groups; and the ceiling."""
    pairs = any(row.get("half") is not None for row in rows)
    told = ""
    if ceiling:
        value = number(ceiling["half" if pairs else "value"], 3)
        told = f" One annotator against the others (human ceiling): {value}."
    header = ["Submission", *(["Strict", "Half credit"] if pairs else ["Value"]), "Rank", "Group"]
    lines = []
    for row in rows:
        value = with_interval(row.get("value"), row.get("ci_low"), row.get("ci_high"), 3)
        low, high = row.get("rank_low"), row.get("rank_high")
        name = row["submission"] if row["baseline"] else f"{row['team']}: {row['submission']}"
        lines.append(
            [
                escape(name), *([number(row.get("strict"), 3)] if pairs else []), value,
                "--" if low is None else str(low) if low == high else f"{low}--{high}",
                row.get("group") or "--",
            ]
        )  # fmt: skip
    return latex_table(
        header, lines, label=f"tab:{task.slug}-{track}", source=signature,
        caption=f"{task.title}, track {track}, final part. Brackets: 95 % by drawing originals. "
        "Rank intervals contain all true ranks together with 95 %; submissions that share a "
        "letter are not told apart." + told,
    )  # fmt: skip


def white_latex(
    table: list[list[str]], task: SharedTask, track: str, name: str, signature: str
) -> str:
    """A table of White 2012 for a paper."""
    marks = str.maketrans({"†": r"\dag{}"})
    rows = [[escape(cell).translate(marks) for cell in row] for row in table[1:]]
    return latex_table(
        table[0], rows, label=f"tab:{task.slug}-{track}-{name.replace('_', '-')}", source=signature,
        caption=f"{task.title}, track {track}: pairs in the order of people (%), half credit for "
        "ties. Marks after White 2012, by McNemar's test, which assumes independent pairs.",
    )  # fmt: skip
