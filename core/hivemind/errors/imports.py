"""Faults of what is imported."""

from __future__ import annotations

from hivemind.errors.tree import WorldFault


class ImportFault(WorldFault):
    code = "import"


class SourceUnreadable(ImportFault):
    code = "source_unreadable"
    title = "The file cannot be read"
    hint = "Nothing was imported. Check that it is complete, or download the export again."


class SourceUnknown(ImportFault):
    code = "source_unknown"
    title = "This does not look like a chat export"
    hint = "Nothing was imported. Drop the ZIP or folder exactly as you downloaded it."


class ArchiveRefused(ImportFault):
    code = "archive_refused"
    title = "This archive was not opened"
    hint = "Nothing was imported. Download the export again from the vendor."


class ArchiveEncrypted(ArchiveRefused):
    code = "archive_encrypted"
    title = "This archive is locked with a password"
    hint = "Unpack it with its password first, then drop the folder."


class SourceChanged(ImportFault):
    code = "source_changed"
    title = "The file is not the one this import began with"
    hint = "What is in stays in. Start a new import with this file instead."


class NothingToImport(ImportFault):
    code = "nothing_to_import"
    title = "There is nothing to import in this file"
    hint = "It holds no conversations. Check that you chose the right export."


class ReaderStopped(ImportFault):
    code = "reader_stopped"
    title = "The reader stopped while working on this file"
    hint = "What was imported is safe. Try again; if it stops at the same place, leave that file out."
