"""Significance tests of differences, and the samples and replicates they use."""
