"""Structures and prototypes are those of suffixcl.h."""

import ctypes
import re
import shutil
import subprocess

import pytest

from suffixcl import _arrow, _genomes, _library


@pytest.fixture(scope="module")
def header(root):
    return (root / "cmd" / "libsuffixcl" / "suffixcl.h").read_text()


def test_structures(root, header, tmp_path):
    if shutil.which("cc") is None:
        pytest.skip("no cc: apt-get install gcc libc6-dev")
    lines = []
    for name, structure in _library.STRUCTURES.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for field, *_ in structure._fields_:
            lines.append(f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), '
                         f'sizeof((({name} *)0)->{field}));')
    for name, dtype in (("suffixcl_match", _genomes._MATCH), ("suffixcl_occurrence", _genomes.OCCURRENCE)):
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'printf("{name}.{f} %zu %zu\\n", offsetof({name}, {f}), sizeof((({name} *)0)->{f}));'
                  for f in dtype.names]
    source = tmp_path / "offsets.c"
    lines = ["#include <stdio.h>", "#include <suffixcl.h>", "int main(void) {", *lines, "return 0; }", ""]
    source.write_text("\n".join(lines))
    program = tmp_path / "offsets"
    subprocess.run(["cc", "-Wall", "-Werror", f"-I{root}/cmd/libsuffixcl", source, "-o", program], check=True)
    want = dict(line.split(" ", 1) for line in subprocess.check_output([program], text=True).splitlines())
    got = {}
    for name, structure in _library.STRUCTURES.items():
        got[name] = str(ctypes.sizeof(structure))
        for field, *_ in structure._fields_:
            at = getattr(structure, field)
            got[f"{name}.{field}"] = f"{at.offset} {at.size}"
    for name, dtype in (("suffixcl_match", _genomes._MATCH), ("suffixcl_occurrence", _genomes.OCCURRENCE)):
        got[name] = str(dtype.itemsize)
        got |= {f"{name}.{f}": f"{dtype.fields[f][1]} {dtype.fields[f][0].itemsize}" for f in dtype.names}
    assert got == want


def test_all_structures(header):
    names = set(re.findall(r"^\} (suffixcl_\w+);", header, re.M))
    assert names == set(_library.STRUCTURES) | {"suffixcl_match", "suffixcl_occurrence", "suffixcl_range"}
    for name, structure in _library.STRUCTURES.items():
        body = re.sub(r"/\*.*?\*/", "", re.search(rf"struct {name} \{{(.*?)^\}}", header, re.M | re.S)[1], flags=re.S)
        fields = [field for line in body.split(";") for field in re.findall(r"(\w+)\s*(?:,|$)", line.strip())]
        assert fields == [field for field, *_ in structure._fields_], name


def kind(argument: str) -> str:
    if "*" in argument or re.search(r"suffixcl_(take|progress|next)", argument):
        return "pointer"
    return "u64" if "uint64_t" in argument else "int"


KINDS = {ctypes.c_void_p: "pointer", ctypes.c_char_p: "pointer", ctypes.c_uint64: "u64", ctypes.c_int: "int",
         _library.Take: "pointer", _library.TakeMany: "pointer", _library.NextText: "pointer"}


def test_prototypes(header):
    plain = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    found = dict(re.findall(r"^int (suffixcl_\w+)\((.*?)\);", plain, re.M | re.S))
    ours = {name: text for name, text in found.items() if not name.startswith("suffixcl_ranks")}
    assert set(ours) == set(_library.PROTOTYPES)
    for name, text in ours.items():
        want = [] if text.strip() == "void" else [kind(argument) for argument in text.split(",")]
        assert [KINDS[t] for t in _library.PROTOTYPES[name]] == want, name


def test_codes(header):
    from suffixcl import _errors
    codes = {int(n) for n in re.findall(r"^\tSUFFIXCL_[A-Z_]+ = (\d+)", header, re.M)}
    assert codes == set(_errors._CLASSES) | {0}
    for code, made in _errors._CLASSES.items():
        assert made.code == code


def test_arrow_structures():
    assert ctypes.sizeof(_arrow.Schema) == 72 and ctypes.sizeof(_arrow.Array) == 80
    assert ctypes.sizeof(_arrow.Stream) == 40
