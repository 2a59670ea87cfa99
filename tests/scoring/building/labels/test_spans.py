"""Labels of spans, on a tree by hand."""

from scoring.building.labels import SpanLabel, parse_tree, span_labels

#         0   1    2     3  4   5   6
# A big dog gave me a bone; the noun phrase "me" is a unary chain.
TREE = "(S (NP (DT a) (JJ big) (NN dog)) (VP (VBD gave) (NP (PRP me)) (NP (DT a) (NN bone))) (. .))"
WHOLE = {
    (0, 1): "DT",
    (1, 2): "JJ",
    (2, 3): "NN",
    (3, 4): "VBD",
    (4, 5): "NP PRP",
    (5, 6): "DT",
    (6, 7): "NN",
    (7, 8): ".",
    (0, 3): "NP",
    (5, 7): "NP",
    (3, 7): "VP",
    (0, 8): "S",
}
PARTIAL = {
    (0, 2): "NP/NN",  # a big
    (1, 3): "NP\\DT",  # big dog
    (0, 7): "S/.",
    (3, 5): "VP/NP",  # gave me
    (3, 8): "S\\NP",
    (4, 7): "VP\\VBD",  # me a bone
}


def labels(text, **options):
    return span_labels(parse_tree(text)[0], **{"longest": 9, **options})


def test_every_span_of_the_tree():
    wanted = {span: SpanLabel(tuple(name.split()), True) for span, name in WHOLE.items()}
    wanted |= {span: SpanLabel((name,), False) for span, name in PARTIAL.items()}
    assert labels(TREE) == wanted


def test_no_longer_than_asked():
    found = labels(TREE, longest=2)
    assert set(found) == {span for span in {**WHOLE, **PARTIAL} if span[1] - span[0] <= 2}


def test_pieces_are_named_from_the_nearest_to_the_farthest():
    text = "(X (A a) (B b) (C c) (D d) (E e))"
    found = {span: label.names[0] for span, label in labels(text).items() if not label.constituent}
    # The head of an unknown category is its first child, so a part from the middle is no X.
    assert found == {
        (0, 2): "A+B",
        (0, 3): "X/D/E",
        (0, 4): "X/E",
        (1, 3): "B+C",
        (1, 4): "B+C+D",
        (1, 5): "X\\A",
        (2, 4): "C+D",
        (2, 5): "X\\B\\A",
        (3, 5): "D+E",
    }
    assert labels(text, missing=3)[0, 2].names == ("X/C/D/E",)


def test_a_part_from_the_middle_needs_the_head():
    text = "(NP (DT a) (JJ big) (NN dog) (PP p))"
    assert labels(text)[1, 3].names == ("NP/PP\\DT",)
    # Two adjectives without their noun are but siblings.
    assert labels("(NP (DT a) (JJ big) (JJ old) (NN dog))")[1, 3].names == ("JJ+JJ",)


def test_words_without_a_part_of_speech_are_parts_that_may_be_missing():
    # As link-grammar writes it: a white fence of wood
    text = "(NP a (ADJP white) fence (PP of (NP wood)))"
    found = {span: one.names[0] for span, one in labels(text).items() if one.constituent}
    assert found == {(0, 5): "NP", (1, 2): "ADJP", (3, 5): "PP", (4, 5): "NP"}
    partial = {span: one.names[0] for span, one in labels(text).items() if not one.constituent}
    # "white fence" lacks a word and the PP, and is no NP.
    assert partial == {
        (0, 2): "NP/X/PP",
        (0, 3): "NP/PP",
        (1, 3): "NP/PP\\X",
        (1, 5): "NP\\X",
        (2, 5): "NP\\ADJP\\X",
    }
    assert list(labels("(S a b c d e)", missing=0)) == [(0, 5)]  # No siblings of no category.


def test_no_labels_for_no_tree():
    assert span_labels(None, longest=3) == {}
