"""Names, options, specs and signatures."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, Score, Signature, create, from_spec, names, parse_spec
from scoring.metrics.base import mean_score
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


@pytest.mark.parametrize("result", [Score(0.5), Pair("a", "b"), create("pinc").signature()])
def test_results_cannot_be_changed(result):
    for name in result.__slots__:
        with pytest.raises(FrozenInstanceError):
            setattr(result, name, 1)


def test_built_in_names():
    assert {"bleu", "pinc"} <= set(names())


def test_a_metric_of_another_package_is_found(foreign):
    foreign("toy_share = tests.metrics.toy:Share")
    assert "toy_share" in names()
    assert create("toy_share").signature().metric == "toy_share"


def test_another_package_cannot_take_a_name(foreign):
    foreign("bleu = tests.metrics.toy:Share")
    with pytest.raises(ValueError, match="Two metrics are called bleu.*Uninstall one"):
        names()


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no_such_module:X", "cannot be loaded from no_such_module:X"),
        ("tests.metrics.toy:Missing", "cannot be loaded"),
        ("tests.metrics.toy:not_a_metric", "no subclass of Metric"),
    ],
)
def test_a_broken_metric_of_another_package_is_named(foreign, target, message):
    foreign(f"broken = {target}")
    with pytest.raises(ValueError, match=message):
        create("broken")


def test_registering_a_taken_name_is_refused():
    register("bleu", "scoring.metrics.bleu:Bleu")
    with pytest.raises(ValueError, match="already a metric called bleu"):
        register("bleu", "tests.metrics.toy:Share")


@pytest.mark.parametrize(
    ("text", "key", "name", "options"),
    [
        ("bleu", "bleu", "bleu", {}),
        ("bleu:lowercase=yes", "bleu:lowercase=yes", "bleu", {"lowercase": "yes"}),
        ("pinc:as=new,max_n=2", "new", "pinc", {"max_n": "2"}),
        ("wmd:vectors=a:b=c", "wmd:vectors=a:b=c", "wmd", {"vectors": "a:b=c"}),
    ],
)
def test_specs(text, key, name, options):
    spec = parse_spec(text)
    assert (spec.key, spec.name, dict(spec.options)) == (key, name, options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no metric"),
        (":a=b", "names no metric"),
        ("bleu:", "names no metric"),
        ("bleu:lowercase", "should read option=value"),
        ("bleu:=yes", "should read option=value"),
        ("bleu:lowercase=", "should read option=value"),
        ("bleu:lowercase=yes,lowercase=no", "lowercase is given twice"),
    ],
)
def test_bad_specs(text, message):
    with pytest.raises(ValueError, match=message):
        parse_spec(text)


@given(st.text())
def test_any_text_is_a_spec_or_a_value_error(text):
    try:
        assert parse_spec(text).name
    except ValueError as error:
        assert repr(text) in str(error)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("blue", "no metric called blue; there are .*bleu, .*pinc"),
        (
            "bleu:tokenise=13a",
            "unknown option tokenise; it takes against, lowercase, references, s",
        ),
        ("bleu:smooth=exponential", "smooth=exponential is not allowed; use exp, floor, add-k, no"),
        ("bleu:lowercase=maybe", "lowercase=maybe is not allowed; use yes, no"),
        ("pinc:max_n=0", "max_n=0 is not allowed; use a whole number from 1 to 9"),
        ("pinc:max_n=two", "max_n=two is not allowed"),
        ("pinc:max_n=²", "max_n=² is not allowed"),
    ],
)
def test_wrong_names_and_options_say_what_is_allowed(spec, message):
    with pytest.raises(ValueError, match=message):
        from_spec(spec)


def test_options_have_one_form_in_the_signature():
    texts = {
        str(create("bleu", {"lowercase": value}).signature())
        for value in (True, "true", "1", "yes")
    }
    assert len(texts) == 1
    assert "lowercase:yes" in texts.pop()


def test_a_signature_changes_with_everything_that_changes_a_number():
    base = Signature("m", (("a", "1"),), (("file", "ff"),), "ss", (("lib", "1"),))
    others = [
        Signature("n", (("a", "1"),), (("file", "ff"),), "ss", (("lib", "1"),)),
        Signature("m", (("a", "2"),), (("file", "ff"),), "ss", (("lib", "1"),)),
        Signature("m", (("a", "1"),), (("file", "fe"),), "ss", (("lib", "1"),)),
        Signature("m", (("a", "1"),), (("file", "ff"),), "st", (("lib", "1"),)),
        Signature("m", (("a", "1"),), (("file", "ff"),), "ss", (("lib", "2"),)),
        Signature("m", (("a", "1|lib=1"),), (("file", "ff"),), "ss"),
    ]
    assert len({str(signature) for signature in [base, *others]}) == 7


def test_the_order_of_options_does_not_matter():
    one = Signature("m", (("a", "1"), ("b", "2")))
    assert str(one) == str(Signature("m", (("b", "2"), ("a", "1")))) == "m|a:1|b:2"


def test_a_score_has_a_value_or_a_reason():
    for value, reason in [(None, ""), (1.0, "why"), (float("nan"), ""), (float("inf"), "")]:
        with pytest.raises(ValueError, match="A score"):
            Score(value, reason)


def test_the_mean_leaves_undefined_scores_out_and_counts_the_rest():
    scores = [Score(1.0), Score.undefined("no"), Score(2.0)]
    assert mean_score(scores) == (Score(1.5), 2)
    assert mean_score([Score.undefined("no")])[0].value is None


def test_a_metric_that_needs_the_whole_says_so_and_its_state_is_signed(foreign):
    foreign("toy_share = tests.metrics.toy:Share")
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
