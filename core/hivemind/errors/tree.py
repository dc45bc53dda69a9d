"""The root of the tree, its two branches, and what belongs to neither."""

from __future__ import annotations


class HiveMindError(Exception):
    """Base of the tree. `title`: what happened. `hint`: what is safe and what to do next."""

    code = "error"
    title = "Something went wrong"
    hint = "Try again. If it happens again, keep the details and report it."

    def __init__(self, title: str = "", hint: str = "", *, details: str = "") -> None:
        self.title = title or type(self).title
        self.hint = hint or type(self).hint
        #: For the curious and for reports; never holds remembered text.
        self.details = details
        super().__init__(f"{self.title}. {self.hint}")

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders; Exception's own pickling would lose the keyword argument.
        return (_rebuild, (type(self), self.title, self.hint, self.details))


def _rebuild(kind: type[HiveMindError], title: str, hint: str, details: str) -> HiveMindError:
    return kind(title, hint, details=details)


class WorldFault(HiveMindError):
    """Not a bug: the disk, a file, another program or the request."""


class Cancelled(HiveMindError):
    code = "cancelled"
    title = "Stopped"
    hint = "Nothing more was changed."


class InternalFault(HiveMindError):
    """A bug of ours."""

    code = "internal"
    title = "Hive-Mind made a mistake"
    hint = "Your memories are safe on disk. Restart, and keep the details for a report."
