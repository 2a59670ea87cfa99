"""Files of scores, imported."""

from __future__ import annotations

import io
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Campaign
from scoring.models import Run
from scoring.services.runs.imports import ScoresReport, scores_import
from tests.factories import make_user

ROWS = [
    {"item": "1", "phrase": "so", "sentence": "It is so.", "paraphrase": "thus", "system": "A"},
    {"item": "1", "phrase": "so", "sentence": "It is so.", "paraphrase": "true", "system": "B"},
    {"item": "2", "phrase": "now", "sentence": "Go now.", "paraphrase": "at once", "system": "A"},
    {"item": "2", "phrase": "now", "sentence": "Go now.", "paraphrase": "at once", "system": "B"},
]  # fmt: skip

FILE = "item,paraphrase,score\n1,thus,0.5\n1,true,\n2,at once,1\n"


def load(campaign: Campaign, text: str = FILE, name: str = "mine.csv", **more: Any) -> ScoresReport:
    return scores_import(
        campaign=campaign, stream=io.BytesIO(text.encode()), name=name,
        actor=make_user("dora"), **more,
    )  # fmt: skip


def values_of(run: Run) -> dict[str, float | str]:
    return {
        score.substitution.text: score.reason if score.value is None else score.value
        for score in run.scores.select_related("substitution")
    }


def systems_of(run: Run) -> dict[tuple[str, str], tuple[float | None, int]]:
    return {
        (one.system.label, one.kind): (one.value, one.n)
        for one in run.system_scores.select_related("system")
    }


def upload(text: str = FILE, name: str = "mine.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())
