"""Names, options, specs and signatures, and what every metric keeps to."""

import ast
import math
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.metrics import Pair, create, from_spec, names
from scoring.metrics.files import FileOption, FileRefused
from scoring.metrics.registry import GROUP, metric_class, printed_names, register
from scoring.metrics.values import language_problem, same_language
from tests.scoring.metrics.good_files import GOOD
from tests.simulate import examples


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


def test_metrics_are_called_what_people_call_them_unless_two_would_be_the_same():
    people_say = {
        "chrfpp": "chrF++",
        "bleu_1max": "BLEU-1max",
        "bleu:lowercase=yes": "BLEU (lowercase yes)",
        "bleu (phrase)": "BLEU (phrase)",
        "bleu #7": "BLEU #7",
        "novelty": "novelty",
        "bleurt-20": "bleurt-20",
    }
    assert printed_names(people_say) == people_say
    assert printed_names(["ter", "TER"]) == {"ter": "ter", "TER": "TER"}


def test_a_metric_of_another_package_is_found(foreign):
    foreign("toy_share = tests.scoring.metrics.toy:Share")
    assert "toy_share" in names()
    assert create("toy_share").signature().metric == "toy_share"


def test_two_threads_load_metrics_of_one_package_by_different_modules(foreign, tmp_path):
    """Without a lock one holds `slow`, the other `sub.low`, and each needs that of the other."""
    foreign("high = tangled.slow:Share\nlow = tangled.sub.low:Share")
    (home := tmp_path / "tangled" / "sub").mkdir(parents=True)
    share = "from tests.scoring.metrics.toy import Share\n"
    (home / "__init__.py").write_text("import tangled.slow")
    (home / "low.py").write_text(share)
    slow = f"import time; time.sleep(0.3)\nimport tangled.sub.low\n{share}"
    (home.parent / "slow.py").write_text(slow)

    def load(name):
        time.sleep(0.1 * (name == "low"))
        return metric_class(name).__name__

    with ThreadPoolExecutor() as threads:
        assert list(threads.map(load, ("high", "low"))) == ["Share", "Share"]


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


# --- what every metric keeps to; those on a neural model: neural/test_metrics.py ----------------
OPTIONS = {
    **{name: {"lang": "en"} for name in ("apem", "apem_sd", "apem_sdgd", "bleu_apem", "meteor")},
    "combine": {"of": "bleu+pinc"},
}
ANY = (-math.inf, math.inf)
RANGES = {
    "sari": (0, 100),
    "fkgl": (-16, float("inf")),
    "compression": (0, float("inf")),
    **dict.fromkeys(("bleu", "chrf", "chrfpp", "p_bleu", "self_bleu"), (0, 100)),
    **dict.fromkeys(("embedding_cosine", "weem4pg"), (-1, 1)),
    **dict.fromkeys(("length_ratio", "nist", "ter"), (0, math.inf)),
    **dict.fromkeys(("approx_hter", "model_metric"), (-0.5, 2)),
    **dict.fromkeys(("cider", "cider_d"), (0, 10)),
    "combine": (0, 101),
    "ibleu": (-100, 100),
    "lm_fluency": ANY,
    "wmd": (0, 2),
}
# Options under which texts are cut or compared in another way.
VARIANTS = {
    **dict.fromkeys(("approx_hter", "model_metric"), (("metric", "rouge_l"),)),
    "chrf": (("whitespace", "yes"),),
    "cider": (("idf", "none"),),
    "rouge_1": (("tokenize", "rouge_score"), ("part", "recall")),
    "rouge_2": (("part", "precision"),),
    "rouge_l": (("part", "recall"),),
    "weem4pg": (("factor", "share"),),
}
OWN = {"pem_style", *(name for name in names() if metric_class(name).family == "neural")}
EVERY = [name for name in names() if name not in OWN]


def made(name, files, **options):
    """The metric with the files that it needs."""
    needed = {one.name: files[one.kind] for one in required(name)}
    return create(name, {**OPTIONS.get(name, {}), **needed, **options})


def required(name):
    options = metric_class(name).OPTIONS
    return [one for one in options if isinstance(one, FileOption) and not one.default]


def scores(metric, pairs):
    metric.use(metric.prepare(pairs))
    return metric.score_many(pairs)


@pytest.mark.parametrize("name", EVERY)
@settings(max_examples=examples(50))
@given(one=st.text(), other=st.text())
@example(one="", other=" \n")
@example(one="🙂 🙂 a", other="שלום עולם")
@example(one="\ud800 a", other="\0 a")
@example(one="a b " * 600, other="\u200b")
def test_any_text_has_a_score_in_its_range_or_a_reason(good_files, name, one, other):
    texts = (one, other, "cat")
    pairs = [Pair(first, text, (one,), (text, "a")) for first in texts for text in texts]
    low, high = RANGES.get(name, (0, 1))
    for options in ({}, dict(VARIANTS.get(name, ()))):
        for score in scores(made(name, good_files, **options), pairs):
            assert bool(score.reason) if score.value is None else low <= score.value <= high + 1e-9


COMPARED, ORIGINAL = "The text compared with has no words.", "The original has no words."


