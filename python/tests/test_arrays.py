"""Arrays against definitions, and against the command."""

import itertools

import numpy as np
import oracles
import pytest

import suffixcl as sx


def every_text(letters, most):
    for n in range(most + 1):
        yield from itertools.product(letters, repeat=n)


def check(text, dtype=np.uint8):
    given = np.array(text, dtype)
    sa, lcp, bwt = sx.build(given, sa=True, lcp=True, bwt=True)
    want = oracles.suffix_array(text)
    assert sa.dtype == lcp.dtype == np.uint32 and bwt.transform.dtype == given.dtype
    assert sa.tolist() == want
    assert lcp.tolist() == oracles.lcp(text, want)
    assert (bwt.transform.tolist(), bwt.primary) == oracles.bwt(text, want)
    if dtype == np.uint8 and len(text):
        assert sx.inverse_bwt(*bwt).tolist() == list(text)


def test_every_short_text():
    for text in every_text((97, 98), 5):
        check(text)


@pytest.mark.parametrize("dtype,most", [(np.uint8, 255), (np.uint16, 2**16 - 1), (np.uint32, 2**32 - 1)])
def test_random(rng, dtype, most):
    for letters in (2, 5, most):
        text = [rng.choice((0, most, rng.randint(0, letters))) for _ in range(200)]
        check(text, dtype)


def test_one_at_a_time(rng):
    text = bytes(rng.choices(b"abc", k=500))
    sa = oracles.suffix_array(text)
    assert sx.suffix_array(text).tolist() == sa
    assert sx.lcp(text).tolist() == sx.lcp(text, sa=np.array(sa, np.uint32)).tolist() == oracles.lcp(text, sa)
    transform, primary = sx.bwt(text)
    assert (transform.tolist(), primary) == oracles.bwt(text, sa)
    sx.verify(text, sa=np.array(sa, np.uint32), lcp=sx.lcp(text), bwt=(transform, primary))


def test_set(rng):
    texts = [bytes(rng.choices(b"ab", k=rng.randint(0, 9))) for _ in range(12)]
    made = sx.build(texts, sa=True, documents=True, lcp=True)
    sa, documents = oracles.order_of_set(texts)
    assert made.sa.tolist() == sa and made.documents.tolist() == documents
    joined = sx.TextSet.of(texts)
    assert len(joined) == 12 and joined[3].tobytes() == texts[3]
    assert sx.suffix_array(joined).tolist() == sa
    with pytest.raises(sx.UsageError, match="documents"):
        sx.build(b"one text", documents=True)


def test_orders():
    text = b"NACGNT"
    sa = sx.build(text, order="specials-largest", letters="ACGT").sa.tolist()
    assert sorted(sa) == list(range(6)) and sa != oracles.suffix_array(text)
    assert sx.build(b"ab" * 3, order="end-largest").sa.tolist() == [0, 2, 4, 1, 3, 5]
    with pytest.raises(sx.UsageError, match='"none"'):
        sx.build(text, order="none")


def test_empty():
    for nothing in (b"", "", bytearray(), np.empty(0, np.uint8), np.empty(0, np.uint32)):
        sa, lcp, bwt = sx.build(nothing, sa=True, lcp=True, bwt=True)
        assert len(sa) == len(lcp) == len(bwt.transform) == bwt.primary == 0
        assert len(sx.suffix_array(nothing)) == 0
    sx.verify(b"", [])
    assert len(sx.inverse_bwt(b"", 0)) == 0
    assert list(sx.suffix_ranges(np.empty(0, np.uint8))) is not None


def test_out(rng):
    text = bytes(rng.choices(b"abc", k=1000))
    want = sx.suffix_array(text)
    out = np.zeros(1000, np.uint32)
    assert sx.suffix_array(text, out=out) is out and (out == want).all()
    lcp = np.zeros(1000, np.uint32)
    made = sx.build(text, sa=True, lcp=True, out={"lcp": lcp})
    assert made.lcp is lcp and made.sa is not lcp and (made.sa == want).all()
    bwt = np.zeros(1000, np.uint8)
    assert sx.bwt(text, out=bwt).transform is bwt
    back = np.zeros(1000, np.uint8)
    assert sx.inverse_bwt(bwt, sx.bwt(text).primary, out=back) is back and back.tobytes() == text


def test_mismatch():
    text = b"abracadabra"
    sa = sx.suffix_array(text)
    wrong = sa.copy()
    wrong[[3, 4]] = wrong[[4, 3]]
    with pytest.raises(sx.MismatchError, match="slot 4"):
        sx.verify(text, wrong)
    with pytest.raises(sx.MismatchError):
        sx.lcp(text, sa=wrong)
    with pytest.raises(sx.MismatchError):
        sx.verify(text, sa, lcp=np.zeros(11, np.uint32))
    with pytest.raises(sx.MismatchError):
        sx.inverse_bwt(b"banana", 1)


def test_command(tmp_path, rng):
    """The command makes the same files."""
    text = bytes(rng.choices(b"the quick brown fox", k=5000))
    name = tmp_path / "text"
    name.write_bytes(text)
    sx.run("sa", name, "-o", tmp_path / "sa", process=True)
    sx.run("lcp", name, "-o", tmp_path / "lcp")
    sx.verbs.bwt(name, output=tmp_path / "bwt")
    sa, lcp, bwt = sx.build(text, sa=True, lcp=True, bwt=True)
    assert (np.fromfile(tmp_path / "sa", "<u4") == sa).all()
    assert (np.fromfile(tmp_path / "lcp", "<u4") == lcp).all()
    assert (tmp_path / "bwt").read_bytes() == bwt.transform.tobytes()
    assert int((tmp_path / "bwt.primary").read_text()) == bwt.primary


def test_ranges(tmp_path, rng):
    text = bytes(rng.choices(b"abcd", k=300_000))
    name = tmp_path / "text"
    name.write_bytes(text)
    sa, lcp, bwt = sx.build(text, sa=True, lcp=True, bwt=True)
    for given in (name, str(name), np.memmap(name, np.uint8, "r"), text):
        blocks = sx.suffix_ranges(given, bwt=True, lcp=True)
        parts = list(blocks)
        assert (np.concatenate([sx.unpack(b.sa) for b in parts]) == sa).all()
        assert (np.concatenate([b.lcp for b in parts]) == lcp).all()
        assert (np.concatenate([b.transform for b in parts]) == bwt.transform).all()
        assert blocks.primary == bwt.primary
    wide = list(sx.suffix_ranges(text, width=8))
    assert wide[0].sa.dtype == np.uint64 and wide[0].lcp is None and wide[0].first == 0
    assert (np.concatenate([b.sa for b in wide]) == sa).all()


def test_ranges_ended(rng):
    """An iterator that is left or closed ends the call; a call that waits for itself is refused."""
    text = bytes(rng.choices(b"abcd", k=200_000))
    with sx.Engine(max_memory="4M") as engine:
        for block in engine.suffix_ranges(text):
            break
        assert len(engine.suffix_array(b"banana")) == 6
        blocks = engine.suffix_ranges(text)
        next(blocks)
        with pytest.raises(sx.UsageError, match="takes the parts"):
            engine.suffix_array(b"banana")
        blocks.close()
        assert list(blocks) == []
        assert engine.suffix_array(b"banana").tolist() == [5, 3, 1, 0, 4, 2]
    for wrong in ({"width": 6}, {"sa": False}):
        with pytest.raises(sx.UsageError):
            sx.suffix_ranges(text, **wrong)
