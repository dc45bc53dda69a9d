"""Faults of what was asked for: it is not there, or it makes no sense."""

from __future__ import annotations

from hivemind.errors.tree import WorldFault


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
