"""Weights in safetensors files: arrays and a header in JSON, so nothing in them can run a program.

Of the format (github.com/huggingface/safetensors, README): eight bytes with the length of the
header, the header, the arrays. Matrices may also be stored in four bits, as `NAME.q4` and
`NAME.scale`: each block of 32 numbers of a row is a scale (float16) and 16 bytes; the low half of
byte j is number j, the high half number j + 16, and a half of n stands for (n - 8) times the scale
(the layout Q4_0 of llama.cpp).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 32  # Numbers that share a scale.
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "U8": "u1", "I64": "<i8"}
_MOST_HEADER = 100_000_000  # Bytes; the bound of the format.

Floats = NDArray[np.float32]


class Tensors:
    """The arrays of a file, each read when it is requested."""

    def __init__(self, path: Path) -> None:
        """Raises ValueError if the file is not of this format."""
        self._path = path
        with path.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            if not 2 <= length <= min(_MOST_HEADER, path.stat().st_size):
                raise ValueError("it is not a file of safetensors")
            header: Any = json.loads(stream.read(length))
        if not isinstance(header, dict):
            raise ValueError("it is not a file of safetensors")
        self._begin = 8 + length
        self._about: dict[str, Any] = {k: v for k, v in header.items() if k != "__metadata__"}

    def __contains__(self, name: str) -> bool:
        return name in self._about or f"{name}.q4" in self._about

    def names(self) -> tuple[str, ...]:
        """Names as in the file."""
        return tuple(self._about)

    def floats(self, name: str) -> Floats:
        """An array as float32, whatever it is stored in. Raises KeyError if there is none, and
        ValueError if it is damaged."""
        if name in self._about:
            return self._floats(name)
        return dequantized(*self.packed(name))

    def packed(self, name: str) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
        """A matrix stored in four bits: bytes (rows, blocks, 16) and scales (rows, blocks)."""
        halves, scales = self._read(f"{name}.q4"), self._read(f"{name}.scale")
        if halves.dtype != np.uint8 or halves.shape != (*scales.shape, BLOCK // 2):
            raise ValueError(f"{name} is damaged")
        return halves, scales.astype(np.float16)

    def is_packed(self, name: str) -> bool:
        return f"{name}.q4" in self._about

    def _floats(self, name: str) -> Floats:
        stored = self._read(name)
        if self._about[name]["dtype"] == "BF16":  # The upper half of a float32.
            return (stored.astype(np.uint32) << 16).view(np.float32)
        return stored.astype(np.float32)

    def _read(self, name: str) -> NDArray[Any]:
        about = self._about[name]
        try:
            kind, shape = np.dtype(_TYPES[about["dtype"]]), tuple(map(int, about["shape"]))
            begin, end = map(int, about["data_offsets"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{name} is stored in a way that is not known") from error
        if begin < 0 or min(shape, default=0) < 0 or end - begin != prod(shape) * kind.itemsize:
            raise ValueError(f"{name} is damaged")
        values = np.fromfile(self._path, kind, prod(shape), offset=self._begin + begin)
        if len(values) != prod(shape):
            raise ValueError(f"{name} is cut off")
        return values.reshape(shape)


def dequantized(halves: NDArray[np.uint8], scales: NDArray[np.float16]) -> Floats:
    """Rows of a matrix stored in four bits as (rows, columns) float32."""
    both = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32)
    both -= 8
    both *= scales[..., None].astype(np.float32)
    return both.reshape(len(both), -1)


def write_tensors(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays of float32, float16 or uint8; equal arrays give equal bytes."""
    names = {np.dtype(kind): name for name, kind in _TYPES.items() if name != "BF16"}
    header, at = {}, 0
    for name, array in arrays.items():
        offsets = [at, at := at + array.nbytes]
        header[name] = {
            "dtype": names[array.dtype],
            "shape": list(array.shape),
            "data_offsets": offsets,
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # Arrays begin at a multiple of eight.
    with path.open("wb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            stream.write(np.ascontiguousarray(array).tobytes())
