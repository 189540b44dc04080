"""The programs of docs/python.md, of the notebook, and of docs/languages.md as far as their tools are there."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import warnings

import pytest

import suffixcl as sx
from suffixcl import _library


def programs(page: str) -> dict[str, str]:
    """Programs by the headings before them."""
    made: dict[str, str] = {}
    heading, fence = "", None
    lines: list[str] = []
    for line in page.splitlines():
        if fence is None and line.startswith("#"):
            heading = line.lstrip("# ")
        elif fence is None and line.startswith("```python"):
            fence, lines = line, []
        elif fence is not None and line == "```":
            made[heading] = "\n".join(lines) + "\n"
            fence = None
        elif fence is not None:
            lines.append(line)
    return made


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """What the recipes read."""
    directory = tmp_path_factory.mktemp("recipes")
    own = random.Random(1)
    genome = "".join(own.choices("ACGT", k=20_000))
    (directory / "genome.txt").write_text(genome + genome[5000:9000] + "".join(own.choices("ACGT", k=6_000)))
    passage = " ".join("".join(own.choices("abcdé", k=5)) for _ in range(40))
    with open(directory / "shard.jsonl", "w") as file:
        for k in range(20):
            file.write(json.dumps({"id": k, "text": f"document {k}: {passage if k % 3 == 0 else 'short'}"}) + "\n")
    (directory / "sentences.txt").write_text("the cat sat on the mat\nthe dog sat on the log\n" * 50)
    return directory


HEADINGS = ["Python", "Many texts", "Results in parts", "Processes", "Suffix array of a genome that is mapped",
            "A million patterns", "Deduplication of a shard of JSON lines", "Seeds of a SentencePiece model",
            "A plot of mappability"]


def test_all_are_run(root):
    assert list(programs((root / "docs" / "python.md").read_text())) == HEADINGS


# These are what a process does from its start on; the others begin where an engine is open.
OWN_PROCESS = {"Python", "Processes"}


@pytest.mark.parametrize("heading", HEADINGS)
def test_recipe(root, files, heading, monkeypatch):
    if "plot" in heading:
        pytest.importorskip("matplotlib", reason="apt-get install python3-matplotlib")
    program = programs((root / "docs" / "python.md").read_text())[heading]
    program = program.replace("count = 1_000_000", "count = 20_000")
    if heading in OWN_PROCESS:
        made = subprocess.run([sys.executable, "-"], cwd=files,
                              input=program, text=True, capture_output=True, timeout=120, check=False)
        assert made.returncode == 0, made.stderr
        return
    monkeypatch.chdir(files)
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # those of other packages
        exec(compile(program, heading, "exec"), {"__name__": "__main__"})
    if "mapped" in heading:
        import numpy as np
        sa = np.load(files / "genome.sa.npy")
        assert (sx.unpack(np.fromfile(files / "genome.sa5", np.uint8)) == sa).all()
    if heading == "Results in parts":
        import numpy as np
        assert len(np.fromfile("mems.bin", sx.MATCH)) == 99
    if "Deduplication" in heading:
        texts = [json.loads(line)["text"] for line in (files / "clean.jsonl").read_text().splitlines()]
        assert len(texts) == 20 and sum(len(text) > 100 for text in texts) == 1
    if "plot" in heading:
        assert (files / "mappability.png").stat().st_size > 5000


def test_page_names_functions(root):
    page = (root / "docs" / "python.md").read_text()
    names = set(sx.__all__) - {"BWT", "MATCH", "OCCURRENCE", "Arrays", "Block", "Blocks", "Completed", "DuplicatePart",
                               "DuplicateParts", "Duplicates", "Intervals", "Mappability", "MappabilityPart",
                               "MultiMatch", "PartJobs", "Parts", "Patterns", "Plan", "RankError", "RepeatPart",
                               "Repeats", "TextLike", "__version__", "default_engine", "library_version",
                               "set_default_engine", "verb"}
    for name in names:
        assert name in page, name


def test_notebook(root, tmp_path, monkeypatch):
    """Its cells run in their order, and write what is committed."""
    notebook = json.loads((root / "python" / "examples" / "first-steps.ipynb").read_text())
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    for number, cell in enumerate(c for c in notebook["cells"] if c["cell_type"] == "code"):
        want = "".join(part["text"] if isinstance(part["text"], str) else "".join(part["text"])
                       for part in cell["outputs"])
        got: list[str] = []
        space["print"] = lambda *words, got=got: got.append(" ".join(map(str, words)) + "\n")
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), space)
        assert "".join(got) == want, number


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page, re.S)


@pytest.mark.parametrize("language,tool,name", [("rust", "rustc", "first.rs"), ("r", "Rscript", "first.R"),
                                                ("julia", "julia", "first.jl")])
def test_other_languages(root, tmp_path, language, tool, name):
    """docs/languages.md, in a directory with the library of the wheel."""
    program = shutil.which(tool)
    if program is None:
        pytest.skip(f"no {tool}")
    page = (root / "docs" / "languages.md").read_text()
    for file, text in (re.findall(r"^`(first\.\w+)`:\n+```\w+\n(.*?)```", page, re.S | re.M)):
        (tmp_path / file).write_text(text)
    os.symlink(_library.path(), tmp_path / "libsuffixcl.so")
    os.symlink(_library.path(), tmp_path / "libsuffixcl.so.0")
    shutil.copy(root / "cmd" / "libsuffixcl" / "suffixcl.h", tmp_path)
    for line in blocks(page, "sh")[["rust", "r", "julia"].index(language)].splitlines():
        made = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=120,
                              check=False)
        assert made.returncode == 0, made.stdout + made.stderr
    assert made.stdout.split() == "5 3 1 0 4 2".split()
