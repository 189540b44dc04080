"""Verbs of the command, and functions that are made of their descriptions."""

import inspect
import json
import os
import random

import numpy as np
import pytest

import suffixcl as sx
from suffixcl import _command


def test_run(tmp_path):
    made = sx.run("version")
    assert made.code == 0 and made.text.startswith("suffixcl v") and made.words == ("version",)
    assert sx.run("version", "--json").json["version"] == sx.library_version()
    assert sx.run("version", process=True).output == made.output
    (tmp_path / "text").write_bytes(b"banana")
    assert np.frombuffer(sx.run("sa", tmp_path / "text", "-o", "-", "-q").output, "<u4").tolist() == [5, 3, 1, 0, 4, 2]
    assert np.frombuffer(sx.run("sa", "-", "-o", "-", input=tmp_path / "text").output, "<u4").tolist() == \
        [5, 3, 1, 0, 4, 2]


@pytest.mark.parametrize("process", [False, True])
def test_errors(process, tmp_path):
    (tmp_path / "text").write_bytes(b"banana")
    (tmp_path / "sa").write_bytes(bytes(24))
    for words, kind, why in ((["none"], sx.UsageError, "none"), (["sa"], sx.UsageError, "TEXT|arg"),
                             (["verify", tmp_path / "text", tmp_path / "sa"], sx.MismatchError, "slot"),
                             (["sa", tmp_path / "missing", "-o", "x"], sx.SuffixclError, "missing")):
        with pytest.raises(kind, match=why):
            sx.run(*words, process=process)
        code = sx.run(*words, check=False, process=process).code
        assert code == (kind.code if kind is not sx.SuffixclError else code) != 0


def test_verbs(tmp_path):
    names = dir(sx.verbs)
    assert {"sa", "build_bowtie2", "tokens_count", "pangenome_build"} <= set(names)
    assert "--min-length" in sx.run("dedup", "--help").text
    assert "min_length" in inspect.getdoc(sx.verbs.dedup)
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"text": "some words that are there twice"}) + "\n"
                                              for _ in range(2)))
    sx.verbs.dedup([tmp_path / "a.jsonl"], field="text", keep="first", min_length=10, write=tmp_path / "clean")
    kept = [json.loads(line)["text"] for line in (tmp_path / "clean" / "a.jsonl").read_text().splitlines()]
    assert kept == ["some words that are there twice", ""]
    with pytest.raises(sx.UsageError, match="min_length"):
        sx.verbs.dedup("x", min_lenght=10)
    with pytest.raises(AttributeError, match="did you mean dedup"):
        sx.verbs.dedupe
    with pytest.raises(sx.UsageError, match="no verb"):
        sx.verb("nothing")()
    assert _command.words_of("dedup", [["a", "b"]], {"against": ["x", "y"], "utf8": True, "across": False}) == \
        ["dedup", "--against=x", "--against=y", "--utf8=true", "--", "a", "b"]


def test_build_index(tmp_path):
    (tmp_path / "ref.fa").write_text(">one\n" + "".join(random.Random(1).choices("ACGT", k=500)) + "\n")
    sx.build_index("bowtie2", [tmp_path / "ref.fa"], tmp_path / "prefix")
    assert (tmp_path / "prefix.1.bt2").exists() and (tmp_path / "prefix.rev.1.bt2").exists()
    with pytest.raises(sx.UsageError, match='no verb "build nothing"'):
        sx.build_index("nothing", [], "")


def test_tokens(tmp_path):
    documents = [[5, 6, 7, 5, 6], [5, 6, 9]]
    tokens = [token for document in documents for token in [0xffff, *document]]
    np.array(tokens, "<u2").tofile(tmp_path / "tokenized.0")
    np.array([0, 12], "<u8").tofile(tmp_path / "offset.0")
    sx.tokens.index(tmp_path, token="u16")
    assert sx.tokens.count(tmp_path, [5, 6]) == 3 and sx.tokens.count(tmp_path, [8]) == 0
    assert sx.tokens.next(tmp_path, [5, 6]) == {7: 1, 9: 1, 65535: 1}
    assert sorted((d, at) for _, d, at, _ in sx.tokens.find(tmp_path, [5, 6])) == [(0, 0), (0, 3), (1, 0)]


def test_seeds(tmp_path):
    sentences = ["the cat sat on the mat", "the dog sat on the log"] * 5
    found = dict(sx.seeds(sentences))
    assert found["t"] == 40 and any(len(piece) > 1 for piece in found), found
    (tmp_path / "sentences").write_text("".join(s + "\n" for s in sentences))
    assert dict(sx.seeds(tmp_path / "sentences")) == found
    assert sx.seeds(sentences, output=tmp_path / "seeds.tsv") == []
    assert len((tmp_path / "seeds.tsv").read_text().splitlines()) == len(found)
    with pytest.raises(sx.UsageError, match="line end"):
        sx.seeds(["a\nb"])


def test_pangenome(tmp_path):
    (tmp_path / "a.fa").write_text(">a\nACGTTGCA\n")
    assert "build" in dir(sx.pangenome)
    sx.pangenome.build(tmp_path / "a.fa", output=tmp_path / "a.fmd")
    assert os.path.getsize(tmp_path / "a.fmd") > 0
    assert sx.pangenome.stat(tmp_path / "a.fmd").text
