"""paraanno: human judgments of paraphrases, and evaluation of the metrics that score them."""

__version__ = "0.1.0"
