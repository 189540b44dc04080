"""Errors of suffixcl: a class for each exit code of the command."""

from __future__ import annotations

__all__ = [
    "CopyWarning", "DeviceError", "ForkError", "InterruptedError", "MismatchError", "NoDeviceError", "OutOfMemoryError",
    "RankError", "SuffixclError", "UsageError", "VersionError",
]


class SuffixclError(Exception):
    """What all errors of this package are.

    ``code`` is the exit code that the command ends with for the same reason.
    """

    code = 1


class DeviceError(SuffixclError):
    """The device or its driver failed, or a file could not be read or written (exit code 1)."""


class UsageError(SuffixclError, ValueError):
    """Wrong arguments, or an engine that is closed (exit code 2)."""

    code = 2


class NoDeviceError(SuffixclError):
    """There is no usable OpenCL device. The message says what to install (exit code 3)."""

    code = 3


class OutOfMemoryError(SuffixclError, MemoryError):
    """A job does not fit into memory, or a text is too long. The message has the numbers (exit code 4)."""

    code = 4


class MismatchError(SuffixclError):
    """An array or a transform is not that of the text. The message has the first wrong entry (exit code 5)."""

    code = 5


class RankError(SuffixclError):
    """Another rank failed (status 6 of the library)."""

    code = 6


class InterruptedError(SuffixclError):  # noqa: A001 - named after the status
    """A call was ended by :meth:`Engine.cancel` (exit code 130). Ctrl-C raises KeyboardInterrupt."""

    code = 130


class VersionError(SuffixclError, ImportError):
    """The library that was found is none, or one of another version."""


class ForkError(SuffixclError, RuntimeError):
    """The process was forked after the library had been loaded: its threads are not in the new process."""

    code = 2


class CopyWarning(UserWarning):
    """A text or a result was copied on the host: it was not contiguous, or in another byte order."""


_CLASSES = {
    1: DeviceError, 2: UsageError, 3: NoDeviceError, 4: OutOfMemoryError, 5: MismatchError, 6: RankError,
    130: InterruptedError,
}


def error_of(status: int, message: str) -> SuffixclError:
    """The exception of a status that is not 0."""
    message = message.removeprefix("suffixcl: ")
    made = _CLASSES.get(status, SuffixclError)(message or f"the library returned {status}")
    made.code = status
    return made
