"""Runs of metrics that need two files, and of sums of metrics."""

import pytest
from django.core.management import call_command

from annotation.errors import Invalid
from scoring.models import Resource, Run
from scoring.runs.start import run_start
from tests.scoring.factories import finish, started
from tests.scoring.metrics.arpa_files import write_model

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.fixture
def keys(tmp_path):
    """The keys of a language model, of a file of synonyms and of a corpus."""
    write_model(tmp_path / "lm.arpa")
    (tmp_path / "synonyms.txt").write_text("river\tstream\nbank\tshore\n")
    (tmp_path / "counts.txt").write_text("#corpus\ten\na river\nbank\n")
    for path in tmp_path.glob("*.*"):
        call_command("add_resource", path.stem, str(path))
    return {resource.kind: str(resource.key) for resource in Resource.objects.all()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "files"),
    [
        ("apem_sdgd:lang=en,synonyms={synonyms},counts={counts}", ("synonyms", "counts")),
        ("bleu_apem:lang=en,apem=apem_sd,synonyms={synonyms}", ("synonyms",)),
        ("combine:of=apem_sd{{lang=en}}+pinc,scale=minmax,synonyms={synonyms}", ("synonyms",)),
        ("combine:of=nist+pinc,scale=z,weights=0.5+-0.5", ()),
        ("lm_fluency:lm={lm}", ("lm",)),
    ],
)
def test_a_run_finds_the_files_of_its_parts(campaign, keys, spec, files):
    run = finish(started(campaign, spec.format(**keys)))
    assert (run.status, run.error) == ("done", "")
    assert run.scores.exclude(value=None).exists()
    for resource in Resource.objects.filter(kind__in=files):
        assert f"{resource.kind}@{resource.sha256}" in run.signature
        assert run.options[resource.kind] == str(resource.key)


@pytest.mark.slow
def test_fluency_is_scored_on_sentences_only(campaign, keys):
    assert Resource.objects.get(kind="lm").meta == {
        "order": 3,
        "words": 5,
        "ngrams": 9,
        "floored": 0,
    }
    spec = f"lm_fluency:lm={keys['lm']}"
    values = finish(started(campaign, spec)).scores.values_list("value", flat=True)
    assert values and all(-3 < value < 0 for value in values)
    with pytest.raises(Invalid, match="lm_fluency scores whole sentences"):
        run_start(campaign=campaign, spec=spec, actor=None, scope="phrase")


def test_a_part_cannot_name_a_file_of_the_server(campaign):
    for spec, problem in (
        ("combine:of=apem_sd{lang=en;synonyms=/etc/passwd}", "cannot stand inside the braces"),
        ("combine:of=apem_sd{lang=en},synonyms=/etc/passwd", "no resource of the kind synonyms"),
    ):
        with pytest.raises(Invalid, match=problem):
            started(campaign, spec)
    assert not Run.objects.exists()
