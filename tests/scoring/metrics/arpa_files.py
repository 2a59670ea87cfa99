"""A small language model by hand."""

# Words 1-grams with logarithm and weight, and so on: `a` after `<s>`, `b` after `a`, the end after
# `a b`.
LINES = r"""
\data\
ngram 1=5
ngram 2=3
ngram 3=1

\1-grams:
-1	<unk>	0
-99	<s>	-0.25
-0.5	</s>
-0.75	a	-0.125
-0.875	b	-0.0625

\2-grams:
-0.375	<s> a	-0.03125
-0.625	a b	-0.015625
-0.25	b </s>

\3-grams:
-0.1875	a b </s>

\end\
"""


def write_model(path, text=LINES):
    path.write_text(text, "utf-8")
    return path
