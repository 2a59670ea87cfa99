"""A reader of the layout of mt-metrics-eval, written from its specification ("File organization
and naming convention" of its README) and with the refusals of its strict mode."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

MISSING = "[No translation supplied]"
Scores = dict[str, list[float | None]]
Text = str | None


@dataclass
class TestSet:
    """One language pair; scores by name and level."""

    __test__ = False  # pytest takes the name for a class of tests.

    sources: list[Text]
    references: dict[str, list[Text]] = field(default_factory=dict)
    outputs: dict[str, list[Text]] = field(default_factory=dict)
    human: dict[tuple[str, str], Scores] = field(default_factory=dict)
    metrics: dict[tuple[str, str], Scores] = field(default_factory=dict)

    def references_of(self, metric):
        """The references in a metric's name."""
        used = metric.rsplit("-", 1)[1]
        return {"all": set(self.references), "src": set()}.get(used, set(used.split(".")))


def _texts(content):
    return [None if line.rstrip() == MISSING else line.rstrip() for line in content.splitlines()]


def _scores(content):
    found = defaultdict(list)
    for line in content.splitlines():
        system, score = line.split()
        found[system].append(None if score == "None" else float(score))
    return dict(found)


def read_pair(files, name, pair):
    """Read one pair; AssertionError where the tool would refuse it."""
    found = TestSet(_texts(files[f"{name}/sources/{pair}.txt"]))
    segments = len(found.sources)
    lines = [line.split() for line in files[f"{name}/documents/{pair}.docs"].splitlines()]
    assert len(lines) == segments and all(len(line) == 2 for line in lines)
    documents = [line[1] for line in lines]
    turns = sum(a != b for a, b in pairwise(documents)) + 1
    assert turns == len(set(documents)), "the segments of a document are apart"
    for path, content in files.items():
        room, _, rest = path.removeprefix(f"{name}/").partition("/")
        if room == "references" and rest.startswith(f"{pair}."):
            reference = rest.split(".")[-2]
            assert "-" not in reference and reference not in ("all", "src")
            found.references[reference] = _texts(content)
        elif room == "system-outputs" and rest.startswith(f"{pair}/"):
            found.outputs[rest.split("/")[1].removesuffix(".txt")] = _texts(content)
        elif room == "human-scores" and rest.startswith(f"{pair}."):
            *words, level, _ = rest.split(".")[1:]
            found.human[".".join(words), level] = _scores(content)
        elif room == "metric-scores" and rest.startswith(f"{pair}/"):
            metric, level, _ = rest.split("/")[1].rsplit(".", 2)
            found.metrics[metric, level] = _scores(content)
    assert found.references, "the tool wants a standard reference"
    assert all(len(texts) == segments for texts in found.references.values())
    assert all(len(texts) == segments for texts in found.outputs.values())
    _check(found, segments)
    return found


def _check(found, segments):
    for (_, level), scores in (*found.human.items(), *found.metrics.items()):
        assert set(scores) <= set(found.outputs), "an unknown system"
        many = {"sys": 1, "seg": segments}[level]
        assert all(len(column) == many for column in scores.values())
    for (metric, _), scores in found.metrics.items():
        used = found.references_of(metric)
        assert used <= set(found.references), "an unknown reference"
        assert set(scores) == set(found.outputs) - used, "not every system"
        assert not any(None in column for column in scores.values()), "a gap"
