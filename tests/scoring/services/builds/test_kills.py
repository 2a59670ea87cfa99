"""Every recipe, its process killed at the end of every stage, beside the same work undisturbed.

The worker and the process that builds are real. That process ends itself by kill -9 at the worst
moment, when a stage has written all its files and none of them counts yet; a module that Python
imports at its start (`sitecustomize`) sees to that, once for each build and stage.
"""

import hashlib
import json

import pytest
from django.test import override_settings

from scoring.building.language_model import train, write_arpa
from scoring.building.recipes.recipe import NUMBERS, make, names, recipe
from scoring.builds.services import build_start
from scoring.models import Build
from scoring.resources.services import resource_add
from tests import HOME
from tests.scoring.building.alignment.test_aligner import sentences
from tests.scoring.extrinsic.reviews import reviews, write_table

KILLS = """
import os, signal, sys

if "work_builds" in sys.orig_argv:
    from scoring.building.recipes import recipe

    real = recipe._carry_out

    def killed(stage, step, done):
        marks = {marks!r}
        try:
            open(os.path.join(marks, done.parent.name + ":" + stage.name), "x").close()
        except FileExistsError:
            return real(stage, step, done)
        stage.run(step)
        os.kill(os.getpid(), signal.SIGKILL)

    recipe._carry_out = killed
"""
VECTORS = "4 2\ngood 1 0\nfine 1 .1\nbad .9 .3\nplot 0 1\n"
# Of each recipe: the kind of file by role, and the options.
ASKED = {
    "corpus": ({"text": "english"}, {}),
    "lm": ({"text": "english"}, {"order": 2}),
    "vectors": ({"text": "english"}, {"size": 4, "epochs": 1, "min_count": 1}),
    "paraphrases": ({"english": "english", "foreign": "foreign"}, {"min_count": 1}),
    "translations": ({"english": "english", "foreign": "foreign"}, {"min_count": 1}),
    "near_words": ({"texts": "reviews", "vectors": "vectors"}, {}),
    "extrinsic": (
        {"texts": "reviews"},
        {"systems": "other", "classifiers": "nb", "metrics": "pinc", "bootstrap": 0},
    ),
    "test_set": ({"sentences": "english", "phrases": "table"}, {"n": 2, "test_most": 1000}),
    "parametric": ({"table": "table", "aligned": "aligned"}, {}),
    "pem_style": (
        {"texts": "reviews", "translations": "translations", "lm": "arpa"},
        {"original": "text", "paraphrase": "other", "gold": "length", "tokenize": "none"},
    ),
}
KINDS = {
    "english": "corpus",
    "foreign": "corpus",
    "reviews": "texts",
    "vectors": "vectors",
    "table": "table",
    "aligned": "aligned_pairs",
    "translations": "translations",
    "arpa": "lm",
}


def files(folder):
    once, foreign, _ = sentences(60)
    # Two words that are one in the other language, so that there are paraphrases.
    english = once + [[{"dog": "hound"}.get(word, word) for word in words] for words in once]
    foreign = foreign * 2
    found = {name: folder / f"{name}.txt" for name in KINDS}
    for name, lines in (("english", english), ("foreign", foreign)):
        found[name].write_text("".join(" ".join(words) + "\n" for words in lines))
    found["vectors"].write_text(VECTORS)
    words = sorted({word for words in english for word in words})
    found["table"].write_text("".join(f"{one}\t{one}ish\t0.5\n" for one in words))
    texts, labels = reviews(80)
    lengths = [str(len(text)) for text in texts]  # In place of gold.
    columns = {"text": texts, "label": labels, "other": texts[::-1], "length": lengths}
    write_table(found["reviews"], columns)
    pairs = [f"{' '.join(one)}\t{' '.join(one)}ish\t0-0\n" for one in english[:5]]
    found["aligned"].write_text("".join(pairs))
    of_reviews = sorted({word for text in texts for word in text.split()})
    found["translations"].write_text("".join(f"x{one} ||| {one} ||| 1 1 1\n" for one in of_reviews))
    with found["arpa"].open("wb") as stream:
        write_arpa(train(found["english"], order=2).model, stream)
    return found


def contents(store):
    """The digest of every file of a store, but the plain copy that the resource keeps, and the
    counts, which a store that was there before has not. Of JSON what it says, with 12 digits: the
    last one may differ from process to process, by where an array begins in memory."""
    files = {
        str(path.relative_to(store)): path.read_bytes()
        for path in sorted(store.rglob("*"))
        if path.is_file() and not path.name.startswith("plain") and path.name != NUMBERS
    }
    found = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    names = {digest: name for name, digest in found.items()}  # `about.json` has that of another.
    for name, content in files.items():
        if name.endswith(".json"):
            said = json.loads(content, parse_float=lambda text: float(f"{float(text):.12g}"))
            if isinstance(said, dict) and said.get("sha256") in names:
                said["sha256"] = names[said["sha256"]]
            found[name] = said
    return found


def expected(name, inputs, folder):
    return contents(make(recipe(name), inputs, folder, ASKED[name][1]).store)


def test_every_recipe_has_a_row():
    assert set(ASKED) == set(names())


@pytest.mark.nightly  # Of one that trains, before a change is kept: test_live.py.
def test_every_stage_of_a_recipe_may_be_killed(live_site, tmp_path):
    hook, marks = tmp_path / "hook", tmp_path / "marks"
    hook.mkdir()
    marks.mkdir()
    (hook / "sitecustomize.py").write_text(KILLS.replace("{marks!r}", repr(str(marks))))
    site = live_site(environment={"PYTHONPATH": f"{hook}:{HOME}"})
    theirs, stages = {}, {}
    with site.database(), override_settings(DATA_DIR=site.data_dir):
        added = {
            name: resource_add(kind=KINDS[name], path=path, actor=None)
            for name, path in files(tmp_path).items()
        }
        for name, (roles, options) in ASKED.items():
            inputs = {role: added[kind] for role, kind in roles.items()}
            build_start(
                recipe=name,
                inputs={role: one.key for role, one in inputs.items()},
                options=options,
                actor=None,
            )
            stores = {role: one.stored for role, one in inputs.items()}
            theirs[name] = expected(name, stores, tmp_path / "undisturbed" / name)
            planned = recipe(name).planned(recipe(name).read(options))
            stages[name] = [stage.name for stage in planned]
    site.start("worker")

    def over():
        with site.database():
            return not Build.objects.filter(status__in=Build.ACTIVE).exists()

    site.until(over, "all builds are over", patience=600)
    with site.database(), override_settings(DATA_DIR=site.data_dir):
        for build in Build.objects.all():
            assert (build.status, build.error) == ("done", ""), build.recipe
            assert contents(build.resource.stored) == theirs[build.recipe], build.recipe
    killed = sorted(path.name.partition(":")[2] for path in marks.iterdir())
    assert killed == sorted(stage for found in stages.values() for stage in found)
    assert list((site.data_dir / "builds").iterdir()) == []
