"""Parses of texts: a flat tree for each line."""


def trees(texts):
    """A flat tree for each line; every word is a W."""
    path = texts["english"].with_name("parses.txt")
    lines = texts["english"].read_text().splitlines()
    path.write_text("".join(flat(line) + "\n" for line in lines))
    return path


def flat(line):
    return "(S " + " ".join(f"(W {word})" for word in line.split()) + ")" if line else ""
