"""Every error the engine raises, as one tree.

HiveMindError                  title and hint are ready for a person; code is stable for programs
├── WorldFault                 the world's fault: disk, file, other program, request
│   ├── StorageFault           MindMissing, NotAMind, MindCorrupt, MindNewer, MindBusy, DiskFull, ReadOnlyPlace,
│   │                          BackupFailed, FileInTheWay, AuditProtected
│   ├── ImportFault            SourceUnreadable, SourceUnknown, ArchiveRefused, ArchiveEncrypted, SourceChanged,
│   │                          NothingToImport, ReaderStopped
│   ├── NotFound               FrameNotFound, SessionNotFound, RunNotFound, WorkspaceNotFound, ChangeNotFound,
│   │                          OriginalNotKept
│   ├── InvalidRequest         InvalidFrame, InvalidName, InvalidDate, InvalidValue, InvalidFilter, CannotUndo,
│   │                          NotAllowed, CannotMerge, NoModelChosen
│   ├── NetFault               AddressRefused, HostUnreachable, TimedOut, AnswerTooLarge, AnswerUnreadable
│   ├── ModelFault             KeyRefused, ModelMissing, RateLimited, RequestRefused, ServiceFailed, AnswerCutOff
│   ├── KeyStoreUnavailable    the system has no safe place for keys
│   ├── ReportFailed           the pages of a report could not be laid out
│   ├── RecorderFault          a call could not be recorded, so it is not made or its answer is withheld
│   └── EmbedderUnavailable    no model for search by meaning; search goes on by keyword
├── Cancelled                  somebody asked to stop
└── InternalFault              ours: a bug
"""

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


class StorageFault(WorldFault):
    code = "storage"


class MindMissing(StorageFault):
    code = "mind_missing"
    title = "There is no mind at this place"
    hint = "Check the path, or create a new mind there."


class NotAMind(StorageFault):
    code = "not_a_mind"
    title = "This file is not a mind"
    hint = "It was left untouched. Choose a file that ends in .mind and was made by Hive-Mind."


class MindCorrupt(StorageFault):
    code = "mind_corrupt"
    title = "This mind is damaged"
    hint = "The file was left as it is. Restore a backup, or copy the file before any repair."


class MindNewer(StorageFault):
    code = "mind_newer"
    title = "This mind was written by a newer version"
    hint = "It was left untouched. Install the newer version of Hive-Mind to open it."


class MindBusy(StorageFault):
    code = "mind_busy"
    title = "Another program is using this mind"
    hint = "Nothing was changed. Close the other program or try again in a moment."


class DiskFull(StorageFault):
    code = "disk_full"
    title = "The disk is full"
    hint = "What was saved before is safe. Free some space and try again."


class ReadOnlyPlace(StorageFault):
    code = "read_only"
    title = "This folder or file cannot be written"
    hint = "Choose another folder, or give yourself the right to write there."


class BackupFailed(StorageFault):
    code = "backup_failed"
    title = "The backup could not be made"
    hint = "Nothing was changed. Check the free space and the folder, then try again."


class FileInTheWay(StorageFault):
    code = "file_in_the_way"
    title = "A file is already there"
    hint = "It was not overwritten. Choose another name."


class AuditProtected(StorageFault):
    code = "audit_protected"
    title = "The interaction log only grows"
    hint = "Entries cannot be changed or removed here. Nothing was changed."


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


class NotFound(WorldFault):
    code = "not_found"


class FrameNotFound(NotFound):
    code = "frame_not_found"
    title = "This memory is not here"
    hint = "It may have been erased or belongs to another mind."


class SessionNotFound(NotFound):
    code = "session_not_found"
    title = "This session is not here"
    hint = "List the sessions to see which exist."


class RunNotFound(NotFound):
    code = "run_not_found"
    title = "There is no import with this number"
    hint = "List the imports to see which exist."


class WorkspaceNotFound(NotFound):
    code = "workspace_not_found"
    title = "There is no mind with this name"
    hint = "List the minds to see which exist."


class ChangeNotFound(NotFound):
    code = "change_not_found"
    title = "There is nothing to undo"
    hint = "The last 100 actions can be undone; none is left."


class OriginalNotKept(NotFound):
    code = "original_not_kept"
    title = "The words behind this mark were not kept"
    hint = "What was masked while it was saved, or quoted in a summary, is in no archive. Look into the conversation."


class InvalidRequest(WorldFault):
    code = "invalid"


