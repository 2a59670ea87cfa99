"""The resources of the demo: files, and builds of its own texts, each made once."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from annotation.models import Campaign
from annotation.selectors.scope import place_of
from scoring.models import Build, Resource
from scoring.services.builds.start import build_start
from scoring.services.demo.files import (
    RESOURCES,
    demo_rows,
    gold_texts,
    model_text,
    nbest_lists,
    page_counts,
    parallel_texts,
    vectors_text,
)
from scoring.services.resources.add import resource_add

logger = logging.getLogger(__name__)
# What people see wherever a file is chosen: nobody should take these for real ones.
NAMES = {
    "model_text": "DEMO ONLY: originals and references",
    "vectors_text": "DEMO ONLY: all texts",
    "english": "DEMO ONLY: originals and references, in pairs",
    "foreign": "DEMO ONLY: the other of each pair",
    "texts": "DEMO ONLY: outputs with MEANING as the demo’s author judges it",
    "vectors": "DEMO ONLY: word vectors of the demo’s own texts",
    "table": "DEMO ONLY: paraphrases of the demo’s own originals and references",
    "synonyms": "DEMO ONLY: synonyms written for the demo",
    "counts": "DEMO ONLY: page counts of the demo’s own texts",
    "nbest": "DEMO ONLY: n-best lists of the demo’s own outputs",
    "lm": "DEMO ONLY: language model of the demo’s own texts",
    "translations": "DEMO ONLY: phrases of the demo’s own texts in other words",
    "regressor": "DEMO ONLY: regression on the demo’s own texts",
}
CORPORA = {"model_text", "vectors_text", "english", "foreign"}
# By kind: the recipe, its inputs by role (texts, or what an earlier build makes), and options that
# suit a few hundred sentences.
BUILDS: dict[str, tuple[str, dict[str, str], dict[str, object]]] = {
    "lm": ("lm", {"text": "model_text"}, {"order": 3}),
    "vectors": (
        "vectors", {"text": "vectors_text"},
        {"size": 24, "epochs": 60, "min_count": 1, "skip_gram": "yes", "seed": 2008},
    ),
    "table": (
        "paraphrases", {"english": "english", "foreign": "foreign"},
        {"min_count": 1, "least": 0.05},
    ),
    "translations": ("translations", {"english": "english", "foreign": "foreign"}, {}),
    "regressor": (
        "pem_style", {"texts": "texts", "translations": "translations", "lm": "lm"},
        {"tokenize": "13a", "lowercase": "yes"},
    ),
}  # fmt: skip


def demo_resources(*, campaign: Campaign) -> tuple[dict[str, str], set[str]]:
    """The keys of the resources that are ready, by kind, and the kinds that are being built; those
    that are missing are added or asked for. A build that failed is not asked for again."""
    texts = _added(campaign)
    made = {name: str(one.key) for name, one in texts.items()}
    keys = {kind: key for kind, key in made.items() if kind not in {*CORPORA, "texts"}}
    awaited: set[str] = set()
    for kind, (recipe, roles, options) in BUILDS.items():
        if set(roles.values()) - made.keys():
            if set(roles.values()) & awaited:
                awaited.add(kind)
            continue
        mine = Build.objects.filter(campaign=campaign, recipe=recipe, name=NAMES[kind])
        build = mine.first()
        if build is None or (build.status == Build.Status.DONE and build.resource is None):
            build, _new = build_start(
                recipe=recipe, options=options, name=NAMES[kind], actor=campaign.created_by,
                campaign=campaign,
                inputs={role: made[name] for role, name in roles.items()},
            )  # fmt: skip
        if build.status in Build.ACTIVE:
            awaited.add(kind)
        elif build.resource is None:
            logger.warning("The demo goes without %s: %s", kind, build.error)
        else:
            keys[kind] = made[kind] = str(build.resource.key)
    return keys, awaited


def _added(campaign: Campaign) -> dict[str, Resource]:
    """The resources of files, by kind, and those of texts, by name."""
    rows = demo_rows()
    english, foreign = parallel_texts(rows)
    made = {
        "counts": page_counts(rows),
        "nbest": nbest_lists(rows),
        "model_text": model_text(rows),
        "vectors_text": vectors_text(rows),
        "english": english,
        "foreign": foreign,
        "texts": gold_texts(rows),
    }
    with tempfile.TemporaryDirectory() as folder:
        files = {"synonyms": RESOURCES / "synonyms.tsv"}
        for name, text in made.items():
            files[name] = Path(folder, f"demo-{name}.txt")
            files[name].write_text(text, encoding="utf-8")
        return {
            name: resource_add(
                kind="corpus" if name in CORPORA else name, path=path, name=NAMES[name],
                actor=campaign.created_by, place=place_of(campaign.created_by, campaign),
            )
            for name, path in files.items()
        }  # fmt: skip
