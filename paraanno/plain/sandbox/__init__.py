"""Files of strangers: a process of its own for parsers, and which errors are refusals."""
