"""The metric `pem_style`; tests of its recipe compare its numbers with scikit-learn."""

import pytest

from scoring.metrics import create


def test_it_names_the_file_that_it_lacks():
    with pytest.raises(ValueError, match="regressor=FILE"):
        create("pem_style")