@pytest.mark.parametrize(
    ("name", "blank", "reason"),
    [
        *((name, " \n", COMPARED) for name in ("bleu", "self_bleu", "chrf", "chrfpp", "nist")),
        *((name, "?!", COMPARED) for name in ("bleu_1max", "paraeval", "length_ratio")),
        *((name, "?!", COMPARED) for name in ("rouge_1", "rouge_2", "edit_similarity", "jaccard")),
        *((name, "?!", COMPARED) for name in ("cider", "cider_d")),
        *((name, " \n", ORIGINAL) for name in ("pinc", "ibleu")),
        *((name, "?!", ORIGINAL) for name in ("embedding_cosine", "weem4pg", "wmd")),
    ],
)
def test_without_words_there_is_a_reason(good_files, name, blank, reason):
    references = ("the cat",) if name == "ibleu" else ()
    pairs = [Pair("the cat", blank, references), Pair(blank, "the cat", references)]
    for options in ({}, dict(VARIANTS.get(name, ()))):
        reasons = [score.reason for score in scores(made(name, good_files, **options), pairs)]
        assert reasons == ["The paraphrase has no words.", reason]


FILES = [
    (name, one.name, one.kind) for name in names() for one in required(name) if name not in OWN
]


@pytest.mark.parametrize(("name", "option", "kind"), FILES)
def test_a_file_is_needed_and_signed_by_its_content(good_files, tmp_path, name, option, kind):
    with pytest.raises(ValueError, match=f"{name}: the option {option}=FILE is missing"):
        made(name, good_files, **{option: ""})
    with pytest.raises(FileRefused, match="there is no such file"):
        made(name, good_files, **{option: str(tmp_path / "none")})
    signed = [str(made(name, good_files).signature())]
    for content in (GOOD[kind], GOOD[kind] + "\n"):
        path = tmp_path / "other"
        path.write_text(content, "utf-8")
        signed.append(str(made(name, good_files, **{option: str(path)}).signature()))
    assert signed[0] == signed[1] != signed[2]
    assert f"|{option}@" in signed[0] and good_files[kind] not in signed[0]


# Metrics that are made for a language read texts in it alone.


ENGLISH = ("The tree is old.", "An old tree")


def test_a_text_in_another_language_has_no_score_and_says_why():
    metric = from_spec("apem", ["en"])
    assert metric.options["lang"] == "en" and metric.reads() == ("en",)
    assert metric.score(Pair(*ENGLISH, language="en-GB")).value == 1
    assert metric.score(Pair(*ENGLISH)).value == 1  # Unknown: taken to be in the one named.
    other = metric.score(Pair(*ENGLISH, language="ko"))
    assert (other.value, other.reason) == (None, "The text is in ko, and apem reads en here.")


@pytest.mark.parametrize(
    "spec", ["bleu:tokenize=ko", "rouge_1:stem=porter", "chrf", "self_bleu:tokenize=zh"]
)
def test_options_that_are_made_for_a_language_bind_it(spec):
    metric = from_spec(spec)
    score = metric.score_and_statistics([Pair(*ENGLISH, group=ENGLISH[1:], language="fr")])[0][0]
    assert (score.value is None) == bool(metric.reads())
    assert bool(metric.reads()) == (spec != "chrf")
    if metric.reads():
        assert "The text is in fr" in score.reason


def test_a_metric_is_told_the_language_or_asks_for_it():
    for spec in ("apem", "bleu_apem", "combine:of=bleu+apem"):
        metric = from_spec(spec, ["ko-KR", "ko"])
        assert metric.reads() == ("ko",) and not metric.undecided and metric.queue == "korean"
        with pytest.raises(ValueError, match="needs the language of the texts, which is unknown"):
            from_spec(spec, [""])
        with pytest.raises(ValueError, match="must be told which language it reads.*lang=ko"):
            from_spec(spec, ["en", "ko"])
        assert "needs the language" in from_spec(spec).score(Pair(*ENGLISH)).reason
    assert from_spec("combine:of=bleu+apem{lang=en}", [""]).reads() == ("en",)
    assert from_spec("apem:lang=ko", ["en", "ko"]).reads() == ("ko",)
    with pytest.raises(ValueError, match="apem reads texts in ko here, and the texts are in en"):
        from_spec("apem:lang=ko", ["en"])
    assert language_problem(create("bleu"), [""]) == language_problem(create("bleu"), ["xx"]) == ""


def test_variants_belong_to_their_language():
    assert same_language("pt", "pt-BR") and same_language("zh", "yue")
    assert not same_language("ko", "kok") and not same_language("en", "")


# The metrics import neither Django nor anything of the project outside themselves but what every
# pure package may.


def test_metrics_import_alone():
    code = (
        "import sys; from scoring import metrics; metrics.create('bleu'); metrics.create('pinc');"
        "from scoring.metrics import scored;"
        "print([n for n in sys.modules if n.split('.')[0] in ('django', 'paraanno', 'annotation')"
        " or (n.startswith('scoring.') and not n.startswith('scoring.metrics'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ast.literal_eval(done.stdout)
    assert loaded[0] == "paraanno"
    assert all(f"{name}.".startswith("paraanno.common.") for name in loaded[1:])