class InvalidFrame(InvalidRequest):
    code = "invalid_frame"
    title = "This memory cannot be written like that"
    hint = "Nothing was changed."


class InvalidName(InvalidRequest):
    code = "invalid_name"
    title = "This name cannot be used"
    hint = "Use letters, digits, spaces, hyphens and underscores."


class CannotMerge(InvalidRequest):
    code = "cannot_merge"
    title = "These sessions are one already"
    hint = "Nothing was changed. Choose another session."


class InvalidDate(InvalidRequest):
    code = "invalid_date"
    title = "This date was not understood"
    hint = "Write it as 2025-06-30."


class InvalidValue(InvalidRequest):
    code = "invalid_value"
    title = "This value is not allowed here"
    hint = "Nothing was changed."


class InvalidFilter(InvalidRequest):
    code = "invalid_filter"
    title = "This filter was not understood"
    hint = "Write it as source:chatgpt, before:2025-06 or importance:critical."


class CannotUndo(InvalidRequest):
    code = "cannot_undo"
    title = "This action cannot be undone any more"
    hint = "Something it touched has changed since. Nothing was changed now."


class NotAllowed(InvalidRequest):
    code = "not_allowed"
    title = "This is not allowed here"
    hint = "Do it in the desktop window."


class NoModelChosen(InvalidRequest):
    code = "no_model"
    title = "No model is set up"
    hint = "Add a service and choose a model in Settings, Models. Search works without one."


class RecorderFault(WorldFault):
    code = "not_recorded"
    title = "The call could not be recorded"
    hint = "It was not made, or its answer is held back. Free some disk space and try again."


class ReportFailed(WorldFault):
    code = "report_failed"
    title = "The report could not be made"
    hint = "Nothing was written. Close other programs, or choose a shorter period, and try again."


class NetFault(WorldFault):
    """A request that did not leave, or whose answer cannot be used."""


class AddressRefused(NetFault):
    code = "address_refused"
    title = "This address is not allowed"
    hint = "Check the address. Nothing was sent."


class HostUnreachable(NetFault):
    code = "host_unreachable"
    title = "The service cannot be reached"
    hint = "Check the network, and that the service is running. Then try again."


class TimedOut(NetFault):
    code = "timed_out"
    title = "The service did not answer in time"
    hint = "Try again, or choose another model."


class AnswerTooLarge(NetFault):
    code = "answer_too_large"
    title = "The answer is too large"
    hint = "It was cut off. Ask for less."


class AnswerUnreadable(NetFault):
    code = "answer_unreadable"
    title = "The answer cannot be read"
    hint = "The service sent something else than it should. Check its address, or try again."


class ModelFault(WorldFault):
    """A model's service answered, but not with what was asked for."""


class KeyRefused(ModelFault):
    code = "key_refused"
    title = "The service does not accept the key"
    hint = "Enter the key again in Settings, Models."


class ModelMissing(ModelFault):
    code = "model_missing"
    title = "The service does not have this model"
    hint = "Choose another model in Settings, Models."


class RateLimited(ModelFault):
    code = "rate_limited"
    title = "The service asks to wait"
    hint = "Too much was asked in a short time, or the credit is used up. Try again later."


class RequestRefused(ModelFault):
    code = "request_refused"
    title = "The service refused the question"
    hint = "It may be too long for this model. Send fewer memories, or choose another model."


class ServiceFailed(ModelFault):
    code = "service_failed"
    title = "The service failed"
    hint = "Try again in a while, or choose another model."


class AnswerCutOff(ModelFault):
    code = "answer_cut_off"
    title = "The answer stopped in the middle"
    hint = "The service closed the connection. Try again."


class KeyStoreUnavailable(WorldFault):
    code = "key_store_unavailable"
    title = "This system has no safe place for keys"
    hint = "Use the key for this run only, or set up a key store (on Linux: GNOME Keyring or KWallet)."


class EmbedderUnavailable(WorldFault):
    code = "embedder_unavailable"
    title = "Search by meaning is off"
    hint = "Search works by keyword. Run `make run` with a network once to build the model, or choose a model's folder."


class Cancelled(HiveMindError):
    code = "cancelled"
    title = "Stopped"
    hint = "Nothing more was changed."


class InternalFault(HiveMindError):
    """A bug of ours."""

    code = "internal"
    title = "Hive-Mind made a mistake"
    hint = "Your memories are safe on disk. Restart, and keep the details for a report."
