"""What tests of several rooms of the analysis share."""

import pytest

from scoring.metrics import registry
from scoring.metrics.overlap.simple import Pinc
from scoring.metrics.registry import metric_class
from scoring.models import Score
from scoring.runs import work
from tests.clients import client_of
from tests.draws import draw_few
from tests.factories import add_judgments, judgment_row, make_campaign
from tests.scoring.factories import done_run
from tests.scoring.hand import hand_campaign
from tests.scoring.services import toys
from tests.scoring.services.runs.score_files import ROWS as SCORED_ROWS


@pytest.fixture(autouse=True)
def few_draws(request, monkeypatch):
    """Tests that look at the intervals of pages have a `few_draws` of their own."""
    if request.node.get_closest_marker("django_db"):
        draw_few(monkeypatch)


@pytest.fixture
def hand():
    """The campaign small enough to compute by hand."""
    return hand_campaign()


@pytest.fixture
def toy_metrics(monkeypatch):
    """The toys are metrics during a test."""
    own = [one for one in vars(toys).values() if getattr(one, "name", "").startswith("toy-")]
    targets = {one.name: f"{one.__module__}:{one.__qualname__}" for one in own}
    monkeypatch.setattr(registry, "_TARGETS", {**registry._TARGETS, **targets})
    registry.metric_class.cache_clear()
    work._loaded.cache_clear()
    yield
    registry.metric_class.cache_clear()
    work._loaded.cache_clear()


@pytest.fixture
def counted(monkeypatch):
    """How many pairs Pinc was given, call by call."""
    calls = []
    whole = Pinc.score_many

    def counting(self, pairs):
        calls.append(len(pairs))
        return whole(self, pairs)

    monkeypatch.setattr(Pinc, "score_many", counting)
    return calls


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine without WordNet."""
    monkeypatch.setattr("scoring.metrics.resources.synonyms.DEBIAN", tmp_path / "debian")
    monkeypatch.setenv("PARAANNO_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def one_world():
    """12 texts with scores 0 to 11; people agree but for the first and the last."""
    rows = [
        {
            "item": f"i{n // 2}",
            "phrase": "old",
            "sentence": f"The old number {n // 2}.",
            "paraphrase": f"text {n}",
            "system": "AB"[n % 2],
        }
        for n in range(12)
    ]
    campaign = make_campaign("world", rows=rows)
    texts = list(campaign.substitutions.order_by("pk"))
    people = [5, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 1]
    add_judgments(
        campaign,
        [
            judgment_row(f"i{at // 2}", one.text, "a", value, scale)
            for at, (one, value) in enumerate(zip(texts, people, strict=True))
            for scale in ("MEANING", "GRAMMAR")
        ],
    )
    run = done_run(campaign, {})
    Score.objects.bulk_create(
        Score(run=run, substitution=one, value=float(at)) for at, one in enumerate(texts)
    )
    return campaign, run, client_of("vera")


@pytest.fixture
def foreign(monkeypatch):
    """Makes a class known as a metric for one test."""

    def add(name, target):
        monkeypatch.setitem(registry._TARGETS, name, target)
        metric_class.cache_clear()

    yield add
    metric_class.cache_clear()


@pytest.fixture
def camp():
    """The campaign of the files of scores."""
    return make_campaign("camp", rows=SCORED_ROWS)


@pytest.fixture
def owner(data_dir):
    """Somebody who does research, for tests of resources."""
    make_campaign("lab", items=2, open_it=False)
    return client_of("alice")
