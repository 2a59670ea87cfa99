"""The text that names a metric with its options: `NAME[:option=value,...]`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import from_spec, parse_spec
from scoring.metrics.base import DecimalOption


@pytest.mark.parametrize(
    ("text", "key", "name", "options"),
    [
        ("bleu", "bleu", "bleu", {}),
        ("bleu:lowercase=yes", "bleu:lowercase=yes", "bleu", {"lowercase": "yes"}),
        ("pinc:as=new,max_n=2", "new", "pinc", {"max_n": "2"}),
        ("wmd:vectors=a:b=c", "wmd:vectors=a:b=c", "wmd", {"vectors": "a:b=c"}),
    ],
)
def test_specs(text, key, name, options):
    spec = parse_spec(text)
    assert (spec.key, spec.name, dict(spec.options)) == (key, name, options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no metric"),
        (":a=b", "names no metric"),
        ("bleu:", "names no metric"),
        ("bleu:lowercase", "should read option=value"),
        ("bleu:=yes", "should read option=value"),
        ("bleu:lowercase=", "should read option=value"),
        ("bleu:lowercase=yes,lowercase=no", "lowercase is given twice"),
    ],
)
def test_bad_specs(text, message):
    with pytest.raises(ValueError, match=message):
        parse_spec(text)


@given(st.text())
def test_any_text_is_a_spec_or_a_value_error(text):
    try:
        assert parse_spec(text).name
    except ValueError as error:
        assert repr(text) in str(error)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("blue", "^Did you mean bleu.*? There is no metric called blue; there are .*bleu, .*pinc"),
        ("xyzzy", "^There is no metric called xyzzy; there are"),
        (
            "bleu:tokenise=13a",
            r"^Did you mean tokenize\? bleu: unknown option tokenise; it takes against, lowerca",
        ),
        ("bleu:smooth=exponential", "smooth=exponential is not allowed; use exp, floor, add-k, no"),
        ("bleu:lowercase=maybe", "lowercase=maybe is not allowed; use yes, no"),
        ("pinc:max_n=0", "max_n=0 is not allowed; use a whole number from 1 to 9"),
        ("pinc:max_n=two", "max_n=two is not allowed"),
        ("pinc:max_n=²", "max_n=² is not allowed"),
    ],
)
def test_wrong_names_and_options_say_what_is_allowed(spec, message):
    with pytest.raises(ValueError, match=message):
        from_spec(spec)


# Kinds of options beside choices, whole numbers and files.


WEIGHT = DecimalOption("weight", "0.5", "A weight.", low=-1, high=1)


@pytest.mark.parametrize(
    ("given", "text"), [("0.50", "0.5"), (1, "1"), ("-1", "-1"), ("1e-3", "0.001"), (0.25, "0.25")]
)
def test_one_number_has_one_text(given, text):
    assert WEIGHT.read("toy", given) == text


@pytest.mark.parametrize("given", ["1.01", "-2", "nan", "inf", "a half", ""])
def test_what_is_no_number_within_the_bounds_is_refused(given):
    with pytest.raises(ValueError, match="toy: weight=.* is not allowed; use .* from -1 to 1"):
        WEIGHT.read("toy", given)
