"""Makes the wheel of library and command, and checks it by the rules of manylinux.

    wheel.py --library libsuffixcl.so.0 --command suffixcl --out DIR [--glibc 2.35] [--go go] [--version v0.2.0]

Files of ELF may need no library but those that each Linux has, and no symbol of a glibc that is newer than --glibc. The
newest one that they need is in the wheel's tag: manylinux_2_NN_ARCH. The last line of the output is the wheel's path.
The same files, sources and tools of Python give the same bytes. SOURCE_DATE_EPOCH is the time of all files.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

# Of PEP 600, as far as they are those of glibc: their symbols have versions, which the tag tells.
ALLOWED = {"libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1", "libresolv.so.2",
           "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
MACHINES = {62: "x86_64", 183: "aarch64"}
OLDEST = {"x86_64": (2, 5), "aarch64": (2, 17)}  # for which there are tags


class ELF:
    """What a file for a 64-bit, little-endian machine needs of others."""

    def __init__(self, path: pathlib.Path) -> None:
        self.data = path.read_bytes()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise SystemExit(f"{path} is no file of ELF of 64 bits, little-endian")
        self.machine = MACHINES[struct.unpack_from("<H", self.data, 18)[0]]
        self.segments = self._segments()
        self.needed: list[str] = []
        self.versions: dict[str, set[str]] = {}
        self.executable_stack = any(kind == 0x6474e551 and flags & 1 for kind, flags, *_ in self.segments)
        dynamic = next((s for s in self.segments if s[0] == 2), None)
        if dynamic:
            self._dynamic(dynamic)

    def _segments(self) -> list[tuple[int, int, int, int, int]]:
        at, = struct.unpack_from("<Q", self.data, 32)
        size, count = struct.unpack_from("<HH", self.data, 54)
        made = []
        for i in range(count):
            kind, flags, offset, address, _, length = struct.unpack_from("<IIQQQQ", self.data, at + i * size)
            made.append((kind, flags, offset, address, length))
        return made

    def _offset(self, address: int) -> int:
        for kind, _, offset, start, length in self.segments:
            if kind == 1 and start <= address < start + length:
                return offset + address - start
        raise SystemExit(f"no segment has the address {address:#x}")

    def _dynamic(self, segment: tuple[int, int, int, int, int]) -> None:
        entries: dict[int, list[int]] = {}
        for at in range(segment[2], segment[2] + segment[4], 16):
            tag, value = struct.unpack_from("<QQ", self.data, at)
            if tag == 0:
                break
            entries.setdefault(tag, []).append(value)
        strings = self._offset(entries[5][0])

        def word(at: int) -> str:
            start = strings + at
            return self.data[start:self.data.index(b"\0", start)].decode()

        self.needed = [word(at) for at in entries.get(1, [])]
        for at in entries.get(0x6ffffffe, []):  # DT_VERNEED
            where = self._offset(at)
            for _ in range(entries[0x6fffffff][0]):
                _, count, file, aux, following = struct.unpack_from("<HHIII", self.data, where)
                inner = where + aux
                for _ in range(count):
                    _, _, _, name, further = struct.unpack_from("<IHHII", self.data, inner)
                    self.versions.setdefault(word(file), set()).add(word(name))
                    inner += further
                where += following


def glibc(elf: ELF, path: pathlib.Path) -> tuple[int, int]:
    """The glibc that a file needs. Fails for what manylinux does not allow."""
    if unknown := set(elf.needed) - ALLOWED:
        raise SystemExit(f"{path} needs {', '.join(sorted(unknown))}, which not every Linux has")
    if elf.executable_stack:
        raise SystemExit(f"{path} has a stack that can be executed")
    newest = OLDEST[elf.machine]
    for file, versions in elf.versions.items():
        for version in versions:
            match = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", version)
            if not match:
                raise SystemExit(f"{path} needs {version} of {file}")
            newest = max(newest, (int(match[1]), int(match[2])))
    return newest


def build(args: argparse.Namespace) -> pathlib.Path:
    """Make the wheel, and return its path."""
    source = pathlib.Path(__file__).resolve().parent.parent
    files = [args.library, args.command]
    elves = [ELF(path) for path in files]
    if len({elf.machine for elf in elves}) > 1:
        raise SystemExit("library and command are for different machines")
    needs = max(glibc(elf, path) for elf, path in zip(elves, files))
    for elf, path in zip(elves, files):
        print(f"{path.name}: {elf.machine}, needs {', '.join(elf.needed) or 'no library'}, "
              f"glibc {'.'.join(map(str, glibc(elf, path)))}")
    limit = tuple(map(int, args.glibc.split("."))) if args.glibc else needs
    if needs > limit:
        raise SystemExit(f"glibc {needs[0]}.{needs[1]} is needed, newer than {args.glibc}")
    tag = f"manylinux_{needs[0]}_{needs[1]}_{elves[0].machine}"
    args.out.mkdir(parents=True, exist_ok=True)
    for old in args.out.glob(f"suffixcl-*_{elves[0].machine}.whl"):
        old.unlink()
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory, "python")
        ignored = shutil.ignore_patterns("__pycache__", "_files", "*.egg-info")
        shutil.copytree(source / "src", tree / "src", ignore=ignored)
        for name in ("pyproject.toml", "setup.py", "README.md"):
            shutil.copy(source / name, tree)
        shutil.copy(source.parent / "LICENSE", tree)
        if args.version:
            stamp(tree, version_of(args.version))
        into = tree / "src" / "suffixcl" / "_files"
        into.mkdir()
        shutil.copy(args.library, into / "libsuffixcl.so.0")
        shutil.copy(args.command, into / "suffixcl")
        licenses(args, into / "licenses")
        (into / "suffixcl").chmod(0o755)
        environment = {**os.environ, "SUFFIXCL_PLATFORM": tag, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        environment.setdefault("SOURCE_DATE_EPOCH", "946684800")
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-build-isolation",
                        "--no-deps", "--no-cache-dir", "--ignore-requires-python", "--wheel-dir", args.out, tree],
                       check=True, env=environment)
    made: pathlib.Path = next(args.out.glob(f"suffixcl-*-py3-none-{tag}.whl"))
    inspect(made, tag)
    return made


def version_of(release: str) -> str:
    """The version of Python's packages for one of a release: "0.2.0rc1" for v0.2.0-rc.1.

    What comes after the hyphen of others, such as dev.8bdb9f08c0de, is a local part of a development version.
    """
    match = re.fullmatch(r"v?(\d+\.\d+\.\d+)(?:-(.+))?", release)
    if not match:
        raise SystemExit(f"{release} is no version like v0.2.0")
    number, rest = match[1], match[2]
    if rest is None:
        return number
    if known := re.fullmatch(r"(alpha|beta|rc)\.?(\d+)", rest):
        return number + {"alpha": "a", "beta": "b", "rc": "rc"}[known[1]] + known[2]
    words = [word for word in re.split(r"[^0-9a-z]+", rest.lower()) if word and word != "dev"]
    return f"{number}.dev0" + ("+" + ".".join(words) if words else "")


def stamp(tree: pathlib.Path, version: str) -> None:
    """Set the version of a copy of the sources."""
    for name, line in (("pyproject.toml", "version"), ("src/suffixcl/_version.py", "__version__")):
        file = tree / name
        text, count = re.subn(rf'^{line} = ".*"$', f'{line} = "{version}"', file.read_text(), count=1, flags=re.M)
        if count != 1:
            raise SystemExit(f"{name} has no {line}")
        file.write_text(text)


def licenses(args: argparse.Namespace, into: pathlib.Path) -> None:
    """Copy those of Go and of the modules that are linked."""
    def go(*words: str) -> str:
        return subprocess.check_output([args.go, *words], text=True)

    linked = re.findall(r"^\tdep\t(\S+)\t(\S+)\th1:", go("version", "-m", args.library, args.command), re.M)
    places = {"go": pathlib.Path(go("env", "GOROOT").strip())}
    for module, version in sorted(set(linked)):
        places[module] = pathlib.Path(json.loads(go("mod", "download", "-json", f"{module}@{version}"))["Dir"])
    for module, place in places.items():
        found = [file for pattern in ("LICEN[CS]E*", "COPYING*", "NOTICE*", "PATENTS*") for file in place.glob(pattern)
                 if file.is_file()] + list(place.glob("licenses/*"))
        if not found:
            raise SystemExit(f"{module} has no license")
        text = "\n".join(file.read_text() for file in sorted(found))
        into.mkdir(exist_ok=True)
        (into / (module.replace("/", "_") + ".txt")).write_text(text)


def inspect(wheel: pathlib.Path, tag: str) -> None:
    """Look into a wheel: its tag, and files that it has to have."""
    with zipfile.ZipFile(wheel) as made:
        names = made.namelist()
        description = made.read(next(name for name in names if name.endswith(".dist-info/WHEEL"))).decode()
        command = made.getinfo("suffixcl/_files/suffixcl")
    for name in ("suffixcl/_files/libsuffixcl.so.0", "suffixcl/py.typed", "suffixcl/__init__.py",
                 "suffixcl/_files/licenses/go.txt"):
        if name not in names:
            raise SystemExit(f"{wheel} has no {name}")
    if f"Tag: py3-none-{tag}\n" not in description or "Root-Is-Purelib: false" not in description:
        raise SystemExit(f"{wheel} has another tag")
    if not command.external_attr >> 16 & 0o111:
        raise SystemExit(f"{wheel}: the command cannot be executed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--command", type=pathlib.Path, required=True)
    parser.add_argument("--go", default="go", help="the go command, which knows what is linked")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--version", help="of the release; else that of pyproject.toml")
    parser.add_argument("--glibc", help="newest glibc that may be needed, as 2.35")
    print(build(parser.parse_args()))


if __name__ == "__main__":
    main()
