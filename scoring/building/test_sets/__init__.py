"""Test sets of phrases in sentences, with the paraphrases of several conditions."""

FIGURES = "figures.json"  # Beside the items of a test set that was built: what its preview shows.
