"""Names, options, specs and signatures."""

from __future__ import annotations

import pytest

from scoring.metrics import Pair, create, names
from scoring.metrics.registry import GROUP, metric_class, register


@pytest.fixture
def foreign(tmp_path, monkeypatch):
    """Installs a package with the given entry points, as pip would leave it."""

    def install(text):
        info = tmp_path / "foreign_metrics-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-metrics\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{text}\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        metric_class.cache_clear()

    yield install
    metric_class.cache_clear()


def test_built_in_names():
    assert {"bleu", "pinc"} <= set(names())


def test_a_metric_of_another_package_is_found(foreign):
    foreign("toy_share = tests.scoring.metrics.toy:Share")
    assert "toy_share" in names()
    assert create("toy_share").signature().metric == "toy_share"


def test_another_package_cannot_take_a_name(foreign):
    foreign("bleu = tests.scoring.metrics.toy:Share")
    with pytest.raises(ValueError, match="Two metrics are called bleu.*Uninstall one"):
        names()


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no_such_module:X", "cannot be loaded from no_such_module:X"),
        ("tests.scoring.metrics.toy:Missing", "cannot be loaded"),
        ("tests.scoring.metrics.toy:not_a_metric", "not a subclass of Metric"),
    ],
)
def test_a_broken_metric_of_another_package_is_named(foreign, target, message):
    foreign(f"broken = {target}")
    with pytest.raises(ValueError, match=message):
        create("broken")


def test_registering_a_taken_name_is_refused():
    register("bleu", "scoring.metrics.overlap.bleu:Bleu")
    with pytest.raises(ValueError, match="already a metric called bleu"):
        register("bleu", "tests.scoring.metrics.toy:Share")


def test_a_metric_that_needs_the_whole_says_so_and_its_state_is_signed(foreign):
    foreign("toy_share = tests.scoring.metrics.toy:Share")
    pairs = [Pair("x", "ab"), Pair("x", "cdefgh")]
    metric = create("toy_share")
    with pytest.raises(ValueError, match="prepare the whole set"):
        metric.score(pairs[0])
    before = str(metric.signature())
    metric.use(metric.prepare(pairs))
    assert [score.value for score in metric.score_many(pairs)] == [0.25, 0.75]
    assert str(metric.signature()) != before
    assert metric.score_many([]) == []
    with pytest.raises(ValueError, match="no corpus score"):
        metric.corpus_score(pairs)
