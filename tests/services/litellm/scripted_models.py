"""Models that do as their name says. Loaded by the LiteLLM proxy as its custom handler; not a module of the tests."""

import asyncio
import json

from litellm import CustomLLM
from litellm.llms.custom_llm import CustomLLMError

USAGE = {"prompt_tokens": 40, "completion_tokens": 4, "total_tokens": 44}


def chunk(text="", finish="", tool=None):
    return {
        "text": text,
        "is_finished": bool(finish),
        "finish_reason": finish,
        "usage": USAGE if finish else None,
        "index": 0,
        "tool_use": tool,
    }


def said_by_tools(messages):
    return [one for one in messages if one.get("role") == "tool"]


class ScriptedModels(CustomLLM):
    """`astreaming` is what the proxy calls for a streamed answer."""

    async def astreaming(self, *args, **kwargs):
        model = kwargs["model"].rsplit("/", 1)[-1]
        messages = kwargs["messages"]
        if model.startswith("status-"):
            raise CustomLLMError(status_code=int(model.removeprefix("status-")), message="as scripted")
        if model == "tools" and not said_by_tools(messages):
            arguments = json.dumps({"query": "lemon"})
            call = {
                "id": "call_1",
                "type": "function",
                "function": {"name": "search_memories", "arguments": arguments},
                "index": 0,
            }
            yield chunk(tool=call)
            yield chunk(finish="tool_calls")
            return
        if model == "echo":
            yield chunk(json.dumps([one.get("content") for one in messages]))
            yield chunk(finish="stop")
            return
        for number, word in enumerate(("In ", "March ", "[1].")):
            if number == 1 and model == "hangs":
                await asyncio.sleep(120)
            if number == 1 and model == "breaks":
                raise CustomLLMError(status_code=500, message="in the middle")
            yield chunk(word)
        if model != "never-ends":
            yield chunk(finish="stop")


scripted = ScriptedModels()
