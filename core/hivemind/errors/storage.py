"""Faults of files and the disk."""

from __future__ import annotations

from hivemind.errors.tree import WorldFault


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
