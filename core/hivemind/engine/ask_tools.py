"""The toolbox of one turn: allowed or not, agreed to or not, recorded before and after, and only then passed on."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from hivemind.agent.tools import Tool, find_tool, must_ask, read_arguments
from hivemind.agent.turn import ToolOutcome
from hivemind.domain.ask import ApprovalWanted, AskEvent, PreparedQuestion, ToolUsed
from hivemind.domain.calls import Call, CallKind, CallOutcome, CallRecorder, HumanAction
from hivemind.domain.chat import ToolRequest
from hivemind.engine.ask_actions import AskActions
from hivemind.errors import HiveMindError, InvalidValue, RecorderFault

#: Seconds a person has to answer; then nobody has decided anything, and nothing is done.
APPROVAL_SECONDS = 300.0
_WORDS = 300


class ApprovalDesk:
    """Questions that wait for a person."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[bool]] = {}

    def open(self) -> tuple[str, asyncio.Future[bool]]:
        """A new question: its id, and what will be its answer."""
        name = str(uuid.uuid4())
        self._waiting[name] = asyncio.get_running_loop().create_future()
        return name, self._waiting[name]

    def decide(self, name: str, allowed: bool) -> bool:
        """Answer a question. False: it does not wait any more."""
        answer = self._waiting.get(name)
        if answer is None or answer.done():
            return False
        answer.set_result(allowed)
        return True

    def close(self, name: str) -> None:
        self._waiting.pop(name, None)


class AskToolbox:
    """See `hivemind.agent.turn.Toolbox`."""

    def __init__(
        self, prepared: PreparedQuestion, actions: AskActions, recorder: CallRecorder, desk: ApprovalDesk
    ) -> None:
        self._prepared = prepared
        self._actions = actions
        self._recorder = recorder
        self._desk = desk

    async def use(self, request: ToolRequest) -> AsyncGenerator[AskEvent | ToolOutcome, None]:
        """Raises RecorderFault when the call or its end cannot be recorded: then the turn must end."""
        tool = find_tool(request.name, self._prepared.persona)
        if tool is None:
            await self._refused(request, HumanAction.NONE, "not_allowed")
            yield _outcome(request.name, "This tool is not available here.", "Not allowed for this persona")
            return
        try:
            arguments = read_arguments(tool, request)
        except InvalidValue as fault:
            yield _outcome(tool.name, f"{fault.title}. {fault.hint}", fault.title)
            return
        agreed = HumanAction.NONE
        if must_ask(tool, self._prepared.autonomy):
            name, answer = self._desk.open()
            try:
                yield ApprovalWanted(name, tool.name, tool.effect, _in_words(tool, arguments), APPROVAL_SECONDS)
                allowed = await _decided(answer)
            finally:
                self._desk.close(name)
            if allowed is None:
                await self._refused(request, HumanAction.NONE, "not_answered")
                yield _outcome(tool.name, "Nobody answered in time; it was not done.", "Not answered in time, not done")
                return
            if not allowed:
                await self._refused(request, HumanAction.DENIED, "denied")
                yield _outcome(tool.name, "The person said no. Do not try it again.", "You said no")
                return
            agreed = HumanAction.APPROVED
        yield await self._carried_out(tool, arguments, request, agreed)

    async def _carried_out(
        self, tool: Tool, arguments: Mapping[str, Any], request: ToolRequest, agreed: HumanAction
    ) -> ToolOutcome:
        call = self._call(request, agreed)
        await self._recorder.started(call)
        try:
            told, seen = await self._actions.run(tool.name, arguments)
        except RecorderFault:
            await self._recorder.failed(CallOutcome(call.uuid, error=RecorderFault.code))
            raise
        except HiveMindError as fault:
            await self._recorder.failed(CallOutcome(call.uuid, error=fault.code))
            return _outcome(tool.name, f"{fault.title}. {fault.hint}", fault.title)
        except BaseException as fault:
            code = "cancelled" if isinstance(fault, asyncio.CancelledError) else type(fault).__name__
            await asyncio.shield(self._recorder.failed(CallOutcome(call.uuid, error=code)))
            raise
        await self._recorder.finished(CallOutcome(call.uuid))
        return ToolOutcome(told, ToolUsed(tool.name, True, seen))

    async def _refused(self, request: ToolRequest, action: HumanAction, code: str) -> None:
        """A call that was not made leaves its two entries too: who refused it, or that nobody answered."""
        call = self._call(request, action)
        await self._recorder.started(call)
        await self._recorder.failed(CallOutcome(call.uuid, error=code))

    def _call(self, request: ToolRequest, action: HumanAction) -> Call:
        prepared = self._prepared
        return Call(
            str(uuid.uuid4()),
            CallKind.TOOL_CALL,
            workspace_id=prepared.minds[0],
            session_id=prepared.conversation,
            persona=prepared.persona.id,
            tools=(_printable(request.name),),
            human_action=action,
            risk_context=f"turn {prepared.turn}",
            input_text=request.arguments.encode("utf-8", "replace").decode("utf-8"),
        )


async def _decided(answer: asyncio.Future[bool]) -> bool | None:
    try:
        async with asyncio.timeout(APPROVAL_SECONDS):
            return await answer
    except TimeoutError:
        return None


def _outcome(name: str, told: str, seen: str) -> ToolOutcome:
    return ToolOutcome(told, ToolUsed(_printable(name), False, seen))


def _in_words(tool: Tool, arguments: Mapping[str, Any]) -> str:
    """What would be done, with what the model wrote."""
    given = "; ".join(f"{value}" if name == "text" else f"{name} {value}" for name, value in arguments.items())
    words = " ".join(f"{tool.description.rstrip('.')}: {given}".split())
    return words if len(words) <= _WORDS else words[: _WORDS - 1].rstrip() + "…"


def _printable(name: str) -> str:
    """A tool's name as the log takes it; a model may ask for a tool by any words."""
    return "".join(letter for letter in name if letter.isprintable())[:100] or "unnamed"
