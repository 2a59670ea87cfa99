"""paraanno: human judgments of paraphrases, and of the metrics that judge paraphrases."""

__version__ = "0.1.0"
