"""Stages: carried out once, gone on with after a kill, cancelled, and named by a signature."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from scoring.building.recipes.recipe import (
    BuildCancelled,
    ColumnOption,
    NamesOption,
    Recipe,
    Stage,
    make,
    names,
    recipe,
)
from scoring.metrics.resources.kinds import kinds
from scoring.metrics.values import Option
from tests import HOME

BEGUN = []


def _upper(step):
    BEGUN.append("upper")
    text = step.inputs["text"].read_text()
    step.progress(0.5)
    (step.folder / "plain.txt").write_text(text.upper())
    return {"characters": len(text)}


def _repeat(step):
    BEGUN.append("repeat")
    times = int(step.options["times"])
    step.progress(0.5)
    (step.folder / "about.json").write_text(
        (step.before["upper"] / "plain.txt").read_text() * times
    )
    if step.options["hang"] == "1":
        time.sleep(600)
    return {"times": times}


TOY = Recipe(
    name="toy",
    title="Toy",
    summary="",
    kind="text",
    inputs={"text": "corpus"},
    options=(
        Option("times", "2", "", least=1, most=9),
        Option("hang", "0", "", least=0, most=1),
    ),
    stages=(Stage("upper", _upper), Stage("repeat", _repeat)),
    plain="plain.txt",
)


@pytest.fixture
def text(tmp_path):
    BEGUN.clear()
    path = tmp_path / "some.txt"
    path.write_text("ab")
    return path


def test_stages_follow_one_another_and_are_carried_out_once(text, tmp_path):
    steps = []
    inputs, options = {"text": text}, {"times": 3}
    made = make(TOY, inputs, tmp_path / "work", options, progress=lambda *one: steps.append(one))
    assert (made.store / "about.json").read_text() == "ABABAB"
    assert made.plain.read_text() == "AB"
    assert (made.kind, made.numbers) == ("text", {"characters": 2, "times": 3})
    assert steps == [
        (stage, number, share)
        for number, stage in enumerate(("upper", "repeat"), 1)
        for share in (0.0, 0.5, 1.0)
    ]
    assert make(TOY, inputs, tmp_path / "work", options) == made
    assert BEGUN == ["upper", "repeat"]


def test_other_options_inputs_or_versions_begin_anew(text, tmp_path):
    folder = tmp_path / "work"
    signatures = [make(TOY, {"text": text}, folder, {}).signature]
    signatures.append(make(TOY, {"text": text}, folder, {"times": 4}).signature)
    text.write_text("cd")
    made = make(TOY, {"text": text}, folder, {"times": 4})
    assert (made.store / "about.json").read_text() == "CDCDCDCD"
    signatures.append(made.signature)
    assert len(set(signatures)) == 3
    assert BEGUN == ["upper", "repeat"] * 3
    assert signatures[0].startswith("toy|hang:0|times:2|text@")


def test_cancelling_leaves_the_stages_that_are_whole(text, tmp_path):
    folder = tmp_path / "work"
    with pytest.raises(BuildCancelled):
        make(TOY, {"text": text}, folder, {}, cancelled=lambda: "repeat" in BEGUN)
    assert (folder / "upper").is_dir()
    assert not (folder / "repeat").exists()
    make(TOY, {"text": text}, folder, {})
    assert BEGUN == ["upper", "repeat", "repeat"]


def test_a_killed_process_loses_one_stage_at_most(text, tmp_path):
    program = (
        "from pathlib import Path\n"
        "from tests.scoring.building.recipes.test_recipe import TOY, make\n"
        f"inputs, work = {{'text': Path({str(text)!r})}}, Path({str(tmp_path / 'work')!r})\n"
        "make(TOY, inputs, work, {'hang': 1})"
    )
    process = subprocess.Popen([sys.executable, "-c", program], cwd=HOME)

    def half():
        return list((tmp_path / "work").glob("repeat.*.part/about.json"))

    until = time.monotonic() + 60
    while not half() and time.monotonic() < until:
        time.sleep(0.05)
    assert half()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    whole = tmp_path / "work" / "upper" / "plain.txt"
    before = whole.stat().st_mtime_ns
    # What the signature says decides; a copy of the recipe that does not hang has the same.
    recipe = replace(TOY, stages=(TOY.stages[0], Stage("repeat", _at_once)))
    made = make(recipe, {"text": text}, tmp_path / "work", {"hang": 1})
    assert (made.store / "about.json").read_text() == "AB"
    assert whole.stat().st_mtime_ns == before
    assert BEGUN == []
    # What was killed may still be written to; the folder of the build goes as a whole.


def _at_once(step):
    (step.folder / "about.json").write_text((step.before["upper"] / "plain.txt").read_text())
    return {}


def test_wrong_options_and_inputs_are_named(text, tmp_path):
    for options, inputs, problem in (
        ({"colour": "red"}, {"text": text}, "toy: unknown option colour; it takes hang, times."),
        ({"times": "ten"}, {"text": text}, "toy: times=ten is not allowed; use a whole number"),
        ({}, {}, "toy: needs the inputs text."),
    ):
        with pytest.raises(ValueError, match=problem):
            make(TOY, inputs, tmp_path / "work", options)
    assert not (tmp_path / "work").exists()


# Recipes by name.


@pytest.mark.parametrize("name", names())
def test_every_recipe_makes_and_takes_resources(name):
    found = recipe(name)
    assert found.name == name
    # What is made here alone, and not uploaded as a resource.
    made = ("test_set", "extrinsic", "parametric", "regressor")
    assert {found.kind, *found.inputs.values()} <= {*kinds(), *made}
    assert found.optional <= set(found.inputs)
    stages = found.planned(found.read({}))
    assert stages and len({stage.name for stage in stages}) == len(stages)
    assert found.read({}).keys() == {option.name for option in found.options}


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(ValueError, match="Did you mean corpus"):
        recipe("corpsu")


# Options of recipes that are names.


NAMES = NamesOption("which", "a+b", "", allowed=("a", "b", "c"))


def test_names_are_kept_once_and_in_order():
    assert NAMES.read("recipe", " c + a+c") == "c+a"
    assert NamesOption("which", "a", "").read("recipe", "x+y") == "x+y"


@pytest.mark.parametrize("given", ["", "+", "a+d"])
def test_other_names_are_refused(given):
    with pytest.raises(ValueError, match=r"recipe: which=.* is not allowed.*a, b, c"):
        NAMES.read("recipe", given)


def test_a_column_without_a_name_is_the_usual_one():
    column = ColumnOption("column", "text", "")
    assert (column.read("recipe", " "), column.read("recipe", " review ")) == ("text", "review")
