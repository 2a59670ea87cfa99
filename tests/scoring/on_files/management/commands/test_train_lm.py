"""`manage.py train_lm` without a database."""

from django.core.management import call_command

from scoring.metrics.resources.arpa import read_arpa


def test_a_text_becomes_a_model_and_fallbacks_are_told(tmp_path, capsys):
    text, model = tmp_path / "some.txt", tmp_path / "m.arpa"
    text.write_text("the cat sat\nthe dog sat\n")
    call_command("train_lm", text, "--order", "2", "-o", model)
    assert capsys.readouterr().out.splitlines() == [
        f"2 sentences, {model}",
        "1-grams: 7, discounts 0.5000 1.0000 1.5000 (too few n-grams to estimate them)",
        "2-grams: 6, discounts 0.5000 1.0000 1.5000 (too few n-grams to estimate them)",
    ]
    assert read_arpa(model).model.order == 2
    call_command("train_lm", text, "--prune", "0", "1", "-o", model)
    # `<s> the` and `sat </s>` occur twice, nothing longer does.
    assert [len(level) for level in read_arpa(model).model.levels] == [7, 2, 0]
