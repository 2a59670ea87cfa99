"""A process of its own for what reads files of strangers with a library's parser."""
