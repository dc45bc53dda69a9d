"""Faults of what stands around the mind: the log, the network, models, the key store, the layout of reports."""

from __future__ import annotations

from hivemind.errors.tree import WorldFault


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
