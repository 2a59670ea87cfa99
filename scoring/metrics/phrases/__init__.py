"""Metrics on phrases and morphemes: the APEM family and ParaEval."""
