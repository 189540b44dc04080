"""Indexes and matchers."""

import numpy as np
import oracles
import pytest

import suffixcl as sx


@pytest.mark.parametrize("kind", [sx.Index, sx.Matcher])
def test_search(kind, rng):
    text = bytes(rng.choices(b"abc", k=2000))
    patterns = [bytes(rng.choices(b"abcd", k=rng.randint(1, 9))) for _ in range(300)]
    with kind.build(text) as made:
        want = [oracles.places(text, p) for p in patterns]
        counts = made.count(patterns)
        assert counts.dtype == np.uint32 and counts.tolist() == [len(w) for w in want]
        found = made.locate(patterns)
        assert [sorted(p.tolist()) for p in found] == want
        assert len(found) == 300 and found.counts.tolist() == counts.tolist()
        assert found[-1].tolist() == found[299].tolist()
        assert made.count(sx.Patterns(b"".join(patterns), np.cumsum([0] + [len(p) for p in patterns]))).tolist() \
            == counts.tolist()
        assert made.count([p.decode() for p in patterns]).tolist() == counts.tolist()
        rows = np.array([list(b"ab"), list(b"zz")], np.uint8)
        assert made.count(rows).tolist() == [len(oracles.places(text, b"ab")), 0]
        assert made.count([]).tolist() == [] and len(made.locate([])) == 0
        for wrong in ("abc", b"abc", rows[0], [np.array([1], np.uint16)], [None]):
            with pytest.raises(sx.UsageError):
                made.count(wrong)
    with pytest.raises(sx.UsageError, match="closed"):
        made.count([b"a"])


def test_tokens(rng):
    text = np.array([rng.choice((1, 70000, 5)) for _ in range(500)], np.uint32)
    with sx.Index.build(text) as index:
        assert index.count([[1, 70000], np.array([5], np.uint32)]).tolist() == \
            [len(oracles.places(text.tolist(), [1, 70000])), text.tolist().count(5)]
        with pytest.raises(sx.UsageError, match="uint8, and the text of uint32"):
            index.count([b"ab"])


def test_files(tmp_path):
    index = sx.Index.build(b"GATTACA" * 10, dna=True)
    name = tmp_path / "x.fmi"
    index.save(name)
    again = sx.Index.load(name)
    assert len(again) == 70 and again.sample_every == 32
    assert again.count(["gatt", "N", "UU"]).tolist() == [10, 0, 10]
    assert sx.run("count", name, "GATT", "-q").text == "GATT\t10\n"
    name.write_bytes(name.read_bytes()[:-1])
    with pytest.raises(sx.SuffixclError):
        sx.Index.load(name)
    with pytest.raises(sx.DeviceError, match="no such file"):
        sx.Index.load(tmp_path / "none")
    with pytest.raises(sx.SuffixclError):
        sx.Index.build(b"GATTACA", sample_every=0).locate([b"A"])


def test_documents():
    texts = [b"banana", b"ananas", b"", b"nab"]
    with sx.Matcher.build(texts, documents=True) as matcher:
        assert matcher.count_documents(["an", "na", "s", "x"]).tolist() == [2, 3, 1, 0]
        assert matcher.count(["an"]).tolist() == [4]
    with pytest.raises(sx.UsageError, match="set"):
        sx.Index.build(texts)


def test_closed_with_the_engine():
    engine = sx.Engine()
    index = engine.index(b"banana")
    engine.close()
    with pytest.raises(sx.UsageError, match="closed"):
        index.count([b"a"])
    index.close()
    with pytest.raises(sx.UsageError, match="closed"):
        engine.suffix_array(b"banana")
