"""Files of scores, imported."""

import io

from django.core.files.uploadedfile import SimpleUploadedFile

from scoring.runs.score_import import scores_import
from tests.factories import make_user

ROWS = [
    {"item": "1", "phrase": "so", "sentence": "It is so.", "paraphrase": "thus", "system": "A"},
    {"item": "1", "phrase": "so", "sentence": "It is so.", "paraphrase": "true", "system": "B"},
    {"item": "2", "phrase": "now", "sentence": "Go now.", "paraphrase": "at once", "system": "A"},
    {"item": "2", "phrase": "now", "sentence": "Go now.", "paraphrase": "at once", "system": "B"},
]

FILE = "item,paraphrase,score\n1,thus,0.5\n1,true,\n2,at once,1\n"


def load(campaign, text=FILE, name="mine.csv", **more):
    return scores_import(
        campaign=campaign,
        stream=io.BytesIO(text.encode()),
        name=name,
        actor=make_user("dora"),
        **more,
    )


def values_of(run):
    return {
        score.substitution.text: score.reason if score.value is None else score.value
        for score in run.scores.select_related("substitution")
    }


def systems_of(run):
    return {
        (one.system.label, one.kind): (one.value, one.n)
        for one in run.system_scores.select_related("system")
    }


def upload(text=FILE, name="mine.csv"):
    return SimpleUploadedFile(name, text.encode())
