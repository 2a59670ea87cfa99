"""Meta-evaluation: agreement of automatic metrics with human judgments."""
