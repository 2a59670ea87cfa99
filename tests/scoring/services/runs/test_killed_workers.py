"""Real workers, killed with -9 in the middle of a run: every score is there once."""

import pytest
from django.db.models import Q

from scoring.metrics import create
from scoring.metrics.neural import encoder
from scoring.models import Run, Score
from scoring.runs.texts import Frame, read_texts
from tests.needs import need
from tests.scoring.services.runs.live_runs import begin, done, end_whole, move_on

pytestmark = pytest.mark.usefixtures("unannounced")
SITES = [
    pytest.param({}, id="sqlite-filesystem"),
    pytest.param(
        {"database": "postgresql", "broker": "redis"},
        id="postgresql-redis",
        marks=[pytest.mark.postgres, pytest.mark.service("redis"), pytest.mark.nightly],
    ),
    pytest.param(
        {"database": "postgresql", "broker": "rabbitmq"},
        id="postgresql-rabbitmq",
        marks=[pytest.mark.postgres, pytest.mark.service("rabbitmq")],
    ),
]
ITEMS = 1500


@pytest.mark.parametrize("options", SITES)
def test_killed_workers_lose_no_score_and_double_none(live_site, options):
    site = live_site(**options)
    begin(site, "bleu", "pinc", items=ITEMS)
    site.start("worker")
    # A second kill finds the same rows of runs whatever database and broker there are.
    for _ in range(1 if options else 2):
        move_on(site)
        site.kill("worker")
        site.start("worker")
    end_whole(site)
    with site.database():
        assert set(Run.objects.values_list("total", flat=True)) == {2 * ITEMS - ITEMS // 3}


@pytest.mark.slow
def test_an_encoder_killed_half_way_ends_with_the_scores_of_one_process(live_site):
    need("minilm")
    site = live_site()
    [run] = begin(site, "sentence_cosine", items=ITEMS)
    site.start("heavy")
    for _ in range(2):
        move_on(site)
        site.kill("heavy")
        assert done(site) < run.total, "it is killed in the middle"
        site.start("heavy")
    end_whole(site)
    with site.database():
        texts = read_texts(frame=Frame.of(run), items=Q())
        stored = dict(Score.objects.values_list("substitution_id", "value"))
    encoder._loaded.cache_clear()
    alone = create("sentence_cosine").score_many(texts.pairs)
    # Six digits are kept; the last depends on which texts are computed together.
    assert [stored[pk] for pk in texts.ids] == pytest.approx([one.value for one in alone], abs=2e-6)
