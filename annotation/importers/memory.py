"""What a reader remembers of the rows before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

V = TypeVar("V")


class Memory(Protocol[V]):
    """The part of a dictionary that readers use: `dict`, or for large files `DiskDict`."""

    def get(self, key: Any, default: Any = None, /) -> Any: ...

    def setdefault(self, key: Any, value: V, /) -> V: ...

    def __setitem__(self, key: Any, value: V, /) -> None: ...


NewMemory = Callable[[], Memory[Any]]
