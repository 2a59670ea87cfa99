"""The form that starts runs, many at once, with what is wrong beside it."""

import re

import pytest

from annotation.campaigns.services import campaign_create
from annotation.models import Campaign
from scoring.models import Resource, Run
from scoring.runs.views import RunForm
from tests.clients import client_of, html_of, messages_of, text_of
from tests.factories import make_user
from tests.scoring.hand import hand_campaign

pytestmark = pytest.mark.django_db
PAGE = "/c/hand/runs/"


@pytest.fixture
def camp():
    return hand_campaign()


def post(**fields):
    fields = {name.replace("__", "."): value for name, value in fields.items()}
    return client_of("dora").post(PAGE, fields, follow=True)


def shown(**query):
    return html_of(client_of("dora").get(PAGE, query))


def piece(page, name):
    """The part of the page about one metric."""
    part = re.search(
        rf'<div class="pick[^"]*" id="pick-{name}">.*?(?=<div class="pick|</fieldset>)', page, re.S
    )
    assert part is not None, name
    return part.group()


def test_several_metrics_start_at_once_each_with_its_options(camp):
    answer = post(
        metric=["bleu", "pinc"],
        bleu__lowercase="yes",
        pinc__max_n="2",
        pinc__lowercase="no",
        jaccard__lowercase="perhaps",  # Of a metric that is not ticked: left alone.
    )
    assert messages_of(answer) == ["2 metrics were started."]
    assert {(run.metric, run.label) for run in Run.objects.all()} == {
        ("bleu", "bleu:lowercase=yes"),
        ("pinc", "pinc:max_n=2"),
    }
    assert Run.objects.get(metric="pinc").options["max_n"] == "2"


def test_names(camp):
    post(metric="pinc", label="  novelty ")
    post(metric=["bleu", "jaccard"], label="first")
    assert set(Run.objects.values_list("label", flat=True)) == {
        "novelty",
        "first bleu",
        "first jaccard",
    }
    assert post(metric="rouge_1", label="x" * 151).status_code == 422


def test_what_to_compare_with_goes_to_those_that_have_a_choice(camp):
    post(metric=["bleu", "jaccard", "pinc"], against="original", jaccard__against="auto")
    assert {run.metric: run.options["against"] for run in Run.objects.all()} == {
        "bleu": "original",
        "jaccard": "auto",
        "pinc": "original",
    }


def test_a_wrong_option_is_told_beside_it_and_nothing_starts(camp):
    answer = post(
        metric=["bleu", "pinc"],
        pinc__max_n="99",
        bleu__lowercase="yes",
        label="mine",
        scope="phrase",
        against="both",
    )
    assert answer.status_code == 422 and not Run.objects.exists()
    page = html_of(answer)
    pinc, bleu = piece(page, "pinc"), piece(page, "bleu")
    error = '<p class="errors" id="e-pinc.max_n">pinc: max_n=99 is not allowed; use a whole'
    assert error in pinc and 'aria-describedby="h-pinc.max_n e-pinc.max_n"' in pinc
    assert 'value="99"' in pinc and 'aria-invalid="true"' in pinc and "<details open>" in pinc
    assert "not allowed" not in bleu and '<option value="yes" selected>' in bleu
    assert '<a href="#pick-pinc">PINC</a>' in page and 'value="mine"' in page
    assert '<option value="phrase" selected>' in page and '<option value="both" selected>' in page
    assert len(re.findall(r'name="metric"[^>]* checked', page)) == 2


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "Tick at least one metric."),
        ({"metric": "nonsense"}, "There is no metric 'nonsense'."),
        ({"metric": "pinc", "scope": "page"}, "There is no such scope"),
        ({"metric": "weem4pg"}, "This metric cannot be used"),
        ({"metric": "weem4pg", "weem4pg__vectors": "/etc/passwd"}, "This metric cannot be used"),
        ({"metric": "combine"}, "METRIC+METRIC is missing"),
    ],
)
def test_other_refusals(camp, fields, says):
    answer = post(**fields)
    assert answer.status_code == 422 and says in text_of(answer)
    assert not Run.objects.exists()


def test_a_campaign_without_texts_says_so():
    campaign_create(actor=make_user("dora"), slug="hand", name="Empty")
    answer = post(metric="pinc")
    assert answer.status_code == 422 and "has no outputs to score" in text_of(answer)


def test_a_metric_without_its_file_is_shown_with_the_way_to_it(camp):
    part = piece(shown(), "weem4pg")
    assert "disabled" in part and "needs a file" in part and "/resources/" in part
    one = Resource.objects.create(
        kind="vectors",
        name="glove",
        sha256="0" * 64,
        size=1,
        path="x",
        status="ready",
        scope="site",
    )
    part = piece(shown(), "weem4pg")
    assert "disabled" not in part and f'<option value="{one.key}">glove</option>' in part


@pytest.mark.slow
def test_quick_choices_tick_what_needs_nothing(camp):
    def ticked(choose):
        return set(re.findall(r'name="metric" value="(\w+)"[^>]* checked', shown(choose=choose)))

    words, free = ticked("words"), ticked("free")
    assert {"bleu", "pinc", "rouge_l"} <= words < free
    # Metrics for one language are ticked where all texts are in it.
    bound = {"apem", "bleu_apem"}
    assert not {"weem4pg", "combine", "paraeval", *bound} & free
    for language, own in (("ko", bound), ("fr", set()), ("en", bound)):
        Campaign.objects.update(language=language)
        assert ticked("free") & bound == own
    assert ticked("none") == ticked("") == ticked("nonsense") == set()
    form = RunForm(user=make_user("dora"), campaign=camp, quick="free")
    assert not form.valid and form.errors == []


def test_readers_see_no_form_and_the_page_needs_few_queries(camp, django_assert_max_num_queries):
    page = html_of(client_of("vera").get(PAGE))
    assert 'name="metric"' not in page and "/metrics/" in page
    dora = client_of("dora")
    with django_assert_max_num_queries(20):
        dora.get(PAGE)
