"""What a reader says of a file that it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scoring.metrics.files import FileRefused


def refused(call: Callable[..., Any], *args: Any) -> list[str]:
    """The lines of the refusal, each from the file's name on."""
    with pytest.raises(FileRefused) as caught:
        call(*args)
    return [line.split("/")[-1] for line in caught.value.lines]
