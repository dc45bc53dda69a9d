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

from hivemind.errors.imports import (
    ArchiveEncrypted,
    ArchiveRefused,
    ImportFault,
    NothingToImport,
    ReaderStopped,
    SourceChanged,
    SourceUnknown,
    SourceUnreadable,
)
from hivemind.errors.requests import (
    CannotMerge,
    CannotUndo,
    ChangeNotFound,
    FrameNotFound,
    InvalidDate,
    InvalidFilter,
    InvalidFrame,
    InvalidName,
    InvalidRequest,
    InvalidValue,
    NoModelChosen,
    NotAllowed,
    NotFound,
    OriginalNotKept,
    RunNotFound,
    SessionNotFound,
    WorkspaceNotFound,
)
from hivemind.errors.services import (
    AddressRefused,
    AnswerCutOff,
    AnswerTooLarge,
    AnswerUnreadable,
    EmbedderUnavailable,
    HostUnreachable,
    KeyRefused,
    KeyStoreUnavailable,
    ModelFault,
    ModelMissing,
    NetFault,
    RateLimited,
    RecorderFault,
    ReportFailed,
    RequestRefused,
    ServiceFailed,
    TimedOut,
)
from hivemind.errors.storage import (
    AuditProtected,
    BackupFailed,
    DiskFull,
    FileInTheWay,
    MindBusy,
    MindCorrupt,
    MindMissing,
    MindNewer,
    NotAMind,
    ReadOnlyPlace,
    StorageFault,
)
from hivemind.errors.tree import (
    Cancelled,
    HiveMindError,
    InternalFault,
    WorldFault,
)

__all__ = [
    "AddressRefused",
    "AnswerCutOff",
    "AnswerTooLarge",
    "AnswerUnreadable",
    "ArchiveEncrypted",
    "ArchiveRefused",
    "AuditProtected",
    "BackupFailed",
    "Cancelled",
    "CannotMerge",
    "CannotUndo",
    "ChangeNotFound",
    "DiskFull",
    "EmbedderUnavailable",
    "FileInTheWay",
    "FrameNotFound",
    "HiveMindError",
    "HostUnreachable",
    "ImportFault",
    "InternalFault",
    "InvalidDate",
    "InvalidFilter",
    "InvalidFrame",
    "InvalidName",
    "InvalidRequest",
    "InvalidValue",
    "KeyRefused",
    "KeyStoreUnavailable",
    "MindBusy",
    "MindCorrupt",
    "MindMissing",
    "MindNewer",
    "ModelFault",
    "ModelMissing",
    "NetFault",
    "NoModelChosen",
    "NotAMind",
    "NotAllowed",
    "NotFound",
    "NothingToImport",
    "OriginalNotKept",
    "RateLimited",
    "ReadOnlyPlace",
    "ReaderStopped",
    "RecorderFault",
    "ReportFailed",
    "RequestRefused",
    "RunNotFound",
    "ServiceFailed",
    "SessionNotFound",
    "SourceChanged",
    "SourceUnknown",
    "SourceUnreadable",
    "StorageFault",
    "TimedOut",
    "WorkspaceNotFound",
    "WorldFault",
]
