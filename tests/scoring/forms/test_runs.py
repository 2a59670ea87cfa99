"""The form that starts runs, many at once, with what is wrong beside it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Campaign
from annotation.services.campaigns.campaigns import campaign_create
from scoring.forms.runs import RunForm
from scoring.models import Resource, Run
from tests.clients import client_of, html_of, messages_of, text_of
from tests.factories import make_user
from tests.scoring.selectors.ratings.hand import hand_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def camp() -> Campaign:
    return hand_campaign()


def post(campaign: Campaign, **fields: Any) -> Any:
    fields = {name.replace("__", "."): value for name, value in fields.items()}
    address = reverse("runs", args=[campaign.slug])
    return client_of("dora").post(address, fields, follow=True)


def piece(page: str, name: str) -> str:
    """The part of the page about one metric."""
    found = re.search(
        rf'<div class="pick[^"]*" id="pick-{name}">.*?(?=<div class="pick|</fieldset>)', page, re.S
    )
    assert found is not None, name
    return found.group()


def test_several_metrics_start_at_once_each_with_its_options(camp: Campaign) -> None:
    answer = post(
        camp, metric=["bleu", "pinc"], bleu__lowercase="yes", pinc__max_n="2", pinc__lowercase="no"
    )
    assert messages_of(answer) == ["2 metrics were started."]
    runs = {run.metric: run for run in Run.objects.all()}
    assert set(runs) == {"bleu", "pinc"}
    assert runs["bleu"].label == "bleu:lowercase=yes"
    assert (runs["pinc"].label, runs["pinc"].options["max_n"]) == ("pinc:max_n=2", "2")


def test_an_option_of_a_metric_that_is_not_ticked_is_left_alone(camp: Campaign) -> None:
    post(camp, metric="pinc", bleu__lowercase="perhaps")
    assert Run.objects.get().metric == "pinc"


def test_names(camp: Campaign) -> None:
    post(camp, metric="pinc", label="  novelty ")
    assert Run.objects.get().label == "novelty"
    post(camp, metric=["bleu", "jaccard"], label="first")
    assert sorted(Run.objects.exclude(metric="pinc").values_list("label", flat=True)) == [
        "first bleu",
        "first jaccard",
    ]
    assert post(camp, metric="rouge_1", label="x" * 151).status_code == 422


def test_what_to_compare_with_goes_to_those_that_have_a_choice(camp: Campaign) -> None:
    post(camp, metric=["bleu", "jaccard", "pinc"], against="original", jaccard__against="auto")
    found = {run.metric: run.options["against"] for run in Run.objects.all()}
    assert found == {"bleu": "original", "jaccard": "auto", "pinc": "original"}


def test_a_wrong_option_is_told_beside_it_and_nothing_starts(camp: Campaign) -> None:
    answer = post(
        camp, metric=["bleu", "pinc"], pinc__max_n="99", bleu__lowercase="yes", label="mine",
        scope="phrase", against="both",
    )  # fmt: skip
    assert answer.status_code == 422 and not Run.objects.exists()
    page = html_of(answer)
    mine = piece(page, "pinc")
    told = '<p class="errors" id="e-pinc.max_n">pinc: max_n=99 is not allowed; use a whole'
    assert told in mine and 'aria-describedby="h-pinc.max_n e-pinc.max_n"' in mine
    assert 'value="99"' in mine and 'aria-invalid="true"' in mine and "<details open>" in mine
    assert "not allowed" not in piece(page, "bleu")
    assert '<option value="yes" selected>' in piece(page, "bleu")
    assert '<a href="#pick-pinc">PINC</a>' in page and 'value="mine"' in page
    assert '<option value="phrase" selected>' in page and '<option value="both" selected>' in page
    assert len(re.findall(r'name="metric"[^>]* checked', page)) == 2


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "Tick at least one metric."),
        ({"metric": "nonsense"}, "There is no metric 'nonsense'."),
        ({"metric": "pinc", "scope": "page"}, "There is no such scope"),
        ({"metric": "weem4pg"}, "This metric cannot be used"),
        ({"metric": "weem4pg", "weem4pg__vectors": "/etc/passwd"}, "This metric cannot be used"),
        ({"metric": "combine"}, "METRIC+METRIC is missing"),
    ],
)
def test_other_refusals(camp: Campaign, fields: dict[str, str], told: str) -> None:
    answer = post(camp, **fields)
    assert answer.status_code == 422 and told in text_of(answer).replace("&#x27;", "'")
    assert not Run.objects.exists()


def test_a_campaign_without_texts_says_so() -> None:
    empty = campaign_create(actor=make_user("dora"), slug="empty", name="Empty")
    answer = post(empty, metric="pinc")
    assert answer.status_code == 422 and "has no outputs to score" in text_of(answer)


def test_a_metric_without_its_file_is_shown_with_the_way_to_it(camp: Campaign) -> None:
    address = reverse("runs", args=[camp.slug])
    mine = piece(html_of(client_of("dora").get(address)), "weem4pg")
    assert "disabled" in mine and "needs a file" in mine and reverse("resources") in mine
    one = Resource.objects.create(
        kind="vectors", name="glove", sha256="0" * 64, size=1, path="x", status="ready"
    )
    mine = piece(html_of(client_of("dora").get(address)), "weem4pg")
    assert "disabled" not in mine and f'<option value="{one.key}">glove</option>' in mine


def test_quick_choices_tick_what_needs_nothing(camp: Campaign) -> None:
    def ticked(choose: str) -> set[str]:
        page = html_of(client_of("dora").get(reverse("runs", args=[camp.slug]), {"choose": choose}))
        return set(re.findall(r'name="metric" value="(\w+)"[^>]* checked', page))

    words, free = ticked("words"), ticked("free")
    assert {"bleu", "pinc", "rouge_l"} <= words < free
    assert not {"weem4pg", "combine", "paraeval"} & free
    # Metrics for one language are ticked where all texts are in it.
    bound = {"apem", "bleu_apem"}
    assert not bound & free
    for language, own in (("ko", bound), ("fr", set()), ("en", bound)):
        Campaign.objects.filter(pk=camp.pk).update(language=language)
        assert ticked("free") & bound == own
    assert ticked("none") == ticked("") == ticked("nonsense") == set()
    form = RunForm(quick="free")
    assert not form.valid and form.errors == []


def test_readers_see_no_form_and_the_page_needs_few_queries(
    camp: Campaign, django_assert_max_num_queries: Any
) -> None:
    address = reverse("runs", args=[camp.slug])
    page = html_of(client_of("vera").get(address))
    assert 'name="metric"' not in page and reverse("metrics") in page
    dora = client_of("dora")
    with django_assert_max_num_queries(20):
        assert dora.get(address).status_code == 200
