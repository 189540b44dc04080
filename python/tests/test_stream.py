"""Many texts: suffix arrays and transforms of each."""

import threading

import numpy as np
import oracles
import pytest
from test_dedup import Column

import suffixcl as sx


def texts_of(rng, count=300):
    return [bytes(rng.choices(b"abc", k=rng.choice((0, 1, 7, rng.randint(2, 60))))) for _ in range(count)]


def test_definition(rng):
    texts = texts_of(rng)
    arrays = list(sx.suffix_arrays(texts))
    assert [sa.tolist() for sa in arrays] == [oracles.suffix_array(t) for t in texts]
    assert all(sa.dtype == np.uint32 and sa.flags.writeable for sa in arrays)
    made = list(sx.bwts(texts))
    assert [(b.transform.tolist(), b.primary) for b in made] == \
        [oracles.bwt(t, sa.tolist()) for t, sa in zip(texts, arrays)]


def test_kinds(rng):
    """Lists, iterators, rows, sets and columns; all kinds of texts; small and large ones."""
    texts = [t for t in texts_of(rng, 40)]
    want = [sx.suffix_array(t).tolist() for t in texts]
    words = [t.decode() for t in texts]
    for given in (texts, tuple(texts), words, [bytearray(t) for t in texts], [memoryview(t) for t in texts],
                  [np.frombuffer(t, np.uint8) for t in texts], sx.TextSet.of(texts), Column([words[:7], words[7:]]), np.array(words),
                  np.array(texts, object)):
        assert [sa.tolist() for sa in sx.suffix_arrays(given)] == want, type(given)
    for given in (iter(texts), (w for w in words), dict.fromkeys(range(3))):
        made = sx.suffix_arrays(given if not isinstance(given, dict) else map(bytes, given), longest=100)
        assert [sa.tolist() for sa in made] == (want if not isinstance(given, dict) else [[], [0], [1, 0]])
    rows = np.array([list(b"nab"), list(b"aba")], np.uint8)
    assert [sa.tolist() for sa in sx.suffix_arrays(rows)] == [[1, 2, 0], [2, 0, 1]]
    assert [sa.tolist() for sa in sx.suffix_arrays(["\u00e4b"])] == [[2, 1, 0]]  # positions of bytes
    long = [bytes(rng.choices(b"ab", k=n)) for n in (100_000, 5, 70_000)]
    assert all((sa == sx.suffix_array(t)).all() for sa, t in zip(list(sx.suffix_arrays(long)), long))
    assert list(sx.suffix_arrays([])) == list(sx.bwts(iter(()), longest=5)) == []
    assert [len(sa) for sa in sx.suffix_arrays([b"", ""])] == [0, 0]


def test_refused(rng):
    codes = np.arange(10, dtype=np.uint8)
    for texts, why in ((None, "None"), ("text", "one text"), (b"text", "one text"), (codes, "one text"), (5, "int"),
                       ([b"a", None], r"texts\[1\] is None"), ([5], "int"), ([codes.astype(np.uint16)], "uint16"),
                       ([codes.astype(float)], "float64"), ([codes.reshape(2, 5)], "2 dimensions"),
                       ([[1, 2]], "list"), (Column([["a", None]]), r"texts\[1\] is null"), (iter([b"a"]), "longest")):
        with pytest.raises(sx.UsageError, match=why):
            sx.suffix_arrays(texts)
    for longest in (-1, 1.5, True, "5"):
        with pytest.raises(sx.UsageError, match="longest"):
            sx.suffix_arrays([b"a"], longest=longest)
    for text, why in ((codes[::2], "not contiguous"), ("text", "str"), (np.arange(5, dtype=">u2"), "byte order"),
                      (np.frombuffer(bytes(9), np.uint8)[1:].view(np.uint16), "not aligned")):
        with pytest.raises(sx.UsageError, match=why):
            sx.suffix_arrays([text], copy=False)
    with pytest.warns(sx.CopyWarning, match="not contiguous") as noted:
        assert [sa.tolist() for sa in sx.suffix_arrays([codes[::2]])] == [[0, 1, 2, 3, 4]]
    assert noted[0].filename == __file__
    with pytest.raises(sx.OutOfMemoryError, match=r"429496729\d"):
        sx.suffix_arrays(iter(()), longest=2**33)
    with sx.Engine(max_memory="1M") as engine:
        with pytest.raises(sx.OutOfMemoryError):
            next(engine.suffix_arrays([b"ab" * 500_000]))
        assert [sa.tolist() for sa in engine.suffix_arrays([b"ba"])] == [[1, 0]]
    with pytest.raises(sx.UsageError, match="closed"):
        next(engine.suffix_arrays([b"ba"]))


def failing(error):
    yield b"banana"
    yield b"ba"
    raise error


def test_errors_of_the_iterator():
    """What the iterator raises, and a text that is wrong, come after the results that are there."""
    for texts, kind, why in ((failing(LookupError("of the program")), LookupError, "of the program"),
                             (iter([b"ba", b"longer"]), sx.UsageError, r"texts\[1\] has 6 bytes"),
                             (iter([b"ba", None]), sx.UsageError, r"texts\[1\] is None"),
                             (iter([b"ba", np.zeros(2, ">u2")]), (sx.UsageError, sx.CopyWarning), "byte order|uint16")):
        with pytest.raises(kind, match=why):
            list(sx.suffix_arrays(texts, longest=6 if why == "of the program" else 5))
    engine = sx.default_engine()

    def calls():
        yield engine.suffix_array(b"banana")

    with pytest.raises(sx.UsageError, match="another engine"):
        list(engine.suffix_arrays(calls(), longest=50))
    with pytest.raises(sx.UsageError, match="this process"):
        sx.Engine(process=True).suffix_arrays([b"a"])
    assert [sa.tolist() for sa in engine.suffix_arrays([b"ba"])] == [[1, 0]]


def test_left():
    """Who stops early ends the call, and the iterator is read no further."""
    asked = []

    def endless():
        while True:
            asked.append(1)
            yield b"banana"

    with sx.Engine() as engine:
        for sa in engine.suffix_arrays(endless(), longest=100):
            assert sa.tolist() == [5, 3, 1, 0, 4, 2]
            break
        assert engine.suffix_array(b"ba").tolist() == [1, 0]
        with engine.suffix_arrays(endless(), longest=100) as made:
            next(made)
            with pytest.raises(sx.UsageError, match="takes the parts"):
                engine.suffix_array(b"ba")
        count = len(asked)
        assert list(made) == [] and engine.suffix_array(b"ba").tolist() == [1, 0]
        assert len(asked) == count
        timer = threading.Timer(0.2, engine.cancel)
        timer.start()
        with pytest.raises(sx.InterruptedError):
            for _ in engine.suffix_arrays(endless(), longest=100):
                pass
    assert threading.active_count() < 12
