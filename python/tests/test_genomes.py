"""Repeats, intervals, matches, mappability."""

import inspect
from collections import Counter

import numpy as np
import oracles
import pytest

import suffixcl as sx


def test_repeats(rng):
    text = bytes(rng.choices(b"ab", k=80))
    got = sx.repeats(text)
    start, length = oracles.repeats(text)
    assert got.length.tolist() == length and got.start.tolist() == start
    longer = sx.repeats(text, min_length=6)
    assert all(n == 0 or n >= 6 for n in longer.length)
    both = sx.repeats(b"AAACCCTTTTGGGTTT", reverse_complement=True)
    assert both.length.max() >= 6


def test_intervals(rng):
    text = bytes(rng.choices(b"ab", k=40))
    got = sx.intervals(text)
    made = Counter(zip(got.depth.tolist(), got.count.tolist()))
    assert made == oracles.intervals(text)
    sa = sx.suffix_array(text)
    for left, depth, count, at in zip(got.left, got.depth, got.count, got.position):
        assert sa[left] == at and len(oracles.places(text, text[at:at + depth])) == count or depth == 0
    best = sx.intervals(text, best=3, by="area", min_depth=1)
    score = (best.depth.astype(int) * best.count).tolist()
    assert len(best) == 3 and score == sorted(score, reverse=True)
    assert score[0] == max(d * c for d, c in made)
    texts = sx.intervals([b"abc", b"xbc"], min_documents=2, min_depth=1)
    assert set(texts.documents.tolist()) == {2}
    with pytest.raises(sx.UsageError):
        sx.intervals(text, by="length")


def test_matches(rng):
    reference, query = (bytes(rng.choices(b"ACGT", k=300)) for _ in range(2))
    found = sx.mems(reference, query, min_length=5)
    assert sorted(zip(found["reference"].tolist(), found["query"].tolist(), found["length"].tolist())) == \
        oracles.mems(reference, query, 5)
    assert not found["reverse"].any() and not found["text"].any()
    unique = sx.mums(reference, [b"T", query], min_length=5)
    want = [m for m in oracles.mems(reference, query, 5)
            if all(len(oracles.places(t, reference[m[0]:m[0] + m[2]])) == 1 for t in (reference, query))]
    assert sorted(zip(unique["reference"].tolist(), unique["query"].tolist(), unique["length"].tolist())) == want
    assert set(unique["text"].tolist()) <= {1}
    assert sx.mems(b"AAACCC", b"GGGTTT", strands="both", min_length=6)["reverse"].tolist() == [1]
    for wrong in ({"strands": "all"}, {"min_length": -1}):
        with pytest.raises(sx.UsageError):
            sx.mems(reference, query, **wrong)
    with pytest.raises(sx.SuffixclError):
        sx.mems(b"A\0C", query)


def test_multi_matches():
    genomes = [b"TTACGTACGAA", b"GGACGTACGCC", [b"CC", b"ACGTACG"]]
    found = [m for m in sx.multi_matches(genomes, min_length=5, most_each=1) if m.length == 7]
    assert len(found) == 1
    assert sorted(map(tuple, found[0].occurrences.tolist())) == [(0, 0, 2, 0), (1, 0, 2, 0), (2, 1, 0, 0)]


def test_mappability(rng):
    text = bytes(rng.choices(b"ACGT", k=200))
    made = sx.mappability(text, [3, 4], unique=True)
    for k in (3, 4):
        assert made.frequency[k][0].tolist() == oracles.frequency(text, k)
    for at, n in enumerate(made.unique[0].tolist()):
        if n:
            assert len(oracles.places(text, text[at:at + n])) == 1
            assert n == 1 or len(oracles.places(text, text[at:at + n - 1])) > 1
    assert [len(part) for part in sx.mappability([text, b"ACG"], 3).frequency[3]] == [200, 3]
    with pytest.raises(sx.SuffixclError):
        sx.mappability(text)


def test_empty():
    assert len(sx.repeats(b"").length) == 0
    assert len(sx.mems(b"ACGT" * 10, b"")) == 0
    assert isinstance(sx.intervals(b"").left, np.ndarray)


def test_parts(rng):
    """Parts are the whole."""
    text, other = (bytes(rng.choices(b"ACGT", k=3000)) for _ in range(2))
    whole = sx.repeats(text)
    parts = list(sx.parts.repeats(text))
    assert [p.first for p in parts] == np.cumsum([0] + [len(p.start) for p in parts])[:-1].tolist()
    assert (np.concatenate([p.start for p in parts]) == whole.start).all()
    assert (np.concatenate([p.length for p in parts]) == whole.length).all()
    for given in (text, [text, other]):
        found, parts = sx.intervals(given, min_depth=3), list(sx.parts.intervals(given, min_depth=3))
        for name in ("left", "right", "depth", "position", "documents"):
            if getattr(found, name) is None:
                assert all(getattr(p, name) is None for p in parts)
            else:
                assert (np.concatenate([getattr(p, name) for p in parts]) == getattr(found, name)).all()
    for name, how in (("mems", {}), ("mums", {"unique_in": "reference"})):
        how |= {"min_length": 6, "strands": "both"}
        parts = list(getattr(sx.parts, name)(text, [other, b"TTT", text], **how))
        assert len(parts) > 1 and all(len(p) for p in parts)
        assert (np.concatenate(parts) == getattr(sx, name)(text, [other, b"TTT", text], **how)).all()
    assert [(m.length, m.occurrences.tolist()) for m in sx.parts.multi_matches([text, other], min_length=6)] == \
        [(m.length, m.occurrences.tolist()) for m in sx.multi_matches([text, other], min_length=6)]
    counted = sx.mappability([text, other], [4, 6], unique=True)
    for p in sx.parts.mappability([text, other], [4, 6], unique=True):
        of = counted.frequency[p.k] if p.k else counted.unique
        assert (of[p.text][p.first:p.first + len(p.values)] == p.values).all()
        of[p.text][p.first:p.first + len(p.values)] = 2**32 - 1
    assert all((values == 2**32 - 1).all() for of in (*counted.frequency.values(), counted.unique) for values in of)
    with sx.Engine() as engine:
        for _ in engine.parts.multi_matches([text, other], min_length=4):
            break
        assert len(engine.parts.mems(text, other, min_length=9).__next__()) > 0
    with pytest.raises(sx.UsageError, match="this process"):
        sx.Engine(process=True).parts.mems(text, other)
    with pytest.raises(sx.UsageError, match="unique_in"):
        sx.parts.mums(text, other, unique_in="query")


def test_parts_have_the_arguments_of_the_whole():
    names = [name for name in dir(sx.PartJobs) if not name.startswith("_")]
    assert names == ["dedup", "intervals", "mappability", "mems", "multi_matches", "mums", "repeats"]
    for name in names:
        part, whole = (inspect.signature(getattr(of, name)).parameters for of in (sx.PartJobs, sx.Engine))
        assert part == whole, name
