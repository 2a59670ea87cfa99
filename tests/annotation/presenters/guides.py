"""Guidelines with points and examples."""

TEXT = """\
# How to judge

Read **slowly**, see [the manual].

## Wholly in doubt

Take the lower value.

## Worked examples

### MEANING 5

- *began to* for *started to* & nothing else

### grammar 1: broken

Falls apart.

### MEANING 9

Off the scale, so it stays here.

[the manual]: https://example.org/manual
"""
