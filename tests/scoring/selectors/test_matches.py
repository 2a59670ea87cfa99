"""The matches of a run are those of its stored details."""

import pytest

from annotation.errors import Conflict
from scoring.runs.queries import matched_sample
from tests.scoring.services.test_matches import campaign, scored

__all__ = ["campaign"]
pytestmark = pytest.mark.usefixtures("data_dir")


def test_the_same_seed_draws_the_same(campaign, tmp_path):
    run = scored(campaign, tmp_path)
    found = matched_sample(run=run, n=2, seed=3)
    assert found == matched_sample(run=run, n=2, seed=3)
    assert len(found) == 2
    run.options["tokenize"] = "ko"
    with pytest.raises(Conflict, match="tokenized into words"):
        matched_sample(run=run, n=2, seed=3)
