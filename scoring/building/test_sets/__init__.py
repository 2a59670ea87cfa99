"""Test sets of phrases in sentences, with the paraphrases of several conditions."""
