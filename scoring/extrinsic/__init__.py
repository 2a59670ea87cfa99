"""Extrinsic evaluation: what paraphrases are worth as texts that classifiers learn from."""
