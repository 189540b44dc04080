"""A program as users write it. mypy reads it, and nobody runs it: test_types.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import suffixcl as sx

U32 = npt.NDArray[np.uint32]

text = np.zeros(5, np.uint8)
assert_type(sx.suffix_array(text), U32)
assert_type(sx.lcp(b"text", sa=[3, 1]), U32)
assert_type(sx.bwt("text", copy=True).primary, int)
assert_type(sx.build(text, sa=True).sa, "U32 | None")
for block in sx.suffix_ranges("name", width=8):
    assert_type(block.first, int)
for sa in sx.suffix_arrays([b"one", "two"]):
    assert_type(sa, U32)
for transform, primary in sx.bwts(iter([b"one"]), longest=9):
    assert_type(primary, int)
with sx.Engine("cpu", max_memory="2G", progress=lambda phase, done, total: None) as engine:
    assert_type(engine.repeats(text).length, U32)
    for part in engine.parts.repeats(text):
        assert_type(part.start, U32)
    for found in engine.parts.dedup(["a", "b"], keep="none"):
        assert_type(found.ranges, npt.NDArray[np.uint64])
    assert_type(engine.index(text).count(["a"]), U32)
    assert_type(engine.index(text).locate(["a"]).counts, U32)
    assert_type(engine.plan("mems", 5, queries=7).device, int)
for match in sx.parts.multi_matches([text, text]):
    assert_type(match.length, int)
assert_type(sx.mappability(text, k=[5]).frequency, "dict[int, list[U32]]")
assert_type(sx.mems(text, text), npt.NDArray[Any])
assert_type(sx.run("version").text, str)
assert_type(sx.seeds(["one"]), "list[tuple[str, int]]")
