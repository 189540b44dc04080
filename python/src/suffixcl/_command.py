"""Verbs of the command ``suffixcl``, in this process, and functions made of their own descriptions."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import difflib
import functools
import json
import os
import subprocess
import tempfile
import threading
from ctypes import byref
from typing import Any, Callable, Iterable, Sequence

from . import _interrupt, _library
from ._engine import ProgressLike
from ._errors import UsageError, error_of
from ._progress import reporter


@dataclasses.dataclass
class Completed:
    """What a verb has written. ``code`` is its exit code."""

    words: tuple[str, ...]
    code: int
    output: bytes  #: standard output
    errors: str  #: standard error: notes, summary, error

    @property
    def text(self) -> str:
        """Standard output as text of UTF-8."""
        return self.output.decode()

    @property
    def json(self) -> Any:
        """The object that ``--json`` asks for."""
        return json.loads(self.output)

    @property
    def rows(self) -> list[list[str]]:
        """The cells of lines of tab-separated values."""
        return [line.split("\t") for line in self.text.splitlines()]


def run(*words: str | os.PathLike[str], input: str | os.PathLike[str] | None = None, check: bool = True,
        progress: ProgressLike = None, process: bool = False) -> Completed:
    """Do what the command ``suffixcl`` does with some words, its name left out: ``run("sa", "text", "-o", "text.sa")``.

    input: a file that is standard input; None: it is empty. check: raise the exception of an exit code that is not 0,
    with the message of the command. process: run the command as a child, as a process that was forked has to.
    Paths are relative to the current directory. Ctrl-C ends a verb, which leaves no files then.
    """
    args = tuple(os.fspath(word) for word in words)
    if process:
        made = _run_child(args, input)
    else:
        made = _run_here(args, input, reporter(progress))
    if check and made.code:
        raise error_of(made.code, _reason(made.errors))
    return made


def _reason(errors: str) -> str:
    lines = [line for line in errors.splitlines() if line.strip()]
    for line in reversed(lines):
        if line.startswith("suffixcl: "):
            return line
    return lines[-1] if lines else ""


def _run_here(args: tuple[str, ...], input: Any, report: Any) -> Completed:
    lib = _library.library()
    output, errors = bytearray(), bytearray()
    takers = [_library.TakeMany(functools.partial(_take, into)) for into in (output, errors)]
    tell = _library.Progress()
    if report is not None:
        def told(_data: int, phase: bytes, done: int, total: int) -> None:
            with contextlib.suppress(Exception):  # none may leave a function that C has called
                report(phase.decode(), done, total)
        tell = _library.Progress(told)
    command = _library.command()
    options = _library.RunOptions(output=takers[0], errors=takers[1], progress=tell,
                                  input=None if input is None else os.fsencode(input),
                                  command=None if command is None else os.fsencode(command))
    words = (ctypes.c_char_p * max(len(args), 1))(*(os.fsencode(word) for word in args))
    code = _interrupt.call(lib.suffixcl_run_cancel, lib.suffixcl_run, byref(options), len(args), words)
    if code and not errors:
        errors += _library.message().encode()
    return Completed(args, code, bytes(output), errors.decode("utf-8", "replace"))


def _take(into: bytearray, _data: int, at: int, n: int) -> int:
    into += ctypes.string_at(at, n)
    return 0


def _run_child(args: tuple[str, ...], input: Any) -> Completed:
    command = _library.command() or "suffixcl"
    with contextlib.ExitStack() as stack:
        stdin: Any = subprocess.DEVNULL if input is None else stack.enter_context(open(input, "rb"))
        try:
            made = subprocess.run([command, *args], stdin=stdin, capture_output=True, check=False)
        except FileNotFoundError as error:
            raise UsageError(f"{command}: {error.strerror}: set SUFFIXCL_COMMAND to the command") from None
    code = made.returncode if made.returncode >= 0 else 128 - made.returncode
    return Completed(args, code, made.stdout, made.stderr.decode("utf-8", "replace"))


_described: dict[str, Any] = {}
_lock = threading.Lock()


def descriptions() -> dict[str, Any]:
    """What ``suffixcl help --json`` says of each verb, by its name."""
    with _lock:
        if not _described:
            made = run("help", "--json", process=_library.forked())
            _described.update({verb["verb"]: verb for verb in made.json["verbs"]})
        return _described


def words_of(name: str, arguments: Sequence[Any], options: dict[str, Any]) -> list[str]:
    """The words of a call of a verb.

    Arguments are words, or lists of them. Options have names as ``min_length`` for ``--min-length``; True is a flag,
    a list is an option that is given several times, None and False leave it out.
    """
    verbs = descriptions()
    if name not in verbs:
        raise UsageError(f'there is no verb "{name}"{_near(name, verbs)}')
    known = {option["name"]: option for option in verbs[name]["options"]}
    words = name.split()
    for key, value in options.items():
        flag = key.rstrip("_").replace("_", "-")
        if flag not in known:
            raise UsageError(f'"{name}" has no option {key}{_near(flag, known)}')
        if value is None or value is False and known[flag]["type"] == "bool" and known[flag]["default"] == "false":
            continue
        if known[flag]["type"] == "bool":
            words.append(f"--{flag}={'true' if value else 'false'}")
            continue
        for each in value if isinstance(value, (list, tuple)) else [value]:
            words.append(f"--{flag}={os.fspath(each) if isinstance(each, os.PathLike) else each}")
    words.append("--")
    for argument in arguments:
        several = argument if isinstance(argument, (list, tuple)) else [argument]
        words += [os.fspath(each) if isinstance(each, os.PathLike) else str(each) for each in several]
    return words


def _near(word: str, of: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(of), 1)
    return f": did you mean {near[0].replace('-', '_')}?" if near else ""


def verb(name: str) -> Callable[..., Completed]:
    """A function that runs a verb of the command, such as ``verb("build bowtie2")(["ref.fa"], "prefix")``.

    Its arguments are those of the verb, its keywords the options, and ``check``, ``progress``, ``process``
    as of :func:`run`.
    """

    def call(*arguments: Any, **options: Any) -> Completed:
        how = {key: options.pop(key) for key in ("check", "progress", "process") if key in options}
        return run(*words_of(name, arguments, options), **how)

    call.__name__ = call.__qualname__ = name.replace(" ", "_").replace("-", "_")
    call.__doc__ = f"Run ``suffixcl {name}``; ``suffixcl {name} --help`` has its options."
    return call


class Verbs:
    """All verbs of the command as functions: ``verbs.dedup("shards/", field="text", write="clean/")``.

    Those of several words are joined by ``_``: ``verbs.tokens_count``. A new verb of the library is there at once.
    """

    def __getattr__(self, name: str) -> Callable[..., Completed]:
        if name.startswith("_"):
            raise AttributeError(name)
        for known, described in descriptions().items():
            if known.replace(" ", "_").replace("-", "_") == name:
                made = verb(known)
                made.__doc__ = _page(described)
                return made
        raise AttributeError(f'there is no verb "{name}"{_near(name, dir(self))}')

    def __dir__(self) -> list[str]:
        return sorted(name.replace(" ", "_").replace("-", "_") for name in descriptions())


def _page(described: dict[str, Any]) -> str:
    lines = [described["summary"] + ".", "", described["usage"], ""]
    for option in described["options"]:
        name = option["name"].replace("-", "_")
        lines.append(f"{name}: {option['usage']}" + (f" (default {option['default']})" if option["default"] else ""))
    return "\n".join(lines)


verbs = Verbs()


def seeds(sentences: Iterable[str] | str | os.PathLike[str], **options: Any) -> list[tuple[str, int]]:
    """Seeds of a SentencePiece unigram model: pieces and how often they occur, as ``suffixcl seeds`` finds them.

    sentences: strings without line ends, or ``os.PathLike`` or str: a file with a sentence a line.
    options: those of the verb, such as ``size=1000000``. With ``output="seeds.tsv"`` pieces go to that file, which
    ``spm_train --seed_sentencepieces_file`` reads, and the list is empty.
    """
    if isinstance(sentences, (str, os.PathLike)):
        return _pieces(verb("seeds")(sentences, **options))
    with tempfile.TemporaryDirectory(prefix="suffixcl-") as directory:
        name = os.path.join(directory, "sentences")
        with open(name, "w", encoding="utf-8", newline="\n") as file:
            for sentence in sentences:
                if "\n" in sentence:
                    raise UsageError(f"a sentence has a line end: {sentence[:60]!r}")
                file.write(sentence + "\n")
        return _pieces(verb("seeds")(name, **options))


def _pieces(made: Completed) -> list[tuple[str, int]]:
    lines = made.text.split("\n")
    return [(piece, int(float(count))) for piece, count in (line.rsplit("\t", 1) for line in lines if line)]


def build_index(kind: str, references: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
                prefix: str | os.PathLike[str], **options: Any) -> Completed:
    """Write the index of an aligner: ``build_index("bowtie2", ["ref.fa"], "prefix")``.

    kind: "bowtie2", "bwa", "bwa-mem2", "minibwa" or "genometools". references: files of FASTA.
    """
    return verb(f"build {kind}")(references, prefix, **options)
