"""Estimation of n-gram language models, and their files."""
