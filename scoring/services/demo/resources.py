"""The resources of the demo: files, and builds of its own texts, each made once."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from annotation.models import Campaign
from scoring.models import Build, Resource
from scoring.services.builds.start import build_start
from scoring.services.demo.files import (
    RESOURCES,
    demo_rows,
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
    "vectors": "DEMO ONLY: word vectors of the demo’s own texts",
    "table": "DEMO ONLY: paraphrases of the demo’s own originals and references",
    "synonyms": "DEMO ONLY: synonyms written for the demo",
    "counts": "DEMO ONLY: page counts of the demo’s own texts",
    "nbest": "DEMO ONLY: n-best lists of the demo’s own outputs",
    "lm": "DEMO ONLY: language model of the demo’s own texts",
}
# By kind: the recipe, the texts by role, and options that suit a few hundred sentences.
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
}  # fmt: skip


def demo_resources(*, campaign: Campaign) -> tuple[dict[str, str], set[str]]:
    """The keys of the resources that are ready, by kind, and the kinds that are being built; those
    that are missing are added or asked for. A build that failed is not asked for again."""
    texts = _added(campaign)
    keys = {kind: str(one.key) for kind, one in texts.items() if kind not in _roles()}
    awaited = set()
    for kind, (recipe, roles, options) in BUILDS.items():
        build = Build.objects.filter(recipe=recipe, name=NAMES[kind]).first()
        if build is None or (build.status == Build.Status.DONE and build.resource is None):
            build, _new = build_start(
                recipe=recipe, options=options, name=NAMES[kind], actor=campaign.created_by,
                inputs={role: texts[name].key for role, name in roles.items()},
            )  # fmt: skip
        if build.status in Build.ACTIVE:
            awaited.add(kind)
        elif build.resource is None:
            logger.warning("The demo goes without %s: %s", kind, build.error)
        else:
            keys[kind] = str(build.resource.key)
    return keys, awaited


def _roles() -> set[str]:
    """The names of texts that builds are made of."""
    return {name for _recipe, roles, _options in BUILDS.values() for name in roles.values()}


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
    }
    with tempfile.TemporaryDirectory() as folder:
        files = {"synonyms": RESOURCES / "synonyms.tsv"}
        for name, text in made.items():
            files[name] = Path(folder, f"demo-{name}.txt")
            files[name].write_text(text, encoding="utf-8")
        return {
            name: resource_add(
                kind="corpus" if name in _roles() else name, path=path, name=NAMES[name],
                actor=campaign.created_by,
            )
            for name, path in files.items()
        }  # fmt: skip
