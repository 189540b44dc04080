"""suffixcl: suffix arrays, and what is made of them, on OpenCL devices.

    import suffixcl as sx
    sa = sx.suffix_array(b"banana")             # array([5, 3, 1, 0, 4, 2], dtype=uint32)
    sa, lcp = sx.build("banana", sa=True, lcp=True)
    index = sx.Index.build(b"banana")
    index.count(["an", "x"])                    # array([2, 0], dtype=uint32)

Functions use a default engine, which the first call opens on the fastest device. ``Engine`` opens others. Texts are
bytes, str (as UTF-8), buffers and arrays of uint8, uint16 and uint32. Results are arrays of numpy. Calls release the
GIL, and Ctrl-C ends them.
"""

from . import pangenome, tokens
from ._arrays import BWT, Arrays, Block, Blocks, unpack
from ._command import Completed, build_index, run, seeds, verb, verbs
from ._default import (
    Engine, build, bwt, bwts, dedup, default_engine, intervals, inverse_bwt, lcp, mappability, mems, multi_matches,
    mums, parts, plan, repeats, set_default_engine, suffix_array, suffix_arrays, suffix_ranges, verify,
)
from ._duplicates import DuplicatePart, DuplicateParts, Duplicates
from ._engine import Parts
from ._errors import (
    CopyWarning, DeviceError, ForkError, InterruptedError, MismatchError, NoDeviceError, OutOfMemoryError, RankError,
    SuffixclError, UsageError, VersionError,
)
from ._genomes import MATCH, OCCURRENCE, Intervals, Mappability, MappabilityPart, MultiMatch, RepeatPart, Repeats
from ._index import Index, Matcher, Occurrences, Patterns
from ._parts import PartJobs
from ._plan import Plan
from ._text import TextLike, TextSet
from ._version import __version__


def library_version() -> str:
    """The version of the library, such as "v0.2.0"."""
    from . import _library
    version: bytes = _library.library().suffixcl_version()
    return version.decode()


__all__ = [
    "Arrays", "BWT", "Block", "Blocks", "Completed", "CopyWarning", "DeviceError", "DuplicatePart",
    "DuplicateParts", "Duplicates", "Engine", "ForkError", "Index", "InterruptedError", "Intervals", "MATCH",
    "Mappability", "MappabilityPart", "Matcher", "MismatchError", "MultiMatch", "NoDeviceError", "OCCURRENCE",
    "Occurrences", "OutOfMemoryError", "PartJobs", "Parts", "Patterns", "Plan", "RankError", "RepeatPart",
    "Repeats", "SuffixclError", "TextLike", "TextSet", "UsageError", "VersionError", "__version__", "build",
    "build_index", "bwt", "bwts", "dedup", "default_engine", "intervals", "inverse_bwt", "lcp", "library_version",
    "mappability", "mems", "multi_matches", "mums", "pangenome", "parts", "plan", "repeats", "run", "seeds",
    "set_default_engine", "suffix_array", "suffix_arrays", "suffix_ranges", "tokens", "unpack", "verb", "verbs",
    "verify",
]
